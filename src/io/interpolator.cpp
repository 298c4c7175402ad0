// SPDX-License-Identifier: Apache-2.0
#include "io/interpolator.h"
#include "io/layout.h"
#include "sph/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {
namespace {

constexpr double least_fraction = 0.1;

struct Sums {
    double weight = 0, pressure = 0, density = 0;
    Vec3d velocity;
};

Measurement divided(const Sums& sums, double normalisation) {
    Measurement result;
    result.fraction = sums.weight * normalisation;
    // Below, a handful of droplets at the rim of the kernel would pass for a measurement.
    if (!(result.fraction >= least_fraction)) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        result.velocity = {none, none, none};
        result.pressure = result.density = none;
        return result;
    }
    result.velocity = (1 / sums.weight) * sums.velocity;
    result.pressure = sums.pressure / sums.weight;
    result.density = sums.density / sums.weight;
    return result;
}

} // namespace

FluidInterpolator::FluidInterpolator(const Frame& frame, std::uint32_t boundary_count, const sph::Constants& constants,
                                     const std::optional<Box>& region)
    : frame_(frame), constants_(constants), cells_(frame.position, fluid_begin(frame, boundary_count), frame.size(),
                                                   2 * constants.h, constants.two_d, region) {}

Measurement FluidInterpolator::at(const Vec3d& point) const {
    const double h = constants_.h;
    return sph::with_kernel(constants_.kernel, [&](auto kernel) {
        Sums sums;
        cells_.for_each_near(point, [&](std::uint32_t i, double r2, const Vec3d&) {
            const double density = frame_.density[i];
            const double weight = constants_.mass_fluid / density * kernel.value(std::sqrt(r2) / h);
            sums.weight += weight;
            sums.pressure += weight * static_cast<double>(frame_.pressure[i]);
            sums.density += weight * density;
            sums.velocity = sums.velocity + weight * vec_cast<double>(frame_.velocity[i]);
        });
        return divided(sums, kernel.normalisation(h, constants_.two_d));
    });
}

std::vector<Measurement> measure_points(const Frame& frame, std::uint32_t boundary_count,
                                        const sph::Constants& constants, const std::vector<Vec3d>& points) {
    const FluidInterpolator interpolator(frame, boundary_count, constants, box_around(points));
    std::vector<Measurement> values(points.size());
    std::transform(points.begin(), points.end(), values.begin(), [&](const Vec3d& p) { return interpolator.at(p); });
    return values;
}

} // namespace sluice
