// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/experiment.h"
#include "bench/mps/operator_variants.h"

// Times of the MPS operators, as measurements of an experiment.

namespace sluice::bench {

/// The lattices of a plan, by their sides: the paper's, and where there is a GPU one that fills it; or the sizes asked
/// for.
std::vector<int> lattice_sides(const Plan& plan);

/// Times every version with every operator, and those of a GPU on a larger lattice, too, that fills it, within the
/// budget of the plan, taking turns. A step of the measurements is one evaluation; their wall time is that of the
/// operator, and the search stands beside it as the cell list.
void measure_operators(const std::vector<OperatorVariant>& variants, const Plan& plan, ExperimentResult& result);

/// The measurement of a version with an operator at a size, or null.
const Measurement* find_operator(const ExperimentResult& result, const OperatorVariant& variant,
                                 mps::DifferentialOperator which, int side);

/// The sides of the lattices that were measured, ascending.
std::vector<int> measured_sides(const ExperimentResult& result);

/// Mean seconds that the search of an evaluation takes.
double search_seconds(const Measurement& measurement);

} // namespace sluice::bench
