// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "core/error.h"
#include "model/motion.h"
#include "setup/motion.h"
#include "setup/motion_knots.h"
#include "temporary_folder.h"
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;
using std::numbers::pi;

namespace {

double length(const Vec3d& v) { return std::sqrt(dot(v, v)); }

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    EXPECT_LT(length(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " instead of " << b.x << " " << b.y << " "
                                        << b.z;
}

/// The motion of a case: what is inside of <motion>, up to a time.
class Motion {
public:
    explicit Motion(const std::string& xml, double horizon = 20, const std::filesystem::path& folder = "")
        : motions_(make_motions(case_with(xml, folder), horizon)) {}

    static Case case_with(const std::string& xml, const std::filesystem::path& folder = "") {
        test::CaseText text;
        text.definition =
            R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
        text.casedef = "<motion>" + xml + "</motion>";
        CaseOverrides overrides;
        overrides.allow_unsupported = true;
        return read_case_text(text.text(), folder / "case.xml", overrides);
    }

    RigidMotion at(double time, int object = 0) const { return motion_at(motions_.view(), object, time); }
    Vec3d place(double time, const Vec3d& start = {}, int object = 0) const {
        return at(time, object).position_of(start);
    }
    Vec3d velocity(double time, const Vec3d& start = {}, int object = 0) const {
        const RigidMotion m = at(time, object);
        return m.velocity_at(m.position_of(start));
    }
    const Motions& data() const { return motions_; }

    /// The velocity against central differences of places.
    void expect_derivative(double time, int object = 0, double tolerance = 1e-6) const {
        const double d = 1e-5;
        for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0.2, -0.4}, Vec3d{-0.3, 2, 0.7}})
            expect_near(velocity(time, p, object),
                        (1 / (2 * d)) * (place(time + d, p, object) - place(time - d, p, object)), tolerance);
    }

private:
    Motions motions_;
};

