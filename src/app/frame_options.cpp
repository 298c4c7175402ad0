// SPDX-License-Identifier: Apache-2.0
#include "app/frame_options.h"

#include "core/error.h"
#include "core/log.h"
#include "core/numbers.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice {

namespace {

/// Without this check a frame that was removed would be missing from films, tables and plots without a message.
void warn_of_gaps(const std::filesystem::path& dir, const std::vector<int>& missing) {
    constexpr std::ptrdiff_t most_named = 5;
    if (missing.empty()) return;
    const auto named = std::min(std::ssize(missing), most_named);
    spdlog::warn("warning: {}: {} missing from the series ({}{})", dir.string(),
                 missing.size() == 1 ? "a frame is" : "frames are",
                 fmt::join(missing.begin(), missing.begin() + named, ", "), std::ssize(missing) > named ? ", …" : "");
}

} // namespace

void add_dir(CLI::App& app, std::filesystem::path& dir) { app.add_option("DIR", dir, "folder of a run")->required(); }

void add_out_folder(CLI::App& app, std::filesystem::path& out, const std::string& formats) {
    app.add_option("-o,--out", out, "folder to write to")->check(folder_name(formats))->type_name("DIR")->required();
}

void on_call(CLI::App& app, const std::filesystem::path& dir, const std::function<void()>& work) {
    add_quiet(app);
    app.callback([&dir, work] {
        if (!std::filesystem::is_directory(dir))
            throw InputError(fmt::format("{}: there is no such folder", dir.string()));
        const ReadableFrames stored = readable_frames(dir);
        warn_of_gaps(dir, stored.missing);
        if (stored.damaged.empty()) refresh_timeline(dir, stored.frames);
        try {
            work();
        } catch (const RunError&) {
            if (!stored.damaged.empty())
                spdlog::warn("warning: {}: frames are damaged; sluice run --resume {} --redo-gap computes them again",
                             dir.string(), dir.string());
            throw;
        }
    });
}

int nearest_frame(const std::vector<FrameEntry>& frames, double time) {
    return std::min_element(frames.begin(), frames.end(),
                            [&](const FrameEntry& a, const FrameEntry& b) {
                                return std::abs(a.time - time) < std::abs(b.time - time);
                            })
        ->number;
}

double time_between(const std::vector<FrameEntry>& frames) {
    return (frames.back().time - frames.front().time) / double(std::max<std::size_t>(frames.size(), 2) - 1);
}

std::pair<int, int> frames_between(const std::filesystem::path& dir, int first, int last, const TimeChoice& times) {
    const std::vector<FrameEntry> frames = choose_frames(dir, first, last);
    // Frames are stored in the first step after their time: t = 0.5001 s is the one of 0.5 s.
    const double between = time_between(frames);
    if (times.begin == times.end && times.begin >= frames.front().time - between / 2 &&
        times.end <= frames.back().time + between / 2) {
        const int nearest = nearest_frame(frames, times.begin);
        return {nearest, nearest};
    }
    const double tolerance = 0.05 * between;
    const auto inside = [&](const FrameEntry& frame) {
        return frame.time >= times.begin - tolerance && frame.time <= times.end + tolerance;
    };
    const auto found = std::find_if(frames.begin(), frames.end(), inside);
    if (found == frames.end())
        throw InputError(
            fmt::format("{}: no frame lies between --from and --to ({} to {} s); they go from {:g} to {:g} s",
                        dir.string(), times.begin, times.end, frames.front().time, frames.back().time));
    return {found->number, std::find_if(frames.rbegin(), frames.rend(), inside)->number};
}

void add_overwrite(CLI::App& command, bool& overwrite) {
    command.add_flag("--overwrite", overwrite, "remove files of an earlier call that are not written again");
}

void log_frames(int count, const std::filesystem::path& out) {
    spdlog::info("{} in {}", counted(count, "frame"), out.string());
}

void refuse_folder_of_run(const char* command, const std::filesystem::path& dir, const std::filesystem::path& out) {
    std::error_code none;
    for (const char* own : {"", "frames", "checkpoints", "gauges", "bodies", "joints", "moorings", "absorption",
                            "inputs", "pictures", "waves"})
        if (std::filesystem::equivalent(out, dir / own, none))
            throw InputError(fmt::format("{}: --out {}: the run has written into this folder; name another one",
                                         command, out.string()));
}

} // namespace sluice
