// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "model/motion.h"
#include "physics/effective_gravity.h"
#include "physics/forcing.h"
#include "physics/led_fluid.h"
#include "physics/relaxation.h"
#include "physics/sph/apparent_viscosity.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"
#include "physics/sph/renormalised_diffusion.h"
#include "physics/sph/shifting.h"
#include "physics/sph/sub_particle_stress.h"
#include "physics/sph/surface_tension.h"
#include "physics/sph/wall_extrapolation.h"
#include "scheme/absorption_step.h"
#include "scheme/body_motion.h"
#include "scheme/contact_time_step.h"
#include "scheme/integrators.h"
#include "scheme/outer_work.h"
#include "scheme/time_step_choice.h"
#include <array>
#include <cmath>
#include <vector>

// The reference that every backend is held against: plain O(N²) sums in double precision over the formulas of sph/,
// no cells, no symmetry, nothing clever. Slow, and plainly right.

namespace sluice::oracle {

/// Rates of all particles and what limits the time step.
struct Rates {
    std::vector<Vec3d> acceleration; ///< dv/dt; of boundary particles that of what pushes bodies, or of the fluid on
                                     ///< moving walls, else zero
    std::vector<double> density;     ///< dρ/dt
    std::vector<double> acceleration_scale, density_scale; ///< Σ |pair terms|: what rounding errors grow from
    std::vector<dem::Push> contact;                        ///< elastic contacts of bodies' particles, if there are any
    sph::TimeStepLimits limits;
};

/// The state in double precision, in the order of ids or any other.
struct State {
    std::vector<std::uint32_t> id;
    std::vector<Vec3d> position, velocity, velocity_previous;
    std::vector<double> density, density_previous;
    std::int64_t step = 0;
    double time = 0, dt = 0, dt_limit = 0;
    std::vector<BodyState> bodies = {};
    std::vector<AbsorberState> absorbers = {};
    std::vector<sph::Stress<double>> stress = {}; ///< of the sub-particle-scale model; empty without it
    std::vector<double> pressure_density = {};    ///< whose pressure acts (acoustic damper); empty: `density`
    std::vector<Vec3d> forced_velocity = {};      ///< that accelerated frames turn; empty: `velocity`
    /// Work on the fluid over the mass of a particle, as WorkCounts has it, J/kg.
    double damping_work = 0, relaxation_work = 0, acceleration_work = 0, shift_lift = 0, shift_compression = 0;
    double moving_walls_work = 0, bodies_work = 0;
};

inline State to_double(const ParticleState& s) {
    State d{s.id, s.position, {}, {}, {}, {}, s.step, s.time, s.dt, s.dt_limit, s.bodies, s.absorbers};
    for (std::size_t i = 0; i < s.size(); ++i) {
        d.velocity.push_back(vec_cast<double>(s.velocity[i]));
        d.velocity_previous.push_back(vec_cast<double>(s.velocity_previous[i]));
        d.density.push_back(s.density[i]);
        d.density_previous.push_back(s.density_previous[i]);
    }
    return d;
}

namespace detail {

/// Calls `use(b, r)` with every particle or image that is closer than the support radius to a place; r is the place as
/// seen from it. `itself`: a particle that is left out, but not its images.
template <class Use>
void for_each_near(const RunSetup& setup, const State& s, const Vec3d& place, double support2, const Use& use,
                   std::size_t itself = std::size_t(-1)) {
    const Period& period = setup.period;
    const auto shifts = [&](int axis) { return period.periodic[axis] ? 1 : 0; };
    for (int z = -shifts(2); z <= shifts(2); ++z)
        for (int y = -shifts(1); y <= shifts(1); ++y)
            for (int x = -shifts(0); x <= shifts(0); ++x) {
                const Vec3d image =
                    double(x) * period.shift[0] + double(y) * period.shift[1] + double(z) * period.shift[2];
                const bool at_home = x == 0 && y == 0 && z == 0;
                for (std::size_t b = 0; b < s.id.size(); ++b) {
                    if (b == itself && at_home) continue;
                    const Vec3d r = place - (s.position[b] + image);
                    if (dot(r, r) < support2) use(b, r);
                }
            }
}

/// The same of a particle.
template <class Use>
void for_each_neighbour(const RunSetup& setup, const State& s, std::size_t a, double support2, const Use& use) {
    for_each_near(setup, s, s.position[a], support2, use, a);
}

inline sph::PhasedSide<double> side_of(const RunSetup& setup, const State& s, std::size_t i) {
    const Vec3d& v = s.velocity[i];
    const std::uint32_t phase = setup.phase_of(s.id[i]);
    const sph::EquationOfState<double> eos(setup.fluids.empty() || phase == 0
                                               ? setup.constants
                                               : relative_constants(setup.constants, setup.fluids[phase - 1]));
    const double more = s.stress.empty() ? 0 : s.stress[i].pressure_term;
    const bool own = s.pressure_density.empty() || setup.is_extrapolated(s.id[i]);
    const double pressure_term = eos.pressure_term(s.density[i], own ? s.density[i] : s.pressure_density[i]);
    return {{v.x, v.y, v.z, s.density[i], pressure_term + more}, phase};
}

/// An operator's sums for fluid particle a; `side(b)`: what it reads of a particle.
template <class Op, class SideOf>
std::array<double, Op::sum_count> gathered(const RunSetup& setup, const State& s, std::size_t a, const SideOf& side) {
    using Constants = typename Op::template Constants<double>;
    const Constants fluid(setup.constants, sph::PairKind::fluid_fluid, sph::metre),
        boundary(setup.constants, sph::PairKind::fluid_boundary, sph::metre);
    double sums[Op::sum_count] = {};
    for_each_neighbour(setup, s, a, fluid.support2, [&](std::size_t b, const Vec3d& r) {
        const bool of_fluid = setup.groups.is_fluid(s.id[b]);
        if (of_fluid || Op::sees_boundary)
            Op::add(of_fluid ? fluid : boundary, r.x, r.y, r.z, dot(r, r), side(a), side(b), sums);
    });
    return std::to_array(sums);
}

/// The stresses of the sub-particle-scale model; zero for boundary particles.
template <class Kernel>
std::vector<sph::Stress<double>> stresses(const RunSetup& setup, const State& s) {
    std::vector<sph::Stress<double>> all(s.id.size(), sph::Stress<double>{});
    for (std::size_t a = 0; a < s.id.size(); ++a) {
        if (!setup.groups.is_fluid(s.id[a])) continue;
        const auto gradient = gathered<sph::VelocityGradient<Kernel>>(setup, s, a, [&](std::size_t b) {
            return sph::VelocityGradient<Kernel>::template read<double>(side_of(setup, s, b));
        });
        all[a] =
            setup.density_ratio_of(s.id[a]) * sph::sub_particle_stress(setup.constants, gradient.data(), s.density[a]);
    }
    return all;
}

/// Adds the stresses of surface tension to those that there are; returns the greatest pace of capillary waves.
template <class Kernel>
double add_surface_stresses(const RunSetup& setup, const State& s, std::vector<sph::Stress<double>>& all) {
    const sph::Constants& c = setup.constants;
    const sph::TensionShares shares = sph::tension_shares(c);
    double pace = 0;
    all.resize(s.id.size(), sph::Stress<double>{});
    for (std::size_t a = 0; a < s.id.size(); ++a) {
        if (!setup.groups.is_fluid(s.id[a])) continue;
        using Op = sph::ColourGradient<Kernel>;
        const auto sums = gathered<Op>(setup, s, a, [&](std::size_t b) {
            return typename Op::template Side<double>{s.density[b], double(setup.phase_of(s.id[b]))};
        });
        const std::size_t fluid = setup.groups.fluid_of(s.id[a]);
        const auto more = sph::surface_stress(c, shares, setup.fluids[fluid].tension, sums.data(), s.density[a]);
        sph::Stress<double>& stress = all[a];
        stress = {stress.xx + more.xx, stress.zz + more.zz, stress.xy + more.xy,
                  stress.xz + more.xz, stress.yz + more.yz, stress.pressure_term + more.pressure_term};
        pace = std::max(pace, sph::surface_pace(c, setup.fluids, fluid, sums.data()));
    }
    return pace;
}

/// What ViscousForce reads of every particle.
template <class Kernel>
std::vector<typename sph::ViscousForce<Kernel>::template Side<double>> viscous_sides(const RunSetup& setup,
                                                                                     const State& s) {
    std::vector<typename sph::ViscousForce<Kernel>::template Side<double>> all;
    for (std::size_t a = 0; a < s.id.size(); ++a) {
        const sph::Side<double> own = side_of(setup, s, a);
        all.push_back({own.vx, own.vy, own.vz, own.rho, 0});
        if (!setup.groups.is_fluid(s.id[a])) continue;
        const auto gradient = gathered<sph::VelocityGradient<Kernel>>(setup, s, a, [&](std::size_t b) {
            return sph::VelocityGradient<Kernel>::template read<double>(side_of(setup, s, b));
        });
        all.back().nu =
            sph::apparent_viscosity(setup.rheologies[setup.groups.fluid_of(s.id[a])],
                                    sph::rate_of_strain(gradient.data()), sph::greatest_rate(setup.constants));
    }
    return all;
}

/// Adds the density diffusion of renormalised gradients to the rates.
template <class Kernel>
void diffuse_densities(const RunSetup& setup, const State& s, Rates& out) {
    const sph::Constants& c = setup.constants;
    std::vector<sph::FlowSide<double>> sides(s.id.size());
    const auto is_fluid = [&](std::size_t i) { return setup.groups.is_fluid(s.id[i]); };
    for (std::size_t a = 0; a < s.id.size(); ++a) {
        if (!is_fluid(a)) continue;
        using Op = sph::DensityGradient<Kernel>;
        const auto sums =
            gathered<Op>(setup, s, a, [&](std::size_t b) { return typename Op::template Side<double>{s.density[b]}; });
        const Vec3d g = sph::renormalised_gradient(c.two_d, sums.data());
        sides[a] = {g.x, g.y, g.z, s.density[a]};
    }
    for (std::size_t a = 0; a < s.id.size(); ++a)
        if (is_fluid(a))
            out.density[a] +=
                gathered<sph::RenormalisedDiffusion<Kernel>>(setup, s, a, [&](std::size_t b) { return sides[b]; })[0];
}

/// What pair terms read of all particles.
inline std::vector<sph::PhasedSide<double>> all_sides(const RunSetup& setup, const State& s) {
    std::vector<sph::PhasedSide<double>> all;
    for (std::size_t i = 0; i < s.id.size(); ++i) all.push_back(side_of(setup, s, i));
    return all;
}

template <class F>
void add_fluid(const RunSetup& setup, const sph::Constants& c, const State& s,
               const std::vector<sph::PhasedSide<double>>& side, std::size_t a, Rates& out, double& viscous) {
    const sph::PairsOfRun<double> pairs(c, setup.fluids, sph::metre);
    const sph::PairConstants<double>&ff = pairs.fluid, &fb = pairs.wall;
    double diffusion = 0, diffusion_scale = 0;
    bool touches_boundary = false;
    for_each_neighbour(setup, s, a, ff.support2, [&](std::size_t b, const Vec3d& r) {
        const double r2 = dot(r, r);
        const bool boundary = !setup.groups.is_fluid(s.id[b]);
        touches_boundary |= boundary;
        const auto rates = boundary ? sph::pair_rates<typename F::AtWall>(fb, r.x, r.y, r.z, r2, side[a], side[b])
                                    : sph::pair_rates<F>(ff, r.x, r.y, r.z, r2, side[a], side[b]);
        const Vec3d friction = rates.friction * (s.velocity[a] - s.velocity[b]);
        out.acceleration[a] = out.acceleration[a] + rates.acceleration * r + friction;
        out.acceleration_scale[a] += std::abs(rates.acceleration) * std::sqrt(r2) + std::sqrt(dot(friction, friction));
        out.density[a] += rates.density_a;
        out.density_scale[a] += std::abs(rates.density_a);
        diffusion += rates.diffusion_a;
        diffusion_scale += std::abs(rates.diffusion_a);
        viscous = std::max(viscous, rates.viscous);
    });
    if (sph::keeps_diffusion(c.diffusion, touches_boundary)) {
        out.density[a] += diffusion;
        out.density_scale[a] += diffusion_scale;
    }
}

template <class F>
void add_boundary(const RunSetup& setup, const State& s, const std::vector<sph::PhasedSide<double>>& side,
                  std::size_t a, Rates& out) {
    const sph::PairsOfRun<double> pairs(setup.constants, setup.fluids, sph::metre);
    const sph::PairConstants<double>& bf = pairs.boundary;
    const sph::PairConstants<double> bb(setup.constants, sph::PairKind::boundary_boundary, sph::metre);
    const auto is_body = [&](std::int32_t object) { return object >= setup.motions.object_count(); };
    const std::int32_t object = setup.rigid.object_of(s.id[a]);
    for_each_neighbour(setup, s, a, bf.support2, [&](std::size_t b, const Vec3d& r) {
        const bool fluid = setup.groups.is_fluid(s.id[b]);
        const std::int32_t other = fluid ? RigidParticles::at_rest : setup.rigid.object_of(s.id[b]);
        const bool touches =
            setup.contact == BodyContact::pair_formula && other != object && (is_body(object) || is_body(other));
        if (!fluid && !touches) return;
        const Vec3d v = s.velocity[a] - s.velocity[b];
        const auto& constants = fluid ? bf : bb;
        const double rate =
            sph::with_continuity<typename F::Kernel>(setup.constants, [&]<class Continuity>(Continuity) {
                return Continuity::rate(constants, r.x, r.y, r.z, dot(r, r), side[a], side[b]);
            });
        out.density[a] += rate;
        out.density_scale[a] += std::abs(rate);
        if (object == RigidParticles::at_rest || (!is_body(object) && !fluid)) return;
        const auto rates = sph::pair_rates<typename F::AtWall>(constants, r.x, r.y, r.z, dot(r, r), side[a], side[b]);
        out.acceleration[a] = out.acceleration[a] + rates.acceleration * r + rates.friction * v;
    });
}

/// What elastic contacts do to particle a of a body.
inline dem::Push push_on(const RunSetup& setup, const State& s, std::size_t a) {
    const sph::Constants& c = setup.constants;
    const auto& parts = setup.contact_parts.parts;
    const auto& of_id = setup.contact_parts.of_id;
    const std::uint32_t part = of_id[s.id[a]];
    dem::Push sum;
    for_each_neighbour(setup, s, a, dem::reach * dem::reach * c.dp * c.dp, [&](std::size_t b, const Vec3d& r) {
        if (setup.groups.is_fluid(s.id[b]) || of_id[s.id[b]] == part) return;
        sum.add(dem::push_of(parts[part], parts[of_id[s.id[b]]], r, s.velocity[a] - s.velocity[b], c.dp,
                             dem::creep_speed(c)));
    });
    return sum;
}

/// Finds the elastic contacts of all bodies; returns the speed by which they limit the time step.
inline double add_contacts(const RunSetup& setup, const State& s, Rates& out) {
    const sph::Constants& c = setup.constants;
    out.contact.resize(s.id.size());
    std::vector<double> stiffness(setup.bodies.size());
    double speed = c.c0;
    for (std::size_t a = 0; a < s.id.size(); ++a) {
        const int body = setup.rigid.object_of(s.id[a]) - setup.motions.object_count();
        if (body < 0) continue;
        out.contact[a] = push_on(setup, s, a);
        stiffness[body] += out.contact[a].stiffness;
        speed = std::max(speed, dem::speed_of_contact(c, out.contact[a].pace));
    }
    for (std::size_t b = 0; b < setup.bodies.size(); ++b)
        speed = std::max(speed, dem::speed_of_springs(c, setup.bodies[b].mass, stiffness[b]));
    return speed;
}

} // namespace detail

/// How an object moves at the time of a state, as it takes part in an interaction: where a staggered step begins
/// (`forced_velocity` is there) a body has the velocities of half a step before.
inline RigidMotion motion_of_object(const RunSetup& setup, const State& s, std::int32_t object, double time) {
    const int body = object - setup.motions.object_count();
    if (body < 0) {
        MotionView motions = setup.motions.view();
        if (!s.absorbers.empty()) motions.absorbers = s.absorbers.data();
        return motion_at(motions, object, time);
    }
    const BodyState state = s.bodies.empty() ? initial_state(setup.bodies[body]) : s.bodies[body];
    return motion_at(setup.bodies[body], s.forced_velocity.empty() ? state : lagging(state), time);
}

/// Gives the boundary particles with normals what the fluid has at their ghost nodes. `gravity`: that water at rest
/// feels.
inline void extrapolate_to_walls(const RunSetup& setup, State& s, const Vec3d& gravity) {
    const sph::Constants& c = setup.constants;
    const sph::GhostNodeConstants<double> constants(c, sph::metre);
    sph::with_ghost_node(c, [&]<class Op>(Op) {
        struct Fluid {
            double vx, vy, vz, rho;
        };
        for (std::size_t i = 0; i < s.id.size(); ++i) {
            if (!setup.is_extrapolated(s.id[i])) continue;
            Vec3d normal = vec_cast<double>(setup.normals[s.id[i]]), velocity{};
            if (const std::int32_t object = setup.rigid.object_of(s.id[i]); object != RigidParticles::at_rest) {
                const RigidMotion motion = motion_of_object(setup, s, object, s.time);
                normal = motion.turned(normal);
                velocity = motion.velocity_at(motion.position_of(setup.rigid.start[s.id[i] - setup.rigid.begin]));
            }
            const Vec3d node = s.position[i] + 2.0 * normal;
            double sums[Op::sum_count] = {};
            detail::for_each_near(setup, s, node, constants.support2, [&](std::size_t b, const Vec3d& r) {
                if (!setup.groups.is_fluid(s.id[b])) return;
                const Vec3d& v = s.velocity[b];
                Op::add(constants, r.x, r.y, r.z, dot(r, r), Fluid{v.x, v.y, v.z, s.density[b]}, sums);
            });
            const bool balanced = c.wall_pressure == sph::WallPressure::balanced &&
                                  setup.rigid.object_of(s.id[i]) == RigidParticles::at_rest;
            const sph::WallFlow wall = sph::wall_flow(c, sums, normal, velocity, balanced ? &gravity : nullptr);
            s.density[i] = wall.density;
            s.velocity[i] = wall.velocity;
        }
    });
}

/// Gives the boundary particles with normals the velocities of their walls.
inline void take_wall_velocities(const RunSetup& setup, State& s) {
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        if (!setup.is_extrapolated(s.id[i])) continue;
        const std::int32_t object = setup.rigid.object_of(s.id[i]);
        s.velocity[i] = object == RigidParticles::at_rest
                            ? Vec3d{}
                            : motion_of_object(setup, s, object, s.time).velocity_at(s.position[i]);
    }
}

