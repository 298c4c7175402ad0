// SPDX-License-Identifier: Apache-2.0
#include "app/resume.h"

#include "app/stored_case.h"
#include "core/error.h"
#include "core/log.h"
#include "io/files/csv.h"
#include "io/files/file.h"
#include "io/frames/frame_store.h"
#include "io/records/run_fingerprint.h"
#include "run/state_check.h"
#include <fmt/format.h>
#include <iterator>
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

/// A checkpoint may say what it likes.
void require_likely(const fs::path& folder, int count) {
    constexpr std::int64_t most_lost = 100000;
    std::error_code error;
    const auto there = std::distance(fs::directory_iterator(frame_path(folder, 0).parent_path(), error), {});
    if (count < 0 || count > there + most_lost)
        throw InputError(fmt::format("{}: the checkpoint says that {} frames are stored, and there are not nearly as "
                                     "many files: it is damaged, or the wrong one; start the run anew",
                                     folder.string(), count));
}

/// Frames below `count` that are missing or cannot be read. The latter are set aside.
std::vector<int> lost_frames(const fs::path& folder, int count) {
    require_likely(folder, count);
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

constexpr const char* rows_prefix = "rows ";
constexpr const char *flow_table = "flow.csv", *excluded_table = "excluded.csv", *probes_table = "probes.csv",
                     *contacts_table = "contacts.csv";

/// Tables of fewer rows than they had at the checkpoint, "flow.csv (12 of 20 rows)" each. Checkpoints of earlier
/// versions do not say.
struct LostRows {
    std::string books, others; ///< those that the run needs to go on with right sums, and the rest
};
LostRows lost_rows(const fs::path& folder, const Checkpoint& checkpoint) {
    LostRows lost;
    for (const auto& [name, value] : checkpoint.counters) {
        if (!name.starts_with(rows_prefix)) continue;
        const std::string table = name.substr(std::string_view(rows_prefix).size());
        const RowLimit limit = row_limit(table, checkpoint);
        const std::int64_t rows = count_csv_rows(folder / table, limit.column, limit.value);
        if (double(rows) >= value) continue;
        std::string& text = table == flow_table || table == excluded_table ? lost.books : lost.others;
        text += fmt::format("{}{} ({} of {:.0f} rows)", text.empty() ? "" : ", ", table, rows, value);
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
    const LostRows rows = lost_rows(folder, *newest);
    if (!rows.books.empty() || !rows.others.empty()) {
        const std::string which =
            fmt::format("{}: rows of tables were removed since the checkpoint at t = {:g} s: {}", folder.string(),
                        newest->state.time, rows.books.empty() ? rows.others : rows.books);
        if (redo_gap) {
            spdlog::info("{}; the run goes on from its start", which);
            return std::nullopt;
        }
        if (!rows.books.empty())
            throw InputError(fmt::format("{}; without them its books would be wrong: put them back, or compute the run "
                                         "again from its start with --redo-gap",
                                         which));
        spdlog::warn("warning: {}: these tables stay with a gap; --redo-gap computes them again", which);
    }
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

RowLimit row_limit(const fs::path& table, const Checkpoint& checkpoint) {
    const double step = double(checkpoint.state.step);
    const std::string part = table.has_parent_path() ? table.parent_path().string() : table.string();
    if (part == "gauges" || part == probes_table) return {"time [s]", checkpoint.state.time};
    // a last row that was no regular sample belongs to where the run was stopped
    if (part == flow_table || part == "bodies") return {"step", step - checkpoint.counter("sampled_last")};
    return {"step", step};
}

std::vector<fs::path> tables_in(const fs::path& folder) {
    std::vector<fs::path> tables;
    for (const char* table : {flow_table, excluded_table, probes_table, contacts_table})
        if (fs::exists(folder / table)) tables.emplace_back(table);
    for (const char* part : {"gauges", "absorption", "bodies", "joints", "moorings"}) {
        if (!fs::exists(folder / part)) continue;
        for (const auto& entry : fs::directory_iterator(folder / part))
            tables.push_back(fs::path(part) / entry.path().filename());
    }
    return tables;
}

std::string rows_counter(const fs::path& table) { return rows_prefix + table.generic_string(); }

void remove_half_written(const fs::path& folder) {
    for (const char* part :
         {"", "frames", "checkpoints", "gauges", "bodies", "joints", "moorings", "absorption", "inputs"})
        remove_temporary_files(folder / part);
}

} // namespace sluice
