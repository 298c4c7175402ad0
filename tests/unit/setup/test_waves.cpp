// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "geometry/generate.h"
#include "model/motion.h"
#include "setup/motion.h"
#include "setup/wave_lines.h"
#include "setup/wave_paddle.h"
#include "setup/wave_spectrum.h"
#include "setup/wave_theory.h"
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;
using std::numbers::pi;

namespace {

constexpr double g = 9.81;

/// A paddle's motion in time, by the samples that a run has of it.
class Paddle {
public:
    explicit Paddle(const WavePaddle& paddle, double horizon = 40) {
        motions_.samples = paddle_samples(paddle, g, horizon);
        piece_.law = MotionLaw::smooth;
        piece_.sample_count = static_cast<int>(motions_.samples.size());
    }
    motion::LawValue at(double time) const { return motion::law_value(motions_.view(), piece_, time); }
    double x(double time) const { return at(time).value.x; }

private:
    Motions motions_;
    MotionPiece piece_;
};

WavePaddle regular(double height, double period, double depth) {
    WavePaddle p;
    p.height = height;
    p.period = period;
    p.depth = depth;
    return p;
}

WavePaddle focused() {
    WavePaddle p = regular(0.1, 1.8, 0.66);
    p.kind = WaveKind::focused;
    p.discretization = WaveDiscretization::cosine_stretched;
    p.components = 64;
    p.order = 2;
    p.ramp = 2;
    p.focus_x = 7.5;
    p.focus_pre_time = 0;
    p.motion_end = 30;
    p.motion_end_ramp = 2;
    return p;
}

WavePaddle irregular(WaveDiscretization discretization) {
    WavePaddle p = regular(0.15, 2, 0.66);
    p.kind = WaveKind::spectrum;
    p.discretization = discretization;
    p.components = 200;
    p.seed = 7;
    return p;
}

WavePaddle solitary(SolitaryTheory theory, std::vector<SolitaryWave> waves) {
    WavePaddle p;
    p.kind = WaveKind::solitary;
    p.theory = theory;
    p.depth = 0.4;
    p.solitary = std::move(waves);
    return p;
}

} // namespace

TEST(WaveTheory, KnowsDeepAndShallowWater) {
    const double deep = waves::wave_number(10, 50, g); // ω²/g
    EXPECT_NEAR(deep, 100 / g, 1e-12);
    EXPECT_NEAR(waves::group_velocity(10, deep, 50), 0.5 * g / 10, 1e-12);
    const double shallow = waves::wave_number(0.01, 1, g), celerity = std::sqrt(g);
    EXPECT_NEAR(0.01 / shallow, celerity, 1e-4);
    EXPECT_NEAR(waves::group_velocity(0.01, shallow, 1), celerity, 1e-4);
    for (const double frequency : {0.1, 1.0, 3.0, 20.0}) {
        const double k = waves::wave_number(frequency, 0.66, g);
        EXPECT_NEAR(g * k * std::tanh(0.66 * k), frequency * frequency, 1e-12 * frequency * frequency);
    }
}

TEST(WaveTheory, TransfersAgreeWithTheirLimits) {
    // shallow: a piston's wave is kd times its stroke, a flap's half of that; deep: a piston's is twice its stroke
    EXPECT_NEAR(waves::piston_transfer(0.01, 1, 0), 0.01, 1e-6);
    EXPECT_NEAR(waves::flap_transfer(0.01, 1, 0), 0.005, 1e-6);
    EXPECT_NEAR(waves::piston_transfer(10, 1, 0), 2, 1e-6);
    EXPECT_NEAR(waves::flap_transfer(20, 1, 0), 2 * (1 - 1 / 20.0), 1e-6);
    // a hinge far below is a piston; half of the water below a piston in shallow water halves the wave
    EXPECT_NEAR(waves::flap_transfer(1.3, 0.7, -1e6), waves::piston_transfer(1.3, 0.7, 0), 1e-5);
    EXPECT_NEAR(waves::piston_transfer(0.01, 1, 0.5), 0.005, 1e-6);
    // by the integral of the flap's shape times cosh kz, by Simpson's rule
    const double k = 1.7, d = 0.9, draft = 0.3;
    double integral = 0;
    const int n = 1000;
    for (int i = 0; i <= n; ++i) {
        const double z = draft + (d - draft) * i / n;
        integral += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) * (z - draft) / (d - draft) * std::cosh(k * z);
    }
    integral *= (d - draft) / n / 3;
    EXPECT_NEAR(waves::flap_transfer(k, d, draft),
                4 * std::sinh(k * d) / (std::sinh(2 * k * d) + 2 * k * d) * k * integral, 1e-10);
}

