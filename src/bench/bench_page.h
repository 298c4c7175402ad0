// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/experiment.h"
#include "bench/machine.h"
#include <string>
#include <vector>

namespace sluice::bench {

/// One self-contained page: every chart beside the papers' numbers, and what was measured and what was not.
std::string bench_page(const std::vector<ExperimentResult>& results, const Machine& machine);

} // namespace sluice::bench
