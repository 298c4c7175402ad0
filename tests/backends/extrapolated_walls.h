// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/forced_fluid.h"
#include "backends/moving_walls.h"

// Walls whose density is extrapolated from the fluid, for every backend: clouds with them, and what must hold.

namespace sluice::extrapolated {

using clouds::Choice;
using clouds::Cloud;

/// Gives every boundary particle of a cloud a normal that leads into the fluid, more or less, but every `none_of`-th.
inline void add_normals(Cloud& cloud, sph::SlipMode slip, std::uint32_t none_of) {
    sph::Constants& c = cloud.setup.constants;
    c.boundary = sph::BoundaryCondition::modified_dynamic;
    c.slip = slip;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> some(0.4f, 1.6f);
    double left = 1e30, floor = 1e30;
    for (const Vec3d& p : cloud.state.position) {
        left = std::min(left, p.x);
        floor = std::min(floor, p.z);
    }
    cloud.setup.normals.assign(cloud.setup.groups.boundary_count(), {});
    const auto dp = static_cast<float>(c.dp);
    for (std::size_t i = 0; i < cloud.state.size(); ++i) {
        const std::uint32_t id = cloud.state.id[i];
        if (cloud.setup.groups.is_fluid(id) || id % none_of == none_of - 1) continue;
        const Vec3d& p = cloud.state.position[i];
        const bool on_left = p.x < left + 0.1 * c.dp && !cloud.setup.period.periodic[0],
                   on_floor = p.z < floor + 0.1 * c.dp;
        const float tilt = 0.15f * dp * (some(random) - 1);
        cloud.setup.normals[id] = {on_left ? dp * some(random) : tilt, c.two_d ? 0 : tilt,
                                   on_floor ? dp * some(random) : tilt};
    }
}

/// A cloud and what the oracle makes of it in 45 steps.
struct Course {
    std::string name;
    Cloud cloud;
    oracle::State end;
};

/// Resting and moving walls and bodies, with every slip, some of them with dynamic particles among them.
inline const std::vector<Course>& oracle_courses() {
    static const std::vector<Course> all = [] {
        std::vector<Course> courses;
        const Vec3i count{8, 5, 4};
        const auto add = [&](const std::string& what, const Choice& choice, Cloud cloud, sph::SlipMode slip,
                             std::uint32_t none_of) {
            add_normals(cloud, slip, none_of);
            Course course{what + "_" + choice.name() + "_slip" + std::to_string(int(slip)), cloud,
                          oracle::to_double(cloud.state)};
            for (int n = 0; n < 45; ++n) oracle::step(course.cloud.setup, course.end);
            courses.push_back(course);
        };
        constexpr std::uint32_t never = 1u << 30;
        using enum sph::SlipMode;
        for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
            const bool verlet = integrator == sph::Integrator::verlet;
            Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas_full, integrator, verlet};
            add("rest", choice, clouds::make_cloud(choice, count), wall, never);
            add("moving", choice, moving::moving_cloud(choice, count), no_slip, 5);
            add("all_moving", choice, moving::moving_cloud(choice, count), no_slip, never);
            choice.two_d = !verlet;
            add("bodies", choice, moving::floating_cloud(choice, count), free_slip, 7);
            choice.kernel = sph::KernelType::cubic_spline;
            add("periodic", choice, clouds::make_periodic_cloud(choice, count, "x", {0, 0, 0.002}), free_slip, 6);
            Cloud balanced = forced::accelerated_cloud(moving::moving_cloud(choice, count));
            balanced.setup.constants.wall_pressure = sph::WallPressure::balanced;
            add("balanced", choice, balanced, wall, 7);
        }
        return courses;
    }();
    return all;
}

/// Steps follow the oracle; `make_backend(cloud)` makes a backend that has taken over the cloud's state.
template <class MakeBackend>
void expect_oracle_steps(const MakeBackend& make_backend) {
    for (const Course& course : oracle_courses()) {
        const auto backend = make_backend(course.cloud);
        take_steps(*backend, 45);
        const RunSetup& setup = course.cloud.setup;
        expect_same_work(course.end, backend->state(), setup, course.name);
        const StateErrors errors = state_errors(course.end, backend->state(), setup.constants.dp, setup.period);
        EXPECT_LT(errors.position, 5e-5) << course.name;
        EXPECT_LT(errors.velocity, 1e-3) << course.name;
        EXPECT_LT(errors.density, 0.1) << course.name;
    }
}

/// Neighbours of ghost nodes are found wherever fluid and walls have gone.
template <class MakeBackend>
void expect_oracle_rates_on_the_way(const MakeBackend& make_backend) {
    const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas};
    Cloud cloud = moving::moving_cloud(choice, {12, 8, 6});
    add_normals(cloud, sph::SlipMode::no_slip, 9);
    const auto backend = make_backend(cloud);
    for (int n = 0; n < 4; ++n) {
        take_steps(*backend, 23);
        cloud.state = backend->state();
        const RateErrors errors = rate_errors(*backend, cloud);
        EXPECT_LT(errors.acceleration, 2e-5) << "after " << cloud.state.step << " steps";
    }
}

/// The clouds that runs are repeated and resumed with.
inline std::vector<Cloud> clouds_to_resume(Vec3i count) {
    std::vector<Cloud> all;
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
        all.push_back(clouds::make_cloud(choice, count));
        all.push_back(moving::periodic_cloud(choice, count));
        all.push_back(moving::floating_cloud(choice, count));
    }
    std::uint32_t none_of = 4;
    for (Cloud& cloud : all) {
        add_normals(cloud, sph::SlipMode(none_of % 3), none_of);
        ++none_of;
    }
    return all;
}

} // namespace sluice::extrapolated
