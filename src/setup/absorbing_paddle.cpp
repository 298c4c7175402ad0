// SPDX-License-Identifier: Apache-2.0
#include "setup/absorbing_paddle.h"

#include "physics/sph/free_surface.h"
#include "setup/wave_paddle.h"
#include "setup/wave_theory.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace sluice {

namespace {

/// Of a paddle's motion: where the series has come at most, and how fast it changes its speed at most.
struct Extremes {
    double stroke = 0, acceleration = 0; ///< m, m/s²
};
Extremes extremes_of(const std::vector<MotionSample>& motion) {
    double low = 0, high = 0;
    Extremes found;
    for (std::size_t i = 0; i < motion.size(); ++i) {
        low = std::min(low, motion[i].value.x);
        high = std::max(high, motion[i].value.x);
        if (i == 0) continue;
        const double rate = (motion[i].rate.x - motion[i - 1].rate.x) / (motion[i].time - motion[i - 1].time);
        found.acceleration = std::max(found.acceleration, std::abs(rate));
    }
    found.stroke = high - low;
    return found;
}

/// Of the waves between a gauge and its piston, for the response to be tuned to them.
constexpr double largest_phase = 2 * std::numbers::pi / 5;

/// What of a piston's waves its response depends on.
struct OwnWaves {
    double frequency, phase; ///< rad/s; of the waves between piston and gauge
    double transfer, near; ///< elevation of the progressive wave and of the near field at the gauge, over displacement

    OwnWaves(const WavePaddle& paddle, double g, double gauge_x) : frequency(2 * std::numbers::pi / paddle.period) {
        const PaddleWaves made = make_paddle_waves(paddle, g);
        phase = made.wave_number * gauge_x;
        transfer = made.transfer;
        near = waves::evanescent_elevation(made.wave_number, paddle.depth, paddle.fixed_depth, gauge_x);
    }
};

/// Calls `use(object, paddle)` with the pistons that absorb.
template <class Use>
void for_each_absorbing(const Case& definition, const Use& use) {
    for (std::size_t object = 0; object < definition.motion.size(); ++object)
        for (const MotionStep& step : definition.motion[object].steps)
            if (step.paddle && step.paddle->absorption) use(static_cast<int>(object), *step.paddle);
}

class AbsorberMaker {
public:
    AbsorberMaker(const Case& definition, const ParticleSet& particles, RunSetup& setup)
        : definition_(definition), particles_(particles), setup_(setup) {}

    void add(int object, const WavePaddle& paddle) {
        const WaveAbsorption& given = *paddle.absorption;
        if (setup_.motions.objects[static_cast<std::size_t>(object)].parent >= 0)
            throw InputError(given.where, "<awas_zsurf>: the piston is carried by another object, it must stand alone");
        WaveAbsorber made;
        made.mk_bound = paddle.mkbound;
        made.object = object;
        made.save = given.save;
        place_gauge(paddle, made);
        const OwnWaves waves(paddle, gravity_of(definition_), made.gauge_x);
        const bool tuned = given.response == AbsorptionResponse::tuned && waves.phase <= largest_phase;
        if (tuned) {
            made.still = zeroed(made, made.still);
            tune(waves, made);
        } else {
            made.response = std::sqrt(gravity_of(definition_) / paddle.depth);
        }
        add_series(paddle, tuned, made);
        made.start = given.start.value_or(paddle.start + paddle.ramp);
        made.end = paddle.duration > 0 ? paddle.start + paddle.duration : std::numeric_limits<double>::infinity();
        setup_.motions.objects[static_cast<std::size_t>(object)].absorber = static_cast<int>(setup_.absorbers.size());
        setup_.absorbers.push_back(made);
    }

private:
    /// The foremost of the paddle's particles, and their y.
    Vec3d face_of(const WavePaddle& paddle) const {
        Vec3d face{-std::numeric_limits<double>::infinity(), 0, 0};
        for (const ParticleGroup& group : setup_.groups.all())
            if (!group.is_fluid() && group.mk_type == paddle.mkbound)
                for (std::uint32_t id = group.begin; id < group.begin + group.count; ++id)
                    if (particles_.position[id].x > face.x) face = particles_.position[id];
        if (!std::isfinite(face.x))
            throw InputError(paddle.where,
                             fmt::format("<{}>: there are no particles of mkbound {}", paddle.name, paddle.mkbound));
        return face;
    }

