// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "io/csv.h"
#include "run/backend.h"
#include "run/sampler.h"
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Where the free surface crosses the line of a gauge (m), going from point0 to point2:
///
///     φ(x) = Σ_b (m/ρ_b) W(|x − x_b|, h)    over the fluid particles: the fraction of the volume that is fluid
///
/// is evaluated at check points `point_spacing` apart. The surface is the first place at which φ falls below
/// `mass_limit` after having been above it, linear between two check points: the end of the body of water that the
/// line enters first, whatever spray flies behind it. A line that ends inside the fluid gives point2, one that never
/// enters it nothing. In two dimensions y does not count.
std::optional<Vec3d> find_surface(const SurfaceLine& line, const Frame& frame, const RunSetup& setup);

/// The largest z of the fluid particles near the vertical line of a gauge, m; nothing where there are none.
std::optional<double> highest_fluid(const HighestFluid& gauge, const Frame& frame, const RunSetup& setup);

/// Volume of fluid a second through a rectangle, m³/s: Σ φ u·n ΔA over the middles of equal parts of it, at most
/// `spacing` wide; u is interpolated, n points along (point1 − point0) × (point2 − point0).
double flow_rate(const FlowRectangle& flow, const Frame& frame, const RunSetup& setup);

/// What a series measures: the columns beside the time, and one or several rows of them for a frame.
struct MeasuredSeries {
    std::vector<std::string> columns;  ///< with units
    std::vector<std::string> comments; ///< formula, position
    std::function<std::vector<std::vector<CsvValue>>(const Frame&)> measure;
};

/// Throws InputError with the place in the case if the gauge asks for an mk that is not there.
void check_gauge(const Gauge& gauge, const std::vector<ParticleBlock>& blocks);

/// The series of a gauge. Throws InputError as `check_gauge` does.
MeasuredSeries gauge_series(const Gauge& gauge, const RunSetup& setup, const std::vector<ParticleBlock>& blocks);

/// Fraction, velocity, pressure and density at several points.
MeasuredSeries probe_series(const std::vector<Vec3d>& points, const RunSetup& setup);

/// Writes a series during a run as a table: time, then the columns.
class SeriesSampler : public Sampler {
public:
    /// With `append`, the table of an interrupted run goes on. Throws RunError.
    SeriesSampler(const std::filesystem::path& file, MeasuredSeries series, const SampleClock& clock,
                  bool append = false);

    void sample(const Frame& frame) override;

private:
    MeasuredSeries series_;
    CsvWriter csv_;
};

/// The sampler of a gauge, with DIR/gauges/NAME.csv as its table. Throws InputError and RunError.
std::unique_ptr<SeriesSampler> make_gauge_sampler(const std::filesystem::path& dir, const Gauge& gauge,
                                                  const RunSetup& setup, const std::vector<ParticleBlock>& blocks,
                                                  bool append = false);

} // namespace sluice
