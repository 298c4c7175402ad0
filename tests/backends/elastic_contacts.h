// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/moving_walls.h"

// Elastic contacts, for every backend: scenes without fluid, and what must hold.

namespace sluice::elastic {

using clouds::Choice;
using clouds::Cloud;

constexpr ContactMaterial soft{1e7, 0.2, 0.7, 0.3};

/// A wall and bodies of these particles, without fluid, in a box of `size`, m.
inline Cloud make_scene(const Choice& choice, const std::vector<Vec3d>& wall,
                        const std::vector<std::vector<Vec3d>>& bodies, const ContactMaterial& material,
                        double size = 0.1) {
    Cloud cloud;
    cloud.setup.constants = clouds::make_constants(choice, 0.01);
    cloud.setup.constants.dt_min = 0;
    cloud.setup.domain = {{}, {size, choice.two_d ? 0.02 : size, size}};
    ParticleState& s = cloud.state;
    s.position = wall;
    std::vector<ParticleGroup> groups{{1, 0, ParticleType::fixed, 0, static_cast<std::uint32_t>(wall.size())}};
    for (const std::vector<Vec3d>& body : bodies) {
        const auto first = static_cast<std::uint32_t>(s.position.size()),
                   count = static_cast<std::uint32_t>(body.size());
        s.position.insert(s.position.end(), body.begin(), body.end());
        cloud.setup.bodies.push_back(moving::make_body(s, first, count, 1e-3 * count));
        const int mk = static_cast<int>(groups.size());
        groups.push_back({mk + 1, mk, ParticleType::floating, first, count});
    }
    for (std::uint32_t id = 0; id < s.position.size(); ++id) s.id.push_back(id);
    s.velocity.resize(s.size());
    s.velocity_previous.resize(s.size());
    s.density.assign(s.size(), 1000);
    s.density_previous = s.density;
    moving::set_groups(cloud, groups, 0);
    moving::set_parts(cloud, material);
    return cloud;
}

inline std::vector<Vec3d> block(const Vec3d& corner, Vec3i count, double spacing = 0.01) {
    std::vector<Vec3d> places;
    for (int z = 0; z < count.z; ++z)
        for (int y = 0; y < count.y; ++y)
            for (int x = 0; x < count.x; ++x)
                places.push_back(corner + spacing * Vec3d{double(x), double(y), double(z)});
    return places;
}

inline void start(Cloud& cloud) {
    moving::set_groups(cloud, std::vector<ParticleGroup>(cloud.setup.groups.all()), 0);
    cloud.state.velocity_previous = cloud.state.velocity;
}

/// A particle that falls on another comes back to e² of the height.
template <class MakeBackend>
void expect_bounce(const MakeBackend& make_backend) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic, sph::Integrator::staggered}) {
        const double height = 0.01, floor = 0.03;
        Choice choice;
        choice.integrator = integrator;
        const Cloud cloud = make_scene(choice, {{0.05, 0.05, floor}}, {{{0.05, 0.05, floor + 0.01 + height}}}, soft);
        const auto backend = make_backend(cloud);
        double highest = 0, lowest = 1;
        for (int n = 0; n < 500 && !(highest > 0 && backend->bodies()[0].state.velocity.z < 0); ++n) {
            take_steps(*backend, 5);
            const BodyState body = backend->bodies()[0].state;
            lowest = std::min(lowest, body.centre.z);
            if (body.velocity.z > 0) highest = std::max(highest, body.centre.z - floor - 0.01);
        }
        EXPECT_LT(lowest, floor + 0.01); // it did touch
        EXPECT_NEAR(highest / height, soft.restitution * soft.restitution, 0.02);
    }
}

