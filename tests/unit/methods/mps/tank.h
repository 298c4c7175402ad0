// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/backend.h"
#include "model/derive.h"
#include <cmath>

namespace sluice::mps {

/// Water in an open tank with one layer of wall particles, in the plane y = 0; places count from the domain's corner.
struct Tank {
    double dp = 0.1, depth = 1, width = 1, length = 1; ///< of the water, and of the tank, m
    double nu = 0;                                     ///< m²/s
    bool has_walls = true, has_gravity = true;

    RunSetup setup;
    ParticleState state;

    void fill() {
        sph::Constants& c = setup.constants;
        c.two_d = true;
        c.dp = dp;
        c.h = 1.05 * dp;
        if (has_gravity) c.gravity.z = -9.81;
        c.c0 = 20 * std::sqrt(9.81 * depth);
        c.viscosity = sph::ViscosityModel::laminar;
        c.nu = nu;
        sph::derive(c);
        const sph::EquationOfState<double> eos(c);
        const auto nodes = [&](double side) { return static_cast<int>(std::lround(side / dp)); };
        if (has_walls)
            for (int k = 0; k <= nodes(1.5 * depth); ++k)
                for (int i = 0; i <= nodes(length); ++i)
                    if (k == 0 || i == 0 || i == nodes(length)) add(i, k, c.rho0);
        const auto walls = static_cast<std::uint32_t>(state.size());
        for (int k = 1; k <= nodes(depth); ++k)
            for (int i = 1; i < nodes(width); ++i)
                add(i, k, has_gravity ? eos.density(c.rho0 * 9.81 * (depth + dp / 2 - k * dp)) : c.rho0);
        setup.set_groups(ParticleGroups::of(walls, static_cast<std::uint32_t>(state.size()) - walls));
        setup.domain = {{-1, 0, -1}, {length + 1, 0, 3 * depth}};
    }
    std::size_t walls() const { return setup.groups.boundary_count(); }

private:
    void add(int i, int k, double rho) {
        state.id.push_back(static_cast<std::uint32_t>(state.size()));
        state.position.push_back({1 + i * dp, 0, 1 + k * dp});
        state.velocity.push_back({});
        state.density.push_back(static_cast<float>(rho));
    }
};

/// A backend for the water, with so many threads.
inline std::unique_ptr<Backend> backend_of(const Tank& tank, int threads = 1, Lanes lanes = widest_lanes()) {
    auto backend = make_backend(tank.setup, {"", {lanes, threads}});
    backend->set_state(tank.state);
    return backend;
}

inline AdvanceLimits until(double time, std::int64_t steps = 1'000'000) { return {time, steps, 1e9}; }

} // namespace sluice::mps
