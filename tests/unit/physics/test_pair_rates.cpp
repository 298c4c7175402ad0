// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::sph;

namespace {

Constants constants_with(KernelType kernel, DensityDiffusion diffusion, double gamma = 7) {
    Constants c;
    c.kernel = kernel;
    c.diffusion = diffusion;
    c.gamma = gamma;
    c.dp = 0.01;
    c.h = std::sqrt(3.0) * c.dp;
    c.gravity = {0.3, -0.2, -9.81};
    c.c0 = 30;
    c.alpha = 0.1;
    derive(c);
    c.mass_bound = 1.3 * c.mass_fluid;
    return c;
}

struct Particle {
    Vec3d r, v;
    double rho, p;
};

Side<double> side(const Particle& a) { return {a.v.x, a.v.y, a.v.z, a.rho, a.p / (a.rho * a.rho)}; }

Particle random_particle(std::mt19937& random, const Constants& c) {
    std::uniform_real_distribution<double> unit(-1, 1);
    Particle a;
    a.r = {unit(random) * c.h, unit(random) * c.h, unit(random) * c.h};
    a.v = {unit(random), unit(random), unit(random)};
    a.rho = 1000 + 20 * unit(random);
    a.p = EquationOfState<double>(c).pressure(a.rho);
    return a;
}

/// The formulas as the papers print them, one by one; nothing shared with the code under test but the kernel shape.
struct Printed {
    double acceleration, density_a, density_b, diffusion_a, hydrostatic_a, viscous;
};
Printed printed(const Constants& c, const Particle& a, const Particle& b, double m_b, double alpha) {
    const Vec3d r = a.r - b.r, v = a.v - b.v;
    const double d = std::sqrt(dot(r, r)), q = d / c.h;
    const auto shape = [&](double x) { return with_kernel(c.kernel, [&]<class K>(K) { return K::value(x); }); };
    const double alpha_d = with_kernel(c.kernel, [&]<class K>(K) { return K::normalisation(c.h, false); });
    const double slope = with_kernel(c.kernel, [&]<class K>(K) { return K::derivative(q); });
    const double gradient = alpha_d * slope / c.h / d;
    const double mu = c.h * dot(v, r) / (d * d + c.eta2);
    const auto sound = [&](double rho) { return c.c0 * std::pow(rho / c.rho0, (c.gamma - 1) / 2); };
    const double pi = dot(v, r) < 0 ? -alpha * 0.5 * (sound(a.rho) + sound(b.rho)) * mu / (0.5 * (a.rho + b.rho)) : 0;
    double tensile = 0;
    if (c.kernel == KernelType::cubic_spline) {
        const auto r_i = [](const Particle& x) { return (x.p > 0 ? 0.01 : -0.2) * x.p / (x.rho * x.rho); };
        tensile = (r_i(a) + r_i(b)) * std::pow(shape(q) / shape(c.dp / c.h), 4);
    }
    Printed s;
    if (c.pressure_form == PressureForm::product) { // Colagrossi & Landrini (2003), eqs. 8 and 10
        s.acceleration = -m_b * ((a.p + b.p) / (a.rho * b.rho) + tensile + pi) * gradient;
        s.density_a = a.rho * (m_b / b.rho) * dot(v, r) * gradient;
        s.density_b = b.rho * (m_b / a.rho) * dot(v, r) * gradient;
    } else {
        s.acceleration = -m_b * (a.p / (a.rho * a.rho) + b.p / (b.rho * b.rho) + tensile + pi) * gradient;
        s.density_a = s.density_b = m_b * dot(v, r) * gradient;
    }
    s.viscous = std::abs(mu);
    double hydrostatic = 0;
    if (c.diffusion == DensityDiffusion::fourtakas)
        // Tait's dρ/dP = ρ0/(γB) (ρ0/ρ)^{γ−1} times dP = ρ g·dr, at the mean density
        hydrostatic = -c.rho0 * c.rho0 / (c.gamma * c.b) * std::pow(c.rho0 / (0.5 * (a.rho + b.rho)), c.gamma - 2) *
                      dot(c.gravity, r);
    const double weight = c.diffusion == DensityDiffusion::none
                              ? 0
                              : 2 * c.delta * c.h * c.c0 * (-d * d * gradient) / (d * d + c.eta2) * m_b / b.rho;
    s.diffusion_a = weight * (b.rho - a.rho - hydrostatic);
    s.hydrostatic_a = weight * hydrostatic;
    return s;
}

struct Choice {
    KernelType kernel;
    DensityDiffusion diffusion;
    double gamma;
    PressureForm pressure_form = PressureForm::squares;
    Constants constants() const {
        Constants c = constants_with(kernel, diffusion, gamma);
        c.pressure_form = pressure_form;
        return c;
    }
    friend void PrintTo(const Choice& choice, std::ostream* out) {
        *out << "kernel " << int(choice.kernel) << ", diffusion " << int(choice.diffusion) << ", gamma " << choice.gamma
             << ", pressure " << int(choice.pressure_form);
    }
};

class PairRatesTest : public testing::TestWithParam<Choice> {};

} // namespace

