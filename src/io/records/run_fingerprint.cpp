// SPDX-License-Identifier: Apache-2.0
#include "io/records/run_fingerprint.h"
#include "model/choices.h"

#include <fmt/format.h>
#include <map>
#include <sstream>
#include <type_traits>

namespace sluice {
namespace {

template <class Number>
std::string text_of(const Number& number) {
    if constexpr (std::is_enum_v<Number>)
        return name_of(number);
    else
        return fmt::format("{}", number);
}
std::string text_of(const Vec3d& v) { return fmt::format("{} {} {}", v.x, v.y, v.z); }

std::string samples_text(const std::vector<ViscositySample>& samples) {
    std::string text;
    for (const ViscositySample& s : samples)
        text += fmt::format("{}{} at {} s", text.empty() ? "" : " ", s.value, s.time);
    return text.empty() ? "none" : text;
}

std::string fluids_text(const Rheologies& fluids) {
    std::string text;
    for (const Rheology& r : fluids)
        text += fmt::format("{}{} {} {} {} {} {} {} {} {}", text.empty() ? "" : ", ", int(r.law), r.consistency,
                            r.exponent, r.yield, r.regularisation, r.bi_ratio, r.fast, r.relaxation, r.transition);
    return text;
}

std::map<std::string, std::string> values_of(const std::string& fingerprint) {
    std::map<std::string, std::string> values;
    std::istringstream lines(fingerprint);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = std::min(line.find(' '), line.size() - 1);
        values[line.substr(0, end)] = line.substr(end + 1);
    }
    return values;
}

} // namespace

std::string run_fingerprint(const RunSetup& setup) {
    std::string text;
    const auto add = [&](const char* name, const auto& value) { text += fmt::format("{} {}\n", name, text_of(value)); };
    if (setup.method != Method::sph)
        add("method", method_name(setup.method).word); // older checkpoints have no such row
    add("particles", setup.groups.particle_count());
    add("boundary_particles", setup.groups.boundary_count());
    add("domain_min", setup.domain.min);
    add("domain_max", setup.domain.max);
    add("moving_objects", setup.motions.object_count());
    add("absorbing_pistons", setup.absorbers.size());
    add("floating_bodies", setup.bodies.size());
    add("body_contact", setup.contact);
    if (setup.moorings.any()) { // older checkpoints have no such row
        add("mooring_lines", setup.moorings.lines.size());
        add("mooring_nodes", setup.moorings.at_start.nodes.size());
    }
    add("damping_zones", setup.forcing.damping.size());
    add("relaxation_zones", setup.forcing.relaxation.size());
    add("acceleration_inputs", setup.forcing.inputs.size());
    add("open_zones", setup.open.zones.size());
    add("open_columns", setup.open.points.size());
    add("viscosity_in_time", samples_text(setup.viscosity));
    if (!setup.rheologies.empty()) add("fluids", fluids_text(setup.rheologies));
    for (std::size_t k = 0; k < setup.fluids.size(); ++k) {
        const FluidProperties& f = setup.fluids[k];
        text += fmt::format("fluid_{} {} {} {} {}\n", k, f.rho0, f.c0, f.gamma, f.viscosity);
        if (f.tension > 0) text += fmt::format("tension_{} {}\n", k, f.tension); // older checkpoints have no such row
    }
    add("shift_zones", setup.shift_zones.size());
    const char* const periods[] = {"period_x", "period_y", "period_z"};
    for (int axis = 0; axis < 3; ++axis) add(periods[axis], setup.period.shift[axis]);
    sph::for_each_field(setup.constants, add);
    return text;
}

std::string fingerprint_difference(const std::string& before, const std::string& now) {
    const auto old_values = values_of(before), new_values = values_of(now);
    std::string text;
    const auto add = [&](const std::string& difference) { text += (text.empty() ? "" : ", ") + difference; };
    for (const auto& [name, value] : new_values) {
        const auto old = old_values.find(name);
        if (old == old_values.end()) return "written by another version of this program";
        if (old->second != value) add(fmt::format("{} ({}, now {})", name, old->second, value));
    }
    return text;
}

} // namespace sluice
