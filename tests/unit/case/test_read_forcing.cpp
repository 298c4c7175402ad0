// SPDX-License-Identifier: Apache-2.0
#include "case/read_case.h"
#include "case_text.h"
#include "core/error.h"
#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::CaseText;

namespace {

Case read_special(const std::string& special) {
    CaseText text;
    text.special = "\n" + special;
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return read_case_text(text.text(), "case.xml", overrides);
}

void expect_refused_special(const std::string& special, const std::string& part) {
    try {
        read_special(special);
        ADD_FAILURE() << "accepted: " << special;
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
}

const std::string limits = R"(<limitmin x="1" y="2" z="3"/><limitmax x="4" y="5" z="6"/>)";

std::string input(const std::string& inside, const std::string& mk = R"(mkfluid="0,2-3")") {
    return "<accinputs><accinput " + mk + ">" + inside + "</accinput></accinputs>";
}

} // namespace

TEST(ReadDamping, Planes) {
    const Case c = read_special("<damping><dampingzone>" + limits + R"(<overlimit value="2"/><redumax value="7"/>
        <factorxyz x="1" y="0.5" z="0"/><domain zmin="-1" zmax="2"><point1 x="0" y="1"/><point2 x="2" y="1"/>
        <point3 x="2" y="3"/><point4 x="0" y="3"/></domain></dampingzone><dampingzone>)" +
                                limits + "</dampingzone></damping>");
    ASSERT_EQ(c.damping.size(), 2U);
    const DampingZone& zone = c.damping[0];
    EXPECT_EQ(zone.shape, DampingZone::Shape::plane);
    EXPECT_EQ(zone.inner_min.y, 2);
    EXPECT_EQ(zone.outer_min.z, 6);
    EXPECT_EQ(zone.over_limit, 2);
    EXPECT_EQ(zone.rate, 7);
    EXPECT_EQ(zone.factor.y, 0.5);
    EXPECT_TRUE(zone.has_domain);
    EXPECT_EQ(zone.corner[2].y, 3);
    EXPECT_EQ(zone.z_min, -1);
    EXPECT_EQ(zone.z_max, 2);
    EXPECT_EQ(c.damping[1].rate, 10);
    EXPECT_EQ(c.damping[1].over_limit, 0);
    EXPECT_FALSE(c.damping[1].has_domain);
}

TEST(ReadDamping, BoxesAndCylinders) {
    const Case c = read_special(R"(<damping><dampingbox><directions value="all,-top,-left"/>
        <limitmin><pointini x="0" y="1" z="0"/><pointend x="5" y="3" z="2"/></limitmin>
        <limitmax><pointini x="-1" y="0" z="0"/><pointend x="8" y="4" z="2"/></limitmax></dampingbox>
        <dampingcylinder><point1 x="1" y="0" z="0"/><point2 x="1" y="0" z="2"/><limitmin radius="5"/><limitmax radius="8"/>
        </dampingcylinder></damping>)");
    ASSERT_EQ(c.damping.size(), 2U);
    const bool active[] = {false, true, true, true, true, false};
    for (int face = 0; face < 6; ++face) EXPECT_EQ(c.damping[0].active[face], active[face]) << face;
    EXPECT_EQ(c.damping[0].inner_max.x, 5);
    EXPECT_EQ(c.damping[0].outer_min.x, -1);
    EXPECT_EQ(c.damping[1].shape, DampingZone::Shape::cylinder);
    EXPECT_EQ(c.damping[1].axis.z, 1);
    EXPECT_EQ(c.damping[1].inner_radius, 5);
    EXPECT_EQ(c.damping[1].outer_radius, 8);
}

