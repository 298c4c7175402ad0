// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "physics/sph/pair_rates.h"
#include "scheme/time_step.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

// Which steps a run bears, by von Neumann's analysis: small waves of density and velocity on a lattice of particles at
// rest, each mode by itself. Over a step of Δt a mode has
//
//   sound        s = ω Δt, with which density and velocity change into one another,
//   diffusion    D, the part of the density that density diffusion takes,
//   viscosity    V, the part of the velocity that viscosity takes,
//
// so that with the rates A = ((−D, −s), (s, −V)) of y = (density, velocity):
//
//   Verlet       y⁺ = y⁻ + 2 A y, and every `verlet_steps`-th step y⁺ = y + A y (A.7b), which forgets y⁻
//   symplectic   y⁺ = y + A (y + ½ A y)
//   staggered    v⁺ = v + s ρ − V v, then ρ⁺ = ρ − s v⁺ − D ρ: stable where s² ≤ (2 − D)(2 − V)
//
// What leaps has a second, parasitic root, which dissipation lets grow and an Euler step takes away; an Euler step lets
// sound grow by √(1 + s²).

namespace sluice::sph {

/// s, D and V of a mode.
struct ModeNumbers {
    double sound = 0, diffusion = 0, viscosity = 0;
};

namespace detail {

/// A linear map of (density, velocity).
struct ModeMap {
    double a = 1, b = 0, c = 0, d = 1; ///< rows (a, b), (c, d)