/// Rates of a state: every particle against every other. `pairs`: the constants of pairs in the step that it is in.
/// Of densities alone: walls are as they are.
inline Rates rates(const RunSetup& setup, State s, const sph::Constants& pairs,
                   sph::RatesPart part = sph::RatesPart::both) {
    part == sph::RatesPart::density ? take_wall_velocities(setup, s) : extrapolate_to_walls(setup, s, pairs.gravity);
    const sph::Constants& c = setup.constants;
    const sph::EquationOfState<double> eos(c);
    const std::size_t n = s.id.size();
    Rates out;
    out.acceleration.resize(n);
    out.density.resize(n);
    out.acceleration_scale.resize(n);
    out.density_scale.resize(n);
    std::vector<ForcedFrame> frames;
    for (const AccelerationInput& input : setup.forcing.inputs)
        frames.push_back(frame_at(input, setup.forcing.samples.data(), s.time));
    const auto forced = [&](std::size_t a) {
        return forced_acceleration(frames.data(), static_cast<int>(frames.size()), s.id[a], s.position[a],
                                   s.forced_velocity.empty() ? s.velocity[a] : s.forced_velocity[a]);
    };
    double force2 = 0, speed = 0, greatest_viscosity = 0, pace = 0;
    const bool tense = has_tension(setup.fluids);
    sph::with_formulation(c, [&]<class F>(F) {
        if (c.viscosity == sph::ViscosityModel::laminar_sps) s.stress = detail::stresses<typename F::Kernel>(setup, s);
        if (tense) pace = detail::add_surface_stresses<typename F::Kernel>(setup, s, s.stress);
        const std::vector<sph::PhasedSide<double>> sides = detail::all_sides(setup, s);
        std::vector<typename sph::ViscousForce<typename F::Kernel>::template Side<double>> viscous_sides;
        if (c.viscosity == sph::ViscosityModel::apparent)
            viscous_sides = detail::viscous_sides<typename F::Kernel>(setup, s);
        for (std::size_t a = 0; a < viscous_sides.size(); ++a) { // forces count the mass, too
            greatest_viscosity = std::max(greatest_viscosity, viscous_sides[a].nu);
            viscous_sides[a].nu *= setup.density_ratio_of(s.id[a]);
        }
        for (std::size_t a = 0; a < n; ++a) {
            if (!setup.groups.is_fluid(s.id[a])) {
                detail::add_boundary<F>(setup, s, sides, a, out);
                if (c.dt_all_particles) speed = std::max(speed, eos.sound_speed(s.density[a]));
                continue;
            }
            double viscous = 0;
            if (!s.stress.empty()) {
                const auto push = detail::gathered<sph::StressDivergence<typename F::Kernel>>(
                    setup, s, a, [&](std::size_t b) { return s.stress[b]; });
                out.acceleration[a] = out.acceleration[a] + Vec3d{push[0], push[1], push[2]};
            }
            if (!viscous_sides.empty()) {
                const auto push = detail::gathered<sph::ViscousForce<typename F::Kernel>>(
                    setup, s, a, [&](std::size_t b) { return viscous_sides[b]; });
                out.acceleration[a] = out.acceleration[a] + Vec3d{push[0], push[1], push[2]};
            }
            detail::add_fluid<F>(setup, pairs, s, sides, a, out, viscous);
            out.acceleration[a] = (1 / setup.density_ratio_of(s.id[a])) * out.acceleration[a] + c.gravity + forced(a);
            force2 = std::max(force2, dot(out.acceleration[a], out.acceleration[a]));
            const double sound =
                setup.fluids.empty() ? eos.sound_speed(s.density[a]) : fastest_constants(c, setup.fluids).c0;
            speed = std::max(speed, sound + viscous);
        }
    });
    if (c.diffusion == sph::DensityDiffusion::renormalised && part != sph::RatesPart::velocity)
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) { detail::diffuse_densities<Kernel>(setup, s, out); });
    if (setup.contact == BodyContact::elastic) speed = std::max(speed, detail::add_contacts(setup, s, out));
    out.limits = {static_cast<float>(force2), static_cast<float>(speed), static_cast<float>(greatest_viscosity),
                  static_cast<float>(pace)};
    return out;
}