TEST(WaveTheory, FlapsHaveTheirMeanOverTheDepth) {
    EXPECT_NEAR(waves::flap_surface_over_mean(0.66, 0), 2, 1e-14); // a triangle
    EXPECT_NEAR(waves::flap_surface_over_mean(0.8, 0.2), 2 * 0.8 / 0.6, 1e-14);
    EXPECT_NEAR(waves::flap_surface_over_mean(0.66, -0.2), 2 * 0.86 / 1.06, 1e-14); // a trapezium from 0.2 to 0.86
    EXPECT_NEAR(waves::flap_surface_over_mean(0.7, -1e6), 1, 1e-6);                 // a piston
}

// At kd = ln 2 sinh is 3/4, cosh 5/4; in deep water a Stokes wave has k a²/2, in shallow water 3/(16 k²d³) of H².
TEST(WaveTheory, SecondHarmonicsAreThoseOfTheFormulas) {
    const double k = std::numbers::ln2 / 2, depth = 2, height = 0.5;
    const double sinh3 = 27.0 / 64;
    EXPECT_NEAR(waves::madsen_second_harmonic(height, k, depth, 0.5), 0.25 / 64 * (3 * 1.25 / sinh3 - 2 / 0.5), 1e-12);
    EXPECT_NEAR(waves::stokes_second_harmonic(height, k, depth), 0.25 * k / 16 * 1.25 * (2 + 2.125) / sinh3, 1e-12);
    EXPECT_NEAR(waves::stokes_second_speed(height, 3, k, depth), 10.0 / 9 * 0.25 * 3 * k, 1e-12);
    EXPECT_NEAR(waves::stokes_second_harmonic(height, 10, depth), 10 * 0.25 * 0.25 / 2, 1e-12);
    EXPECT_NEAR(waves::stokes_second_harmonic(height, 1e-3, depth), 3.0 / 16 * 0.25 / (1e-6 * 8), 0.1);
    EXPECT_NEAR(waves::stokes_second_speed(height, 3, 1e-3, depth), 3.0 / 8 * 0.25 * 3 / (1e-6 * 8), 1);
}

TEST(WaveTheory, TheBoundWaveOfANarrowGroupIsTheSetDownOfRadiationStress) {
    // −g(2n − ½)/(g d − c_g²) times the product of amplitudes, n = c_g/c (Longuet-Higgins & Stewart 1962)
    const double d = 0.66, a = 3.5, b = 3.499, ka = waves::wave_number(a, d, g), kb = waves::wave_number(b, d, g);
    const double cg = waves::group_velocity(a, ka, d), n = cg * ka / a;
    EXPECT_NEAR(waves::bound_elevation({a, ka, b, kb}, d), -g * (2 * n - 0.5) / (g * d - cg * cg), 2e-3);
}

// Positions written by DualSPHysics 5.4.355 for its example CasePistonDamping_REG (WavePaddle_mkb0010.csv), to 1e-6 m.
TEST(WavePaddles, FollowARegularPaddleOfTheReferenceSolver) {
    WavePaddle p = regular(0.15, 2, 0.66);
    p.order = 2;
    p.ramp = 2;
    const Paddle paddle(p);
    const std::pair<double, double> reference[] = {{0.1, 0.000373},  {0.5, 0.021701},  {1.1, -0.018703},
                                                   {1.6, -0.077652}, {1.9, -0.026575}, {2.1, 0.026587},
                                                   {2.5, 0.082916},  {3.5, -0.082916}, {39.7, -0.068642}};
    for (const auto& [time, x] : reference) EXPECT_NEAR(paddle.x(time), x, 1e-6) << time;
}

