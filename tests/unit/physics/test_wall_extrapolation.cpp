// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/wall_extrapolation.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace sluice;
using namespace sluice::sph;

namespace {

struct WallNeighbour {
    Vec3d place;
    double vx, vy, vz, rho;
};

Constants constants_of(bool two_d, SlipMode slip) {
    Constants c;
    c.dp = 0.02;
    c.h = smoothing_length(1.1, c.dp, two_d);
    c.two_d = two_d;
    c.c0 = 40;
    c.slip = slip;
    derive(c);
    return c;
}

/// Disordered fluid above z = 0 whose density and velocity are linear in space.
std::vector<WallNeighbour> linear_fluid(bool two_d, double dp) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> noise(-0.2 * dp, 0.2 * dp);
    std::vector<WallNeighbour> fluid;
    for (int z = 0; z < 8; ++z)
        for (int y = two_d ? 0 : -6; y <= (two_d ? 0 : 6); ++y)
            for (int x = -6; x <= 6; ++x) {
                const Vec3d p{x * dp + noise(random), two_d ? 0 : y * dp + noise(random),
                              (z + 0.5) * dp + noise(random)};
                fluid.push_back({p, 1 + 3 * p.x - 2 * p.z, two_d ? 0 : 0.5 + p.y, -0.3 + 4 * p.z + p.x,
                                 1010 - 60 * p.z + 25 * p.x + (two_d ? 0 : 12 * p.y)});
            }
    return fluid;
}

template <bool WithVelocity>
std::vector<double> sums_at(const Constants& c, const Vec3d& node, const std::vector<WallNeighbour>& fluid) {
    using Op = GhostNode<Wendland, WithVelocity ? GhostVelocity::linear : GhostVelocity::none>;
    const GhostNodeConstants<double> constants(c, metre);
    double sums[Op::sum_count] = {};
    for (const WallNeighbour& p : fluid) {
        const Vec3d d = node - p.place;
        if (dot(d, d) < constants.support2) Op::add(constants, d.x, d.y, d.z, dot(d, d), p, sums);
    }
    return {sums, sums + Op::sum_count};
}

} // namespace

TEST(WallExtrapolation, CarriesALinearFieldExactlyToTheWall) {
    for (const bool two_d : {true, false}) {
        const Constants c = constants_of(two_d, SlipMode::wall);
        const std::vector<WallNeighbour> fluid = linear_fluid(two_d, c.dp);
        const Vec3d wall{0.003, 0, -0.013}, normal{0.001, 0, 0.013}; // the surface is z = 0, nearly
        const auto sums = sums_at<false>(c, wall + 2.0 * normal, fluid);
        const WallFlow flow = wall_flow(c, sums.data(), normal, {7, 8, 9}, nullptr);
        EXPECT_NEAR(flow.density, 1010 + 60 * 0.013 + 25 * 0.003, 1e-9);
        EXPECT_EQ(flow.velocity.x, 7);
        EXPECT_EQ(flow.velocity.y, 8);
        EXPECT_EQ(flow.velocity.z, 9);
    }
}

/// Fluid above z = 0 at rest on a lattice, whose density a function of z gives.
template <class Density>
std::vector<WallNeighbour> layered_fluid(double dp, const Density& density) {
    std::vector<WallNeighbour> fluid;
    for (int z = 0; z < 12; ++z)
        for (int x = -8; x <= 8; ++x) {
            const double height = (z + 0.5) * dp;
            fluid.push_back({{x * dp, 0, height}, 0, 0, 0, density(height)});
        }
    return fluid;
}

