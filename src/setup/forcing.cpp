// SPDX-License-Identifier: Apache-2.0
#include "setup/forcing.h"

#include "core/extent.h"
#include "physics/forcing.h"
#include "setup/number_rows.h"
#include "setup/relaxation.h"
#include "setup/velocity_tables.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

std::vector<AccelerationSample> read_file(const Case& definition, const AccelerationInputDef& input) {
    std::vector<AccelerationSample> samples;
    for (const auto& [where, row] : read_number_rows(definition.data_folder / input.file, input.where, {.least = 7})) {
        if (!samples.empty() && !(row[0] > samples.back().time))
            throw InputError(where, fmt::format("the time {} does not come after that of the row before ({})", row[0],
                                                samples.back().time));
        samples.push_back({row[0], {row[1], row[2], row[3]}, {row[4], row[5], row[6]}, {}, {}});
    }
    if (samples.empty()) throw InputError(input.where, fmt::format("the file {} has no accelerations", input.file));
    return samples;
}

/// Velocity and angular velocity: the accelerations are linear in between, and the first lasts from `start` (s) on if
/// that is earlier. The reference solver's begin at the first, each step with the acceleration at its end.
void integrate(std::vector<AccelerationSample>& samples, double start, Rotation rotation) {
    const bool is_reference = rotation == Rotation::of_reference;
    AccelerationSample& first = samples.front();
    const double before_first = std::max(0.0, first.time - std::max(0.0, start));
    if (!is_reference) {
        first.velocity = before_first * first.linear;
        first.angular_velocity = before_first * first.angular;
    }
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const AccelerationSample& before = samples[i - 1];
        AccelerationSample& now = samples[i];
        const AccelerationSample& other = is_reference ? now : before;
        const double half = 0.5 * (now.time - before.time);
        now.velocity = before.velocity + half * (other.linear + now.linear);
        now.angular_velocity = before.angular_velocity + half * (other.angular + now.angular);
    }
}

void check_plane(const AccelerationInputDef& input, const std::vector<AccelerationSample>& samples) {
    for (const AccelerationSample& s : samples)
        if (s.linear.y != 0 || s.angular.x != 0 || s.angular.z != 0)
            throw InputError(input.where,
                             fmt::format("<accinput> leaves the plane of the case, which is 2-D in x–z, at "
                                         "{} s: accelerate along x and z, turn about y",
                                         s.time));
}

/// Fluid that open boundaries create is of the first mkfluid (io/fluid/layout.h).
bool is_of_created(const Case& definition, const ParticleGroup& group, const ParticleGroups& groups) {
    return !definition.open.zones.empty() &&
           &group == &*std::ranges::find_if(groups.all(), [](const ParticleGroup& g) { return g.is_fluid(); });
}

const ParticleGroup& fluid_group(const AccelerationInputDef& input, int mkfluid, const ParticleGroups& groups) {
    for (const ParticleGroup& group : groups.all())
        if (group.is_fluid() && group.mk_type == mkfluid) return group;
    throw InputError(input.where, fmt::format("<accinput> mkfluid {}: there are no such particles", mkfluid));
}

void add_input(const Case& definition, const AccelerationInputDef& input, const ParticleGroups& groups,
               const Vec3d& origin, Forcing& out) {
    std::vector<AccelerationSample> samples = input.file.empty() ? input.samples : read_file(definition, input);
    if (definition.definition.two_d) check_plane(input, samples);
    const Rotation rotation = input.rotation.value_or(Rotation::of_frame);
    integrate(samples, input.start, rotation);
    for (const int mkfluid : input.mkfluid) {
        const ParticleGroup& group = fluid_group(input, mkfluid, groups);
        AccelerationInput made;
        made.first_id = group.begin;
        made.last_id = group.begin + group.count;
        if (is_of_created(definition, group, groups)) made.created_id = groups.particle_count();
        made.start = input.start;
        made.end = input.end;
        made.centre = input.centre - origin;
        if (!input.gravity) made.constant = -1.0 * definition.constants.gravity;
        made.first_sample = static_cast<int>(out.samples.size());
        made.sample_count = static_cast<int>(samples.size());
        made.rotation = rotation;
        out.inputs.push_back(made);
    }
    out.samples.insert(out.samples.end(), samples.begin(), samples.end());
}

