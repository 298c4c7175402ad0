// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/backend_choice.h"
#include "case/read_case.h"
#include "io/fluid/layout.h"
#include "run/progress.h"
#include <filesystem>
#include <string>

namespace sluice {

/// Options of `sluice run`.
struct RunOptions {
    std::filesystem::path case_file;
    CaseOverrides overrides;
    BackendOptions backend;
    std::filesystem::path out;   ///< empty: <case>_out in the working directory
    bool overwrite = false;      ///< replace the run that lies in `out`
    std::int64_t max_steps = -1; ///< < 0: no limit
    int pictures = 4;            ///< pictures of so many frames, evenly spaced, the last one among them
    int compression = 1;
    FieldSelection fields = default_fields; ///< values that the frames hold besides id and position
    std::uint32_t keep_every = 1;           ///< of so many fluid particles, the frames hold one
    double checkpoint_seconds = 600;        ///< wall time between checkpoints, s; the first comes after a minute
    std::optional<double> checkpoint_dt;    ///< simulated time between checkpoints, s; empty: only the wall time counts
    bool stop_on_exclusion = false;         ///< stop when the first particle leaves the run
    std::vector<Vec3d> probes;              ///< points that are sampled into probes.csv, m
    std::optional<double> probes_dt;        ///< s; empty: TimeOut
    std::optional<int> probes_follow;       ///< mkbound of what the probes ride on; empty: they stay where they are
    std::int64_t max_excluded = -1;         ///< stop when more have left; < 0: no limit
    std::optional<ProgressStyle> progress;  ///< empty: a line on a terminal, else in the log
    std::string started;                    ///< when the run was started, UTC
    std::optional<double> time_limit;       ///< wall time that this process may take, s
    bool redo_gap = false;                  ///< go on from before frames that are missing
    std::filesystem::path resume;           ///< folder of a run to go on with; everything else then comes from there
};

/// Options of `sluice check`.
struct CheckOptions {
    std::filesystem::path case_file;
    CaseOverrides overrides;
    BackendOptions backend;
    bool json = false;
    bool explain = false;          ///< show the case language instead: every word, and what is done with it
    std::filesystem::path picture; ///< draw the initial particles, if not empty
    std::filesystem::path vtp;     ///< write them for ParaView, if not empty
    std::filesystem::path motion;  ///< folder for tables and plots of the prescribed motion, if not empty
    std::filesystem::path waves;   ///< folder for tables and plots of the waves that paddles make, if not empty
};

/// Runs a case to its end, or to a signal. Returns the exit code of its outcome; throws InputError and RunError.
int run_command(const RunOptions& options);

/// Goes on with the run in `options.resume` from its newest checkpoint. A new end (`overrides.time_max`, `max_steps`),
/// a `time_limit` and `redo_gap` may be given.
int resume_command(const RunOptions& options);

/// Everything up to the first step, printed as text or JSON.
int check_command(const CheckOptions& options);

/// Build, processor, instruction sets, modes, GPUs; as text, or as JSON.
int info_command(bool as_json);

} // namespace sluice