TEST_P(PairRatesTest, AreTheFormulasOfThePapersForEveryKindOfPair) {
    const Constants c = GetParam().constants();
    std::mt19937 random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const Particle a = random_particle(random, c), b = random_particle(random, c);
        const Vec3d r = a.r - b.r;
        for (const PairKind kind : {PairKind::fluid_fluid, PairKind::fluid_boundary}) {
            const double m_b = kind == PairKind::fluid_fluid ? c.mass_fluid : c.mass_bound;
            const Printed expected = printed(c, a, b, m_b, c.alpha);
            const PairConstants<double> constants(c, kind, metre);
            with_formulation(c, [&]<class F>(F) {
                const auto got = pair_rates<F>(constants, r.x, r.y, r.z, dot(r, r), side(a), side(b));
                EXPECT_NEAR(got.acceleration, expected.acceleration, 1e-9 * std::abs(expected.acceleration) + 1e-9);
                EXPECT_NEAR(got.density_a, expected.density_a, 1e-9 * std::abs(expected.density_a) + 1e-12);
                EXPECT_NEAR(got.density_b, expected.density_b, 1e-9 * std::abs(expected.density_b) + 1e-12);
                EXPECT_NEAR(got.viscous, expected.viscous, 1e-9 * std::abs(expected.viscous) + 1e-12);
                EXPECT_NEAR(got.diffusion_a, expected.diffusion_a,
                            1e-9 * std::abs(expected.diffusion_a) + 4e-4 * std::abs(expected.hydrostatic_a) + 1e-9);
                const double continuity = with_continuity<typename F::Kernel>(
                    c, [&]<class C>(C) { return C::rate(constants, r.x, r.y, r.z, dot(r, r), side(a), side(b)); });
                EXPECT_NEAR(continuity, expected.density_a, 1e-9 * std::abs(expected.density_a) + 1e-12);
            });
        }
    }
}

TEST_P(PairRatesTest, OneEvaluationServesBothSides) {
    const Constants c = GetParam().constants();
    std::mt19937 random(2);
    const PairConstants<double> ff(c, PairKind::fluid_fluid, metre), fb(c, PairKind::fluid_boundary, metre),
        bf(c, PairKind::boundary_fluid, metre);
    for (int trial = 0; trial < 200; ++trial) {
        const Particle a = random_particle(random, c), b = random_particle(random, c);
        const Vec3d r = a.r - b.r, s = b.r - a.r;
        with_formulation(c, [&]<class F>(F) {
            const auto ab = pair_rates<F>(ff, r.x, r.y, r.z, dot(r, r), side(a), side(b));
            const auto ba = pair_rates<F>(ff, s.x, s.y, s.z, dot(s, s), side(b), side(a));
            EXPECT_NEAR(ab.acceleration, ba.acceleration,
                        1e-12 * std::abs(ab.acceleration)); // times r_ab: equal and opposite
            EXPECT_NEAR(ab.density_b, ba.density_a, 1e-12 * std::abs(ab.density_b));
            EXPECT_NEAR(ab.diffusion_b, ba.diffusion_a, 1e-9 * std::abs(ab.diffusion_b) + 1e-15);
            EXPECT_EQ(ff.mass_ratio, 1);
            // fluid–boundary from the fluid's side against boundary–fluid from the boundary's
            const auto fluid_side = pair_rates<F>(fb, r.x, r.y, r.z, dot(r, r), side(a), side(b));
            const double boundary_side = with_continuity<typename F::Kernel>(
                c, [&]<class C>(C) { return C::rate(bf, s.x, s.y, s.z, dot(s, s), side(b), side(a)); });
            EXPECT_NEAR(fb.mass_ratio * fluid_side.density_b, boundary_side, 1e-12 * std::abs(boundary_side) + 1e-15);
        });
    }
}