std::string error_of(const std::string& xml) {
    try {
        Motion m(xml);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

/// One object that one step moves from the start.
std::string one(const std::string& step) {
    return R"(<objreal ref="1"><begin mov="1" start="0"/>)" + step + "</objreal>";
}

const std::string z_axis = R"(<axisp1 x="1" y="0" z="0"/><axisp2 x="1" y="0" z="3"/>)";

} // namespace

// A positive angle of the language turns x to −y about an axis along z.

TEST(PrescribedMotion, RectilinearEndsWithItsDurationOrItsBegin) {
    const Motion m(one(R"(<mvrect id="1" duration="2"><vel x="1" y="-2" z="0.5"/></mvrect>)"));
    expect_near(m.place(1.5, {3, 3, 3}), {4.5, 0, 3.75}, 1e-14);
    expect_near(m.place(7), {2, -4, 1}, 1e-14);
    expect_near(m.velocity(1.5), {1, -2, 0.5}, 1e-15);
    expect_near(m.velocity(2), {}, 1e-15);
    const Motion cut(R"(<objreal ref="1"><begin mov="1" start="0.5" finish="1"/><mvrect id="1" duration="2">
<vel x="1" y="0" z="0"/></mvrect></objreal>)");
    expect_near(cut.place(0.4), {}, 1e-15);
    expect_near(cut.place(0.75), {0.25, 0, 0}, 1e-15);
    expect_near(cut.place(5), {0.5, 0, 0}, 1e-15);
}

TEST(PrescribedMotion, AccelerationTakesOverTheVelocityBefore) {
    const Motion m(one(R"(<mvrect id="1" duration="1" next="2"><vel x="2" y="0" z="0"/></mvrect>
<mvrectace id="2" duration="2" next="3"><ace x="-1" y="0" z="1"/></mvrectace>
<mvrectace id="3" duration="1"><velini x="0" y="1" z="0"/><ace x="0" y="0" z="-2"/></mvrectace>)"));
    expect_near(m.place(2), {2 + 2 - 0.5, 0, 0.5}, 1e-14);
    expect_near(m.velocity(2), {1, 0, 1}, 1e-14);
    expect_near(m.place(3.5), {4, 0.5, 2 - 0.25}, 1e-14);
    m.expect_derivative(1.6);
    m.expect_derivative(3.3);
}

TEST(PrescribedMotion, RotationCountsAnglesAgainstTheRightHandedSense) {
    const Motion degrees(one(R"(<mvrot id="1" duration="1"><vel ang="90"/>)" + z_axis + "</mvrot>"));
    expect_near(degrees.place(1, {2, 0, 0}), {1, -1, 0}, 1e-14);
    expect_near(degrees.velocity(0.5, {1, 1, 0}), pi / 2 * Vec3d{std::sqrt(0.5), -std::sqrt(0.5), 0}, 1e-14);
    expect_near(degrees.velocity(1, {1, 1, 0}), {}, 1e-14); // it ended
    const Motion radians(
        one(R"(<mvrot id="1" duration="1" anglesunits="radians"><vel ang="1.5"/>)" + z_axis + "</mvrot>"));
    expect_near(radians.place(0.5, {2, 0, 0}), {1 + std::cos(0.75), -std::sin(0.75), 0}, 1e-14);
    degrees.expect_derivative(0.3);
}

// CaseSloshingMotion of DualSPHysics: the tank turns by the roll angle of SPHERIC's test 10 (rows of its file about two
// times), and its solver reports these means of the tank's particles, which begin at (0, 0, 0.254).
TEST(PrescribedMotion, TurnsATankAsTheFieldsSolverDoes) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "roll.dat") << "0 0\n0.4 3.03951\n0.4025 3.06571\n0.8 2.62561\n0.8025 2.59823\n";
    const Motion m(one(R"(<mvrotfile id="1" duration="100" anglesunits="degrees"><file name="roll.dat"/>
<axisp1 x="0" y="-1" z="0"/><axisp2 x="0" y="1" z="0"/></mvrotfile>)"),
                   2, folder.path());
    expect_near(m.place(0.400008, {0, 0, 0.254}), {-0.013468596, 0, 0.25364266}, 2e-7);
    expect_near(m.place(0.800003, {0, 0, 0.254}), {-0.01163545, 0, 0.25373336}, 2e-7);
}

TEST(PrescribedMotion, AngularAccelerationGoesOnFromTheStepBefore) {
    // 13_Pump of the reference's examples: it starts to turn, then goes on at the speed that it has.
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0.5"/>
<mvrotace id="1" duration="2" next="2"><ace ang="500"/><velini ang="90"/>)" +
                   z_axis + R"(</mvrotace><mvrotace id="2" duration="1000"><ace ang="0"/>)" + z_axis +
                   "</mvrotace></objreal>");
    EXPECT_NEAR(m.at(3).angular_velocity.z, -1090 * pi / 180, 1e-12);
    const double angle = -(90 * 2 + 250 * 4 + 1090 * 0.5) * pi / 180;
    expect_near(m.place(3, {2, 0, 0}), {1 + std::cos(angle), std::sin(angle), 0}, 1e-12);
    m.expect_derivative(1.1, 0, 1e-5);
}

TEST(PrescribedMotion, CircleKeepsTheObjectUpright) {
    const Motion m(one(R"(<mvcir id="1" duration="10"><vel ang="90"/><ref x="3" y="0" z="7"/>)" + z_axis + "</mvcir>"));
    expect_near(m.place(1, {0, 0, 0}), {-2, -2, 0}, 1e-14);
    expect_near(m.place(1, {5, 5, 5}), {3, 3, 5}, 1e-14);
    const Motion faster(
        one(R"(<mvcirace id="1" duration="10"><ace ang="20"/><velini ang="10"/><ref x="3" y="0" z="7"/>)" + z_axis +
            "</mvcirace>"));
    const double angle = -(10 * 2 + 10 * 4) * pi / 180;
    expect_near(faster.place(2), {2 * std::cos(angle) - 2, 2 * std::sin(angle), 0}, 1e-14);
    m.expect_derivative(0.7);
    faster.expect_derivative(0.7);
}

