// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/launch.h"
#include <functional>

namespace sluice {

class Transport;

/// What the program does as one of several processes that a launcher has started: they are the ranks of one run. Rank 0
/// does `command`, which returns its exit code and throws nothing; the others compute with it, write nothing and return
/// 0. Rank 0 prints `info`; other commands are refused. Returns the exit code.
int run_launched(const Launch& launch, int argc, char** argv, const std::function<int(Transport*)>& command);

} // namespace sluice
