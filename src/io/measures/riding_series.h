// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/measures/gauges.h"
#include <vector>

namespace sluice {

/// The series of a gauge as if it stayed where it is, whatever it follows. `motion`: of what it rides on, for a flow
/// through it.
std::vector<MeasuredSeries> series_in_place(const Gauge& gauge, const RunSetup& setup,
                                            const std::vector<ParticleBlock>& blocks, const RigidMotion& motion = {});

/// The series of a gauge that follows something; `gauge_series` says more.
std::vector<MeasuredSeries> riding_series(const Gauge& gauge, const RunSetup& setup);

/// The rows of probes at some points, for one time.
std::vector<std::vector<CsvValue>> probe_rows(const std::vector<Vec3d>& points, const FluidInterpolator& fluid);

} // namespace sluice
