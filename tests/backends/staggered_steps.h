// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/fluid_passes.h"
#include "backends/forced_fluid.h"

// Staggered steps, for every backend: clouds with all that such a run may have.

namespace sluice::staggered {

using clouds::Choice;
using clouds::Cloud;

struct Named {
    std::string name;
    Cloud cloud;
};

/// Bodies of which one is let go in the middle of the sixth step, the other at once.
inline Cloud released_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = moving::floating_cloud(choice, count);
    const sph::Constants& c = cloud.setup.constants;
    cloud.setup.bodies[0].released = 5.5 * c.cfl * c.h / c.c0;
    moving::set_groups(cloud, std::vector<ParticleGroup>(cloud.setup.groups.all()), 0);
    return cloud;
}

/// `count`: particles of the fluid along x, y, z.
inline std::vector<Named> all_clouds(Vec3i count) {
    std::vector<Named> all;
    const auto add = [&](const std::string& what, const Choice& choice, const Cloud& cloud) {
        all.push_back({what + "_" + choice.name(), cloud});
    };
    for (const bool two_d : {false, true}) {
        Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::staggered, two_d};
        add("walls", choice, moving::moving_cloud(choice, count));
        add("absorbing", choice, moving::open_absorbing_cloud(choice, count));
        add("forced", choice, forced::forced_cloud(clouds::make_cloud(choice, count)));
        add("accelerated", choice, forced::accelerated_cloud(clouds::make_cloud(choice, count)));
        add("along_surfaces", choice, passes::shifting_along_surfaces(clouds::make_cloud(choice, count)));
        for (const auto slip : {sph::SlipMode::wall, sph::SlipMode::no_slip, sph::SlipMode::free_slip}) {
            Cloud walls = moving::moving_cloud(choice, count);
            extrapolated::add_normals(walls, slip, 5);
            add("ghost_nodes_slip" + std::to_string(int(slip)), choice, walls);
        }
        Cloud smoothed = passes::renormalised(moving::moving_cloud(choice, count));
        extrapolated::add_normals(smoothed, sph::SlipMode::no_slip, 5);
        smoothed.setup.constants.wall_pressure = sph::WallPressure::balanced;
        add("renormalised", choice, smoothed);
        add("thickening", choice, passes::thickening(clouds::make_cloud(choice, count)));
        add("layers", choice, passes::layered(moving::floating_cloud(choice, count)));
        add("mud", choice, passes::thick(clouds::make_cloud(choice, count)));
        add("bodies", choice, moving::floating_cloud(choice, count));
        add("touching_bodies", choice, moving::touching_cloud(choice, count));
        add("periodic_bodies", choice, moving::periodic_floating_cloud(choice, count));
        add("released_bodies", choice, released_cloud(choice, count));
        if (!two_d) add("driven_bodies", choice, moving::driven_cloud(choice, count));
        for (const auto slip : {sph::SlipMode::wall, sph::SlipMode::no_slip}) {
            Cloud bodies = moving::floating_cloud(choice, count);
            extrapolated::add_normals(bodies, slip, 7);
            add("ghost_node_bodies_slip" + std::to_string(int(slip)), choice, bodies);
        }
        choice.kernel = sph::KernelType::cubic_spline;
        Cloud across = passes::turbulent(clouds::make_periodic_cloud(choice, count, "x", {0, 0, 0.002}));
        extrapolated::add_normals(across, sph::SlipMode::free_slip, 6);
        add("turbulent_periodic", choice, across);
        add("renormalised_periodic", choice, passes::renormalised(clouds::make_periodic_cloud(choice, count, "x")));
        add("shifting_periodic", choice,
            passes::shifting(clouds::make_periodic_cloud(choice, count, "x"), sph::Shifting::everywhere,
                             two_d ? 1.5 : 2));
    }
    return all;
}

/// The same, and every formulation of the pairs.
inline std::vector<Named> clouds_of_all_formulations(Vec3i count) {
    std::vector<Named> all = all_clouds(count);
    for (Choice choice : clouds::all_choices()) {
        choice.integrator = sph::Integrator::staggered;
        all.push_back({choice.name(), clouds::make_cloud(choice, count)});
    }
    return all;
}

inline constexpr int steps = 25;

/// Steps follow the oracle; `make_backend(cloud)` makes a backend that has taken over the cloud's state.
template <class MakeBackend>
void expect_oracle_steps(const MakeBackend& make_backend) {
    struct Course {
        Named start;
        oracle::State end;
    };
    static const std::vector<Course> courses = [] {
        std::vector<Course> all;
        for (const Named& start : clouds_of_all_formulations({8, 5, 4})) {
            all.push_back({start, oracle::to_double(start.cloud.state)});
            for (int n = 0; n < steps; ++n) oracle::step(start.cloud.setup, all.back().end);
        }
        return all;
    }();
    for (const Course& course : courses) {
        const RunSetup& setup = course.start.cloud.setup;
        const auto backend = make_backend(course.start.cloud);
        take_steps(*backend, steps);
        const ParticleState got = backend->state();
        const StateErrors errors = state_errors(course.end, got, setup.constants.dp, setup.period);
        EXPECT_LT(errors.position, 5e-5) << course.start.name;
        EXPECT_LT(errors.velocity, 1e-3) << course.start.name;
        EXPECT_LT(errors.density, 0.1) << course.start.name;
        EXPECT_NEAR(got.time, course.end.time, 1e-5 * course.end.time) << course.start.name;
        expect_same_work(course.end, got, setup, course.start.name);
        moving::expect_same_bodies(*backend, course.end, setup, course.start.name);
    }
}

} // namespace sluice::staggered