// As above, of CaseFocusedWaves: WavePaddle_mkb0010_0000.csv.
TEST(WavePaddles, FollowAFocusedPaddleOfTheReferenceSolver) {
    const Paddle paddle(focused());
    const std::pair<double, double> reference[] = {{2, 0.007460},    {5, 0.027281},     {8.5, 0.067902},
                                                   {9.5, -0.065451}, {13.5, -0.018101}, {20, -0.007051},
                                                   {29, -0.003526}};
    for (const auto& [time, x] : reference) EXPECT_NEAR(paddle.x(time), x, 2e-5) << time;
    const auto water = make_paddle_waves(focused(), g).expected(7.5, 0, 5, 1, 1);
    EXPECT_NEAR(water[0].first_order, -0.001936, 1e-6);
    EXPECT_NEAR(water[0].second_order, -0.001682, 1e-6);
}

TEST(WavePaddles, AreSampledFinelyEnough) {
    WavePaddle p = regular(0.15, 2, 0.66);
    p.phase = 0.3 * pi;
    const Paddle paddle(p);
    const double omega = pi, k = waves::wave_number(omega, 0.66, g),
                 a = 0.5 * 0.15 / waves::piston_transfer(k, 0.66, 0);
    for (double t = 0; t < 5; t += 0.0123) {
        EXPECT_NEAR(paddle.x(t), a * (std::sin(omega * t + 0.3 * pi) - std::sin(0.3 * pi)), 2e-8 * a);
        EXPECT_NEAR(paddle.at(t).rate.x, a * omega * std::cos(omega * t + 0.3 * pi), 1e-6 * a * omega);
    }
}

TEST(WavePaddles, GainMakesTheStrokeLargerAndDirectionTurnsIt) {
    WavePaddle p = regular(0.1, 2, 0.66);
    const double plain = Paddle(p).x(0.5);
    p.gain_stroke = 1.5;
    p.direction = {0.6, 0.8, 0};
    const Vec3d turned = Paddle(p).at(0.5).value;
    EXPECT_NEAR(turned.x, 0.9 * plain, 1e-12);
    EXPECT_NEAR(turned.y, 1.2 * plain, 1e-12);
}

TEST(WavePaddles, AFlapTurnsAsItsStrokeAtTheSurfaceAsks) {
    WavePaddle p = regular(0.1, 2, 0.66);
    p.flap = true;
    p.draft = 0.16;
    const double k = waves::wave_number(pi, 0.66, g), a = 0.05 / waves::flap_transfer(k, 0.66, 0.16);
    EXPECT_NEAR(Paddle(p).x(0.5), std::atan(a / 0.5), 1e-9);
}

// The waves of CaseFlapBeach_REG. The numbers are those of DualSPHysics 5.4, which adds the second one to the angle,
// rad.
TEST(WavePaddles, AFlapOfSecondOrderAddsTheSecondHarmonic) {
    WavePaddle p = regular(0.15, 2, 0.66);
    p.flap = true;
    const double a = make_paddle_waves(p, g).paddle.at(0).amplitude;
    EXPECT_NEAR(std::atan(a / 0.66), 0.231770864, 1e-9);
    p.order = 2;
    const PaddleWaves made = make_paddle_waves(p, g);
    ASSERT_EQ(made.paddle.size(), 2U);
    EXPECT_NEAR(made.paddle[1].amplitude, -8.555367e-4, 1e-10);
    EXPECT_EQ(made.paddle[1].frequency, 2 * made.paddle[0].frequency);
    EXPECT_NEAR(Paddle(p).x(0.7), std::atan((a * std::sin(0.7 * pi) - 8.555367e-4 * std::sin(1.4 * pi)) / 0.66), 1e-8);
    p.draft = 0.2;
    EXPECT_NEAR(make_paddle_waves(p, g).paddle.at(1).amplitude, -2.092293e-3 * 2 * 0.66 / 0.46, 1e-8);
    p.draft = -0.2;
    EXPECT_NEAR(make_paddle_waves(p, g).paddle.at(1).amplitude, 3.230350e-4 * 2 * 0.86 / 1.06, 1e-9);
}