    void place_gauge(const WavePaddle& paddle, WaveAbsorber& made) const {
        const WaveAbsorption& given = *paddle.absorption;
        const sph::Constants& c = setup_.constants;
        const Domain& domain = setup_.domain;
        using Unit = WaveAbsorption::Unit;
        const double unit = given.gauge_unit == Unit::metre ? 1 : given.gauge_unit == Unit::h ? c.h : c.dp;
        const Vec3d face = face_of(paddle);
        made.front = face.x - domain.min.x;
        made.gauge_x = given.gauge * unit;
        const double y = c.two_d ? face.y : given.gauge_y, low = given.z_min.value_or(domain.min.z),
                     high = given.z_max.value_or(domain.max.z);
        made.gauge_y = y - domain.min.y;
        made.low = low - domain.min.z;
        made.height = high - low;
        made.spacing = given.spacing_dp * c.dp;
        made.limit = given.mass_limit.value_or(sph::usual_limit(c.two_d));
        made.still = given.swl - domain.min.z;
        if (!(made.front + made.gauge_x < domain.max.x - domain.min.x) || !(y >= domain.min.y && y <= domain.max.y))
            throw InputError(given.where,
                             fmt::format("<awas_zsurf>: the gauge at x = {:.10g} m, y = {:.10g} m is outside of "
                                         "the domain",
                                         face.x + made.gauge_x, y));
        if (!(low < given.swl && given.swl < high))
            throw InputError(given.where,
                             fmt::format("<awas_zsurf>: swl {:.10g} is not between the lowest and the highest "
                                         "point of the gauge, {:.10g} and {:.10g} m",
                                         given.swl, low, high));
        constexpr double most = 1e5;
        if (made.height / made.spacing > most)
            throw InputError(given.where, fmt::format("<awas_zsurf>: the gauge has {:.3g} check points, {:g} are the "
                                                      "most: raise gaugedp",
                                                      made.height / made.spacing, most));
    }

    /// What the gauge reads in the still water at the start of the run, z from the domain's lower corner, if that is
    /// within a particle spacing of `swl`: with the lattice and the limit it may be off by nearly that, which would
    /// drive the piston. Otherwise `swl`.
    double zeroed(const WaveAbsorber& absorber, double swl) const {
        const sph::Constants& c = setup_.constants;
        const Vec3d foot = setup_.domain.min + Vec3d{absorber.front + absorber.gauge_x, absorber.gauge_y, absorber.low};
        const sph::CheckPoints points = sph::gauge_points(absorber);
        std::vector<Vec3d> near;
        for (std::uint32_t i = particles_.boundary_count; i < particles_.size(); ++i) {
            const Vec3d r = particles_.position[i] - foot;
            if (r.x * r.x + r.y * r.y < 4 * c.h * c.h) near.push_back(r);
        }
        const double surface = sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            const double scale = c.mass_fluid * Kernel::normalisation(c.h, c.two_d);
            return sph::find_surface(points, absorber.limit, [&](int k) {
                double sum = 0;
                for (Vec3d r : near) {
                    r.z -= points.at(k);
                    if (dot(r, r) < 4 * c.h * c.h) sum += sph::fluid_fraction<Kernel>(scale, c.rho0, dot(r, r), c.h);
                }
                return sum;
            });
        });
        const double seen = absorber.low + surface;
        return surface >= 0 && std::abs(seen - swl) <= c.dp ? seen : swl;
    }

    /// To waves of the (peak) frequency ω that come back. What the gauge at x sees of one, and of what the piston makes
    /// by moving at u_c and so displaced by x_c, is
    ///
    ///   η = (η_r + η_o) cos kx + (m sin kx + E(x)) x_c
    ///
    /// with η_r and η_o the waves that arrive at the piston and leave it, m its transfer and E its near field. Nothing
    /// leaves it if u_c = −(ω/m)(η_r + η_o), as η_o = η_r + (m/ω) u_c; x_c = −(du_c/dt)/ω², so the second term is a lag
    /// of u_c.
    static void tune(const OwnWaves& waves, WaveAbsorber& made) {
        made.response = waves.frequency / (waves.transfer * std::cos(waves.phase));
        const double own = waves.transfer * std::sin(waves.phase) + waves.near;
        made.lag = made.response * own / (waves.frequency * waves.frequency);
    }

    void add_series(const WavePaddle& paddle, bool tuned, WaveAbsorber& made) {
        const double g = gravity_of(definition_), horizon = definition_.parameters.time_max + 1;
        const std::vector<MotionSample> motion = paddle_samples(paddle, g, horizon);
        const Extremes most = extremes_of(motion);
        made.paddle_start = paddle.start;
        // Amplitudes of the form for long waves are of the first order, of the significant height and peak period.
        const double amplitude = paddle.gain_stroke * paddle.height / (2 * make_paddle_waves(paddle, g).transfer);
        const double frequency = 2 * std::numbers::pi / paddle.period;
        const bool of_first_order = !tuned && paddle.kind == WaveKind::regular;
        made.most_acceleration = paddle.absorption->acceleration_factor *
                                 (of_first_order ? amplitude * frequency * frequency : most.acceleration);
        made.most_drift = paddle.absorption->drift_strokes * (tuned ? most.stroke : amplitude);
        made.return_time = paddle.absorption->return_periods * paddle.period;
        made.return_power = paddle.absorption->return_power;
        made.first_motion = append(motion);
        made.motion_count = static_cast<int>(motion.size());
        made.first_elevation = append(expected_at_gauge(paddle, tuned, g, made.gauge_x, motion));
        made.elevation_count = made.motion_count;
    }
    int append(const std::vector<MotionSample>& samples) {
        std::vector<MotionSample>& all = setup_.motions.samples;
        const auto first = static_cast<int>(all.size());
        all.insert(all.end(), samples.begin(), samples.end());
        return first;
    }

    /// At the times of the motion. A tuned piston knows its near field and its own displacement; the form for long
    /// waves expects the progressive waves alone, where the gauge is.
    static std::vector<MotionSample> expected_at_gauge(const WavePaddle& paddle, bool tuned, double g, double x,
                                                       const std::vector<MotionSample>& motion) {
        const double step = motion[1].time;
        const PaddleWaves waves = make_paddle_waves(paddle, g);
        const int order = paddle.absorption->order, count = static_cast<int>(motion.size());
        std::vector<MotionSample> samples = motion;
        if (tuned) {
            const auto elevations = waves.elevations(x, order, step, count);
            for (std::size_t i = 0; i < samples.size(); ++i) {
                samples[i].value = {elevations[i].value, 0, 0};
                samples[i].rate = {elevations[i].rate, 0, 0};
            }
        } else {
            const auto found = waves.progressive(x, order, step, count);
            for (std::size_t i = 0; i < samples.size(); ++i) {
                const auto& [elevation, slope, curvature] = found[i];
                samples[i].value = {elevation.value, slope.value, curvature.value};
                samples[i].rate = {elevation.rate, slope.rate, curvature.rate};
            }
        }
        return samples;
    }

    const Case& definition_;
    const ParticleSet& particles_;
    RunSetup& setup_;
};

} // namespace

