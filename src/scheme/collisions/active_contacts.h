// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/collision/contact_law.h"
#include "scheme/collisions/contact_system.h"
#include <array>

namespace sluice::collision {

/// Solves for the impulses of a group of contacts by factorising the matrix of those that are closed, and of the
/// directions in which they stick, and by looking anew at which these are until none is wrong: all that are wrong
/// change while they become fewer, else only the last of them (block principal pivoting of Júdice & Pires 1994, Comput.
/// Oper. Res. 21, 587). A small compliance makes how contacts share what they bear unique, and leaves a velocity of
/// `ridge` of what they stop.
class ActiveContacts {
public:
    /// With more equations than these the factors cost more than they save.
    static constexpr std::size_t most_rows = 240;

    explicit ActiveContacts(ContactSystem& system) : system_(system) {}

    /// Improves the impulses of the contacts with these places in the system's list. False: nothing has been found, and
    /// they are as they were. `tolerance`: of velocities, m/s.
    bool improve(const std::vector<int>& places, double tolerance, bool friction) {
        if (places.size() * (friction ? 3 : 1) > most_rows) return false;
        places_ = &places;
        tolerance_ = tolerance;
        rough_ = friction;
        find_couplings();
        keep();
        begin();
        ridge_ = ridges.back();
        if (pivot(quick_rounds)) return true;
        restore();
        begin();
        for (const double ridge : ridges) {
            ridge_ = ridge;
            factorised_ = false;
            if (pivot(most_rounds) && ridge == ridges.back()) return true;
        }
        restore();
        return false;
    }

private:
    enum class Kind { open, slips, sticks };
    struct Row {
        std::size_t contact;
        int direction;
    };
    struct Wrong {
        std::size_t contact;
        Kind kind; ///< that it should be
    };
    static constexpr int quick_rounds = 4, most_rounds = 16, most_tries = 3;
    /// Compliances, as parts of the diagonal: with a great one what is closed shows soon.
    static constexpr std::array ridges{1e-1, 1e-2, 1e-4, 1e-6, 1e-8};
    static constexpr double flat = 1e-9; ///< a direction that gives less than this part of the others cannot move
    static constexpr double near = 1e6;  ///< tolerances by which a first guess may be wrong

    Contact& contact(std::size_t k) { return system_.contacts[std::size_t((*places_)[k])]; }
    bool is_rough(const Contact& c) const { return rough_ && c.friction > 0; }
    double& all(std::size_t i, std::size_t j) { return all_[i * (i + 1) / 2 + j]; }
    double& entry(std::size_t i, std::size_t j) { return factors_[i * (i + 1) / 2 + j]; }

    double slip_speed(const Contact& c) const {
        return std::hypot(system_.velocity_along(c, 1), system_.velocity_along(c, 2));
    }

    /// Changes contacts that are wrong until none is; false where that does not come.
    bool pivot(int rounds) {
        std::size_t fewest = kind_.size() + 1;
        int tries = most_tries;
        for (int round = 0; round < rounds && solve(); ++round) {
            const bool settled = settle();
            find_wrong();
            if (wrong_.empty() && settled) return true;
            if (wrong_.empty()) continue;
            if (wrong_.size() < fewest) {
                fewest = wrong_.size();
                tries = most_tries;
            } else {
                --tries;
            }
            for (std::size_t k = tries > 0 ? 0 : wrong_.size() - 1; k < wrong_.size(); ++k) change(wrong_[k]);
            factorised_ = false;
        }
        return false;
    }

    void find_couplings() {
        const std::size_t count = places_->size();
        all_.resize(3 * count * (3 * count + 1) / 2);
        for (std::size_t i = 0; i < 3 * count; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                all(i, j) = system_.coupling(contact(i / 3), int(i % 3), contact(j / 3), int(j % 3));
    }

    void keep() {
        before_.clear();
        for (std::size_t k = 0; k < places_->size(); ++k) {
            const Contact& c = contact(k);
            before_.push_back({c.impulse[0], c.impulse[1], c.impulse[2]});
        }
    }

    void restore() {
        for (std::size_t k = 0; k < before_.size(); ++k)
            for (int i = 0; i < 3; ++i) contact(k).impulse[i] = before_[k][std::size_t(i)];
        system_.refresh(*places_);
    }

    void begin() {
        kind_.clear();
        const std::size_t count = places_->size();
        for (std::size_t k = 0; k < count; ++k) {
            const Contact& c = contact(k);
            const bool closed = c.impulse[0] > 0 || system_.velocity_along(c, 0) < c.wanted + near * tolerance_;
            kind_.push_back(!closed                                            ? Kind::open
                            : is_rough(c) && slip_speed(c) < near * tolerance_ ? Kind::sticks
                                                                               : Kind::slips);
        }
        for (std::size_t k = 0; k < count; ++k)
            if (kind_[k] != Kind::slips) drop_friction(contact(k));
        factorised_ = false;
    }

    void drop_friction(Contact& c) {
        system_.set(c, 1, 0);
        system_.set(c, 2, 0);
    }

    void factorise() {
        rows_.clear();
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            const Contact& c = contact(k);
            const double most = std::max({c.give[0][0], c.give[1][1], c.give[2][2]});
            for (int i = 0; i < (kind_[k] == Kind::open ? 0 : kind_[k] == Kind::slips ? 1 : 3); ++i)
                if (c.give[i][i] > flat * most) rows_.push_back({k, i});
        }
        const std::size_t n = rows_.size();
        factors_.resize(n * (n + 1) / 2);
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t from = 3 * rows_[i].contact + std::size_t(rows_[i].direction);
            double* const line = factors_.data() + i * (i + 1) / 2;
            for (std::size_t j = 0; j <= i; ++j)
                line[j] = all(from, 3 * rows_[j].contact + std::size_t(rows_[j].direction));
            line[i] *= 1 + ridge_;
            for (std::size_t j = 0; j < i; ++j) {
                const double* const other = factors_.data() + j * (j + 1) / 2;
                double sum = line[j]; // times its pivot
                for (std::size_t k = 0; k < j; ++k) sum -= line[k] * other[k];
                line[j] = sum;
            }
            double pivot = line[i];
            for (std::size_t j = 0; j < i; ++j) {
                const double part = line[j] / entry(j, j);
                pivot -= part * line[j];
                line[j] = part;
            }
            line[i] = pivot;
        }
        factorised_ = true;
    }