// Of still water 1 m deep: P = ρ0 g (1 + distance below the wall's surface), by hand, to the little that ρ_g exceeds
// ρ0.
TEST(WallExtrapolation, InBalanceCarriesTheWeightOfTheWaterToTheWall) {
    Constants c = constants_of(true, SlipMode::wall);
    c.wall_pressure = WallPressure::balanced;
    const Vec3d gravity{0, 0, -9.81};
    const EquationOfState<double> eos(c);
    const auto fluid = layered_fluid(c.dp, [&](double z) { return eos.density(1000 * 9.81 * (1 - z)); });
    for (const double below : {0.5, 1.5, 2.5}) { // spacings
        const Vec3d wall{0, 0, -below * c.dp}, normal{0, 0, below * c.dp};
        const WallFlow flow = wall_flow(c, sums_at<false>(c, wall + 2.0 * normal, fluid).data(), normal, {}, &gravity);
        EXPECT_NEAR(eos.pressure(flow.density) / (1000 * 9.81 * (1 + below * c.dp)), 1, 2e-3);
        const WallFlow free = wall_flow(c, sums_at<false>(c, wall + 2.0 * normal, fluid).data(), normal, {}, nullptr);
        EXPECT_NEAR(free.density, flow.density, 0.01);
    }
}

// p cos kz before a wall at z = 0 is mirrored; linear extrapolation makes 2p k²d² more of it.
TEST(WallExtrapolation, InBalanceMirrorsAStandingWave) {
    Constants c = constants_of(true, SlipMode::wall);
    c.wall_pressure = WallPressure::balanced;
    const Vec3d none{};
    const double k = 0.25 / c.dp, d = 1.5 * c.dp;
    const auto fluid = layered_fluid(c.dp, [&](double z) { return 1010 + 2 * std::cos(k * z); });
    const Vec3d wall{0, 0, -d}, normal{0, 0, d};
    const auto sums = sums_at<false>(c, wall + 2.0 * normal, fluid);
    const double mirrored = 1010 + 2 * std::cos(k * d);
    EXPECT_NEAR(wall_flow(c, sums.data(), normal, {}, &none).density, mirrored, 0.05);
    EXPECT_NEAR(wall_flow(c, sums.data(), normal, {}, nullptr).density, mirrored + 2 * 2 * k * d * std::sin(k * d),
                0.06);
}

// Where the way to the wall takes the pressure below zero the wall does not pull; without fluid it has ρ0.
TEST(WallExtrapolation, InBalanceWallsDoNotPull) {
    Constants c = constants_of(true, SlipMode::wall);
    c.wall_pressure = WallPressure::balanced;
    const Vec3d up{0, 0, 400};
    const auto fluid = layered_fluid(c.dp, [](double) { return 1000.1; });
    const Vec3d wall{0, 0, -0.03}, normal{0, 0, 0.03};
    EXPECT_EQ(wall_flow(c, sums_at<false>(c, wall + 2.0 * normal, fluid).data(), normal, {}, &up).density, c.rho0);
    EXPECT_EQ(wall_flow(c, sums_at<false>(c, wall, {}).data(), normal, {}, &up).density, c.rho0);
}

TEST(WallExtrapolation, MirrorsTheVelocityAsTheSlipSays) {
    const Vec3d wall{0.003, 0, -0.013}, normal{0, 0, 0.013}, of_wall{0.1, 0, 0.2};
    const Vec3d node = wall + 2.0 * normal;
    const double vx = 1 + 3 * node.x - 2 * node.z, vz = -0.3 + 4 * node.z + node.x; // of the fluid at the node
    for (const SlipMode slip : {SlipMode::no_slip, SlipMode::free_slip}) {
        const Constants c = constants_of(true, slip);
        const std::vector<WallNeighbour> fluid = linear_fluid(true, c.dp);
        double weight = 0, mean = 0; // of vx, by volume (the mass is 1) and Wendland kernel
        for (const WallNeighbour& p : fluid) {
            const Vec3d d = node - p.place;
            const double q = std::sqrt(dot(d, d)) / c.h;
            if (q >= 2) continue;
            const double w = std::pow(1 - q / 2, 4) * (2 * q + 1) / p.rho;
            weight += w;
            mean += w * p.vx;
        }
        const auto sums = sums_at<true>(c, node, fluid);
        const WallFlow flow = wall_flow(c, sums.data(), normal, of_wall, nullptr);
        EXPECT_NEAR(flow.velocity.x, slip == SlipMode::no_slip ? 2 * 0.1 - vx : mean / weight, 1e-9);
        EXPECT_NEAR(flow.velocity.z, 2 * 0.2 - vz, 1e-9);
        EXPECT_EQ(flow.velocity.y, 0);
    }
}

