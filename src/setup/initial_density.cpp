// SPDX-License-Identifier: Apache-2.0
#include "setup/initial_density.h"

#include "geometry/initial_state.h"
#include "physics/sph/equation_of_state.h"
#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

/// Linear between two places, level beyond them.
double gradient_density(const InitialState::Density& d, const Vec3d& p) {
    const Vec3d along = d.to - d.from;
    const double t = std::clamp(dot(p - d.from, along) / dot(along, along), 0.0, 1.0);
    return d.first + t * (d.last - d.first);
}

/// Still water below a level.
class DepthDensity {
public:
    DepthDensity(const InitialState::Density& d, const sph::Constants& c, const Vec3d& surface)
        : surface_(surface), gravity_(d.gravity.value_or(c.gravity)), water_(own_water(d, c)), eos_(water_) {}

    double at(const Vec3d& p) const {
        const double pressure = water_.rho0 * dot(p - surface_, gravity_);
        return eos_.density(std::max(pressure, 0.0));
    }

private:
    static sph::Constants own_water(const InitialState::Density& d, sph::Constants c) {
        c.rho0 = d.rho0.value_or(c.rho0);
        c.gamma = d.gamma.value_or(c.gamma);
        c.b = d.b.value_or(c.b);
        return c;
    }
    Vec3d surface_, gravity_;
    sph::Constants water_;
    sph::EquationOfState<double> eos_;
};

/// The place of least depth among the particles that a state means.
Vec3d highest_place(const InitialState& state, const ParticleSet& set, const Vec3d& gravity) {
    std::optional<Vec3d> top;
    for_particles_of(state, set, [&](std::uint32_t n) {
        if (!top || dot(set.position[n] - *top, gravity) < 0) top = set.position[n];
    });
    return top.value_or(Vec3d{});
}

void apply(const InitialState& state, const ParticleSet& set, const sph::Constants& c, std::vector<float>& density) {
    const InitialState::Density& d = *state.density;
    const auto give = [&](auto&& value) {
        for_particles_of(state, set, [&](std::uint32_t n) { density[n] = static_cast<float>(value(set.position[n])); });
    };
    switch (d.kind) {
    case InitialState::Density::Kind::uniform: return give([&](const Vec3d&) { return d.first; });
    case InitialState::Density::Kind::gradient: return give([&](const Vec3d& p) { return gradient_density(d, p); });
    case InitialState::Density::Kind::depth: {
        const Vec3d gravity = d.gravity.value_or(c.gravity);
        const DepthDensity water(d, c, d.surface ? *d.surface : highest_place(state, set, gravity));
        return give([&](const Vec3d& p) { return water.at(p); });
    }
    }
}

} // namespace

void apply_initial_densities(const Case& definition, const ParticleSet& set, const sph::Constants& c,
                             std::vector<float>& density) {
    for (const InitialState& state : definition.initials)
        if (state.density) apply(state, set, c, density);
}

} // namespace sluice
