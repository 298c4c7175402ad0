// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "scheme/absorption_step.h"
#include "setup/absorbing_paddle.h"
#include "setup/setup.h"
#include "setup/wave_theory.h"
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <numbers>

// What relaxation zones and pistons that absorb waves are made of.

using namespace sluice;
using std::numbers::pi;

namespace {

Case case_of(const std::string& special) {
    test::CaseText text = test::flume();
    text.special = special;
    return read_case_text(text.text(), "case.xml", {});
}

RunSetup setup_of(const Case& definition) {
    std::vector<Diagnostic> diagnostics;
    return make_run_setup(definition, generate_particles(definition, diagnostics));
}

RunSetup setup_of(const std::string& special) { return setup_of(case_of(special)); }

const std::string of_piston = R"(<mkbound value="10"/><depth value="0.7"/><waveheight value="0.1"/>
    <waveperiod value="2"/><ramp value="2"/><start value="1"/>)";

std::string piston(const std::string& absorption) {
    return "<wavepaddles><piston>" + of_piston + "<awas_zsurf>" + absorption + "</awas_zsurf></piston></wavepaddles>";
}

std::string waves_zone(const std::string& more) {
    return R"(<relaxationzones><rzwaves_regular><waveheight value="0.1"/><waveperiod value="2"/><depth value="0.7"/>
        <swl value="0.7"/><center x="2" y="0" z="0"/><width value="0.5"/>)" +
           more + "</rzwaves_regular></relaxationzones>";
}

} // namespace

