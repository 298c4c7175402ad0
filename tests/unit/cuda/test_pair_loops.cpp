// SPDX-License-Identifier: Apache-2.0
#include "unit/cuda/host_particles.h"

#include "backends/fluid_passes.h"
#include "backends/oracle.h"
#include "cuda/data/phase_table.h"
#include "cuda/data/vacated_places.h"
#include <gtest/gtest.h>

// The neighbour loops of the GPU kernels, run on the host against the oracle.

using namespace sluice;
using namespace sluice::cuda;

namespace {

/// What the interaction of a run knows of its fluids; none: there is one.
std::optional<PhaseTable> table_of(const RunSetup& setup) {
    if (setup.fluids.empty()) return {};
    return PhaseTable(setup.constants, setup.fluids);
}

/// Gives the particles of several fluids their phases, and the pressures that they have there.
HostParticles with_phases(const RunSetup& setup, HostParticles particles) {
    for (std::size_t i = 0; i < particles.position.size(); ++i) {
        const std::uint32_t phase = setup.phase_of(particles.state.id[i]);
        float& term = particles.position[i].pressure_term;
        if (phase > 0)
            term = sph::EquationOfState<float>(relative_constants(setup.constants, setup.fluids[phase - 1]))
                       .pressure_term(particles.flow[i].rho);
        term = with_phase(term, phase);
    }
    return particles;
}

/// Largest errors of all particles' rates against the oracle's, in units of Σ |pair terms|.
template <class Rows>
std::pair<double, double> errors(const clouds::Cloud& cloud, const HostParticles& particles) {
    const InteractionView v = particles.view();
    const StepConstants step(cloud.setup.constants);
    const std::optional<PhaseTable> fluids = table_of(cloud.setup);
    const PhaseTable* const table = fluids ? &*fluids : nullptr;
    const FluidPairs pairs(cloud.setup.constants, table);
    const sph::PairConstants<float> boundary_pairs(cloud.setup.constants, sph::PairKind::boundary_fluid, sph::metre,
                                                   table);
    const oracle::Rates expected = oracle::rates(cloud.setup, oracle::to_double(particles.state));
    double acceleration = 0, density = 0;
    sph::with_formulation(cloud.setup.constants, [&]<class F>(F) {
        for (std::uint32_t i = 0; i < particles.position.size(); ++i) {
            const Rows fluid{v.grid, v.fluid}, boundary{v.grid, v.boundary};
            RateRecord r{0, 0, 0, 0};
            if (i < v.boundary_count)
                r.rho = sph::with_continuity<typename F::Kernel>(cloud.setup.constants, [&]<class C>(C) {
                    return sum_boundary_particle<C>(v, boundary_pairs, fluid, i);
                });
            else {
                FluidSums sums = sum_fluid_particle<F>(v, pairs, fluid, boundary, i);
                if (table) sums.weigh(table->weight[phase_in(particles.position[i].pressure_term)]);
                r = fluid_rates(step, sums);
            }
            const Vec3d d = Vec3d{r.ax, r.ay, r.az} - expected.acceleration[i];
            acceleration = std::max(acceleration, std::sqrt(dot(d, d)) / (expected.acceleration_scale[i] + 1));
            density = std::max(density, std::abs(r.rho - expected.density[i]) / (expected.density_scale[i] + 1e-3));
        }
    });
    return {acceleration, density};
}

/// The same of a run with periodic sides, by the loops of the versions with lists.
std::pair<double, double> periodic_errors(const clouds::Cloud& cloud, const HostParticles& particles) {
    const InteractionView v = particles.view();
    const GridPeriod period = make_grid_period(cloud.setup.period, v.grid, 2 * cloud.setup.constants.h);
    const StepConstants step(cloud.setup.constants);
    const FluidPairs pairs(cloud.setup.constants);
    const sph::PairConstants<float> boundary_pairs(cloud.setup.constants, sph::PairKind::boundary_fluid, sph::metre);
    const oracle::Rates expected = oracle::rates(cloud.setup, oracle::to_double(particles.state));
    double acceleration = 0, density = 0;
    sph::with_formulation(cloud.setup.constants, [&]<class F>(F) {
        for (std::uint32_t i = 0; i < particles.position.size(); ++i) {
            const WholeRows fluid{v.grid, v.fluid};
            RateRecord r{0, 0, 0, 0};
            if (i < v.boundary_count)
                r.rho = sph::with_continuity<typename F::Kernel>(cloud.setup.constants, [&]<class C>(C) {
                    return sum_boundary_particle<C>(v, boundary_pairs, fluid, i) +
                           sum_boundary_images<C>(v, boundary_pairs, period, v.grid.reach, i);
                });
            else {
                const Target a = load_target(v, i);
                FluidSums sums = sum_fluid<F>(v, pairs.fluid, a, fluid, v.cell[i]);
                sums.add(sum_fluid_images<F>(v, pairs.fluid, period, a, v.cell[i]));
                for (int part = 0; part < 2; ++part)
                    sums.add(sum_wall_and_images<F>(v, pairs.boundary, period, a, v.cell[i], part, 2));
                r = fluid_rates(step, sums);
            }
            const Vec3d d = Vec3d{r.ax, r.ay, r.az} - expected.acceleration[i];
            acceleration = std::max(acceleration, std::sqrt(dot(d, d)) / (expected.acceleration_scale[i] + 1));
            density = std::max(density, std::abs(r.rho - expected.density[i]) / (expected.density_scale[i] + 1e-3));
        }
    });
    return {acceleration, density};
}

} // namespace

