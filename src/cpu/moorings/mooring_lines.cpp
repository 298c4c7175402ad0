// SPDX-License-Identifier: Apache-2.0
#include "cpu/moorings/mooring_lines.h"

#include "core/error.h"
#include <fmt/format.h>

namespace sluice::cpu {

MooringLines::MooringLines(const RunSetup& setup)
    : setup_(setup), now_(setup.moorings.at_start), arrays_(setup.moorings) {}

void MooringLines::set_state(const MooringState& state) {
    now_ = state.lines.empty() ? setup_.moorings.at_start : state;
}

void MooringLines::require_course(const MooringFault& fault, std::int64_t step) const {
    if (!fault.any()) return;
    const MooringLine& line = setup_.moorings.lines[static_cast<std::size_t>(fault.line)];
    throw RunError(
        fmt::format("step {} at {} s: node {} of {} of mooring line {} has moved by more than a segment, {:.4g} "
                    "m, in a sub-step of at most {:.3g} s: the line has lost its course; a shorter dtM, more "
                    "damping (ba) or a softer line (ea) may keep it",
                    step, fault.time, fault.node, line.segments, fault.line, mooring::segment_length(line),
                    setup_.moorings.step),
        Outcome::blown_up);
}

void MooringLines::advance(const LineStep& step, const std::vector<BodyState>& from, const std::vector<BodyState>& now,
                           std::vector<BodyLoads>& loads) {
    if (!any()) return;
    if (step.stage == Stage::predictor) start_ = now_;
    if (step.stage == Stage::corrector) now_ = start_;
    const MooringDrive drive{setup_.bodies.data(), from.data(), step.stage == Stage::corrector ? now.data() : nullptr,
                             step.time, part_of_step(step.stage) * step.dt};
    require_course(advance_lines(setup_.moorings.view(), arrays_.arrays(now_), drive, loads.data()), step.number);
}

void MooringLines::follow(const std::vector<BodyState>& bodies, double time) {
    if (!any()) return;
    const MooringDrive drive{setup_.bodies.data(), bodies.data(), nullptr, time, 0};
    place_line_ends(setup_.moorings.view(), arrays_.arrays(now_), drive);
}

} // namespace sluice::cpu
