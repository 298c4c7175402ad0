// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "geometry/generate.h"
#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::CaseText;

namespace {

ParticleSet generate(const std::string& commands, std::vector<Diagnostic>* diagnostics = nullptr,
                     bool three_d = false) {
    CaseText t;
    t.commands = commands;
    if (three_d)
        t.definition =
            R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="2" y="2" z="2"/></definition>)";
    std::vector<Diagnostic> mine;
    return generate_particles(read_case_text(t.text(), "case.xml"), diagnostics ? *diagnostics : mine);
}

std::string box(const char* fill, const char* point, const char* size) {
    return std::string("<drawbox><boxfill>") + fill + "</boxfill><point " + point + "/><size " + size + "/></drawbox>";
}

const char* origin = R"(x="0" y="0" z="0")";
const char* unit = R"(x="1" y="1" z="1")";

} // namespace

TEST(Boxes, LastDrawWinsAndVoidErases) {
    const ParticleSet set = generate("<setmkfluid mk=\"0\"/>" + box("solid", origin, unit) + "<setmkbound mk=\"3\"/>" +
                                     box("bottom", origin, unit) + "<setmkvoid/>" + box("left", origin, unit));
    ASSERT_EQ(set.blocks.size(), 2u);
    EXPECT_EQ(set.blocks[0].mk, 13);
    EXPECT_EQ(set.blocks[0].mk_type, 3);
    EXPECT_EQ(set.blocks[0].type, ParticleType::fixed);
    EXPECT_EQ(set.blocks[0].count, 10u);
    EXPECT_EQ(set.blocks[1].count, 100u);
    EXPECT_EQ(set.boundary_count, 10u);
    EXPECT_EQ(set.blocks[1].begin, 10u);
}

TEST(Boxes, FacesOfABoxInThreeDimensions) {
    EXPECT_EQ(generate("<setmkbound mk=\"0\"/>" + box("all", origin, unit), nullptr, true).size(),
              11u * 11 * 11 - 9 * 9 * 9);
    EXPECT_EQ(generate("<setmkbound mk=\"0\"/>" + box("all ^ top", origin, unit), nullptr, true).size(),
              11u * 11 * 11 - 9 * 9 * 10);
    EXPECT_EQ(generate("<setmkbound mk=\"0\"/>" + box("left | right", origin, unit), nullptr, true).size(),
              2u * 11 * 11);
    EXPECT_EQ(generate("<setmkbound mk=\"0\"/><setdrawmode mode=\"wire\"/>" + box("solid", origin, unit), nullptr, true)
                  .size(),
              12u * 9 + 8 + 2 * 9); // and the diagonals of bottom and top
}

// Without a mode, a box is drawn as in the mode solid: the reference generator does so, and it surprises.
TEST(Boxes, AMissingDrawModeIsAWarning) {
    CaseText t;
    std::string text = t.text();
    const std::string mode = "<setdrawmode mode=\"full\"/>";
    text.erase(text.find(mode), mode.size());
    std::vector<Diagnostic> diagnostics;
    EXPECT_EQ(generate_particles(read_case_text(text, "case.xml", {}), diagnostics).size(), 81u);
    ASSERT_FALSE(diagnostics.empty());
    EXPECT_NE(diagnostics[0].message.find("no draw mode is set"), std::string::npos);
    diagnostics.clear();
    EXPECT_EQ(generate_particles(read_case_text(t.text(), "case.xml", {}), diagnostics).size(), 121u);
    EXPECT_TRUE(diagnostics.empty());
}

TEST(Boxes, BlocksAscendByTypeThenMk) {
    const ParticleSet set =
        generate("<setmkfluid mk=\"2\"/>" + box("solid", origin, R"(x="0.1" y="0" z="0")") + "<setmkfluid mk=\"0\"/>" +
                 box("solid", R"(x="0.5" y="0" z="0")", R"(x="0.1" y="0" z="0")") + "<setmkbound mk=\"1\"/>" +
                 box("solid", R"(x="0.8" y="0" z="0")", R"(x="0.1" y="0" z="0")"));
    ASSERT_EQ(set.blocks.size(), 3u);
    EXPECT_EQ(set.blocks[0].mk, 11);
    EXPECT_EQ(set.blocks[1].mk, 1);
    EXPECT_EQ(set.blocks[2].mk, 3);
    EXPECT_EQ(set.velocity.size(), set.size());
    for (const ParticleBlock& b : set.blocks)
        for (std::uint32_t i = b.begin; i < b.begin + b.count; ++i) {
            EXPECT_GE(set.position[i].x, b.min.x);
            EXPECT_LE(set.position[i].x, b.max.x);
        }
}

TEST(Boxes, NearestPlaneAndClipping) {
    const ParticleSet set =
        generate("<setmkfluid mk=\"0\"/>" + box("solid", R"(x="0.04" y="-1" z="0.06")", R"(x="50" y="2" z="0")"));
    EXPECT_NEAR(set.blocks[0].min.x, 0.0, 1e-12);
    EXPECT_NEAR(set.blocks[0].max.x, 1.9, 1e-12); // the plane at pointmax is not drawn on
    EXPECT_NEAR(set.blocks[0].min.z, 0.1, 1e-12);
}