TEST(PrescribedMotion, PointOnACircleGoesOnWhereItsStepLeftIt) {
    const Motion m(one(R"(<mvcir id="1" duration="1" next="2"><vel ang="90"/><ref x="2" y="0" z="0"/>)" + z_axis +
                       R"(</mvcir><wait id="2" duration="1" next="1"/>)"));
    expect_near(m.place(1.5), {-1, -1, 0}, 1e-14);
    expect_near(m.place(3), {-2, 0, 0}, 1e-14);
    expect_near(m.place(7), {0, 0, 0}, 1e-13);
}

TEST(PrescribedMotion, SinusoidTakesOverThePhaseBefore) {
    // 06_Wavemaker of the reference's examples
    const Motion m(one(R"(<mvrectsinu id="1" duration="5" next="2" anglesunits="radians"><freq x="0.5" y="0" z="0"/>
<ampl x="0.25" y="0" z="0"/><phase x="4.71238898" y="0" z="0"/></mvrectsinu>
<mvrectsinu id="2" duration="10" next="3"><freq x="0.75" y="0" z="0"/><ampl x="0.25" y="0" z="0"/></mvrectsinu>
<mvrectsinu id="3" duration="10" next="2"><freq x="0.5" y="0" z="0"/><ampl x="0.25" y="0" z="0"/></mvrectsinu>)"),
                   60);
    // One phase runs through, so the place is that of one sine.
    const auto phase = [](double t) {
        double turns = 0.5 * std::min(t, 5.0);
        for (double begin = 5; begin < t; begin += 20)
            turns += 0.75 * std::min(t - begin, 10.0) + 0.5 * std::clamp(t - begin - 10, 0.0, 10.0);
        return 4.71238898 + 2 * pi * turns;
    };
    for (const double t : {1.3, 5.0, 9.9, 15.2, 24.9, 27.1, 51.7}) {
        expect_near(m.place(t), {0.25 * (std::sin(phase(t)) - std::sin(4.71238898)), 0, 0}, 1e-12);
        if (t != 5.0) m.expect_derivative(t);
    }
}

TEST(PrescribedMotion, SinusoidalRotationAndCircle) {
    const Motion turn(one(R"(<mvrotsinu id="1" duration="9"><freq v="0.5"/><ampl v="30"/><phase v="90"/>)" + z_axis +
                          "</mvrotsinu>"));
    const auto angle = [](double t) { return -pi / 6 * (std::cos(pi * t) - 1); };
    expect_near(turn.place(0.4, {2, 0, 0}), {1 + std::cos(angle(0.4)), std::sin(angle(0.4)), 0}, 1e-14);
    const Motion circle(
        one(R"(<mvcirsinu id="1" duration="9" anglesunits="radians"><freq v="0.5"/><ampl v="0.5235987755982988"/>
<phase v="1.5707963267948966"/><ref x="2" y="0" z="0"/>)" +
            z_axis + "</mvcirsinu>"));
    expect_near(circle.place(0.4, {2, 0, 0}), {1 + std::cos(angle(0.4)), std::sin(angle(0.4)), 0}, 1e-14);
    turn.expect_derivative(0.6);
    circle.expect_derivative(0.6);
}

