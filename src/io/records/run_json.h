// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "case/scheme.h"
#include "core/outcome.h"
#include "io/records/left_out.h"
#include "model/fields.h"
#include "model/run_setup.h"
#include "run/ledger.h"
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Named numbers in the order in which they are shown.
template <class T>
using NamedValues = std::vector<std::pair<std::string, T>>;

/// What it took.
struct RunTimes {
    std::int64_t steps = 0;
    double wall_seconds = 0;     ///< with set-up and output
    double stepping_seconds = 0; ///< the stepping loop without output
    double particle_steps = 0;   ///< sum over the steps of the living particles

    double steps_per_second() const;
    double particle_steps_per_second() const;
};

/// The books of a run from its first frame to its last.
struct LedgerSummary {
    LedgerEntry first, last;
    std::vector<std::string> also_held; ///< what `dissipated` holds besides (see Ledger)
};

/// How far a run was when run.json was written last.
struct RunProgress {
    double done = 0;             ///< the part of the run, 0 to 1
    double seconds_left = 0;     ///< wall time, s; infinite where nothing is known yet
    double time_max = 0;         ///< simulated, s
    double steps_per_second = 0; ///< of the recent past
    double time_step = 0;        ///< s
    std::int64_t particles = 0;  ///< in the run
    std::string written;         ///< ISO 8601 UTC
};

/// What run.json says of a run (docs/output.md). Rates count the stepping loop without output.
struct RunSummary {
    std::string case_name, case_file;
    std::string version;
    std::optional<Outcome> outcome; ///< empty while it runs
    std::string message;            ///< why it failed or was stopped; else empty
    std::string started, ended;     ///< ISO 8601 UTC, of the first and the last part; `ended` is empty while it runs
    Method method = Method::sph;
    std::string backend, mode, cells; ///< "cpu", "asymmetric", "2h", …
    std::string precision;            ///< of the positions
    std::string device;               ///< processor or GPU, as its maker names it
    int threads = 0;                  ///< of a rank
    std::vector<GpuShare> gpus;       ///< that share the run, as they did at the end; empty: one or none
    int ranks = 1;
    std::string split;
    std::optional<sph::Constants> constants; ///< written as the object "constants"; post-processing reads it
    std::optional<Domain> domain;            ///< written as the object "domain", with the period
    Period period;
    Fluids fluids;                          ///< RunSetup::fluids; written as "fluids" where there are any
    std::vector<ViscositySample> viscosity; ///< in time; written as "viscosity_in_time" where there is any
    std::vector<SchemeChoice> scheme;       ///< of Scheme, written as "scheme"
    FieldSelection fields;                  ///< of the frames, besides id and position
    double dp = 0, h = 0;                   ///< m
    std::int64_t particles = 0, fluid_particles = 0, boundary_particles = 0; ///< at the start
    std::int64_t frames = 0;
    /// Where special/outputparts selects particles: what the last frame lacks, written as "output_parts".
    std::optional<LeftOut> left_out;
    int whole_every = 0; ///< so many frames apart are those that hold all; 0: none does
    double simulated_seconds = 0;
    RunTimes total;             ///< with the parts before a resume, as far as they led to where the last part began
    RunTimes part;              ///< since the run was started or resumed the last time
    std::string part_started;   ///< ISO 8601 UTC
    NamedValues<double> phases; ///< s, e.g. {"neighbour_list", 1.2}
    NamedValues<std::int64_t> memory;    ///< bytes, e.g. {"particles", …}, {"peak_resident", …}
    NamedValues<std::int64_t> excluded;  ///< particles by cause, e.g. {"position", 0}
    std::optional<RunProgress> progress; ///< while it runs
    std::optional<LedgerSummary> ledger; ///< written as the object "ledger"; null before the first frame
};

/// "running", "finished", "interrupted", "stopped" or "failed".
const char* run_status_name(RunStatus status);

/// The text of run.json.
std::string run_json(const RunSummary& summary);

/// Replaces `path` as a whole. Throws RunError.
void write_run_json(const std::filesystem::path& path, const RunSummary& summary);

/// The constants, domain and period of the run whose run.json this is; the groups are left empty. Throws InputError if
/// it cannot be read or has no constants. A run of an older version has no domain there and no period.
RunSetup read_run_setup(const std::filesystem::path& path);

/// The simulated time that a run came to, s, if it has finished; nothing of another one, or where run.json does not say
/// it.
std::optional<double> finished_time(const std::filesystem::path& path);

/// The current time as run.json wants it: 2025-03-01T12:00:00Z.
std::string utc_now();

} // namespace sluice
