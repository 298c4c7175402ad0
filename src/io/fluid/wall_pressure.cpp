// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/wall_pressure.h"
#include "physics/sph/kernels.h"

#include <cmath>

namespace sluice {

double wall_pressure(const FluidInterpolator& fluid, const Vec3d& point) {
    const sph::Constants& c = fluid.constants();
    const Frame& frame = fluid.frame();
    return sph::with_kernel(c.kernel, [&](auto kernel) {
        double weights = 0, sum = 0;
        fluid.cells().for_each_near(point, [&](std::uint32_t b, double r2, const Vec3d& from_b) {
            const double density = frame.density[b];
            const double weight = fluid.mass_of(b) / density * kernel.value(std::sqrt(r2) / c.h);
            weights += weight;
            sum += weight * (static_cast<double>(frame.pressure[b]) + density * dot(c.gravity, from_b));
        });
        return weights > 0 ? sum / weights : 0.0;
    });
}

} // namespace sluice