TEST_P(PairRatesTest, CoincidentParticlesStayFinite) {
    const Constants c = GetParam().constants();
    std::mt19937 random(3);
    const Particle a = random_particle(random, c);
    with_formulation(c, [&]<class F>(F) {
        const auto s = side(a);
        const Side<float> f{float(s.vx), float(s.vy), float(s.vz), float(s.rho), float(s.pressure_term)};
        const auto got = pair_rates<F>(PairConstants<float>(c, PairKind::fluid_fluid, metre), 0.f, 0.f, 0.f, 0.f, f, f);
        EXPECT_TRUE(std::isfinite(got.acceleration));
        EXPECT_EQ(got.density_a, 0);
        EXPECT_EQ(got.diffusion_a, 0);
    });
}

INSTANTIATE_TEST_SUITE_P(
    All, PairRatesTest,
    testing::Values(Choice{KernelType::cubic_spline, DensityDiffusion::none, 7},
                    Choice{KernelType::cubic_spline, DensityDiffusion::molteni, 7},
                    Choice{KernelType::cubic_spline, DensityDiffusion::fourtakas, 7},
                    Choice{KernelType::cubic_spline, DensityDiffusion::fourtakas, 6.1},
                    Choice{KernelType::wendland, DensityDiffusion::none, 7},
                    Choice{KernelType::wendland, DensityDiffusion::none, 1.4},
                    Choice{KernelType::cubic_spline, DensityDiffusion::fourtakas, 7, PressureForm::product},
                    Choice{KernelType::wendland, DensityDiffusion::none, 7, PressureForm::product},
                    Choice{KernelType::wendland, DensityDiffusion::molteni, 6.1, PressureForm::product},
                    Choice{KernelType::wendland, DensityDiffusion::molteni, 7},
                    Choice{KernelType::wendland, DensityDiffusion::fourtakas, 7},
                    Choice{KernelType::wendland_c4, DensityDiffusion::fourtakas, 7},
                    Choice{KernelType::wendland_c4, DensityDiffusion::none, 6.1},
                    Choice{KernelType::wendland_c6, DensityDiffusion::molteni, 7},
                    Choice{KernelType::wendland_c6, DensityDiffusion::none, 7, PressureForm::product}));

// The general formulation has all terms; what a run does not ask for has coefficients of zero.
TEST(GeneralFormulation, GivesWhatTheSpecialOnesGive) {
    std::mt19937 random(5);
    for (const ViscosityModel viscosity : {ViscosityModel::artificial, ViscosityModel::laminar,
                                           ViscosityModel::laminar_central, ViscosityModel::apparent})
        for (const DensityDiffusion diffusion :
             {DensityDiffusion::none, DensityDiffusion::molteni, DensityDiffusion::fourtakas}) {
            Constants c = constants_with(KernelType::wendland, diffusion);
            c.viscosity = viscosity;
            c.nu = 0.02;
            const Constants other = [&] { // in the general formulation by its name
                Constants general = c;
                general.gamma = 7 + 1e-12;
                return general;
            }();
            const PairConstants<double> special(c, PairKind::fluid_fluid, metre),
                general(other, PairKind::fluid_fluid, metre);
            for (int trial = 0; trial < 50; ++trial) {
                const Particle a = random_particle(random, c), b = random_particle(random, c);
                const Vec3d r = a.r - b.r;
                const auto rates = [&](const Constants& of, const PairConstants<double>& pair) {
                    return with_formulation(of, [&]<class F>(F) {
                        return pair_rates<F>(pair, r.x, r.y, r.z, dot(r, r), side(a), side(b));
                    });
                };
                const auto expected = rates(c, special), got = rates(other, general);
                EXPECT_NEAR(got.acceleration, expected.acceleration, 1e-9 * std::abs(expected.acceleration));
                EXPECT_NEAR(got.friction, expected.friction, 1e-9 * std::abs(expected.friction));
                EXPECT_NEAR(got.density_a, expected.density_a, 1e-9 * std::abs(expected.density_a));
                EXPECT_NEAR(got.diffusion_a, expected.diffusion_a, 1e-9 * std::abs(expected.diffusion_a));
            }
        }
}

