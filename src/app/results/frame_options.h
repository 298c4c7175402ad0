// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/option_checks.h"
#include "core/vec.h"
#include "io/frames/frame_reader.h"
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// What all commands on stored frames have: the folder, the choice of frames, repeated options of several numbers.

namespace sluice {

/// The argument DIR.
void add_dir(CLI::App& app, std::filesystem::path& dir);

/// --out of a command that writes a file a frame. `formats`: how the user chooses what they are, for messages.
void add_out_folder(CLI::App& app, std::filesystem::path& out, const std::string& formats);

/// --out of a command that writes one table.
void add_table_out(CLI::App& command, std::filesystem::path& out);

/// Lets a command do its work in a folder, which must stay where it is. Warns of frames that are missing, since without
/// a message they would be missing from films, tables and plots, and brings the timeline of a killed run up to date.
void on_call(CLI::App& app, const std::filesystem::path& dir, std::function<void()> work);

/// --overwrite.
void add_overwrite(CLI::App& command, bool& overwrite);

/// "1 frame in x"; what a command says at its end.
void log_frames(int count, const std::filesystem::path& out);

/// An option that takes `width` numbers and may be repeated: all numbers one after the other.
CLI::Option* add_repeated(CLI::App& app, const std::string& name, std::vector<double>& values, int width,
                          const std::string& type, const std::string& help);

/// The vectors of a repeated option. Throws InputError, which begins with `what`, if a number is left over.
std::vector<Vec3d> vectors_of(const std::vector<double>& values, const std::string& what);

/// An option that takes names of fields of the fluid.
CLI::Option* add_fluid_fields(CLI::App& app, const std::string& name, std::optional<FieldSelection>& fields,
                              const std::string& help);

/// Frames chosen by time, s; those by number are in the job of a command.
struct TimeChoice {
    double begin = -std::numeric_limits<double>::infinity(), end = std::numeric_limits<double>::infinity();
};

/// --first, --last, --from, --to.
std::shared_ptr<TimeChoice> add_frame_range(CLI::App& app, int& first, int& last);

/// The same, and --every where a job can leave some frames out.
template <class Job>
std::shared_ptr<TimeChoice> add_frames(CLI::App& app, Job& job) {
    const auto times = add_frame_range(app, job.first, job.last);
    if constexpr (requires { job.every; })
        app.add_option("--every", job.every, "only each so many frames")
            ->check(whole_number(1))
            ->type_name("")
            ->capture_default_str();
    return times;
}

/// Turns the times into numbers of frames. Throws InputError if no frame lies between them.
void settle_frame_range(const std::filesystem::path& dir, int& first, int& last, const TimeChoice& times);

template <class Job>
void settle_times(Job& job, const TimeChoice& times) {
    settle_frame_range(job.dir, job.first, job.last, times);
}

/// The number of the frame whose time is nearest to one.
int nearest_frame(const std::vector<FrameEntry>& frames, double time);

/// Simulated time between two frames, s; 0 of a single one.
double time_between(const std::vector<FrameEntry>& frames);

/// What a run has written stays apart from what is made of it: throws InputError where a command would write its files
/// into a folder of the run.
void refuse_folder_of_run(const char* command, const std::filesystem::path& dir, const std::filesystem::path& out);

} // namespace sluice
