// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/collisions/active_contacts.h"

// The impulses of all contacts together: each normal impulse pushes, and leaves no approach; each tangential one stops
// the slip or is as large as Coulomb's law lets it be, against the slip. Sweeps of a projected Gauss–Seidel method
// there and back say which contacts are closed and stick; a direct solution for those follows where few enough contacts
// act on one another. It begins with no impulse, so that its result follows from the states of the bodies alone.

namespace sluice::collision {

class ImpulseSolver {
public:
    explicit ImpulseSolver(ContactSystem& system) : system_(system), active_(system) {}

    /// Finds the impulses of all contacts, from none on, to a tolerance of the velocities (m/s). `friction`: with those
    /// across. Returns the number of contacts that are known less well.
    std::size_t solve(double tolerance, bool friction) {
        std::vector<Contact>& all = system_.contacts;
        for (Contact& c : all) c.impulse[0] = c.impulse[1] = c.impulse[2] = 0;
        find_order();
        std::size_t less_well = 0;
        for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
            const int group = all[std::size_t(order_[begin])].group;
            while (end < order_.size() && all[std::size_t(order_[end])].group == group) ++end;
            places_.assign(order_.begin() + std::ptrdiff_t(begin), order_.begin() + std::ptrdiff_t(end));
            if (sweep(first_sweeps, tolerance, friction) || active_.improve(places_, tolerance, friction) ||
                sweep(more_sweeps, tolerance, friction))
                continue;
            less_well += places_.size();
        }
        return less_well;
    }

private:
    static constexpr int first_sweeps = 4, more_sweeps = 60;

    /// The contacts that act, in the order of their groups.
    void find_order() {
        order_.clear();
        for (std::size_t k = 0; k < system_.contacts.size(); ++k)
            if (system_.contacts[k].acts && system_.contacts[k].give[0][0] > 0) order_.push_back(static_cast<int>(k));
        std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
            return system_.contacts[std::size_t(a)].group < system_.contacts[std::size_t(b)].group;
        });
    }

    /// Sweeps there and back until none changes a velocity by more than the tolerance; false where that does not come.
    bool sweep(int most, double tolerance, bool friction) {
        for (int n = 0; n < most; ++n) {
            double change = 0;
            for (std::size_t k = 0; k < places_.size(); ++k) change = std::max(change, relax(k, friction));
            for (std::size_t k = places_.size(); k-- > 0;) change = std::max(change, relax(k, friction));
            if (change <= tolerance) return true;
        }
        return false;
    }

    /// Satisfies the laws of one contact alone; by how much it has changed its velocities, m/s.
    double relax(std::size_t k, bool friction) {
        Contact& c = system_.contacts[std::size_t(places_[k])];
        const double before[3] = {c.impulse[0], c.impulse[1], c.impulse[2]};
        const double approach = system_.velocity_along(c, 0) - c.wanted;
        system_.set(c, 0, std::max(c.impulse[0] - approach / c.give[0][0], 0.0));
        if (friction && c.friction > 0) relax_friction(c);
        double change = 0;
        for (int i = 0; i < 3; ++i) change = std::max(change, std::fabs(c.impulse[i] - before[i]) * c.give[i][i]);
        return change;
    }

    void relax_friction(Contact& c) {
        const double v[2] = {system_.velocity_along(c, 1), system_.velocity_along(c, 2)}, a = c.give[1][1],
                     b = c.give[2][2], mixed = c.give[1][2], sum = a + b, determinant = a * b - mixed * mixed;
        if (!(sum > 0)) return;
        const double bound = c.friction * c.impulse[0];
        Tangential wanted{c.impulse[1], c.impulse[2]};
        constexpr double flat = 1e-9; // in the plane of a 2-D case one of both directions gives nothing
        if (determinant > flat * sum * sum)
            wanted = {wanted.first - (b * v[0] - mixed * v[1]) / determinant,
                      wanted.second - (a * v[1] - mixed * v[0]) / determinant};
        else
            wanted = {wanted.first - v[0] / sum, wanted.second - v[1] / sum};
        if (wanted.size() > bound) { // it slips: against the slip
            const double greatest = 0.5 * (sum + std::sqrt((a - b) * (a - b) + 4 * mixed * mixed));
            wanted = Tangential{c.impulse[1] - v[0] / greatest, c.impulse[2] - v[1] / greatest}.within(bound);
        }
        system_.set(c, 1, wanted.first);
        system_.set(c, 2, wanted.second);
    }

    ContactSystem& system_;
    ActiveContacts active_;
    std::vector<int> order_, places_;
};

} // namespace sluice::collision
