// SPDX-License-Identifier: Apache-2.0
#include "physics/fvpm/flux.h"

#include "physics/fvpm/update.h"
#include <cmath>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

FvpmConstants water() {
    FvpmConstants c;
    c.sound_speed = 100;
    return c;
}

constexpr double background = 1000 * 100.0 * 100.0 / 7;

TEST(FvpmFlux, OfAUniformFlowIsTheExactOne) {
    const Side<double> side{{3, -1, 2}, 1010, 5000, 100};
    const Vec3d delta{0.3, 0.1, -0.2};
    const double swept = 0.4;
    const Flux<double> flux = ausm_flux(side, side, delta, swept, background, 0.25);
    const double through = 1010 * (dot(side.velocity, delta) - swept);
    EXPECT_NEAR(flux.mass, through, 1e-11);
    EXPECT_NEAR(norm(flux.momentum - (through * side.velocity + 5000.0 * delta)), 0, 1e-9);
}

TEST(FvpmFlux, SplitsSupersonicFlowToOneSide) {
    const Side<double> l{{300, 0, 0}, 1000, 7000, 100}, r{{250, 0, 0}, 900, 1000, 100};
    const Flux<double> flux = ausm_flux(l, r, {1, 0, 0}, 0.0, background, 0.25);
    EXPECT_NEAR(flux.mass, 1000 * 300, 1e-9);
    EXPECT_NEAR(flux.momentum.x, 1000 * 300.0 * 300 + 7000, 1e-6);
}

TEST(FvpmFlux, HasTheSplittingsOfLiouAtRest) {
    // M4⁺(m) ≈ 3/8 + m/2, P5⁺(m) ≈ ½ + 15/16 m for small m
    const double m = 1e-3;
    const Side<double> l{{m * 100, 0, 0}, 1000, 0, 100}, r{{-m * 100, 0, 0}, 1000, 0, 100};
    const Flux<double> flux = ausm_flux(l, r, {1, 0, 0}, 0.0, background, 0.25);
    EXPECT_NEAR(flux.mass, 0, 1e-9);                                                     // they meet
    EXPECT_NEAR(flux.momentum.x, 2 * 15.0 / 16 * m * background, 1e-5 * background * m); // and are pushed apart
}

TEST(FvpmFlux, SmoothsMasses) {
    const Side<double> l{{}, 1000, 2000, 100}, r{{}, 1000, 0, 100};
    const Flux<double> flux = ausm_flux(l, r, {0, 0, 2}, 0.0, background, 0.25);
    EXPECT_NEAR(flux.mass, 2 * 0.25 * 2000 / 100, 1e-12); // K Δp/a per area
    EXPECT_EQ(ausm_flux(l, r, {0, 0, 2}, 0.0, background, 0.0).mass, 0);
}

TEST(FvpmFlux, AWallMirrorsTheFluid) {
    const Vec3d outwards{0, 0.5, 0};
    const Side<double> fluid{{1, 2, 3}, 1000, 2000, 100}, mirrored{{1, -2, 3}, 1000, 2000, 100};
    const Flux<double> both = ausm_flux(fluid, mirrored, outwards, 0.0, background, 0.25);
    EXPECT_NEAR(both.mass, 0, 1e-12);
    EXPECT_NEAR(0.5 * wall_pressure(fluid, outwards, 0.0, background), both.momentum.y, 1e-9);
    EXPECT_NEAR(wall_pressure(fluid, outwards, 2 * 0.5, background), 2000, 1e-8); // it goes with the fluid
}

TEST(FvpmState, PairsOfAWallPassNoMass) {
    FvpmConstants c = water();
    const PairSide<double> fluid{{{0, 0, -1}, 1000, 500, 100}, {}, {0, 0, -1}, {0, 0, 1}, {0, 0, -0.4}, false};
    const PairSide<double> wall{{{}, 1000, 0, 100}, {}, {}, {}, {0, 0, 0.4}, true};
    const PairRates<double> rates = pair_rates(fluid, wall, background, c),
                            back = pair_rates(wall, fluid, background, c);
    EXPECT_EQ(rates.mass, 0);
    EXPECT_LT(rates.momentum.z, -500 * 0.8); // the fluid comes nearer, and so is pushed more than by its pressure
    EXPECT_EQ(rates.momentum, -1.0 * back.momentum);
    EXPECT_NEAR(rates.swept, 0.4, 1e-15);
    EXPECT_EQ(pair_rates(wall, wall, background, c).momentum, Vec3d{});

    PairSide<double> leaving = fluid;
    leaving.side = {{0, 0, 1}, 1000, 0, 100};
    leaving.motion = {0, 0, 1};
    EXPECT_EQ(pair_rates(leaving, wall, background, c).momentum, Vec3d{}); // it does not hold water back
    c.free_surface = false;
    EXPECT_GT(pair_rates(leaving, wall, background, c).momentum.z, 1);
}

