// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace sluice {

/// Makes the writing to a closed pipe, and past a limit on the size of files, an error of the call instead of the end
/// of the program. To be called first of all.
void ignore_write_signals();

/// From here on the signals by which people and batch systems end a run (INT, TERM, HUP, QUIT, XCPU, ALRM, USR1, USR2)
/// ask it to stop after the present step. Another INT, TERM or QUIT, a second later or more, ends the program at once.
/// HUP, INT and QUIT stay without effect where the program was started so (nohup). Returns the flag: 0, or the signal's
/// number; others may write into it why the run is to stop.
std::atomic<int>& catch_interrupts();

} // namespace sluice