// Water that moves with a jerk near the wall: what a wall of free slip mirrors is not faster than all of it.
TEST(WallExtrapolation, MirrorsAlongAWallOfFreeSlipNothingFasterThanTheFluid) {
    const Constants c = constants_of(true, SlipMode::free_slip);
    std::vector<WallNeighbour> fluid = linear_fluid(true, c.dp);
    for (WallNeighbour& p : fluid) {
        p.vx = p.place.z < 2 * c.dp ? 1 - 0.5 * p.place.z / c.dp : 0;
        p.vz = 0;
    }
    const Vec3d normal{0, 0, 0.5 * c.dp}, wall = -1.0 * normal;
    const auto sums = sums_at<true>(c, wall + 2.0 * normal, fluid);
    const double fastest = std::ranges::max(fluid, {}, &WallNeighbour::vx).vx;
    const double mirrored = wall_flow(c, sums.data(), normal, {}, nullptr).velocity.x;
    EXPECT_LT(mirrored, fastest);
    EXPECT_GT(mirrored, 0);
}

namespace {

/// Water that runs up the face x = 0 of a box, past the edge with its top z = 0, at 1 m/s: dρ/dt over ρ0 times dp of
/// what of it is a row before the face and `above` the edge, from the box alone, which has three layers.
double drawn_apart(SlipMode slip, double above, double speed = 1) {
    const Constants c = constants_of(true, slip);
    const auto at = [&](int cell) { return (cell + 0.5) * c.dp; };
    std::vector<WallNeighbour> water;
    for (int x = 0; x < 8; ++x)
        for (int z = -20; z < 20; ++z) water.push_back({{at(x), 0, at(z)}, 0, 0, speed, 1000});
    const PairConstants<double> pairs(c, PairKind::fluid_boundary, metre);
    double rate = 0;
    for (int x = -12; x < 0; ++x)
        for (int z = -12; z < 0; ++z) {
            if (x < -3 && z < -3) continue;
            const bool face = x >= z; // the nearest surface
            const Vec3d wall{at(x), 0, at(z)}, normal = face ? Vec3d{-wall.x, 0, 0} : Vec3d{0, 0, -wall.z},
                                               d = Vec3d{at(0), 0, above * c.dp} - wall;
            if (dot(d, d) >= 4 * c.h * c.h) continue;
            const WallFlow flow =
                wall_flow(c, sums_at<true>(c, wall + 2.0 * normal, water).data(), normal, {}, nullptr);
            const Vec3d& v = flow.velocity;
            rate += pair_rates<Formulation<Wendland, DensityDiffusion::none>::AtWall>(
                        pairs, d.x, d.y, d.z, dot(d, d), Side<double>{0, 0, speed, 1000, 0},
                        Side<double>{v.x, v.y, v.z, 1000, 0})
                        .density_a;
        }
    return rate * c.dp / 1000;
}

} // namespace

TEST(WallExtrapolation, DoesNotDrawApartWhatRunsPastAnEdgeOfAWallOfFreeSlip) {
    for (const double above : {-3.5, -1.5, -0.5, 0.5, 1.5})
        EXPECT_NEAR(drawn_apart(SlipMode::free_slip, above), 0, 1e-4) << above;
    EXPECT_LT(drawn_apart(SlipMode::wall, -0.5), -0.1); // particles that stand still do
    // water that comes upon a dry particle is stopped like any other: down along the face
    EXPECT_GT(drawn_apart(SlipMode::free_slip, 0.5, -1), 0.02);
}

