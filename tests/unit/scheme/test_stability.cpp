// SPDX-License-Identifier: Apache-2.0
#include "physics/sph/kernels.h"
#include "scheme/integrators.h"
#include "scheme/stability.h"
#include "scheme/time_step.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;
using namespace sluice::sph;

namespace {

/// How much of a density that relaxes at the rate `d` per step is left after `steps` of Verlet's own steps.
double left_after(double d, int verlet_steps, int steps) {
    double previous = 1, now = 1;
    double greatest = 0;
    for (int n = 0; n < steps; ++n) {
        const Rates<double> rates{{0, 0, 0}, -d * now};
        const double next = is_euler_step(n, verlet_steps) ? verlet_euler_step<double>({}, now, rates, 1).density
                                                           : verlet_step<double>({}, {}, previous, rates, 1).density;
        previous = now;
        now = next;
        if (n >= steps - verlet_steps) greatest = std::max(greatest, std::abs(now));
    }
    return greatest;
}

/// The greatest value over wave vectors of a sum over a lattice, with spacing 1 and smoothing length h.
template <class Kernel, class Term>
double greatest_on_lattice(double h, bool two_d, Term term) {
    const int reach = int(2 * h), pi_parts = 6;
    double greatest = 0;
    for (int kx = 0; kx <= pi_parts; ++kx)
        for (int ky = 0; ky <= kx; ++ky)
            for (int kz = 0; kz <= (two_d ? 0 : ky); ++kz) {
                double sum = 0;
                for (int x = -reach; x <= reach; ++x)
                    for (int y = -reach; y <= reach; ++y)
                        for (int z = two_d ? 0 : -reach; z <= (two_d ? 0 : reach); ++z) {
                            const double r2 = x * x + y * y + z * z;
                            if (r2 == 0 || r2 >= 4 * h * h) continue;
                            const double q = std::sqrt(r2) / h, slope = 1e-6;
                            const double gradient = Kernel::normalisation(h, two_d) *
                                                    (Kernel::value(q - slope) - Kernel::value(q + slope)) /
                                                    (2 * slope * h * std::sqrt(r2));
                            const double phase = std::numbers::pi / pi_parts * (kx * x + ky * y + kz * z);
                            sum += term(gradient / (r2 + 0.01 * h * h), r2, double(x * x)) * (1 - std::cos(phase));
                        }
                greatest = std::max(greatest, sum);
            }
    return greatest;
}

} // namespace

TEST(Stability, VerletBearsWhatItsOwnStepsBear) {
    for (const int steps : {5, 10, 20, 40, 80}) {
        const double limit = verlet_dissipation_limit(steps);
        EXPECT_LT(left_after(0.97 * limit, steps, 60 * steps), 1) << steps;
        EXPECT_GT(left_after(1.03 * limit, steps, 60 * steps), 1) << steps;
    }
    EXPECT_NEAR(verlet_dissipation_limit(40), 0.135, 0.001);
    EXPECT_EQ(verlet_dissipation_limit(1), 2);
}

TEST(Stability, DampedModesAreThoseOfALattice) {
    const auto diffusion = [](double f, double r2, double) { return 2 * f * r2; };
    for (const bool two_d : {true, false})
        for (const double coefh : {1.0, 1.2, 1.8}) {
            const double h = coefh * std::sqrt(two_d ? 2 : 3);
            if (!two_d && coefh > 1.5) continue;
            const double wendland = h * h * greatest_on_lattice<Wendland>(h, two_d, diffusion);
            EXPECT_LT(wendland, 1.001 * diffusion_eigenvalue(KernelType::wendland, two_d)) << coefh;
            EXPECT_GT(wendland, 0.93 * diffusion_eigenvalue(KernelType::wendland, two_d)) << coefh;
            const double cubic = h * h * greatest_on_lattice<CubicSpline>(h, two_d, diffusion);
            EXPECT_LT(cubic, 1.001 * diffusion_eigenvalue(KernelType::cubic_spline, two_d)) << coefh;
            EXPECT_GT(cubic, 0.93 * diffusion_eigenvalue(KernelType::cubic_spline, two_d)) << coefh;
            const double along_x =
                h * h * greatest_on_lattice<Wendland>(h, two_d, [](double f, double, double x2) { return f * x2; });
            EXPECT_LT(along_x, 1.001 * viscous_eigenvalue(KernelType::wendland, two_d)) << coefh;
            EXPECT_GT(along_x, 0.85 * viscous_eigenvalue(KernelType::wendland, two_d)) << coefh;
        }
}

TEST(Stability, LaminarViscosityAtWallsShortensTheStep) {
    Constants c;
    c.viscosity = ViscosityModel::laminar;
    c.integrator = Integrator::symplectic;
    c.h = 0.02;
    c.nu = 1e-3;
    c.boundary_viscosity_factor = 1;
    const double step = viscous_time_step(c);
    EXPECT_NEAR(step, 0.125 * 0.02 * 0.02 / 1e-3, 1e-12);
    c.boundary_viscosity_factor = 0.5; // the fluid's own counts then
    EXPECT_EQ(viscous_time_step(c), step);
    c.boundary_viscosity_factor = 20;
    EXPECT_NEAR(viscous_time_step(c), step / 20, 1e-12);
}