TEST(ReadDamping, SaysWhatIsWrong) {
    expect_refused_special("<damping><zone/></damping>", "<damping> has no <zone>");
    expect_refused_special("<damping><dampingzone>" + limits + "<redumx value=\"1\"/></dampingzone></damping>",
                           "redumx");
    expect_refused_special(
        R"(<damping><dampingzone><limitmin x="1" y="2" z="3"/><limitmax x="1" y="2" z="3"/></dampingzone>
        </damping>)",
        "the same place");
    expect_refused_special("<damping><dampingzone>" + limits + "<redumax value=\"-1\"/></dampingzone></damping>",
                           "is negative");
    expect_refused_special(R"(<damping><dampingbox><directions value="up"/><limitmin><pointini x="0" y="0" z="0"/>
        <pointend x="1" y="1" z="1"/></limitmin><limitmax><pointini x="0" y="0" z="0"/><pointend x="1" y="1" z="1"/>
        </limitmax></dampingbox></damping>)",
                           "\"up\" is none of");
    expect_refused_special(R"(<damping><dampingcylinder><point1 x="1" y="0" z="0"/><point2 x="1" y="0" z="2"/>
        <limitmin radius="8"/><limitmax radius="5"/></dampingcylinder></damping>)",
                           "must be above");
    expect_refused_special(R"(<damping><dampingcylinder><point1 x="1" y="0" z="0"/><point2 x="1" y="0" z="2"/>
        <limitmin radius="5"/><limitmax radius="5"/></dampingcylinder></damping>)",
                           "must be above");
    expect_refused_special(R"(<damping><dampingcylinder><point1 x="1" y="0" z="2"/><point2 x="1" y="0" z="2"/>
        <limitmin radius="5"/><limitmax radius="8"/></dampingcylinder></damping>)",
                           "point1 and point2 are the same");
}

TEST(ReadAccelerations, GivenInTime) {
    const Case c =
        read_special(input(R"(<time start="1" end="4"/><acccentre x="1" y="2" z="3"/><globalgravity value="0"/>
        <acctimes><timevalue time="0.5" linz="2"/><timevalue time="2" angy="5"/></acctimes>)"));
    ASSERT_EQ(c.acceleration_inputs.size(), 1U);
    const AccelerationInputDef& in = c.acceleration_inputs[0];
    EXPECT_EQ(in.mkfluid, (std::vector<int>{0, 2, 3}));
    EXPECT_EQ(in.start, 1);
    EXPECT_EQ(in.end, 4);
    EXPECT_EQ(in.centre.z, 3);
    EXPECT_FALSE(in.gravity);
    ASSERT_EQ(in.samples.size(), 2U);
    EXPECT_EQ(in.samples[0].linear.z, 2);
    EXPECT_EQ(in.samples[1].angular.y, 5);
    EXPECT_EQ(in.samples[1].time, 2);
    EXPECT_FALSE(in.rotation);
    EXPECT_EQ(read_special(input(R"(<acctimesfile value="a.csv"/>)")).acceleration_inputs[0].file, "a.csv");
    const auto rotation = [](const std::string& word) {
        return read_special(input("<rotation value=\"" + word + R"("/><acctimesfile value="a.csv"/>)"))
            .acceleration_inputs[0]
            .rotation;
    };
    EXPECT_EQ(rotation("frame"), Rotation::of_frame);
    EXPECT_EQ(rotation("reference"), Rotation::of_reference);
}

TEST(ReadAccelerations, SaysWhatIsWrong) {
    expect_refused_special(input(""), "either <acctimes> or <acctimesfile>");
    expect_refused_special(input("<acctimes/>"), "has no <timevalue>");
    expect_refused_special(input(R"(<acctimesfile value="../a.csv"/>)"), "../a.csv");
    expect_refused_special(input(R"(<acctimes><timevalue time="1"/><timevalue time="1"/></acctimes>)"),
                           "does not come after");
    expect_refused_special(input(R"(<globalgravity value="2"/><acctimes><timevalue time="1"/></acctimes>)"),
                           "neither 0 nor 1");
    expect_refused_special(input(R"(<rotation value="Reference"/><acctimes><timevalue time="1"/></acctimes>)"),
                           "\"Reference\" is neither frame");
    expect_refused_special(input(R"(<acctimes><timevalue time="1"/></acctimes>)", ""), "mkfluid");
    const Case c = read_special(input(R"(<acctimes><timevalue time="1"/></acctimes>)", R"(mkbound="1")"));
    ASSERT_EQ(c.unsupported_in_run.size(), 1U);
    EXPECT_NE(c.unsupported_in_run[0].message().find("mkbound"), std::string::npos);
}

// Words of older files: the fluids and the file as elements.
TEST(ReadAccelerations, OlderWords) {
    const Case c = read_special(
        R"(<accinputs><accinput><mkfluid value="0,2"/><datafile value="acc.csv"/></accinput></accinputs>)");
    ASSERT_EQ(c.acceleration_inputs.size(), 1U);
    EXPECT_EQ(c.acceleration_inputs[0].mkfluid, (std::vector<int>{0, 2}));
    EXPECT_EQ(c.acceleration_inputs[0].file, "acc.csv");
}
