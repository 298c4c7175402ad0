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

/// The same of a constant of a joint, the x of its samples. Checks that it is not negative.
SeriesRange add_joint_series(const Case& definition, const JointCoefficient& given, std::vector<SeriesSample>& samples);

/// The same of factors on a force, all three of which may differ in 2-D, too.
SeriesRange add_factors(const Case& definition, const BodySeries& given, std::vector<SeriesSample>& samples);

} // namespace sluice