/// Those of a state in which a step begins.
inline Rates rates(const RunSetup& setup, const State& s) { return rates(setup, s, pair_constants_at(setup, s.time)); }

/// Puts the particles of rigid objects where they are at `time`, with their velocities.
inline void place_rigid(const RunSetup& setup, State& s, double time) {
    const Vec3d size = setup.domain.max - setup.domain.min;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const std::int32_t object = setup.rigid.object_of(s.id[i]);
        if (object == RigidParticles::at_rest) continue;
        const RigidMotion motion = motion_of_object(setup, s, object, time);
        const Vec3d place = motion.position_of(setup.rigid.start[s.id[i] - setup.rigid.begin]);
        s.position[i] = setup.period.wrapped_from_afar(place, size);
        s.velocity[i] = motion.velocity_at(place);
    }
}

/// How far the particles are shifted at the end of a step of `dt`, from the state that its last rates were those of.
inline std::vector<Vec3d> shifts(const RunSetup& setup, const State& s, double dt) {
    const sph::Constants& c = setup.constants;
    std::vector<Vec3d> all(s.id.size());
    if (c.shifting == sph::Shifting::none) return all;
    sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
        sph::with_crowding<Kernel>(c.shifting, [&]<class Op>(Op) {
            for (std::size_t a = 0; a < s.id.size(); ++a) {
                if (!setup.groups.is_fluid(s.id[a])) continue;
                if (!sph::shifts_at(setup.shift_zones.data(), static_cast<int>(setup.shift_zones.size()),
                                    s.position[a]))
                    continue;
                const auto sums = detail::gathered<Op>(setup, s, a, [&](std::size_t b) {
                    const bool rests = setup.rigid.object_of(s.id[b]) == RigidParticles::at_rest;
                    return typename Op::template Side<double>{s.density[b],
                                                              sph::holds_fluid(c.shifting, rests) ? 1.0 : 0.0};
                });
                all[a] = sph::shift_of<double>(c, sums.data(), s.velocity[a], dt);
            }
        });
    });
    return all;
}