TEST(PrescribedMotion, NegativeDurationHappensAtOnce) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="1"/><mvrect id="1" duration="-0.5" next="2">
<vel x="2" y="0" z="0"/></mvrect><mvrot id="2" duration="-1" next="3"><vel ang="90"/><axisp1 x="1" y="0" z="0"/>
<axisp2 x="1" y="0" z="1"/></mvrot><mvrect id="3" duration="1"><vel x="0" y="0" z="1"/></mvrect></objreal>)");
    expect_near(m.place(0.9), {}, 1e-15);
    expect_near(m.place(1.5, {1, 0, 0}), {1, -1, 0.5}, 1e-14);
    expect_near(m.velocity(1.5), {0, 0, 1}, 1e-14);
}

TEST(PrescribedMotion, ChainsRepeatAndWaitForEver) {
    const Motion m(one(R"(<mvrect id="1" duration="0.5" next="2"><vel x="1" y="0" z="0"/></mvrect>
<wait id="2" duration="0.25" next="3"/><mvrect id="3" duration="0.25" next="1"><vel x="-1" y="0" z="0.5"/></mvrect>)"),
                   1000);
    for (const double n : {0.0, 1.0, 17.0, 999.0}) {
        const Vec3d start = n * Vec3d{0.25, 0, 0.125};
        expect_near(m.place(n + 0.25), start + Vec3d{0.25, 0, 0}, 1e-10);
        expect_near(m.place(n + 0.6), start + Vec3d{0.5, 0, 0}, 1e-10);
        expect_near(m.place(n + 0.9), start + Vec3d{0.35, 0, 0.075}, 1e-10);
    }
}

TEST(PrescribedMotion, TranslationsAtOnceAdd) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0.5" finish="1.5"/>
<mvrect id="1" duration="2"><vel x="1" y="0" z="0"/></mvrect>
<mvrectace id="2" duration="9"><ace x="0" y="2" z="0"/></mvrectace></objreal>)");
    expect_near(m.place(1), {1, 0.25, 0}, 1e-14);
    expect_near(m.place(3), {2, 1, 0}, 1e-14);
}

TEST(PrescribedMotion, RotationsAboutOneAxisAdd) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0.5"/><mvrot id="1" duration="2">
<vel ang="90"/>)" + z_axis +
                   R"(</mvrot><mvrot id="2" duration="1"><vel ang="-30"/>)" + z_axis + "</mvrot></objreal>");
    const double angle = -(90 - 15) * pi / 180;
    expect_near(m.place(1, {2, 0, 0}), {1 + std::cos(angle), std::sin(angle), 0}, 1e-14);
    EXPECT_TRUE(m.data().knots.empty());
}

// dx/dt = ω×(x − p) + v is a rotation about another centre, where both terms cancel; the axis stays where it is.
TEST(PrescribedMotion, RotationWhileMovingIsTheSolutionOfBothFields) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0"/><mvrot id="1" duration="15"
anglesunits="radians"><vel ang="-3"/>)" +
                   z_axis + R"(</mvrot><mvrect id="2" duration="15"><vel x="0" y="1.5" z="0.25"/></mvrect></objreal>)");
    const Vec3d centre{0.5, 0, 0}; // 3·(0.5 − 1) + 1.5 = 0
    for (const double t : {0.0, 0.3, 1.7, 7.77, 14.9}) {
        const Vec3d p{2, 1, 3}, arm = p - centre;
        const double c = std::cos(3 * t), s = std::sin(3 * t);
        expect_near(m.place(t, p), centre + Vec3d{c * arm.x - s * arm.y, s * arm.x + c * arm.y, 3 + 0.25 * t}, 1e-9);
        if (t > 0) m.expect_derivative(t);
    }
    expect_near(m.place(18, {2, 1, 3}), m.place(15, {2, 1, 3}), 1e-12);
}

