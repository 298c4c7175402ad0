// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/step.h"
#include "physics/fvpm/update.h"
#include "unit/methods/fvpm/spheres.h"

// The passes of a step by the plainest means: all pairs, no order, no threads.

namespace sluice::fvpm::test {

class OraclePasses {
public:
    OraclePasses(const FvpmConstants& c, Particles p)
        : c_(c), tait_(c), p_(std::move(p)), motion_(p_.velocity), begin_(p_.velocity) {}

    void choose_time_step(double end) {
        dt_ = end - time_;
        for (std::size_t i = 0; i < p_.size(); ++i)
            dt_ =
                std::min(dt_, c_.cfl * crossing_time(p_.radius[i], side(i, p_.mass[i], p_.volume[i], p_.velocity[i])));
    }
    void drift() {
        for (std::size_t i = 0; i < p_.size(); ++i) p_.position[i] = p_.position[i] + (dt_ / 2) * begin_[i];
    }
    void find_neighbours() {
        mass_ = p_.mass;
        volume_ = p_.volume;
        velocity_ = p_.velocity;
    }
    void find_vectors() {
        vectors_ = std::make_unique<Vectors>(p_, c_.dimensions);
        surface_.assign(p_.size(), 1);
        thin_.assign(p_.size(), {});
        for (std::size_t i = 0; i < p_.size(); ++i) {
            if (!vectors_->rows.of(i).empty())
                surface_[i] = surface_share(norm(vectors_->sum(i)), face_of(p_.radius[i], c_), c_);
            for (std::size_t e = vectors_->rows.first[i]; e < vectors_->rows.first[i + 1]; ++e)
                thin_[i] = thin_[i] + vectors_->a[e];
        }
    }
    void find_sides() {
        for (std::size_t i = 0; i < p_.size(); ++i) motion_[i] = moves(i, velocity_[i]);
    }
    void find_gradients() {
        gradients_.assign(p_.size(), {});
        for (std::size_t i = 0; i < p_.size(); ++i)
            for (std::size_t e = vectors_->rows.first[i]; e < vectors_->rows.first[i + 1]; ++e) {
                const std::uint32_t j = vectors_->rows.neighbour[e];
                add_gradients(gradients_[i], stage(i), stage(j), (1 / volume_[i]) * vectors_->delta(e),
                              is_wall(i) || is_wall(j));
            }
    }
    void find_fluxes() {
        rate_mass_.assign(p_.size(), 0);
        rate_volume_.assign(p_.size(), 0);
        rate_momentum_.assign(p_.size(), {});
        for (std::size_t i = 0; i < p_.size(); ++i) {
            if (!is_wall(i)) rate_momentum_[i] = rate_momentum_[i] + mass_[i] * c_.gravity;
            rate_volume_[i] -= dot(motion_[i], vectors_->sum(i));
            for (std::size_t e = vectors_->rows.first[i]; e < vectors_->rows.first[i + 1]; ++e) {
                const std::size_t j = vectors_->rows.neighbour[e];
                if (j < i) continue; // each pair once, for both
                const PairRates<double> rates = pair_rates(
                    PairSide<double>{stage(i), gradients_[i], motion_[i], p_.position[i], vectors_->a[e], is_wall(i)},
                    PairSide<double>{stage(j), gradients_[j], motion_[j], p_.position[j],
                                     vectors_->a[vectors_->rows.mate[e]], is_wall(j)},
                    tait_.background, c_);
                rate_mass_[i] -= rates.mass;
                rate_mass_[j] += rates.mass;
                rate_volume_[i] += rates.swept;
                rate_volume_[j] -= rates.swept;
                rate_momentum_[i] = rate_momentum_[i] - rates.momentum;
                rate_momentum_[j] = rate_momentum_[j] + rates.momentum;
            }
        }
    }
    void predict() { integrate(dt_ / 2); }
    void correct() {
        integrate(dt_);
        for (std::size_t i = 0; i < p_.size(); ++i)
            p_.position[i] = p_.position[i] + dt_ * motion_[i] - (dt_ / 2) * begin_[i];
        p_.mass = mass_;
        p_.volume = volume_;
        p_.velocity = velocity_;
        for (std::size_t i = 0; i < p_.size(); ++i) begin_[i] = moves(i, velocity_[i]);
        time_ += dt_;
    }
    const Particles& particles() const { return p_; }
    double time() const { return time_; }

private:
    bool is_wall(std::size_t i) const { return p_.kind[i] == Kind::wall; }
    Side<double> side(std::size_t i, double mass, double volume, Vec3d velocity) const {
        Side<double> s = side_of(mass, volume, mass * velocity, tait_, c_.free_surface);
        if (p_.kind[i] != Kind::fluid) s.velocity = p_.velocity[i];
        return s;
    }
    Side<double> stage(std::size_t i) const { return side(i, mass_[i], volume_[i], velocity_[i]); }
    Vec3d moves(std::size_t i, Vec3d velocity) const {
        return p_.kind[i] != Kind::fluid ? velocity
                                         : motion_of(velocity, thin_[i], face_of(p_.radius[i], c_), surface_[i], c_);
    }
    void integrate(double dt) {
        for (std::size_t i = 0; i < p_.size(); ++i) {
            const Vec3d momentum = p_.mass[i] * p_.velocity[i] + dt * rate_momentum_[i];
            if (is_wall(i)) continue;
            mass_[i] = p_.mass[i] + dt * rate_mass_[i];
            volume_[i] = p_.volume[i] + dt * rate_volume_[i];
            if (p_.kind[i] == Kind::fluid) velocity_[i] = (1 / mass_[i]) * momentum;
        }
    }

    FvpmConstants c_;
    Tait<double> tait_;
    Particles p_;
    double dt_ = 0, time_ = 0;
    std::unique_ptr<Vectors> vectors_;
    std::vector<double> mass_, volume_, surface_, rate_mass_, rate_volume_;
    std::vector<Vec3d> velocity_, motion_, begin_, thin_, rate_momentum_;
    std::vector<SideGradients<double>> gradients_;
};

} // namespace sluice::fvpm::test
