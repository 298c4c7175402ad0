// SPDX-License-Identifier: Apache-2.0
#include "app/joint_sampler.h"

#include "io/files/file.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace sluice {

namespace {

const char* kind_name(JointKind kind) {
    switch (kind) {
    case JointKind::hinge: return "Hinge";
    case JointKind::spheric: return "Spheric joint";
    case JointKind::point_line: return "Point on a line";
    case JointKind::linear_spring: return "Linear spring";
    case JointKind::coulomb_damping: return "Coulomb damping";
    case JointKind::pulley: return "Pulley";
    }
    return "";
}

/// The name of a file for any name of a joint.
std::string file_name(std::string name) {
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_') c = '_';
    return name;
}

SampleClock clock_of(const MechanismsDef& given, const SampleClock& frames) {
    return given.save_interval < 0 ? frames : SampleClock(given.save_interval);
}

} // namespace

JointSampler::JointSampler(const std::filesystem::path& folder, const RunSetup& setup, const MechanismsDef& given,
                           const SampleClock& frames, bool append)
    : Sampler(clock_of(given, frames)), reports_(setup) {
    if (!setup.mechanisms.joints.empty()) make_folder(folder / "joints");
    std::vector<std::string> taken;
    for (const Joint& joint : setup.mechanisms.joints) {
        table_of_.push_back(-1);
        if (static_cast<std::size_t>(joint.origin) >= given.joints.size()) continue;
        const JointDef& def = given.joints[static_cast<std::size_t>(joint.origin)];
        const auto body = [&](int b) {
            return b < 0 ? std::string("space") : given.bodies[static_cast<std::size_t>(b)].id;
        };
        const bool has_length = def.kind == JointKind::linear_spring || def.kind == JointKind::coulomb_damping ||
                                def.kind == JointKind::point_line;
        std::string name = file_name(def.name);
        while (std::find(taken.begin(), taken.end(), name) != taken.end()) name += "_";
        taken.push_back(name);
        table_of_.back() = static_cast<int>(tables_.size());
        tables_.emplace_back(
            folder / "joints" / (name + ".csv"),
            std::vector<std::string>{"time [s]", "step", "fx [N]", "fy [N]", "fz [N]", "mx [N m]", "my [N m]",
                                     "mz [N m]", has_length ? "elongation [m]" : "angle [rad]",
                                     has_length ? "rate [m/s]" : "rate [rad/s]", "gap [m]"},
            std::vector<std::string>{
                fmt::format("{} between {} and {}: force and moment on {}, the moment about the point that the joint "
                            "holds; with springs,",
                            kind_name(def.kind), body(def.body[0]), body(def.body[1]), body(def.body[0])),
                "dampers and friction of the joint. Elongation: length less that at rest, or way along the line; "
                "angle: "
                "of turning",
                "against the other end. Gap: the greatest error of what the joint holds. Per metre of width in 2-D."},
            append);
    }
}

void JointSampler::sample(const Frame& frame) {
    const std::vector<JointReport> reports = reports_.of(frame);
    for (std::size_t j = 0; j < reports.size(); ++j) {
        if (table_of_[j] < 0) continue;
        const JointReport& r = reports[j];
        std::vector<CsvValue> row{frame.time, frame.step};
        for (const double value :
             {r.force.x, r.force.y, r.force.z, r.moment.x, r.moment.y, r.moment.z, r.reach, r.rate, r.gap})
            row.emplace_back(value);
        tables_[static_cast<std::size_t>(table_of_[j])].write_row(row);
    }
}

} // namespace sluice
