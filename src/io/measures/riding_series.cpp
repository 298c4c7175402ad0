// SPDX-License-Identifier: Apache-2.0
#include "io/measures/riding_series.h"

#include "io/measures/riding.h"
#include <fmt/format.h>
#include <memory>
#include <variant>

namespace sluice {

namespace {

/// The columns that say where a gauge is, behind its own.
std::vector<std::string> place_columns(const GaugeKind& kind) {
    if (std::holds_alternative<MeasuringMesh>(kind)) return {}; // has the places of all its points
    if (std::holds_alternative<SurfaceLine>(kind)) return {"along [m]", "x0 [m]", "y0 [m]", "z0 [m]"};
    return {"x [m]", "y [m]", "z [m]"};
}

/// Appends their values to the row of its own columns.
void add_place(const GaugeKind& kind, std::vector<CsvValue>& row) {
    if (std::holds_alternative<MeasuringMesh>(kind)) return;
    const Vec3d p = first_place(kind);
    if (std::holds_alternative<SurfaceLine>(kind)) {
        const Vec3d surface{std::get<double>(row[0]), std::get<double>(row[1]), std::get<double>(row[2])};
        row.emplace_back(norm(surface - p));
    }
    row.insert(row.end(), {p.x, p.y, p.z});
}

std::string riding_comment(const Gauge& gauge, const RunSetup& setup) {
    std::string comment = fmt::format("rides on {}: the places above are those at the start of the run; velocities are "
                                      "those in space",
                                      carrier_name(setup, *gauge.follow));
    if (std::holds_alternative<SurfaceLine>(gauge.kind))
        comment += "; x0, y0, z0: where its first point is; along: the way from there to the surface";
    if (std::holds_alternative<FlowRectangle>(gauge.kind))
        comment += "; u: that of the fluid less that of the rectangle; x, y, z: where its first corner is";
    return comment;
}

/// A gauge that rides: at the time of a frame it is one that stays where it has come to.
class RidingGauge {
public:
    RidingGauge(const Gauge& gauge, const RunSetup& setup)
        : gauge_(gauge), setup_(setup), ride_(setup, *gauge.follow, first_place(gauge.kind)) {}

    /// Calls `use(kind, series)` with what it is at that time.
    template <class Use>
    auto at(const Frame& frame, const Use& use) const {
        const RigidMotion motion = ride_.at(frame);
        Gauge here = gauge_;
        here.kind = moved(gauge_.kind, motion);
        return use(here.kind, series_in_place(here, setup_, {}, motion));
    }

private:
    Gauge gauge_;
    const RunSetup& setup_;
    Ride ride_;
};

} // namespace

std::vector<MeasuredSeries> riding_series(const Gauge& gauge, const RunSetup& setup) {
    using List = std::vector<MeasuredSeries>;
    const auto rider = std::make_shared<const RidingGauge>(gauge, setup);
    List all = series_in_place(gauge, setup, {});
    for (std::size_t k = 0; k < all.size(); ++k) {
        for (const std::string& column : place_columns(gauge.kind)) all[k].columns.push_back(column);
        all[k].comments.push_back(riding_comment(gauge, setup));
        all[k].regions.clear();
        all[k].regions_at = [rider, k](const Frame& frame) {
            return rider->at(frame, [k](const GaugeKind&, const List& now) { return now[k].regions; });
        };
        all[k].measure = [rider, k](const FluidInterpolator& fluid) {
            return rider->at(fluid.frame(), [&](const GaugeKind& here, const List& now) {
                auto rows = now[k].measure(fluid);
                for (std::vector<CsvValue>& row : rows) add_place(here, row);
                return rows;
            });
        };
    }
    return all;
}

MeasuredSeries probe_series(const std::vector<Vec3d>& points, const RunSetup& setup, int mk_bound) {
    std::vector<Ride> rides;
    for (const Vec3d& point : points) rides.emplace_back(setup, mk_bound, point);
    const auto places = [points, rides](const Frame& frame) {
        std::vector<Vec3d> now;
        for (std::size_t k = 0; k < points.size(); ++k) now.push_back(rides[k].at(frame).position_of(points[k]));
        return now;
    };
    MeasuredSeries series = probe_series(points);
    series.comments.push_back(
        fmt::format("the points ride on {}: x, y, z: where they are; velocities are those in space",
                    carrier_name(setup, mk_bound)));
    series.regions.clear();
    series.regions_at = [places](const Frame& frame) { return boxes_at(places(frame)); };
    series.measure = [places](const FluidInterpolator& fluid) { return probe_rows(places(fluid.frame()), fluid); };
    return series;
}

} // namespace sluice
