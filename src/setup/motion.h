// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/motion_data.h"

namespace sluice {

/// The prescribed motion of a case, an object for each of `Case::motion`, with what depends on history worked out up to
/// `horizon`, s: chains and their endless repetition, several motions of one object at once, instantaneous jumps.
/// Reads the files of samples. Throws InputError where a file cannot be used, where a chain comes round without time
/// passing, where a 2-D case would leave its plane, and where the motion has more pieces than memory is worth.
Motions make_motions(const Case& definition, double horizon);

/// Samples of a step that follows a file, from time 0 and value 0 on, values in m or rad, without the rows whose time
/// comes before that of an earlier one. Throws InputError.
std::vector<MotionSample> read_motion_series(const Case& definition, const MotionStep& step);

/// Warns of the rows that read_motion_series() leaves out, at the first one of each file.
void lint_motion_series(const Case& definition, std::vector<Diagnostic>& diagnostics);

} // namespace sluice