/// Adds what these shifts do to the densities in a step of `dt` to the rates.
inline void follow_shifts(const RunSetup& setup, State& s, const std::vector<Vec3d>& shifts, double dt, Rates& rates) {
    for (const Vec3d& shift : shifts) s.shift_lift -= dot(setup.constants.gravity, shift);
    if (!setup.constants.shift_follows) return;
    sph::with_kernel(setup.constants.kernel, [&]<class Kernel>(Kernel) {
        using Op = sph::ShiftConvergence<Kernel>;
        for (std::size_t a = 0; a < s.id.size(); ++a) {
            if (!setup.groups.is_fluid(s.id[a])) continue;
            const auto sums = detail::gathered<Op>(setup, s, a, [&](std::size_t b) {
                return typename Op::template Side<double>{shifts[b].x, shifts[b].y, shifts[b].z, s.density[b]};
            });
            const double rate = sph::shift_density_rate(sums[0], s.density[a], dt);
            rates.density[a] += rate;
            const sph::EquationOfState<double> eos(setup.constants);
            s.shift_compression += eos.pressure(s.density[a]) / (s.density[a] * s.density[a]) * rate * dt;
        }
    });
}

/// What acts on every body.
inline std::vector<BodyLoads> body_loads(const RunSetup& setup, const State& s, const Rates& rates) {
    std::vector<BodyLoads> loads(setup.bodies.size());
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        const int body = setup.rigid.object_of(s.id[i]) - setup.motions.object_count();
        if (body < 0) continue;
        const Vec3d force = setup.constants.mass_bound * rates.acceleration[i];
        const Vec3d place =
            motion_of(setup.bodies[body], s.bodies[body]).position_of(setup.rigid.start[s.id[i] - setup.rigid.begin]);
        const Vec3d arm = place - s.bodies[body].centre;
        loads[body].fluid = loads[body].fluid + BodyLoad{force, cross(arm, force)};
        if (rates.contact.empty()) continue;
        const dem::Push& push = rates.contact[i];
        loads[body].contact = loads[body].contact + BodyLoad{push.force, cross(arm, push.force) + push.couple};
        loads[body].stiffness += push.stiffness;
    }
    return loads;
}

