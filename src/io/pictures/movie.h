// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/frames/frame_reader.h"
#include "io/pictures/picture_series.h"
#include <filesystem>
#include <optional>
#include <vector>

namespace sluice {

/// What a film shows at times at which no frame is stored.
enum class BetweenFrames {
    repeat,     ///< the stored frame that is nearest, with its own time
    interpolate ///< places and values between the two frames around it, marked as such
};

struct MovieJob {
    std::filesystem::path dir;     ///< an output folder
    std::filesystem::path out;     ///< the film; .mp4, .mov, .mkv, .webm or .gif
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    int frames_per_second = 25;
    /// Seconds of the run that pass in a second of the film; none: each frame is one picture.
    std::optional<double> speed{};
    BetweenFrames between = BetweenFrames::repeat;
    std::optional<std::filesystem::path> camera{}; ///< the rows of a CameraPath
    PictureOptions picture; ///< view and colour scale hold for all pictures; by default those of the whole run
};

/// Whether the program that makes films, ffmpeg, is on the PATH.
bool can_make_movies();

/// The pictures of a film: each of the frames (which go up in number and time), or with a speed those at the times
/// k·speed/frames_per_second after the first one. Throws InputError for more than a million of them.
std::vector<Shot> shots_of(const std::vector<FrameEntry>& frames, const MovieJob& job);

/// Draws the chosen frames and has ffmpeg make a film of them. Returns the number of pictures. Throws InputError
/// for another suffix, without ffmpeg or frames, and for a camera's path that is wrong; RunError if ffmpeg fails.
int write_movie(const MovieJob& job);

} // namespace sluice
