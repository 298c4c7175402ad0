// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/movie.h"
#include "core/error.h"
#include "io/files/file.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice {
namespace {

/// How ffmpeg makes a kind of film. Its own choices take several times as long for the same look, and give an animated
/// GIF one palette for all that it shows.
struct FilmFormat {
    std::string_view suffix;
    const char* filter; ///< after even sizes, which most formats want
    std::vector<const char*> words;
};

const std::vector<FilmFormat>& film_formats() {
    static const std::vector<const char*> h264{"-pix_fmt", "yuv420p", "-preset", "veryfast"};
    static const std::vector<FilmFormat> formats{
        {".mp4", "", h264},
        {".mov", "", h264},
        {".mkv", "", h264},
        {".webm", "", {"-pix_fmt", "yuv420p", "-deadline", "realtime", "-cpu-used", "6"}},
        {".gif", ",split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none", {}},
    };
    return formats;
}

/// The format of a film's name. Throws InputError if there is none.
const FilmFormat& format_of(const std::filesystem::path& path) {
    std::vector<std::string_view> suffixes;
    for (const FilmFormat& format : film_formats()) {
        if (path.extension() == format.suffix) return format;
        suffixes.push_back(format.suffix);
    }
    throw InputError(fmt::format("{}: unknown suffix; a film is {}", path.string(), fmt::join(suffixes, ", ")));
}

/// ffmpeg, with pictures going in one after the other. Started without a shell: no file name can be misread.
class Encoder {
public:
    Encoder(const std::filesystem::path& out, int frames_per_second, int width, int height)
        : out_(out), complaints_(::memfd_create("ffmpeg", MFD_CLOEXEC)) {
        require_regular(out);
        if (out.has_parent_path()) make_folder(out.parent_path());
        const std::string rate = std::to_string(frames_per_second), file = unfinished().string(),
                          size = fmt::format("{}x{}", width, height);
        const FilmFormat& format = format_of(out);
        const std::string filter = fmt::format("pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white{}", format.filter);
        std::vector<const char*> words{"ffmpeg",   "-y",   "-loglevel", "error",       "-f",         "rawvideo",
                                       "-pix_fmt", "bgr0", "-s",        size.c_str(),  "-framerate", rate.c_str(),
                                       "-i",       "-",    "-vf",       filter.c_str()};
        words.insert(words.end(), format.words.begin(), format.words.end());
        words.insert(words.end(), {file.c_str(), nullptr});
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw RunError("movie: cannot make a pipe");
        ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20); // fewer turns for a picture; as it was, where that is too much
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        if (complaints_ >= 0) posix_spawn_file_actions_adddup2(&actions, complaints_, STDERR_FILENO);
        const int error =
            posix_spawnp(&process_, words[0], &actions, nullptr, const_cast<char**>(words.data()), environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[0]);
        input_ = ends[1];
        if (error != 0) {
            ::close(input_);
            throw InputError("movie: ffmpeg cannot be started; install it, or make pictures instead");
        }
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() {
        wait();
        if (complaints_ >= 0) ::close(complaints_);
        ::unlink(unfinished().c_str());
    }

