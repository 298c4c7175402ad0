// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/picture.h"
#include <filesystem>

namespace sluice {

struct MovieJob {
    std::filesystem::path dir;     ///< an output folder
    std::filesystem::path out;     ///< the film; .mp4, .mov, .mkv, .webm or .gif
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    int frames_per_second = 25;
    PictureOptions picture; ///< view and colour scale hold for all pictures; by default those of the whole run
};

/// Whether the program that makes films, ffmpeg, is on the PATH.
bool can_make_movies();

/// Draws the chosen frames and has ffmpeg make a film of them. Returns the number of pictures. Throws InputError
/// for another suffix and without ffmpeg or frames, RunError if ffmpeg fails.
int write_movie(const MovieJob& job);

} // namespace sluice
