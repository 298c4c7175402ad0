// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/gauges.h"
#include "io/pictures/picture.h"
#include <vector>

namespace sluice {

/// Where gauges measure, as marks of a picture: points, lines, rectangles, the corners of meshes. The force on a wall
/// has none.
std::vector<PictureMark> gauge_marks(const std::vector<Gauge>& gauges);

} // namespace sluice
