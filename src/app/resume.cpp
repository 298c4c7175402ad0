// SPDX-License-Identifier: Apache-2.0
#include "app/resume.h"

#include "app/stored_case.h"
#include "core/error.h"
#include "core/log.h"
#include "io/file.h"
#include "io/frame_store.h"
#include "io/run_fingerprint.h"
#include "run/state_check.h"
#include <fmt/format.h>
#include <vector>

namespace sluice {

namespace fs = std::filesystem;

namespace {

void require_same_run(const Checkpoint& checkpoint, const PreparedRun& run, const fs::path& folder) {
    const std::string difference = fingerprint_difference(checkpoint.fingerprint, resume_fingerprint(run, folder));
    if (difference.empty()) return;
    throw InputError(
        fmt::format("{}: the run would go on as another one: {}; put back what has changed, or start the run "
                    "anew (--tmax, --steps and --time-limit may change)",
                    folder.string(), difference));
}

/// Frames below `count` that are missing or cannot be read. The latter are set aside.
std::vector<int> lost_frames(const fs::path& folder, int count) {
    std::vector<int> lost;
    for (int number = 0; number < count; ++number) {
        const fs::path path = frame_path(folder, number);
        try {
            if (fs::exists(path) && read_frame_entry(folder, number).number == number) continue;
        } catch (const RunError& error) {
            spdlog::warn("warning: {}", error.what());
        }
        lost.push_back(number);
        if (!fs::exists(path)) continue;
        fs::rename(path, path.string() + ".damaged");
        spdlog::warn("warning: {}: damaged, now called {}.damaged", path.string(), path.filename().string());
    }
    return lost;
}

std::string number_text(const std::vector<int>& numbers) {
    std::string text;
    for (std::size_t k = 0; k < numbers.size() && k < 5; ++k)
        text += fmt::format("{}{}", k == 0 ? "" : ", ", numbers[k]);
    return numbers.size() > 5 ? text + fmt::format(" and {} more", numbers.size() - 5) : text;
}

} // namespace

std::string resume_fingerprint(const PreparedRun& run, const fs::path& folder) {
    return inputs_fingerprint(folder, run.particles) + run_fingerprint(run.setup);
}

std::optional<Checkpoint> checkpoint_to_resume(const PreparedRun& run, const fs::path& folder, bool redo_gap) {
    const CheckpointStore store(folder);
    const auto fits = [&](const Checkpoint& checkpoint) {
        require_same_run(checkpoint, run, folder);
        require_state_of(checkpoint.state, run.setup);
    };
    std::optional<Checkpoint> newest = store.read_newest(fits);
    if (!newest && store.files().empty()) {
        spdlog::info("{}: the run was stopped before its first checkpoint: it begins at its start", folder.string());
        return std::nullopt;
    }
    if (!newest)
        throw InputError(
            fmt::format("{}: holds no checkpoint that is whole; start the run anew with --overwrite", folder.string()));
    const std::vector<int> lost = lost_frames(folder, newest->next_frame);
    if (lost.empty()) return newest;
    const std::string which = fmt::format("{}: frames are missing or damaged ({})", folder.string(), number_text(lost));
    if (!redo_gap) {
        spdlog::warn("warning: {}: the series of frames stays with a gap; --redo-gap computes them again", which);
        return newest;
    }
    std::optional<Checkpoint> before = store.read_newest(fits, lost.front());
    spdlog::info("{}: the run goes on from {}", which, before ? "before them" : "its start");
    return before;
}

void remove_half_written(const fs::path& folder) {
    for (const char* part : {"", "frames", "checkpoints", "gauges", "inputs"}) remove_temporary_files(folder / part);
}

} // namespace sluice
