// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/renormalised_diffusion.h"
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants constants_of(bool two_d, KernelType kernel = KernelType::wendland) {
    Constants c;
    c.kernel = kernel;
    c.diffusion = DensityDiffusion::renormalised;
    c.dp = 0.02;
    c.h = 0.03;
    c.two_d = two_d;
    c.c0 = 40;
    derive(c);
    return c;
}

/// A blob of particles on a disturbed lattice with free surfaces all around.
struct Blob {
    Constants c;
    std::vector<Vec3d> place;
    std::vector<double> rho;

    Blob(bool two_d, KernelType kernel, const std::function<double(const Vec3d&)>& density)
        : c(constants_of(two_d, kernel)) {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> jitter(-0.2 * c.dp, 0.2 * c.dp);
        const int n = two_d ? 12 : 6;
        for (int z = 0; z < n; ++z)
            for (int y = 0; y < (two_d ? 1 : n); ++y)
                for (int x = 0; x < n; ++x) {
                    const Vec3d r{x * c.dp + jitter(random), two_d ? 0 : y * c.dp + jitter(random),
                                  z * c.dp + jitter(random)};
                    place.push_back(r);
                    rho.push_back(density(r));
                }
    }

    /// An operator's sums for particle a.
    template <class Op, class SideOf>
    std::vector<double> sums(std::size_t a, const SideOf& side, LengthUnit unit = metre) const {
        const typename Op::template Constants<double> constants(c, PairKind::fluid_fluid, unit);
        double own[Op::sum_count] = {};
        for (std::size_t b = 0; b < place.size(); ++b) {
            const Vec3d r = (1 / unit.metres) * (place[a] - place[b]);
            if (b != a && dot(r, r) < constants.support2)
                Op::add(constants, r.x, r.y, r.z, dot(r, r), side(a), side(b), own);
        }
        return {own, own + Op::sum_count};
    }

    template <class Kernel>
    Vec3d gradient(std::size_t a, LengthUnit unit = metre) const {
        using Op = DensityGradient<Kernel>;
        const auto side = [&](std::size_t i) { return typename Op::template Side<double>{rho[i]}; };
        return renormalised_gradient(c.two_d, sums<Op>(a, side, unit).data());
    }

    /// dρ/dt of every particle.
    template <class Kernel>
    std::vector<double> rates(LengthUnit unit = metre) const {
        std::vector<Vec3d> g;
        for (std::size_t a = 0; a < place.size(); ++a) g.push_back(gradient<Kernel>(a, unit));
        const auto side = [&](std::size_t i) { return FlowSide<double>{g[i].x, g[i].y, g[i].z, rho[i]}; };
        std::vector<double> all;
        for (std::size_t a = 0; a < place.size(); ++a)
            all.push_back(sums<RenormalisedDiffusion<Kernel>>(a, side, unit)[0]);
        return all;
    }
};

const Vec3d slope{30, -20, 50}; // kg/m⁴

double linear(const Vec3d& r) { return 1000 + dot(slope, r); }

/// Shortest waves of a few per mille.
double ragged(const Vec3d& r) { return 1000 + 3 * std::sin(250 * r.x + 190 * r.y + 310 * r.z); }

template <class Use>
void for_each_kernel(const Use& use) {
    for (const bool two_d : {true, false})
        for (const auto kernel : {KernelType::cubic_spline, KernelType::wendland})
            with_kernel(kernel, [&]<class K>(K) { use(K{}, two_d, kernel); });
}

} // namespace

TEST(RenormalisedDiffusion, GradientsOfALinearFieldAreExactAtFreeSurfacesToo) {
    for_each_kernel([]<class K>(K, bool two_d, KernelType kernel) {
        const Blob blob(two_d, kernel, [&](const Vec3d& r) { return linear({r.x, two_d ? 0 : r.y, r.z}); });
        for (std::size_t a = 0; a < blob.place.size(); ++a) {
            const Vec3d g = blob.gradient<K>(a);
            EXPECT_NEAR(g.x, slope.x, 1e-8);
            EXPECT_NEAR(g.y, two_d ? 0 : slope.y, 1e-8);
            EXPECT_NEAR(g.z, slope.z, 1e-8);
        }
    });
}

TEST(RenormalisedDiffusion, LeavesALinearFieldAlone) {
    for_each_kernel([]<class K>(K, bool two_d, KernelType kernel) {
        const Blob still(two_d, kernel,
                         [&](const Vec3d&r) {
                             return linear({r.x, two_d ? 0 : r.y, r.z});
                         }),
            disturbed(two_d, kernel, ragged);
        const std::vector<double> none = still.rates<K>(), some = disturbed.rates<K>();
        double most = 0;
        for (const double rate : some) most = std::max(most, std::abs(rate));
        EXPECT_GT(most, 100);
        for (const double rate : none) EXPECT_NEAR(rate, 0, 1e-9 * most);
    });
}