TEST(Absorbers, KnowWhereTheirGaugeIsAndWhatBelongsToTheirWaves) {
    const RunSetup setup =
        setup_of(piston(R"(<response value="tuned"/><swl value="0.7"/><gaugex valueh="3"/><gaugezmin value="0.2"/>
        <gaugezmax value="1.2"/><gaugedp value="0.5"/><limitace value="3"/><savedata value="3"/>
        <correction coefstroke="2" coefperiod="1.5" powerfunc="4"/>)"));
    ASSERT_EQ(setup.absorbers.size(), 1U);
    const WaveAbsorber& a = setup.absorbers[0];
    const Vec3d corner = setup.domain.min;
    EXPECT_EQ(a.mk_bound, 10);
    EXPECT_EQ(setup.motions.objects[0].absorber, 0);
    EXPECT_NEAR(a.front + corner.x, 0, 1e-12);
    EXPECT_NEAR(a.gauge_x, 3 * setup.constants.h, 1e-12);
    EXPECT_NEAR(a.low + corner.z, 0.2, 1e-12);
    EXPECT_NEAR(a.height, 1, 1e-12);
    EXPECT_NEAR(a.spacing, 0.05, 1e-12);
    EXPECT_NEAR(a.still + corner.z, 0.77, 0.003); // as read: half a spacing and a fifth above the uppermost particles
    EXPECT_EQ(a.limit, 0.4);
    EXPECT_EQ(a.start, 5); // the ramp of two periods is over
    EXPECT_EQ(a.save, 3);
    const double k = waves::wave_number(pi, 0.7, 9.81), transfer = waves::piston_transfer(k, 0.7, 0);
    const double phase = k * a.gauge_x, near = waves::evanescent_elevation(k, 0.7, 0, a.gauge_x);
    EXPECT_NEAR(a.response, pi / (transfer * std::cos(phase)), 1e-12);
    EXPECT_NEAR(a.lag, (std::sin(phase) + near / transfer) / std::cos(phase) / pi, 1e-12);
    EXPECT_NEAR(a.most_drift, 2 * 0.1 / transfer, 1e-4);
    EXPECT_EQ(a.return_time, 3);
    EXPECT_EQ(a.return_power, 4);
    EXPECT_NEAR(a.most_acceleration, 3 * pi * pi * 0.05 / transfer, 0.02 * a.most_acceleration);
    const MotionSample& later = setup.motions.samples[std::size_t(a.first_elevation + a.elevation_count - 2)];
    EXPECT_NEAR(later.value.x, 0.05 * std::cos(pi * later.time - k * a.gauge_x), 0.006); // and the near field
}

/// The form of Altomare et al. (2017): √(g/d), at once, of what is not the progressive wave at the gauge.
TEST(Absorbers, AnswerAsWaterDoesUnderLongWavesUnlessTheyAreTuned) {
    const RunSetup setup = setup_of(piston(R"(<swl value="0.7"/><gaugex valueh="3"/>)"));
    const WaveAbsorber& a = setup.absorbers.at(0);
    EXPECT_NEAR(a.response, 3.7435659, 1e-7); // √(9.81/0.7)
    EXPECT_EQ(a.lag, 0);
    EXPECT_NEAR(a.still + setup.domain.min.z, 0.7, 1e-12); // as the case has it, whatever the gauge reads
    const double k = waves::wave_number(pi, 0.7, 9.81);
    const MotionSample& later = setup.motions.samples[std::size_t(a.first_elevation + a.elevation_count - 2)];
    const double phase = pi * later.time - k * a.gauge_x; // of waves of the first order
    EXPECT_NEAR(later.value.x, 0.05 * std::cos(phase), 1e-9);
    EXPECT_NEAR(later.value.y, 0.05 * k * std::sin(phase), 1e-9);
    EXPECT_NEAR(later.value.z, -0.05 * k * k * std::cos(phase), 1e-9);
}

/// By amplitudes of the first order.
TEST(Absorbers, OfTheFormForLongWavesAreLimitedByAmplitudes) {
    const RunSetup setup = setup_of(piston(
        R"(<swl value="0.7"/><limitace value="3"/><correction coefstroke="1.8" coefperiod="1.5" powerfunc="1"/>)"));
    const WaveAbsorber& a = setup.absorbers.at(0);
    const double transfer = waves::piston_transfer(waves::wave_number(pi, 0.7, 9.81), 0.7, 0);
    EXPECT_NEAR(a.most_drift, 1.8 * 0.05 / transfer, 1e-12);
    EXPECT_NEAR(a.most_acceleration, 3 * pi * pi * 0.05 / transfer, 1e-12);
    EXPECT_EQ(a.return_time, 3);
    EXPECT_EQ(a.return_power, 1);
}

/// Linear theory in the place of the water: a wave of the piston's period arrives, and its gauge sees besides that what
/// leaves the piston and the near field of how it moves.
TEST(Absorbers, SendNothingBackOfTheirPeriodIfTheyAreTuned) {
    const RunSetup setup =
        setup_of(piston(R"(<response value="tuned"/><swl value="0.7"/><gaugex valueh="2"/><limitace value="0"/>)"));
    const WaveAbsorber& a = setup.absorbers.at(0);
    const MotionSample* samples = setup.motions.samples.data();
    const double k = waves::wave_number(pi, 0.7, 9.81), transfer = waves::piston_transfer(k, 0.7, 0),
                 near = waves::evanescent_elevation(k, 0.7, 0, a.gauge_x), height = 0.04, step = 1e-3;
    const int delay = int(std::lround(k * a.gauge_x / pi / step));
    std::vector<double> leaving(std::size_t(delay), 0.0);
    AbsorberState state;
    double most = 0;
    for (int i = 0; i < 10'500; ++i) {
        const double time = i * step, offset = state.offset_at(time);
        const double own = expected_elevation(a, samples, wave_motion(a, samples, time).value.x + offset, time);
        const double seen =
            own + height / 2 * std::cos(pi * time + k * a.gauge_x) + leaving[std::size_t(i)] + near * offset;
        state = absorbed(a, samples, state, a.still + seen - a.low, time);
        leaving.push_back(height / 2 * std::cos(pi * time) + transfer / pi * state.velocity);
        if (time > 8.5) most = std::max(most, std::abs(leaving.back()));
    }
    EXPECT_LT(most, 0.02 * height / 2);
}

/// With k = 1.3890 1/m, m = 0.9045, E = 0.0213 and r = 3.8553 1/s:
/// |1 − r(e^{ikx} + iE/m) m/ω|/|1 + r(e^{−ikx} − iE/m) m/ω|.
TEST(Absorbers, SendBackWhatLinearTheorySaysIfTheyAreNot) {
    WavePaddle paddle;
    paddle.period = 2;
    paddle.depth = 0.66;
    paddle.height = 0.15;
    EXPECT_NEAR(long_wave_reflection(paddle, 9.81, 0.13576), 0.1193, 1e-4);
    const Case definition = case_of(piston(R"(<swl value="0.7"/><gaugex valueh="2"/>)"));
    std::vector<Diagnostic> told;
    lint_absorbers(definition, setup_of(definition), told);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].level, Diagnostic::Level::info);
    EXPECT_NE(told[0].message.find("21 % are sent back"), std::string::npos) << told[0].message;
}

