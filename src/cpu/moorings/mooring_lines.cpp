// SPDX-License-Identifier: Apache-2.0
#include "cpu/moorings/mooring_lines.h"

#include "backend/lost_course.h"

namespace sluice::cpu {

MooringLines::MooringLines(const RunSetup& setup)
    : setup_(setup), now_(setup.moorings.at_start), arrays_(setup.moorings) {}

void MooringLines::set_state(const MooringState& state) {
    now_ = state.lines.empty() ? setup_.moorings.at_start : state;
}

void MooringLines::advance(const LineStep& step, const std::vector<BodyState>& from, const std::vector<BodyState>& now,
                           std::vector<BodyLoads>& loads) {
    if (!any()) return;
    if (step.stage == Stage::predictor) start_ = now_;
    if (step.stage == Stage::corrector) now_ = start_;
    const MooringDrive drive{setup_.bodies.data(), from.data(), step.stage == Stage::corrector ? now.data() : nullptr,
                             step.time, part_of_step(step.stage) * step.dt};
    const MooringFault fault = advance_lines(setup_.moorings.view(), arrays_.arrays(now_), drive, loads.data());
    if (fault.any()) throw lost_course(setup_.moorings, fault, step.number);
}

void MooringLines::follow(const std::vector<BodyState>& bodies, double time) {
    if (!any()) return;
    const MooringDrive drive{setup_.bodies.data(), bodies.data(), nullptr, time, 0};
    place_line_ends(setup_.moorings.view(), arrays_.arrays(now_), drive);
}

} // namespace sluice::cpu
