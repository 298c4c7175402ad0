// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/body_series.h"
#include <vector>

namespace sluice {

/// Adds a series of a floating body to the samples of a run; an empty range where the case gives none. In 2-D the
/// vectors of `about_y` lie along y, the others in the plane; InputError if they do not, or for a file that cannot be
/// taken.
SeriesRange add_body_series(const Case& definition, const std::optional<BodySeries>& given, bool about_y,
                            std::vector<SeriesSample>& samples);

} // namespace sluice
