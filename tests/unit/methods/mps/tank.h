// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/backend.h"
#include "methods/mps/flow/cpu_flow.h"
#include "model/derive.h"
#include <cmath>

namespace sluice::mps {

/// Water in an open tank with one layer of wall particles, in 2-D in the plane y = 0, in 3-D as long in y as in x;
/// places count from the domain's corner.
struct Tank {
    double dp = 0.1, depth = 1, width = 1, length = 1; ///< of the water, and of the tank, m
    double nu = 0;                                     ///< m²/s
    bool has_walls = true, has_gravity = true, two_d = true;

    RunSetup setup;
    ParticleState state;

    void fill() {
        sph::Constants& c = setup.constants;
        c.two_d = two_d;
        c.dp = dp;
        c.h = 1.05 * dp;
        if (has_gravity) c.gravity.z = -9.81;
        c.c0 = 20 * std::sqrt(9.81 * depth);
        c.viscosity = sph::ViscosityModel::laminar;
        c.nu = nu;
        sph::derive(c);
        const sph::EquationOfState<double> eos(c);
        const int far = nodes(length), across = two_d ? 0 : far;
        const auto is_wall = [&](int i, int j, int k) {
            return k == 0 || i == 0 || i == far || (!two_d && (j == 0 || j == across));
        };
        if (has_walls)
            for (int k = 0; k <= nodes(1.5 * depth); ++k)
                for (int j = 0; j <= across; ++j)
                    for (int i = 0; i <= far; ++i)
                        if (is_wall(i, j, k)) add(i, j, k, c.rho0);
        const auto walls = static_cast<std::uint32_t>(state.size());
        for (int k = 1; k <= nodes(depth); ++k)
            for (int j = two_d ? 0 : 1; j < (two_d ? 1 : across); ++j)
                for (int i = 1; i < nodes(width); ++i)
                    add(i, j, k, has_gravity ? eos.density(c.rho0 * 9.81 * (depth + dp / 2 - k * dp)) : c.rho0);
        setup.set_groups(ParticleGroups::of(walls, static_cast<std::uint32_t>(state.size()) - walls));
        setup.domain = {{-1, two_d ? 0.0 : -1.0, -1}, {length + 1, two_d ? 0 : length + 1, 3 * depth}};
    }
    std::size_t walls() const { return setup.groups.boundary_count(); }

private:
    int nodes(double side) const { return static_cast<int>(std::lround(side / dp)); }
    void add(int i, int j, int k, double rho) {
        state.id.push_back(static_cast<std::uint32_t>(state.size()));
        state.position.push_back({1 + i * dp, two_d ? 0 : 1 + j * dp, 1 + k * dp});
        state.velocity.push_back({});
        state.density.push_back(static_cast<float>(rho));
    }
};

/// A column of water, half as wide as deep, at the end of a tank: a dam that breaks.
inline Tank dam(double width = 0.5, bool two_d = true) {
    Tank tank;
    tank.dp = two_d ? 0.05 : 0.1;
    tank.depth = 1;
    tank.width = width;
    tank.length = 2;
    tank.nu = 1e-3;
    tank.two_d = two_d;
    tank.fill();
    return tank;
}

inline Device processor(int threads = 1, Lanes lanes = widest_lanes()) {
    Device device;
    device.backend = "cpu";
    device.make_flow = [=](const sph::Constants& constants, std::uint32_t walls) {
        return std::make_unique<CpuFlow>(constants, walls, FlowOptions{lanes, threads});
    };
    return device;
}

/// A backend for the water, with so many threads.
inline std::unique_ptr<Backend> backend_of(const Tank& tank, int threads = 1, Lanes lanes = widest_lanes()) {
    auto backend = make_backend(tank.setup, processor(threads, lanes));
    backend->set_state(tank.state);
    return backend;
}

inline AdvanceLimits until(double time, std::int64_t steps = 1'000'000) { return {time, steps, 1e9}; }

} // namespace sluice::mps
