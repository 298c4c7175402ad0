// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/mechanism_builder.h"
#include "scheme/collisions/impulses.h"
#include "scheme/collisions/moving_colliders.h"
#include <numeric>

// How bodies move that touch one another and walls (docs/theory.md, Contacts). Over a sub-step every mechanism moves
// as if nothing touched; then contacts act: first impacts, each at once when its gap closes, then the forces that hold
// what is closed. Bodies of joints answer with their whole mechanism, so that joints and contacts hold together.

namespace sluice {

/// A contact as a table has it.
struct ContactReport {
    int first = 0, second = 0; ///< of Collisions::colliders
    Vec3d point, normal;       ///< m from the domain's lower corner; from the second to the first
    double gap = 0;            ///< m
    Vec3d force;               ///< on the first, mean over the last sub-step, N
};

class CollidingBodies {
public:
    /// Both outlive it. Every body of a collider belongs to a mechanism.
    CollidingBodies(const Collisions& all, const Mechanisms& mechanisms, std::size_t bodies)
        : all_(all), mechanisms_(mechanisms), arrays_(mechanisms), finder_(all), colliders_(all, mechanisms, bodies),
          system_(bodies), solver_(system_), way_(bodies), turn_(bodies) {}
    CollidingBodies(const CollidingBodies&) = delete;
    CollidingBodies& operator=(const CollidingBodies&) = delete;

    /// Brings the bodies of all mechanisms `dt` (s) on from `time`, as advance_mechanism does.
    void advance(BodyStage stage, const BodyState* from, const BodyLoads* loads, BodyState* to,
                 const MechanismDrive& drive, double time, double dt) {
        using namespace mechanism;
        std::vector<Part> parts;
        std::vector<bool> moves;
        int count = 1;
        for (int m = 0; m < static_cast<int>(mechanisms_.all.size()); ++m) {
            Part p = part_of(mechanisms_.view(), m, drive, arrays_.numbers());
            moves.push_back(begin_stage(p, stage, from, loads, to, time, dt));
            if (moves.back()) count = std::max(count, sub_steps(stiffest_rate(p, &BodyNumbers::from, time), dt));
            parts.push_back(p);
        }
        colliders_.begin(drive, std::move(parts), std::move(moves), from);
        count = std::max(count, colliders_.steps_of_ways(dt));
        for (int n = 0; n < count; ++n) {
            const double begin = time + n * (dt / count);
            for (std::size_t m = 0; m < colliders_.parts().size(); ++m) {
                Part& p = colliders_.parts()[m];
                p.dt = dt / count;
                p.time = begin;
                if (!colliders_.moves(m)) continue;
                for (int b = 0; b < p.body_count; ++b) colliders_.start(p.bodies[b]) = p.body[b].from;
                take_sub_step(p);
            }
            collide(norm(drive.drive.gravity) * (dt / count), begin, dt / count);
        }
        for (std::size_t m = 0; m < colliders_.parts().size(); ++m)
            if (colliders_.moves(m)) end_stage(colliders_.parts()[m], from, to);
    }

    /// The contacts of the last sub-step, those without a force among them.
    const std::vector<ContactReport>& reports() const { return reports_; }

private:
    /// What the solver does not ask of a contact.
    struct Closing {
        Touch touch;
        CollisionMaterial pair;
        double slip[2][3] = {}; ///< at begin and end of the sub-step along its directions, m/s
        double slowest = 0;     ///< impact that rebounds, m/s
        bool hits = false;      ///< it closes with an impact that does
        double time = 0;        ///< of that, since the begin of the sub-step; else 0, s
        double impact_time = 0; ///< when its impulse acts, or begins to, s

        double slip_at(double share, int i) const { return slip[0][i] + share * (slip[1][i] - slip[0][i]); }
    };

