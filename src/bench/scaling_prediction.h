// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/experiment.h"
#include "bench/scaling_costs.h"

namespace sluice::bench {

/// Adds what the simulated machine makes of the costs: how far it is off where that is known, tables and charts of
/// strong and weak scaling, other machines beside it, and every assumption as a sentence.
void add_prediction(ExperimentResult& result, const KnownCosts& known, const SimulatedMachine& machine);

} // namespace sluice::bench
