// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/rigid_motion.h"
#include "scheme/collisions/touches.h"
#include "scheme/mechanism_arrays.h"

namespace sluice {

/// Where colliders are in a sub-step, and how they move in it as if nothing touched.
class MovingColliders {
public:
    MovingColliders(const Collisions& all, const Mechanisms& mechanisms, std::size_t bodies)
        : all_(all), mechanisms_(mechanisms), place_(bodies, -1), reach_(all.colliders.size()), start_(bodies) {
        for (const Mechanism& m : mechanisms.all)
            for (int b = 0; b < m.body_count; ++b)
                place_[std::size_t(mechanisms.bodies[std::size_t(m.first_body + b)])] = b;
    }

    /// The mechanisms of a stage, and which of them are released; bodies of others stay where `held` has them.
    void begin(const MechanismDrive& drive, std::vector<mechanism::Part> parts, std::vector<bool> moves,
               const BodyState* held) {
        drive_ = &drive;
        parts_ = std::move(parts);
        moves_ = std::move(moves);
        held_ = held;
        for (std::size_t c = 0; c < all_.colliders.size(); ++c) {
            reach_[c] = 0;
            const int body = all_.colliders[c].body;
            for_each_shape(c, [&](const CollisionShape& shape) {
                if (body < 0) return;
                const double far = norm(shape.centre - drive.bodies[body].centre) + shape.reach;
                reach_[c] = std::max(reach_[c], far);
            });
        }
    }

    std::vector<mechanism::Part>& parts() { return parts_; }
    bool moves(std::size_t m) const { return moves_[m]; }
    int mechanism_of(int body) const { return body < 0 ? -1 : mechanisms_.of_body[std::size_t(body)]; }
    int place_in_mechanism(int body) const { return place_[std::size_t(body)]; }
    /// The body of a collider that moves freely; −1: none.
    int free_body(int collider) const {
        const int body = all_.colliders[std::size_t(collider)].body, m = mechanism_of(body);
        return m >= 0 && moves_[std::size_t(m)] ? body : -1;
    }
    /// Where a body is at the begin of the sub-step.
    mechanism::Course& start(int body) { return start_[std::size_t(body)]; }

    /// The sub-steps of a stage of `dt` (s) in which no body goes farther than its corners are round.
    int steps_of_ways(double dt) const {
        constexpr double most_sub_steps = 32;
        double most = 1;
        for (std::size_t c = 0; c < all_.colliders.size(); ++c) {
            const int body = free_body(static_cast<int>(c));
            if (body < 0) continue;
            const mechanism::Course& course = numbers_of(body).from;
            const double way =
                dt * (norm(course.velocity) + dt * norm(drive_->drive.gravity) + norm(course.omega) * reach_[c]);
            for_each_shape(c, [&](const CollisionShape& shape) {
                most = std::max(most, way / (shape.rounding > 0 ? shape.rounding : 0.1 * shape.reach));
            });
        }
        return static_cast<int>(std::ceil(std::min(most, most_sub_steps)));
    }

    /// Finds where all are at the begin of a sub-step, and how far they may come in it. Courses lead to its end.
    void find_places(double time, double dt) {
        places_.clear();
        ends_.clear();
        margins_.clear();
        const double fall = norm(drive_->drive.gravity) * dt * dt;
        for (std::size_t c = 0; c < all_.colliders.size(); ++c) {
            places_.push_back(place_of(c, time));
            ends_.push_back(all_.colliders[c].wall >= 0 ? place_of(c, time + dt) : RigidMotion{});
            margins_.push_back(margin_of(c, dt) + fall);
        }
    }
    const std::vector<RigidMotion>& places() const { return places_; }
    const std::vector<double>& margins() const { return margins_; }

    /// What is held, and what a joint holds together, does not collide.
    bool may_touch(int first, int second) const {
        if (free_body(first) < 0 && free_body(second) < 0) return false;
        const Collider &a = all_.colliders[std::size_t(first)], &b = all_.colliders[std::size_t(second)];
        for (const int m : {mechanism_of(a.body), mechanism_of(b.body)}) {
            if (m < 0) continue;
            const mechanism::Part& p = parts_[std::size_t(m)];
            const auto holds = [&](const JointEnd& end, const Collider& c) {
                return c.body >= 0 ? end.body >= 0 && p.bodies[end.body] == c.body : c.wall >= 0 && end.wall == c.wall;
            };
            for (int j = 0; j < p.joint_count; ++j) {
                const JointEnd(&end)[2] = p.joints[j].end;
                if ((holds(end[0], a) && holds(end[1], b)) || (holds(end[0], b) && holds(end[1], a))) return false;
            }
        }
        return true;
    }

