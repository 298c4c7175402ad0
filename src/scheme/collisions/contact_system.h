// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <algorithm>
#include <vector>

namespace sluice::collision {

/// What a unit of impulse along a direction of a contact does to a body. Joints make it move more than those that
/// touch.
struct Reply {
    int body = 0;
    Vec3d velocity, rate; ///< m/s and rad/s per N s
};

/// One contact as the solver sees it. Directions: the normal, from the second to the first body, and two across it.
struct Contact {
    int body[2] = {-1, -1}; ///< −1: none that impulses move
    Vec3d arm[2];           ///< from the centre of mass, m
    Vec3d direction[3];
    int first_reply[3] = {}, reply_count[3] = {};
    double give[3][3] = {}; ///< change of velocity along a direction by a unit of impulse along another, 1/kg
    double slip[3] = {};    ///< velocity of the first less that of the second without impulses, m/s
    double wanted = 0;      ///< the normal velocity at least, m/s
    double friction = 0;    ///< coefficient
    double impulse[3] = {}; ///< on the first, N s
    int group = 0;          ///< contacts of different groups do not act on one another
    bool acts = true;       ///< false: it has no impulse
};

/// All contacts, and what their impulses change the velocities of bodies by.
class ContactSystem {
public:
    explicit ContactSystem(std::size_t bodies) : velocity_(bodies), rate_(bodies) {}

    std::vector<Contact> contacts;
    std::vector<Reply> replies;

    const Vec3d& velocity(int body) const { return velocity_[std::size_t(body)]; }
    const Vec3d& rate(int body) const { return rate_[std::size_t(body)]; }

    /// No impulse has changed a velocity.
    void clear() {
        std::fill(velocity_.begin(), velocity_.end(), Vec3d{});
        std::fill(rate_.begin(), rate_.end(), Vec3d{});
    }

    /// What a unit of impulse along a direction of one contact changes the velocity along one of another by, 1/kg.
    double coupling(const Contact& c, int i, const Contact& other, int j) const {
        double sum = 0;
        for (int r = other.first_reply[j]; r < other.first_reply[j] + other.reply_count[j]; ++r) {
            const Reply& reply = replies[std::size_t(r)];
            for (int e = 0; e < 2; ++e)
                if (c.body[e] == reply.body)
                    sum += (e == 0 ? 1 : -1) * dot(c.direction[i], reply.velocity + cross(reply.rate, c.arm[e]));
        }
        return sum;
    }

    /// Has to follow when replies have been set.
    void find_gives() {
        for (Contact& c : contacts)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) c.give[i][j] = coupling(c, i, c, j);
    }

    /// With all impulses, m/s.
    double velocity_along(const Contact& c, int i) const {
        double sum = c.slip[i];
        for (int e = 0; e < 2; ++e)
            if (c.body[e] >= 0)
                sum += (e == 0 ? 1 : -1) * dot(c.direction[i], velocity(c.body[e]) + cross(rate(c.body[e]), c.arm[e]));
        return sum;
    }

    void push(Contact& c, int i, double impulse) {
        if (impulse == 0) return;
        c.impulse[i] += impulse;
        for (int r = c.first_reply[i]; r < c.first_reply[i] + c.reply_count[i]; ++r) {
            const Reply& reply = replies[std::size_t(r)];
            Vec3d &v = velocity_[std::size_t(reply.body)], &w = rate_[std::size_t(reply.body)];
            v = v + impulse * reply.velocity;
            w = w + impulse * reply.rate;
        }
    }

    void set(Contact& c, int i, double impulse) { push(c, i, impulse - c.impulse[i]); }

    /// Finds the velocities anew that the impulses of a whole group give, so that nothing stays of the rounding of
    /// greater ones before. `places`: in the list of contacts.
    void refresh(const std::vector<int>& places) {
        for (const int k : places)
            for (const int first : contacts[std::size_t(k)].first_reply)
                for (int r = first; r < first + contacts[std::size_t(k)].reply_count[0]; ++r)
                    velocity_[std::size_t(replies[std::size_t(r)].body)] =
                        rate_[std::size_t(replies[std::size_t(r)].body)] = {};
        for (const int k : places)
            for (int i = 0; i < 3; ++i) {
                Contact& c = contacts[std::size_t(k)];
                const double impulse = c.impulse[i];
                c.impulse[i] = 0;
                push(c, i, impulse);
            }
    }

private:
    std::vector<Vec3d> velocity_, rate_; ///< of bodies, m/s and rad/s
};

} // namespace sluice::collision
