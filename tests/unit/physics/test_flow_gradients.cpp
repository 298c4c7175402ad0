// SPDX-License-Identifier: Apache-2.0
#include "physics/sph/flow_gradients.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants kernel_constants(KernelType kernel, bool two_d) {
    Constants c;
    c.kernel = kernel;
    c.two_d = two_d;
    c.dp = 0.01;
    c.h = 1.3 * c.dp;
    c.mass_fluid = c.rho0 * std::pow(c.dp, two_d ? 2 : 3);
    c.mass_bound = 1.3 * c.mass_fluid;
    return c;
}

/// The sums of one particle over a lattice of neighbours around it, with the velocity as a function of the position.
template <class Velocity>
std::array<double, 5> lattice_sums(const Constants& c, const Velocity& velocity) {
    std::array<double, 5> result{};
    with_kernel(c.kernel, [&]<class K>(K) {
        using Op = FlowGradients<K>;
        const FlowGradientConstants<double> constants(c, PairKind::fluid_fluid, metre);
        double sums[5] = {};
        const auto side = [&](const Vec3d& r) {
            const Vec3d v = velocity(r);
            return typename Op::template Side<double>{v.x, v.y, v.z, c.rho0};
        };
        const int n = 4, ny = c.two_d ? 0 : n;
        for (int z = -n; z <= n; ++z)
            for (int y = -ny; y <= ny; ++y)
                for (int x = -n; x <= n; ++x) {
                    const Vec3d r = c.dp * Vec3d{-double(x), -double(y), -double(z)}; // from b to a, which is at 0
                    Op::add(constants, r.x, r.y, r.z, dot(r, r), side({}), side(Vec3d{} - r), sums);
                }
        std::copy_n(sums, 5, result.begin());
    });
    return result;
}

template <class Test>
void for_each_choice(const Test& test) {
    for (const auto kernel : {KernelType::cubic_spline, KernelType::wendland})
        for (const bool two_d : {false, true}) test(kernel_constants(kernel, two_d), two_d ? 2.0 : 3.0);
}

} // namespace

TEST(FlowGradients, OnePairByHand) {
    // Wendland in 3-D at q = 1: dw/dq = −5 q (1 − q/2)³ = −0.625, α_D = 21/(16 π h³), F = α_D/h · dw/dq / r
    Constants c = kernel_constants(KernelType::wendland, false);
    c.h = 0.1;
    c.mass_bound = 2;
    double sums[5] = {};
    const FlowGradientConstants<double> constants(c, PairKind::fluid_boundary, metre);
    // b lies at +0.1 in x from a and moves with (3, 5, 7) against it
    FlowGradients<Wendland>::add<double>(constants, -0.1, 0.0, 0.0, 0.01, {1, 1, 1, 1000}, {4, 6, 8, 800}, sums);
    const double gradient = 417.7817 / 0.1 * 0.625 * 2 / 800; // V_b |∇W|, along +x: 6.5278
    EXPECT_NEAR(sums[0], 0, 1e-12);
    EXPECT_NEAR(sums[1], -7 * gradient, 1e-4); // (1, 0, 0) × (3, 5, 7) = (0, −7, 5)
    EXPECT_NEAR(sums[2], 5 * gradient, 1e-4);
    EXPECT_NEAR(sums[3], 3 * gradient, 1e-4);
    EXPECT_NEAR(sums[4], 0.1 * gradient, 1e-5);
}

TEST(FlowGradients, PositionDivergenceIsTheNumberOfDimensionsInsideTheFluid) {
    for_each_choice([](const Constants& c, double dimensions) {
        EXPECT_NEAR(lattice_sums(c, [](const Vec3d&) { return Vec3d{}; })[4], dimensions, 0.06 * dimensions);
    });
}

TEST(FlowGradients, SolidBodyRotationHasTwiceItsRateAsVorticityAndNoDivergence) {
    for_each_choice([](const Constants& c, double dimensions) {
        const Vec3d omega = c.two_d ? Vec3d{0, 3, 0} : Vec3d{1, 3, -2};
        const auto sums = lattice_sums(c, [&](const Vec3d& r) {
            return Vec3d{5, c.two_d ? 0.0 : 1, 2} + cross(omega, r);
        });
        // what a lattice makes of ∇r = 1 it makes of every linear field
        const double correction = sums[4] / dimensions;
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(sums[axis], 2 * omega[axis] * correction, 1e-9);
        EXPECT_NEAR(sums[3], 0, 1e-9);
    });
}

TEST(FlowGradients, UniformExpansionHasNoVorticity) {
    for_each_choice([](const Constants& c, double) {
        const auto sums = lattice_sums(c, [&](const Vec3d& r) { return 4.0 * r; });
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(sums[axis], 0, 1e-9);
        EXPECT_NEAR(sums[3], 4 * sums[4], 1e-9);
    });
}

TEST(FlowGradients, AreTheSameWhateverSeparationsCount) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    for_each_choice([&](const Constants& c, double) {
        for (const PairKind kind : {PairKind::fluid_fluid, PairKind::fluid_boundary})
            for (const double metres : {2 * c.h / 1073741824.0, 0.3048}) {
                with_kernel(c.kernel, [&]<class K>(K) {
                    const FlowGradientConstants<double> in_metres(c, kind, metre),
                        in_units(c, kind, LengthUnit(metres));
                    double a[5] = {}, b[5] = {};
                    for (int n = 0; n < 20; ++n) {
                        const Vec3d r = c.h * Vec3d{unit(random), unit(random), unit(random)}, s = (1 / metres) * r;
                        EXPECT_NEAR(in_units.support2 * metres * metres / in_metres.support2, 1, 1e-12);
                        FlowGradients<K>::template add<double>(in_metres, r.x, r.y, r.z, dot(r, r), {1, 2, 3, 990},
                                                               {-1, 5, 0, 1010}, a);
                        FlowGradients<K>::template add<double>(in_units, s.x, s.y, s.z, dot(s, s), {1, 2, 3, 990},
                                                               {-1, 5, 0, 1010}, b);
                    }
                    for (int k = 0; k < 5; ++k) EXPECT_NEAR(b[k], a[k], 1e-10 * std::abs(a[k])) << k;
                });
            }
    });
}
