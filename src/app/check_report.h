// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/backend_choice.h"
#include "app/check_timing.h"
#include "backend/backend.h"
#include "backend/modes.h"
#include "case/case.h"
#include "geometry/particle_set.h"
#include "io/records/left_out.h"
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// What `sluice check` found out.
struct CheckReport {
    std::string case_file;
    ParticleSet particles;            ///< their places are let go once the state of the run has them
    std::uint32_t count = 0;          ///< particles that the run begins with
    std::uint32_t created = 0;        ///< of them those that open boundaries add to the drawn ones at the start
    std::uint32_t taken = 0;          ///< drawn particles that they take away before
    std::vector<std::string> reasons; ///< why `sluice run` would refuse the case here; empty: it would start
    /// False: the case has no fluid or no speed of sound, so there are no constants nor estimates.
    bool has_constants = true;

    bool runnable() const { return reasons.empty(); }
    RunSetup setup;
    std::uint32_t measured_particles = 0; ///< of which the next figures are: all, or a slab of a large case
    StepTiming timing;                    ///< of all particles, on this machine
    double estimated_steps = 0;           ///< to TimeMax
    double picture_seconds = 0;           ///< wall time of the pictures in the end; 0: not drawn
    double time_max = 0;                  ///< s
    double frames = 0;                    ///< that the run would store
    std::optional<LeftOut> left_out;      ///< of the particles at the start, where the case selects those of frames

    /// Whether steps were timed: not where the first of them fail.
    bool is_timed() const { return timing.steps > 0; }
    /// Wall time of the whole run, s, with so much a step.
    double wall_seconds(double seconds_per_step) const { return estimated_steps * seconds_per_step + picture_seconds; }

    /// Rough size of the stored frames, bytes: compressed frames take about 16 bytes a particle.
    double output_bytes() const { return 16.0 * frames * (count - left_out.value_or(LeftOut{}).total()); }
    BackendInfo backend;
    std::vector<MemoryEstimate> memory;
    std::vector<RankMemory> rank_memory;   ///< of the ranks that would share the run; none: no ranks
    std::optional<GpuMemoryPlan> gpu_plan; ///< none without a GPU and without --gpu-memory
    std::vector<SchemeChoice> scheme;      ///< of Scheme
    std::vector<Diagnostic> diagnostics;
};

/// The report as people read it, or of it only the warnings, the errors and why the case would be refused.
std::string check_text(const CheckReport& report, bool findings_only);

/// The report as programs read it; docs/check.md describes it.
std::string check_json(const CheckReport& report);

/// The words of the case language as JSON: an array of section, word, support, default, meaning and advice.
std::string language_json();

/// The same for a case that could not even be read. `message`: one reason a line.
std::string refused_json(const std::string& case_file, const std::string& message);

} // namespace sluice
