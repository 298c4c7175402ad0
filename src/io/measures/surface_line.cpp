// SPDX-License-Identifier: Apache-2.0
#include "io/measures/gauges.h"

#include "core/error.h"
#include "physics/sph/free_surface.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice {

std::optional<Vec3d> find_surface(const SurfaceLine& gauge, const FluidInterpolator& fluid) {
    const Vec3d span = gauge.point2 - gauge.point0;
    const sph::CheckPoints points{norm(span), gauge.point_spacing > 0 ? gauge.point_spacing : fluid.constants().dp / 2};
    constexpr double most = 1e7;
    if (!(points.length / points.spacing < most))
        throw RunError(fmt::format("a line of {:g} m with points {:g} m apart has too many of them", points.length,
                                   points.spacing));
    const Vec3d direction = points.length > 0 ? (1 / points.length) * span : Vec3d{};
    const auto place = [&](double along) { return gauge.point0 + along * direction; };
    const double along =
        sph::find_surface(points, gauge.mass_limit, [&](int k) { return fluid.fraction_at(place(points.at(k))); });
    if (along < 0) return std::nullopt;
    return along < points.length ? place(along) : gauge.point2;
}

} // namespace sluice