    void add(const std::string& pixels) {
        for (std::size_t at = 0; at < pixels.size();) {
            const ssize_t written = ::write(input_, pixels.data() + at, pixels.size() - at);
            if (written < 0) {
                wait();
                throw RunError(
                    fmt::format("{}: ffmpeg stopped before all pictures were drawn: {}", out_.string(), complaint()),
                    Outcome::output_failed);
            }
            at += static_cast<std::size_t>(written);
        }
    }
    /// Throws RunError if ffmpeg had anything to complain of; on a full disk it may do so and end as if all were well.
    void finish() {
        const bool ended_well = wait();
        const std::string words = complaint();
        if (!ended_well || !words.empty())
            throw RunError(fmt::format("{}: ffmpeg could not make the film: {}", out_.string(), words),
                           Outcome::output_failed);
        if (::rename(unfinished().c_str(), out_.c_str()) != 0) fail_output(out_, "cannot rename", errno);
    }

private:
    /// ffmpeg knows the format by the suffix.
    std::filesystem::path unfinished() const {
        return out_.parent_path() /
               fmt::format("{}.{}.tmp{}", out_.stem().string(), ::getpid(), out_.extension().string());
    }
    bool wait() {
        if (input_ < 0) return false;
        ::close(std::exchange(input_, -1));
        int status = 0;
        ::waitpid(process_, &status, 0);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    /// The beginning of what ffmpeg wrote to its standard error, in one line.
    std::string complaint() const {
        char text[400];
        const ssize_t size = complaints_ >= 0 ? ::pread(complaints_, text, sizeof text, 0) : 0;
        std::string words(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        std::replace(words.begin(), words.end(), '\n', ' ');
        return words;
    }

    std::filesystem::path out_;
    int complaints_ = -1; ///< ffmpeg's standard error, in memory
    pid_t process_ = -1;
    int input_ = -1;
};

/// While it lives, writing to a program that has ended is an error and not the end of this one.
class NoBrokenPipeSignal {
public:
    NoBrokenPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    ~NoBrokenPipeSignal() { std::signal(SIGPIPE, before_); }

private:
    void (*before_)(int);
};

} // namespace

bool can_make_movies() {
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (::access((std::filesystem::path(rest.substr(0, end)) / "ffmpeg").c_str(), X_OK) == 0) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

std::vector<Shot> shots_of(const std::vector<FrameEntry>& frames, const MovieJob& job) {
    std::vector<Shot> shots;
    if (!job.speed) {
        for (const FrameEntry& entry : frames) shots.push_back({entry.number, {}, 0, entry.time});
        return shots;
    }
    const double step = *job.speed / job.frames_per_second, start = frames.front().time;
    constexpr double most = 1e6, rounding = 1e-9;
    const double count = std::floor((frames.back().time - start) / step * (1 + rounding)) + 1;
    if (!(count <= most))
        throw InputError(
            fmt::format("movie: --speed {:g}: the film would have {:.2g} pictures; choose a greater one, or "
                        "fewer frames with --from and --to",
                        *job.speed, count));
    for (std::size_t k = 0, at = 0; k < static_cast<std::size_t>(count); ++k) {
        const double time = start + double(k) * step;
        while (at + 1 < frames.size() && frames[at + 1].time <= time) ++at;
        const FrameEntry& before = frames[at];
        const FrameEntry& after = frames[std::min(at + 1, frames.size() - 1)];
        const double part = &before == &after ? 0 : (time - before.time) / (after.time - before.time);
        if (job.between == BetweenFrames::repeat)
            shots.push_back({part < 0.5 - rounding ? before.number : after.number, {}, 0, time});
        else if (part < rounding)
            shots.push_back({before.number, {}, 0, time});
        else
            shots.push_back({before.number, after.number, part, time});
    }
    return shots;
}

int write_movie(const MovieJob& job) {
    format_of(job.out); // before all that is drawn
    if (!can_make_movies()) throw InputError("movie: ffmpeg is not on the PATH; install it, or make pictures instead");
    PictureSeries series{job.dir, shots_of(choose_frames(job.dir, job.first, job.last, job.every), job), job.picture};
    if (job.camera) series.camera = CameraPath::read(*job.camera, read_layout(job.dir).two_d);
    const NoBrokenPipeSignal quiet;
    std::optional<Encoder> encoder;
    draw_series(series, picture_pixels, [&](const PictureBytes& picture) {
        if (!encoder) encoder.emplace(job.out, job.frames_per_second, picture.width, picture.height);
        encoder->add(picture.bgrx);
    });
    encoder->finish();
    return static_cast<int>(series.shots.size());
}

} // namespace sluice