    static constexpr double tolerance = 1e-7; ///< of velocities, as a part of what they are in a sub-step
    /// The part of a depth beyond the overlap that bodies may keep that a sub-step takes back.
    static constexpr double push_part = 0.2;
    static constexpr double push_tolerance = 1e-3; ///< of overlap and depth

    /// `weight`: what it gives a velocity in a sub-step, m/s.
    void collide(double weight, double time, double dt) {
        closings_.clear();
        system_.contacts.clear();
        system_.replies.clear();
        reports_.clear();
        colliders_.find_places(time, dt);
        for (const Touch& touch : finder_.find(colliders_.places(), colliders_.margins(),
                                               [&](int a, int b) { return colliders_.may_touch(a, b); }))
            add_contact(touch, weight, dt);
        if (closings_.empty()) return;
        prepare_mechanisms(time);
        for (collision::Contact& c : system_.contacts) add_replies(c);
        system_.find_gives();
        find_groups();
        std::fill(way_.begin(), way_.end(), Vec3d{});
        std::fill(turn_.begin(), turn_.end(), Vec3d{});
        system_.clear();
        solve_impacts(weight, dt);
        solve_rests(weight, dt);
        for_each_touched([&](int body, mechanism::Course& to) {
            to.velocity = to.velocity + system_.velocity(body);
            to.omega = to.omega + system_.rate(body);
        });
        push_out();
        for_each_touched([&](int body, mechanism::Course& to) {
            to.centre = to.centre + way_[std::size_t(body)];
            body::turn_by(to.turning, turn_[std::size_t(body)]);
        });
        for (std::size_t m = 0; m < touched_.size(); ++m) {
            if (!touched_[m]) continue;
            const mechanism::Part& p = colliders_.parts()[m];
            mechanism::project(p);
            for (int b = 0; b < p.body_count; ++b) p.body[b].from = p.body[b].to;
        }
    }

    void add_contact(const Touch& touch, double weight, double dt) {
        Closing closing;
        collision::Contact c;
        closing.touch = touch;
        closing.pair = collision::pair_of(all_.colliders[std::size_t(touch.first)].material,
                                          all_.colliders[std::size_t(touch.second)].material);
        c.direction[0] = touch.normal;
        mechanism::make_sides(touch.normal, c.direction + 1);
        const int colliders[2] = {touch.first, touch.second};
        for (int e = 0; e < 2; ++e) {
            Vec3d velocity[2];
            colliders_.find_velocities(colliders[e], touch.point, velocity);
            c.body[e] = colliders_.free_body(colliders[e]);
            if (c.body[e] >= 0) c.arm[e] = colliders_.arm_of(c.body[e], touch.point);
            for (int at = 0; at < 2; ++at)
                for (int i = 0; i < 3; ++i)
                    closing.slip[at][i] += (e == 0 ? 1 : -1) * dot(c.direction[i], velocity[at]);
        }
        const double acceleration = (closing.slip[1][0] - closing.slip[0][0]) / dt,
                     time = collision::closing_time(touch.gap, closing.slip[0][0], acceleration, dt);
        closing.slowest = std::max(collision::slowest_rebound(acceleration, dt), 2 * weight);
        closing.hits = time >= 0 && closing.slip_at(time / dt, 0) < -closing.slowest;
        if (closing.hits) closing.time = time;
        closings_.push_back(closing);
        system_.contacts.push_back(c);
        reports_.push_back({touch.first, touch.second, touch.point, touch.normal, touch.gap, {}});
    }

    /// The equations of the joints of what is touched, where it is at the begin of the sub-step.
    void prepare_mechanisms(double time) {
        touched_.assign(colliders_.parts().size(), false);
        for (const collision::Contact& c : system_.contacts)
            for (const int body : c.body)
                if (body >= 0) touched_[std::size_t(colliders_.mechanism_of(body))] = true;
        for (std::size_t m = 0; m < touched_.size(); ++m) {
            if (!touched_[m]) continue;
            const mechanism::Part& p = colliders_.parts()[m];
            for (int b = 0; b < p.body_count; ++b) p.body[b].at = colliders_.start(p.bodies[b]);
            mechanism::find_equations(p, &mechanism::BodyNumbers::at, time);
            if (p.row_count > 0) mechanism::factorise(p);
        }
    }