TEST(PrescribedMotion, RotationWhileGettingFasterIsTheSolutionOfBothFields) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0"/><mvrot id="1" duration="9"
anglesunits="radians"><vel ang="-3"/>)" +
                   z_axis + R"(</mvrot><mvrectace id="2" duration="9"><ace x="0" y="2" z="0"/></mvrectace></objreal>)");
    // w' = 3i w + 2i t with w = x − 1 + iy: w = (w(0) − b) exp(3i t) + b − 2t/3, b = 2i/9
    for (const double t : {0.3, 1.7, 7.77, 8.9}) {
        const double c = std::cos(3 * t), s = std::sin(3 * t), x = 1, y = 1 - 2.0 / 9; // w(0) − b
        expect_near(m.place(t, {2, 1, 3}), {1 + c * x - s * y - 2 * t / 3, s * x + c * y + 2.0 / 9, 3}, 1e-8);
        m.expect_derivative(t);
    }
}

TEST(PrescribedMotion, RotationsAboutTwoAxesTurnAboutTheirSum) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0"/>
<mvrot id="1" duration="9" anglesunits="radians"><vel ang="-2"/><axisp1 x="0" y="0" z="0"/><axisp2 x="1" y="0" z="0"/></mvrot>
<mvrot id="2" duration="9" anglesunits="radians"><vel ang="-2"/><axisp1 x="0" y="0" z="0"/><axisp2 x="0" y="1" z="0"/></mvrot>
</objreal>)");
    const double rate = std::sqrt(8);
    const Vec3d axis{std::sqrt(0.5), std::sqrt(0.5), 0}, p{1, 2, 3};
    for (const double t : {0.4, 3.3, 8.9}) expect_near(m.place(t, p), motion::turned_about(axis, rate * t, p), 1e-9);
}

TEST(PrescribedMotion, RotationsAboutParallelAxesTurnAboutTheirMean) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0"/>
<mvrot id="1" duration="9" anglesunits="radians"><vel ang="-3"/><axisp1 x="0" y="0" z="0"/><axisp2 x="0" y="0" z="1"/></mvrot>
<mvrot id="2" duration="9" anglesunits="radians"><vel ang="-1"/><axisp1 x="4" y="2" z="0"/><axisp2 x="4" y="2" z="1"/></mvrot>
</objreal>)");
    const Vec3d centre{1, 0.5, 0}, p{1, 2, 3};
    for (const double t : {0.4, 3.3, 8.9}) {
        expect_near(m.place(t, p), centre + motion::turned_about({0, 0, 1}, 4 * t, p - centre), 1e-9);
        m.expect_derivative(t);
    }
}

TEST(PrescribedMotion, WaitingForgetsTheVelocity) {
    const Motion m(one(R"(<mvrect id="1" duration="1" next="2"><vel x="2" y="0" z="0"/></mvrect>
<wait id="2" duration="1" next="3"/><mvrectace id="3" duration="2"><ace x="0" y="0" z="1"/></mvrectace>)"));
    expect_near(m.place(3), {2, 0, 0.5}, 1e-14);
}

TEST(PrescribedMotion, CarriedObjectTurnsWithItsCarrier) {
    const Motion m(R"(<obj><begin mov="1" start="0"/><mvrot id="1" duration="2"><vel ang="-90"/>)" + z_axis +
                   R"(</mvrot><objreal ref="15"><begin mov="1" start="0.5"/><mvrect id="1" duration="1">
<vel x="1" y="0" z="0"/></mvrect></objreal></obj>)");
    ASSERT_EQ(m.data().object_count(), 2);
    EXPECT_EQ(m.data().objects[1].parent, 0);
    expect_near(m.place(1, {1, 0, 0}, 1), {1, 0.5, 0}, 1e-14); // along what was x
    m.expect_derivative(0.8, 1);
}

TEST(PrescribedMotion, AxisOfACarriedObjectIsCarriedToo) {
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="0"/><mvrect id="1" duration="9"><vel x="0" y="2" z="0"/>
</mvrect><objreal ref="2"><begin mov="1" start="0"/><mvrot id="1" duration="9"><vel ang="90"/>)" +
                   z_axis + "</mvrot></objreal></objreal>");
    expect_near(m.place(1, {1, 0, 4}, 1), {1, 2, 4}, 1e-14);
    expect_near(m.place(1, {2, 0, 4}, 1), {1, 1, 4}, 1e-14);
}