TEST(PairLoops, SeeImagesAcrossPeriodicSides) {
    for (const clouds::Sides& sides : clouds::periodic_sides) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas,
                                    sph::Integrator::verlet, sides.two_d};
        const clouds::Cloud cloud = clouds::make_periodic_cloud(choice, {10, 9, 8}, sides.axes, sides.step);
        for (const int divisions : {1, 2}) {
            const auto [acceleration, density] = periodic_errors(cloud, HostParticles(cloud, divisions));
            EXPECT_LT(acceleration, 1e-5) << sides.axes << ", cells 2h/" << divisions;
            EXPECT_LT(density, 1e-5) << sides.axes << ", cells 2h/" << divisions;
        }
    }
}

TEST(PairLoops, AreTheOraclesForEveryFormulation) {
    for (const clouds::Choice& choice : clouds::all_choices()) {
        if (choice.gamma != 7) continue;
        const clouds::Cloud cloud = clouds::make_cloud(choice, {9, 7, 8}, 5);
        for (const int divisions : {1, 2}) {
            const HostParticles particles(cloud, divisions);
            for (const auto& [acceleration, density] :
                 {errors<SearchedRows>(cloud, particles), errors<WholeRows>(cloud, particles)}) {
                EXPECT_LT(acceleration, 1e-5) << choice.name() << ", cells 2h/" << divisions;
                EXPECT_LT(density, 1e-5) << choice.name() << ", cells 2h/" << divisions;
            }
        }
    }
}

TEST(PairLoops, KnowSeveralFluidsByTheBitsOfTheirPressures) {
    for (const bool two_d : {false, true}) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas,
                                    sph::Integrator::verlet, two_d};
        const clouds::Cloud cloud = passes::layered(clouds::make_cloud(choice, {9, 7, 8}, 5));
        for (const int divisions : {1, 2}) {
            const HostParticles particles = with_phases(cloud.setup, HostParticles(cloud, divisions));
            const auto [acceleration, density] = errors<SearchedRows>(cloud, particles);
            EXPECT_LT(acceleration, 1e-5) << "cells 2h/" << divisions;
            EXPECT_LT(density, 1e-5) << "cells 2h/" << divisions;
        }
        EXPECT_GT(errors<SearchedRows>(cloud, HostParticles(cloud, 1)).first, 1e-2) << "without phases";
    }
}

TEST(PairLoops, HoldFarFromTheCornerOfTheDomain) {
    const clouds::Cloud cloud =
        clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas}, {7, 6, 7}, 3, {64, 2, 1});
    const auto [acceleration, density] = errors<SearchedRows>(cloud, HostParticles(cloud, 2));
    EXPECT_LT(acceleration, 1e-5);
    EXPECT_LT(density, 1e-5);
}

TEST(PairLoops, NothingIsFoundInAVacatedPlace) {
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
        for (const auto viscosity : {sph::ViscosityModel::artificial, sph::ViscosityModel::laminar}) {
            clouds::Cloud cloud =
                clouds::make_cloud({kernel, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet}, {6, 6, 6});
            cloud.setup.constants.viscosity = viscosity;
            cloud.setup.constants.nu = viscosity == sph::ViscosityModel::laminar ? 1e-3 : 0;
            cloud.setup.constants.gravity = {-9.81, 0, -9.81};
            HostParticles particles(cloud, 1);
            const InteractionView v = particles.view();
            const FluidPairs pairs(cloud.setup.constants);
            const std::uint32_t first = v.boundary_count, count = std::uint32_t(particles.position.size());
            sph::with_formulation(cloud.setup.constants, [&]<class F>(F) {
                const Target a = load_target(v, first + 20);
                for (std::uint32_t j = first; j < count; ++j) {
                    Position& p = particles.position[j];
                    const Position then = p;
                    p = vacated(p);
                    EXPECT_TRUE(is_vacated(p, then));
                    EXPECT_FALSE(is_vacated({p.x + 1000, p.y, p.z, 0}, p));
                    EXPECT_FALSE(is_vacated({p.x - 1000, p.y, p.z, 0}, p));
                    FluidSums sums;
                    const float r2 = add_pair<Gathered<F>, true>(v, pairs.fluid, a, j, sums);
                    EXPECT_GT(r2, 4 * pairs.fluid.support2);
                    p = then;
                    for (const float sum : {sums.ax, sums.ay, sums.az, sums.density, sums.diffusion, sums.viscous})
                        EXPECT_EQ(sum, 0);
                }
            });
        }
}
