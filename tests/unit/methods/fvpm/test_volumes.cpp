// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/volumes.h"

#include "physics/fvpm/flux.h"
#include "unit/methods/fvpm/spheres.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace sluice::fvpm {
namespace {

using test::lattice;
using test::pi;
using test::Vectors;

std::vector<double> volumes_of(const Particles& p, int dimensions = 3) {
    return exact_volumes(p, all_pairs(p), dimensions);
}

TEST(FvpmVolumes, ASphereAloneHasItsOwn) {
    EXPECT_NEAR(volumes_of(lattice(1, 0.7, 0))[0], 4 * pi * 0.343 / 3, 1e-15);
    EXPECT_NEAR(volumes_of(lattice(1, 0.7, 0, 2), 2)[0], pi * 0.49, 1e-15);
}

TEST(FvpmVolumes, TwoEqualSpheresHalveTheLens) {
    Particles p = lattice(1, 1, 0);
    p.position.push_back({0.5, -0.6, 0.8});
    p.radius.push_back(1);
    const double d = norm(p.position[1]);
    for (const double volume : volumes_of(p))
        EXPECT_NEAR(volume, 4 * pi / 3 - pi * (4 + d) * (2 - d) * (2 - d) / 24, 2e-15);
}

TEST(FvpmVolumes, ASphereWithinAnotherHalvesItsOwn) {
    Particles p = lattice(1, 1, 0);
    p.position.push_back({0.1, 0, 0.2});
    p.radius.push_back(0.5);
    const double small = 4 * pi / 3 / 8;
    const std::vector<double> volumes = volumes_of(p);
    EXPECT_NEAR(volumes[1], small / 2, 1e-15);
    EXPECT_NEAR(volumes[0], 4 * pi / 3 - small / 2, 1e-14);
}

TEST(FvpmVolumes, InALatticeAreThoseOfItsCells) {
    for (const double radius : {0.9, 1.0, 1.1}) {
        EXPECT_NEAR(volumes_of(lattice(7, radius, 0))[(3 * 7 + 3) * 7 + 3], 1, 2e-14);
        EXPECT_NEAR(volumes_of(lattice(7, radius, 0, 2), 2)[3 * 7 + 3], 1, 2e-14);
    }
}

TEST(FvpmVolumes, SumToTheVolumeOfTheUnion) {
    // three spheres in a row: the union is three spheres less two lenses, and the lenses do not meet
    Particles p = lattice(1, 1, 0);
    for (const double x : {1.5, 3.0}) {
        p.position.push_back({x, 0, 0});
        p.radius.push_back(1);
    }
    const std::vector<double> volumes = volumes_of(p);
    const double lens = pi * (4 + 1.5) * 0.25 / 12;
    EXPECT_NEAR(std::accumulate(volumes.begin(), volumes.end(), 0.0), 4 * pi - 2 * lens, 1e-14);
}

TEST(FvpmVolumes, OfUnevenSpheresSumToTheVolumeOfTheUnionSampled) {
    Particles p = lattice(3, 1, 0.2);
    for (std::size_t i = 0; i < p.size(); ++i) p.radius[i] = 0.75 + 0.02 * double(i % 7);
    const std::vector<double> volumes = volumes_of(p);
    constexpr int n = 100;
    const double side = 4.4 / n;
    std::vector<double> sampled(p.size());
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                const Vec3d at{-1.2 + (x + 0.5) * side, -1.2 + (y + 0.5) * side, -1.2 + (z + 0.5) * side};
                std::vector<std::size_t> inside;
                for (std::size_t i = 0; i < p.size(); ++i)
                    if (norm(at - p.position[i]) < p.radius[i]) inside.push_back(i);
                for (const std::size_t i : inside) sampled[i] += side * side * side / double(inside.size());
            }
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(volumes[i], sampled[i], 4e-3) << i;
}

TEST(FvpmVolumes, ChangeAsTheVolumeEquationSays) {
    for (const int dimensions : {2, 3}) {
        Particles p = lattice(4, 1, 0.1, dimensions);
        for (std::size_t i = 0; i < p.size(); ++i)
            p.velocity[i] = {std::sin(1.0 * double(i)), dimensions == 3 ? std::cos(2.0 * double(i)) : 0,
                             std::sin(3.0 * double(i))};
        const Vectors v(p, dimensions);
        constexpr double dt = 1e-5;
        Particles before = p, after = p;
        for (std::size_t i = 0; i < p.size(); ++i) {
            before.position[i] = p.position[i] - dt * p.velocity[i];
            after.position[i] = p.position[i] + dt * p.velocity[i];
        }
        const std::vector<double> v0 = volumes_of(before, dimensions), v1 = volumes_of(after, dimensions);
        for (std::size_t i = 0; i < p.size(); ++i) {
            double rate = -dot(p.velocity[i], v.sum(i)); // ẋ·B
            for (std::size_t e = v.rows.first[i]; e < v.rows.first[i + 1]; ++e)
                rate += swept_volume(p.velocity[i], v.a[e], p.velocity[v.rows.neighbour[e]], v.a[v.rows.mate[e]]);
            EXPECT_NEAR(rate, (v1[i] - v0[i]) / (2 * dt), 1e-7) << i;
        }
    }
}

} // namespace
} // namespace sluice::fvpm
