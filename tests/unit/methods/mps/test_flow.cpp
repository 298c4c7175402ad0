// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/cpu_flow.h"
#include "methods/mps/flow/step.h"
#include "methods/mps/normalisation.h"
#include "model/derive.h"
#include "unit/methods/mps/clouds.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::mps;

namespace {

sph::Constants constants(double dp, bool two_d) {
    sph::Constants c;
    c.two_d = two_d;
    c.dp = dp;
    c.h = 1.05 * dp;
    c.c0 = 30;
    c.nu = 0.02;
    c.gravity = {1, 0, -9.81};
    sph::derive(c);
    return c;
}

/// A third of them walls, with velocities and densities at random.
FlowParticles random_particles(std::uint32_t count, double side) {
    const Points points = random_cloud(count, {side, side, side}, 5);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> part(-1, 1);
    FlowParticles p;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool wall = i < count / 3;
        p.id.push_back(i);
        p.x.push_back(points.at(i).x);
        p.y.push_back(points.at(i).y);
        p.z.push_back(points.at(i).z);
        p.vx.push_back(wall ? 0 : part(random));
        p.vy.push_back(wall ? 0 : part(random));
        p.vz.push_back(wall ? 0 : part(random));
        p.rho.push_back(1000 + 5 * part(random));
    }
    return p;
}

/// A lattice of `n`³ fluid particles, in 2-D of n² in the plane y = 0, at rest.
FlowParticles flow_lattice(int n, double dp, bool two_d) {
    FlowParticles p;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < (two_d ? 1 : n); ++j)
            for (int i = 0; i < n; ++i) {
                p.id.push_back(static_cast<std::uint32_t>(p.size()));
                for (auto* zero : {&p.vx, &p.vy, &p.vz}) zero->push_back(0);
                p.x.push_back(i * dp);
                p.y.push_back(j * dp);
                p.z.push_back(k * dp);
                p.rho.push_back(1000);
            }
    return p;
}

bool is_inside(const FlowParticles& p, std::size_t i, double side, double rim, bool two_d) {
    const auto in = [&](double x) { return x > rim && x < side - rim; };
    return in(p.x[i]) && in(p.z[i]) && (two_d || in(p.y[i]));
}

/// What all pairs give, one after the other.
struct AllPairs {
    std::vector<double> pressure, density_rate;
    std::vector<Vec3d> acceleration;

    AllPairs(const FlowParticles& p, const sph::Constants& c, std::size_t walls) {
        const FlowScale scale = flow_scale(c);
        const sph::EquationOfState<double> eos(c);
        pressure.resize(p.size());
        density_rate.resize(p.size());
        acceleration.resize(p.size());
        for (std::size_t i = walls; i < p.size(); ++i) pressure[i] = std::max(0.0, eos.pressure(p.rho[i]));
        const auto sum = [&]<class Sums>(Sums, std::size_t i, double(&sums)[Sums::count]) {
            const auto at = [&](std::size_t k) -> FlowAt<double> {
                return {p.vx[k], p.vy[k], p.vz[k], p.rho[k], pressure[k], k < walls ? 0.0 : 1.0};
            };
            for (std::size_t j = 0; j < p.size(); ++j) {
                const double r = 1 / scale.radius;
                if (i != j)
                    Sums::add(scale, {r * (p.x[j] - p.x[i]), r * (p.y[j] - p.y[i]), r * (p.z[j] - p.z[i])}, at(i),
                              at(j), sums);
            }
        };
        std::vector<double> of_walls(walls);
        for (std::size_t i = 0; i < walls; ++i) {
            double sums[WallSums::count]{};
            sum(WallSums{}, i, sums);
            of_walls[i] = WallSums::pressure(scale, sums);
        }
        std::copy(of_walls.begin(), of_walls.end(), pressure.begin());
        for (std::size_t i = walls; i < p.size(); ++i) {
            double continuity[ContinuitySums::count]{}, motion[MotionSums::count]{};
            sum(ContinuitySums{}, i, continuity);
            sum(MotionSums{}, i, motion);
            density_rate[i] = ContinuitySums::rate(scale, p.rho[i], continuity);
            for (int axis = 0; axis < 3; ++axis) acceleration[i][axis] = MotionSums::rate(scale, axis, motion);
        }
    }
};

} // namespace

