// SPDX-License-Identifier: Apache-2.0
#include "setup/wave_paddle.h"

#include "setup/wave_theory.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace sluice {

namespace {

using std::numbers::pi;
using waves::Line;

double transfer_of(const WavePaddle& p, double k) {
    return p.flap ? waves::flap_transfer(k, p.depth, p.draft) : waves::piston_transfer(k, p.depth, p.fixed_depth);
}

/// A first-order wave of amplitude `a`, m, and the paddle's share of it.
void add_wave(PaddleWaves& out, const WavePaddle& p, double g, double a, double frequency, double phase) {
    const double k = waves::wave_number(frequency, p.depth, g);
    out.elevation[0].push_back({frequency, a, phase, k});
    out.paddle.push_back({frequency, p.gain_stroke * a / transfer_of(p, k), phase});
}

void make_regular(PaddleWaves& out, const WavePaddle& p, double g) {
    const double frequency = 2 * pi / p.period, k = out.wave_number;
    add_wave(out, p, g, 0.5 * p.height, frequency, p.phase);
    if (p.order < 2) return;
    double stroke2 = waves::madsen_second_harmonic(p.height, k, p.depth, out.transfer);
    if (p.flap) stroke2 *= waves::flap_surface_over_mean(p.depth, p.draft);
    out.paddle.push_back({2 * frequency, p.gain_stroke * stroke2, 2 * p.phase});
    out.elevation[1] = {{2 * frequency, waves::stokes_second_harmonic(p.height, k, p.depth), 2 * p.phase, 2 * k}};
}

/// The long waves bound to the groups of every two components, and the paddle's motion for them.
void add_bound_waves(PaddleWaves& out, const WavePaddle& p) {
    const std::vector<Line> first = out.elevation[0]; // by ascending frequency
    std::vector<double> transfer;
    for (const Line& wave : first) transfer.push_back(transfer_of(p, wave.wave_number));
    for (std::size_t a = 0; a < first.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const Line &high = first[a], &low = first[b];
            const waves::WavePair pair{high.frequency, high.wave_number, low.frequency, low.wave_number};
            if (!(pair.frequency_a > pair.frequency_b)) continue;
            const double frequency = high.frequency - low.frequency, phase = high.phase - low.phase,
                         product = high.amplitude * low.amplitude;
            out.elevation[1].push_back({frequency, product * waves::bound_elevation(pair, p.depth), phase,
                                        high.wave_number - low.wave_number});
            out.bound.push_back(
                {frequency,
                 p.gain_stroke * product * waves::bound_displacement(pair, p.depth, transfer[a], transfer[b]), phase});
        }
}

/// The first time from `from` on at which the paddle passes its middle with growing displacement; `from` where that
/// is not found within eight periods.
double next_zero(const std::vector<Line>& lines, double from, double period) {
    const double step = period / 100;
    const auto values = waves::sums(waves::begun_at(lines, from), step, 800);
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double before = values[i - 1].value, after = values[i].value;
        if (before <= 0 && after > 0) return from + step * (double(i - 1) + before / (before - after));
    }
    return from;
}

/// A sea state of random phases, of exactly the significant height asked for.
void make_spectrum(PaddleWaves& out, const WavePaddle& p, double g) {
    double variance = 0;
    for (const waves::Component& c : out.spectrum) variance += c.variance();
    const double scale = p.height * p.height / 16 / variance;
    waves::UniformNumbers uniform(p.seed);
    for (const waves::Component& c : out.spectrum)
        add_wave(out, p, g, std::sqrt(2 * scale * c.variance()), 2 * pi * c.frequency, 2 * pi * uniform.next());
    if (p.order == 2) add_bound_waves(out, p);
    const double begin = p.autofit ? next_zero(out.paddle, p.series_start, p.period) : p.series_start;
    for (auto* lines : {&out.paddle, &out.bound, &out.elevation[0], &out.elevation[1]})
        *lines = waves::begun_at(std::move(*lines), begin);
}

/// All crests meet at one place and time: amplitudes as the average shape of the highest wave has them, in proportion
/// to the energies (Tromans et al. 1991).
void make_focused(PaddleWaves& out, const WavePaddle& p, double g) {
    const double last = 2 * pi * waves::frequency_range(p).highest, k_last = waves::wave_number(last, p.depth, g);
    out.focus_time = p.focus_pre_time + p.focus_x / waves::group_velocity(last, k_last, p.depth);
    out.focus_height = waves::significant_height(p) * std::sqrt(0.5 * std::log(p.highest_of));
    double variance = 0;
    for (const waves::Component& c : out.spectrum) variance += c.variance();
    for (const waves::Component& c : out.spectrum) {
        const double frequency = 2 * pi * c.frequency, k = waves::wave_number(frequency, p.depth, g);
        add_wave(out, p, g, 0.5 * out.focus_height * c.variance() / variance, frequency,
                 p.focus_phase + k * p.focus_x - frequency * out.focus_time);
    }
    if (p.order == 2) add_bound_waves(out, p);
    if (p.motion_end > 0) {
        out.end = p.motion_end;
        out.ramp_out = p.motion_end_ramp;
    }
}

} // namespace

