// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/frames/frame_writer.h"
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

/// The frames stored in an output folder by ascending number. Throws RunError if one cannot be read.
std::vector<FrameEntry> list_frames(const std::filesystem::path& dir);

/// The frames of an output folder, as far as they can be read.
struct ReadableFrames {
    std::vector<FrameEntry> frames;   ///< by ascending number
    std::vector<std::string> damaged; ///< of each other one, what is wrong: "FILE: …"
    std::vector<int> missing;         ///< numbers before the last one that no file has
};

/// As `list_frames`, but names the damaged frames and goes on. What is wrong inside of one, only `read_frame` sees.
ReadableFrames readable_frames(const std::filesystem::path& dir);

/// Those with numbers from `first` to `last`, each `every`-th of them. Throws InputError if there are none, RunError.
std::vector<FrameEntry> choose_frames(const std::filesystem::path& dir, int first, int last, int every = 1);

/// One stored frame, boundary and fluid, as far as the case selects them. Fixed boundary particles have velocity 0;
/// values that are not stored are NaN, derived fields that are not stored empty. Throws RunError.
Frame read_frame(const std::filesystem::path& dir, int number);

/// The boundary as it was drawn, all of it: ids and positions. Throws RunError.
Frame read_drawn_boundary(const std::filesystem::path& dir);

/// What all frames of the folder share. Throws RunError.
ParticleLayout read_layout(const std::filesystem::path& dir);

/// For what needs all fluid particles with these values: throws InputError that says what the run has not stored.
void require_stored(const std::filesystem::path& dir, const ParticleLayout& layout, const FieldSelection& wanted);

/// Warns where some of the frames lack fluid particles because the case selects others, for what needs all of them.
void warn_of_left_out(const std::filesystem::path& dir, const ParticleLayout& layout,
                      const std::vector<FrameEntry>& frames);

/// For what needs all boundary particles: throws InputError where one of the frames lacks some, because the case
/// selects others.
void require_boundary(const std::filesystem::path& dir, const ParticleLayout& layout,
                      const std::vector<FrameEntry>& frames);

} // namespace sluice