TEST(Absorbers, AreNotZeroedFarFromTheStillWaterLevel) {
    const RunSetup setup = setup_of(piston(R"(<response value="tuned"/><swl value="0.6"/>)"));
    EXPECT_NEAR(setup.absorbers.at(0).still + setup.domain.min.z, 0.6, 1e-12);
}

TEST(Absorbers, WithAGaugeFarAwayTakeTheFormForLongWavesAndAreTold) {
    for (const double x : {0.2, 1.0}) { // of 4.5 m
        const Case definition = case_of(
            piston(R"(<response value="tuned"/><swl value="0.7"/><gaugex value=")" + std::to_string(x) + R"("/>)"));
        const RunSetup setup = setup_of(definition);
        std::vector<Diagnostic> diagnostics;
        lint_absorbers(definition, setup, diagnostics);
        const WaveAbsorber& a = setup.absorbers.at(0);
        EXPECT_EQ(diagnostics.size(), x > 0.9 ? 1U : 0U);
        EXPECT_EQ(a.lag > 0, x < 0.9);
        if (x > 0.9) {
            EXPECT_NEAR(a.response, std::sqrt(9.81 / 0.7), 1e-12);
        }
    }
}

TEST(Absorbers, MustHaveTheirGaugeInTheDomain) {
    EXPECT_THROW(setup_of(piston(R"(<swl value="0.7"/><gaugex value="7"/>)")), InputError);
    EXPECT_THROW(setup_of(piston(R"(<swl value="0.7"/><gaugezmin value="0.8"/>)")), InputError);
    EXPECT_THROW(setup_of(piston(R"(<swl value="0.7"/><gaugedp value="1e-5"/>)")), InputError);
}

