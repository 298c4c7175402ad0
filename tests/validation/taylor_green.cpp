// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

// Takes seconds to a minute: scripts/validate.sh runs it, scripts/test.sh leaves it out.

using namespace sluice;
using namespace sluice::validation;

namespace {

using std::numbers::pi;

// Vortices that decay in a periodic square of 1 m (Taylor & Green 1937) at a Reynolds number of 100.

constexpr double nu = 0.01, rho0 = 1000, speed_of_sound = 10; ///< m²/s, kg/m³, m/s

/// m/s; 1 at the start.
double largest_speed(double t) { return std::exp(-8 * pi * pi * nu * t); }

/// m/s
Vec3d velocity(const Vec3d& p, double t) {
    const double u = largest_speed(t), x = 2 * pi * p.x, z = 2 * pi * p.z;
    return {u * std::sin(x) * std::cos(z), 0, -u * std::cos(x) * std::sin(z)};
}

/// At the start, Pa.
double pressure(const Vec3d& p) { return 0.25 * rho0 * (std::cos(4 * pi * p.x) + std::cos(4 * pi * p.z)); }

/// A periodic square of n × n particles. The vortices pull the particles apart along lines and press them together
/// across: only with shifting do they stay evenly spread.
Case periodic_square(int n, const std::string& shifting) {
    const double dp = 1.0 / n, beyond = 1e-6; // m, so that rounding takes no row away
    const std::string file = testing::TempDir() + fmt::format("taylor-green-{}.xml", n);
    std::ofstream(file) << fmt::format(
        R"(<case><casedef><constantsdef><gravity x="0" y="0" z="0"/><rhop0 value="{3}"/><rhopgradient value="1"/>
<speedsound value="{4}" auto="false"/><coefh value="1.2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="10"/><geometry><definition dp="{0}"><pointmin x="{1}" y="0" z="{1}"/>
<pointmax x="1.1" y="0" z="1.1"/></definition><commands><mainlist><setdrawmode mode="full"/><setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="{1}" y="-1" z="{1}"/><size x="{2}" y="2" z="{2}"/></drawbox>
</mainlist></commands></geometry></casedef><execution><parameters>
<parameter key="StepAlgorithm" value="2"/><parameter key="Kernel" value="2"/>
<parameter key="ViscoTreatment" value="3"/><parameter key="Visco" value="{5}"/><parameter key="DensityDT" value="1"/>
{6}
<parameter key="TimeMax" value="1"/><parameter key="TimeOut" value="0.1"/><parameter key="XZPeriodic" value="1"/>
</parameters></execution></case>)",
        dp, dp / 2, 1 - dp + beyond, rho0, speed_of_sound, nu, shifting);
    return read_case(file, {});
}

/// Largest errors over a second, in which the speed falls to 45 %.
struct Errors {
    double velocity = 0; ///< root mean square of the difference to the exact velocities, over the largest at that time
    double energy = 0;   ///< relative, of the kinetic energy
};

constexpr const char* strong = R"(<parameter key="Shifting" value="3"/><parameter key="ShiftCoef" value="-60"/>)";

Errors errors_of(int n, const std::string& shifting = strong) {
    CaseRun run(periodic_square(n, shifting));
    EXPECT_EQ(run.particles.size(), static_cast<std::uint32_t>(n * n));
    ParticleState state = run.backend->state();
    for (std::size_t i = 0; i < state.size(); ++i) {
        const Vec3d& p = state.position[i];
        const auto density = static_cast<float>(rho0 + pressure(p) / (speed_of_sound * speed_of_sound));
        state.velocity[i] = state.velocity_previous[i] = vec_cast<float>(velocity(p, 0));
        state.density[i] = state.density_previous[i] = density;
    }
    run.backend->set_state(state);
    Errors worst;
    run.run(0.1, [&](const Frame& frame) {
        double squares = 0, energy = 0;
        for (std::size_t i = 0; i < frame.size(); ++i) {
            const Vec3d v = vec_cast<double>(frame.velocity[i]), off = v - velocity(frame.position[i], frame.time);
            squares += dot(off, off);
            energy += dot(v, v);
        }
        const double count = double(frame.size()), u = largest_speed(frame.time);
        worst.velocity = std::max(worst.velocity, std::sqrt(squares / count) / u);
        worst.energy = std::max(worst.energy, std::abs(energy / count / (0.5 * u * u) - 1));
    });
    std::printf("Taylor-Green, %d x %d particles: velocity %.2f %%, kinetic energy %.2f %%\n", n, n,
                100 * worst.velocity, 100 * worst.energy);
    return worst;
}

} // namespace

TEST(Long, TaylorGreenVorticesDecay) {
    const Errors coarse = errors_of(25), middle = errors_of(50), fine = errors_of(100);
    EXPECT_LT(coarse.velocity, 0.025);
    EXPECT_LT(middle.velocity, 0.5 * coarse.velocity);
    EXPECT_LT(fine.velocity, 0.7 * middle.velocity);
    EXPECT_LT(std::max({coarse.energy, middle.energy, fine.energy}), 0.01);
    const Errors advanced =
        errors_of(50, R"(<parameter key="Shifting" value="4"/><parameter key="ShiftAdvCoef" value="-3"/>)");
    EXPECT_LT(advanced.velocity, 0.015);
    EXPECT_LT(advanced.energy, 0.01);
}