/// What pressure does to the velocities of two particles it takes from their internal energies, de = P/ρ² dρ.
TEST(PressureForms, KeepTheEnergyOfAPair) {
    for (const PressureForm form : {PressureForm::squares, PressureForm::product}) {
        Constants c = constants_with(KernelType::wendland, DensityDiffusion::none);
        c.pressure_form = form;
        c.alpha = 0;
        const PairConstants<double> constants(c, PairKind::fluid_fluid, metre);
        const Particle a{{0.5 * c.h, 0.1 * c.h, 0}, {1, 2, 3}, 1100, 4e4}, b{{}, {-2, 1, 0}, 950, 1e4};
        const Vec3d r = a.r - b.r, v = a.v - b.v;
        with_formulation(c, [&]<class F>(F) {
            const auto pair = pair_rates<F>(constants, r.x, r.y, r.z, dot(r, r), side(a), side(b));
            const double kinetic = pair.acceleration * dot(r, v);
            const double internal = side(a).pressure_term * pair.density_a + side(b).pressure_term * pair.density_b;
            EXPECT_NEAR(kinetic + internal, 0, 1e-12 * std::abs(kinetic)) << int(form);
            EXPECT_NE(kinetic, 0);
        });
    }
}

TEST(ArtificialViscosity, ActsOnlyOnApproachingPairs) {
    Constants c = constants_with(KernelType::wendland, DensityDiffusion::none);
    const PairConstants<double> with(c, PairKind::fluid_fluid, metre);
    c.alpha = 0;
    const PairConstants<double> without(c, PairKind::fluid_fluid, metre);
    using F = Formulation<Wendland, DensityDiffusion::none>;
    const double d = 0.8 * c.h;
    const Side<double> rest{0, 0, 0, 1000, 0}, towards{-1, 0, 0, 1000, 0}, away{1, 0, 0, 1000, 0};
    EXPECT_GT(pair_rates<F>(with, d, 0., 0., d * d, towards, rest).acceleration, 0); // pushed apart
    EXPECT_EQ(pair_rates<F>(with, d, 0., 0., d * d, away, rest).acceleration, 0);
    EXPECT_EQ(pair_rates<F>(without, d, 0., 0., d * d, towards, rest).acceleration, 0);
}

TEST(LaminarViscosity, IsTheFormOfMorrisAndOfLoAndShao) {
    Constants c = constants_with(KernelType::wendland, DensityDiffusion::none);
    c.viscosity = ViscosityModel::laminar;
    c.nu = 0.003;
    c.boundary_viscosity_factor = 2.5;
    using F = Formulation<Wendland, DensityDiffusion::none, false, ViscosityModel::laminar>;
    const Side<double> a{0.4, -0.1, 0.2, 1010, 0}, b{-0.3, 0.2, 0.1, 990, 0};
    const Vec3d r{0.4 * c.h, -0.7 * c.h, 0.5 * c.h};
    const double r2 = dot(r, r), q = std::sqrt(r2) / c.h, pi = 3.14159265358979323846;
    // dW/dr of the Wendland kernel in 3-D
    const double slope = 21 / (16 * pi * c.h * c.h * c.h) * -5 * q * std::pow(1 - q / 2, 3) / c.h;
    const double expected = 4 * c.nu * std::sqrt(r2) * slope / ((1010. + 990.) * r2);
    const auto friction = [&](PairKind kind) {
        return pair_rates<F>(PairConstants<double>(c, kind, metre), r.x, r.y, r.z, r2, a, b).friction;
    };
    EXPECT_NEAR(friction(PairKind::fluid_fluid), c.mass_fluid * expected, 1e-12 * std::abs(expected));
    EXPECT_NEAR(friction(PairKind::fluid_boundary), 2.5 * c.mass_bound * expected, 1e-12 * std::abs(expected));
    EXPECT_LT(friction(PairKind::fluid_fluid), 0); // against the relative velocity
    // no artificial viscosity beside it
    const Side<double> slower{0.4, -0.1, 0.2, 1010, 0}, approaching{-9, 9, -9, 1010, 0};
    EXPECT_EQ(
        pair_rates<F>(PairConstants<double>(c, PairKind::fluid_fluid, metre), r.x, r.y, r.z, r2, approaching, slower)
            .acceleration,
        0);
}

