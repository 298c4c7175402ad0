// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/run_setup.h"
#include <string>

namespace sluice {

/// What identifies a run: a checkpoint fits a run only if these agree. A line for each number, "name value", with all
/// its digits: particles, boundary particles, moving objects, domain, period, and every constant.
std::string run_fingerprint(const RunSetup& setup);

/// The names of the numbers in which two fingerprints differ, with both values, for a message: "cfl (0.2, now 0.3)".
/// Empty if they are equal.
std::string fingerprint_difference(const std::string& before, const std::string& now);

} // namespace sluice
