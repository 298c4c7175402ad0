// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/oracle.h"
#include "backends/particle_clouds.h"
#include "core/error.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>

// What one test source asks of every backend: the CPU's modes (test_cpu_backends.cpp) and the GPU's (label gpu).

namespace sluice {

/// The arrays of a state in the order of the ids, so that states of different backends can be compared.
inline ParticleState sorted_by_id(const ParticleState& s) {
    std::vector<std::size_t> order(s.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return s.id[a] < s.id[b]; });
    ParticleState t;
    for_each_state_number([](const char*, const auto& from, auto& to) { to = from; }, s, t);
    t.bodies = s.bodies;
    t.absorbers = s.absorbers;
    const auto take = [&](const char*, const auto& from, auto& to) {
        for (const std::size_t i : order) to.push_back(from[i]);
    };
    for_each_particle_array(take, s, t);
    return t;
}

inline bool bitwise_equal(const ParticleState& a, const ParticleState& b) { return a == b; }

/// Steps exactly `steps` steps.
inline void take_steps(Backend& backend, std::int64_t steps) {
    AdvanceLimits limits;
    limits.time = 1e9;
    limits.wall_seconds = 1e9;
    for (limits.steps = steps; limits.steps > 0;) {
        const std::int64_t before = backend.state().step;
        limits.steps -= backend.advance(limits).step - before;
    }
}

/// Largest differences between a backend's rates and the oracle's, in units of Σ |pair terms| of each particle.
struct RateErrors {
    double acceleration = 0, density = 0;
};

inline RateErrors rate_errors(Backend& backend, const clouds::Cloud& cloud) {
    backend.set_state(cloud.state);
    std::vector<Vec3f> acceleration;
    std::vector<float> density;
    backend.rates(acceleration, density);
    const ParticleState state = backend.state(); // the order of the rates
    const oracle::Rates expected = oracle::rates(cloud.setup, oracle::to_double(state));
    RateErrors errors;
    for (std::size_t i = 0; i < state.size(); ++i) {
        const bool is_fluid = cloud.setup.groups.is_fluid(state.id[i]); // others accelerate with what they belong to
        const Vec3d d = vec_cast<double>(acceleration[i]) - (is_fluid ? expected.acceleration[i] : Vec3d{});
        errors.acceleration =
            std::max(errors.acceleration, std::sqrt(dot(d, d)) / (expected.acceleration_scale[i] + 1));
        errors.density =
            std::max(errors.density, std::abs(density[i] - expected.density[i]) / (expected.density_scale[i] + 1e-3));
    }
    return errors;
}

/// Largest distance (in dp), velocity difference (m/s) and density difference (kg/m³) between two states.
struct StateErrors {
    double position = 0, velocity = 0, density = 0;
};

inline StateErrors state_errors(const oracle::State& a, const ParticleState& unsorted, double dp,
                                const Period& period = {}) {
    const oracle::State b = oracle::to_double(sorted_by_id(unsorted));
    StateErrors e;
    EXPECT_EQ(a.id, b.id);
    for (std::size_t i = 0; i < std::min(a.id.size(), b.id.size()); ++i) {
        Vec3d dr = a.position[i] - b.position[i];
        const Vec3d dv = a.velocity[i] - b.velocity[i];
        for (int axis = 0; axis < 3; ++axis) // on either side of a periodic face
            if (period.periodic[axis] && std::abs(dr[axis]) > 0.5 * period.shift[axis][axis])
                dr = dr - std::copysign(1.0, dr[axis]) * period.shift[axis];
        e.position = std::max(e.position, std::sqrt(dot(dr, dr)) / dp);
        e.velocity = std::max(e.velocity, std::sqrt(dot(dv, dv)));
        e.density = std::max(e.density, std::abs(a.density[i] - b.density[i]));
    }
    return e;
}

/// The work on the fluid that a backend has counted is the oracle's, kind by kind.
inline void expect_same_work(const oracle::State& expected, const ParticleState& got, const RunSetup& setup,
                             const std::string& name) {
    const double unit = work_unit(setup.constants, setup.groups.fluid_count());
    const auto expect = [&](double should, std::int64_t count, const char* what) {
        EXPECT_NEAR(unit * static_cast<double>(count), should, 1e-3 * std::abs(should) + 1e-6) << name << ", " << what;
    };
    expect(expected.damping_work, got.work.damping, "damping");
    expect(expected.relaxation_work, got.work.relaxation, "relaxation");
    expect(expected.acceleration_work, got.work.acceleration, "acceleration");
    expect(expected.shift_lift, got.work.shift_lift, "lift by shifting");
    expect(expected.shift_compression, got.work.shift_compression, "compression by shifting");
    expect(expected.moving_walls_work, got.work.moving_walls, "moving walls");
    expect(expected.bodies_work, got.work.bodies, "what drives bodies");
}