TEST(WavePaddles, ASpectrumHasTheHeightThatIsAskedFor) {
    using D = WaveDiscretization;
    for (const D discretization : {D::regular, D::random, D::stretched, D::cosine_stretched}) {
        const WavePaddle p = irregular(discretization);
        const PaddleWaves made = make_paddle_waves(p, g);
        double m0 = 0, mean = 0;
        for (const waves::Line& wave : made.elevation[0]) {
            m0 += 0.5 * wave.amplitude * wave.amplitude;
            mean += std::sin(wave.phase) / 200;
        }
        EXPECT_NEAR(4 * std::sqrt(m0), 0.15, 1e-9);
        EXPECT_LT(std::abs(mean), 0.2); // random phases
        EXPECT_EQ(made.spectrum.size(), 200U);
        for (std::size_t i = 1; i < 200; ++i) EXPECT_GT(made.spectrum[i].frequency, made.spectrum[i - 1].frequency);
        // the energy below the peak is that of the target, within what 200 components can tell
        double below = 0;
        for (const waves::Component& c : made.spectrum) below += c.frequency < 0.5 ? c.variance() : 0;
        double target = 0, all = 0;
        const auto range = waves::frequency_range(p);
        for (int i = 0; i < 10000; ++i) {
            const double f = range.lowest + (i + 0.5) * (range.highest - range.lowest) / 10000;
            all += waves::density(p, f);
            target += f < 0.5 ? waves::density(p, f) : 0;
        }
        double sum = 0;
        for (const waves::Component& c : made.spectrum) sum += c.variance();
        EXPECT_NEAR(below / sum, target / all, 0.02);
    }
}

TEST(WavePaddles, SeedsMakeAndRepeatSeas) {
    const WavePaddle one = irregular(WaveDiscretization::stretched);
    WavePaddle other = one;
    EXPECT_EQ(Paddle(one, 5).x(3), Paddle(other, 5).x(3));
    other.seed = 8;
    EXPECT_NE(Paddle(one, 5).x(3), Paddle(other, 5).x(3));
    EXPECT_EQ(Paddle(one, 5).x(3), Paddle(one, 30).x(3)); // a longer run is the same so far
}

TEST(WavePaddles, ASeriesBeginsWhereItIsToldTo) {
    WavePaddle p = irregular(WaveDiscretization::regular);
    const Paddle whole(p);
    p.series_start = 11;
    const Paddle later(p);
    EXPECT_NEAR(later.x(4) - later.x(2), whole.x(15) - whole.x(13), 1e-7);
    p.autofit = true;
    const PaddleWaves fitted = make_paddle_waves(p, g);
    double begin = 0;
    for (const waves::Line& line : fitted.paddle) begin += line.amplitude * std::sin(line.phase);
    EXPECT_NEAR(begin, 0, 1e-4);
}

TEST(WavePaddles, SlowWavesOfTheSecondOrderAreThoseOfTheirLines) {
    WavePaddle p = irregular(WaveDiscretization::stretched);
    p.components = 12;
    p.order = 2;
    const PaddleWaves made = make_paddle_waves(p, g);
    ASSERT_EQ(made.bound.size(), 66U);
    const Paddle paddle(p);
    const auto sum = [&](double t) {
        double x = 0;
        for (const auto* lines : {&made.paddle, &made.bound})
            for (const waves::Line& line : *lines) x += line.amplitude * std::sin(line.frequency * t + line.phase);
        return x;
    };
    for (const double t : {0.7, 3.3, 17.9}) EXPECT_NEAR(paddle.x(t), sum(t) - sum(0), 1e-7);
}

