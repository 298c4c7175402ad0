// SPDX-License-Identifier: Apache-2.0
#include "app/results/frame_options.h"

#include "core/error.h"
#include "core/log.h"
#include "core/numbers.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sluice {

namespace {

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

void add_table_out(CLI::App& command, std::filesystem::path& out) {
    command.add_option("-o,--out", out, "table (.csv)")->type_name("FILE")->required();
}

void on_call(CLI::App& app, const std::filesystem::path& dir, std::function<void()> work) {
    add_quiet(app);
    app.callback([&dir, work = std::move(work)] {
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

void add_overwrite(CLI::App& command, bool& overwrite) {
    command.add_flag("--overwrite", overwrite, "remove files of an earlier call that are not written again");
}

void log_frames(int count, const std::filesystem::path& out) {
    spdlog::info("{} in {}", counted(count, "frame"), out.string());
}

CLI::Option* add_repeated(CLI::App& app, const std::string& name, std::vector<double>& values, int width,
                          const std::string& type, const std::string& help) {
    return app.add_option(name, values, help)
        ->type_name(type)
        ->expected(width)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

std::vector<Vec3d> vectors_of(const std::vector<double>& values, const std::string& what) {
    if (values.size() % 3 != 0)
        throw InputError(fmt::format("{}: needs X Y Z ({} given)", what, counted(int(values.size()), "number")));
    std::vector<Vec3d> vectors;
    for (std::size_t i = 0; i < values.size(); i += 3) vectors.push_back({values[i], values[i + 1], values[i + 2]});
    return vectors;
}

CLI::Option* add_fluid_fields(CLI::App& app, const std::string& name, std::optional<FieldSelection>& fields,
                              const std::string& help) {
    std::vector<std::string> words;
    for (const FieldInfo& info : particle_fields)
        if (!is_of_boundary(info)) words.emplace_back(info.name);
    const auto take = [&fields](const std::vector<std::string>& names) {
        fields.emplace();
        for (const std::string& field : names) fields->add(*field_named(field));
    };
    return app.add_option_function<std::vector<std::string>>(name, take, help)->delimiter(',')->check(one_of(words));
}

std::shared_ptr<TimeChoice> add_frame_range(CLI::App& app, int& first, int& last) {
    const auto times = std::make_shared<TimeChoice>();
    app.add_option("--first", first, "number of the first frame")->check(whole_number(0))->type_name("");
    app.add_option("--last", last, "number of the last frame")->check(whole_number(0))->type_name("");
    app.add_option("--from", times->begin, "no frames before this time, s")->type_name("NUMBER");
    app.add_option("--to", times->end, "no frames after this time, s")->type_name("NUMBER");
    return times;
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

void settle_frame_range(const std::filesystem::path& dir, int& first, int& last, const TimeChoice& times) {
    const std::vector<FrameEntry> frames = choose_frames(dir, first, last);
    // Frames are stored in the first step after their time: t = 0.5001 s is the one of 0.5 s.
    const double between = time_between(frames);
    if (times.begin == times.end && times.begin >= frames.front().time - between / 2 &&
        times.end <= frames.back().time + between / 2) {
        first = last = nearest_frame(frames, times.begin);
        return;
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
    first = found->number;
    last = std::find_if(frames.rbegin(), frames.rend(), inside)->number;
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
