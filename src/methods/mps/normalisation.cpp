// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/normalisation.h"

#include <cmath>

namespace sluice::mps {

namespace {

template <class Shape>
LatticeSums sums_of(double ratio, int dimensions) {
    LatticeSums sums;
    double second_moment = 0;
    const int reach = static_cast<int>(std::floor(ratio)), reach_y = dimensions == 2 ? 0 : reach;
    for (int z = -reach; z <= reach; ++z)
        for (int y = -reach_y; y <= reach_y; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const Separation<double> d{x / ratio, y / ratio, z / ratio};
                if ((x == 0 && y == 0 && z == 0) || !Shape::contains(d)) continue;
                const double w = Shape::weight(d);
                ++sums.neighbours;
                sums.n0 += w;
                second_moment += w * (x * x + y * y + z * z);
            }
    sums.lambda0 = second_moment / sums.n0;
    return sums;
}

} // namespace

LatticeSums lattice_sums(DomainShape shape, double ratio, int dimensions) {
    return shape == DomainShape::sphere ? sums_of<Sphere>(ratio, dimensions) : sums_of<Cube>(ratio, dimensions);
}

OperatorScale operator_scale(DomainShape shape, double radius, double spacing, int dimensions) {
    const LatticeSums sums = lattice_sums(shape, radius / spacing, dimensions);
    return {dimensions / (sums.n0 * radius), 2 * dimensions / (sums.lambda0 * spacing * spacing * sums.n0), 1 / radius,
            dimensions == 2};
}

} // namespace sluice::mps
