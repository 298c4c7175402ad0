// SPDX-License-Identifier: Apache-2.0
#include "app/samplers.h"

#include "io/file.h"
#include "run/flow_statistics.h"
#include "scheme/body_motion.h"
#include <fmt/format.h>

namespace sluice {

FlowSampler::FlowSampler(const std::filesystem::path& folder, const RunSetup& setup, const SampleClock& clock,
                         bool append)
    : Sampler(clock),
      csv_(folder / "flow.csv",
           {"time [s]", "step", "n_fluid", "x_front [m]", "x_centroid [m]", "y_centroid [m]", "z_centroid [m]",
            "z_max [m]", "kinetic_energy [J]", "potential_energy [J]", "rho_min [kg/m3]", "rho_max [kg/m3]",
            "speed_max [m/s]"},
           {"The fluid as a whole: x_front and z_max are the largest coordinates of a fluid particle,",
            "energies are sums over the fluid particles of m v^2/2 and -m g.r (per metre of width in 2-D)."},
           append),
      constants_(setup.constants), groups_(setup.groups) {}

void FlowSampler::sample(const Frame& frame) {
    const FlowStatistics s = flow_statistics(frame, constants_, groups_);
    csv_.write_row({s.time, frame.step, std::int64_t(s.fluid_count), s.front, s.centroid.x, s.centroid.y, s.centroid.z,
                    s.highest, s.kinetic_energy, s.potential_energy, s.density_min, s.density_max, s.speed_max});
}

BodySampler::BodySampler(const std::filesystem::path& folder, const RunSetup& setup, const SampleClock& clock,
                         bool append)
    : Sampler(clock), bodies_(setup.bodies), series_(setup.body_series), gravity_(setup.constants.gravity) {
    if (bodies_.empty()) return;
    make_folder(folder / "bodies");
    for (const Body& body : bodies_)
        tables_.emplace_back(
            folder / "bodies" / fmt::format("mkbound_{}.csv", body.mk_bound),
            std::vector<std::string>{
                "time [s]",       "step",           "x [m]",        "y [m]",        "z [m]",        "vx [m/s]",
                "vy [m/s]",       "vz [m/s]",       "roll [deg]",   "pitch [deg]",  "yaw [deg]",    "wx [rad/s]",
                "wy [rad/s]",     "wz [rad/s]",     "fluid_fx [N]", "fluid_fy [N]", "fluid_fz [N]", "fluid_mx [N m]",
                "fluid_my [N m]", "fluid_mz [N m]", "force_x [N]",  "force_y [N]",  "force_z [N]"},
            std::vector<std::string>{
                fmt::format(
                    "Floating body of mkbound {}: {:.9g} kg; its centre of mass, turned about x, then y, then z",
                    body.mk_bound, body.mass),
                "(roll, pitch, yaw) since the start; what the fluid did to it in the last step, moments about the",
                "centre; force: with its weight, contacts and what the case adds. Per metre of width in 2-D."},
            append);
}

void BodySampler::sample(const Frame& frame) {
    constexpr double degrees = 57.295779513082323;
    for (std::size_t b = 0; b < tables_.size(); ++b) {
        const auto& [state, loads] = frame.bodies.at(b);
        const bool free = is_released(bodies_[b], frame.time);
        const BodyLoad& fluid = loads.fluid;
        const BodyLoad outer = outer_load(bodies_[b], series_.data(), frame.time, frame.time);
        const Vec3d angle = degrees * turning_angles(state),
                    force = fluid.force + loads.contact.force + outer.force + bodies_[b].mass * gravity_;
        std::vector<CsvValue> row{frame.time, frame.step};
        for (const Vec3d& v : {state.centre, free ? state.velocity : Vec3d{}, angle,
                               free ? state.angular_velocity : Vec3d{}, fluid.force, fluid.moment, force})
            row.insert(row.end(), {v.x, v.y, v.z});
        tables_[b].write_row(row);
    }
}

void BodySampler::require_in_place() {
    for (CsvWriter& table : tables_) table.require_in_place();
}

ExclusionList::ExclusionList(const std::filesystem::path& folder, bool append)
    : csv_(folder / "excluded.csv",
           {"id", "cause", "step", "time [s]", "x [m]", "y [m]", "z [m]", "vx [m/s]", "vy [m/s]", "vz [m/s]",
            "rho [kg/m3]"},
           {"Fluid particles that left the run, with their last state. Causes: position (outside the domain),",
            "density (outside RhopOutMin..RhopOutMax), not_finite (the run has blown up)."},
           append) {}

void ExclusionList::add(const std::vector<ExcludedParticle>& particles) {
    for (const ExcludedParticle& p : particles) {
        ++counts_[static_cast<std::size_t>(p.cause)];
        csv_.write_row({std::int64_t(p.id), std::string(sph::exclusion_cause_name(p.cause)), p.step, p.time,
                        p.position.x, p.position.y, p.position.z, p.velocity.x, p.velocity.y, p.velocity.z, p.density});
    }
}

std::int64_t ExclusionList::total() const {
    std::int64_t sum = 0;
    for (const std::int64_t n : counts_) sum += n;
    return sum;
}

} // namespace sluice
