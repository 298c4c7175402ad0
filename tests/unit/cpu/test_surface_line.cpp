// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/surface_line.h"
#include "model/derive.h"
#include "physics/sph/kernels.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::cpu;

namespace {

/// Layers of water on the floor of a box without walls, one particle a spacing.
struct Water {
    explicit Water(int layers) {
        sph::Constants& c = setup.constants;
        c.dp = 0.01;
        c.h = 0.015;
        c.c0 = 30;
        sph::derive(c);
        setup.domain = {{0, 0, 0}, {0.12, 0.1, 0.09}};
        for (int z = 0; z < layers; ++z)
            for (int y = 0; y < 10; ++y)
                for (int x = 0; x < 12; ++x)
                    state.position.push_back({0.01 * (x + 0.5), 0.01 * (y + 0.5), 0.01 * (z + 0.5)});
        const std::size_t n = state.position.size();
        for (std::uint32_t i = 0; i < n; ++i) state.id.push_back(i);
        state.velocity.resize(n);
        state.velocity_previous.resize(n);
        state.density.assign(n, 1000);
        state.density_previous.assign(n, 1000);
        setup.set_groups(ParticleGroups::of(0, static_cast<std::uint32_t>(n)));
    }

    double found(const Vec3d& foot, const sph::CheckPoints& points) const {
        ThreadCount threads{1};
        Space space(setup, 2, 0);
        Halo halo(space, threads, nullptr, {}, false);
        SortedGroup fluid(threads, false);
        fluid.load(
            state, [](std::uint32_t) { return true; }, space);
        fluid.cells = CellList(space.cell_count());
        fluid.sort_unordered(0, space);
        return surface_above(setup.constants, space, fluid, 0, halo, foot, points, 0.4);
    }
    /// The same from the sums over all particles.
    double expected(const Vec3d& foot, const sph::CheckPoints& points) const {
        const sph::Constants& c = setup.constants;
        const double scale = c.mass_fluid * sph::Wendland::normalisation(c.h, false);
        return sph::find_surface(points, 0.4, [&](int k) {
            double sum = 0;
            for (const Vec3d& p : state.position) {
                const Vec3d r = p - foot - Vec3d{0, 0, points.at(k)};
                if (dot(r, r) < 4 * c.h * c.h) sum += sph::fluid_fraction<sph::Wendland>(scale, 1000, dot(r, r), c.h);
            }
            return sum;
        });
    }

    RunSetup setup;
    ParticleState state;
};

} // namespace

TEST(SurfaceLine, SeesTheWaterInAllCellsAround) {
    const sph::CheckPoints points{0.09, 0.005};
    for (const int layers : {1, 2, 5, 9}) {
        const Water water(layers);
        for (const Vec3d& foot :
             {Vec3d{0.06, 0.05, 0}, Vec3d{0.012, 0.05, 0}, Vec3d{0.06, 0.008, 0}, Vec3d{0.11, 0.09, 0}}) {
            const double surface = water.found(foot, points);
            EXPECT_NEAR(surface, water.expected(foot, points), 1e-6)
                << layers << " layers at " << foot.x << ", " << foot.y;
            if (foot.x == 0.06 && foot.y == 0.05 && layers > 1 && layers < 9) {
                EXPECT_NEAR(surface, 0.01 * layers, 0.004);
            }
        }
    }
}

TEST(SurfaceLine, WithoutWaterHasNone) {
    const Water water(1);
    EXPECT_LT(water.found({0.06, 0.05, 0.05}, {0.04, 0.005}), 0);
}