    void add_replies(collision::Contact& c) {
        for (int i = 0; i < 3; ++i) {
            c.first_reply[i] = static_cast<int>(system_.replies.size());
            for (int e = 0; e < 2; ++e) {
                if (c.body[e] < 0) continue;
                const mechanism::Part& p = colliders_.parts()[std::size_t(colliders_.mechanism_of(c.body[e]))];
                mechanism::find_reply(p, colliders_.place_in_mechanism(c.body[e]), c.arm[e],
                                      (e == 0 ? 1.0 : -1.0) * c.direction[i]);
                for (int b = 0; b < p.body_count; ++b)
                    if (p.row_count > 0 || p.bodies[b] == c.body[e])
                        system_.replies.push_back({p.bodies[b], p.body[b].acceleration, p.body[b].angular});
            }
            c.reply_count[i] = static_cast<int>(system_.replies.size()) - c.first_reply[i];
        }
    }

    /// Contacts that act on one another, through bodies that move, are of one group.
    void find_groups() {
        std::vector<int> group(touched_.size());
        std::iota(group.begin(), group.end(), 0);
        const auto of = [&](int m) {
            while (group[std::size_t(m)] != m) m = group[std::size_t(m)];
            return m;
        };
        for (const collision::Contact& c : system_.contacts) {
            const int a = colliders_.mechanism_of(c.body[0]), b = colliders_.mechanism_of(c.body[1]);
            if (a < 0 || b < 0) continue;
            const int low = std::min(of(a), of(b)), high = std::max(of(a), of(b));
            group[std::size_t(high)] = low;
        }
        for (collision::Contact& c : system_.contacts)
            c.group = of(colliders_.mechanism_of(c.body[0] >= 0 ? c.body[0] : c.body[1]));
    }

    static double coefficient(const CollisionMaterial& pair, const double slip[3], double weight) {
        constexpr double creep = 1e-3; // of what the weight gives in a sub-step: slower points do not slip
        return std::hypot(slip[1], slip[2]) <= creep * weight ? pair.static_friction : pair.friction;
    }

    /// Impacts: all together, each as fast as it is when its gap closes. What is closed already, but for a gap that the
    /// weight closes in a sub-step, passes them on.
    void solve_impacts(double weight, double dt) {
        bool any = false;
        double fastest = 0;
        for (std::size_t k = 0; k < closings_.size(); ++k) {
            const Closing& closing = closings_[k];
            collision::Contact& c = system_.contacts[k];
            for (int i = 0; i < 3; ++i) {
                c.slip[i] = closing.slip_at(closing.time / dt, i);
                fastest = std::max(fastest, std::fabs(c.slip[i]));
            }
            c.acts = closing.hits || closing.touch.gap <= 2 * weight * dt;
            c.wanted = closing.hits ? -closing.pair.restitution * c.slip[0] : std::min(c.slip[0], 0.0);
            c.friction = coefficient(closing.pair, c.slip, weight);
            any = any || closing.hits;
        }
        if (!any) return;
        find_impact_times();
        solver_.solve(tolerance * std::max(weight, fastest), true);
        take_ways(dt, 1);
    }

    /// What is hit while it rests on something passes the impact on when it is hit.
    void find_impact_times() {
        std::vector<double> last(touched_.size(), 0);
        const auto latest = [&](std::size_t k) -> double& { return last[std::size_t(system_.contacts[k].group)]; };
        for (std::size_t k = 0; k < closings_.size(); ++k) latest(k) = std::max(latest(k), closings_[k].time);
        for (std::size_t k = 0; k < closings_.size(); ++k)
            closings_[k].impact_time = closings_[k].hits ? closings_[k].time : latest(k);
    }

