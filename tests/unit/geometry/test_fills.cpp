// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "geometry_case.h"
#include <fmt/format.h>

using namespace sluice;
using namespace sluice::test;

namespace {
const char* plane = R"(<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="3" y="0" z="3"/></definition>)";
const char* space = R"(<definition dp="0.1"><pointmin x="0" y="0" z="0"/><pointmax x="2" y="2" z="2"/></definition>)";
const char* tank =
    R"(<setmkbound mk="0"/><drawbox><boxfill>all</boxfill><point x="0.5" y="-1" z="0.5"/><size x="2" y="2" z="1"/></drawbox>)";

bool says(const std::vector<Diagnostic>& all, const std::string& part) {
    for (const Diagnostic& d : all)
        if (d.message.find(part) != std::string::npos && d.where.line > 0) return true;
    return false;
}
} // namespace

// The box of a fill is open: its own border is not filled, unless setboxlimitmode says so.
TEST(Fills, BoxLimits) {
    const std::string fill =
        R"(<setmkfluid mk="0"/><fillbox x="1" y="0" z="0.7"><modefill>void</modefill><point x="0" y="-1" z="0"/><size x="2.9" y="2" z="1"/></fillbox>)";
    EXPECT_EQ(count(generate(tank + fill, plane), 1), 19u * 4);
    EXPECT_EQ(count(generate(tank + ("<setboxlimitmode mode=\"full\"/>" + fill), plane), 1), 19u * 5);
}

TEST(Fills, StopAtWallsAndWarn) {
    std::vector<Diagnostic> d;
    generate(std::string(tank) +
                 R"(<setmkfluid mk="0"/><fillpoint x="0.1" y="0" z="0.1"><modefill>void</modefill></fillpoint>)",
             plane, &d);
    EXPECT_TRUE(says(d, "the walls around it are open"));
    d.clear();
    generate(std::string(tank) +
                 R"(<setmkfluid mk="0"/><fillpoint x="0.5" y="0" z="0.5"><modefill>void</modefill></fillpoint>)",
             plane, &d);
    EXPECT_TRUE(says(d, "already something else"));
    d.clear();
    generate(std::string(tank) +
                 R"(<setmkfluid mk="0"/><fillpoint x="9" y="0" z="0.5"><modefill>void</modefill></fillpoint>)",
             plane, &d);
    EXPECT_TRUE(says(d, "outside the region"));
}

TEST(Fills, ModesAndBorder) {
    // Fluid turned into another fluid, its border too.
    const std::string water =
        R"(<setmkfluid mk="0"/><fillpoint x="1" y="0" z="0.7"><modefill>void</modefill></fillpoint><setmkfluid mk="1"/>)";
    const auto set = generate(
        tank + (water + R"(<fillpoint x="1" y="0" z="0.7" mkfluid="0"><modefill>fluid</modefill></fillpoint>)"), plane);
    EXPECT_EQ(count(set, 2), 19u * 9);
    // The empty space with what is around it.
    const auto border = generate(
        tank + std::string(
                   R"(<setmkfluid mk="1"/><fillpoint x="1" y="0" z="0.7"><modefill>border</modefill></fillpoint>)"),
        plane);
    EXPECT_EQ(count(border, 2), 21u * 11);
    const auto erased = generate(
        tank + (water + R"(<setmkvoid/><fillpoint x="1" y="0" z="0.7"><modefill>fluid</modefill></fillpoint>)"), plane);
    EXPECT_EQ(erased.size(), 60u);
    EXPECT_EQ(
        count(generate(tank + std::string(R"(<setmkfluid mk="0"/><fillvoidpoint x="1" y="0" z="0.7"/>)"), plane), 1),
        19u * 9);
}

TEST(Fills, PrismLimits) {
    const auto set =
        generate(std::string(R"(<setmkfluid mk="0"/><fillprism x="0.6" y="0" z="0.55"><modefill>void</modefill>
        <point x="0.5" y="-1" z="0.5"/><point x="0.5" y="-1" z="1.5"/><point x="1.5" y="-1" z="0.5"/>
        <point x="0.5" y="1" z="0.5"/><point x="0.5" y="1" z="1.5"/><point x="1.5" y="1" z="0.5"/></fillprism>)"),
                 plane);
    // The nodes inside a triangle of ten by ten steps; those on its slanted face are a matter of rounding.
    EXPECT_GE(set.size(), 36u);
    EXPECT_LE(set.size(), 45u);
}

