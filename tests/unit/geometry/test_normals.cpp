// SPDX-License-Identifier: Apache-2.0
#include "geometry/normals.h"
#include "geometry_case.h"
#include <cmath>

// Normals by rules, worked out by hand: the vector from a boundary particle to the surface, m. dp is 0.1, h too.

using namespace sluice;
using namespace sluice::test;

namespace {

const char* lattice_3d =
    R"(<definition dp="0.1"><pointref x="0" y="0" z="0"/><pointmin x="-1" y="-1" z="-1"/><pointmax x="1.1" y="1.1" z="1.1"/></definition>)";
const char* lattice_2d =
    R"(<definition dp="0.1"><pointref x="0" y="0" z="0"/><pointmin x="-1" y="0" z="-1"/><pointmax x="1.1" y="0" z="1.1"/></definition>)";

/// Three layers of floor, at z = 0, -0.1 and -0.2, as mkbound 0, and water on it.
const char* floor_commands = R"(<setmkbound mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="-0.3" y="-0.3" z="-0.2"/><size x="0.6" y="0.6" z="0.2"/></drawbox>
<setmkfluid mk="0"/>
<drawbox><boxfill>solid</boxfill><point x="-0.3" y="-0.3" z="0.1"/><size x="0.6" y="0.6" z="0.2"/></drawbox>)";

CaseText with(const std::string& normals, const std::string& initialize = "") {
    CaseText t;
    t.constants = R"(<gravity x="0" y="0" z="-9.81"/><hdp value="1"/>)";
    if (!normals.empty()) t.casedef = "<normals>" + normals + "</normals>";
    if (!initialize.empty()) t.special = "<initialize>" + initialize + "</initialize>";
    return t;
}

/// The normal of the boundary particle at a place.
Vec3f normal_at(const ParticleSet& set, const Vec3d& place) {
    EXPECT_EQ(set.normals.size(), set.boundary_count);
    for (std::uint32_t id = 0; id < set.normals.size(); ++id) {
        const Vec3d d = set.position[id] - place;
        if (dot(d, d) < 1e-12) return set.normals[id];
    }
    ADD_FAILURE() << "no particle at " << place.x << ", " << place.y << ", " << place.z;
    return {};
}

void expect_normal(const ParticleSet& set, const Vec3d& place, const Vec3d& expected) {
    const Vec3f n = normal_at(set, place);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(n[axis], expected[axis], 1e-6) << "axis " << axis;
}

} // namespace

TEST(Normals, AreNoneWithoutWordsOfThem) { EXPECT_TRUE(generate(floor_commands, lattice_3d).normals.empty()); }

TEST(Normals, OfAPlaneThroughAPoint) {
    const auto set =
        generate(floor_commands, lattice_3d, nullptr,
                 with(R"(<norplane mkbound="0"><point x="0" y="0" z="0.06"/><normal x="0" y="0" z="3"/></norplane>)"));
    expect_normal(set, {0.1, 0, 0}, {0, 0, 0.06});
    expect_normal(set, {0.1, 0, -0.1}, {0, 0, 0.16});
    expect_normal(set, {0.1, 0, -0.2}, {}); // farther than 2 h
}

TEST(Normals, OfAPlaneBeforeTheForemostParticle) {
    const auto set = generate(
        floor_commands, lattice_3d, nullptr,
        with(
            "",
            R"(<boundnormal_plane mkbound="0"><point auto="true"/><normal x="0" y="0" z="1"/><maxdisth v="3"/></boundnormal_plane>)"));
    for (int k = 0; k < 3; ++k) expect_normal(set, {0, 0, -0.1 * k}, {0, 0, 0.1 * (k + 0.5)});
    const auto nearer = generate(
        floor_commands, lattice_3d, nullptr,
        with(
            R"(<norplane mkbound="0"><point auto="true"/><limitdist vdp="0.25"/><normal x="0" y="0" z="1"/></norplane>)"));
    expect_normal(nearer, {0, 0, 0}, {0, 0, 0.025});
}

TEST(Normals, GivenOutright) {
    const auto set = generate(floor_commands, lattice_3d, nullptr, with(R"(<norset mkbound="0-3">
        <onlypos><posmin x="-0.05"/><posmax x="0.05" z="-0.05"/></onlypos><normal x="0.1" y="0" z="0.05"/></norset>)"));
    expect_normal(set, {0, 0.1, -0.1}, {0.1, 0, 0.05});
    expect_normal(set, {0, 0, 0}, {});
    expect_normal(set, {0.1, 0, -0.1}, {});
}
