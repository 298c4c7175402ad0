// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"
#include <gtest/gtest.h>

// Pairs of particles of fluids that differ.

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants layered_constants() {
    Constants c;
    c.dp = 0.01;
    c.h = 0.015;
    c.gravity = {0, 0, -9.81};
    c.c0 = 30;
    c.alpha = 0.1;
    c.diffusion = DensityDiffusion::fourtakas;
    c.pressure_form = PressureForm::product;
    derive(c);
    return c;
}

const Fluids water_and_air{{1000, 30, 7, 0.1}, {1.2, 200, 1.4, 0.05, 80}};

struct FluidParticle {
    Vec3d position, velocity;
    double density; ///< of its own fluid
    std::uint32_t phase;
};

/// Force of b on a over the mass of the constants, and dρ/dt of a, relative to its fluid.
struct PairEffect {
    Vec3d force;
    double density, diffusion;
};
PairEffect effect(const Constants& c, const Fluids& fluids, const FluidParticle& a, const FluidParticle& b) {
    const PairsOfRun<double> pairs(c, fluids, metre);
    const auto side = [&](const FluidParticle& p) {
        const Constants own = p.phase == 0 ? c : relative_constants(c, fluids[p.phase - 1]);
        const double rho = p.phase == 0 ? p.density : p.density / density_ratio(c, fluids[p.phase - 1]);
        return PhasedSide<double>{
            {p.velocity.x, p.velocity.y, p.velocity.z, rho, EquationOfState<double>(own).pressure_term(rho)}, p.phase};
    };
    const Vec3d r = a.position - b.position;
    return with_formulation(c, [&]<class F>(F) {
        const auto rates = pair_rates<F>(pairs.fluid, r.x, r.y, r.z, dot(r, r), side(a), side(b));
        return PairEffect{rates.acceleration * r + rates.friction * (a.velocity - b.velocity), rates.density_a,
                          rates.diffusion_a};
    });
}

const FluidParticle wet{{0, 0, 0}, {0.3, 0, -0.1}, 1004, 1}, dry{{0.008, 0.004, 0.006}, {-0.2, 0.1, 0}, 1.21, 2};

} // namespace

TEST(PhasePairs, ForcesBetweenFluidsAreEqualAndOpposite) {
    for (const ViscosityModel viscosity :
         {ViscosityModel::artificial, ViscosityModel::laminar, ViscosityModel::laminar_central}) {
        Constants c = layered_constants();
        c.viscosity = viscosity;
        const PairEffect on_wet = effect(c, water_and_air, wet, dry), on_dry = effect(c, water_and_air, dry, wet);
        EXPECT_GT(norm(on_wet.force), 0.1);
        EXPECT_NEAR(norm(on_wet.force + on_dry.force), 0, 1e-12 * norm(on_wet.force));
    }
}

// Colagrossi & Landrini (2003), eqs. 8 and 10: −(1/ρ_a) Σ V_b (P_a + P_b) ∇W and ρ_a Σ V_b v_ab·∇W; without viscosity.
TEST(PhasePairs, AreTheFormulasOfVolumesWithThePressureOfEachFluid) {
    Constants c = layered_constants();
    Fluids fluids = water_and_air;
    fluids[0].viscosity = fluids[1].viscosity = 0;
    const PairEffect on_wet = effect(c, fluids, wet, dry), on_dry = effect(c, fluids, dry, wet);
    const auto tait = [](const FluidProperties& f, double rho) {
        return f.c0 * f.c0 * f.rho0 / f.gamma * (std::pow(rho / f.rho0, f.gamma) - 1);
    };
    const Vec3d r = wet.position - dry.position;
    const double volume = std::pow(c.dp, 3), q = norm(r) / c.h;
    const Vec3d gradient = (Wendland::normalisation(c.h, false) * Wendland::derivative(q) / (c.h * norm(r))) * r;
    const double pressures = tait(fluids[0], 1004) + tait(fluids[1], 1.21) - 80; // 80 Pa hold the gas
    const double volume_of_dry = volume * 1.2 / 1.21, volume_of_wet = volume * 1000 / 1004;
    // over the mass of the constants: times the density ratio of the fluid
    const Vec3d expected_wet = (-1 / 1004.0 * volume_of_dry * pressures) * gradient,
                expected_dry = (1 / 1.21 * volume_of_wet * pressures) * gradient;
    EXPECT_NEAR(norm(on_wet.force - expected_wet), 0, 1e-9 * norm(expected_wet));
    EXPECT_NEAR(norm((1000 / 1.2) * on_dry.force - expected_dry), 0, 1e-9 * norm(expected_dry));
    const double approach = dot(wet.velocity - dry.velocity, gradient);
    EXPECT_NEAR(on_wet.density, 1004 * volume_of_dry * approach, 1e-9 * std::abs(on_wet.density));
    EXPECT_NEAR(1.2e-3 * on_dry.density, 1.21 * volume_of_wet * approach, 1e-12);
}

TEST(PhasePairs, ViscosityIsTheHarmonicMeanOfWhatTheFluidsHave) {
    Constants c = layered_constants();
    c.viscosity = ViscosityModel::laminar;
    const Fluids fluids{{1000, 30, 7, 1e-3}, {2000, 30, 7, 2e-3}}; // μ of 1 and 4 Pa s
    const PhasePairs<double> table(c, fluids, metre);
    EXPECT_NEAR(phase_entry(table.viscous, 1, 2) * c.rho0 / 4, 1.6, 1e-12);
    EXPECT_NEAR(phase_entry(table.viscous, 2, 1) * c.rho0 / 4, 1.6, 1e-12);
    EXPECT_NEAR(phase_entry(table.viscous, 2, 2) * c.rho0 / 4, 4, 1e-12);
    c.boundary_viscosity_factor = 3;
    const PhasePairs<double> at_walls(c, fluids, metre);
    EXPECT_NEAR(phase_entry(at_walls.viscous, 2, 0) * c.rho0 / 4, 12, 1e-12); // that of the fluid
    c.viscosity = ViscosityModel::artificial;
    const PhasePairs<double> artificial(c, {{1000, 30, 7, 0.1}, {500, 60, 7, 0.2}}, metre);
    EXPECT_NEAR(phase_entry(artificial.viscous, 1, 1), 2 * 0.1 * c.h * 30, 1e-12);
    EXPECT_NEAR(phase_entry(artificial.viscous, 2, 2), 2 * 0.5 * 0.2 * c.h * 60, 1e-12);
}