    /// The greatest modulus of its eigenvalues.
    double radius() const {
        const double half_trace = 0.5 * (a + d), determinant = a * d - b * c;
        const double inside = half_trace * half_trace - determinant;
        return inside < 0 ? std::sqrt(determinant) : std::abs(half_trace) + std::sqrt(inside);
    }
};
inline ModeMap product(const ModeMap& l, const ModeMap& r) {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
}
/// l + scale·r
inline ModeMap sum(const ModeMap& l, double scale, const ModeMap& r) {
    return {l.a + scale * r.a, l.b + scale * r.b, l.c + scale * r.c, l.d + scale * r.d};
}

} // namespace detail

/// The factor by which a mode grows in a step, at most; below 1 it dies out.
inline double growth_per_step(Integrator integrator, int verlet_steps, const ModeNumbers& m) {
    using namespace detail;
    const ModeMap one, rates{-m.diffusion, -m.sound, m.sound, -m.viscosity};
    if (integrator == Integrator::symplectic) return sum(one, 1, product(rates, sum(one, 0.5, rates))).radius();
    if (integrator == Integrator::staggered) {
        const ModeMap kick{1, 0, m.sound, 1 - m.viscosity}, drift{1 - m.diffusion, -m.sound, 0, 1};
        return product(drift, kick).radius();
    }
    ModeMap before = one, now = sum(one, 1, rates);
    for (int step = 1; step < verlet_steps; ++step) {
        const ModeMap next = sum(before, 2, product(rates, now));
        before = now;
        now = next;
        const double size = std::abs(now.a) + std::abs(now.b) + std::abs(now.c) + std::abs(now.d);
        if (size > 1e100) return size; // so unstable that the root of the whole cycle adds nothing
    }
    return std::pow(now.radius(), 1.0 / verlet_steps);
}

/// How long the steps of a run are, over h/c0, where nothing but sound and viscosity limits them.
inline double courant_number(const Constants& c) {
    if (c.dt_fixed > 0) return c.dt_fixed * c.c0 / c.h;
    return c.nu > 0 ? std::min(c.cfl, viscous_time_step(c) * c.c0 / c.h) : c.cfl;
}

/// Artificial viscosity acts on pairs that approach: half of those of a wave. Of a mode that changes its sign in every
/// step more do at times: an α of 1 at VerletSteps 20 and cflnumber 0.2 blew a still tank up, which 0.6 predicts and a
/// half does not.
inline constexpr double least_approaching = 0.5, most_approaching = 0.6;

/// The modes of a lattice with the spacing and the smoothing length of a run, along its sides and diagonals, for steps
/// of h/c0. Each twice: with the least that viscosity may do, and with the most, at walls.
inline std::vector<ModeNumbers> modes_of_lattice(const Constants& c) {
    struct Neighbour {
        std::array<double, 3> r; ///< over dp
        double weight;           ///< V |F|, of a volume V, 1/m²
    };
    const PairConstants<double> pair(c, PairKind::fluid_fluid, metre);
    const double ratio = c.h / c.dp;
    const int reach = int(2 * ratio), reach_z = c.two_d ? 0 : reach;
    std::vector<Neighbour> neighbours;
    for (int x = -reach; x <= reach; ++x)
        for (int y = -reach; y <= reach; ++y)
            for (int z = -reach_z; z <= reach_z; ++z) {
                const double r2 = double(x * x + y * y + z * z) * c.dp * c.dp;
                if (r2 == 0 || r2 >= pair.support2) continue;
                const double mass_gradient =
                    with_kernel(c.kernel, [&]<class K>(K) { return gradient_factor<K>(pair, r2); });
                neighbours.push_back({{double(x), double(y), double(z)}, -mass_gradient / c.rho0});
            }
    const double wall_factor = std::max(1.0, c.boundary_viscosity_factor), per_step = c.h / c.c0;
    const bool is_artificial = c.viscosity == ViscosityModel::artificial;
    constexpr int parts = 12; // of the shortest wave number along each direction
    std::vector<ModeNumbers> modes;
    for (const std::array<double, 3>& direction : {std::array{1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {1.0, 1.0, 1.0}}) {
        if (c.two_d && direction[2] != 0) continue;
        const double length = std::sqrt(direction[0] + direction[1] + direction[2]);
        for (int part = 1; part <= parts; ++part) {
            double gradient = 0, moment = 0, diffusion = 0, linear = 0, artificial = 0, laminar = 0, central = 0;
            for (const Neighbour& n : neighbours) {
                const double along = n.r[0] * direction[0] + n.r[1] * direction[1] + n.r[2] * direction[2];
                const double phase = std::numbers::pi * part / parts * along;
                const double r2 = (n.r[0] * n.r[0] + n.r[1] * n.r[1] + n.r[2] * n.r[2]) * c.dp * c.dp;
                const double to_wave = along / length * c.dp, parted = n.weight * (1 - std::cos(phase));
                gradient += n.weight * to_wave * std::sin(phase);
                moment += n.weight * to_wave * to_wave;
                diffusion += parted * r2 / (r2 + c.eta2);
                linear += 0.5 * n.weight * to_wave * std::sin(phase) * r2 / (r2 + c.eta2);
                artificial += parted * to_wave * to_wave / (r2 + c.eta2);
                laminar += parted;
                central += parted * to_wave * to_wave / r2;
            }
            ModeNumbers mode, at_walls;
            mode.sound = c.h * std::abs(gradient);
            if (c.diffusion == DensityDiffusion::renormalised)
                diffusion -= gradient / moment * linear; // ½(g_a + g_b)·r
            if (c.diffusion != DensityDiffusion::none) mode.diffusion = 2 * c.delta * c.h * c.h * diffusion;
            double viscosity;
            if (is_artificial)
                viscosity = c.alpha * c.h * c.h * artificial;
            else if (c.viscosity == ViscosityModel::laminar_central)
                viscosity = 2 * (c.two_d ? 4 : 5) * c.nu * central * per_step;
            else
                viscosity = 2 * c.nu * laminar * per_step;
            at_walls = mode;
            mode.viscosity = (is_artificial ? least_approaching : 1) * viscosity;
            at_walls.viscosity = (is_artificial ? most_approaching : 1) * wall_factor * viscosity;
            modes.push_back(mode);
            modes.push_back(at_walls);
        }
    }
    return modes;
}

/// Which term makes a mode grow.
enum class Growing { nothing, sound, densities, velocities };

/// How fast the fastest mode of a run grows.
struct Growth {
    double rate = 0;                 ///< logarithm of its growth, per step
    Growing what = Growing::nothing; ///< what would have to be less
};

/// `modes`: of steps of h/c0; `courant`: how long the run's are.
inline Growth fastest_growth(Integrator integrator, int verlet_steps, const std::vector<ModeNumbers>& modes,
                             double courant) {
    Growth fastest;
    ModeNumbers worst;
    const auto rate_of = [&](const ModeNumbers& m) { return std::log(growth_per_step(integrator, verlet_steps, m)); };
    for (const ModeNumbers& mode : modes) {
        const ModeNumbers m{courant * mode.sound, courant * mode.diffusion, courant * mode.viscosity};
        const double rate = rate_of(m);
        if (!(rate <= fastest.rate)) fastest.rate = rate, worst = m;
    }
    if (fastest.rate == 0) return fastest;
    // what helps most where it is left out; sound alone grows without dissipation
    const double without_diffusion = rate_of({worst.sound, 0, worst.viscosity}),
                 without_viscosity = rate_of({worst.sound, worst.diffusion, 0});
    fastest.what = std::min(without_diffusion, without_viscosity) > 0.5 * fastest.rate ? Growing::sound
                   : without_diffusion < without_viscosity                             ? Growing::densities
                                                                                       : Growing::velocities;
    return fastest;
}

/// The longest staggered steps that a run is to take, over h/c0: about half of what linear theory bears, and no more
/// than impacts were tried with. A whole number of hundredths, so that it is the same on every machine.
inline double wise_staggered_courant(const Constants& c) {
    const std::vector<ModeNumbers> modes = modes_of_lattice(c);
    double stable = 0, unstable = 2;
    for (int halving = 0; halving < 30; ++halving) {
        const double middle = 0.5 * (stable + unstable);
        (fastest_growth(Integrator::staggered, 1, modes, middle).rate > 1e-9 ? unstable : stable) = middle;
    }
    return 0.01 * std::floor(100 * std::min(0.8, 0.55 * stable) + 1e-6);
}

} // namespace sluice::sph
