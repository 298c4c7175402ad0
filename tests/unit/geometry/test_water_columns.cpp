// SPDX-License-Identifier: Apache-2.0
#include "geometry_case.h"

using namespace sluice;
using namespace sluice::test;

namespace {

const char* plane_around_zero =
    R"(<definition dp="0.1"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>)";

std::string box_of_mk(const char* mk, double low, double high) {
    return "<setmk" + std::string(mk) + "/><drawbox><boxfill>solid</boxfill><point x=\"0\" y=\"-1\" z=\"" +
           std::to_string(low) + "\"/><endpoint x=\"0.3\" y=\"1\" z=\"" + std::to_string(high) + "\"/></drawbox>";
}

/// Water under gravity along z, its densities by the depths of its columns.
ParticleSet columns_of(double gravity, const std::string& commands) {
    CaseText base;
    base.constants =
        "<gravity x=\"0\" y=\"0\" z=\"" + std::to_string(gravity) + R"("/><coefh value="1"/><rhopgradient value="2"/>)";
    base.casedef = R"(<floatings><floating mkbound="5" rhopbody="500"/></floatings>)";
    return generate(commands, plane_around_zero, nullptr, base);
}

/// Depth of the fluid at a height above the ground, on x = 0.1.
double depth_at(const ParticleSet& set, double z) {
    for (std::uint32_t n = set.boundary_count; n < set.size(); ++n)
        if (std::abs(set.position[n].x - 0.1) < 1e-9 && std::abs(set.position[n].z - z) < 1e-9)
            return set.depth[n - set.boundary_count];
    ADD_FAILURE() << "no fluid at " << z;
    return -1;
}

} // namespace

// What holds below a lid holds for the same turned upside down, gravity too: mirrored at z = 0.5.
TEST(WaterColumns, GoFromTheSurfaceAlongGravity) {
    struct Example {
        std::vector<std::pair<const char*, std::array<double, 2>>> boxes; ///< under gravity downwards
        double still_depth, depth_at_0_2, depth_at_0_8;
    };
    const std::vector<Example> examples{
        // open: the highest node is the surface
        {{{"fluid mk=\"0\"", {0.1, 0.9}}, {"bound mk=\"0\"", {0, 0}}}, 0.8, 0.7, 0.1},
        // a lid just above: its node is
        {{{"fluid mk=\"0\"", {0.1, 0.9}}, {"bound mk=\"0\"", {0, 0}}, {"bound mk=\"1\"", {1, 1}}}, 0.9, 0.8, 0.2},
        // a lid a gap above is none
        {{{"fluid mk=\"0\"", {0.1, 0.9}}, {"bound mk=\"1\"", {1.1, 1.1}}}, 0.8, 0.7, 0.1},
        // an intermediate floor: two runs, the lower one closed by it
        {{{"fluid mk=\"0\"", {0.1, 0.9}}, {"bound mk=\"0\"", {0.5, 0.6}}}, 0.4, 0.3, 0.1},
        // a body that floats on the water: its top
        {{{"fluid mk=\"0\"", {0.1, 0.9}}, {"bound mk=\"5\"", {1, 1.2}}}, 1.1, 1, 0.4}};
    for (std::size_t n = 0; n < examples.size(); ++n) {
        std::string down, up;
        for (const auto& [mk, z] : examples[n].boxes) {
            down += box_of_mk(mk, z[0], z[1]);
            up += box_of_mk(mk, 1 - z[1], 1 - z[0]);
        }
        const ParticleSet below = columns_of(-9.81, down), above = columns_of(9.81, up);
        EXPECT_NEAR(below.still_water_depth, examples[n].still_depth, 1e-6) << n;
        EXPECT_NEAR(depth_at(below, 0.2), examples[n].depth_at_0_2, 1e-6) << n;
        EXPECT_NEAR(depth_at(below, 0.8), examples[n].depth_at_0_8, 1e-6) << n;
        EXPECT_NEAR(above.still_water_depth, examples[n].still_depth, 1e-6) << n;
        EXPECT_NEAR(depth_at(above, 0.8), examples[n].depth_at_0_2, 1e-6) << n;
        EXPECT_NEAR(depth_at(above, 0.2), examples[n].depth_at_0_8, 1e-6) << n;
    }
}