/// Adds the work from outside over a step from `before`, with the rates of `at`, whose bodies `s` has at its end; of a
/// staggered step at its middle.
inline void add_outer_work(const RunSetup& setup, State& s, const State& before, const State& at, const Rates& rates,
                           double dt) {
    const sph::Constants& c = setup.constants;
    double walls = 0, bodies = 0;
    for (std::size_t i = 0; i < at.id.size(); ++i) {
        const std::int32_t object = setup.rigid.object_of(at.id[i]);
        if (object == RigidParticles::at_rest || object >= setup.motions.object_count()) continue;
        if (before.step % wall_sampling_interval != 0) continue;
        // a wall from ghost nodes has the velocity that it mirrors; others have that of the pair terms
        const Vec3d velocity = setup.is_extrapolated(at.id[i])
                                   ? motion_of_object(setup, at, object, at.time).velocity_at(at.position[i])
                                   : at.velocity[i];
        walls -= wall_sampling_interval * dt * c.mass_bound * dot(velocity, rates.acceleration[i]);
    }
    const std::vector<BodyLoads> loads = body_loads(setup, at, rates);
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
        if (is_driven(setup.bodies[b]))
            bodies += work_in_step(c.integrator == sph::Integrator::staggered ? BodyStage::kick : BodyStage::symplectic,
                                   setup.bodies[b], before.bodies[b], s.bodies[b], loads[b],
                                   {c.gravity, setup.body_series.data()}, before.time, dt, before.dt);
    s.moving_walls_work += walls / c.mass_fluid;
    s.bodies_work += bodies / c.mass_fluid;
}