TEST(SolitaryWaves, PistonsMoveWithTheWaterAtThem) {
    for (const auto theory : {SolitaryTheory::rayleigh, SolitaryTheory::boussinesq, SolitaryTheory::kdv}) {
        const WavePaddle p = solitary(theory, {{0.12, 1, 1}});
        const waves::Soliton s = waves::solitons(p, g)[0];
        const double c = theory == SolitaryTheory::kdv ? std::sqrt(g * 0.4) * 1.15 : std::sqrt(g * 0.52);
        EXPECT_NEAR(s.celerity, c, 1e-12);
        const double kappa = std::sqrt(0.75 * 0.12) / 0.4 / std::sqrt(theory == SolitaryTheory::rayleigh ? 0.52 : 0.4);
        EXPECT_NEAR(s.kappa, kappa, 1e-12);
        // the stroke is that of the volume of the wave, less what tanh 3.8 leaves out
        EXPECT_NEAR(s.displacement(s.duration).value, 2 * 0.12 / (kappa * 0.4) * std::tanh(3.8), 1e-6);
        const Paddle paddle(p);
        for (double t = 0.02; t < s.duration; t += 0.05) {
            const double x = paddle.x(t), middle = 0.5 * s.displacement(s.duration).value;
            const double eta = s.elevation(x - middle, t);
            EXPECT_NEAR(paddle.at(t).rate.x, c * eta / (0.4 + eta), 1e-5) << t;
        }
        EXPECT_EQ(paddle.at(s.duration + 1).rate.x, 0);
    }
}

TEST(SolitaryWaves, FollowOneAnother) {
    const WavePaddle p = solitary(SolitaryTheory::boussinesq, {{0.1, 1, 1}, {0.05, 1.2, 0.8}});
    const auto both = waves::solitons(p, g);
    EXPECT_NEAR(both[1].start, 0.8 * both[0].duration, 1e-12);
    EXPECT_NEAR(both[1].duration, 1.2 * 2 * (3.8 + 0.125) / (both[1].kappa * both[1].celerity), 1e-12);
    const double end = both[1].start + both[1].duration + 1;
    EXPECT_NEAR(Paddle(p).x(end), both[0].displacement(end).value + both[1].displacement(end).value, 1e-12);
}

TEST(WavePaddles, MoveTheParticlesOfTheirCase) {
    test::CaseText text;
    text.casedef = R"(<motion><objreal ref="10"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";
    text.special = R"(<wavepaddles><flap><mkbound value="10"/><start value="0.5"/><duration value="1.75"/>
        <depth value="0.66"/><flapaxis0 x="0" y="-1" z="0"/><flapaxis1 x="0" y="1" z="0"/><waveheight value="0.1"/>
        <waveperiod value="2"/></flap></wavepaddles>)";
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    const Case definition = read_case_text(text.text(), "case.xml", overrides);
    const Motions motions = make_motions(definition, 10);
    const auto top = [&](double t) { return motion_at(motions.view(), 0, t).position_of({0, 0, 0.66}); };
    const double k = waves::wave_number(pi, 0.66, g), a = 0.05 / waves::flap_transfer(k, 0.66, 0);
    EXPECT_EQ(top(0.5).x, 0);
    EXPECT_NEAR(top(1).x, 0.66 * std::sin(std::atan(a / 0.66)), 1e-8); // a quarter of a period: towards +x
    EXPECT_EQ(top(3).x, top(2.25).x);
    ASSERT_EQ(wave_notes(definition).size(), 1U);
    EXPECT_NE(wave_notes(definition)[0].message.find("wave length 4.52367 m"), std::string::npos);
}

