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

bool is_finite(double value) { return std::isfinite(value); }
template <class T>
bool is_finite(const Vec3<T>& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void check_lengths(const ParticleState& s) {
    const auto check = [&](const char* name, const auto& array) {
        if (array.size() != s.size())
            fail(fmt::format("{} values of {} for {} particles", array.size(), name, s.size()));
    };
    for_each_particle_array(check, s);
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
void check_particles(const ParticleState& s, const Domain& domain) {
    const Vec3d size = domain.max - domain.min;
    const double margin = std::max({size.x, size.y, size.z});
    for (std::size_t i = 0; i < s.size(); ++i) {
        const Vec3d& p = s.position[i];
        for (int axis = 0; axis < 3; ++axis)
            if (!(p[axis] >= -margin && p[axis] <= size[axis] + margin))
                fail(fmt::format("particle {} is far outside the domain", s.id[i]));
    }
    const auto check = [&](const char* name, const auto& array) {
        for (std::size_t i = 0; i < s.size(); ++i)
            if (!is_finite(array[i])) fail(fmt::format("{} of particle {} is not finite", name, s.id[i]));
    };
    for_each_particle_array(check, s);
}

void check_bodies(const ParticleState& s, const RunSetup& setup) {
    if (s.bodies.size() != setup.bodies.size())
        fail(fmt::format("{} of {} floating bodies", s.bodies.size(), setup.bodies.size()));
    for (const BodyState& b : s.bodies) {
        const double* const q = b.turning;
        const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!is_finite(b.centre) || !is_finite(b.velocity) || !is_finite(b.angular_velocity) ||
            !is_finite(b.velocity_previous) || !is_finite(b.angular_velocity_previous) || !(std::abs(norm - 1) < 1e-6))
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
    check_particles(s, setup.domain);
    check_bodies(s, setup);
    if (s.step < 0 || s.step > std::numeric_limits<std::int64_t>::max() / 2 || !(s.time >= 0) ||
        !std::isfinite(s.time) || !std::isfinite(s.dt) || !std::isfinite(s.dt_limit))
        fail("its step or time is no possible one");
    // With a fixed or least step, or the longest that sound allows, and ten times that for what a run may have had.
    const sph::Constants& c = setup.constants;
    const double longest_step = std::max({c.dt_fixed, c.dt_min, c.cfl * c.h / c.c0});
    if (s.time > 10 * longest_step * double(s.step))
        fail(fmt::format("it is at t = {:g} s after {} steps, which are not as long", s.time, s.step));
}

} // namespace sluice
