// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include "core/error.h"
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;
using sluice::test::CaseText;

namespace {

/// A case with one paddle: the inside of <wavepaddles>.
Case read_paddles(const std::string& paddles,
                  const std::string& motion = R"(<begin mov="1" start="0"/><mvnull id="1"/>)") {
    CaseText text;
    text.casedef = R"(<motion><objreal ref="10">)" + motion + "</objreal></motion>";
    text.special = "\n<wavepaddles>" + paddles + "</wavepaddles>";
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return read_case_text(text.text(), "case.xml", overrides);
}

WavePaddle paddle(const std::string& xml) { return *read_paddles(xml).motion.at(0).steps.at(0).paddle; }

const std::string of_all = R"(<mkbound value="10"/><depth value="0.66"/>)";
const std::string waves = R"(<waveheight value="0.15"/><waveperiod value="2"/>)";

void expect_refused_paddles(const std::string& xml, const std::string& part) {
    try {
        read_paddles(xml);
        ADD_FAILURE() << "accepted: " << xml;
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("case.xml:17: "), std::string::npos) << e.what();
    }
}

std::string unsupported(const std::string& xml) {
    const Case definition = read_paddles(xml);
    return definition.unsupported_in_run.empty() ? "" : definition.unsupported_in_run[0].message();
}

} // namespace

TEST(ReadPaddles, RegularWaves) {
    const WavePaddle p = paddle("<piston>" + of_all + waves + R"(<start value="1.5"/><duration value="7"/>
        <fixeddepth value="0.1"/><pistondir x="3" y="0" z="4"/><waveorder value="1"/><gainstroke value="1.1"/>
        <phase value="0.5"/><ramp value="3"/></piston>)");
    EXPECT_EQ(p.mkbound, 10);
    EXPECT_FALSE(p.flap);
    EXPECT_EQ(p.kind, WaveKind::regular);
    EXPECT_EQ(p.start, 1.5);
    EXPECT_EQ(p.duration, 7);
    EXPECT_EQ(p.depth, 0.66);
    EXPECT_EQ(p.fixed_depth, 0.1);
    EXPECT_NEAR(p.direction.z, 0.8, 1e-15);
    EXPECT_EQ(p.height, 0.15);
    EXPECT_EQ(p.period, 2);
    EXPECT_EQ(p.gain_stroke, 1.1);
    EXPECT_NEAR(p.phase, 0.5 * std::numbers::pi, 1e-15);
    EXPECT_EQ(p.ramp, 6); // three periods
    EXPECT_EQ(paddle("<piston>" + of_all + waves + R"(<waveorder value="2"/></piston>)").order, 2);
}

TEST(ReadPaddles, Flaps) {
    const WavePaddle p = paddle("<flap>" + of_all + waves + R"(<variabledraft value="-0.2"/>
        <flapaxis0 x="1" y="2" z="3"/><flapaxis1 x="1" y="4" z="3"/></flap>)");
    EXPECT_TRUE(p.flap);
    EXPECT_EQ(p.draft, -0.2);
    EXPECT_EQ(p.axis_begin.y, 2);
    EXPECT_EQ(p.axis_end.y, 4);
}

TEST(ReadPaddles, Spectra) {
    const WavePaddle p = paddle("<piston_spectrum>" + of_all + waves + R"(<spectrum value="Pierson-Moskowitz"/>
        <discretization value="cosstretched"/><peakcoef value="2"/><waves value="77"/><randomseed value="9"/>
        <serieini value="30" autofit="true"/><ramptime value="4"/>
        <savemotion time="10" timedt="0.02" xpos="0.1" zpos="-0.5"/>
        <saveserie timemin="1" timemax="300" timedt="0.05" xpos="2"/><saveseriewaves timemin="0" timemax="100" xpos="0"/>
        </piston_spectrum>)");
    EXPECT_EQ(p.kind, WaveKind::spectrum);
    EXPECT_EQ(p.spectrum, WaveSpectrum::pierson_moskowitz);
    EXPECT_EQ(p.discretization, WaveDiscretization::cosine_stretched);
    EXPECT_EQ(p.peak_coef, 2);
    EXPECT_EQ(p.components, 77);
    EXPECT_EQ(p.seed, 9U);
    EXPECT_EQ(p.series_start, 30);
    EXPECT_TRUE(p.autofit);
    EXPECT_EQ(p.ramp, 4);
    ASSERT_EQ(p.tables.size(), 3U);
    EXPECT_EQ(p.tables[0].end, 10);
    EXPECT_EQ(p.tables[0].step, 0.02);
    EXPECT_EQ(p.tables[0].z, -0.5);
    EXPECT_EQ(p.tables[1].content, WaveTable::Content::series);
    EXPECT_EQ(p.tables[1].begin, 1);
    EXPECT_EQ(p.tables[1].x, 2);
    EXPECT_EQ(p.tables[2].content, WaveTable::Content::heights);
}

