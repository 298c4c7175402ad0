// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice {

class Transport;

/// Parses the command line and runs the command that it names. Returns the exit code: 0 done, 1 failed run, 2 bad
/// input (a wrong command line is bad input); throws what the commands throw. `processes`: to the other ranks of a run,
/// where each is a process of its own; null: there are none.
int run_command_line(int argc, char** argv, Transport* processes);

} // namespace sluice