TEST(LaminarViscosity, OfMonaghanAndGingoldActsAlongTheLineOfCentresOnBothApproachAndParting) {
    for (const bool two_d : {false, true}) {
        Constants c = constants_with(KernelType::wendland, DensityDiffusion::none);
        c.two_d = two_d;
        c.viscosity = ViscosityModel::laminar_central;
        c.nu = 0.003;
        c.boundary_viscosity_factor = 2.5;
        derive(c);
        using F = Formulation<Wendland, DensityDiffusion::none, false, ViscosityModel::laminar>;
        const Side<double> a{0.4, 0, 0.2, 1010, 0}, b{-0.3, 0, 0.1, 990, 0};
        const Vec3d r{0.4 * c.h, 0, 0.5 * c.h};
        const double r2 = dot(r, r), q = std::sqrt(r2) / c.h, pi = 3.14159265358979323846;
        const double of_kernel = two_d ? 7 / (4 * pi * c.h * c.h) : 21 / (16 * pi * c.h * c.h * c.h);
        const double slope = of_kernel * -5 * q * std::pow(1 - q / 2, 3) / c.h; // dW/dr
        const double v_dot_r = 0.7 * r.x + 0.1 * r.z;
        // 16 ν in 2-D, 20 ν in 3-D: of Π = 2(d+2)ν v·r/(ρ̄ r²)
        const double expected = (two_d ? 16 : 20) * c.nu * v_dot_r / ((1010. + 990.) * r2) * slope / std::sqrt(r2);
        const auto rates = [&](PairKind kind, const Side<double>& one, const Side<double>& other) {
            return pair_rates<F>(PairConstants<double>(c, kind, metre), r.x, r.y, r.z, r2, one, other);
        };
        const double acceleration = rates(PairKind::fluid_fluid, a, b).acceleration;
        EXPECT_NEAR(acceleration, c.mass_fluid * expected, 1e-12 * std::abs(c.mass_fluid * expected));
        EXPECT_LT(acceleration, 0); // the two part: each is drawn after the other
        EXPECT_NEAR(rates(PairKind::fluid_fluid, b, a).acceleration, -acceleration, 1e-12 * std::abs(acceleration));
        EXPECT_NEAR(rates(PairKind::fluid_boundary, a, b).acceleration, 2.5 * c.mass_bound * expected,
                    1e-12 * std::abs(c.mass_bound * expected));
        EXPECT_EQ(rates(PairKind::fluid_fluid, a, b).friction, 0);
        const LengthUnit unit(1.7e-5);
        const Vec3d n = (1 / unit.metres) * r;
        const double in_units =
            pair_rates<F>(PairConstants<double>(c, PairKind::fluid_fluid, unit), n.x, n.y, n.z, dot(n, n), a, b)
                .acceleration;
        EXPECT_NEAR(in_units * n.x, acceleration * r.x, 1e-12 * std::abs(acceleration * r.x));
    }
}

TEST(LaminarViscosity, DoesNotDependOnTheUnitOfLength) {
    Constants c = constants_with(KernelType::cubic_spline, DensityDiffusion::none);
    c.nu = 0.003;
    const LengthUnit unit(1.7e-5);
    using F = Formulation<CubicSpline, DensityDiffusion::none, false, ViscosityModel::laminar>;
    const Side<double> a{0.4, -0.1, 0.2, 1010, 0.01}, b{-0.3, 0.2, 0.1, 990, 0.02};
    const Vec3d r{0.4 * c.h, -0.7 * c.h, 0.5 * c.h}, counted = (1 / unit.metres) * r;
    const auto metres =
        pair_rates<F>(PairConstants<double>(c, PairKind::fluid_fluid, metre), r.x, r.y, r.z, dot(r, r), a, b);
    const auto units = pair_rates<F>(PairConstants<double>(c, PairKind::fluid_fluid, unit), counted.x, counted.y,
                                     counted.z, dot(counted, counted), a, b);
    EXPECT_NEAR(units.friction, metres.friction, 1e-12 * std::abs(metres.friction));
    EXPECT_NEAR(units.acceleration * counted.x, metres.acceleration * r.x, 1e-12 * std::abs(metres.acceleration * r.x));
    EXPECT_NEAR(units.density_a, metres.density_a, 1e-12 * std::abs(metres.density_a));
}

