// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/commands.h"
#include "app/folder_lock.h"
#include "app/prepared_run.h"
#include "app/reserved_space.h"
#include "io/records/checkpoint.h"
#include "io/records/run_json.h"
#include "run/progress.h"
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

namespace sluice {

/// What run.json says when a run starts, or goes on from a checkpoint.
RunSummary initial_summary(const PreparedRun& run, const RunOptions& options, const std::optional<Checkpoint>& from);

/// Writes run.json: at the start, and when the run has come to its end, however it did.
class RunRecord {
public:
    /// Throws RunError.
    RunRecord(const FolderLock& lock, const std::filesystem::path& folder, RunSummary summary);
    RunSummary& summary() { return summary_; }

    /// Between two steps: run.json says how far the run is, at most once a second and for no more than a hundredth of
    /// the time. Where it cannot be written the run goes on, and is not asked again.
    void renew(const Progress& progress);

    /// Throws RunError.
    void close(Outcome outcome, const std::string& message);
    /// The same after another failure, which is the one that the user is to see.
    void close_failed(const std::exception& error);

private:
    const FolderLock& lock_;
    std::filesystem::path path_;
    ReservedSpace reserved_;
    RunSummary summary_;
    RecentRate rate_;
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
    bool renews_ = true;
};

} // namespace sluice