/// Brings the bodies of a state `dt` on from where they are in `from`, with the rates of `at`. In a drift they are at
/// the middle of the step in `from`, whose time is that of the begin.
inline void advance_bodies(const RunSetup& setup, State& s, const State& from, const State& at, const Rates& rates,
                           double dt, BodyStage stage) {
    const std::vector<BodyLoads> loads = body_loads(setup, at, rates);
    const BodyDrive drive{setup.constants.gravity, setup.body_series.data()};
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
        s.bodies[b] = after_stage(stage, setup.bodies[b], from.bodies[b], loads[b], drive, from.time, dt, from.dt);
}

/// Looks at the gauges before pistons that absorb waves.
inline void absorb_waves(const RunSetup& setup, State& s) {
    const sph::Constants& c = setup.constants;
    s.absorbers.resize(setup.absorbers.size());
    for (std::size_t k = 0; k < s.absorbers.size(); ++k) {
        const WaveAbsorber& absorber = setup.absorbers[k];
        const sph::CheckPoints points = sph::gauge_points(absorber);
        const auto fraction = [&]<class Kernel>(Kernel, int n) {
            Vec3d place = gauge_foot(absorber, setup.motions.samples.data(), s.absorbers[k], s.time);
            place.z += points.at(n);
            double sum = 0;
            detail::for_each_near(setup, s, place, 4 * c.h * c.h, [&](std::size_t b, const Vec3d& r) {
                if (setup.groups.is_fluid(s.id[b]))
                    sum += sph::fluid_fraction<Kernel>(c.mass_fluid * Kernel::normalisation(c.h, c.two_d), s.density[b],
                                                       dot(r, r), c.h);
            });
            return sum;
        };
        const double surface = sph::with_kernel(c.kernel, [&](auto kernel) {
            return sph::find_surface(points, absorber.limit, [&](int n) { return fraction(kernel, n); });
        });
        s.absorbers[k] = absorbed(absorber, setup.motions.samples.data(), s.absorbers[k], surface, s.time);
    }
}