TEST(ReadPaddles, FocusedWaves) {
    const WavePaddle p = paddle("<piston_focused>" + of_all + waves + R"(<xf value="7"/><fphase value="90"/>
        <maxwaveh nwaves="500"/><fpretime value="3"/><fmovtime value="30"/><fmovramp value="2"/></piston_focused>)");
    EXPECT_EQ(p.kind, WaveKind::focused);
    EXPECT_EQ(p.discretization, WaveDiscretization::regular);
    EXPECT_EQ(p.components, 128);
    EXPECT_EQ(p.focus_x, 7);
    EXPECT_NEAR(p.focus_phase, 0.5 * std::numbers::pi, 1e-15);
    EXPECT_EQ(p.highest_of, 500);
    EXPECT_EQ(p.focus_pre_time, 3);
    EXPECT_EQ(p.motion_end, 30);
    EXPECT_EQ(p.motion_end_ramp, 2);
}

TEST(ReadPaddles, SolitaryWavesInheritFromTheOneBefore) {
    const WavePaddle p = paddle("<piston_solitary>" + of_all + R"(<theory value="1"/><waveheight value="0.1"/>
        <durationcoef value="1.1"/><waves value="3"/><startcoef2 value="0.8"/><waveheight2 value="0.05"/>
        <durationcoef3 value="1.3"/></piston_solitary>)");
    EXPECT_EQ(p.theory, SolitaryTheory::rayleigh);
    ASSERT_EQ(p.solitary.size(), 3U);
    EXPECT_EQ(p.solitary[0].duration_coef, 1.1);
    EXPECT_EQ(p.solitary[1].height, 0.05);
    EXPECT_EQ(p.solitary[1].start_coef, 0.8);
    EXPECT_EQ(p.solitary[2].height, 0.05);
    EXPECT_EQ(p.solitary[2].start_coef, 0.8);
    EXPECT_EQ(p.solitary[2].duration_coef, 1.3);
}

TEST(ReadPaddles, SaysWhatIsWrong) {
    expect_refused_paddles("<pistol/>", "<wavepaddles> has no <pistol>");
    expect_refused_paddles("<piston>" + of_all + waves + "<wave/></piston>", "<piston> has no <wave>");
    expect_refused_paddles("<piston>" + of_all + waves + "<xf value=\"1\"/></piston>", "<piston> has no <xf>");
    expect_refused_paddles("<piston><mkbound value=\"11\"/><depth value=\"1\"/>" + waves + "</piston>",
                           "not named in <motion>");
    expect_refused_paddles("<piston><mkbound value=\"10\"/>" + waves + "</piston>", "depth");
    expect_refused_paddles("<piston>" + of_all + R"(<waveheight value="0"/><waveperiod value="2"/></piston>)",
                           "waveheight is 0");
    expect_refused_paddles("<piston>" + of_all + waves + "<waveorder value=\"3\"/></piston>", "waveorder is 3");
    expect_refused_paddles("<piston>" + of_all + waves + "<fixeddepth value=\"0.7\"/></piston>", "leaves nothing");
    expect_refused_paddles("<piston>" + of_all + waves + "</piston><piston>" + of_all + waves + "</piston>",
                           "another paddle");
    expect_refused_paddles("<piston_spectrum>" + of_all + waves + "<spectrum value=\"goda\"/></piston_spectrum>",
                           "\"goda\" is none of jonswap, pierson-moskowitz");
    expect_refused_paddles("<piston_focused>" + of_all + waves +
                               R"(<xf value="1"/><fmovtime value="1"/><fmovramp value="2"/>
        </piston_focused>)",
                           "longer than fmovtime");
    expect_refused_paddles("<piston_solitary>" + of_all + R"(<waveheight value="0.1"/><waveheight2 value="0.1"/>
        </piston_solitary>)",
                           "has no <waveheight2>");
}

TEST(ReadPaddles, NamesWhatIsNotSupported) {
    EXPECT_EQ(unsupported("<piston>" + of_all + waves + "</piston>"), "");
    EXPECT_NE(unsupported("<piston>" + of_all + waves + "<usefiledata file=\"a.csv\"/></piston>").find("<usefiledata>"),
              std::string::npos);
    EXPECT_NE(unsupported("<piston>" + of_all + waves + R"(<fixeddepth value="0.1"/><waveorder value="2"/></piston>)")
                  .find("waveorder 2 with fixeddepth"),
              std::string::npos);
    const std::string axis = R"(<waveorder value="2"/><flapaxis0 x="0" y="0" z="0"/><flapaxis1 x="0" y="1" z="0"/>)";
    EXPECT_EQ(unsupported("<flap>" + of_all + waves + axis + "</flap>"), "");
    EXPECT_EQ(paddle("<flap>" + of_all + waves + axis + "</flap>").order, 2);
    EXPECT_EQ(unsupported("<flap_spectrum>" + of_all + waves + axis + "</flap_spectrum>"),
              "<flap_spectrum> waveorder 2 is not supported; take waveorder 1");
}

