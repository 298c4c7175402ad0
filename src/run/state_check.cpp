// SPDX-License-Identifier: Apache-2.0
#include "run/state_check.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sluice {

namespace {

[[noreturn]] void fail(const std::string& what) { throw RunError("the state is not one of this run: " + what); }

template <class T>
bool is_finite(const Vec3<T>& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void check_lengths(const ParticleState& s) {
    const std::size_t n = s.size();
    if (s.position.size() != n || s.velocity.size() != n || s.velocity_previous.size() != n || s.density.size() != n ||
        s.density_previous.size() != n)
        fail("its arrays differ in length");
}

void check_ids(const ParticleState& s, std::uint32_t boundary, std::uint32_t particles) {
    std::vector<bool> seen(particles);
    std::uint32_t seen_boundary = 0;
    for (const std::uint32_t id : s.id) {
        if (id >= particles || seen[id]) fail(fmt::format("particle {} is twice there, or none of its particles", id));
        seen[id] = true;
        seen_boundary += id < boundary;
    }
    if (seen_boundary != boundary) fail(fmt::format("{} of {} boundary particles", seen_boundary, boundary));
}

/// Particles outside the domain have been excluded; between two steps those of the last may be a little off.
void check_places(const ParticleState& s, const Domain& domain) {
    const Vec3d size = domain.max - domain.min;
    const double margin = std::max({size.x, size.y, size.z});
    for (std::size_t i = 0; i < s.size(); ++i) {
        const Vec3d& p = s.position[i];
        for (int axis = 0; axis < 3; ++axis)
            if (!(p[axis] >= -margin && p[axis] <= size[axis] + margin))
                fail(fmt::format("particle {} is far outside the domain", s.id[i]));
        if (!is_finite(s.velocity[i]) || !is_finite(s.velocity_previous[i]) || !std::isfinite(s.density[i]) ||
            !std::isfinite(s.density_previous[i]))
            fail(fmt::format("velocity or density of particle {} is not finite", s.id[i]));
    }
}

void check_bodies(const ParticleState& s, const RunSetup& setup) {
    if (s.bodies.size() != setup.bodies.size())
        fail(fmt::format("{} of {} floating bodies", s.bodies.size(), setup.bodies.size()));
    for (const BodyState& b : s.bodies) {
        const double* const q = b.turning;
        const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!is_finite(b.centre) || !is_finite(b.velocity) || !is_finite(b.angular_velocity) ||
            !is_finite(b.velocity_previous) || !(std::abs(norm - 1) < 1e-6))
            fail("where a floating body is, is no possible place");
    }
}

} // namespace

void require_state_of(const ParticleState& s, const RunSetup& setup) {
    check_lengths(s);
    const std::uint32_t given = setup.groups.particle_count();
    if (s.created > (setup.open.any() ? UINT32_MAX - given : 0))
        fail(fmt::format("{} particles created by open boundaries", s.created));
    check_ids(s, setup.groups.boundary_count(), given + s.created);
    check_places(s, setup.domain);
    check_bodies(s, setup);
    if (s.step < 0 || s.step > std::numeric_limits<std::int64_t>::max() / 2 || !(s.time >= 0) ||
        !std::isfinite(s.time) || !std::isfinite(s.dt) || !std::isfinite(s.dt_limit))
        fail("its step or time is no possible one");
}

} // namespace sluice