/// What damping and relaxation zones make of the velocities of the fluid at the end of a step, and the work on it.
inline void relax(const RunSetup& setup, State& s, const LevelStep& step) {
    const Forcing& f = setup.forcing;
    const RelaxationView view{f.relaxation.data(), f.relaxation_waves.data(), f.relaxation_speeds.data(),
                              static_cast<int>(f.relaxation.size()), view_of(f.relaxation_tables)};
    std::vector<ForcedFrame> frames;
    for (const AccelerationInput& input : f.inputs) frames.push_back(frame_at(input, f.samples.data(), step.time));
    const auto energy = [](const Vec3d& v) { return 0.5 * dot(v, v); };
    for (std::size_t i = 0; i < s.id.size(); ++i) {
        if (!setup.groups.is_fluid(s.id[i])) continue;
        const Vec3d& place = s.position[i];
        Vec3d v = s.velocity[i];
        for (const DampingZone& zone : f.damping) v = damped(zone, place, v, step);
        s.damping_work += (energy(v) - energy(s.velocity[i])) / step.steps;
        s.velocity[i] = relaxed(view, place, v, step);
        s.relaxation_work += (energy(s.velocity[i]) - energy(v)) / step.steps;
        if (setup.constants.integrator == sph::Integrator::staggered) {
            for (const DampingZone& zone : f.damping)
                s.velocity_previous[i] = damped(zone, place, s.velocity_previous[i], step);
            s.velocity_previous[i] = relaxed(view, place, s.velocity_previous[i], step);
        }
        const Vec3d a =
            forced_acceleration(frames.data(), static_cast<int>(frames.size()), s.id[i], place, s.velocity[i]);
        s.acceleration_work += step.dt * dot(a, s.velocity[i]);
    }
}

