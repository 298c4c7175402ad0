// SPDX-License-Identifier: Apache-2.0
#include "setup/wave_paddle.h"

#include "core/extent.h"
#include "geometry/normals.h"
#include "setup/wave_theory.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace sluice {

namespace {

std::string length_text(const PaddleWaves& made) {
    const double length = 2 * std::numbers::pi / made.wave_number, ratio = made.depth / length;
    return fmt::format("wave length {:.6g} m, depth over length {:.4g} ({} water)", length, ratio,
                       waves::depth_regime(ratio));
}

std::string spectrum_text(const WavePaddle& p, const PaddleWaves& made) {
    return fmt::format("{}, significant height {:g} m, peak period {:g} s, {} components from {:.4g} to {:.4g} Hz, {} "
                       "(of the peak)",
                       p.spectrum == WaveSpectrum::jonswap ? fmt::format("JONSWAP, peak coefficient {:g}", p.peak_coef)
                                                           : "Pierson-Moskowitz",
                       p.height, p.period, made.spectrum.size(), made.spectrum.front().frequency,
                       made.spectrum.back().frequency, length_text(made));
}

std::string solitary_text(const PaddleWaves& made) {
    std::string text;
    for (const waves::Soliton& s : made.solitons)
        text +=
            fmt::format("{}height {:g} m, celerity {:.5g} m/s, effective length {:.5g} m, stroke {:.6g} m in {:.5g} s "
                        "from {:.5g} s",
                        text.empty() ? "" : "; ", s.height, s.celerity, 2 * 3.8 / s.kappa,
                        s.displacement(s.start + s.duration).value, s.duration, s.start);
    return text;
}

std::string waves_text(const WavePaddle& p, const PaddleWaves& made) {
    switch (p.kind) {
    case WaveKind::regular:
        return fmt::format("regular waves of order {}, height {:g} m, period {:g} s, {}, stroke {:.6g} m", p.order,
                           p.height, p.period, length_text(made), p.gain_stroke * p.height / made.transfer);
    case WaveKind::spectrum: return fmt::format("irregular waves of order {}: {}", p.order, spectrum_text(p, made));
    case WaveKind::focused:
        return fmt::format("focused waves of order {}: crest of {:.6g} m at x = {:g} m, {:.6g} s after the start; {}",
                           p.order, 0.5 * made.focus_height, p.focus_x, made.focus_time, spectrum_text(p, made));
    case WaveKind::solitary: break;
    }
    return "solitary waves: " + solitary_text(made);
}

void warn_of(const WavePaddle& p, const PaddleWaves& made, std::vector<Diagnostic>& out) {
    const auto warn = [&](std::string what) {
        out.push_back({Diagnostic::Level::warning, p.where, fmt::format("<{}>: {}", p.name, what)});
    };
    double height = p.kind == WaveKind::focused ? made.focus_height : p.height;
    for (const SolitaryWave& wave : p.solitary) height = std::max(height, wave.height);
    if (height > 0.78 * p.depth)
        warn(fmt::format("waves of {:.4g} m in water of {:g} m break (above 0.78 of the depth)", height, p.depth));
    if (p.kind != WaveKind::regular) return;
    const double length = 2 * std::numbers::pi / made.wave_number;
    const double steepest = 0.142 * std::tanh(made.wave_number * p.depth); // Miche (1944)
    if (height / length > steepest)
        warn(fmt::format("the steepness {:.3g} is above {:.3g}, at which waves break", height / length, steepest));
    const double ursell = height * length * length / (p.depth * p.depth * p.depth);
    if (p.order == 2 && ursell > 8 * std::numbers::pi * std::numbers::pi / 3)
        warn(fmt::format("height·length²/depth³ is {:.3g}, above 26: the second order does not hold (Madsen 1971)",
                         ursell));
}

/// Depth of the fluid within `reach` of a moving boundary on x and y at the start, m; 0 without any.
double depth_beside(const ParticleSet& set, const ParticleBlock& wall, double reach) {
    Extent face, water;
    for (std::uint32_t id = wall.begin; id < wall.begin + wall.count; ++id) face.add(set.position[id]);
    for (std::uint32_t id = set.boundary_count; id < set.size(); ++id) {
        const Vec3d& p = set.position[id];
        if (p.x < face.min.x - reach || p.x > face.max.x + reach || p.y < face.min.y - reach ||
            p.y > face.max.y + reach)
            continue;
        water.add(p);
    }
    return water.max.z < water.min.z ? 0 : water.max.z - water.min.z + set.dp;
}

} // namespace

void lint_paddles(const Case& definition, const ParticleSet& particles, std::vector<Diagnostic>& out) {
    constexpr double reach = 5, spacings = 2.01, share = 0.05; // dynamic walls and their surface take two spacings
    for (const WavePaddle& p : paddles_of(definition)) {
        const ParticleBlock* wall = boundary_block(particles, p.mkbound);
        if (!wall || p.fixed_depth != 0) continue;
        const double found = depth_beside(particles, *wall, reach * particles.dp), off = std::abs(found - p.depth);
        if (found == 0 || off <= spacings * particles.dp || off <= share * p.depth) continue;
        out.push_back({Diagnostic::Level::warning, p.where,
                       fmt::format("<{}>: its depth is {:g} m, and the water beside it is {:.4g} m deep: the waves "
                                   "will be others than it says; give the depth of the still water at the paddle",
                                   p.name, p.depth, found)});
    }
}

std::vector<Diagnostic> wave_notes(const Case& definition) {
    std::vector<Diagnostic> notes;
    const double g = gravity_of(definition);
    for (const WavePaddle& p : paddles_of(definition)) {
        if (!(g > 0)) continue; // the motion says so
        const PaddleWaves made = make_paddle_waves(p, g);
        notes.push_back(
            {Diagnostic::Level::info, p.where,
             fmt::format("{} of mkbound {}: {}", p.flap ? "flap" : "piston", p.mkbound, waves_text(p, made))});
        warn_of(p, made, notes);
    }
    return notes;
}

} // namespace sluice
