// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/compare.h"

// Damping zones, acceleration inputs and relaxation zones, for every backend.

namespace sluice::forced {

using clouds::Choice;
using clouds::Cloud;

/// A zone of waves in half of the fluid, one of a uniform velocity that begins later, and one of velocities on a mesh.
inline void add_relaxation(Forcing& forcing, const Vec3d& low, const Vec3d& high) {
    const Vec3d middle = 0.5 * (low + high);
    RelaxationZone waves;
    waves.centre = {low.x, 0, 0};
    waves.half.x = 0.5 * (high.x - low.x);
    waves.end = 1;
    waves.ramp = 0.004;
    waves.rate = 400;
    waves.factor = {1, 0, 0.5};
    waves.still = high.z;
    waves.depth = high.z - low.z;
    waves.current = -0.1;
    waves.wave_count = 2;
    forcing.relaxation_waves = {{900, 20, 0.4, 1.5}, {1800, 40, 1, 0.3}};
    RelaxationZone uniform;
    uniform.kind = RelaxationZone::Kind::uniform;
    uniform.centre = {high.x, middle.y, middle.z};
    uniform.half = 0.4 * (high - low);
    uniform.half.y = high.y - low.y + 1;
    uniform.direction = {0.6, 0, 0.8};
    uniform.start = 0.001;
    uniform.end = 0.003;
    uniform.weight = 0.05;
    uniform.shape = 0.5;
    uniform.speed_count = 2;
    forcing.relaxation_speeds = {{0.001, 1}, {0.002, 3}};
    RelaxationZone table;
    table.kind = RelaxationZone::Kind::table;
    table.centre = {middle.x, 0, 0};
    table.half.x = 0.4 * (high.x - low.x);
    table.start = 0.0015;
    table.end = 0.0035;
    table.rate = 300;
    table.factor = {1, 0, 1};
    table.current = 0.2;
    forcing.relaxation_tables.numbers = {0.001, 0.002, 0.004, low.x, middle.x, high.x};
    forcing.relaxation_tables.tables = {{0, 3, 3, 3, low.z, 0.5 * (high.z - low.z), 2, true, 0}};
    for (int k = 0; k < 36; ++k) forcing.relaxation_tables.values.push_back(0.1f * static_cast<float>((7 * k) % 11));
    forcing.relaxation = {waves, uniform, table};
}

/// Damping of all three shapes, relaxation zones, and accelerations of two halves of the fluid: one turns, the other
/// has no gravity for a while.
inline Cloud forced_cloud(Cloud cloud) {
    const bool two_d = cloud.setup.constants.two_d;
    const std::uint32_t walls = cloud.setup.groups.boundary_count(), fluid = cloud.setup.groups.fluid_count(),
                        half = walls + fluid / 2;
    Vec3d low = cloud.state.position[walls], high = low;
    for (std::uint32_t i = walls; i < walls + fluid; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], cloud.state.position[i][axis]);
            high[axis] = std::max(high[axis], cloud.state.position[i][axis]);
        }
    const Vec3d middle = 0.5 * (low + high);
    const double room = 0.4 * cloud.setup.constants.dp; // no particle lies where a zone ends, but for rounding
    low = low - Vec3d{room, room, room};
    high = high + Vec3d{room, room, room};
    DampingZone plane;
    plane.inner_min = {low.x, 0, 0};
    plane.outer_min = middle;
    plane.over_limit = 0.02;
    plane.rate = 60;
    plane.factor = {1, 0.5, 2};
    DampingZone box;
    box.shape = DampingZone::Shape::box;
    box.inner_min = box.inner_max = middle;
    box.outer_min = low;
    box.outer_max = high;
    box.rate = 40;
    box.active[4] = false;
    DampingZone cylinder;
    cylinder.shape = DampingZone::Shape::cylinder;
    cylinder.axis_point = middle;
    cylinder.axis = {0, 1, 0};
    cylinder.outer_radius = high.x - middle.x;
    cylinder.rate = 50;
    Forcing& forcing = cloud.setup.forcing;
    forcing.damping = {plane, box, cylinder};
    const double y = two_d ? 0 : 1; // a 2-D case stays in its plane
    forcing.samples = {{0, {0, 0, 0}, {0, 100, 0}, {0, 0, 0}, {0, 0, 0}},
                       {0.004, {30, 20 * y, -10}, {0, 2000, 0}, {0.06, 0.04 * y, -0.02}, {0, 4.2, 0}}};
    AccelerationInput turns, floats;
    turns.first_id = walls;
    turns.last_id = half;
    turns.centre = middle;
    turns.sample_count = 2;
    floats = turns;
    floats.first_id = half;
    floats.last_id = walls + fluid;
    floats.start = 0.001;
    floats.end = 0.003;
    floats.constant = -1.0 * cloud.setup.constants.gravity;
    floats.sample_count = 1;
    forcing.inputs = {turns, floats};
    add_relaxation(forcing, low, high);
    return cloud;
}

