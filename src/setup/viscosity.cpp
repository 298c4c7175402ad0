// SPDX-License-Identifier: Apache-2.0
#include "setup/viscosity.h"

#include "physics/sph/apparent_viscosity.h"
#include "setup/number_rows.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

void set_viscosity_in_time(const Case& definition, RunSetup& setup) {
    const ExecutionParameters& p = definition.parameters;
    if (p.visco_file.empty()) return;
    for (const auto& [where, row] :
         read_number_rows(definition.data_folder / p.visco_file, p.visco_where, {.least = 2})) {
        if (!setup.viscosity.empty() && !(row[0] > setup.viscosity.back().time))
            throw InputError(where, fmt::format("the time {} does not come after that of the row before ({})", row[0],
                                                setup.viscosity.back().time));
        if (!(row[1] >= 0)) throw InputError(where, fmt::format("the viscosity {} is negative", row[1]));
        setup.viscosity.push_back({row[0], row[1]});
    }
    if (setup.viscosity.empty())
        throw InputError(p.visco_where, fmt::format("the file {} of ViscoTime has no rows", p.visco_file));
    setup.constants = sph::with_viscosity(
        setup.constants, std::ranges::max_element(setup.viscosity, {}, &ViscositySample::value)->value);
}

double greatest_viscosity(const Case& definition, const sph::Constants& constants) {
    double greatest = 0;
    for (const FluidPhase& phase : definition.phases)
        greatest = std::max(greatest, sph::greatest_viscosity(phase.rheology, sph::greatest_rate(constants)));
    return greatest;
}

void set_rheologies(const Case& definition, RunSetup& setup) {
    if (definition.phases.empty()) return;
    for (const ParticleGroup& group : setup.groups.all()) {
        if (!group.is_fluid()) continue;
        const auto phase = std::ranges::find(definition.phases, group.mk_type, &FluidPhase::mkfluid);
        if (phase == definition.phases.end())
            throw InputError(definition.phases.front().where,
                             fmt::format("<nnphases> names no <phase> for {}: add one", group.name()));
        setup.rheologies.push_back(phase->rheology);
    }
}

std::vector<ShiftZone> make_shift_zones(const Case& definition, const Vec3d& origin) {
    std::vector<ShiftZone> made;
    for (const ShiftZoneDef& zone : definition.shift_zones) {
        const bool two_d = definition.definition.two_d;
        const Vec3d &a = zone.side[0], &b = two_d ? Vec3d{0, 1, 0} : zone.side[1], &c = zone.side[2];
        const double inverse = 1 / dot(a, cross(b, c)); // each share is along what is across the other two sides
        made.push_back({zone.corner - origin, {inverse * cross(b, c), inverse * cross(c, a), inverse * cross(a, b)}});
        if (two_d) made.back().share[1] = {}; // the plane is in the zone whatever its y
    }
    return made;
}

} // namespace sluice
