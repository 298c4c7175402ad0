// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/backend/cpu_options.h"
#include "model/run_setup.h"
#include "ranks/transport.h"
#include <memory>

namespace sluice::cpu {

/// The other ranks of a run: creates them, and waits for them at the end.
class OtherRanks {
public:
    virtual ~OtherRanks() = default;
    /// Rank 0's end of the transport to them.
    virtual Transport& first() = 0;
    /// From now on they make the calls that rank 0 broadcasts (`RankPart::serve`).
    virtual void begin(const RunSetup& setup, const Choice& choice) = 0;
};

/// Threads of this process.
std::unique_ptr<OtherRanks> make_rank_threads(int ranks);

/// Processes, which are in `serve_runs`.
std::unique_ptr<OtherRanks> make_rank_processes(Transport& processes);

} // namespace sluice::cpu
