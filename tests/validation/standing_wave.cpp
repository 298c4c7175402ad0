// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

// Takes four minutes: scripts/validate.sh runs it, scripts/test.sh leaves it out.

using namespace sluice;
using namespace sluice::validation;

namespace {

// A standing wave in water as deep as it is long, over a floor of free slip: of the solutions of the linear theory
// (Lamb 1932, §228, §349) the one whose energy decays slowest in a basin of this length.

constexpr double length = 1, depth = 1, gravity = 9.81; ///< m, m, m/s²
constexpr double wave_number = 2 * std::numbers::pi / length;
constexpr double wave_viscosity = 1e-3; ///< m²/s
constexpr double wave_height = 0.016;   ///< of a crest over the still level, m
constexpr double settling = 2;          ///< s of still water before the wave is set in motion
const double frequency = std::sqrt(gravity * wave_number * std::tanh(wave_number * depth)); ///< rad/s
const double period = 2 * std::numbers::pi / frequency;                                     ///< s
constexpr double decay_of_energy = 4 * wave_viscosity * wave_number * wave_number;          ///< 1/s

/// m/s, as the surface passes the still level.
Vec3d wave_velocity(const Vec3d& p) {
    const double scale = wave_height * frequency / std::sinh(wave_number * depth);
    return {scale * std::cosh(wave_number * p.z) * std::sin(wave_number * p.x), 0,
            -scale * std::sinh(wave_number * p.z) * std::cos(wave_number * p.x)};
}

/// Periodic along x; n particles deep, three layers of floor.
Case basin(int n, const std::string& parameters) {
    const double dp = depth / n, beyond = 1e-6; // m, so that rounding takes no row away
    const std::string file = testing::TempDir() + fmt::format("standing-wave-{}.xml", n);
    std::ofstream(file) << fmt::format(
        R"(<case><casedef><constantsdef><gravity x="0" y="0" z="-{gravity}"/><rhop0 value="1000"/><rhopgradient value="2"/>
<hswl value="0" auto="true"/><speedsystem value="0" auto="true"/><coefsound value="10"/><speedsound value="0" auto="true"/>
<coefh value="1.2"/><cflnumber value="0.2"/></constantsdef>
<mkconfig boundcount="240" fluidcount="10"/><geometry><definition dp="{dp}"><pointmin x="{half}" y="0" z="{below}"/>
<pointmax x="1.1" y="0" z="1.1"/></definition><commands><mainlist><setdrawmode mode="full"/>
<setmkbound mk="0"/><drawbox><boxfill>solid</boxfill><point x="{half}" y="-1" z="{floor}"/>
<size x="{wide}" y="2" z="{thick}"/></drawbox>
<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="{half}" y="-1" z="{half}"/><size x="{wide}" y="2" z="{wide}"/></drawbox>
</mainlist></commands></geometry>
<normals><norplane mkbound="0"><point x="0" y="0" z="0"/><normal x="0" y="0" z="1"/></norplane></normals></casedef>
<execution><parameters><parameter key="StepAlgorithm" value="2"/><parameter key="Kernel" value="2"/>
<parameter key="Visco" value="{viscosity}"/>{parameters}
<parameter key="XPeriodicIncZ" value="0"/>
<simulationdomain><posmin x="default" y="default" z="default"/><posmax x="default" y="default" z="default + 20%"/></simulationdomain>
</parameters></execution></case>)",
        fmt::arg("gravity", gravity), fmt::arg("dp", dp), fmt::arg("half", dp / 2), fmt::arg("below", -3.5 * dp),
        fmt::arg("floor", -2.5 * dp), fmt::arg("wide", 1 - dp + beyond), fmt::arg("thick", 2 * dp + beyond),
        fmt::arg("viscosity", wave_viscosity), fmt::arg("parameters", parameters));
    return read_case(file, {});
}

/// Kinetic energy of the fluid over the wave's at the start, and when.
struct Energy {
    double time, value;
};