void add_absorbers(const Case& definition, const ParticleSet& particles, RunSetup& setup) {
    AbsorberMaker maker(definition, particles, setup);
    for_each_absorbing(definition, [&](int object, const WavePaddle& paddle) { maker.add(object, paddle); });
}

double long_wave_reflection(const WavePaddle& paddle, double g, double gauge_x) {
    const OwnWaves waves(paddle, g, gauge_x);
    const std::complex<double> turned = std::polar(1.0, waves.phase), near(0, waves.near / waves.transfer);
    const double gain = std::sqrt(g / paddle.depth) * waves.transfer / waves.frequency;
    return std::abs(1.0 - gain * (turned + near)) / std::abs(1.0 + gain * (std::conj(turned) - near));
}

void lint_absorbers(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics) {
    std::size_t next = 0;
    for_each_absorbing(definition, [&](int, const WavePaddle& paddle) {
        const WaveAbsorber& made = setup.absorbers.at(next++);
        const SourceLocation& where = paddle.absorption->where;
        if (made.tuned()) return;
        if (paddle.absorption->response == AbsorptionResponse::tuned)
            diagnostics.push_back(
                {Diagnostic::Level::warning, where,
                 fmt::format("<awas_zsurf>: the gauge is {:g} m before the piston, more than a fifth of "
                             "the wave length: the piston absorbs by the form for long waves, which sends "
                             "more back; take a smaller gaugex (with valueh: a smaller spacing)",
                             made.gauge_x)});
        else
            diagnostics.push_back(
                {Diagnostic::Level::info, where,
                 fmt::format("<awas_zsurf>: of waves of the piston's own period {:.2g} % are sent back, by linear "
                             "theory; with <response value=\"tuned\"/> none are",
                             100 * long_wave_reflection(paddle, gravity_of(definition), made.gauge_x))});
    });
}

} // namespace sluice