/// All the fluid is accelerated, more and more; for a while it has no gravity. The density diffusion is to know that.
inline Cloud accelerated_cloud(Cloud cloud) {
    Forcing& forcing = cloud.setup.forcing;
    forcing.samples = {{0, {100, 0, 50}, {}, {}, {}}, {0.003, {-200, 0, 100}, {}, {-0.15, 0, 0.225}, {}}};
    AccelerationInput all, floats;
    all.first_id = cloud.setup.groups.boundary_count();
    all.last_id = cloud.setup.groups.particle_count();
    all.sample_count = 2;
    floats = all;
    floats.start = 0.001;
    floats.end = 0.002;
    floats.constant = -20.0 * cloud.setup.constants.gravity;
    floats.sample_count = 1;
    forcing.inputs = {all, floats};
    return cloud;
}

/// A cloud, what the oracle makes of it in 45 steps, and what it makes of it without the forcing.
struct Course {
    std::string name;
    Cloud cloud;
    oracle::State end, unforced; ///< the latter in 2-D only
};

/// Both integrators, in 2-D, and in 3-D with a periodic side.
inline const std::vector<Course>& oracle_courses() {
    static const std::vector<Course> all = [] {
        std::vector<Course> courses;
        const Vec3i count{8, 5, 4};
        for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
            for (const bool two_d : {false, true}) {
                const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator, two_d};
                const Cloud plain =
                    two_d ? clouds::make_cloud(choice, count) : clouds::make_periodic_cloud(choice, count, "x");
                Course course{choice.name(), forced_cloud(plain), oracle::to_double(plain.state), {}};
                course.unforced = course.end;
                for (int n = 0; n < 45; ++n) oracle::step(course.cloud.setup, course.end);
                for (int n = 0; n < 45 && two_d; ++n) oracle::step(plain.setup, course.unforced);
                courses.push_back(course);
                if (!two_d) continue;
                course.name += "_accelerated";
                course.cloud = accelerated_cloud(plain);
                course.end = oracle::to_double(plain.state);
                for (int n = 0; n < 45; ++n) oracle::step(course.cloud.setup, course.end);
                courses.push_back(course);
            }
        return courses;
    }();
    return all;
}

/// Steps follow the oracle, and are others than without the forcing.
template <class MakeBackend>
void expect_oracle_steps(const MakeBackend& make_backend) {
    for (const Course& course : oracle_courses()) {
        EXPECT_GT(course.end.time, 0.004) << course.name; // past all times at which the inputs change
        const auto backend = make_backend(course.cloud);
        take_steps(*backend, 45);
        const ParticleState got = backend->state();
        const RunSetup& setup = course.cloud.setup;
        const StateErrors errors = state_errors(course.end, got, setup.constants.dp, setup.period);
        EXPECT_LT(errors.position, 5e-5) << course.name;
        EXPECT_LT(errors.velocity, 5e-4) << course.name;
        EXPECT_LT(errors.density, 5e-2) << course.name;
        expect_same_work(course.end, got, setup, course.name);
        if (!setup.constants.two_d) continue;
        EXPECT_GT(state_errors(course.unforced, got, setup.constants.dp, setup.period).velocity, 0.1) << course.name;
    }
}

} // namespace sluice::forced
