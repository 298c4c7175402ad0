// SPDX-License-Identifier: Apache-2.0
#include "io/gauges.h"

#include "core/error.h"
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace sluice {
namespace {

/// The line of check points of a gauge.
struct CheckLine {
    CheckLine(const SurfaceLine& gauge, double fallback_spacing) : origin(gauge.point0) {
        const Vec3d span = gauge.point2 - gauge.point0;
        const double length = std::sqrt(dot(span, span));
        if (length > 0) direction = (1 / length) * span;
        const double spacing = gauge.point_spacing > 0 ? gauge.point_spacing : fallback_spacing;
        constexpr double most = 1e7;
        if (!(length / spacing < most))
            throw RunError(
                fmt::format("a line of {:g} m with points {:g} m apart has too many of them", length, spacing));
        // The slack keeps a length that is a whole number of spacings from losing its last point to rounding.
        for (double s = 0; s < length - 1e-6 * spacing; s = spacing * static_cast<double>(stations.size()))
            stations.push_back(s);
        stations.push_back(length);
    }
    Vec3d at(double station) const { return origin + station * direction; }

    Vec3d origin, direction;
    std::vector<double> stations; ///< m from point0
};

} // namespace

std::optional<Vec3d> find_surface(const SurfaceLine& gauge, const FluidInterpolator& fluid) {
    const CheckLine line(gauge, fluid.constants().dp / 2);
    const double limit = gauge.mass_limit;
    double before = 0;
    for (std::size_t k = 0; k < line.stations.size(); ++k) {
        const double now = fluid.fraction_at(line.at(line.stations[k]));
        if (k > 0 && before >= limit && now < limit) {
            const double part = (before - limit) / (before - now);
            return line.at(line.stations[k - 1] + part * (line.stations[k] - line.stations[k - 1]));
        }
        before = now;
    }
    if (before >= limit) return gauge.point2;
    return std::nullopt;
}

} // namespace sluice