TEST(RelaxationZones, HoldTheWavesOfTheirTheory) {
    const RunSetup setup = setup_of(waves_zone(R"(<waveorder value="2"/><phase value="0.5"/><start value="1"/>
        <duration value="4"/><ramp value="1.5"/><coefdt value="300"/><function psi="0.8" beta="2"/>
        <coefdir x="1" y="0" z="0.5"/><driftcorrection value="0.5"/>)"));
    ASSERT_EQ(setup.forcing.relaxation.size(), 1U);
    const RelaxationZone& zone = setup.forcing.relaxation[0];
    const double k = waves::wave_number(pi, 0.7, 9.81);
    EXPECT_NEAR(zone.centre.x + setup.domain.min.x, 2, 1e-12);
    EXPECT_NEAR(zone.still + setup.domain.min.z, 0.7, 1e-12);
    EXPECT_EQ(zone.half.x, 0.25);
    EXPECT_EQ(zone.end, 5);
    EXPECT_EQ(zone.ramp, 3);
    EXPECT_EQ(zone.rate, 300);
    EXPECT_EQ(zone.weight, 0.8);
    EXPECT_EQ(zone.shape, 2);
    EXPECT_EQ(zone.factor, (Vec3d{1, 0, 0.5}));
    EXPECT_NEAR(zone.current, -0.5 * 0.5 * 9.81 * 0.0025 * k / (pi * 0.7), 1e-9);
    const auto& lines = setup.forcing.relaxation_waves;
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_NEAR(lines[0].number, k, 1e-12);
    EXPECT_NEAR(lines[0].speed, 0.05 * pi, 1e-12);
    EXPECT_NEAR(lines[0].phase, 0.5 * pi, 1e-12);
    EXPECT_NEAR(lines[1].frequency, 2 * pi, 1e-12);
    EXPECT_NEAR(lines[1].number, 2 * k, 1e-12);
    const double sinh = std::sinh(0.7 * k);
    EXPECT_NEAR(lines[1].speed * std::cosh(1.4 * k) / std::sinh(1.4 * k),
                3.0 / 16 * 0.01 * pi * k * std::cosh(1.4 * k) / std::pow(sinh, 4), 1e-12);
}

TEST(RelaxationZones, OfSpectraAndOfUniformVelocity) {
    const RunSetup setup = setup_of(R"(<relaxationzones><rzwaves_spectrum><waveheight value="0.1"/>
        <waveperiod value="2"/><waves value="20"/><depth value="0.7"/><swl value="0.7"/><center x="2" y="0" z="0"/>
        <width value="0.5"/></rzwaves_spectrum><rz_uniform><domainbox><point x="1" y="0" z="0.1"/>
        <size x="1" y="0" z="0.4"/><direction x="3" y="0" z="4"/></domainbox><velocity value="0.3"/></rz_uniform>
        </relaxationzones>)");
    const Forcing& made = setup.forcing;
    ASSERT_EQ(made.relaxation.size(), 2U);
    double variance = 0;
    for (const RelaxationWave& line : made.relaxation_waves)
        variance += 0.5 * line.speed * line.speed / (line.frequency * line.frequency);
    EXPECT_NEAR(4 * std::sqrt(variance), 0.1, 1e-12);
    EXPECT_EQ(made.relaxation[0].highest, 0);
    const RelaxationZone& box = made.relaxation[1];
    EXPECT_NEAR(box.centre.x + setup.domain.min.x, 1.5, 1e-12);
    EXPECT_NEAR(box.half.z, 0.2, 1e-12);
    EXPECT_GE(box.half.y, 0.1); // the plane
    EXPECT_NEAR(box.direction.z, 0.8, 1e-12);
    EXPECT_EQ(box.rate, 1000);
    EXPECT_EQ(made.relaxation_speeds, (std::vector<SpeedSample>{{0, 0.3}}));
    EXPECT_THROW(setup_of(R"(<relaxationzones><rz_uniform><domainbox><point x="1" y="0" z="0.1"/>
        <size x="1" y="0" z="0.4"/><direction x="3" y="1" z="4"/></domainbox><velocity value="0.3"/></rz_uniform>
        </relaxationzones>)"),
                 InputError); // across the plane
    EXPECT_THROW(setup_of(waves_zone(R"(<driftcorrection value="2"/>)")), InputError);
    EXPECT_THROW(setup_of(waves_zone(R"(<function psi="0" beta="1"/>)")), InputError);
    EXPECT_THROW(setup_of(waves_zone(R"(<speed value="1"/>)")), InputError);
}

// The example of docs/case-format.md works as it stands there.
TEST(RelaxationZones, OfTheDocumentation) {
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    bool section = false, block = false;
    std::string example;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ")) section = line == "## Relaxation zones";
        if (line == "```") block = false;
        if (section && block) example += line + "\n";
        if (line == "```xml") block = true;
    }
    EXPECT_EQ(setup_of(example).forcing.relaxation.size(), 3U);
}
