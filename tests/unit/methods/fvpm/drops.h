// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/solver.h"
#include "methods/fvpm/volumes.h"
#include "unit/methods/fvpm/spheres.h"
#include <cmath>
#include <gtest/gtest.h>

// Drops for solvers of any device, and how the tests compare and sum them up.

namespace sluice::fvpm::test {

inline FvpmConstants drop_constants(int dimensions = 3) {
    FvpmConstants c;
    c.dimensions = dimensions;
    c.sound_speed = 20;
    c.viscosity = 0.3;
    return c;
}

/// A drop that deforms: uneven places, volumes and velocities.
inline Particles drop(int n, int dimensions, double noise = 0.1, double radius = 1) {
    Particles p = lattice(n, radius, noise, dimensions);
    p.volume = exact_volumes(p, all_pairs(p), dimensions);
    for (std::size_t i = 0; i < p.size(); ++i) {
        p.mass[i] = 1000 * p.volume[i] * (1 + 0.003 * std::sin(5.0 * double(i)));
        const Vec3d x = p.position[i];
        p.velocity[i] = {std::sin(x.z), dimensions == 3 ? std::cos(x.x) : 0, 0.5 * std::sin(x.x + x.y)};
    }
    return p;
}

/// The same, in which every seventh particle is a wall or an inlet.
inline Particles drop_of_all_kinds(int n, int dimensions, double radius = 1) {
    Particles p = drop(n, dimensions, 0.1, radius);
    for (std::size_t i = 0; i < p.size(); i += 7) p.kind[i] = i % 2 == 0 ? Kind::wall : Kind::inlet;
    return p;
}

struct Totals {
    double mass = 0;
    Vec3d momentum;
};

inline Totals totals(const Particles& p) {
    Totals t;
    for (std::size_t i = 0; i < p.size(); ++i) {
        t.mass += p.mass[i];
        t.momentum = t.momentum + p.mass[i] * p.velocity[i];
    }
    return t;
}

/// The particles by ascending id.
inline Particles by_id(const Particles& p) {
    std::vector<std::uint32_t> places(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) places[p.id[i]] = static_cast<std::uint32_t>(i);
    return reordered(p, places);
}

/// The drop by ascending id after some steps of a solver.
inline Particles after(Solver& solver, const Particles& p, int steps) {
    solver.set_particles(p);
    solver.advance(1e9, steps);
    return by_id(solver.particles());
}

inline void expect_near(const Particles& a, const Particles& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_NEAR(norm(a.position[i] - b.position[i]), 0, tolerance) << i;
        ASSERT_NEAR(norm(a.velocity[i] - b.velocity[i]), 0, tolerance) << i;
        ASSERT_NEAR(a.mass[i], b.mass[i], 1000 * tolerance) << i;
        ASSERT_NEAR(a.volume[i], b.volume[i], tolerance) << i;
    }
}

} // namespace sluice::fvpm::test
