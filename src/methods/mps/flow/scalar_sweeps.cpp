// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/sweeps.inl"

namespace sluice::mps {

namespace {

/// One neighbour at a time.
struct SingleLoads {
    using Real = double;
    static constexpr int width = 1;

    static double load(const double* p) { return *p; }
    static double load_first(const double* p, int, double) { return *p; }
    static double sum(double lane) { return lane; }
};

} // namespace

FlowLoops scalar_flow_loops() { return loops_of<SingleLoads>(); }

FlowLoops flow_loops(Lanes lanes) {
#ifdef SLUICE_X86_64
    if (lanes == Lanes::eight) return vector_flow_loops_v4();
    if (lanes == Lanes::four) return vector_flow_loops_v3();
#else
    (void)lanes;
#endif
    return scalar_flow_loops();
}

} // namespace sluice::mps
