// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/record_places.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;

// A record of the CPU backend is at the place on the GPU's grid that its particle has, wherever in the domain.

TEST(RecordPlaces, AreThoseOfTheParticles) {
    RunSetup setup;
    setup.constants.h = 0.0173;
    for (const Vec3d& size : {Vec3d{30, 2, 1}, Vec3d{1, 30, 2}, Vec3d{2, 1, 30}}) { // rows of cells along each axis
        setup.domain = {{5, -3, 2}, Vec3d{5, -3, 2} + size};
        for (const int divisions : {1, 2}) {
            const cpu::Space space(setup, divisions, 2);
            const cuda::FixedGrid grid = cuda::make_fixed_grid(setup.domain, 2 * setup.constants.h, divisions);
            const paper::RecordPlaces places(space, grid);
            std::mt19937 random(7);
            std::uniform_real_distribution<double> unit(0, 1);
            for (int trial = 0; trial < 1000; ++trial) {
                const Vec3d r{unit(random) * size.x, unit(random) * size.y, unit(random) * size.z};
                const auto lattice = [&](double x) { return cpu::to_lattice(x, space.units_per_metre); };
                const cpu::Record record{lattice(r.x) | (trial % 2), lattice(r.y), lattice(r.z), 5, 0, 0, 0, 1000};
                const cuda::Position p = places.place(record, space.key(r));
                const auto units = [&](double x) { return std::int32_t(std::uint32_t(std::llround(x / grid.unit))); };
                EXPECT_NEAR(p.x, units(r.x), 1);
                EXPECT_NEAR(p.y, units(r.y), 1);
                EXPECT_NEAR(p.z, units(r.z), 1);
                EXPECT_EQ(p.pressure_term, 5);
            }
        }
    }
}
