// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "geometry/generate.h"
#include <gtest/gtest.h>

using namespace sluice;
using sluice::test::CaseText;

// The geometry of two dam-break cases of the field, with the particles that the reference generator 5.4.354 makes of
// them (count, extent and mean per mk).

namespace {

struct Expected {
    int mk;
    std::uint32_t count;
    Vec3d min, max, mean;
};

void expect_blocks(const CaseText& text, const std::vector<Expected>& expected) {
    std::vector<Diagnostic> diagnostics;
    const ParticleSet set = generate_particles(read_case_text(text.text(), "case.xml"), diagnostics);
    ASSERT_EQ(set.blocks.size(), expected.size());
    for (std::size_t b = 0; b < expected.size(); ++b) {
        const ParticleBlock& block = set.blocks[b];
        EXPECT_EQ(block.mk, expected[b].mk);
        EXPECT_EQ(block.count, expected[b].count);
        Vec3d sum;
        for (std::uint32_t i = block.begin; i < block.begin + block.count; ++i) sum = sum + set.position[i];
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(block.min[axis], expected[b].min[axis], 1e-6);
            EXPECT_NEAR(block.max[axis], expected[b].max[axis], 1e-6);
            EXPECT_NEAR(block.mean[axis], expected[b].mean[axis], 1e-6);
            EXPECT_NEAR(sum[axis] / block.count, block.mean[axis], 1e-9);
        }
    }
}

} // namespace

TEST(DamBreak, ThreeDimensionsWithObstacle) {
    CaseText t;
    t.definition =
        R"(<definition dp="0.0085"><pointmin x="-0.05" y="-0.05" z="-0.05"/><pointmax x="2" y="1" z="1"/></definition>)";
    t.commands = R"(<setshapemode>dp | bound</setshapemode><setdrawmode mode="full"/>
        <setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/><size x="0.4" y="0.67" z="0.3"/></drawbox>
        <setmkbound mk="0"/><drawbox><boxfill>bottom | left | right | front | back</boxfill><point x="0" y="0" z="0"/><size x="1.6" y="0.67" z="0.4"/></drawbox>
        <shapeout file="Box"/>
        <setmkvoid/><drawbox><boxfill>solid</boxfill><point x="0.9" y="0.24" z="0"/><size x="0.12" y="0.12" z="0.45"/></drawbox>
        <setmkbound mk="1"/><drawbox><boxfill>top | left | right | front | back</boxfill><point x="0.9" y="0.24" z="0"/><size x="0.12" y="0.12" z="0.45"/></drawbox>
        <setmkbound mk="10"/><drawbox><boxfill>left</boxfill><point x="0.9" y="0.24" z="0"/><size x="0.12" y="0.12" z="0.45"/></drawbox>)";
    expect_blocks(t, {{10, 39993, {0.001, 0.001, 0.001}, {1.599, 0.6725, 0.4005}, {0.7990914, 0.3369652, 0.1290222}},
                      {11, 2383, {0.9105, 0.239, 0.001}, {1.021, 0.358, 0.4515}, {0.9817245, 0.2985, 0.2422245}},
                      {20, 810, {0.902, 0.239, 0.001}, {0.902, 0.358, 0.4515}, {0.902, 0.2985, 0.22625}},
                      {1, 128310, {0.0095, 0.0095, 0.0095}, {0.4005, 0.664, 0.2985}, {0.205, 0.33675, 0.154}}});
}

TEST(DamBreak, TwoDimensions) {
    CaseText t;
    t.definition =
        R"(<definition dp="0.01"><pointref x="0" y="0" z="0"/><pointmin x="-1" y="0" z="-1"/><pointmax x="4.5" y="0" z="3.5"/></definition>)";
    t.commands =
        R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="2"/></drawbox>
        <setmkbound mk="0"/><drawbox><boxfill>bottom | left | right | front | back</boxfill><point x="0" y="-1" z="0"/><size x="4" y="2" z="3"/></drawbox>)";
    expect_blocks(t, {{10, 1001, {0, 0, 0}, {4, 0, 3}, {2, 0, 0.9020979}},
                      {1, 20000, {0.01, 0, 0.01}, {1, 0, 2}, {0.505, 0, 1.005}}});
}

TEST(ShippedCases, AreReadWithoutWarnings) {
    const std::pair<const char*, std::uint32_t> cases[] = {
        {"dam-break-2d", 8060}, {"dam-break-3d", 60887}, {"hydrostatic-tank", 5685}};
    for (const auto& [name, count] : cases) {
        const Case c = read_case(std::string(SLUICE_SOURCE_DIR) + "/cases/" + name + ".xml");
        std::vector<Diagnostic> diagnostics = c.diagnostics;
        EXPECT_EQ(generate_particles(c, diagnostics).size(), count) << name;
        for (const Diagnostic& d : diagnostics)
            EXPECT_EQ(d.level, Diagnostic::Level::info) << name << ": " << d.message;
    }
}