// Σ_a V_a dρ_a/dt is zero, and Σ_a V_a ρ_a dρ_a/dt, half the rate of what the densities scatter, negative.
TEST(RenormalisedDiffusion, TakesFromOneWhatItGivesTheOtherAndSmooths) {
    for_each_kernel([]<class K>(K, bool two_d, KernelType kernel) {
        const Blob blob(two_d, kernel, ragged);
        const std::vector<double> rates = blob.rates<K>();
        double sum = 0, size = 0, scatter = 0;
        for (std::size_t a = 0; a < rates.size(); ++a) {
            sum += rates[a] / blob.rho[a];
            size += std::abs(rates[a]) / blob.rho[a];
            scatter += (blob.rho[a] - 1000) * rates[a] / blob.rho[a];
        }
        EXPECT_NEAR(sum, 0, 1e-12 * size);
        EXPECT_LT(scatter, -0.5 * size);
    });
}

// Worked out by hand: two particles alone have no gradient (M has one eigenvalue above zero), and
// dρ_a/dt = 2δhc0 V_b (ρ_b − ρ_a) F' r/(r² + η²), with F' = |dW/dr|.
TEST(RenormalisedDiffusion, OfAPairAloneIsThatOfMolteni) {
    Blob pair(false, KernelType::wendland, linear);
    pair.place = {{0, 0, 0}, {0.03, 0, 0}};
    pair.rho = {1003, 1000};
    EXPECT_EQ(norm(pair.gradient<Wendland>(0)), 0);
    // W = α (1 − q/2)⁴ (2q + 1), dW/dr = −5α q (1 − q/2)³/h; α = 21/(16 π h³), q = 1
    const double h = 0.03, alpha = 21 / (16 * 3.14159265358979 * h * h * h), slope_of_w = 5 * alpha / 8 / h;
    const double volume = pair.c.mass_fluid / 1000, eta2 = 0.01 * h * h;
    const double rate = 2 * 0.1 * h * 40 * volume * (1000 - 1003) * slope_of_w * h / (h * h + eta2);
    EXPECT_NEAR(pair.rates<Wendland>()[0], rate, 1e-9 * std::abs(rate));
}

// Of a row of particles, of a plane in 3-D, and of spray M cannot be inverted.
TEST(RenormalisedDiffusion, HasNoGradientWhereNeighboursLieInOnePlane) {
    Blob plane(false, KernelType::wendland, linear);
    std::erase_if(plane.place, [&](const Vec3d& r) { return r.z > 0.5 * plane.c.dp; });
    for (Vec3d& r : plane.place) r.z = 0;
    plane.rho.resize(plane.place.size());
    for (std::size_t a = 0; a < plane.place.size(); ++a) EXPECT_EQ(norm(plane.gradient<Wendland>(a)), 0);
    const double sums[9] = {1, 1, 1, 1, 1, 0.0999, 0, 0, 0}, enough[9] = {1, 1, 1, 1, 1, 0.1001, 0, 0, 0};
    EXPECT_EQ(norm(renormalised_gradient(false, sums)), 0);
    EXPECT_NEAR(renormalised_gradient(false, enough).z, 1 / 0.1001, 1e-9);
    // eigenvalues 1.5, 0.5 + 0.41 and 0.5 − 0.41 = 0.09, in the plane of y and z
    const double turned[9] = {1, 0, 0, 1.5, 0.5, 0.5, 0, 0, 0.41}, within[9] = {1, 0, 0, 1.5, 0.5, 0.5, 0, 0, 0.39};
    EXPECT_EQ(norm(renormalised_gradient(false, turned)), 0);
    EXPECT_NEAR(renormalised_gradient(false, within).x, 1 / 1.5, 1e-12);
}

TEST(RenormalisedDiffusion, RatesDoNotDependOnTheUnitOfLength) {
    const Blob blob(false, KernelType::cubic_spline, ragged);
    const std::vector<double> in_metres = blob.rates<CubicSpline>(),
                              in_others = blob.rates<CubicSpline>(LengthUnit(3e-5));
    for (std::size_t a = 0; a < in_metres.size(); ++a)
        EXPECT_NEAR(in_others[a], in_metres[a], 1e-9 * std::abs(in_metres[a]) + 1e-9);
}