waves::ValueAndRate PaddleWaves::ramp(double t) const {
    const waves::ValueAndRate in = ramp_in > 0 ? waves::ramp(t / ramp_in) : waves::ValueAndRate{1, 0};
    waves::ValueAndRate out{1, 0};
    if (end >= 0) out = ramp_out > 0 ? waves::ramp((end - t) / ramp_out) : waves::ValueAndRate{t < end ? 1.0 : 0.0, 0};
    double rate = 0;
    if (ramp_in > 0) rate += in.rate / ramp_in * out.value;
    if (ramp_out > 0) rate -= in.value * out.rate / ramp_out;
    return {in.value * out.value, rate};
}

waves::ValueAndRate PaddleWaves::ramped(const waves::ValueAndRate& whole, double t) const {
    const waves::ValueAndRate r = ramp(t);
    return {r.value * whole.value, r.value * whole.rate + r.rate * whole.value};
}

std::vector<ExpectedWater> PaddleWaves::expected(double x, double z, double begin, double step, int count) const {
    const auto at = [&](std::vector<Line> lines, double phase, auto&& factor) {
        for (Line& line : lines) {
            line.phase += phase - line.wave_number * x;
            line.amplitude *= factor(line);
        }
        return waves::sums(waves::begun_at(std::move(lines), begin), step, count);
    };
    const auto same = [](const Line&) { return 1.0; };
    const auto first = at(elevation[0], pi / 2, same), second = at(elevation[1], pi / 2, same);
    const auto along = at(elevation[0], pi / 2, [&](const Line& w) {
        return w.frequency * waves::depth_profile(w.wave_number, depth, z).horizontal;
    });
    const auto up = at(elevation[0], 0, [&](const Line& w) {
        return -w.frequency * waves::depth_profile(w.wave_number, depth, z).vertical;
    });
    std::vector<ExpectedWater> made;
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const double t = begin + i * step, r = ramp(t).value;
        ExpectedWater water{r * first[k].value, r * (first[k].value + second[k].value), r * along[k].value,
                            r * up[k].value};
        for (const waves::Soliton& s : solitons) water.first_order = water.second_order += s.elevation(x, t);
        made.push_back(water);
    }
    return made;
}

std::vector<waves::ValueAndRate> PaddleWaves::elevations(double x, int order, double step, int count) const {
    const auto before_piston = [&](std::vector<Line> lines) {
        for (Line& line : lines) line.phase += pi / 2 - line.wave_number * x;
        return lines;
    };
    std::vector<Line> first = before_piston(elevation[0]), slope;
    for (std::size_t i = 0; i < elevation[0].size(); ++i) {
        const Line &wave = elevation[0][i], &moves = paddle[i];
        first.push_back({moves.frequency,
                         moves.amplitude * waves::evanescent_elevation(wave.wave_number, depth, below, x), moves.phase,
                         0});
        slope.push_back({wave.frequency, wave.amplitude * wave.wave_number, wave.phase - wave.wave_number * x, 0});
    }
    std::vector<waves::ValueAndRate> made = waves::sums(first, step, count);
    if (order == 2) {
        const int every = std::max(1, static_cast<int>(8 * this->step() / step));
        const auto second = waves::coarse_sums(before_piston(elevation[1]), step, count, bound.empty() ? 1 : every),
                   slopes = waves::sums(slope, step, count), displacement = waves::sums(paddle, step, count);
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i].value += second[i].value + displacement[i].value * slopes[i].value;
            made[i].rate +=
                second[i].rate + displacement[i].rate * slopes[i].value + displacement[i].value * slopes[i].rate;
        }
    }
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = ramped(made[i], static_cast<double>(i) * step);
    return made;
}

