// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/collision_builder.h"
#include "model/mechanism_builder.h"
#include "scheme/collisions/colliding_bodies.h"
#include "scheme/outer_work.h"
#include <array>
#include <memory>
#include <numbers>
#include <numeric>

namespace sluice::test {

constexpr double earth_g = 9.81;

/// The surface of a box about a place, turned about y by an angle (rad), with normals outward.
inline std::vector<Facet> box_surface(const Vec3d& centre, const Vec3d& size, double tilt = 0) {
    const auto corner = [&](int x, int y, int z) {
        const Vec3d p{(x - 0.5) * size.x, (y - 0.5) * size.y, (z - 0.5) * size.z};
        return centre +
               Vec3d{p.x * std::cos(tilt) + p.z * std::sin(tilt), p.y, -p.x * std::sin(tilt) + p.z * std::cos(tilt)};
    };
    std::vector<Facet> facets;
    const auto face = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
        facets.push_back({a, b, c});
        facets.push_back({a, c, d});
    };
    face(corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0));
    face(corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1));
    face(corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1));
    face(corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0));
    face(corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1), corner(0, 1, 0));
    face(corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1));
    return facets;
}

/// Of a ball, as drawn ones are: circles of latitude.
inline std::vector<Facet> ball_facets(const Vec3d& centre, double radius, int sides = 96) {
    std::vector<Facet> facets;
    const auto at = [&](int i, int j) {
        const double polar = std::numbers::pi * i / (sides / 2), around = 2 * std::numbers::pi * (j % sides) / sides;
        const double across = i == 0 || i == sides / 2 ? 0 : std::sin(polar);
        return centre + radius * Vec3d{across * std::cos(around), across * std::sin(around), std::cos(polar)};
    };
    for (int i = 0; i < sides / 2; ++i)
        for (int j = 0; j < sides; ++j) {
            if (i > 0) facets.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
            if (i < sides / 2 - 1) facets.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
        }
    return facets;
}

/// Bodies that touch each other and walls, without a run.
struct CollidingRig {
    std::vector<Body> bodies;
    std::vector<JointRequest> joints;
    std::vector<SeriesSample> samples;
    Motions walls;
    Vec3d gravity{0, 0, -earth_g};
    Collisions collisions;
    CollisionMaterial material{0, 0, 0, false};
    Mechanisms mechanisms;
    std::vector<BodyState> states;
    std::vector<BodyLoads> loads;
    std::unique_ptr<CollidingBodies> colliding;
    double time = 0;
    BodyStage stage = BodyStage::symplectic;

    /// A floor whose top is at z = 0, turned about y.
    void floor(double tilt = 0, const Vec3d& size = {40, 40, 2}) {
        const Vec3d down{-std::sin(tilt), 0, -std::cos(tilt)};
        wall(box_surface(0.5 * size.z * down, size, tilt));
    }
    void wall(const std::vector<Facet>& facets, int motion = -1) {
        Collider collider;
        collider.wall = motion;
        collider.material = material;
        add_collider(collisions, collider, facets, 0.01, 0.02);
    }
    int add(const Body& body, const std::vector<Facet>& facets) {
        Collider collider;
        collider.body = static_cast<int>(bodies.size());
        collider.material = material;
        bodies.push_back(body);
        add_collider(collisions, collider, facets, 0.01, 0.02);
        return collider.body;
    }
    int add_box(const Vec3d& centre, const Vec3d& size = {0.2, 0.2, 0.2}, double tilt = 0, double mass = 1) {
        Body body;
        body.mass = mass;
        body.centre = centre;
        const double c = std::cos(tilt), s = std::sin(tilt);
        const auto moment = [&](int axis) { return mass * (dot(size, size) - size[axis] * size[axis]) / 12; };
        body.inertia[0] = {c * c * moment(0) + s * s * moment(2), 0, c * s * (moment(2) - moment(0))};
        body.inertia[1] = {0, moment(1), 0};
        body.inertia[2] = {c * s * (moment(2) - moment(0)), 0, s * s * moment(0) + c * c * moment(2)};
        return add(body, box_surface(centre, size, tilt));
    }
    int add_ball(const Vec3d& centre, double radius, double mass = 1) {
        Body body;
        body.mass = mass;
        body.centre = centre;
        for (int axis = 0; axis < 3; ++axis) {
            body.inertia[axis] = {};
            body.inertia[axis][axis] = 0.4 * mass * radius * radius;
        }
        return add(body, ball_facets(centre, radius, 64));
    }
    void assemble() {
        std::vector<int> alone(bodies.size());
        std::iota(alone.begin(), alone.end(), 0);
        mechanisms = make_mechanisms(bodies.size(), joints, alone);
        collisions.overlap = 0.005;
        states.clear();
        for (const Body& body : bodies) states.push_back(initial_state(body));
        loads.assign(bodies.size(), {});
        colliding = std::make_unique<CollidingBodies>(collisions, mechanisms, bodies.size());
    }
    MechanismDrive drive() { return {bodies.data(), {gravity, samples.data()}, walls.view()}; }
    void step(double dt) {
        colliding->advance(stage, states.data(), loads.data(), states.data(), drive(), time, dt);
        time += dt;
    }
    void run(double dt, int steps) {
        for (int n = 0; n < steps; ++n) step(dt);
    }
    double energy() const {
        double sum = 0;
        for (std::size_t b = 0; b < bodies.size(); ++b) sum += mechanical_energy(bodies[b], states[b], gravity);
        return sum;
    }
    Vec3d momentum() const {
        Vec3d sum;
        for (std::size_t b = 0; b < bodies.size(); ++b) sum = sum + bodies[b].mass * states[b].velocity;
        return sum;
    }
    /// About the origin.
    Vec3d angular_momentum() const {
        Vec3d sum;
        for (std::size_t b = 0; b < bodies.size(); ++b) {
            Vec3d inertia[3];
            body::turned_inertia(bodies[b].inertia, states[b].turning, inertia);
            sum = sum + bodies[b].mass * cross(states[b].centre, states[b].velocity) +
                  body::product(inertia, states[b].angular_velocity);
        }
        return sum;
    }
};

} // namespace sluice::test
