// SPDX-License-Identifier: Apache-2.0
#include "io/measures/water_layers.h"

#include "core/error.h"
#include "physics/sph/free_surface.h"
#include <fmt/format.h>

namespace sluice {

std::vector<WaterLayer> water_layers(const Vec3d& foot, double top, const FluidInterpolator& fluid) {
    const sph::CheckPoints points{top - foot.z, fluid.constants().dp / 2};
    constexpr double most = 1e7;
    if (!(points.length / points.spacing < most))
        throw RunError(fmt::format("a vertical of {:g} m with points {:g} m apart has too many of them", points.length,
                                   points.spacing));
    std::vector<WaterLayer> layers;
    double before = 0;
    bool inside = false;
    for (int k = 0; k < points.count(); ++k) {
        const double now = fluid.fraction_at({foot.x, foot.y, foot.z + points.at(k)});
        if (inside != (now >= layer_fraction)) {
            const double z =
                foot.z + (k > 0 ? sph::surface_between(points, k, before, now, layer_fraction) : points.at(0));
            if (inside)
                layers.back().upper = z;
            else
                layers.push_back({z, top});
            inside = !inside;
        }
        before = now;
    }
    return layers;
}

double total_height(const std::vector<WaterLayer>& layers) {
    double sum = 0;
    for (const WaterLayer& layer : layers) sum += layer.upper - layer.lower;
    return sum;
}

} // namespace sluice