    Vec3d arm_of(int body, const Vec3d& point) const {
        Vec3d arm = point - start_[std::size_t(body)].centre;
        if (all_.two_d) arm.y = 0;
        return arm;
    }

    /// The velocity of a collider where a point is at the begin of the sub-step, then and at its end, m/s.
    void find_velocities(int c, const Vec3d& point, Vec3d velocity[2]) const {
        velocity[0] = velocity[1] = {};
        if (const int body = free_body(c); body >= 0) {
            const mechanism::Course &from = start_[std::size_t(body)], &to = numbers_of(body).to;
            const Vec3d arm = arm_of(body, point);
            velocity[0] = from.velocity + cross(from.omega, arm);
            velocity[1] = to.velocity + cross(to.omega, arm);
        } else if (all_.colliders[std::size_t(c)].wall >= 0) {
            const RigidMotion &from = places_[std::size_t(c)], &to = ends_[std::size_t(c)];
            const Vec3d way = point - from.translation;
            const Vec3d at_start = way.x * from.rotation[0] + way.y * from.rotation[1] + way.z * from.rotation[2];
            velocity[0] = from.velocity_at(point);
            velocity[1] = to.velocity_of(at_start);
        }
    }

private:
    template <class Visit>
    void for_each_shape(std::size_t c, Visit&& visit) const {
        const Collider& collider = all_.colliders[c];
        for (int s = collider.first_shape; s < collider.first_shape + collider.shape_count; ++s)
            visit(all_.shapes[std::size_t(s)]);
    }

    const mechanism::BodyNumbers& numbers_of(int body) const {
        return parts_[std::size_t(mechanism_of(body))].body[place_[std::size_t(body)]];
    }

    RigidMotion place_of(std::size_t c, double time) const {
        const Collider& collider = all_.colliders[c];
        if (collider.wall >= 0) return motion_at(drive_->walls, collider.wall, time);
        if (collider.body < 0) return {};
        const Body& body = drive_->bodies[collider.body];
        if (free_body(static_cast<int>(c)) < 0) return motion_of(body, held_[collider.body]);
        const mechanism::Course& course = start_[std::size_t(collider.body)];
        RigidMotion motion;
        rows_of_turning(course.turning, motion.rotation);
        motion.translation = course.centre - motion.turned(body.centre);
        return motion;
    }

    double margin_of(std::size_t c, double dt) const {
        if (const int body = free_body(static_cast<int>(c)); body >= 0) {
            const mechanism::Course &from = start_[std::size_t(body)], &to = numbers_of(body).to;
            return dt * (std::max(norm(from.velocity), norm(to.velocity)) +
                         std::max(norm(from.omega), norm(to.omega)) * reach_[c]);
        }
        if (all_.colliders[c].wall < 0) return 0;
        const RigidMotion &from = places_[c], &to = ends_[c];
        const double turn = dt * std::max(norm(from.angular_velocity), norm(to.angular_velocity));
        double way = 0;
        for_each_shape(c, [&](const CollisionShape& shape) {
            const double far = std::max(dt * norm(from.velocity_of(shape.centre)),
                                        norm(to.position_of(shape.centre) - from.position_of(shape.centre)));
            way = std::max(way, far + turn * shape.reach);
        });
        return way;
    }

    const Collisions& all_;
    const Mechanisms& mechanisms_;
    const MechanismDrive* drive_ = nullptr;
    const BodyState* held_ = nullptr;
    std::vector<int> place_;    ///< of each body in its mechanism
    std::vector<double> reach_; ///< of the body of each collider from its centre of mass, m
    std::vector<mechanism::Part> parts_;
    std::vector<bool> moves_;
    std::vector<mechanism::Course> start_; ///< of each body
    std::vector<RigidMotion> places_, ends_;
    std::vector<double> margins_;
};

} // namespace sluice