DampingZone relative_to(DampingZone zone, const Vec3d& origin) {
    for (Vec3d* place : {&zone.inner_min, &zone.inner_max, &zone.outer_min, &zone.outer_max, &zone.axis_point})
        *place = *place - origin;
    for (Vec3d& corner : zone.corner) corner = corner - origin;
    zone.z_min -= origin.z;
    zone.z_max -= origin.z;
    return zone;
}

/// A box around the plane of a 2-D case holds it whatever rounding makes of its y.
DampingZone around_plane(DampingZone zone, double dp) {
    for (Vec3d* lower : {&zone.inner_min, &zone.outer_min}) lower->y -= dp;
    for (Vec3d* upper : {&zone.inner_max, &zone.outer_max}) upper->y += dp;
    return zone;
}

} // namespace

Forcing make_forcing(const Case& definition, const ParticleGroups& groups, const Vec3d& origin) {
    Forcing made;
    for (const DampingZone& zone : definition.damping) {
        made.damping.push_back(relative_to(zone, origin));
        if (definition.definition.two_d && zone.shape == DampingZone::Shape::box)
            made.damping.back() = around_plane(made.damping.back(), definition.definition.dp);
    }
    for (const AccelerationInputDef& input : definition.acceleration_inputs)
        add_input(definition, input, groups, origin, made);
    add_relaxation_zones(definition, origin, made);
    made.relaxation_tables = relative_to(std::move(made.relaxation_tables), origin);
    return made;
}

void lint_damping(const Case& definition, const ParticleSet& particles, std::vector<Diagnostic>& out) {
    if (particles.size() == particles.boundary_count) return;
    const auto first = particles.position.begin() + particles.boundary_count, last = particles.position.end();
    Extent water;
    std::for_each(first, last, [&](const Vec3d& p) { water.add(p); });
    for (std::size_t n = 0; n < definition.damping.size(); ++n) {
        DampingZone zone = definition.damping[n];
        if (definition.definition.two_d && zone.shape == DampingZone::Shape::box)
            zone = around_plane(zone, definition.definition.dp);
        if (std::any_of(first, last, [&](const Vec3d& p) { return damping_rate(zone, p) > 0; })) continue;
        out.push_back({Diagnostic::Level::warning, SourceLocation{definition.definition.where.file, 0},
                       fmt::format("damping zone {} of {} has no fluid in it at the start, and damps none before some "
                                   "comes there; the fluid reaches from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, "
                                   "{:.4g}) m: move limitmin, limitmax or domain if that is not meant",
                                   n + 1, definition.damping.size(), water.min.x, water.min.y, water.min.z, water.max.x,
                                   water.max.y, water.max.z)});
    }
}

void lint_rotations(const Case& definition, const Forcing& forcing, std::vector<Diagnostic>& out) {
    std::size_t next = 0; // a definition makes an input for each of its fluids, in their order
    for (const AccelerationInputDef& def : definition.acceleration_inputs) {
        const AccelerationInput& input = forcing.inputs.at(next);
        next += def.mkfluid.size();
        const auto first = forcing.samples.begin() + input.first_sample;
        if (def.rotation ||
            std::all_of(first, first + input.sample_count, [](const auto& s) { return s.angular == Vec3d{}; }))
            continue;
        out.push_back({Diagnostic::Level::warning, def.where,
                       "<accinput> turns: the fluid feels the centrifugal and Coriolis forces of a tank that turns, "
                       "where DualSPHysics 5.4 adds others (its sign of ω×(ω×r) piles water up in the middle); say "
                       "<rotation value=\"frame\"/> to agree, or value=\"reference\" for its terms"});
    }
}

} // namespace sluice