TEST(Redraws, ByMkAndByBox) {
    const std::string two =
        R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox><setmkbound mk="4"/>)";
    EXPECT_EQ(count(generate(two + R"(<redraw mkfluid="0"/>)", plane), 14), 121u);
    EXPECT_EQ(count(generate(two + R"(<redraw mkbound="0"/>)", plane), 14), 0u);
    EXPECT_EQ(count(generate(two + R"(<redrawbox><point x="0" y="-1" z="0"/><size x="0.5" y="2" z="0.5"/></redrawbox>)",
                             plane),
                    14),
              16u);
    EXPECT_EQ(count(generate(two + "<redraw/>", plane), 14), 900u);
}

// Rings around a square: four times, as in the surface-tension case of the field.
TEST(Redraws, NearGrowsRings) {
    const auto set = generate(
        R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="1" y="-1" z="1"/><size x="1" y="2" z="1"/></drawbox>
        <setmkbound mk="0"/><redrawnear targettp="void" bordertp="fluid"/><redrawnear times="3" targettp="void" bordertp="bound"/>)",
        plane);
    EXPECT_EQ(count(set, 10), 19u * 19 - 121u);
    const auto top = generate(
        R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="1" y="-1" z="1"/><size x="1" y="2" z="1"/></drawbox>
        <setmkbound mk="0"/><redrawnear targettp="void" bordertp="fluid"><dirfilter>top</dirfilter></redrawnear>)",
        plane);
    EXPECT_EQ(count(top, 10), 11u);
    const auto skin = generate(
        R"(<setmkfluid mk="0"/><drawbox><boxfill>solid</boxfill><point x="1" y="-1" z="1"/><size x="1" y="2" z="1"/></drawbox>
        <setmkbound mk="0"/><redrawnear targettp="fluid" bordertp="void"/>)",
        plane);
    EXPECT_EQ(count(skin, 10), 40u);
}

// With dirfilter what lies straight on those sides of the border, or between them.
TEST(Redraws, NearOnTheSidesThatAreNamed) {
    const auto drawn = [](const std::string& sides) {
        return generate(R"(<setmkfluid mk="0"/><drawpoint x="1" y="1" z="1"/><setmkbound mk="0"/>
            <redrawnear targettp="void" bordertp="fluid"><dirfilter>)" +
                            sides + "</dirfilter></redrawnear>",
                        space);
    };
    const std::vector<std::pair<const char*, Vec3d>> sides{{"left", {0.9, 1, 1}},   {"right", {1.1, 1, 1}},
                                                           {"front", {1, 0.9, 1}},  {"back", {1, 1.1, 1}},
                                                           {"bottom", {1, 1, 0.9}}, {"top", {1, 1, 1.1}}};
    for (const auto& [side, place] : sides) {
        const ParticleSet set = drawn(side);
        ASSERT_EQ(count(set, 10), 1u) << side;
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(block(set, 10).min[axis], place[axis], 1e-9) << side;
    }
    EXPECT_EQ(count(drawn("top | right"), 10), 3u);
    EXPECT_EQ(count(drawn("top | right | back"), 10), 7u);
    EXPECT_EQ(count(drawn("all"), 10), 26u);
    EXPECT_THROW(drawn("above"), InputError);
}

TEST(Control, ListsVariablesAndNextMk) {
    CaseText base;
    const std::string commands =
        R"(<newvar w="0.3"/><setmkbound mk="1"/><move x="0.2" y="0" z="0.2"/><runlist name="row" times="3"/>
        </mainlist><list name="row"><matrixsave/><runlist name="block" times="#1+1"/><matrixload/><move x="0" y="0" z="#w+0.2"/></list>
        <list name="block"><drawbox><boxfill>solid</boxfill><point x="0" y="-1" z="0"/><size x="#w" y="2" z="#w"/></drawbox><move x="#w+0.2" y="0" z="0"/><setmknextbound next="true"/></list><mainlist active="false">)";
    const auto set = generate(commands, plane);
    ASSERT_EQ(set.blocks.size(), 6u);
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(set.blocks[i].mk, 11 + i);
        EXPECT_EQ(set.blocks[i].count, 16u);
    }
    EXPECT_NEAR(block(set, 14).min.x, 0.7, 1e-9);
    EXPECT_NEAR(block(set, 14).min.z, 0.7, 1e-9);
}

TEST(Control, TheNextMkOfAnotherKindIsItsFirst) {
    const auto set = generate(
        R"(<setmkfluid mk="3"/><drawpoint x="0" y="0" z="0"/><setmknextbound next="true"/><drawpoint x="0.2" y="0" z="0"/>
        <setmknextbound next="true"/><drawpoint x="0.4" y="0" z="0"/><setmknextfluid next="true"/><drawpoint x="0.6" y="0" z="0"/>)",
        plane);
    std::vector<int> numbers;
    for (const ParticleBlock& b : set.blocks) numbers.push_back(b.mk);
    EXPECT_EQ(numbers, (std::vector<int>{10, 11, 1, 4}));
}

