// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/derive.h"
#include "model/particle_state.h"
#include "model/run_setup.h"
#include "physics/sph/equation_of_state.h"
#include <cmath>

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

} // namespace sluice::test
