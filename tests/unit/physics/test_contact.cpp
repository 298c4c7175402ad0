// SPDX-License-Identifier: Apache-2.0
#include "physics/dem/contact.h"
#include "scheme/body_motion.h"
#include "scheme/contact_time_step.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr ContactMaterial steel{210e9, 0.3, 0.8, 0.45}, plastic{3e9, 0.3, 0.6, 0.35};
const ContactPart light{steel, 2.0}, heavy{plastic, 6.0}, wall{plastic};

/// The speed after over the speed before a particle meets a wall, in steps of a part of the contact.
double rebound(BodyStage stage, double restitution, int steps_a_contact) {
    const ContactMaterial material{1e7, 0.2, restitution, 0.3};
    const double dp = 0.01, speed = 0.4;
    Body body;
    body.mass = 1e-3;
    body.centre = {0, 0, 1.1 * dp};
    body.velocity = {0, 0, -speed};
    const ContactPart particle{material, body.mass}, floor{material};
    const dem::Contact contact = dem::contact_of(particle, floor, dp);
    const double dt = dem::contact_time(dem::contact_pace(contact, speed)) / steps_a_contact;
    const auto loads = [&](const BodyState& at) {
        BodyLoads sum;
        sum.contact.force = dem::push_of(particle, floor, at.centre, at.velocity, dp, 1e-3).force;
        return sum;
    };
    BodyState state = initial_state(body);
    for (int n = 0; n < 50 * steps_a_contact && (state.velocity.z < 0 || state.centre.z < dp); ++n) {
        if (stage == BodyStage::symplectic) {
            const BodyState half = after_stage(stage, body, state, loads(state), {}, 0, 0.5 * dt);
            state = after_stage(stage, body, state, loads(half), {}, 0, dt);
        } else if (stage == BodyStage::kick) {
            const BodyLoads now = loads(lagging(state));
            const BodyState half = after_stage(stage, body, state, now, {}, n * dt, 0.5 * dt, n == 0 ? 0 : dt);
            state = after_stage(BodyStage::drift, body, half, now, {}, n * dt, dt, dt);
        } else
            state = after_stage(n == 0 ? BodyStage::verlet_euler : stage, body, state, loads(state), {}, 0, dt);
    }
    return state.velocity.z / speed;
}

} // namespace

TEST(Contact, AgreesWithAWorkedExample) {
    const dem::Contact c = dem::contact_of(light, heavy, 0.01);
    EXPECT_NEAR(c.stiffness, 2.1668472372697726e8, 1); // 4/3 · 3.2502708559e9 · √0.0025
    EXPECT_NEAR(c.mass, 1.5, 1e-15);
    EXPECT_NEAR(c.damping, 4547.643517483737, 1e-9); // −ln 0.7 √(5·1.5·k/(ln² 0.7 + π²))
    EXPECT_NEAR(c.friction, 0.4, 1e-15);
    EXPECT_NEAR(dem::normal_force(c, 1e-4, 0.3), 353.1140292514894, 1e-9);
    EXPECT_NEAR(dem::spring_rate(c, 1e-4), 3250270.8559046593, 1e-4);
    EXPECT_NEAR(dem::contact_time(dem::contact_pace(c, 0.3)),
                3.2181 * std::pow(1.5 / c.stiffness, 0.4) * 1.2722596365393921, 1e-12);
    EXPECT_EQ(dem::contact_of(light, wall, 0.01).mass, 2.0); // a wall does not give way
}

TEST(Contact, ForcesOfAPairAreOpposite) {
    const Vec3d r{0.006, -0.002, 0.0071}, v{-0.3, 0.8, 0.2};
    const dem::Push a = dem::push_of(light, heavy, r, v, 0.01, 1e-3),
                    b = dem::push_of(heavy, light, -1.0 * r, -1.0 * v, 0.01, 1e-3);
    EXPECT_EQ(a.force, -1.0 * b.force);
    EXPECT_EQ(a.couple, b.couple); // both arms reach to the point between them
    EXPECT_GT(dot(a.force, r), 0);
    EXPECT_EQ(dem::push_of(light, heavy, 1.1 * r, v, 0.01, 1e-3).force, Vec3d{});
    EXPECT_GT(dem::push_of(light, heavy, 1.1 * r, v, 0.01, 1e-3).pace, 0);
}