TEST(DensityDiffusion, LeavesStillWaterAloneAtAnyDepth) {
    // modes 2 and 3 subtract the hydrostatic difference: two particles of still water exchange nothing
    for (const double gamma : {7.0, 6.1, 2.0, 1.4, 1.0})
        for (const double depth : {-0.005, 0.0, 0.01, 0.1}) { // P/B
            const Constants c = constants_with(KernelType::wendland, DensityDiffusion::fourtakas, gamma);
            const EquationOfState<double> eos(c);
            const PairConstants<double> constants(c, PairKind::fluid_fluid, metre);
            const Vec3d r{0, 0, c.h};
            // dP = ρ g dz by small steps
            constexpr int steps = 10000;
            const double low = eos.density(depth * c.b);
            double rho = low, p = depth * c.b;
            for (int i = 0; i < steps; ++i) {
                const double middle = eos.density(p + 0.5 * rho * dot(c.gravity, r) / steps);
                p += middle * dot(c.gravity, r) / steps;
                rho = eos.density(p);
            }
            const double difference = hydrostatic_difference(constants, r.x, r.y, r.z, rho, low);
            EXPECT_NEAR(difference, low - rho, 1e-3 * (low - rho)) << "gamma " << gamma << ", P/B " << depth;
            EXPECT_EQ(hydrostatic_difference(constants, -r.x, -r.y, -r.z, low, rho), -difference);
        }
}

TEST(DensityDiffusion, KnowsTheDifferenceOfHandWorkedNumbers) {
    Constants c = constants_with(KernelType::wendland, DensityDiffusion::fourtakas); // ρ0 1000 kg/m³, c0 30 m/s
    c.gravity = {0, 0, -10};
    const PairConstants<double> constants(c, PairKind::fluid_fluid, metre);
    // 2 cm apart: ρ0 g Δz/c0² = 1000·10·0.02/900 = 0.22222 kg/m³ at ρ0, more below
    EXPECT_NEAR(hydrostatic_difference(constants, 0., 0., 0.02, 1000., 1000.), 2. / 9, 1e-12);
    // ρ̄ = 1020: 1 − 5·0.02 + 15·0.02² = 0.906 (exactly 1.02⁻⁵ = 0.90573)
    EXPECT_NEAR(hydrostatic_difference(constants, 0., 0., 0.02, 1010., 1030.), 0.906 * 2 / 9, 1e-12);
    // ρ̄ = 990: 1 + 5·0.01 + 15·0.01² = 1.0515 (0.99⁻⁵ = 1.05153)
    EXPECT_NEAR(hydrostatic_difference(constants, 0.7, 0.1, -0.02, 985., 995.), -1.0515 * 2 / 9, 1e-12);
}

/// The mass is kept: with the volumes of both, what a pair takes from one side the other gets.
TEST(DensityDiffusion, KeepsTheMassOfAPair) {
    for (const auto mode : {DensityDiffusion::molteni, DensityDiffusion::fourtakas}) {
        const Constants c = constants_with(KernelType::wendland, mode);
        const PairConstants<double> constants(c, PairKind::fluid_fluid, metre);
        const Side<double> a{0, 0, 0, 1003, 0}, b{0, 0, 0, 1001, 0};
        const double d = 0.7 * c.h;
        with_formulation(c, [&]<class F>(F) {
            const auto pair = pair_rates<F>(constants, 0.3 * d, 0., d, 1.09 * d * d, a, b);
            EXPECT_NEAR(pair.diffusion_a / a.rho, -pair.diffusion_b / b.rho,
                        1e-12 * std::abs(pair.diffusion_a / a.rho));
            EXPECT_LT(pair.diffusion_a, 0);
        });
    }
}

TEST(DensityDiffusion, IsKeptNearWallsOnlyInMode3) {
    using enum sluice::sph::DensityDiffusion;
    EXPECT_FALSE(keeps_diffusion(molteni, true));
    EXPECT_FALSE(keeps_diffusion(fourtakas, true));
    EXPECT_TRUE(keeps_diffusion(fourtakas_full, true));
    EXPECT_TRUE(keeps_diffusion(fourtakas, false));
}

