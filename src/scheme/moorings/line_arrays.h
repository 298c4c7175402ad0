// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/moorings/advance_lines.h"
#include <algorithm>
#include <vector>

namespace sluice {

/// How long a sub-step of lines may be, and what bounds it.
struct LineStepLimit {
    double step = 0; ///< s
    int line = 0;    ///< the one that asks for it
};

/// The longest sub-step that follows the fastest vibration of each line: 0.3/ω of the axial one, with ω² twice the sum
/// of the stiffnesses at a node over its mass (Gershgorin's bound, which long lines come up to), and 1/λ of what is
/// damped at the rate λ: stretching, and nodes on the bottom.
inline LineStepLimit line_step_limit(const Moorings& moorings) {
    LineStepLimit limit{1e300, 0};
    const MooringWater& water = moorings.water;
    for (std::size_t l = 0; l < moorings.lines.size(); ++l) {
        const MooringLine& line = moorings.lines[l];
        const double rest = mooring::segment_length(line), vibration2 = 4 * line.stiffness / (rest * rest * line.mass);
        const double bottom2 = water.bed_stiffness * line.diameter / line.mass;
        const double decay =
            std::max({vibration2 * line.damping / line.stiffness, water.bed_damping * line.diameter / line.mass,
                      water.friction * water.friction_damping / (line.mass * rest)});
        const double step = std::min(0.3 / std::sqrt(std::max(vibration2, bottom2)), decay > 0 ? 1 / decay : 1e300);
        if (step < limit.step) limit = {step, static_cast<int>(l)};
    }
    return limit;
}

/// What a line does at one time.
struct LineReport {
    Vec3d force[2];         ///< on what holds its ends, N
    double tension[2] = {}; ///< the size of these forces, N
    double strain = 0;      ///< the greatest of its segments
};

/// Arrays for the solver of mooring lines, on the host.
class LineArrays {
public:
    explicit LineArrays(const Moorings& all)
        : place_(all.at_start.nodes.size()), velocity_(place_.size()), force_(place_.size()), pull_(place_.size()),
          ends_(2 * all.lines.size()), given_(2 * all.lines.size()), faults_(all.lines.size()) {}

    MooringArrays arrays(MooringState& state) {
        return {state.nodes.data(),
                state.lines.data(),
                {place_.data(), velocity_.data(), force_.data(), pull_.data(), ends_.data(), given_.data(),
                 faults_.data()}};
    }

    /// What line `index` does when its nodes are as in `nodes`, which has all.
    LineReport report(const Moorings& all, std::size_t index, const std::vector<MooringNode>& nodes) {
        const MooringLine& line = all.lines[index];
        const auto first = static_cast<std::size_t>(line.first_node),
                   count = static_cast<std::size_t>(line.segments) + 1;
        for (std::size_t k = first; k < first + count; ++k) {
            place_[k] = nodes[k].place;
            velocity_[k] = nodes[k].velocity;
        }
        mooring::find_forces(line, all.water, &place_[first], &velocity_[first], 1, &pull_[first], &force_[first]);
        LineReport report;
        for (int e = 0; e < 2; ++e) {
            report.force[e] = force_[static_cast<std::size_t>(mooring::end_node(line, e))];
            report.tension[e] = norm(report.force[e]);
        }
        report.strain = -1;
        for (std::size_t k = first; k + 1 < first + count; ++k)
            report.strain =
                std::max(report.strain, mooring::segment_between(line, place_[k], place_[k + 1], {}).strain);
        return report;
    }

private:
    std::vector<Vec3d> place_, velocity_, force_, pull_;
    std::vector<mooring::EndCourse> ends_;
    std::vector<mooring::EndLoad> given_;
    std::vector<mooring::LineFault> faults_;
};

} // namespace sluice
