// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "case/case.h"
#include "geometry/particle_set.h"
#include "io/files/csv.h"
#include "io/fluid/interpolator.h"
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
std::optional<Vec3d> find_surface(const SurfaceLine& line, const FluidInterpolator& fluid);

/// The largest z of the fluid particles near the vertical line of a gauge, m; nothing where there are none.
std::optional<double> highest_fluid(const HighestFluid& gauge, const FluidInterpolator& fluid);

/// Volume of fluid a second through a rectangle, m³/s (in two dimensions through a metre of width, m²/s): Σ w u·n ΔA
/// over the middles of equal parts of it, at most `spacing` wide. u is interpolated, n is the gauge's direction, the
/// weight w is φ; or, with a `support`, 1 where φ is at least that and else 0. With φ, what the kernel smears over an
/// edge that ends at a wall (a boundary particle within dp) counts, too, so that all the flow to the wall does. Of a
/// rectangle that moves, u is the fluid's velocity less that of the rectangle there.
double flow_rate(const FlowRectangle& flow, const FluidInterpolator& fluid, const RigidMotion& motion = {});

/// The points of a mesh gauge, the first direction fastest, m.
std::vector<Vec3d> mesh_points(const MeasuringMesh& mesh);

/// What a series measures: the columns beside the time, and one or several rows of them for a frame.
struct MeasuredSeries {
    std::string suffix;                ///< of the table's name, for gauges that have more than one
    std::vector<std::string> columns;  ///< with units
    std::vector<std::string> comments; ///< formula, position
    std::vector<Box> regions;          ///< where it looks
    std::function<std::vector<std::vector<CsvValue>>(const FluidInterpolator&)> measure;
    std::function<std::vector<Box>(const Frame&)> regions_at{}; ///< where it looks, if that changes; else empty
};

/// Throws InputError with the place in the case if the gauge asks for an mk that is not there.
void check_gauge(const Gauge& gauge, const std::vector<ParticleBlock>& blocks);

/// Throws InputError with the place in the case if the gauge is to follow what is not there or does not move.
void check_ride(const Gauge& gauge, const RunSetup& setup);

/// Warnings of what keeps a gauge from measuring: it looks nowhere in the domain (in two dimensions on x and z), only
/// before or after the run, for a surface that no place has, or at so few places that it misses what it looks for. And
/// what it rides on.
std::vector<Diagnostic> gauge_notes(const Gauge& gauge, const RunSetup& setup, double time_max);

/// The series of a gauge, nearly always one. That of a gauge which rides on something looks at `setup`, which must
/// stay; its last columns say where the gauge is. Throws InputError as `check_gauge` and `check_ride` do.
std::vector<MeasuredSeries> gauge_series(const Gauge& gauge, const RunSetup& setup,
                                         const std::vector<ParticleBlock>& blocks);

/// Fraction, velocity, pressure and density at several points.
MeasuredSeries probe_series(const std::vector<Vec3d>& points);

/// The same at points that ride on the boundary of an mk, each by itself; `points` are their places at the start of the
/// run, m. Looks at `setup`, which must stay. Throws InputError with `why_no_ride`.
MeasuredSeries probe_series(const std::vector<Vec3d>& points, const RunSetup& setup, int mk_bound);

/// Writes a series during a run as a table: time, then the columns.
class SeriesSampler : public Sampler {
public:
    /// Looks at `fluid` (which must stay). With `append`, the table of an interrupted run goes on. Throws RunError.
    SeriesSampler(const std::filesystem::path& file, MeasuredSeries series, const SampleClock& clock,
                  SharedFluid& fluid, bool append = false);

    void sample(const Frame& frame) override;
    CsvWriter& table() { return csv_; }

private:
    MeasuredSeries series_;
    SharedFluid& fluid_;
    CsvWriter csv_;
};

/// The samplers of a gauge, with DIR/gauges/NAME.csv as the first one's table. Throws InputError and RunError.
std::vector<std::unique_ptr<SeriesSampler>> make_gauge_samplers(const std::filesystem::path& dir, const Gauge& gauge,
                                                                const RunSetup& setup,
                                                                const std::vector<ParticleBlock>& blocks,
                                                                SharedFluid& fluid, bool append = false);

} // namespace sluice
