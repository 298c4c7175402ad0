// SPDX-License-Identifier: Apache-2.0
#include "cuda/pairs/gather_loops.h"

#include "backends/flow_gradients.h"
#include "backends/fluid_passes.h"
#include "unit/cuda/host_particles.h"
#include <gtest/gtest.h>

// The gather of the GPU, run on the host against the oracle.

using namespace sluice;
using namespace sluice::cuda;

namespace {

/// Largest error of the fluid's derived fields, as FlowGradient::error counts.
double largest_error(const clouds::Cloud& cloud, const HostParticles& particles) {
    const InteractionView v = particles.view();
    const GridPeriod period = make_grid_period(cloud.setup.period, v.grid, 2 * cloud.setup.constants.h);
    const oracle::State state = oracle::to_double(particles.state);
    double worst = 0;
    sph::with_kernel(cloud.setup.constants.kernel, [&]<class Kernel>(Kernel) {
        using Op = sph::FlowGradients<Kernel>;
        const GatherConstants<Op> constants(cloud.setup.constants);
        for (std::uint32_t i = v.boundary_count; i < particles.position.size(); ++i) {
            const auto [sums] = gather_sums<Op>(v, constants, FlowSides{v.flow}, period, i);
            worst = std::max(
                worst,
                oracle::flow_gradient(cloud.setup, state, i).error({sums[0], sums[1], sums[2]}, sums[3], sums[4]));
        }
    });
    return worst;
}

/// Moves the fluid as far as neighbour lists with a skin of `skin` support radii let it.
void move_within_skin(HostParticles& particles, const clouds::Cloud& cloud, double skin) {
    std::mt19937 random(3);
    const double most = 0.5 * skin * 2 * cloud.setup.constants.h / std::sqrt(3.0);
    std::uniform_real_distribution<double> along(-most, most);
    for (std::uint32_t i = particles.boundary_count; i < particles.position.size(); ++i)
        particles.move(i, {along(random), cloud.setup.constants.two_d ? 0 : along(random), along(random)});
}

} // namespace

TEST(GatherLoops, AreTheOracles) {
    for (const clouds::Choice& choice : flow_gradient_choices()) {
        clouds::Cloud cloud = clouds::make_cloud(choice, {9, 7, 8}, 5);
        cloud.setup.constants.mass_bound *= 1.3;
        for (const int divisions : {1, 2})
            EXPECT_LT(largest_error(cloud, HostParticles(cloud, divisions)), 1e-5)
                << choice.name() << ", cells 2h/" << divisions;
    }
}

TEST(GatherLoops, SeeAcrossPeriodicSides) {
    for (const clouds::Sides& sides : clouds::periodic_sides) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::none, sph::Integrator::verlet,
                                    sides.two_d};
        const clouds::Cloud cloud = clouds::make_periodic_cloud(choice, {10, 9, 8}, sides.axes, sides.step);
        for (const int divisions : {1, 2})
            EXPECT_LT(largest_error(cloud, HostParticles(cloud, divisions)), 1e-5)
                << sides.axes << ", cells 2h/" << divisions;
    }
}

TEST(GatherLoops, HoldInCellsOfTheLastBuildOfLists) {
    constexpr double skin = 0.3;
    for (const clouds::Choice& choice : flow_gradient_choices())
        for (const bool periodic : {false, true}) {
            const clouds::Cloud cloud = periodic ? clouds::make_periodic_cloud(choice, {10, 9, 8}, "x")
                                                 : clouds::make_cloud(choice, {9, 7, 8}, 5);
            HostParticles particles(cloud, 1, skin);
            move_within_skin(particles, cloud, skin);
            EXPECT_LT(largest_error(cloud, particles), 1e-5) << choice.name() << (periodic ? ", periodic" : "");
        }
}

/// What the viscosity of generalised Newtonian fluids does, through both gathers, with walls.
TEST(GatherLoops, ForcesOfApparentViscositiesAreTheOracles) {
    for (const clouds::Choice& choice : flow_gradient_choices())
        for (const bool periodic : {false, true}) {
            const clouds::Cloud cloud = passes::thick(periodic ? clouds::make_periodic_cloud(choice, {10, 9, 8}, "x")
                                                               : clouds::make_cloud(choice, {9, 7, 8}, 5));
            const RunSetup& setup = cloud.setup;
            const HostParticles particles(cloud, 1);
            const InteractionView v = particles.view();
            const GridPeriod period = make_grid_period(setup.period, v.grid, 2 * setup.constants.h);
            const oracle::State state = oracle::to_double(particles.state);
            sph::with_kernel(setup.constants.kernel, [&]<class Kernel>(Kernel) {
                using Gradient = sph::VelocityGradient<Kernel>;
                using Force = sph::ViscousForce<Kernel>;
                const auto sides = oracle::detail::viscous_sides<Kernel>(setup, state);
                std::vector<float> viscosity;
                for (std::uint32_t i = v.boundary_count; i < sides.size(); ++i) {
                    const auto [gradient] = gather_sums<Gradient>(v, GatherConstants<Gradient>(setup.constants),
                                                                  FlowSides{v.flow}, period, i);
                    viscosity.push_back(sph::apparent_viscosity(
                        setup.rheologies[setup.groups.fluid_of(particles.state.id[i])], sph::rate_of_strain(gradient),
                        float(sph::greatest_rate(setup.constants))));
                    EXPECT_NEAR(viscosity.back(), sides[i].nu, 1e-5 * sides[i].nu);
                }
                const ViscousSides read{v.flow, viscosity.data(), v.boundary_count};
                double error = 0, greatest = 0;
                for (std::uint32_t i = v.boundary_count; i < sides.size(); ++i) {
                    const auto [force] =
                        gather_sums<Force>(v, GatherConstants<Force>(setup.constants), read, period, i);
                    const auto expected =
                        oracle::detail::gathered<Force>(setup, state, i, [&](std::size_t b) { return sides[b]; });
                    for (int k = 0; k < 3; ++k) {
                        error = std::max(error, std::abs(force[k] - expected[k]));
                        greatest = std::max(greatest, std::abs(expected[k]));
                    }
                }
                EXPECT_LT(error, 2e-5 * greatest) << choice.name() << (periodic ? ", periodic" : "");
            });
        }
}
