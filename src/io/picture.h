// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "io/layout.h"
#include <filesystem>
#include <optional>
#include <string>

namespace sluice {

/// The box of all particles of a frame; of none, a unit box.
Box bounding_box(const Frame& frame);

struct PictureOptions {
    int width = 1600;          ///< pixels; the height follows from the scene
    std::string title{};       ///< e.g. the case's name
    std::optional<Box> view{}; ///< what to show; by default all particles of the frame
    double speed_max = 0;      ///< top of the colour scale, m/s; 0: a round number above the frame's speeds
    double azimuth = -58;      ///< 3-D: from where one looks, degrees; −90 is from −y
    double elevation = 22;     ///< 3-D: degrees above the horizon
};

/// Top of the colour scale for a frame, m/s: a round number above all but the fastest hundredth of its fluid. The
/// largest over several frames makes their pictures comparable.
double speed_scale_top(const Frame& frame, const ParticleGroups& groups);

/// The picture of a frame as the bytes of a PNG file.
std::string picture_png(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options = {});

/// Draws a frame as PNG or SVG (by the suffix of `path`): fluid coloured by speed with a scale in m/s, boundary
/// grey, axes in metres, title and time. Two-dimensional cases show x–z, others an oblique parallel projection with
/// a translucent boundary. Throws RunError if the file cannot be written.
void draw_picture(const std::filesystem::path& path, const Frame& frame, const ParticleLayout& layout,
                  const PictureOptions& options = {});

} // namespace sluice
