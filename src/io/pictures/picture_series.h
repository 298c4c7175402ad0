// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/camera_path.h"
#include "io/pictures/picture.h"
#include <functional>
#include <optional>
#include <vector>

namespace sluice {

/// A picture of a series: a stored frame, or what lies between it and the next one.
struct Shot {
    int number = 0;            ///< of the frame
    std::optional<int> next{}; ///< of the frame that comes after what is shown; none: the frame itself is
    double part = 0;           ///< of the way to it
    double time = 0;           ///< that the picture stands for in the film, s; the camera goes by it
};

/// Pictures in one view, or along a camera's path, and with one colour scale.
struct PictureSeries {
    std::filesystem::path dir; ///< an output folder
    std::vector<Shot> shots;
    PictureOptions options; ///< what they leave open becomes what suits all frames
    std::optional<CameraPath> camera{};
};

/// Draws one frame; called on several threads at once.
using DrawFrame =
    std::function<PictureBytes(const Frame&, const ParticleLayout&, const PictureOptions&, const SharedBackground&)>;

/// How many frames are drawn at the same time.
std::size_t drawn_at_once();

/// Draws a series on as many threads as the machine has cores; `take` gets what `draw` returns in the order of the
/// shots. Throws RunError, and what `draw` and `take` throw.
void draw_series(const PictureSeries& series, const DrawFrame& draw,
                 const std::function<void(const PictureBytes&)>& take);

} // namespace sluice