// As the zones of open boundaries extrapolate what flows out.
TEST(WallExtrapolation, CarriesALinearVelocityExactlyWhereThatIsWanted) {
    for (const bool two_d : {true, false}) {
        const Constants c = constants_of(two_d, SlipMode::wall);
        using Op = GhostNode<Wendland, GhostVelocity::linear>;
        const GhostNodeConstants<double> constants(c, metre);
        const Vec3d node{0.003, two_d ? 0 : -0.002, 0.025};
        double sums[Op::sum_count] = {};
        for (const WallNeighbour& p : linear_fluid(two_d, c.dp)) {
            const Vec3d d = node - p.place;
            if (dot(d, d) < constants.support2) Op::add(constants, d.x, d.y, d.z, dot(d, d), p, sums);
        }
        const GhostFit fit(sums, two_d);
        ASSERT_EQ(fit.kind(), Extrapolation::linear);
        const Vec3d offset{0.4, two_d ? 0 : -0.7, -1.3}, p = node + c.h * offset;
        const auto at = [&](int k) {
            return fit.at(offset, sums + ghost_velocity + k, sums + ghost_velocity_gradient + 3 * k);
        };
        EXPECT_NEAR(at(0), 1 + 3 * p.x - 2 * p.z, 1e-11);
        EXPECT_NEAR(at(1), two_d ? 0 : 0.5 + p.y, 1e-11);
        EXPECT_NEAR(at(2), -0.3 + 4 * p.z + p.x, 1e-11);
    }
}

TEST(WallExtrapolation, TakesTheMeanOfTooFewNeighboursAndTheReferenceDensityOfNone) {
    const Constants c = constants_of(true, SlipMode::no_slip);
    const Vec3d node{0, 0, 0.01}, normal{0, 0, 0.01};
    // on a line through the node: no gradient across it. Both are as far away, so their mean is the plain one per
    // volume
    const std::vector<WallNeighbour> two{{{-0.01, 0, 0.01}, 1, 0, 0, 1004}, {{0.01, 0, 0.01}, 2, 0, 0, 1002}};
    const auto sums = sums_at<true>(c, node, two);
    EXPECT_EQ(GhostFit(sums.data(), true).kind(), Extrapolation::mean);
    const double va = 1 / 1004.0, vb = 1 / 1002.0;
    const WallFlow flow = wall_flow(c, sums.data(), normal, {}, nullptr);
    EXPECT_NEAR(flow.density, (va * 1004 + vb * 1002) / (va + vb), 1e-9);
    EXPECT_NEAR(flow.velocity.x, -(va * 1 + vb * 2) / (va + vb), 1e-9);

    const std::vector<WallNeighbour> thin{{{-0.01, 0, 0.01}, 1, 0, 0, 990}, {{0.01, 0, 0.01}, 2, 0, 0, 995}};
    EXPECT_EQ(wall_flow(c, sums_at<true>(c, node, thin).data(), normal, {}, nullptr).density,
              c.rho0); // walls do not pull

    const auto nothing = sums_at<true>(c, node, {});
    EXPECT_EQ(GhostFit(nothing.data(), true).kind(), Extrapolation::none);
    const WallFlow alone = wall_flow(c, nothing.data(), normal, {3, 0, 1}, nullptr);
    EXPECT_EQ(alone.density, c.rho0);
    EXPECT_EQ(alone.velocity.x, 3);
    EXPECT_EQ(alone.velocity.z, 1);
}

TEST(WallExtrapolation, HasADeterminantNearOneInTheMidstOfFluidInAnyUnit) {
    Constants c = constants_of(false, SlipMode::wall);
    c.kernel = KernelType::cubic_spline;
    const GhostNodeConstants<double> metres(c, metre), millimetres(c, LengthUnit(1e-3));
    double a[ghost_velocity] = {}, b[ghost_velocity] = {};
    for (int z = -5; z <= 5; ++z)
        for (int y = -5; y <= 5; ++y)
            for (int x = -5; x <= 5; ++x) {
                const Vec3d d{(x + 0.3) * c.dp, (y - 0.1) * c.dp, z * c.dp};
                const WallNeighbour p{{}, 0, 0, 0, 1001 + 2.0 * x};
                using Op = GhostNode<CubicSpline, GhostVelocity::none>;
                if (dot(d, d) >= metres.support2) continue;
                Op::add(metres, d.x, d.y, d.z, dot(d, d), p, a);
                Op::add(millimetres, 1e3 * d.x, 1e3 * d.y, 1e3 * d.z, 1e6 * dot(d, d), p, b);
            }
    EXPECT_NEAR(a[ghost_value], 1, 0.02);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[ghost_moment + k], 1, 0.05);
    for (int k = 0; k < ghost_velocity; ++k) EXPECT_NEAR(a[k], b[k], 1e-12 + 1e-9 * std::abs(a[k]));
}