TEST(PrescribedMotion, AxisDoesNotMoveWithTheObjectItself) {
    const Motion m(one(R"(<mvrect id="1" duration="1" next="2"><vel x="0" y="1" z="0"/></mvrect>
<mvrot id="2" duration="1"><vel ang="-90"/>)" +
                       z_axis + "</mvrot>"));
    expect_near(m.place(2, {1, 0, 0}), {0, 0, 0}, 1e-14);
}

TEST(PrescribedMotion, FileOfPlacesBeginsWithItsFirstRow) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "z_t.csv") << "# z;time\n 5;2\n\n6.5;2.5\n4.5,3.5\n";
    const Motion m(R"(<objreal ref="1"><begin mov="1" start="1"/><mvfile id="1" duration="10" next="1">
<file name="z_t.csv" fields="2" fieldtime="1" fieldz="0"/></mvfile></objreal>)",
                   30, folder.path());
    expect_near(m.place(0.9), {}, 1e-15);
    expect_near(m.place(1.25), {0, 0, 0.75}, 1e-14);
    expect_near(m.velocity(1.25), {0, 0, 3}, 1e-14);
    expect_near(m.place(2), {0, 0, 0.5}, 1e-14);
    expect_near(m.place(9), {0, 0, -0.5}, 1e-14);     // held
    expect_near(m.place(11.25), {0, 0, 0.25}, 1e-14); // once more, from there
    expect_near(m.place(25), {0, 0, -1.5}, 1e-14);
}

TEST(PrescribedMotion, FileOfAnglesTogetherWithAMotion) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "roll.dat") << "0 10\n1 40\n2 40\n3 -20\n";
    const std::string roll = R"(<mvrotfile id="1" duration="10"><file name="roll.dat"/>)" + z_axis + "</mvrotfile>";
    const Motion m(one(roll), 30, folder.path());
    const double angle = -15 * pi / 180;
    expect_near(m.place(0.5, {2, 0, 0}), {1 + std::cos(angle), std::sin(angle), 0}, 1e-14);
    EXPECT_NEAR(m.at(0.5).angular_velocity.z, -30 * pi / 180, 1e-14);
    const Motion both(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0"/>)" + roll +
                          R"(<mvrect id="2" duration="10"><vel x="0" y="0" z="2"/></mvrect></objreal>)",
                      30, folder.path());
    for (const double t : {0.5, 1.0, 1.5, 2.7, 8.0})
        expect_near(both.place(t, {2, 0, 0}), m.place(t, {2, 0, 0}) + Vec3d{0, 0, 2 * t}, 1e-9);
    both.expect_derivative(0.5);
    both.expect_derivative(2.5);
}

