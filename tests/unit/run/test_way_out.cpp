// SPDX-License-Identifier: Apache-2.0
#include "run/way_out.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr double spacing = 0.1;

/// A floor of 21 particles at z = 0.5, a wall of 5 at the right, and a body of 3 x 1 x 2 particles above the floor.
struct Fall {
    RunSetup setup;
    ParticleState state;

    Fall() {
        setup.constants.dp = spacing;
        setup.domain = {{0, 0, 0}, {2, 0.1, 3}};
        const auto add = [&](const Vec3d& p) {
            state.id.push_back(static_cast<std::uint32_t>(state.id.size()));
            state.position.push_back(p);
        };
        for (int i = 0; i <= 20; ++i) add({i * spacing, 0, 0.5});
        for (int k = 1; k <= 5; ++k) add({2, 0, 0.5 + k * spacing});
        ParticleGroup floor{10, 0, ParticleType::fixed, 0, 21}, side{11, 1, ParticleType::fixed, 21, 5},
            box{12, 2, ParticleType::floating, 26, 6};
        setup.groups = ParticleGroups({floor, side, box});
        for (int k = 0; k < 2; ++k)
            for (int i = -1; i <= 1; ++i) {
                setup.rigid.start.push_back({1 + i * spacing, 0, 1.45 + k * spacing});
                add(setup.rigid.start.back());
            }
        setup.rigid.begin = 26;
        Body body;
        body.mk_bound = 2;
        body.first_id = 26;
        body.particles = 6;
        body.mass = 50;
        body.centre = {1, 0, 1.5};
        setup.bodies = {body};
        BodyState now = initial_state(body);
        now.centre.z = -0.2;
        now.velocity = {0, 0, -5};
        state.bodies = {now};
        const ContactMaterial steel{1e7, 0.3, 0.5, 0.4};
        setup.contact_parts.parts = {{steel}, {steel}, {steel, 50}};
    }
};

} // namespace

// Of Young's modulus 1e7 Pa and Poisson's ratio 0.3: E* = 1e7/(2 (1 − 0.09)), k = 4/3 E* √(dp/4). Three pairs hold
// 3 · 2/5 · k dp^(5/2) = 4396 J where they overlap by dp, all that 50 kg have at 13.3 m/s.
TEST(WayOut, TellsWhatABodyWentThroughAndWhatContactsStop) {
    Fall fall;
    fall.setup.contact = BodyContact::elastic;
    EXPECT_EQ(
        way_out(fall.setup, fall.state),
        ". The body of mkbound 2 went through the wall of mkbound 0, at 5 m/s and 0 dp deep: the contacts of the 3 "
        "particles across its way stop 13.3 m/s at most; raise Young_Modulus, or draw the wall with more layers");
    const double k = 4.0 / 3 * 1e7 / 1.82 * std::sqrt(spacing / 4);
    EXPECT_NEAR(std::sqrt(2 * 3 * 0.4 * k * std::pow(spacing, 2.5) / 50), 13.3, 0.05);
    // A long body, whose upper row is a quarter of a spacing past the floor, the lower one out of the domain.
    fall.state.bodies[0].centre.z = -0.05;
    for (Vec3d& p : fall.setup.rigid.start)
        if (p.z > 1.5) p.z = 1.5 + 0.525; // a long body
    EXPECT_NE(way_out(fall.setup, fall.state).find("at 5 m/s and 0.75 dp deep"), std::string::npos)
        << way_out(fall.setup, fall.state);
}

TEST(WayOut, TellsOfTheOtherContacts) {
    Fall fall;
    fall.setup.contact = BodyContact::pair_formula;
    EXPECT_NE(way_out(fall.setup, fall.state).find("(RigidAlgorithm 1) did not hold it"), std::string::npos);
    fall.setup.contact = BodyContact::none;
    EXPECT_NE(way_out(fall.setup, fall.state).find("RigidAlgorithm 0 lets bodies pass"), std::string::npos);
}

TEST(WayOut, SaysNothingOfBodiesThatMetNoWallOrAreInside) {
    Fall fall;
    fall.state.bodies[0].centre = {1, 0, 3.2}; // upwards
    EXPECT_EQ(way_out(fall.setup, fall.state), "");
    fall.state.bodies[0].centre = {1, 0, 0.3}; // below the floor, in the domain yet
    EXPECT_EQ(way_out(fall.setup, fall.state), "");
}
