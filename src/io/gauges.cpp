// SPDX-License-Identifier: Apache-2.0
#include "io/gauges.h"
#include "core/error.h"
#include "io/forces.h"
#include "io/interpolator.h"
#include "io/layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sluice {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr const char* mean_formula =
    "f(x) = sum f_b (m/rho_b) W / fraction, fraction = sum (m/rho_b) W, over the fluid; nan where fraction < 0.1";

using Row = std::vector<CsvValue>;
using Rows = std::vector<Row>;

std::string text_of(const Vec3d& p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); }

std::vector<std::string> position_columns() { return {"x [m]", "y [m]", "z [m]"}; }

/// Turns the description of a gauge into what measures it.
struct SeriesOf {
    const RunSetup& setup;
    const std::vector<ParticleBlock>& blocks;
    const Gauge& gauge;

    std::string title(const std::string& what) const { return fmt::format("gauge {}: {}", gauge.name, what); }

    MeasuredSeries operator()(const SurfaceLine& line) const {
        return {
            position_columns(),
            {title(fmt::format("free surface on the line from {} to {} m, checked every {} m", text_of(line.point0),
                               text_of(line.point2), line.point_spacing)),
             fmt::format("first place at which sum over fluid of (m/rho) W falls below {}; nan: no fluid on the line",
                         line.mass_limit)},
            [line, run = setup](const Frame& frame) {
                const Vec3d p = find_surface(line, frame, run).value_or(Vec3d{none, none, none});
                return Rows{{p.x, p.y, p.z}};
            }};
    }
    MeasuredSeries operator()(const VelocityPoint& at) const {
        return {{"vx [m/s]", "vy [m/s]", "vz [m/s]", "fraction"},
                {title(fmt::format("velocity of the fluid at {} m", text_of(at.point))), mean_formula},
                [at, run = setup](const Frame& frame) {
                    const Measurement m = measure_points(frame, run.boundary_count, run.constants, {at.point})[0];
                    return Rows{{m.velocity.x, m.velocity.y, m.velocity.z, m.fraction}};
                }};
    }
    MeasuredSeries operator()(const PressurePoint& at) const {
        return {{"pressure [Pa]", "density [kg/m3]", "fraction"},
                {title(fmt::format("pressure of the fluid at {} m", text_of(at.point))), mean_formula},
                [at, run = setup](const Frame& frame) {
                    const Measurement m = measure_points(frame, run.boundary_count, run.constants, {at.point})[0];
                    return Rows{{m.pressure, m.density, m.fraction}};
                }};
    }
    MeasuredSeries operator()(const HighestFluid& line) const {
        const double distance = line.distance + line.distance_h * setup.constants.h;
        return {
            {"zmax [m]"},
            {title(fmt::format("largest z of the fluid particles less than {} m from the vertical line of {} m "
                               "above {} m; nan: there are none",
                               distance, line.height, text_of(line.point0)))},
            [line, run = setup](const Frame& frame) { return Rows{{highest_fluid(line, frame, run).value_or(none)}}; }};
    }
    MeasuredSeries operator()(const BoundaryForce& target) const {
        const std::vector<ParticleBlock> wanted = boundary_blocks(blocks, target.mk_bound);
        const char* unit = setup.constants.two_d ? "N/m" : "N";
        return {{fmt::format("fx [{}]", unit), fmt::format("fy [{}]", unit), fmt::format("fz [{}]", unit)},
                {title(fmt::format("force of the fluid on the boundary particles of mkbound {}", target.mk_bound)),
                 "-sum of m_a (dv_a/dt)_ab over the pairs of fluid a and boundary b (momentum equation, no gravity)"},
                [wanted, run = setup](const Frame& frame) {
                    const Vec3d f = force_on_boundary(frame, run.boundary_count, wanted, run.constants);
                    return Rows{{f.x, f.y, f.z}};
                }};
    }
    MeasuredSeries operator()(const FlowRectangle& flow) const {
        return {{"flow [m3/s]"},
                {title(fmt::format("flow through the rectangle with the corners {}, {} and {} m, sampled every {} m",
                                   text_of(flow.point0), text_of(flow.point1), text_of(flow.point2), flow.spacing)),
                 "sum of fraction u.n dA, n along (point1 - point0) x (point2 - point0)", mean_formula},
                [flow, run = setup](const Frame& frame) { return Rows{{flow_rate(flow, frame, run)}}; }};
    }
};

Vec3d cross(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

int parts_of(const Vec3d& side, double spacing) {
    return std::max(1, static_cast<int>(std::ceil(std::sqrt(dot(side, side)) / spacing - 1e-9)));
}

/// Middles of the n0 × n1 parts of a rectangle.
std::vector<Vec3d> part_middles(const FlowRectangle& flow, int n0, int n1) {
    std::vector<Vec3d> points;
    for (int j = 0; j < n1; ++j)
        for (int i = 0; i < n0; ++i)
            points.push_back(flow.point0 + ((i + 0.5) / n0) * (flow.point1 - flow.point0) +
                             ((j + 0.5) / n1) * (flow.point2 - flow.point0));
    return points;
}

} // namespace