    /// The forces that hold what is closed until the end of the sub-step, and let no open gap close beyond. What has
    /// not closed, and will do so with an impact, waits for that.
    void solve_rests(double weight, double dt) {
        double fastest = 0;
        for (std::size_t k = 0; k < closings_.size(); ++k) {
            Closing& closing = closings_[k];
            collision::Contact& c = system_.contacts[k];
            for (int i = 0; i < 3; ++i) {
                c.slip[i] = closing.slip[1][i];
                fastest = std::max(fastest, std::fabs(c.slip[i] - closing.slip[0][i]));
            }
            const double gap = closing.hits ? 0 : std::max(closing.touch.gap, 0.0);
            c.acts = !(gap > 0) || system_.velocity_along(c, 0) >= -closing.slowest;
            c.wanted = -gap / dt;
            c.friction = coefficient(closing.pair, closing.slip[0], weight);
            closing.impact_time = closing.time;
        }
        solver_.solve(tolerance * std::max(weight, fastest), true);
        take_ways(dt, 0.5);
    }

    /// Adds how far the impulses move the bodies until the end of the sub-step: each for what is left of it, by a
    /// `part` of what they give the velocity.
    void take_ways(double dt, double part) {
        for (std::size_t k = 0; k < closings_.size(); ++k) {
            const collision::Contact& c = system_.contacts[k];
            add_ways(c, part * (dt - closings_[k].impact_time));
            for (int i = 0; i < 3; ++i) reports_[k].force = reports_[k].force + (c.impulse[i] / dt) * c.direction[i];
        }
    }

    void add_ways(const collision::Contact& c, double time) {
        for (int i = 0; i < 3; ++i)
            for (int r = c.first_reply[i]; r < c.first_reply[i] + c.reply_count[i]; ++r) {
                const collision::Reply& reply = system_.replies[std::size_t(r)];
                Vec3d &way = way_[std::size_t(reply.body)], &turn = turn_[std::size_t(reply.body)];
                way = way + (time * c.impulse[i]) * reply.velocity;
                turn = turn + (time * c.impulse[i]) * reply.rate;
            }
    }

    /// Moves bodies apart that overlap too far, without giving them a velocity.
    void push_out() {
        double deepest = 0;
        for (std::size_t k = 0; k < closings_.size(); ++k) {
            collision::Contact& c = system_.contacts[k];
            const double depth = std::max(-closings_[k].touch.gap - all_.overlap, 0.0);
            c.slip[0] = c.slip[1] = c.slip[2] = 0;
            c.wanted = push_part * depth;
            c.acts = true;
            deepest = std::max(deepest, depth);
        }
        if (!(deepest > push_tolerance * all_.overlap)) return;
        system_.clear();
        solver_.solve(push_tolerance * deepest, false);
        for (const collision::Contact& c : system_.contacts) add_ways(c, 1);
    }

    template <class Visit>
    void for_each_touched(Visit&& visit) {
        for (std::size_t m = 0; m < touched_.size(); ++m) {
            const mechanism::Part& p = colliders_.parts()[m];
            for (int b = 0; touched_[m] && b < p.body_count; ++b) visit(p.bodies[b], p.body[b].to);
        }
    }

    const Collisions& all_;
    const Mechanisms& mechanisms_;
    MechanismArrays arrays_;
    TouchFinder finder_;
    MovingColliders colliders_;
    collision::ContactSystem system_;
    collision::ImpulseSolver solver_;
    std::vector<bool> touched_;     ///< of each mechanism
    std::vector<Vec3d> way_, turn_; ///< by which contacts move each body in a sub-step, m and rad
    std::vector<Closing> closings_; ///< of the same places in the list as the contacts of the system
    std::vector<ContactReport> reports_;
};

} // namespace sluice
