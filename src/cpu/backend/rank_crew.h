// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/backend/cpu_options.h"
#include "model/run_setup.h"
#include "ranks/transport.h"
#include <memory>

namespace sluice::cpu {

/// The other ranks of a run: creates them, and waits for them at the end.
class RankCrew {
public:
    virtual ~RankCrew() = default;
    /// Rank 0's end of the transport to them.
    virtual Transport& first() = 0;
    /// From now on they make the calls that rank 0 broadcasts (`RankMember::serve`).
    virtual void begin(const RunSetup& setup, const Choice& choice) = 0;
};

/// Threads of this process.
std::unique_ptr<RankCrew> make_thread_crew(int ranks);

/// Processes, which are in `serve_runs`.
std::unique_ptr<RankCrew> make_process_crew(Transport& processes);

} // namespace sluice::cpu