TEST(ReadPaddles, AMovingWallIsNoPaddle) {
    EXPECT_THROW(
        read_paddles("<piston>" + of_all + waves + "</piston>",
                     R"(<begin mov="1" start="0"/><mvrect id="1" duration="1"><vel x="1" y="0" z="0"/></mvrect>)"),
        InputError);
}

TEST(ReadPaddles, Absorption) {
    const std::string piston = "<piston>" + of_all + waves + R"(<ramp value="3"/>)";
    const auto absorption = [&](const std::string& inside) {
        return *paddle(piston + "<awas_zsurf>" + inside + "</awas_zsurf></piston>").absorption;
    };
    const WaveAbsorption plain = absorption(R"(<swl value="0.7"/>)");
    EXPECT_FALSE(plain.start || plain.z_min || plain.z_max || plain.mass_limit);
    EXPECT_EQ(plain.order, 2);
    EXPECT_EQ(plain.gauge, 5);
    EXPECT_EQ(plain.gauge_unit, WaveAbsorption::Unit::dp);
    EXPECT_EQ(plain.acceleration_factor, 2);
    EXPECT_EQ(plain.drift_strokes, 0);
    EXPECT_EQ(plain.save, 0);
    EXPECT_EQ(plain.response, AbsorptionResponse::long_waves);
    EXPECT_EQ(absorption(R"(<swl value="0.7"/><response value="tuned"/>)").response, AbsorptionResponse::tuned);
    const WaveAbsorption full = absorption(R"(<startawas value="4"/><swl value="0.7"/><elevation value="1"/>
        <gaugex valueh="3"/><gaugey value="1"/><gaugezmin value="0.1"/><gaugezmax value="2"/><gaugedp value="0.25"/>
        <coefmasslimit value="0.45"/><savedata value="3"/><limitace value="0"/>
        <correction coefstroke="1.8" coefperiod="2" powerfunc="4"/>)");
    EXPECT_EQ(full.start, 4);
    EXPECT_EQ(full.swl, 0.7);
    EXPECT_EQ(full.order, 1);
    EXPECT_EQ(full.gauge, 3);
    EXPECT_EQ(full.gauge_unit, WaveAbsorption::Unit::h);
    EXPECT_EQ(full.gauge_y, 1);
    EXPECT_EQ(full.z_min, 0.1);
    EXPECT_EQ(full.z_max, 2);
    EXPECT_EQ(full.spacing_dp, 0.25);
    EXPECT_EQ(full.mass_limit, 0.45);
    EXPECT_EQ(full.save, 3);
    EXPECT_EQ(full.acceleration_factor, 0);
    EXPECT_EQ(full.drift_strokes, 1.8);
    EXPECT_EQ(full.return_periods, 2);
    EXPECT_EQ(full.return_power, 4);
    const auto refused = [&](const std::string& inside, const std::string& part) {
        expect_refused_paddles(piston + "<awas_zsurf>" + inside + "</awas_zsurf></piston>", part);
    };
    refused("", "no <swl>");
    refused(R"(<swl value="0.7"/><gaugex value="-1"/>)", "it must be above 0");
    refused(R"(<swl value="0.7"/><gaugex value="1" valuedp="2"/>)", "one of value");
    refused(R"(<swl value="0.7"/><gaugezmin value="2"/><gaugezmax value="1"/>)", "is not above gaugezmin");
    refused(R"(<swl value="0.7"/><coefmasslimit value="1"/>)", "is not between 0 and 1");
    refused(R"(<swl value="0.7"/><response value="short"/>)", "<response> \"short\" is none of longwaves, tuned");
    refused(R"(<swl value="0.7"/><surface value="1"/>)", "has no <surface>");
    refused(R"(<swl value="0.7"/><correction coefstroke="0" coefperiod="1" powerfunc="3"/>)", "it must be above 0");
    const std::string awas = R"(<awas_zsurf><swl value="0.7"/></awas_zsurf>)";
    EXPECT_NE(unsupported("<flap>" + of_all + R"(<flapaxis0 x="0" y="-1" z="0"/><flapaxis1 x="0" y="1" z="0"/>)" +
                          waves + awas + "</flap>")
                  .find("<awas_zsurf> of <flap> is not supported"),
              std::string::npos);
    EXPECT_NE(unsupported("<piston>" + of_all + R"(<pistondir x="-1" y="0" z="0"/>)" + waves + awas + "</piston>")
                  .find("<awas_zsurf> of <piston>"),
              std::string::npos);
}
