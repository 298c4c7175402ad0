// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/bucket_grid.h"
#include "methods/mps/choices.h"
#include <cstdint>
#include <random>
#include <vector>

// Particles for the tests of the MPS operators.

namespace sluice::mps {

inline constexpr DomainShape shapes[] = {DomainShape::sphere, DomainShape::cube};

/// Positions and values that a Cloud refers to.
struct Points {
    std::vector<double> x, y, z, phi;

    void add(Vec3d p) {
        x.push_back(p.x);
        y.push_back(p.y);
        z.push_back(p.z);
        phi.push_back(0);
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(x.size()); }
    Vec3d at(std::uint32_t i) const { return {x[i], y[i], z[i]}; }
    Cloud cloud() const { return {x, y, z, phi}; }

    /// Values of a function of the position.
    template <class F>
    Points& with(F&& value) {
        for (std::uint32_t i = 0; i < size(); ++i) phi[i] = value(at(i));
        return *this;
    }
};

/// A cube of `side` particles along each axis, `spacing` apart.
inline Points lattice(int side, double spacing = 1) {
    Points points;
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) points.add({spacing * x, spacing * y, spacing * z});
    return points;
}

/// A square of particles in the plane y = 0.3.
inline Points flat_lattice(int side, double spacing) {
    Points points;
    for (int z = 0; z < side; ++z)
        for (int x = 0; x < side; ++x) points.add({spacing * x, 0.3, spacing * z});
    return points;
}

/// Particles anywhere in a box, with random values between −1 and 1.
inline Points random_cloud(std::uint32_t count, Vec3d size, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    Points points;
    for (std::uint32_t i = 0; i < count; ++i)
        points.add({size.x * unit(engine), size.y * unit(engine), size.z * unit(engine)});
    for (double& value : points.phi) value = 2 * unit(engine) - 1;
    return points;
}

} // namespace sluice::mps