TEST(WavePaddles, WarnOfWavesThatBreakOrThatTheTheoryIsNotFor) {
    const auto warnings = [](const std::string& paddle) {
        test::CaseText text;
        text.casedef = R"(<motion><objreal ref="10"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";
        text.special = "<wavepaddles>" + paddle + "</wavepaddles>";
        CaseOverrides overrides;
        overrides.allow_unsupported = true;
        std::string all;
        for (const Diagnostic& note : wave_notes(read_case_text(text.text(), "case.xml", overrides)))
            if (note.level == Diagnostic::Level::warning) all += note.message + "\n";
        return all;
    };
    const auto piston = [&](int order, double height, double period, double depth) {
        return warnings(fmt::format(R"(<piston><mkbound value="10"/><start value="0"/><duration value="9"/>
            <waveorder value="{}"/><depth value="{}"/><pistondir x="1" y="0" z="0"/><waveheight value="{}"/>
            <waveperiod value="{}"/></piston>)",
                                    order, depth, height, period));
    };
    // kd = 0.5 at d = 0.5 m: ω² = g tanh 0.5, a period of 2.951 s. Then the length is 2π m, and height·length²/depth³
    // reaches 8π²/3 at a height of 1/12 m.
    const double period = 2 * pi / std::sqrt(g * std::tanh(0.5));
    EXPECT_EQ(piston(2, 0.083, period, 0.5), "");
    EXPECT_NE(piston(2, 0.084, period, 0.5).find("is 26.5, above 26: the second order"), std::string::npos);
    EXPECT_EQ(piston(1, 0.084, period, 0.5), "");
    // They break from 0.78 of the depth on: 0.39 m; and in deep water at 0.142 of the length, gT²/2π = 0.99924 m.
    EXPECT_EQ(piston(1, 0.389, period, 0.5), "");
    EXPECT_NE(piston(1, 0.391, period, 0.5).find("0.391 m in water of 0.5 m break"), std::string::npos);
    EXPECT_EQ(piston(1, 0.1418, 0.8, 2), "");
    EXPECT_NE(piston(1, 0.142, 0.8, 2).find("the steepness 0.142 is above 0.142"), std::string::npos);
    const auto solitary_waves = [&](double first, double second) {
        return warnings(fmt::format(R"(<piston_solitary><mkbound value="10"/><start value="0"/>
            <depth value="0.5"/><pistondir x="1" y="0" z="0"/><waveheight value="{}"/><waves value="2"/>
            <waveheight2 value="{}"/></piston_solitary>)",
                                    first, second));
    };
    EXPECT_EQ(solitary_waves(0.38, 0.1), "");
    EXPECT_NE(solitary_waves(0.4, 0.1).find("waves of 0.4 m in water of 0.5 m break"), std::string::npos);
    EXPECT_NE(solitary_waves(0.1, 0.41).find("waves of 0.41 m in water of 0.5 m break"), std::string::npos);
}

TEST(WavePaddles, TellWhatSolitaryWavesTheyMake) {
    test::CaseText text;
    text.casedef = R"(<motion><objreal ref="10"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";
    text.special = R"(<wavepaddles><piston_solitary><mkbound value="10"/><start value="0"/><depth value="0.5"/>
        <pistondir x="1" y="0" z="0"/><waveheight value="0.1"/><waves value="2"/><waveheight2 value="0.2"/>
        </piston_solitary></wavepaddles>)";
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    const std::vector<Diagnostic> notes = wave_notes(read_case_text(text.text(), "case.xml", overrides));
    ASSERT_EQ(notes.size(), 1u);
    const std::string& note = notes[0].message;
    // c² = g (d + H)
    EXPECT_NE(note.find("solitary waves: height 0.1 m, celerity 2.4261 m/s, effective length "), note.npos) << note;
    EXPECT_NE(note.find(" s; height 0.2 m, celerity 2.6205 m/s, effective length "), note.npos) << note;
}

TEST(WavePaddles, WarnOfADepthThatIsNotThatOfTheWater) {
    const auto warnings = [](const std::string& depth) { // eight layers of water, 0.1 m apart
        test::CaseText text = test::flume();
        text.special = R"(<wavepaddles><piston><mkbound value="10"/><depth value=")" + depth +
                       R"("/><pistondir x="1" y="0" z="0"/><waveheight value="0.1"/><waveperiod value="2"/>
            </piston></wavepaddles>)";
        Case definition = read_case_text(text.text(), "case.xml");
        const ParticleSet particles = generate_particles(definition, definition.diagnostics);
        std::vector<Diagnostic> found;
        lint_paddles(definition, particles, found);
        return found;
    };
    for (const char* depth : {"0.6", "0.7", "0.8", "1"}) EXPECT_TRUE(warnings(depth).empty()) << depth;
    for (const char* depth : {"0.5", "1.1"}) {
        const std::vector<Diagnostic> found = warnings(depth);
        ASSERT_EQ(found.size(), 1u) << depth;
        EXPECT_NE(found[0].message.find("the water beside it is 0.8 m deep"), std::string::npos) << found[0].message;
        EXPECT_EQ(found[0].level, Diagnostic::Level::warning);
    }
}