TEST(PrescribedMotion, RowsOfAFileThatGoBackInTimeAreLeftOut) {
    const TemporaryFolder folder;
    const std::string follow = one(
        R"(<mvrectfile id="1" duration="10"><file name="m.dat" fields="2" fieldtime="0" fieldx="1"/></mvrectfile>)");
    const auto warnings = [&](const std::string& rows) {
        std::ofstream(folder.path() / "m.dat") << rows;
        std::vector<Diagnostic> found;
        lint_motion_series(Motion::case_with(follow, folder.path()), found);
        return found;
    };
    EXPECT_TRUE(warnings("0 0\n1 2\n2 2\n4 6\n").empty());
    const Motion in_order(follow, 10, folder.path());
    const std::vector<Diagnostic> found = warnings("0 0\n1 2\n2 2\n1.5 7\n2 9\n4 6\n3 8\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].level, Diagnostic::Level::warning);
    EXPECT_EQ(found[0].where.text(), (folder.path() / "m.dat").string() + ":4");
    EXPECT_EQ(found[0].message,
              "the time 1.5 comes before that of an earlier row (2): 3 such rows are left out; put the "
              "rows in the order of time, or take these out");
    const Motion back(follow, 10, folder.path());
    for (const double t : {0.5, 1.7, 2.1, 3.5, 4.5, 9.0}) EXPECT_EQ(back.place(t).x, in_order.place(t).x) << t;
    ASSERT_EQ(warnings("0 0\n1 2\n0.5 2\n").size(), 1U);
    EXPECT_NE(warnings("0 0\n1 2\n0.5 2\n")[0].message.find("1 such row is left out"), std::string::npos);
}

TEST(PrescribedMotion, FileThatCannotBeUsedIsRefusedWithItsLine) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& content) {
        std::ofstream(folder.path() / "m.dat") << content;
        try {
            Motion m(
                one(R"(<mvrectfile id="1" duration="1"><file name="m.dat" fields="2" fieldtime="0" fieldx="1"/></mvrectfile>)"),
                10, folder.path());
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_EQ(message("0 1\n1 2\n"), "");
    EXPECT_NE(message("0 1\n1 two\n").find("m.dat:2: \"two\" is not a number"), std::string::npos);
    EXPECT_NE(message("0 1\n1\n").find("m.dat:2: the row has 1 numbers where the case asks for 2"), std::string::npos);
    EXPECT_NE(message("0 1\n1 2\n1 3\n").find("m.dat:3: the time 1 is that of the row before, with another value"),
              std::string::npos);
    EXPECT_NE(message("1 1\n0 2\n0.5 3\n").find("m.dat has 1 rows of numbers in order of time"), std::string::npos);
    EXPECT_EQ(message("0 1\n1 2\n1 2\n2 2\n"), "");
    EXPECT_NE(message("0 1\n").find("needs two at least"), std::string::npos);
    EXPECT_NE(message("0 1\n1 inf\n").find("m.dat:2: a number is not finite"), std::string::npos);
    EXPECT_NE(message("0 1\n1 2 99\n").find("m.dat:2: the row has 3 numbers where the case asks for 2"),
              std::string::npos);
    EXPECT_NE(message("0,5 0,00\n1,5 0,02\n").find("m.dat:1: \"0,5\" has a decimal comma"), std::string::npos);
    EXPECT_EQ(message("\xef\xbb\xbf"
                      "0 1\n1 2\n"),
              "");
}

TEST(PrescribedMotion, IsTheSameFarFromTheOrigin) {
    const auto xml = [](double x) {
        const std::string a = std::to_string(x);
        return R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="2" start="0"/><mvrot id="1" duration="9"><vel ang="90"/>
<axisp1 x=")" + a +
               R"(" y="0" z="0"/><axisp2 x=")" + a +
               R"(" y="0" z="1"/></mvrot><mvrect id="2" duration="9"><vel x="0" y="1.5" z="0"/></mvrect></objreal>)";
    };
    const Motion near(xml(1)), far(xml(131073));
    const Motions here = relative_to(near.data(), {0.5, 0.25, 0}), there = relative_to(far.data(), {131072.5, 0.25, 0});
    for (const double t : {0.3, 4.4, 11.0}) {
        const RigidMotion a = motion_at(here.view(), 0, t), b = motion_at(there.view(), 0, t);
        EXPECT_EQ(a.translation, b.translation);
        EXPECT_EQ(a.velocity, b.velocity);
    }
    const Motions piston = Motion(one(R"(<mvrect id="1" duration="1"><vel x="0.1" y="0" z="0"/></mvrect>)")).data(),
                  far_piston = relative_to(piston, {100000.1, 0, 0});
    EXPECT_EQ(motion_at(piston.view(), 0, 0.7).translation, motion_at(far_piston.view(), 0, 0.7).translation);
}