/// The maxima of a series that is sampled often, by parabolas: two a period, the first half a period after the start.
std::vector<Energy> maxima(const std::vector<Energy>& series) {
    std::vector<Energy> found;
    for (double expected = period / 2; found.size() < 20 && expected + period / 8 < series.back().time;
         expected = found.back().time + period / 2) {
        const auto begin = std::ranges::lower_bound(series, expected - period / 8, {}, &Energy::time);
        const auto end = std::ranges::lower_bound(series, expected + period / 8, {}, &Energy::time);
        const auto peak = std::ranges::max_element(begin, end, {}, &Energy::value);
        const double before = (peak - 1)->value, at = peak->value, after = (peak + 1)->value;
        const double d = 0.5 * (before - after) / (before - 2 * at + after);
        found.push_back({peak->time + d * (peak->time - (peak - 1)->time), at - 0.25 * (before - after) * d});
    }
    return found;
}

/// Relative differences to the theory, from half a period after the start to ten.
struct WaveErrors {
    double period, decay;
};

WaveErrors wave_errors(int n, std::map<std::string, std::string> choice = {}) {
    choice.merge(std::map<std::string, std::string>{
        {"ViscoTreatment", "MonaghanGingold"}, {"Boundary", "2"}, {"SlipMode", "3"}, {"DensityDT", "2"}});
    std::string parameters, told;
    for (const auto& [key, value] : choice) {
        parameters += fmt::format("<parameter key=\"{}\" value=\"{}\"/>", key, value);
        told += fmt::format(", {} {}", key, value);
    }
    CaseRun run(basin(n, parameters));
    run.definition.parameters.time_max = settling;
    run.run(settling, [](const Frame&) {});
    ParticleState state = run.backend->state();
    double start = 0;
    for (std::size_t i = run.setup.groups.fluid_begin(state.id); i < state.size(); ++i) {
        const Vec3d v = wave_velocity(state.position[i]);
        start += dot(v, v);
        state.velocity[i] = state.velocity_previous[i] = vec_cast<float>(vec_cast<double>(state.velocity[i]) + v);
    }
    run.backend->set_state(state);
    std::vector<Energy> series;
    run.definition.parameters.time_max = settling + 10.4 * period;
    run.run(period / 80, [&](const Frame& frame) {
        double sum = 0;
        for (std::size_t i = run.setup.groups.fluid_begin(frame.id); i < frame.size(); ++i)
            sum += dot(vec_cast<double>(frame.velocity[i]), vec_cast<double>(frame.velocity[i]));
        series.push_back({frame.time - settling, sum / start});
    });
    EXPECT_TRUE(run.excluded.empty());
    const std::vector<Energy> peaks = maxima(series);
    EXPECT_EQ(peaks.size(), 20);
    const Energy first = peaks.front(), last = peaks.back();
    const double simulated = 2 * (last.time - first.time) / double(peaks.size() - 1);
    const double decay = std::log(first.value / last.value) / (last.time - first.time);
    const WaveErrors errors{simulated / period - 1, decay / decay_of_energy - 1};
    std::printf("standing wave, %d particles deep%s: period %+.2f %%, decay of the energy %+.1f %%, energy %.3f of the "
                "theory's after %.2f periods and %.3f after %.2f\n",
                n, told.c_str(), 100 * errors.period, 100 * errors.decay,
                first.value / std::exp(-decay_of_energy * first.time), first.time / period,
                last.value / std::exp(-decay_of_energy * last.time), last.time / period);
    return errors;
}

} // namespace

TEST(Long, StandingWaveDecays) {
    const WaveErrors coarse = wave_errors(25), middle = wave_errors(50), fine = wave_errors(100);
    EXPECT_LT(std::abs(fine.period), 0.01);
    EXPECT_LT(std::abs(fine.decay), 0.1);
    EXPECT_LT(std::abs(middle.decay), 0.5 * coarse.decay);
    EXPECT_LT(std::abs(fine.decay), 0.5 * middle.decay);
    // of others: the figures in docs/validation.md
    EXPECT_LT(wave_errors(50, {{"ViscoTreatment", "3"}}).decay, -0.25);
    wave_errors(50, {{"Boundary", "1"}});
    wave_errors(50, {{"DensityDT", "1"}});
    wave_errors(50, {{"Shifting", "3"}, {"ShiftTFS", "1.5"}});
}
