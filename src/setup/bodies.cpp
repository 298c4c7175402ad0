// SPDX-License-Identifier: Apache-2.0
#include "setup/bodies.h"

#include "core/error.h"
#include "setup/body_series.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

double mass_of(const FloatingBody& given, const sph::Constants& c, std::uint32_t particles) {
    double mass = given.rho_body * std::pow(c.dp, c.two_d ? 2 : 3) * particles;
    if (given.mass_per_particle) mass = *given.mass_per_particle * particles;
    if (given.mass) mass = *given.mass;
    if (!(mass > 0) || !std::isfinite(mass))
        throw InputError(given.where,
                         fmt::format("the floating body of mkbound {} has a mass of {:g} kg: give massbody, "
                                     "rhopbody or relativeweight",
                                     given.mkbound, mass));
    return mass;
}

Vec3d centre_of(const ParticleSet& particles, const Body& body) {
    Vec3d sum;
    for (std::uint32_t id = body.first_id; id < body.first_id + body.particles; ++id)
        sum = sum + particles.position[id];
    return (1.0 / body.particles) * sum;
}

/// Of equal cubes or squares about the body's centre: Σ m (r² − r r) and what each has about its own, m dp²/6 (of a
/// square m dp²/12 about the axes in its plane).
void set_inertia_of_particles(const ParticleSet& particles, const Vec3d& centre, const sph::Constants& c, Body& body) {
    const double m = body.mass / body.particles;
    const Vec3d own = (m * c.dp * c.dp / 12) * (c.two_d ? Vec3d{1, 2, 1} : Vec3d{2, 2, 2});
    for (int i = 0; i < 3; ++i) {
        body.inertia[i] = {};
        body.inertia[i][i] = own[i] * body.particles;
    }
    for (std::uint32_t id = body.first_id; id < body.first_id + body.particles; ++id) {
        const Vec3d r = particles.position[id] - centre;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) body.inertia[i][k] += m * ((i == k ? dot(r, r) : 0) - r[i] * r[k]);
    }
}

/// The tensor as given: symmetric, and such that no moment of inertia is zero or less.
void set_given_inertia(const FloatingBody& given, Body& body) {
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) body.inertia[i][k] = (*given.inertia)[i][k];
    const Vec3d* const I = body.inertia;
    const bool symmetric = I[0].y == I[1].x && I[0].z == I[2].x && I[1].z == I[2].y;
    const bool positive = I[0].x > 0 && I[0].x * I[1].y > I[0].y * I[1].x && dot(I[0], cross(I[1], I[2])) > 0;
    if (!symmetric || !positive)
        throw InputError(given.where, fmt::format("the tensor of inertia of the floating body of mkbound {} is not {}",
                                                  given.mkbound, symmetric ? "positive definite" : "symmetric"));
}

/// In the plane of a 2-D case bodies move and turn in it only.
void set_freedom(const FloatingBody& given, bool two_d, Body& body) {
    body.translates = given.translation_dof;
    body.turns = given.rotation_dof;
    if (two_d) body.translates.y = body.turns.x = body.turns.z = 0;
    for (int axis = 0; axis < 3; ++axis) {
        body.velocity[axis] = body.translates[axis] != 0 ? given.velocity[axis] : 0;
        body.angular_velocity[axis] = body.turns[axis] != 0 ? given.angular_velocity[axis] : 0;
    }
}

/// What the case makes a body do. Where it imposes a velocity from the start on, the body begins with that.
void set_series(const Case& definition, const FloatingBody& given, std::vector<SeriesSample>& samples, Body& body) {
    const auto range = [&](const std::optional<BodySeries>& series, bool about_y) {
        return add_body_series(definition, series, about_y, samples);
    };
    body.imposed_velocity = range(given.imposed_velocity, false);
    body.imposed_turning = range(given.imposed_turning, true);
    body.outer_force = range(given.outer_force, false);
    body.outer_moment = range(given.outer_moment, true);
    for (int axis = 0; axis < 3; ++axis) {
        const auto start = [&](const SeriesRange& series, double else_value) {
            const double imposed = given_at(samples.data(), series, axis, 0);
            return imposed == free_axis ? else_value : imposed;
        };
        body.velocity[axis] = start(body.imposed_velocity, body.velocity[axis]);
        body.angular_velocity[axis] = start(body.imposed_turning, body.angular_velocity[axis]);
    }
}

Body make_body(const Case& definition, const FloatingBody& given, const ParticleGroup& group,
               const ParticleSet& particles, const RunSetup& setup) {
    Body body;
    body.mk_bound = group.mk_type;
    body.first_id = group.begin;
    body.particles = group.count;
    body.mass = mass_of(given, setup.constants, group.count);
    const Vec3d centre = given.center.value_or(centre_of(particles, body));
    body.centre = centre - setup.domain.min;
    if (given.inertia)
        set_given_inertia(given, body);
    else
        set_inertia_of_particles(particles, centre, setup.constants, body);
    set_freedom(given, setup.constants.two_d, body);
    body.released = definition.parameters.floating_pause;
    return body;
}

} // namespace

void add_bodies(const Case& definition, const ParticleSet& particles, RunSetup& setup) {
    for (const ParticleGroup& group : setup.groups.all()) {
        if (group.type != ParticleType::floating || group.count == 0) continue;
        const auto given = std::find_if(definition.floatings.begin(), definition.floatings.end(),
                                        [&](const FloatingBody& body) { return body.mkbound == group.mk_type; });
        if (given == definition.floatings.end()) continue;
        setup.bodies.push_back(make_body(definition, *given, group, particles, setup));
        set_series(definition, *given, setup.body_series, setup.bodies.back());
    }
}

} // namespace sluice