/// Steps a cloud with two particles that must leave, one through the side of the domain and one that is too dense:
/// `make_backend(cloud)` makes a backend that lists them, and goes on without them.
template <class MakeBackend>
void expect_exclusions_with_causes(clouds::Cloud cloud, const MakeBackend& make_backend) {
    const std::uint32_t last = static_cast<std::uint32_t>(cloud.state.size()) - 1,
                        too_dense = cloud.setup.groups.boundary_count() + 5;
    cloud.state.velocity[last].x = 300; // flies out of the domain
    cloud.state.density[too_dense] = 1400;
    const auto backend = make_backend(cloud);
    backend->set_state(cloud.state);
    std::vector<ExcludedParticle> excluded;
    for (int n = 0; n < 60; ++n) {
        take_steps(*backend, 1);
        for (const ExcludedParticle& p : backend->take_excluded()) excluded.push_back(p);
    }
    const auto find = [&](std::uint32_t id) {
        const auto it = std::find_if(excluded.begin(), excluded.end(), [&](const auto& p) { return p.id == id; });
        EXPECT_NE(it, excluded.end()) << "particle " << id << " is not listed";
        return it == excluded.end() ? ExcludedParticle{} : *it;
    };
    const ExcludedParticle flown = find(last), dense = find(too_dense);
    EXPECT_EQ(flown.cause, sph::ExclusionCause::position);
    EXPECT_GT(flown.position.x, cloud.setup.domain.max.x);
    EXPECT_GT(flown.time, 0);
    EXPECT_EQ(dense.cause, sph::ExclusionCause::density);
    EXPECT_GT(dense.density, 1300);
    const ParticleState state = backend->state();
    EXPECT_EQ(state.size() + excluded.size(), cloud.state.size());
    EXPECT_EQ(std::count(state.id.begin(), state.id.end(), last), 0);
}

/// A symplectic step takes its particles to the middle of the step and interacts there: one that has left the domain by
/// then, or is too dense, is in no cell. `make_backend(cloud)` makes a backend that excludes them at that time.
template <class MakeBackend>
void expect_exclusions_at_the_half_step(clouds::Cloud cloud, const MakeBackend& make_backend) {
    const std::uint32_t flown = static_cast<std::uint32_t>(cloud.state.size()) - 1,
                        dense = cloud.setup.groups.boundary_count() + 5;
    cloud.setup.constants.dt_fixed = 1e-5;
    cloud.state.position[flown].z += 0.1; // away from all others
    cloud.state.velocity[flown].x = 1e5f;
    cloud.state.density[dense] = 1400;
    const auto backend = make_backend(cloud);
    backend->set_state(cloud.state);
    std::vector<ExcludedParticle> excluded = backend->take_excluded(); // a backend may see at once what is too dense
    take_steps(*backend, 1);
    for (const ExcludedParticle& p : backend->take_excluded()) excluded.push_back(p);
    const auto found =
        std::find_if(excluded.begin(), excluded.end(), [&](const ExcludedParticle& p) { return p.id == flown; });
    ASSERT_NE(found, excluded.end());
    EXPECT_EQ(found->cause, sph::ExclusionCause::position);
    EXPECT_EQ(found->step, 1);
    EXPECT_NEAR(found->time, 5e-6, 1e-15);
    const double start = cloud.setup.domain.min.x + cloud.state.position[flown].x;
    EXPECT_NEAR(found->position.x, start + 1e5 * 5e-6, 1e-5);
    const ParticleState state = backend->state();
    EXPECT_EQ(state.size() + excluded.size(), cloud.state.size());
    for (const Vec3f& v : state.velocity) EXPECT_TRUE(std::isfinite(dot(v, v)));
}

/// A run with a fixed time step ends where it blows up, like one whose time step follows from its forces.
template <class MakeBackend>
void expect_blow_up_is_noticed(clouds::Cloud cloud, const MakeBackend& make_backend) {
    cloud.state.velocity.back() = {3e20f, 0, 0};
    for (const double dt_fixed : {0.0, 1e-30}) {
        cloud.setup.constants.dt_fixed = dt_fixed;
        const auto backend = make_backend(cloud);
        backend->set_state(cloud.state);
        EXPECT_THROW(take_steps(*backend, 50), RunError) << "dt_fixed " << dt_fixed;
    }
}

} // namespace sluice