// Forces, couples and springs in parallel add up; the time step follows the one pair that asks for the shortest.
TEST(Contact, PushesOfSeveralPairsAddUp) {
    dem::Push sum{{1, -2, 3}, {0.5, 0.25, -1}, 40, 7};
    sum.add({{-4, 8, 16}, {2, -0.5, 0.125}, 200, 5});
    EXPECT_EQ(sum.force, (Vec3d{-3, 6, 19}));
    EXPECT_EQ(sum.couple, (Vec3d{2.5, -0.25, -0.875}));
    EXPECT_EQ(sum.stiffness, 240);
    EXPECT_EQ(sum.pace, 7);
    sum.add({{}, {}, 0, 9});
    EXPECT_EQ(sum.pace, 9);
}

TEST(Contact, SlidingFrictionIsCoulombsAndRestCreeps) {
    const Vec3d r{0, 0, 0.0099};
    const dem::Push sliding = dem::push_of(light, heavy, r, {3, 4, 0}, 0.01, 1e-3);
    EXPECT_NEAR(sliding.force.x, -0.6 * 0.4 * sliding.force.z, 1e-6 * sliding.force.z);
    EXPECT_NEAR(sliding.force.y, -0.8 * 0.4 * sliding.force.z, 1e-6 * sliding.force.z);
    EXPECT_NEAR(sliding.couple.y, -0.5 * 0.0099 * sliding.force.x, 1e-12 * sliding.force.z);
    const dem::Push creeping = dem::push_of(light, heavy, r, {3e-4, 0, 0}, 0.01, 4e-4);
    EXPECT_NEAR(creeping.force.x, -0.6 * 0.4 * creeping.force.z, 1e-12 * creeping.force.z); // 3/√(3² + 4²)
    EXPECT_EQ(dem::friction_rate(dem::contact_of(light, heavy, 0.01), -1, 1, 1e-3), 0);     // nothing presses
}

TEST(Contact, TheCoefficientOfRestitutionIsThatOfTheSpeeds) {
    for (const double e : {1.0, 0.9, 0.6, 0.3}) {
        EXPECT_NEAR(rebound(BodyStage::verlet_leap, e, 2000), e, 2e-3) << e;
        EXPECT_NEAR(rebound(BodyStage::symplectic, e, 2000), e, 2e-3) << e;
        EXPECT_NEAR(rebound(BodyStage::kick, e, 2000), e, 2e-3) << e;
        EXPECT_NEAR(rebound(BodyStage::verlet_leap, e, 50), e, 0.03) << e; // the steps of a run
        EXPECT_NEAR(rebound(BodyStage::kick, e, 50), e, 0.03) << e;
        EXPECT_NEAR(rebound(BodyStage::symplectic, e, 50), e, 0.03) << e;
    }
}

// Hertz's collision: the spheres overlap by (5 M v²/4k)^{2/5} at most and touch for 2.9432 times that over v (Johnson
// 1985, §11.4), wherever the constant of `contact_time` comes from.
TEST(Contact, LastsAsLongAndGoesAsDeepAsHertzSays) {
    const ContactMaterial material{1e7, 0.2, 1, 0};
    const ContactPart particle{material, 1e-3}, floor{material};
    const double dp = 0.01;
    const dem::Contact contact = dem::contact_of(particle, floor, dp);
    for (const double speed : {0.1, 0.4}) {
        const double deepest = std::pow(1.25 * 1e-3 * speed * speed / contact.stiffness, 0.4),
                     expected = 2.9432 * deepest / speed, dt = expected / 20000;
        double z = dp, v = -speed, lowest = dp, time = 0;
        do { // semi-implicit Euler
            v += dt * dem::push_of(particle, floor, {0, 0, z}, {0, 0, v}, dp, 1e-3).force.z / 1e-3;
            z += dt * v;
            lowest = std::min(lowest, z);
            time += dt;
        } while (z < dp);
        EXPECT_NEAR(dp - lowest, deepest, 1e-3 * deepest);
        EXPECT_NEAR(time, expected, 1e-3 * expected);
        EXPECT_NEAR(dem::contact_time(dem::contact_pace(contact, speed)), expected, 1e-3 * expected);
    }
}

TEST(Contact, LimitsTheTimeStep) {
    sph::Constants c;
    c.cfl = 0.2;
    c.h = 0.02;
    c.c0 = 40;
    const double pace = dem::contact_pace(dem::contact_of(light, wall, 0.01), 0.5);
    EXPECT_NEAR(c.cfl * c.h / dem::speed_of_contact(c, pace), dem::contact_time(pace) / 50, 1e-15);
    EXPECT_EQ(dem::speed_of_contact(c, 0), 0);
    EXPECT_NEAR(c.cfl * c.h / dem::speed_of_springs(c, 4, 1e6), 0.25 * std::sqrt(4e-6), 1e-15);
    EXPECT_EQ(dem::creep_speed(c), 4e-3);
}
