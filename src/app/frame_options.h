// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/option_checks.h"
#include "io/frames/frame_reader.h"
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// What all commands on the stored frames of a run have in common.

namespace sluice {

/// DIR.
void add_dir(CLI::App& app, std::filesystem::path& dir);

/// --out of a command that writes a file a frame. `formats`: how the user chooses what they are, for messages.
void add_out_folder(CLI::App& app, std::filesystem::path& out, const std::string& formats);

/// What a command does with the folder. A killed run may have left its timeline behind its frames.
void on_call(CLI::App& app, const std::filesystem::path& dir, const std::function<void()>& work);

/// Frames chosen by time.
struct TimeChoice {
    double begin = -std::numeric_limits<double>::infinity(), end = std::numeric_limits<double>::infinity(); ///< s
};

/// The number of the frame whose time is nearest to one.
int nearest_frame(const std::vector<FrameEntry>& frames, double time);

/// Simulated time between two frames, s; 0 of a single one.
double time_between(const std::vector<FrameEntry>& frames);

/// The first and the last number of the frames between two numbers that lie between two times. Throws InputError if
/// there are none.
std::pair<int, int> frames_between(const std::filesystem::path& dir, int first, int last, const TimeChoice& times);

/// Frames chosen by number and by time; `job` has first, last and, where a command can leave some out, every.
template <class Job>
std::shared_ptr<TimeChoice> add_frames(CLI::App& app, Job& job) {
    const auto times = std::make_shared<TimeChoice>();
    app.add_option("--first", job.first, "number of the first frame")->check(whole_number(0))->type_name("");
    app.add_option("--last", job.last, "number of the last frame")->check(whole_number(0))->type_name("");
    app.add_option("--from", times->begin, "no frames before this time, s")->type_name("NUMBER");
    app.add_option("--to", times->end, "no frames after this time, s")->type_name("NUMBER");
    if constexpr (requires { job.every; })
        app.add_option("--every", job.every, "only each so many frames")
            ->check(whole_number(1))
            ->type_name("")
            ->capture_default_str();
    return times;
}

/// Turns the times into numbers of frames. Throws InputError if no frame lies between them.
template <class Job>
void settle_times(Job& job, const TimeChoice& times) {
    std::tie(job.first, job.last) = frames_between(job.dir, job.first, job.last, times);
}

/// --overwrite.
void add_overwrite(CLI::App& command, bool& overwrite);

/// "1 frame in x"; what a command says at its end.
void log_frames(int count, const std::filesystem::path& out);

/// What a run has written stays apart from what is made of it: throws InputError where a command would write its files
/// into a folder of the run.
void refuse_folder_of_run(const char* command, const std::filesystem::path& dir, const std::filesystem::path& out);

} // namespace sluice