TEST(MpsFlow, EveryNumberOfLanesAgreesWithAllPairs) {
    const sph::Constants c = constants(0.1, false);
    const FlowParticles p = random_particles(600, 0.9);
    const AllPairs expected(p, c, 200);
    for (const Lanes lanes : {Lanes::one, Lanes::four, Lanes::eight}) {
        if (lanes > widest_lanes()) continue;
        CpuFlow flow(c, 200, {lanes, 2});
        begin_flow(flow, p);
        flow.accelerate();
        flow.find_density_rates();
        std::vector<Vec3d> acceleration;
        std::vector<double> density_rate;
        flow.rates(acceleration, density_rate);
        const std::vector<double> pressure = flow.pressures();
        EXPECT_EQ(flow.walls(), 200u);
        double largest_rate = 0;
        for (const double rate : expected.density_rate) largest_rate = std::max(largest_rate, std::abs(rate));
        for (std::size_t i = 0; i < p.size(); ++i) {
            EXPECT_NEAR(pressure[i], expected.pressure[i], 1e-9 * c.b);
            EXPECT_LT(norm(acceleration[i] - expected.acceleration[i]), 1e-10 * (1 + norm(expected.acceleration[i])));
            EXPECT_NEAR(density_rate[i], expected.density_rate[i], 1e-11 * largest_rate);
        }
    }
}

TEST(MpsFlow, PressureDoesTheWorkThatCompressionTakes) {
    sph::Constants c = constants(0.1, false);
    c.nu = 0;
    c.gravity = {};
    FlowParticles p = random_particles(600, 0.9);
    CpuFlow flow(c, 0, {widest_lanes(), 1});
    begin_flow(flow, p);
    flow.accelerate();
    flow.find_density_rates();
    std::vector<Vec3d> acceleration;
    std::vector<double> rate;
    flow.rates(acceleration, rate);
    const std::vector<double> pressure = flow.pressures();
    const FlowScale scale = flow_scale(c);
    double power = 0, compression = 0, size = 0;
    Vec3d force;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d v{p.vx[i], p.vy[i], p.vz[i]};
        double divergence = 0; // by the formula in plain words
        for (std::size_t j = 0; j < p.size(); ++j) {
            if (j == i) continue;
            const Vec3d r{p.x[j] - p.x[i], p.y[j] - p.y[i], p.z[j] - p.z[i]};
            const double w = std::pow(std::max(0.0, 1 - norm(r) / scale.radius), 2);
            divergence += w / dot(r, r) * dot(r, Vec3d{p.vx[j], p.vy[j], p.vz[j]} - v);
        }
        divergence *= 3 / lattice_sums(DomainShape::sphere, 2.1, 3).n0;
        power += c.rho0 * dot(acceleration[i], v);
        compression += pressure[i] * divergence;
        size += std::abs(pressure[i] * divergence);
        force = force + acceleration[i];
    }
    EXPECT_NEAR(power, compression, 1e-11 * size);
    EXPECT_LT(norm(force), 1e-9);
}

TEST(MpsFlow, RatesInALatticeAreThoseOfTheField) {
    for (const bool two_d : {true, false}) {
        const double dp = 0.05;
        const int n = 11;
        const sph::Constants c = constants(dp, two_d);
        const sph::EquationOfState<double> eos(c);
        FlowParticles p = flow_lattice(n, dp, two_d);
        for (std::size_t i = 0; i < p.size(); ++i) { // ∇²v_x = 2, ∇·v = 3
            p.vx[i] = p.z[i] * p.z[i] - p.x[i];
            p.vz[i] = 4 * p.z[i];
            p.rho[i] = eos.density(1000 * (p.x[i] - 9.81 * p.z[i] + 20)); // as in still water
        }
        CpuFlow flow(c, 0, {Lanes::one, 1});
        begin_flow(flow, p);
        flow.accelerate();
        flow.find_density_rates();
        std::vector<Vec3d> acceleration;
        std::vector<double> rate;
        flow.rates(acceleration, rate);
        int inside = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (!is_inside(p, i, (n - 1) * dp, 2.1 * dp, two_d)) continue;
            ++inside;
            EXPECT_NEAR(rate[i], -3 * p.rho[i], 0.3);       // the diffusion leaves still water alone
            EXPECT_NEAR(acceleration[i].x, 2 * c.nu, 1e-9); // pressure holds the weight
            EXPECT_NEAR(acceleration[i].z, 0, 1e-9);
        }
        EXPECT_GT(inside, 20);
    }
}

TEST(MpsFlow, ParticlesOfASurfaceBearNoTension) {
    const sph::Constants c = constants(0.1, true);
    FlowParticles p = flow_lattice(7, 0.1, true);
    for (double& rho : p.rho) rho = 990;
    CpuFlow flow(c, 0, {Lanes::one, 1});
    begin_flow(flow, p);
    flow.find_density_rates();
    flow.compress(1e-9);
    flow.find_pressures();
    const FlowParticles after = flow.particles();
    EXPECT_EQ(after.rho[3], 1000);                // in the lowest row
    EXPECT_NEAR(after.rho[3 * 7 + 3], 990, 1e-6); // in the middle
    for (const double pressure : flow.pressures()) EXPECT_EQ(pressure, 0);
}
