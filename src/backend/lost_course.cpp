// SPDX-License-Identifier: Apache-2.0
#include "backend/lost_course.h"

#include <fmt/format.h>

namespace sluice {

RunError lost_course(const Moorings& moorings, const MooringFault& fault, std::int64_t step) {
    const MooringLine& line = moorings.lines[static_cast<std::size_t>(fault.line)];
    return RunError(
        fmt::format("step {} at {} s: node {} of {} of mooring line {} has moved by more than a segment, {:.4g} "
                    "m, in a sub-step of at most {:.3g} s: the line has lost its course; a shorter dtM, more "
                    "damping (ba) or a softer line (ea) may keep it",
                    step, fault.time, fault.node, line.segments, fault.line, mooring::segment_length(line),
                    moorings.step),
        Outcome::blown_up);
}

} // namespace sluice
