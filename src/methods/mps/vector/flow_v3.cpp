// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/vector/flow_loops.inl"

namespace sluice::mps {

FlowLoops vector_flow_loops_v3() { return loops_of<PackLoads>(); }

} // namespace sluice::mps
