// SPDX-License-Identifier: Apache-2.0
#include "io/gauges.h"
#include "io/layout.h"
#include "sph/kernels.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

/// A fluid particle as the line sees it.
struct NearLine {
    double along;   ///< distance from point0 along the line, m
    double across2; ///< squared distance from the line, m²
    double volume;  ///< m/ρ
};

/// The line of check points of a gauge.
struct CheckLine {
    CheckLine(const SurfaceLine& gauge, double fallback_spacing) : origin(gauge.point0) {
        const Vec3d span = gauge.point2 - gauge.point0;
        length = std::sqrt(dot(span, span));
        if (length > 0) direction = (1 / length) * span;
        const double spacing = gauge.point_spacing > 0 ? gauge.point_spacing : fallback_spacing;
        // The slack keeps a length that is a whole number of spacings from losing its last point to rounding.
        for (double s = 0; s < length - 1e-6 * spacing; s = spacing * static_cast<double>(stations.size()))
            stations.push_back(s);
        stations.push_back(length);
    }

    Vec3d origin, direction;
    double length = 0;
    std::vector<double> stations; ///< m from point0
};

std::vector<NearLine> particles_near(const CheckLine& line, const Frame& frame, const RunSetup& setup) {
    const double reach = 2 * setup.constants.h;
    std::vector<NearLine> near;
    for (std::size_t i = fluid_begin(frame, setup.boundary_count); i < frame.size(); ++i) {
        Vec3d r = frame.position[i] - line.origin;
        if (setup.constants.two_d) r.y = 0;
        const double along = dot(r, line.direction);
        const double across2 = dot(r, r) - along * along;
        if (along < -reach || along > line.length + reach || across2 > reach * reach) continue;
        near.push_back({along, across2, setup.constants.mass_fluid / static_cast<double>(frame.density[i])});
    }
    std::sort(near.begin(), near.end(), [](const NearLine& a, const NearLine& b) { return a.along < b.along; });
    return near;
}

double fluid_fraction(double station, const std::vector<NearLine>& near, const sph::Constants& constants) {
    const double h = constants.h, reach = 2 * h;
    const auto first = std::lower_bound(near.begin(), near.end(), station - reach,
                                        [](const NearLine& p, double along) { return p.along < along; });
    return sph::with_kernel(constants.kernel, [&](auto kernel) {
        double sum = 0;
        for (auto p = first; p != near.end() && p->along < station + reach; ++p) {
            const double distance = p->along - station;
            const double r2 = std::max(distance * distance + p->across2, 0.0);
            if (r2 < reach * reach) sum += p->volume * kernel.value(std::sqrt(r2) / h);
        }
        return sum * kernel.normalisation(h, constants.two_d);
    });
}

} // namespace

std::optional<Vec3d> find_surface(const SurfaceLine& gauge, const Frame& frame, const RunSetup& setup) {
    const CheckLine line(gauge, setup.constants.dp / 2);
    const std::vector<NearLine> near = particles_near(line, frame, setup);
    const double limit = gauge.mass_limit;
    double before = 0;
    for (std::size_t k = 0; k < line.stations.size(); ++k) {
        const double now = fluid_fraction(line.stations[k], near, setup.constants);
        if (k > 0 && before >= limit && now < limit) {
            const double part = (before - limit) / (before - now);
            const double station = line.stations[k - 1] + part * (line.stations[k] - line.stations[k - 1]);
            return line.origin + station * line.direction;
        }
        before = now;
    }
    if (before >= limit) return gauge.point2;
    return std::nullopt;
}

} // namespace sluice
