// SPDX-License-Identifier: Apache-2.0
#include "run/flow_statistics.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

Frame frame() {
    Frame f;
    f.time = 1.5;
    f.id = {0, 1, 5, 8};
    f.position = {{9, 9, 9}, {-9, -9, -9}, {1, 0, 2}, {3, 0, 1}};
    f.velocity = {{0, 0, 0}, {0, 0, 0}, {3, 0, 4}, {0, 1, 0}};
    f.density = {2000, 100, 1010, 990};
    return f;
}

sph::Constants constants() {
    sph::Constants c;
    c.mass_fluid = 2;
    c.gravity = {1, 0, -10};
    return c;
}

} // namespace

TEST(FlowStatistics, AreThoseOfTheFluid) {
    const FlowStatistics s = flow_statistics(frame(), constants(), ParticleGroups::of(2, 7, 2), {});
    EXPECT_EQ(s.time, 1.5);
    EXPECT_EQ(s.fluid_count, 2u);
    EXPECT_EQ(s.front, 3);
    EXPECT_EQ(s.highest, 2);
    EXPECT_EQ(s.centroid, (Vec3d{2, 0, 1.5}));
    EXPECT_DOUBLE_EQ(s.kinetic_energy, 0.5 * 2 * (25 + 1));
    EXPECT_DOUBLE_EQ(s.potential_energy, 2 * (10 * 3 - 4)) << "the work against gravity from the origin";
    EXPECT_DOUBLE_EQ(s.speed_max, 5);
    EXPECT_EQ(s.mass, 2 * 2);
    EXPECT_EQ(s.momentum, (Vec3d{2 * 3, 2 * 1, 2 * 4}));
    EXPECT_DOUBLE_EQ(s.volume, 2 / 1010.0 + 2 / 990.0);
    EXPECT_EQ(s.density_min, 990);
    EXPECT_EQ(s.density_max, 1010);
}

TEST(FlowStatistics, CountTheMassAndEnergyOfEachFluid) {
    Frame f = frame();
    f.density = {2000, 100, 1010, 505};
    ParticleGroups groups({{1, 0, ParticleType::fixed, 0, 2, -1, 3},
                           {2, 0, ParticleType::fluid, 2, 3, -1, 2},
                           {3, 1, ParticleType::fluid, 5, 4, -1, 1}}); // ids 4 and 8
    f.id = {0, 1, 4, 8};
    sph::Constants c = constants();
    c.rho0 = 1000;
    const FlowStatistics s = flow_statistics(f, c, groups, {}, {{1000, 20, 7, 0}, {500, 30, 1.4, 0}});
    EXPECT_EQ(s.mass, 3);
    EXPECT_DOUBLE_EQ(s.volume, 2 / 1010.0 + 1 / 505.0);
    const double energy[] = {0.5 * dot(vec_cast<double>(f.velocity[2]), vec_cast<double>(f.velocity[2])),
                             0.5 * dot(vec_cast<double>(f.velocity[3]), vec_cast<double>(f.velocity[3]))};
    EXPECT_DOUBLE_EQ(s.kinetic_energy, 2 * energy[0] + energy[1]);
    // c² ε²/2 to first order, ε = 1 % of both
    EXPECT_NEAR(s.internal_energy, 2 * 400 * 1e-4 / 2 + 900 * 1e-4 / 2, 0.06 * 900 * 1e-4 / 2);
    EXPECT_DOUBLE_EQ(s.centroid.x, (2 * f.position[2].x + f.position[3].x) / 3);
}

TEST(FlowStatistics, OfNoFluidAreZero) {
    Frame f = frame();
    f.id.resize(2);
    f.position.resize(2);
    f.velocity.resize(2);
    f.density.resize(2);
    const FlowStatistics s = flow_statistics(f, constants(), ParticleGroups::of(2, 7, 2), {});
    EXPECT_EQ(s.time, 1.5);
    EXPECT_EQ(s.fluid_count, 0u);
    EXPECT_EQ(s.kinetic_energy, 0);
    EXPECT_EQ(s.mass, 0);
    EXPECT_EQ(s.front, 0);
    EXPECT_EQ(s.highest, 0);
}

// c² ε²/2 to first order; of the walls from ghost nodes, the densities of which are extrapolated, nothing.
TEST(FlowStatistics, CompressionStoresEnergyInDynamicWallsAlone) {
    sph::Constants c = constants();
    c.rho0 = 1000;
    c.c0 = 20;
    c.gamma = 7;
    c.b = c.c0 * c.c0 * c.rho0 / c.gamma;
    c.mass_bound = 3;
    Frame f = frame();
    f.density = {1010, 1020, 1000, 1000};
    const auto energy = [&](const std::vector<Vec3f>& normals) {
        return flow_statistics(f, c, ParticleGroups::of(2, 7, 3), normals).wall_energy;
    };
    const double first = 3 * 400 * 1e-4 / 2, second = 3 * 400 * 4e-4 / 2;
    EXPECT_NEAR(energy({}), first + second, 0.06 * second);
    EXPECT_NEAR(energy({{0, 0, 0}, {0, 0, 0.01F}}), first, 0.03 * first);
    EXPECT_EQ(energy({{0.01F, 0, 0}, {0, 0, 0.01F}}), 0);
}