TEST(Boxes, EmptyDrawIsAWarningAndAnEmptyCaseAnError) {
    std::vector<Diagnostic> d;
    generate("<setmkfluid mk=\"0\"/>" + box("solid", origin, unit) + "\n" + box("solid", R"(x="9" y="0" z="9")", unit),
             &d);
    ASSERT_EQ(d.size(), 1u);
    EXPECT_EQ(d[0].where.line, 14);
    EXPECT_NE(d[0].message.find("draws nothing"), std::string::npos);
    EXPECT_NE(d[0].message.find("(it reaches from (9, 0, 9) to (10, "), std::string::npos) << d[0].message;
    EXPECT_THROW(generate("<setmkfluid mk=\"0\"/>"), InputError);
    EXPECT_THROW(generate(box("solid", origin, unit)), InputError);
}

TEST(Boxes, WhatIsCutOffIsAWarning) {
    const auto warnings = [&](const std::string& mk, const char* size, const char* parts = "solid") {
        std::vector<Diagnostic> d;
        generate("<" + mk + " mk=\"0\"/>" + box(parts, R"(x="0.5" y="-1" z="0.5")", size), &d);
        std::erase_if(d, [](const Diagnostic& each) { return each.message.find("not drawn") == std::string::npos; });
        return d;
    };
    const std::vector<Diagnostic> wall = warnings("setmkbound", R"(x="3" y="2" z="1")");
    ASSERT_EQ(wall.size(), 1u);
    EXPECT_NE(wall[0].message.find("reaches x = 3.5 m, and the last plane of the lattice is at 1.9 m"),
              std::string::npos)
        << wall[0].message;
    EXPECT_NE(wall[0].message.find("pointmax"), std::string::npos);
    EXPECT_EQ(wall[0].where.line, 13);
    EXPECT_TRUE(warnings("setmkbound", R"(x="1.5" y="2" z="1.5")").empty()); // to pointmax itself
    // a wall there would be missing as a whole
    EXPECT_EQ(warnings("setmkbound", R"(x="1.5" y="2" z="1")", "bottom | right").size(), 1u);
    EXPECT_TRUE(warnings("setmkbound", R"(x="1.4" y="2" z="1")", "bottom | right").empty());
    EXPECT_TRUE(warnings("setmkbound", R"(x="1.5" y="2" z="1")", "bottom | left").empty());
    // what is beyond has no face
    EXPECT_TRUE(warnings("setmkbound", R"(x="1" y="2" z="9")", "bottom").empty());
    EXPECT_TRUE(warnings("setmkbound", R"(x="9" y="2" z="1")", "left").empty());
    EXPECT_EQ(warnings("setmkbound", R"(x="1" y="2" z="9")", "bottom | left").size(), 1u);
    EXPECT_EQ(warnings("setmkfluid", R"(x="3" y="2" z="1")").size(), 1u);
    EXPECT_TRUE(warnings("setmkfluid", R"(x="1.5" y="2" z="1.5")").empty());
}

TEST(Boxes, FarFromTheOriginTheLatticeIsTheSame) {
    CaseText t;
    t.definition =
        R"(<definition dp="0.1"><pointmin x="99999" y="0" z="6999"/><pointmax x="100002" y="0" z="7002"/></definition>)";
    t.commands = "<setmkfluid mk=\"0\"/>" + box("solid", R"(x="100000" y="-1" z="7000")", R"(x="1" y="2" z="1")");
    std::vector<Diagnostic> d;
    const ParticleSet set = generate_particles(read_case_text(t.text(), "case.xml"), d);
    EXPECT_EQ(set.size(), 121u);
    EXPECT_NEAR(set.blocks[0].min.x, 100000, 1e-9);
}

TEST(Boxes, AbsurdSizesAreRefusedBeforeTheyAreDrawn) {
    // 4e10 nodes: if any were drawn, the test would not come to an end
    const char* shapes[] = {
        R"(<drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/><size x="2" y="2" z="2"/></drawbox>)",
        R"(<drawsphere radius="1"><point x="1" y="1" z="1"/></drawsphere>)",
        // off the lattice: few places across, many along its other two sides
        R"(<setfrdrawmode auto="true"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/><size x="12" y="0.001" z="12"/></drawbox>)",
        R"(<setfrdrawmode auto="true"/><drawextrude closed="false"><extrude x="0" y="6e5" z="0"/><point x="0" y="0" z="0"/><point x="0.0005" y="0" z="0"/></drawextrude>)"};
    const std::string places[] = {"", "", "has 1.1e+09 places", "has 2e+09 places"};
    std::size_t n = 0;
    for (const char* shape : shapes) {
        CaseText t;
        t.definition =
            R"(<definition dp="6e-4"><pointmin x="0" y="0" z="0"/><pointmax x="2" y="2" z="2"/></definition>)";
        t.commands = std::string("<setmkfluid mk=\"0\"/>\n") + shape;
        std::vector<Diagnostic> d;
        try {
            generate_particles(read_case_text(t.text(), "case.xml"), d);
            FAIL();
        } catch (const InputError& e) {
            EXPECT_TRUE(std::string(e.what()).starts_with("case.xml:14: ")) << e.what();
            EXPECT_NE(std::string(e.what()).find(places[n++]), std::string::npos) << e.what();
        }
    }
}
