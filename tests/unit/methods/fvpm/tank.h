// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/backend.h"
#include "methods/fvpm/run_state.h"
#include "model/derive.h"
#include "model/particle_state.h"
#include "model/run_setup.h"
#include "physics/sph/equation_of_state.h"
#include <cmath>
#include <limits>
#include <utility>

namespace sluice::test {

/// A run with finite volume particles and its begin.
struct FvpmRun {
    RunSetup setup;
    ParticleState state;
};

/// Water, `wide` × `high` particles of spacing `dp` (in 3-D `wide` × `wide` × `high`), with the pressure of still water
/// in a tank of two layers of walls that is open at the top; `walls` false: a free block without walls and gravity.
inline FvpmRun make_tank(int dimensions, int wide, int high, double dp, bool walls = true) {
    FvpmRun run;
    sph::Constants& c = run.setup.constants;
    run.setup.method = Method::fvpm;
    c.two_d = dimensions == 2;
    c.dp = c.h = dp;
    if (walls) c.gravity = {0, 0, -9.81};
    c.alpha = 0;
    c.cfl = 0.5;
    c.c0 = 20 * std::sqrt(9.81 * high * dp);
    sph::derive(c);
    const sph::EquationOfState<double> eos(c);
    const int layers = walls ? 2 : 0, margin = 8;
    run.setup.domain = {
        {0, 0, 0},
        {dp * (wide + 2 * margin), dp * (dimensions == 3 ? wide + 2 * margin : 1), dp * (high + 3 * margin)}};
    std::vector<Vec3d> boundary, fluid;
    const int deep = dimensions == 3 ? wide : 1, around = dimensions == 3 ? layers : 0;
    for (int z = -layers; z < high + (walls ? 3 : 0); ++z)
        for (int y = -around; y < deep + around; ++y)
            for (int x = -layers; x < wide + layers; ++x) {
                const bool inside = x >= 0 && x < wide && y >= 0 && y < deep && z >= 0;
                const Vec3d at{dp * (x + margin + 0.5), dp * (y + (dimensions == 3 ? margin : 0) + 0.5),
                               dp * (z + margin + 0.5)};
                if (!inside)
                    boundary.push_back(at);
                else if (z < high)
                    fluid.push_back(at);
            }
    run.setup.set_groups(ParticleGroups::of(std::uint32_t(boundary.size()), std::uint32_t(fluid.size())));
    ParticleState& s = run.state;
    const double surface = dp * (high + margin);
    for (const auto* places : {&boundary, &fluid})
        for (const Vec3d& at : *places) {
            s.id.push_back(std::uint32_t(s.id.size()));
            s.position.push_back(at);
            const bool water = places == &fluid && walls;
            s.density.push_back(float(water ? eos.density(c.rho0 * 9.81 * (surface - at.z)) : c.rho0));
        }
    s.velocity.resize(s.id.size());
    s.velocity_previous = s.velocity;
    s.density_previous = s.density;
    return run;
}

/// Two drops of `n`² (`n`³) particles that fly into one another.
inline FvpmRun make_drops(int dimensions, int n) {
    FvpmRun run = make_tank(dimensions, n, n, 0.01, false);
    for (std::size_t i = 0; i < run.state.size(); ++i) {
        const bool left = run.state.position[i].x < 0.5 * run.setup.domain.max.x;
        run.state.position[i].x += left ? -0.004 : 0.004;
        run.state.velocity[i] = left ? Vec3f{1, 0, 0.3f} : Vec3f{-0.5f, 0, 0};
    }
    return run;
}

/// A backend for the run, with such solvers.
inline std::unique_ptr<Backend> backend_with(
    const FvpmRun& run, std::function<std::unique_ptr<fvpm::Solver>(const FvpmConstants&)> make_solver) {
    fvpm::Device device;
    device.make_solver = std::move(make_solver);
    std::unique_ptr<Backend> backend = fvpm::make_backend(run.setup, device);
    backend->set_state(run.state);
    return backend;
}

inline AdvanceReport steps(Backend& backend, std::int64_t count) {
    return backend.advance({std::numeric_limits<double>::infinity(), count, 1e9});
}

/// Mass and momentum of the particles that are no walls.
struct FluidSums {
    double mass = 0;
    Vec3d momentum;
};

inline FluidSums fluid_sums(Backend& backend, const RunSetup& setup) {
    const fvpm::Particles p = fvpm::particles_of(backend.state(), setup);
    FluidSums sums;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (p.kind[i] == fvpm::Kind::wall) continue;
        sums.mass += p.mass[i];
        sums.momentum = sums.momentum + p.mass[i] * p.velocity[i];
    }
    return sums;
}

} // namespace sluice::test