// Later parts take the nodes of those before them: one triangle keeps its corner of the 2 x 2 nodes off the edges, and
// the faces front, right, back and left keep 2, 3, 3 and 4 of their columns of 4. The mk after the last part is left
// out.
TEST(Control, TheNextMkOfEachPartOfABox) {
    const std::string box =
        R"(<drawbox><boxfill>solid</boxfill><point x="0.5" y="0.5" z="0.5"/><size x="0.3" y="0.3" z="0.3"/></drawbox>)";
    const auto set = generate(R"(<setdrawmode mode="face"/><setmkbound mk="0"/><setmknextauto auto="true"/>)" + box +
                                  R"(<drawpoint x="0" y="0" z="0"/>)",
                              space);
    std::vector<std::pair<int, std::uint32_t>> made;
    for (const ParticleBlock& b : set.blocks) made.push_back({b.mk, b.count});
    EXPECT_EQ(made, (std::vector<std::pair<int, std::uint32_t>>{
                        {10, 1}, {11, 3}, {12, 1}, {13, 3}, {14, 8}, {15, 12}, {16, 12}, {17, 16}, {19, 1}}));
    EXPECT_NEAR(block(set, 10).min.x, 0.6, 1e-9);
    const auto next_after = [&](const char* mk) { // of nine
        return generate(
            fmt::format(R"(<setmkfluid mk="{}"/><setmknextfluid next="true"/><drawpoint x="0" y="0" z="0"/>)", mk),
            space);
    };
    EXPECT_EQ(count(next_after("7"), 9), 1u);
    EXPECT_THROW(next_after("8"), InputError);
    EXPECT_THROW(generate(R"(<setdrawmode mode="full"/><setmkfluid mk="0"/><setmknextauto auto="true"/>)" + box, space),
                 InputError);
}

TEST(Control, TypesFromMotionAndFloatings) {
    CaseText base;
    base.casedef =
        R"(<floatings><floating mkbound="1-2" rhopbody="500"/></floatings><motion><objreal ref="3"><begin mov="1" start="0"/><mvrect id="1" duration="2"><vel x="1" y="0" z="0"/></mvrect></objreal></motion>
        <initials><velocity mkfluid="0" x="2" y="0" z="0"/><move mkbound="1" x="0.05" y="0" z="0"/></initials>)";
    std::string commands = R"(<setmkfluid mk="0"/><drawpoint x="2" y="0" z="2"/>)";
    for (int mk = 0; mk < 4; ++mk)
        commands += "<setmkbound mk=\"" + std::to_string(mk) + "\"/><drawpoint x=\"" + std::to_string(0.2 * mk) +
                    "\" y=\"0\" z=\"0\"/>";
    const auto set = generate(commands, plane, nullptr, base);
    EXPECT_EQ(block(set, 10).type, ParticleType::fixed);
    EXPECT_EQ(block(set, 11).type, ParticleType::floating);
    EXPECT_EQ(block(set, 13).type, ParticleType::moving);
    EXPECT_EQ(set.boundary_count, 4u);
    EXPECT_EQ(set.blocks[1].mk, 13); // fixed, moving, floating, fluid
    EXPECT_EQ(set.velocity[4].x, 2);
    EXPECT_NEAR(block(set, 11).min.x, 0.25, 1e-9);
}

TEST(Fills, ThreeDimensions) {
    const auto set = generate(
        R"(<setmkbound mk="0"/><drawbox><boxfill>all</boxfill><point x="0.2" y="0.2" z="0.2"/><size x="1" y="1" z="1"/></drawbox>
        <setmkfluid mk="0"/><fillpoint x="0.5" y="0.5" z="0.5"><modefill>void</modefill></fillpoint>)",
        space);
    EXPECT_EQ(count(set, 1), 9u * 9 * 9);
}

// A box is cut off at the lattice, whether it ends at pointmax or beyond it.
TEST(Fills, ABoxMayEndAtPointmax) {
    const std::string definition =
        R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>)";
    for (const char* size : {"2.9", "3", "3.5"}) {
        const ParticleSet set = generate(
            std::string(
                R"(<setmkbound mk="0"/><drawbox><boxfill>left | right | bottom</boxfill><point x="0" y="-1" z="0"/><size x="1" y="2" z="1"/></drawbox>
                <setmkfluid mk="0"/><fillbox x="0.5" y="0" z="0.2"><modefill>void</modefill><point x="-1" y="-1" z="-1"/><size x=")") +
                size + R"(" y="2" z="1.5"/></fillbox>)",
            definition);
        EXPECT_EQ(count(set, 1), 9u * 4) << size;
    }
}