// The examples of docs/case-format.md work as they stand there.
TEST(WavePaddles, DocumentedExamplesWork) {
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    test::CaseText text;
    bool section = false, block = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ")) section = line == "## Wave makers";
        if (line.starts_with("```"))
            block = line == "```xml";
        else if (section && block)
            text.special += line + "\n";
    }
    text.casedef = "<motion>";
    for (int mk = 10; mk < 16; ++mk)
        text.casedef += fmt::format(R"(<objreal ref="{}"><begin mov="1" start="0"/><mvnull id="1"/></objreal>)", mk);
    text.casedef += "</motion>";
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    const Case definition = read_case_text(text.text(), "case.xml", overrides);
    EXPECT_TRUE(definition.unsupported_in_run.empty());
    const Motions motions = make_motions(definition, 5);
    ASSERT_EQ(motions.object_count(), 6);
    for (int object = 0; object < 6; ++object) {
        const auto place = [&](double t) { return motion_at(motions.view(), object, t).position_of({0, 0, 0.66}); };
        const auto top = [&](double t) { return place(t).x; };
        const RigidMotion now = motion_at(motions.view(), object, 3.3);
        EXPECT_NEAR(now.velocity_at(place(3.3)).x, (top(3.3 + 1e-5) - top(3.3 - 1e-5)) / 2e-5, 1e-4) << object;
        EXPECT_NE(top(3.3), top(0)) << object;
    }
    EXPECT_EQ(wave_notes(definition).size(), 6U);
}

// The roots of q tan q = −1 are 2.798386, 6.121250, 9.317866 …
TEST(Waves, ModesThatDieAwayFromAPiston) {
    const double depth = 0.5, k = 1.199678640 / depth; // ω²d/g = kd tanh kd = 1
    EXPECT_NEAR(waves::evanescent_elevation(k, depth, 0, depth), 0.0913 * 0.060908 + 0.00872 * 0.002196, 2e-5);
    EXPECT_NEAR(waves::evanescent_elevation(k, depth, 0, 0.5 * depth), 0.0913 * 0.246796 + 0.00872 * 0.04686, 5e-5);
    EXPECT_LT(waves::evanescent_elevation(k, depth, 0, 4 * depth), 1e-5);
}

TEST(Waves, ProgressiveElevationWithItsDerivatives) {
    WavePaddle p = regular(0.1, 2, 0.7);
    p.order = 2;
    p.phase = 0.4;
    p.ramp = 2;
    const PaddleWaves made = make_paddle_waves(p, g);
    const double x = 0.3, step = 0.01, k = made.wave_number, at_5s = pi * 5 + 0.4 - k * x,
                 second = waves::stokes_second_harmonic(0.1, k, 0.7);
    const auto first_order = made.progressive(x, 1, step, 600), all = made.progressive(x, 2, step, 600);
    EXPECT_NEAR(first_order[500].elevation.value, 0.05 * std::cos(at_5s), 1e-9);
    EXPECT_NEAR(all[500].elevation.value, 0.05 * std::cos(at_5s) + second * std::cos(2 * at_5s), 1e-9);
    EXPECT_NEAR(all[500].slope.value, 0.05 * k * std::sin(at_5s) + second * 2 * k * std::sin(2 * at_5s), 1e-9);
    EXPECT_NEAR(all[500].curvature.value, -0.05 * k * k * std::cos(at_5s) - second * 4 * k * k * std::cos(2 * at_5s),
                1e-9);
    for (const std::size_t n : {50, 377, 571}) { // also within the ramp
        EXPECT_NEAR((all[n + 1].elevation.value - all[n - 1].elevation.value) / (2 * step), all[n].elevation.rate,
                    1e-4);
        EXPECT_NEAR((all[n + 1].slope.value - all[n - 1].slope.value) / (2 * step), all[n].slope.rate, 1e-4);
        EXPECT_NEAR((all[n + 1].curvature.value - all[n - 1].curvature.value) / (2 * step), all[n].curvature.rate,
                    3e-4);
    }
}