TEST(WallRepulsion, PushesBackFluidBetweenBoundaryParticles) {
    Constants c = constants_with(KernelType::wendland, DensityDiffusion::fourtakas); // c0 = 30 m/s, dp = 0.01 m
    const Constants dynamic = c;
    c.boundary = BoundaryCondition::modified_dynamic;
    using F = Formulation<Wendland, DensityDiffusion::fourtakas>;
    using Wall = F::AtWall;
    const Side<double> still{0, 0, 0, c.rho0, 0}; // of its own does nothing
    const auto acceleration = [&]<class Formula>(Formula, const Constants& of, PairKind kind, double d) {
        const PairConstants<double> constants(of, kind, metre);
        const double scale = Formula::gather ? pair_scales<Wendland>(constants).rates : 1;
        return scale * d * pair_rates<Formula>(constants, 0., d, 0., d * d, still, still).acceleration;
    };
    // half a spacing away in 3-D: 0.4·30²/0.01² · (1 − (0.5/0.75)²) · 0.005 m
    EXPECT_NEAR(acceleration(Wall{}, c, PairKind::fluid_boundary, 0.005), 10000, 1e-9 * 10000);
    EXPECT_NEAR(acceleration(Wall::Gathered{}, c, PairKind::fluid_boundary, 0.005), 10000, 1e-9 * 10000);
    // the boundary particle, 1.3 times as heavy, is pushed with the same force
    EXPECT_NEAR(acceleration(Wall{}, c, PairKind::boundary_fluid, 0.005), 10000 / 1.3, 1e-9 * 10000);
    EXPECT_EQ(acceleration(Wall{}, c, PairKind::fluid_boundary, 0.0075), 0);
    Constants flat = c;
    flat.two_d = true; // between two boundary particles is nearer than between four: 1 − (0.5/0.6)²
    EXPECT_NEAR(acceleration(Wall{}, flat, PairKind::fluid_boundary, 0.005), 5500, 1e-9 * 5500);
    EXPECT_EQ(acceleration(Wall{}, flat, PairKind::fluid_boundary, 0.006), 0);
    EXPECT_EQ(acceleration(Wall{}, c, PairKind::boundary_boundary, 0.005), 0);
    EXPECT_EQ(acceleration(Wall{}, dynamic, PairKind::fluid_boundary, 0.005), 0);
    EXPECT_EQ(acceleration(F{}, c, PairKind::fluid_fluid, 0.005), 0);
    const PairConstants<double> units(c, PairKind::fluid_boundary, LengthUnit{1.7e-5});
    const double n = 0.005 / 1.7e-5;
    EXPECT_NEAR(n * pair_rates<Wall>(units, n, 0., 0., n * n, still, still).acceleration, 10000, 1e-9 * 10000);
}

/// What became of splashing water before: drawn in by its own pressure below zero, it crept through the wall.
TEST(WallRepulsion, KeepsFluidInTensionOutOfWallsFromGhostNodes) {
    using F = Formulation<Wendland, DensityDiffusion::none>::AtWall;
    for (const bool two_d : {false, true})
        for (const double coefh : {1.0, 1.2, 2.0}) {
            Constants c = constants_with(KernelType::wendland, DensityDiffusion::none);
            c.boundary = BoundaryCondition::modified_dynamic;
            c.two_d = two_d;
            c.h = smoothing_length(coefh, c.dp, two_d);
            derive(c);
            const PairConstants<double> constants(c, PairKind::fluid_boundary, metre);
            const double low = 0.98 * c.rho0, pressure = -0.02 * c.rho0 * c.c0 * c.c0;
            const Side<double> drop{0, 0, 0, low, pressure / (low * low)}, wall{0, 0, 0, c.rho0, 0};
            for (const double height : {-0.4, -0.35, -0.3}) { // of the drop over the wall's surface, dp
                double upwards = 0;
                for (int layer = 0; layer < 3; ++layer)
                    for (int i = -8; i < 8; ++i)
                        for (int j = two_d ? 0 : -8; j < (two_d ? 1 : 8); ++j) {
                            const Vec3d r = c.dp * Vec3d{i + 0.5, two_d ? 0 : j + 0.5, height + 0.5 + layer};
                            const double r2 = dot(r, r);
                            if (r2 < constants.support2)
                                upwards += pair_rates<F>(constants, r.x, r.y, r.z, r2, drop, wall).acceleration * r.z;
                        }
                EXPECT_GT(upwards, 0) << (two_d ? "2-D" : "3-D") << ", coefh " << coefh << ", height " << height;
            }
        }
}