/// One step, without exclusion, with the variable time step.
inline void step(const RunSetup& setup, State& s) {
    if (!setup.viscosity.empty()) { // that of the step's begin all through it
        RunSetup now = setup;
        now.constants = setup.constants_at(s.time);
        now.viscosity.clear();
        return step(now, s);
    }
    const sph::Constants& c = setup.constants;
    absorb_waves(setup, s);
    if (c.integrator == sph::Integrator::staggered) { // what is half a step behind interacts
        s.forced_velocity = s.velocity;
        for (std::size_t i = 0; i < s.id.size(); ++i)
            if (setup.groups.is_fluid(s.id[i]))
                s.velocity[i] = s.velocity_previous[i];
            else if (const auto object = setup.rigid.object_of(s.id[i]); object >= setup.motions.object_count())
                s.velocity[i] = motion_of_object(setup, s, object, s.time)
                                    .velocity_of(setup.rigid.start[s.id[i] - setup.rigid.begin]);
    }
    const sph::Constants pairs = pair_constants_at(setup, s.time); // all through the step
    extrapolate_to_walls(setup, s, pairs.gravity);
    Rates now = rates(setup, s, pairs);
    const double dt = sph::choose_time_step(c, now.limits, s.step, s.dt_limit).dt;
    const auto fluid_rates = [](const Rates& r, std::size_t i) {
        return sph::Rates<double>{r.acceleration[i], r.density[i]};
    };
    const Vec3d size = setup.domain.max - setup.domain.min;
    const auto moved = [&](const Vec3d& from, const Vec3d& by) { return setup.period.wrapped(from + by, size); };
    const std::size_t n = s.id.size();
    if (s.bodies.empty())
        for (const Body& body : setup.bodies) s.bodies.push_back(initial_state(body));
    const State before = s;
    if (c.integrator == sph::Integrator::verlet) {
        const bool euler = sph::is_euler_step(s.step, c.verlet_steps);
        const std::vector<Vec3d> shift = shifts(setup, s, dt);
        follow_shifts(setup, s, shift, dt, now);
        for (std::size_t i = 0; i < n; ++i) {
            auto next = euler ? sph::verlet_euler_step(s.velocity[i], s.density[i], fluid_rates(now, i), dt)
                              : sph::verlet_step(s.velocity[i], s.velocity_previous[i], s.density_previous[i],
                                                 fluid_rates(now, i), dt);
            s.density_previous[i] = s.density[i];
            if (setup.is_extrapolated(s.id[i])) continue;
            if (!setup.groups.is_fluid(s.id[i])) {
                s.density[i] = sph::boundary_density(next.density, c.rho0);
                continue;
            }
            s.position[i] = moved(s.position[i], next.displacement + shift[i]);
            s.velocity_previous[i] = s.velocity[i];
            s.velocity[i] = next.velocity;
            s.density[i] = next.density;
        }
        advance_bodies(setup, s, before, before, now, dt, euler ? BodyStage::verlet_euler : BodyStage::verlet_leap);
        add_outer_work(setup, s, before, before, now, dt);
        place_rigid(setup, s, s.time + dt);
    } else if (c.integrator == sph::Integrator::staggered) {
        s.forced_velocity.clear();
        add_outer_work(setup, s, before, before, now, dt);
        State half = s;
        advance_bodies(setup, half, before, before, now, 0.5 * dt, BodyStage::kick);
        half.time += 0.5 * dt;
        std::vector<sph::Kick<double>> kicks(n);
        for (std::size_t i = 0; i < n; ++i) {
            if (!setup.groups.is_fluid(s.id[i])) continue;
            kicks[i] = sph::staggered_kick(s.velocity[i], now.acceleration[i], s.dt, dt);
            half.position[i] = moved(s.position[i], kicks[i].displacement);
            half.velocity[i] = kicks[i].velocity;
        }
        place_rigid(setup, half, half.time);
        Rates middle = rates(setup, half, pairs, sph::RatesPart::density);
        const std::vector<Vec3d> shift = shifts(setup, half, dt);
        follow_shifts(setup, half, shift, dt, middle);
        s.shift_lift = half.shift_lift;
        s.shift_compression = half.shift_compression;
        for (std::size_t i = 0; i < n; ++i) {
            if (setup.is_extrapolated(s.id[i])) continue;
            const double density = sph::staggered_density(c.pressure_form, s.density[i], middle.density[i], dt);
            s.density[i] = setup.groups.is_fluid(s.id[i]) ? density : sph::boundary_density(density, c.rho0);
            if (!setup.groups.is_fluid(s.id[i])) continue;
            s.position[i] = moved(half.position[i], kicks[i].displacement + shift[i]);
            s.velocity_previous[i] = kicks[i].velocity;
            s.velocity[i] = kicks[i].end_velocity;
        }
        State from = before;
        from.bodies = half.bodies;
        advance_bodies(setup, s, from, before, now, dt, BodyStage::drift);
        place_rigid(setup, s, s.time + dt);
        s.dt_limit = sph::longest_growth * dt;
    } else {
        State half = s;
        half.time += 0.5 * dt;
        for (std::size_t i = 0; i < n; ++i) {
            if (setup.is_extrapolated(s.id[i])) continue;
            const auto next = sph::symplectic_predictor(s.velocity[i], s.density[i], fluid_rates(now, i), dt);
            if (!setup.groups.is_fluid(s.id[i])) {
                half.density[i] = sph::boundary_density(next.density, c.rho0);
                continue;
            }
            half.position[i] = moved(s.position[i], next.displacement);
            half.velocity[i] = next.velocity;
            half.density[i] = next.density;
        }
        advance_bodies(setup, half, before, before, now, 0.5 * dt, BodyStage::symplectic);
        place_rigid(setup, half, half.time);
        extrapolate_to_walls(setup, half, pairs.gravity);
        const double lead = sph::acoustic_lead(c, dt);
        for (std::size_t i = 0; i < n; ++i)
            half.pressure_density.push_back(sph::damped_density(s.density[i], half.density[i], lead));
        Rates middle = rates(setup, half, pairs);
        const std::vector<Vec3d> shift = shifts(setup, half, dt);
        follow_shifts(setup, half, shift, dt, middle);
        s.shift_lift = half.shift_lift;
        s.shift_compression = half.shift_compression;
        for (std::size_t i = 0; i < n; ++i) {
            if (setup.is_extrapolated(s.id[i])) {
                s.density[i] = half.density[i];
                s.velocity[i] = half.velocity[i];
                continue;
            }
            if (!setup.groups.is_fluid(s.id[i])) {
                s.density[i] = sph::boundary_density(
                    sph::symplectic_density(s.density[i], half.density[i], middle.density[i], dt), c.rho0);
                continue;
            }
            const auto next =
                sph::symplectic_corrector(s.velocity[i], s.density[i], half.density[i], fluid_rates(middle, i), dt);
            s.position[i] = moved(s.position[i], next.displacement + shift[i]);
            s.velocity[i] = next.velocity;
            s.density[i] = next.density;
        }
        advance_bodies(setup, s, before, half, middle, dt, BodyStage::symplectic);
        add_outer_work(setup, s, before, half, middle, dt);
        place_rigid(setup, s, s.time + dt);
        s.dt_limit = sph::time_step(c, middle.limits);
    }
    s.dt = dt;
    s.time += dt;
    relax(setup, s, {s.time, dt, sph::level_steps(c, s.step)});
    ++s.step;
}

} // namespace sluice::oracle
