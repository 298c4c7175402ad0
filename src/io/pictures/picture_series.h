// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/picture.h"
#include <functional>
#include <vector>

namespace sluice {

/// Draws one frame; called on several threads at once.
using DrawFrame =
    std::function<PictureBytes(const Frame&, const ParticleLayout&, const PictureOptions&, const SharedBackground&)>;

/// How many frames are drawn at the same time.
std::size_t drawn_at_once();

/// Draws frames of the run in `dir` in one view and with one colour scale, those of `options` or what suits all of
/// them, on as many threads as the machine has cores; `take` gets what `draw` returns in the order of the frames.
/// Throws RunError, and what `draw` and `take` throw.
void draw_series(const std::filesystem::path& dir, const std::vector<int>& numbers, PictureOptions options,
                 const DrawFrame& draw, const std::function<void(const PictureBytes&)>& take);

} // namespace sluice