std::optional<double> highest_fluid(const HighestFluid& gauge, const Frame& frame, const RunSetup& setup) {
    const double distance = gauge.distance + gauge.distance_h * setup.constants.h;
    std::optional<double> highest;
    for (std::size_t i = fluid_begin(frame, setup.boundary_count); i < frame.size(); ++i) {
        Vec3d r = frame.position[i] - gauge.point0;
        if (setup.constants.two_d) r.y = 0;
        if (r.z < 0 || r.z > gauge.height || r.x * r.x + r.y * r.y >= distance * distance) continue;
        highest = std::max(highest.value_or(frame.position[i].z), frame.position[i].z);
    }
    return highest;
}

double flow_rate(const FlowRectangle& flow, const Frame& frame, const RunSetup& setup) {
    const Vec3d side0 = flow.point1 - flow.point0, side1 = flow.point2 - flow.point0;
    const double spacing = flow.spacing > 0 ? flow.spacing : setup.constants.dp;
    // In two dimensions nothing changes across the plane x-z.
    const bool across0 = setup.constants.two_d && side0.x == 0 && side0.z == 0;
    const bool across1 = setup.constants.two_d && side1.x == 0 && side1.z == 0;
    const int n0 = across0 ? 1 : parts_of(side0, spacing), n1 = across1 ? 1 : parts_of(side1, spacing);
    const Vec3d area = (1.0 / (static_cast<double>(n0) * n1)) * cross(side0, side1);
    double sum = 0;
    for (const Measurement& m :
         measure_points(frame, setup.boundary_count, setup.constants, part_middles(flow, n0, n1)))
        if (std::isfinite(m.velocity.x)) sum += m.fraction * dot(m.velocity, area);
    return sum;
}

void check_gauge(const Gauge& gauge, const std::vector<ParticleBlock>& blocks) {
    const auto* target = std::get_if<BoundaryForce>(&gauge.kind);
    if (target && boundary_blocks(blocks, target->mk_bound).empty())
        throw InputError(gauge.where, fmt::format("gauge \"{}\": the case has no boundary particles of mkbound {}",
                                                  gauge.name, target->mk_bound));
}

MeasuredSeries gauge_series(const Gauge& gauge, const RunSetup& setup, const std::vector<ParticleBlock>& blocks) {
    check_gauge(gauge, blocks);
    return std::visit(SeriesOf{setup, blocks, gauge}, gauge.kind);
}

MeasuredSeries probe_series(const std::vector<Vec3d>& points, const RunSetup& setup) {
    std::vector<std::string> columns{"probe"};
    for (const std::string& column : position_columns()) columns.push_back(column);
    for (const char* column : {"fraction", "vx [m/s]", "vy [m/s]", "vz [m/s]", "pressure [Pa]", "density [kg/m3]"})
        columns.emplace_back(column);
    return {columns, {mean_formula}, [points, run = setup](const Frame& frame) {
                const auto values = measure_points(frame, run.boundary_count, run.constants, points);
                Rows rows;
                for (std::size_t k = 0; k < points.size(); ++k) {
                    const Vec3d& p = points[k];
                    const Measurement& m = values[k];
                    rows.push_back({static_cast<std::int64_t>(k), p.x, p.y, p.z, m.fraction, m.velocity.x, m.velocity.y,
                                    m.velocity.z, m.pressure, m.density});
                }
                return rows;
            }};
}

SeriesSampler::SeriesSampler(const std::filesystem::path& file, MeasuredSeries series, const SampleClock& clock,
                             bool append)
    : Sampler(clock), series_(std::move(series)),
      csv_(
          file,
          [this] {
              std::vector<std::string> columns{"time [s]"};
              columns.insert(columns.end(), series_.columns.begin(), series_.columns.end());
              return columns;
          }(),
          series_.comments, append) {}

void SeriesSampler::sample(const Frame& frame) {
    for (const Row& values : series_.measure(frame)) {
        Row row{frame.time};
        row.insert(row.end(), values.begin(), values.end());
        csv_.write_row(row);
    }
}

std::unique_ptr<SeriesSampler> make_gauge_sampler(const std::filesystem::path& dir, const Gauge& gauge,
                                                  const RunSetup& setup, const std::vector<ParticleBlock>& blocks,
                                                  bool append) {
    return std::make_unique<SeriesSampler>(dir / "gauges" / (gauge.name + ".csv"), gauge_series(gauge, setup, blocks),
                                           SampleClock(gauge.output_dt, gauge.start, gauge.end), append);
}

} // namespace sluice