    /// Impulses that leave the active directions no velocity but the wanted one; what slips keeps its friction, what is
    /// open has none. False: rounding has left no solution.
    bool solve() {
        if (!factorised_) factorise();
        const std::size_t n = rows_.size();
        x_.resize(n);
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            system_.set(contact(k), 0, 0);
            if (kind_[k] != Kind::slips) drop_friction(contact(k));
        }
        system_.refresh(*places_);
        for (std::size_t i = 0; i < n; ++i) {
            const Contact& c = contact(rows_[i].contact);
            x_[i] = (rows_[i].direction == 0 ? c.wanted : 0) - system_.velocity_along(c, rows_[i].direction);
            for (std::size_t j = 0; j < i; ++j) x_[i] -= entry(i, j) * x_[j];
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (!(entry(i, i) > 0)) return false;
            x_[i] /= entry(i, i);
        }
        for (std::size_t i = n; i-- > 0;)
            for (std::size_t j = 0; j < i; ++j) x_[j] -= entry(i, j) * x_[i];
        for (std::size_t i = 0; i < n; ++i) system_.push(contact(rows_[i].contact), rows_[i].direction, x_[i]);
        return true;
    }

    /// Gives what slips the friction that Coulomb's law says, by the impulses and velocities that are; whether it had
    /// that.
    bool settle() {
        bool settled = true;
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            Contact& c = contact(k);
            if (kind_[k] != Kind::slips || !is_rough(c)) continue;
            const double bound = c.friction * std::max(c.impulse[0], 0.0), speed = slip_speed(c);
            const Tangential now{c.impulse[1], c.impulse[2]};
            const double size = now.size();
            Tangential next;
            if (speed > tolerance_)
                next = {-bound / speed * system_.velocity_along(c, 1), -bound / speed * system_.velocity_along(c, 2)};
            else if (size > 0)
                next = {bound / size * now.first, bound / size * now.second};
            if (speed > tolerance_ && would_stick(c)) next = now;
            const double change = std::max(std::fabs(next.first - now.first), std::fabs(next.second - now.second));
            if (change * std::max(c.give[1][1], c.give[2][2]) > tolerance_) settled = false;
            next_.push_back(next);
        }
        std::size_t at = 0;
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            Contact& c = contact(k);
            if (kind_[k] != Kind::slips || !is_rough(c)) continue;
            system_.set(c, 1, next_[at].first);
            system_.set(c, 2, next_[at++].second);
        }
        next_.clear();
        return settled;
    }

    /// Whether the friction of what slips pushes it along.
    bool would_stick(const Contact& c) const {
        const double along = system_.velocity_along(c, 1) * c.impulse[1] + system_.velocity_along(c, 2) * c.impulse[2];
        return along > tolerance_ * std::hypot(c.impulse[1], c.impulse[2]);
    }

    void find_wrong() {
        wrong_.clear();
        for (std::size_t k = 0; k < kind_.size(); ++k) {
            const Contact& c = contact(k);
            if (kind_[k] == Kind::open) {
                if (system_.velocity_along(c, 0) < c.wanted - tolerance_)
                    wrong_.push_back({k, is_rough(c) ? Kind::sticks : Kind::slips});
            } else if (c.impulse[0] < 0) {
                wrong_.push_back({k, Kind::open});
            } else if (kind_[k] == Kind::sticks) {
                const double excess = std::hypot(c.impulse[1], c.impulse[2]) - c.friction * c.impulse[0];
                if (excess * std::max(c.give[1][1], c.give[2][2]) > tolerance_) wrong_.push_back({k, Kind::slips});
            } else if (is_rough(c) && would_stick(c)) {
                wrong_.push_back({k, Kind::sticks});
            }
        }
    }

    void change(const Wrong& wrong) {
        Contact& c = contact(wrong.contact);
        if (wrong.kind == Kind::slips && kind_[wrong.contact] == Kind::sticks) {
            const Tangential cut = Tangential{c.impulse[1], c.impulse[2]}.within(c.friction * c.impulse[0]);
            system_.set(c, 1, cut.first);
            system_.set(c, 2, cut.second);
        }
        kind_[wrong.contact] = wrong.kind;
    }

    ContactSystem& system_;
    const std::vector<int>* places_ = nullptr;
    double tolerance_ = 0, ridge_ = 0;
    bool rough_ = false, factorised_ = false;
    std::vector<Kind> kind_;
    std::vector<Wrong> wrong_;
    std::vector<Tangential> next_;
    std::vector<std::array<double, 3>> before_;
    std::vector<Row> rows_;
    std::vector<double> all_, factors_; ///< lower triangles, line by line
    std::vector<double> x_;
};

} // namespace sluice::collision