TEST(PhasePairs, DensitiesDiffuseInsideAFluidAlone) {
    const Constants c = layered_constants();
    EXPECT_EQ(effect(c, water_and_air, wet, dry).diffusion, 0);
    FluidParticle near = dry;
    near.phase = 1, near.density = 1001;
    EXPECT_LT(effect(c, water_and_air, wet, near).diffusion, 0); // from the denser one
    // still air: the density that gravity gives it does not diffuse
    const FluidProperties& air = water_and_air[1];
    FluidParticle low = dry, high = dry;
    high.position.z += 0.01;
    low.density = 1.2;
    const double more = 1.2 * 9.81 * 0.01 / (air.c0 * air.c0);
    high.density = 1.2 - more;
    const double still = effect(c, water_and_air, low, high).diffusion;
    high.density = 1.2;
    EXPECT_LT(std::abs(still), 1e-3 * std::abs(effect(c, water_and_air, low, high).diffusion));
}

TEST(PhasePairs, GasesAreHeldByLiquidsAndWallsOnly) {
    const PhasePairs<double> table(layered_constants(), water_and_air, metre);
    EXPECT_EQ(phase_entry(table.cohesion, 1, 1), 0);
    EXPECT_EQ(phase_entry(table.cohesion, 2, 2), 0);
    EXPECT_EQ(phase_entry(table.cohesion, 1, 2), 80);
    EXPECT_EQ(phase_entry(table.cohesion, 0, 2), 80);
}

// The wall beside a gas is as stiff as the gas; what it takes from the gas it gives back.
TEST(PhasePairs, WallsHaveTheStiffnessOfTheFluidBesideThem) {
    const Constants c = layered_constants();
    Fluids fluids = water_and_air;
    fluids[0].viscosity = fluids[1].viscosity = fluids[1].cohesion = 0;
    const PairsOfRun<double> pairs(c, fluids, metre);
    const double strain = 1e-3, rho = c.rho0 * (1 + strain), r = 0.01;
    const auto at_rest = [&](double pressure_term, std::uint32_t phase) {
        return PhasedSide<double>{{0, 0, 0, rho, pressure_term}, phase};
    };
    const PhasedSide<double> wall = at_rest(EquationOfState<double>(c).pressure_term(rho), 0);
    for (const std::uint32_t phase : {1u, 2u}) {
        const FluidProperties& fluid = fluids[phase - 1];
        const auto water_or_air =
            at_rest(EquationOfState<double>(relative_constants(c, fluid)).pressure_term(rho), phase);
        with_formulation(c, [&]<class F>(F) {
            const auto on_fluid = pair_rates<typename F::AtWall>(pairs.wall, r, 0., 0., r * r, water_or_air, wall);
            const auto on_wall = pair_rates<typename F::AtWall>(pairs.boundary, -r, 0., 0., r * r, wall, water_or_air);
            const double gradient = -Wendland::normalisation(c.h, false) * Wendland::derivative(r / c.h) / (c.h * r),
                         stiffness = fluid.rho0 * fluid.c0 * fluid.c0; // twice ρ0 c0² ε, of gas and wall
            EXPECT_NEAR(on_fluid.acceleration, c.mass_bound * 2 * stiffness * strain / (rho * rho) * gradient,
                        5e-3 * on_fluid.acceleration);
            EXPECT_DOUBLE_EQ(on_wall.acceleration, on_fluid.acceleration); // equal masses
        });
    }
}

TEST(PhasePairs, OneFluidToldAsTwoIsOne) {
    for (const ViscosityModel viscosity : {ViscosityModel::artificial, ViscosityModel::laminar}) {
        Constants c = layered_constants();
        c.viscosity = viscosity;
        c.nu = 0.01;
        const double own = viscosity == ViscosityModel::artificial ? c.alpha : c.nu;
        const Fluids same{{c.rho0, c.c0, c.gamma, own}, {c.rho0, c.c0, c.gamma, own}};
        FluidParticle a = wet, b = dry;
        b.density = 996;
        const PairEffect two = effect(c, same, a, b);
        a.phase = b.phase = 0;
        const PairsOfRun<double> one(c, {}, metre);
        EXPECT_EQ(one.fluid.phases, nullptr);
        const auto side = [&](const FluidParticle& p) {
            return Side<double>{p.velocity.x, p.velocity.y, p.velocity.z, p.density,
                                EquationOfState<double>(c).pressure_term(p.density)};
        };
        const Vec3d r = a.position - b.position;
        with_formulation(c, [&]<class F>(F) {
            const auto rates = pair_rates<F>(one.fluid, r.x, r.y, r.z, dot(r, r), side(a), side(b));
            const Vec3d force = rates.acceleration * r + rates.friction * (a.velocity - b.velocity);
            EXPECT_NEAR(norm(force - two.force), 0, 2e-3 * norm(force)); // one speed of sound for its viscosity
            EXPECT_DOUBLE_EQ(rates.density_a, two.density);
        });
    }
}
