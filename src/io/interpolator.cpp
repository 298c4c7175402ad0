// SPDX-License-Identifier: Apache-2.0
#include "io/interpolator.h"
#include "io/layout.h"
#include "physics/sph/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {
namespace {

struct Sums {
    double weight = 0, pressure = 0, density = 0;
    Vec3d velocity;
};

Measurement divided(const Sums& sums, double normalisation, double least) {
    Measurement result;
    result.fraction = sums.weight * normalisation;
    if (!(result.fraction >= least && result.fraction > 0)) {
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

FluidInterpolator::FluidInterpolator(const Frame& frame, const ParticleGroups& groups, const sph::Constants& constants,
                                     const std::vector<Box>& regions)
    : frame_(frame), constants_(constants),
      cells_(frame.position, groups.fluid_begin(frame.id), frame.size(), 2 * constants.h, constants.two_d, regions) {}

Measurement FluidInterpolator::at(const Vec3d& point, double least) const {
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
        return divided(sums, kernel.normalisation(h, constants_.two_d), least);
    });
}

std::vector<Measurement> FluidInterpolator::at(const std::vector<Vec3d>& points, double least) const {
    std::vector<Measurement> values(points.size());
    std::transform(points.begin(), points.end(), values.begin(), [&](const Vec3d& p) { return at(p, least); });
    return values;
}

double FluidInterpolator::fraction_at(const Vec3d& point) const {
    const double h = constants_.h;
    return sph::with_kernel(constants_.kernel, [&](auto kernel) {
        double sum = 0;
        cells_.for_each_near(point, [&](std::uint32_t i, double r2, const Vec3d&) {
            sum += constants_.mass_fluid / static_cast<double>(frame_.density[i]) * kernel.value(std::sqrt(r2) / h);
        });
        return sum * kernel.normalisation(h, constants_.two_d);
    });
}

const FluidInterpolator& SharedFluid::of(const Frame& frame) {
    if (!fluid_ || step_ != frame.step || &fluid_->frame() != &frame) {
        fluid_.reset();
        fluid_.emplace(frame, groups_, constants_, regions_);
        step_ = frame.step;
    }
    return *fluid_;
}

} // namespace sluice
