// SPDX-License-Identifier: Apache-2.0
#include "core/extent.h"
#include "geometry/wall_shapes.h"
#include "geometry_case.h"

using namespace sluice;
using namespace sluice::test;

namespace drawn_walls_tests {
namespace {

constexpr const char* space =
    R"(<definition dp="0.1"><pointmin x="-1" y="-1" z="-1"/><pointmax x="3" y="3" z="3"/></definition>)";
constexpr const char* plane =
    R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="3" y="0" z="3"/></definition>)";
constexpr const char* box_of_2 = R"(<setmkbound mk="2"/>
<drawbox><boxfill>solid</boxfill><point x="0" y="0" z="0"/><size x="1" y="1" z="2"/></drawbox>)";

std::map<int, DrawnWall> walls_of(const std::string& commands, const char* definition, const std::string& more = "") {
    CaseText text;
    text.commands = commands;
    text.definition = definition;
    text.casedef = more;
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return drawn_walls(read_case_text(text.text(), "case.xml", overrides));
}

Extent extent_of(const DrawnWall& wall) {
    Extent extent;
    for (const Facet& f : wall.facets)
        for (const Vec3d& p : f) extent.add(p);
    for (const auto& line : wall.lines)
        for (const Vec3d& p : line) extent.add(p);
    return extent;
}

} // namespace

TEST(drawn_walls, are_what_the_commands_draw_of_each_mk) {
    const auto walls = walls_of(std::string(box_of_2) + R"(<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="2" y="0" z="0"/><size x="1" y="1" z="1"/></drawbox>
<setmkbound mk="5"/><drawpoint x="2.5" y="0" z="2"/><move x="0.5" y="0" z="0"/>
<drawsphere radius="0.3"><point x="1" y="1" z="1"/></drawsphere>)",
                                space);
    ASSERT_EQ(walls.size(), 2u);
    EXPECT_EQ(walls.at(2).facets.size(), 12u);
    const Extent box = extent_of(walls.at(2)), ball = extent_of(walls.at(5));
    EXPECT_NEAR(box.max.z - box.min.z, 2, 1e-12);
    EXPECT_NEAR(ball.min.x, 1.2, 1e-3);
    EXPECT_NEAR(ball.max.x, 1.8, 1e-3);
}

TEST(drawn_walls, are_those_that_leave_particles) {
    const std::string ball = R"(<drawsphere radius="0.3"><point x="1" y="1" z="1"/></drawsphere>)";
    EXPECT_EQ(walls_of(R"(<setmkbound mk="1"/><setactive drawpoints="0" drawshapes="1"/>)" + ball +
                           R"(<setactive drawpoints="1" drawshapes="0"/>)" + box_of_2,
                       space)
                  .count(1),
              0u);
    EXPECT_EQ(walls_of(R"(<setmkbound mk="1"/>)" + ball + "<resetdraw/>" + box_of_2, space).count(1), 0u);
}

TEST(drawn_walls, lie_where_initials_put_the_particles) {
    const auto walls = walls_of(box_of_2, space, R"(<initials><move mkbound="2" x="0.25" y="0" z="0.5"/></initials>)");
    const Extent box = extent_of(walls.at(2));
    EXPECT_NEAR(box.min.x, 0.25, 1e-12);
    EXPECT_NEAR(box.max.z, 2.5, 1e-12);
}

TEST(drawn_walls, of_a_flat_case_are_lines) {
    const auto walls = walls_of(box_of_2, plane);
    ASSERT_EQ(walls.count(2), 1u);
    EXPECT_TRUE(walls.at(2).facets.empty());
    double length = 0;
    for (const auto& [a, b] : walls.at(2).lines) {
        length += norm(b - a);
        EXPECT_EQ(a.y, b.y);
    }
    EXPECT_NEAR(length, 2 * (1 + 2), 1e-9);
}

} // namespace drawn_walls_tests
