// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "structure/solver.h"
#include <cmath>
#include <vector>

namespace sluice::validation {

/// A beam along x in the plane x–z, with the clamp that holds it.
struct Beam {
    StructureParticles particles;
    solid::LagrangianConstants constants;
    std::uint32_t tip = 0; ///< the flexible particle at the middle of the free end

    StructureSolver solver() const { return {particles, constants}; }
    /// Where clamps stay.
    auto held() const {
        return [this](std::uint32_t i) { return particles.start[i]; };
    }
};

/// A beam whose middle lies at z = 0 and whose last particles lie at x = `end` (m), `layers` thick, an odd number.
/// `is_clamp(p)`: whether a place of the lattice belongs to the clamp, which reaches `clamp_reach` (m) from the origin.
template <class IsClamp>
Beam make_beam(const ElasticMaterial& material, double dp, double end, int layers, double clamp_reach,
               IsClamp&& is_clamp) {
    Beam beam;
    beam.particles.material = material;
    std::vector<Vec3d> clamp;
    const long last = std::lround(end / dp), half = layers / 2, reach = std::lround(clamp_reach / dp);
    for (long i = -reach; i <= last; ++i)
        for (long k = -std::max(half, reach); k <= std::max(half, reach); ++k) {
            const Vec3d place{double(i) * dp, 0, double(k) * dp};
            if (is_clamp(place)) {
                clamp.push_back(place);
            } else if (i > 0 && std::abs(k) <= half) {
                if (i == last && k == 0) beam.tip = static_cast<std::uint32_t>(beam.particles.start.size());
                beam.particles.start.push_back(place);
            }
        }
    beam.particles.flexible = static_cast<std::uint32_t>(beam.particles.start.size());
    beam.particles.start.insert(beam.particles.start.end(), clamp.begin(), clamp.end());
    beam.constants = {sph::KernelType::wendland, 1.2 * std::sqrt(2.0) * dp, dp, true};
    return beam;
}

/// The bar of Turek & Hron (2006): 0.35 m long and 0.02 m thick behind a cylinder of radius 0.05 m, from whose centre
/// its end is 0.4 m. The outer particles lie on its surfaces, and the cylinder is made of the places of the lattice
/// that are nearest to it or within. h is 1.3 √2 dp, as with the recommended scheme.
inline Beam turek_beam(double young, double damping, double dp) {
    const ElasticMaterial material{1000, young, 0.4, 0.1, damping, StressState::plane_strain};
    Beam beam = make_beam(material, dp, 0.4, static_cast<int>(std::lround(0.02 / dp)) + 1, 0.05 + dp,
                          [&](const Vec3d& p) { return norm(p) <= 0.05 + 0.5 * dp + 1e-9; });
    beam.constants.h = 1.3 * std::sqrt(2.0) * dp;
    return beam;
}

/// The frequency (Hz) at which a cantilever whose clamp ends at x = 0 swings after a small push in the shape of its
/// first mode: half a period lies between the times at which the tip passes the middle.
inline double swing_frequency(const Beam& beam, double length, double expected) {
    StructureSolver solver = beam.solver();
    StructureState state = solver.state();
    constexpr double k = 1.8751040687, ratio = 0.7340955138; // of the first mode (Rayleigh, Theory of Sound, § 172)
    for (std::size_t i = 0; i < state.position.size(); ++i) {
        const double s = k * state.position[i].x / length;
        state.velocity[i].z = 1e-3 * 0.5 * (std::cosh(s) - std::cos(s) - ratio * (std::sinh(s) - std::sin(s)));
    }
    solver.set_state(state, beam.held());
    const std::vector<Vec3d> nothing(state.position.size());
    const double interval = 0.005 / expected;
    const int steps = static_cast<int>(std::ceil(interval / solver.longest_step(0.4)));
    double before = 0, first = 0;
    for (int n = 1; n < 1000; ++n) {
        solver.advance(interval, steps, nothing, beam.held());
        const double now = solver.positions()[beam.tip].z;
        if (before != 0 && (before > 0) != (now > 0)) {
            const double time = interval * (n - now / (now - before)); // where the straight line between passes 0
            if (first != 0) return 0.5 / (time - first);
            first = time;
        }
        before = now;
    }
    return 0;
}

} // namespace sluice::validation
