// SPDX-License-Identifier: Apache-2.0
#include "app/samplers.h"

#include "run/flow_statistics.h"

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