std::vector<ProgressiveElevation> PaddleWaves::progressive(double x, int order, double step, int count) const {
    const int every = std::max(1, static_cast<int>(8 * this->step() / step));
    // cos(ωt + φ − kx) times (−k²)^(n/2) and, for odd n, with the phase of its derivative
    const auto derivative = [&](int of_order, int n) {
        std::vector<Line> lines = elevation[of_order - 1];
        for (Line& line : lines) {
            line.amplitude *= n == 0 ? 1 : n == 1 ? line.wave_number : -line.wave_number * line.wave_number;
            line.phase += (n == 1 ? 0 : pi / 2) - line.wave_number * x;
        }
        return of_order == 1 ? waves::sums(lines, step, count)
                             : waves::coarse_sums(std::move(lines), step, count, bound.empty() ? 1 : every);
    };
    std::vector<ProgressiveElevation> made(static_cast<std::size_t>(count));
    waves::ValueAndRate ProgressiveElevation::*const parts[] = {
        &ProgressiveElevation::elevation, &ProgressiveElevation::slope, &ProgressiveElevation::curvature};
    for (int n = 0; n < 3; ++n) {
        std::vector<waves::ValueAndRate> sum = derivative(1, n);
        if (order == 2) {
            const std::vector<waves::ValueAndRate> second = derivative(2, n);
            for (std::size_t i = 0; i < sum.size(); ++i) {
                sum[i].value += second[i].value;
                sum[i].rate += second[i].rate;
            }
        }
        for (std::size_t i = 0; i < sum.size(); ++i) made[i].*parts[n] = ramped(sum[i], static_cast<double>(i) * step);
    }
    return made;
}

double PaddleWaves::step() const {
    double fastest = 0;
    for (const Line& line : paddle) fastest = std::max(fastest, line.frequency);
    for (const waves::Soliton& s : solitons) fastest = std::max(fastest, 4 * s.kappa * s.celerity);
    return 2 * pi / (128 * fastest);
}

std::vector<waves::ValueAndRate> PaddleWaves::displacements(double step, int count) const {
    std::vector<waves::ValueAndRate> made(static_cast<std::size_t>(count));
    if (solitons.empty()) made = waves::sums(paddle, step, count);
    if (!bound.empty()) {
        const int every = std::max(1, static_cast<int>(8 * this->step() / step)); // 16 times a shortest period
        const auto slow = waves::coarse_sums(bound, step, count, every);
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i].value += slow[i].value;
            made[i].rate += slow[i].rate;
        }
    }
    for (int i = 0; i < count; ++i) {
        waves::ValueAndRate& now = made[static_cast<std::size_t>(i)];
        const double t = i * step;
        for (const waves::Soliton& s : solitons) {
            const waves::ValueAndRate pushed = s.displacement(t);
            now.value += pushed.value;
            now.rate += pushed.rate;
        }
        now = ramped(now, t);
    }
    const double begin = made[0].value;
    for (waves::ValueAndRate& now : made) now.value -= begin;
    return made;
}

PaddleWaves make_paddle_waves(const WavePaddle& paddle, double g) {
    PaddleWaves made;
    made.ramp_in = paddle.ramp;
    made.depth = paddle.depth;
    made.below = paddle.fixed_depth;
    if (paddle.kind == WaveKind::solitary) {
        made.solitons = waves::solitons(paddle, g);
        return made;
    }
    made.wave_number = waves::wave_number(2 * pi / paddle.period, paddle.depth, g);
    made.transfer = transfer_of(paddle, made.wave_number);
    if (paddle.kind == WaveKind::regular) {
        make_regular(made, paddle, g);
        return made;
    }
    made.spectrum = waves::components(paddle);
    if (paddle.kind == WaveKind::spectrum)
        make_spectrum(made, paddle, g);
    else
        make_focused(made, paddle, g);
    return made;
}

double gravity_of(const Case& definition) {
    const Vec3d& gravity = definition.constants.gravity;
    return norm(gravity);
}

std::vector<MotionSample> paddle_samples(const WavePaddle& paddle, double g, double horizon) {
    if (!(g > 0)) throw InputError(paddle.where, fmt::format("<{}> makes no waves without gravity", paddle.name));
    constexpr double most = 5e6;
    const PaddleWaves made = make_paddle_waves(paddle, g);
    const double step = made.step(), time = std::max(horizon - paddle.start, 0.0);
    const double count = std::ceil(time / step) + 2;
    if (count > most)
        throw InputError(paddle.where,
                         fmt::format("<{}>: the paddle's motion until {:g} s takes {:g} samples, {:g} are the most",
                                     paddle.name, horizon, count, most));
    std::vector<MotionSample> samples;
    const double arm = paddle.depth - paddle.draft;
    for (const waves::ValueAndRate& at : made.displacements(step, static_cast<int>(count))) {
        MotionSample sample;
        sample.time = step * double(samples.size());
        if (paddle.flap) {
            const double slope = at.value / arm;
            sample.value.x = std::atan(slope);
            sample.rate.x = at.rate / arm / (1 + slope * slope);
        } else {
            sample.value = at.value * paddle.direction;
            sample.rate = at.rate * paddle.direction;
        }
        samples.push_back(sample);
    }
    return samples;
}

std::vector<WavePaddle> paddles_of(const Case& definition) {
    std::vector<WavePaddle> all;
    for (const MotionObject& object : definition.motion)
        for (const MotionStep& step : object.steps)
            if (step.paddle) all.push_back(*step.paddle);
    return all;
}

} // namespace sluice
