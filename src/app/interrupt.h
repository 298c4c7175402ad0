// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace sluice {

/// From here on Ctrl-C and SIGTERM ask the run to stop after the present step; a second one ends the program at once.
/// Returns the flag: 0, or the signal's number.
const std::atomic<int>& catch_interrupts();

} // namespace sluice