TEST(PrescribedMotion, ImpossibleMotionIsRefused) {
    EXPECT_NE(error_of(one(R"(<wait id="1" duration="0" next="2"/><mvrect id="2" duration="-1" next="1">
<vel x="1" y="0" z="0"/></mvrect>)"))
                  .find("without time passing"),
              std::string::npos);
    EXPECT_NE(error_of(one(R"(<wait id="1" duration="1e-5" next="2"/><mvrect id="2" duration="1e-5" next="1">
<vel x="1" y="0" z="0"/></mvrect>)"))
                  .find("more than 200000 pieces"),
              std::string::npos);
    EXPECT_NE(error_of(R"(<objreal ref="1"><begin mov="1" start="0"/><begin mov="1" start="1"/>
<mvcir id="1" duration="3"><vel ang="1"/><ref x="0" y="0" z="0"/>)" +
                       z_axis + "</mvcir></objreal>")
                  .find("while it still runs"),
              std::string::npos);
}

TEST(PrescribedMotion, FlatCaseKeepsItsPlane) {
    Case flat = Motion::case_with(one(R"(<mvrect id="1" duration="1"><vel x="1" y="0.5" z="0"/></mvrect>)"));
    EXPECT_NO_THROW(make_motions(flat, 1));
    flat.definition.two_d = true;
    EXPECT_THROW(make_motions(flat, 1), InputError);
    Case turned = Motion::case_with(one(R"(<mvrot id="1" duration="1"><vel ang="1"/>)" + z_axis + "</mvrot>"));
    turned.definition.two_d = true;
    EXPECT_THROW(make_motions(turned, 1), InputError);
}

// The examples of docs/case-format.md work as they stand there, and leave no step out.
TEST(PrescribedMotion, DocumentedExamplesWork) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "piston.dat") << "0 0\n1 0.2\n2 0.1\n";
    std::ofstream(folder.path() / "roll.dat") << "0 0\n1 4\n2 -4\n";
    std::ifstream in(std::string(SLUICE_SOURCE_DIR) + "/docs/case-format.md");
    std::string examples;
    bool section = false, block = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ")) section = line == "## Prescribed motion";
        if (line.starts_with("```"))
            block = line == "```xml";
        else if (section && block)
            examples += line + "\n";
    }
    const Motion m(examples, 20, folder.path());
    EXPECT_EQ(m.data().object_count(), 6);
    for (int object = 0; object < 6; ++object)
        for (const double t : {0.05, 0.6, 3.3}) m.expect_derivative(t, object, 1e-5);
    for (const std::string step :
         {"mvrect", "mvrectace", "mvrectsinu", "mvrectfile", "mvfile", "mvpredef", "mvrot", "mvrotace", "mvrotsinu",
          "mvrotfile", "mvcir", "mvcirace", "mvcirsinu", "wait", "mvnull"})
        EXPECT_NE(examples.find("<" + step + " "), std::string::npos) << step;
}

// A turn with a movement across: 24 m a turn, so that a few intervals do not do.
TEST(PrescribedMotion, KnotsOfAllObjectsTogetherAreLimited) {
    const auto add = [](std::size_t knots_before) {
        Motions motions;
        motions.knots.reserve(knots_before + 1000);
        motions.knots.resize(knots_before);
        MotionPiece turn, move;
        turn.kind = MotionKind::rotation;
        turn.axis = {0, 0, 1};
        turn.rate.x = 3;
        move.kind = MotionKind::translation;
        move.rate = {0, 1.5, 0};
        motions.pieces = {turn, move};
        MotionSegment segment;
        segment.path = MotionPath::knots;
        segment.piece_count = 2;
        add_motion_knots(motions, segment, {}, 10);
        return motions.knots.size() - knots_before;
    };
    const std::size_t alone = add(0);
    EXPECT_GT(alone, 17U) << "more than 16 intervals";
    EXPECT_EQ(add(1'000'000), alone);
    EXPECT_THROW(add(2'000'000), InputError);
}
