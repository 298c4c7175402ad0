// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/picture_scene.h"

namespace sluice {

/// The fluid of a frame as its surface, in the colours of a value, and the particles that are too few to have one.
struct SurfaceLook {
    ColouredMesh surface; ///< in two dimensions the area that is fluid
    Dots drops; ///< particles too few to have a surface: less than half of the volume is fluid there and beside
};

/// As `options.run` computes the fluid's fraction of the volume; the surface is where that is ½, on a lattice of dp.
/// Colours are those of the value there, on the scale `range`. Throws RunError for particles without place or volume.
SurfaceLook surface_look(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                         const ValueRange& range);

} // namespace sluice