/// Bodies that meet off their centres exchange momentum, and make none.
template <class MakeBackend>
void expect_kept_momentum(const MakeBackend& make_backend) {
    Cloud cloud = make_scene({}, {{0.01, 0.01, 0.01}},
                             {block({0.03, 0.04, 0.04}, {3, 2, 2}), block({0.0605, 0.044, 0.047}, {2, 2, 2})}, soft);
    cloud.setup.constants.gravity = {};
    cloud.setup.bodies[0].velocity = {0.5, 0.1, 0};
    cloud.setup.bodies[1].velocity = {-0.7, 0, 0.1};
    cloud.setup.bodies[1].angular_velocity = {0, 5, 3};
    start(cloud);
    const auto backend = make_backend(cloud);
    const auto momentum = [&] {
        Vec3d sum;
        const std::vector<BodyReport> now = backend->bodies();
        for (std::size_t b = 0; b < now.size(); ++b) sum = sum + cloud.setup.bodies[b].mass * now[b].state.velocity;
        return sum;
    };
    const Vec3d before = momentum();
    take_steps(*backend, 400);
    const Vec3d change = momentum() - before;
    EXPECT_LT(std::sqrt(dot(change, change)), 1e-8); // of parts of 6e-3 kg m/s
    const Vec3d turned = backend->bodies()[0].state.velocity - cloud.setup.bodies[0].velocity;
    EXPECT_LT(turned.x, -0.3); // they met
    EXPECT_GT(std::abs(backend->bodies()[0].state.angular_velocity.y), 1);
}

/// Hundreds of bodies, each over a particle of its own, all come back with e times their speed.
template <class MakeBackend>
void expect_many_bounces(const MakeBackend& make_backend) {
    constexpr int side = 20;
    std::vector<Vec3d> floor;
    std::vector<std::vector<Vec3d>> bodies;
    for (const Vec3d& place : block({0.02, 0.02, 0.03}, {side, side, 1}, 0.016)) {
        floor.push_back(place);
        bodies.push_back({place + Vec3d{0, 0, 0.0101}});
    }
    Cloud cloud = make_scene({}, floor, bodies, soft, 0.35);
    cloud.setup.constants.gravity = {};
    for (Body& body : cloud.setup.bodies) body.velocity = {0, 0, -0.5};
    start(cloud);
    const auto backend = make_backend(cloud);
    take_steps(*backend, 250);
    const std::vector<BodyReport> now = backend->bodies();
    ASSERT_EQ(now.size(), std::size_t(side * side));
    for (const BodyReport& body : now) {
        EXPECT_NEAR(body.state.velocity.z, soft.restitution * 0.5, 0.01);
        EXPECT_NEAR(body.state.velocity.x, 0, 1e-6);
    }
}

/// A block on a plane that leans, of which gravity is what leans: where it is after `time`, along the plane, and how
/// fast.
struct Slide {
    double way, speed;
};
template <class MakeBackend>
Slide slide(const MakeBackend& make_backend, double friction, double angle, double time) {
    Choice choice;
    choice.two_d = true;
    ContactMaterial material = soft;
    material.friction = friction;
    material.restitution = 1;     // dashpots would take energy at every bump of the plane
    const double fine = 0.01 / 8; // so that the plane is smooth
    std::vector<std::vector<Vec3d>> bodies{block({0.05, 0.01, 0.2099}, {5, 1, 1})};
    Cloud cloud = make_scene(choice, block({0.02, 0.01, 0.2}, {280, 1, 1}, fine), bodies, material, 0.4);
    cloud.setup.constants.gravity = 9.81 * Vec3d{std::sin(angle), 0, -std::cos(angle)};
    Body& body = cloud.setup.bodies[0];
    body.translates = {1, 0, 1};
    body.turns = {};
    body.mass = cloud.setup.contact_parts.parts[1].mass = 0.5; // it sinks in by more than what is left of the bumps
    const auto backend = make_backend(cloud);
    AdvanceLimits limits;
    limits.time = time;
    limits.steps = 1000000;
    limits.wall_seconds = 1e9;
    while (backend->advance(limits).time < time) {
    }
    const BodyState end = backend->bodies()[0].state;
    return {end.centre.x - body.centre.x, end.velocity.x};
}

/// It slides with g(sin θ − μ cos θ); below the angle of friction it stays but for the creep.
template <class MakeBackend>
void expect_friction(const MakeBackend& make_backend) {
    const double angle = 0.5, time = 0.25, acceleration = 9.81 * (std::sin(angle) - 0.3 * std::cos(angle));
    const Slide slides = slide(make_backend, 0.3, angle, time), rests = slide(make_backend, 0.8, angle, time);
    EXPECT_NEAR(slides.speed, acceleration * time, 0.04 * acceleration * time);
    EXPECT_NEAR(slides.way, 0.5 * acceleration * time * time, 0.05 * acceleration * time * time);
    const double creep = 1e-4 * 30;
    EXPECT_LT(std::abs(rests.speed), 3 * creep);
    EXPECT_LT(std::abs(rests.way), 3 * creep * time);
}

} // namespace sluice::elastic