TEST(Waves, ElevationBeforeAMovingPiston) {
    WavePaddle p = regular(0.1, 2, 0.7);
    p.order = 2;
    p.phase = 0.4;
    p.ramp = 2;
    const PaddleWaves made = make_paddle_waves(p, g);
    const double x = 0.3, step = 0.01, w = pi, k = made.wave_number, angle = w * 5 + 0.4;
    const auto first = made.elevations(x, 1, step, 600)[500], second = made.elevations(x, 2, step, 600)[500];
    const double near = waves::evanescent_elevation(k, 0.7, 0, x), stroke = 0.05 / made.transfer;
    EXPECT_NEAR(first.value, 0.05 * std::cos(angle - k * x) + near * stroke * std::sin(angle), 1e-9);
    EXPECT_NEAR(first.rate, -0.05 * w * std::sin(angle - k * x) + near * stroke * w * std::cos(angle), 1e-8);
    const double moved =
        stroke * std::sin(angle) + waves::madsen_second_harmonic(0.1, k, 0.7, made.transfer) * std::sin(2 * angle);
    EXPECT_NEAR(second.value - first.value,
                waves::stokes_second_harmonic(0.1, k, 0.7) * std::cos(2 * (angle - k * x)) +
                    moved * 0.05 * k * std::sin(angle - k * x),
                1e-9);
    const auto series = made.elevations(x, 2, step, 600);
    for (const std::size_t n : {50, 310, 377, 444, 500, 571}) // also within the ramp
        EXPECT_NEAR((series[n + 1].value - series[n - 1].value) / (2 * step), series[n].rate, 1e-4) << n;
    EXPECT_EQ(series[0].value, 0);
}

// The differences of a hundred frequencies are thousands of lines, which are summed up in bands.
TEST(WaveLines, SumsOfManyLinesAreTheirSums) {
    std::vector<waves::Line> lines;
    waves::UniformNumbers uniform(5);
    std::vector<double> frequency, phase;
    for (int i = 0; i < 100; ++i) {
        frequency.push_back(2 + 0.05 * i + 0.02 * uniform.next());
        phase.push_back(2 * pi * uniform.next());
    }
    for (std::size_t a = 0; a < frequency.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            lines.push_back({frequency[a] - frequency[b], uniform.next(), phase[a] - phase[b], 0});
    constexpr double step = 0.005;
    constexpr int count = 4500;
    const std::vector<waves::ValueAndRate> sums = waves::sums(lines, step, count);
    double all = 0;
    for (const waves::Line& line : lines) all += line.amplitude;
    for (const int i : {0, 1, 1023, 1024, 2047, 2048, 3000, 4499}) {
        long double value = 0, rate = 0;
        for (const waves::Line& line : lines) {
            const long double angle = line.frequency * (static_cast<long double>(step) * i) + line.phase;
            value += line.amplitude * std::sin(angle);
            rate += line.amplitude * line.frequency * std::cos(angle);
        }
        EXPECT_NEAR(sums[std::size_t(i)].value, double(value), 1e-14 * all) << i;
        EXPECT_NEAR(sums[std::size_t(i)].rate, double(rate), 1e-13 * all) << i;
    }
    const std::vector<waves::ValueAndRate> fewer = waves::sums(lines, step, 2100);
    for (std::size_t i = 0; i < fewer.size(); ++i) { // a run that is to end elsewhere is the same until then
        ASSERT_EQ(fewer[i].value, sums[i].value) << i;
        ASSERT_EQ(fewer[i].rate, sums[i].rate) << i;
    }
}