TEST(FvpmFlux, ReconstructionIsExactForLinearFields) {
    const Vec3d g{2, -1, 4}, separation{0.5, 0.25, -0.5};
    const double middle = 7 + 0.5 * dot(g, separation);
    Side<double> l{{7, 7, 7}, 1000, 7, 100}, r = l;
    r.pressure += dot(g, separation);
    for (int axis = 0; axis < 3; ++axis) r.velocity[axis] += dot(g, separation);
    const SideGradients<double> gradients{g, g, g, g};
    reconstruct(l, r, gradients, gradients, separation);
    for (const Side<double>& side : {l, r}) {
        EXPECT_NEAR(side.pressure, middle, 1e-15);
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(side.velocity[axis], middle, 1e-15);
        EXPECT_EQ(side.density, 1000);
    }
}

TEST(FvpmFlux, ReconstructionMakesNoExtrema) {
    Side<double> l{{}, 1000, 1, 100}, r{{}, 1000, 3, 100};
    const SideGradients<double> falls{{-9, 0, 0}, {}, {}, {}}, steep{{50, 0, 0}, {}, {}, {}};
    reconstruct(l, r, falls, steep, {1, 0, 0});
    EXPECT_EQ(l.pressure, 1); // falls where the neighbour has more
    EXPECT_EQ(r.pressure, 2); // no further than to the middle
}

TEST(FvpmFlux, ViscousForceIsThatOfAShearFlow) {
    // u_x = 10 z: the stress τ_xz = μ 10 acts on a face across z
    const Vec3d separation{0.1, 0, 0.2}, delta{0, 0, 3};
    const Side<double> l{}, r{{2, 0, 0}, 0, 0, 0};
    const SideGradients<double> g{{}, {0, 0, 10}, {}, {}};
    const Vec3d force = viscous_force(l, r, g, g, separation, delta, 0.5);
    EXPECT_NEAR(force.x, 0.5 * 10 * 3, 1e-14);
    EXPECT_NEAR(force.z, 0, 1e-14);
}

TEST(FvpmFlux, ViscousStressHasNoTrace) {
    const SideGradients<double> g{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; // expands evenly
    const Side<double> l{}, r{{1, 0, 0}, 0, 0, 0};
    EXPECT_NEAR(norm(viscous_force(l, r, g, g, {1, 0, 0}, {1, 2, 3}, 1.0)), 0, 1e-15);
}

TEST(FvpmState, PressureIsTaits) {
    const Tait<double> tait(water());
    for (const double rho : {900.0, 999.0, 1000.0, 1003.0})
        EXPECT_NEAR(tait.pressure(rho), background * (std::pow(rho / 1000, 7) - 1), 1e-8);
    const double slope = (tait.pressure(1010.001) - tait.pressure(1009.999)) / 0.002;
    EXPECT_NEAR(tait.speed(1010) * tait.speed(1010), slope, 1e-3);
}

TEST(FvpmState, TheSurfaceHasNoPressure) {
    const FvpmConstants c = water();
    EXPECT_EQ(surface_share(0.1, 1.0, c), 0);
    EXPECT_NEAR(surface_share(0.35, 1.0, c), 0.5, 1e-15);
    EXPECT_EQ(surface_share(0.9, 1.0, c), 1);
    EXPECT_EQ(side_of(900.0, 1.0, Vec3d{}, Tait<double>(c), true).pressure, 0);
    EXPECT_LT(side_of(900.0, 1.0, Vec3d{}, Tait<double>(c), false).pressure, 0);
    FvpmConstants closed = c;
    closed.free_surface = false;
    EXPECT_EQ(surface_share(0.9, 1.0, closed), 0);
}

TEST(FvpmState, TheTimeStepIsThatOfSoundAndFlow) {
    const Side<double> side{{3, 0, 4}, 1000, 0, 95};
    EXPECT_NEAR(crossing_time(0.2, side), 0.2 / 100, 1e-18);
}

} // namespace
} // namespace sluice::fvpm
