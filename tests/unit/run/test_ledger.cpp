// SPDX-License-Identifier: Apache-2.0
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "run/ledger.h"
#include "scheme/outer_work.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;

namespace {

/// A stack of n fluid particles, 0.1 m wide in 2-D, of 10 kg each; g is 10 m/s² downwards.
constexpr double dp = 0.1, g = 10, mass = 10;

RunSetup ledger_setup(std::uint32_t n, double c0 = 40) {
    RunSetup s;
    s.constants.two_d = true;
    s.constants.dp = dp;
    s.constants.h = dp;
    s.constants.c0 = c0;
    s.constants.gravity = {0, 0, -g};
    derive(s.constants);
    s.domain = {{0, 0, -100}, {2, 0, 100}};
    s.set_groups(ParticleGroups::of(0, n));
    return s;
}

/// The stack as it moves as a whole; `height`: of its foot.
Frame stack(std::uint32_t n, std::int64_t step, double time, double height, Vec3f velocity) {
    Frame f;
    f.step = step;
    f.time = time;
    for (std::uint32_t k = 0; k < n; ++k) {
        f.id.push_back(k);
        f.position.push_back({0, 0, height + (k + 0.5) * dp});
        f.velocity.push_back(velocity);
        f.density.push_back(1000);
        f.pressure.push_back(0);
    }
    return f;
}

ExcludedParticle leaving(std::int64_t step, Vec3d position, Vec3f velocity) {
    return {0, sph::ExclusionCause::position, step, 0, position, velocity, 1000};
}

} // namespace

TEST(Ledger, HasTheEnergiesOfAColumnOfStillWater) {
    constexpr std::uint32_t n = 100;
    constexpr double depth = n * dp, total = n * mass;
    const RunSetup s = ledger_setup(n, 1000);
    Frame f = stack(n, 0, 0, 0, {});
    const sph::EquationOfState<double> state(s.constants);
    for (std::size_t k = 0; k < n; ++k)
        f.density[k] = static_cast<float>(state.density(1000 * g * (depth - f.position[k].z)));
    const LedgerEntry entry = Ledger(s).enter(f);
    EXPECT_NEAR(entry.fluid.mass, total, 1e-9);
    EXPECT_NEAR(entry.fluid.potential_energy, total * g * depth / 2, 1e-6);
    // ∫ p²/(2 ρ² c²) dm with p = ρ g (H − z); the water is hardly compressed
    const double internal = total * g * g * depth * depth / (6 * 1000 * 1000);
    EXPECT_NEAR(entry.fluid.internal_energy, internal, 1e-3 * internal);
    EXPECT_NEAR(entry.fluid.volume, total / 1000, 1e-4 * total / 1000);
    EXPECT_LT(entry.fluid.volume, total / 1000);
    EXPECT_EQ(entry.fluid.kinetic_energy, 0);
    EXPECT_EQ(entry.balance.dissipated, 0);
}

TEST(Ledger, LosesNothingInFreeFall) {
    const RunSetup s = ledger_setup(5);
    Ledger ledger(s);
    for (const double t : {0.0, 0.5, 2.0}) {
        const LedgerEntry entry =
            ledger.enter(stack(5, std::int64_t(10 * t), t, 20 - g * t * t / 2, {3, 0, float(-g * t)}));
        EXPECT_NEAR(entry.fluid.kinetic_energy, 5 * mass * (9 + g * g * t * t) / 2, 1e-8);
        EXPECT_NEAR(entry.fluid.momentum.x, 5 * mass * 3, 1e-9);
        EXPECT_NEAR(entry.fluid.momentum.z, -5 * mass * g * t, 1e-9);
        EXPECT_NEAR(entry.balance.dissipated, 0, 1e-8);
        EXPECT_EQ(entry.balance.gravity_work, 0);
    }
    // what stops dead has dissipated what it had
    const LedgerEntry landed = ledger.enter(stack(5, 30, 2.1, 0, {}));
    EXPECT_NEAR(landed.balance.dissipated, 5 * mass * (9.0 / 2 + g * 20), 1e-8);
}

TEST(Ledger, CountsWhatPassesOpenBoundaries) {
    RunSetup s = ledger_setup(2);
    s.open.zones.resize(1);
    Ledger ledger(s);
    ledger.enter(stack(2, 0, 0, 0, {}));
    const auto passage = [](std::int64_t step, bool entered, float speed) {
        return ZonePassage{7, entered, step, 0, {0, 0, 3}, {speed, 0, 0}, 1000};
    };
    ledger.add_passed({passage(1, true, 2), passage(2, false, 4), passage(3, true, 6), passage(9, true, 1)});
    const EnergyBalance now = ledger.enter(stack(2, 5, 1, 0, {})).balance;
    EXPECT_NEAR(now.inflow_mass, 2 * mass, 1e-9);
    EXPECT_NEAR(now.outflow_mass, mass, 1e-9);
    EXPECT_NEAR(now.inflow_energy, mass * (2 + 18 + 2 * 3 * g), 1e-6);
    EXPECT_NEAR(now.outflow_energy, mass * (8 + 3 * g), 1e-6);
    EXPECT_NEAR(now.dissipated, mass * (2 + 18 - 8 + 3 * g), 1e-6); // it is no longer there
    const PassedFluid all = ledger.passed();
    EXPECT_EQ(all.particles_in, 3);
    Ledger resumed(s);
    resumed.resume_passed(all);
    EXPECT_EQ(resumed.enter(stack(2, 9, 2, 0, {})).balance.inflow_energy, all.energy_in);
}

TEST(Ledger, CountsWhatLeavesApart) {
    const RunSetup s = ledger_setup(5);
    Ledger ledger(s), told_together(s);
    const Frame start = stack(5, 0, 0, 0, {}), present = stack(2, 20, 1, 0, {});
    ledger.enter(start);
    told_together.enter(start);
    // fell by 1 m and by 2 m from the places of the ids 4 and 3, the third one after the frame, the last one is broken
    const ExcludedParticle a = leaving(10, {0, 0, 0.45 - 1}, {0, 0, -4}), b = leaving(20, {0, 0, 0.35 - 2}, {2, 0, -6});
    ExcludedParticle broken = leaving(20, {}, {}), late = leaving(21, {0, 0, 0}, {9, 9, 9});
    broken.velocity.x = std::numeric_limits<float>::quiet_NaN();
    ledger.add_excluded({a});
    ledger.enter(stack(4, 15, 0.5, 0, {}));
    ledger.add_excluded({b});
    ledger.add_excluded({broken, late});
    told_together.add_excluded({a, b, broken, late});
    const EnergyBalance balance = ledger.enter(present).balance, other = told_together.enter(present).balance;
    EXPECT_NEAR(balance.excluded_mass, 3 * mass, 1e-9);
    EXPECT_NEAR(balance.excluded_energy, mass * (8 - g * 0.55 + 20 - g * 1.65), 1e-5);
    // of the two: 2 J/kg and 0 J/kg were lost before they left; all that the broken one had at its height of 0.25 m
    EXPECT_NEAR(balance.dissipated, mass * (g * 1 - 8 + g * 2 - 20 + g * 0.25), 1e-5);
    EXPECT_EQ(balance.excluded_energy, other.excluded_energy);
    EXPECT_EQ(balance.dissipated, other.dissipated);
}

TEST(Ledger, TakesTheWorkOfGravityWherePeriodicSidesLeadDown) {
    RunSetup s = ledger_setup(5);
    s.constants.gravity = {g, 0, 0};
    s.period.periodic[0] = true;
    s.period.shift[0] = {2, 0, 0};
    Ledger ledger(s);
    ledger.enter(stack(5, 0, 0, 0, {}));
    Frame moved = stack(5, 10, 0.7, 0, {float(g * 0.7), 0, 0});
    for (Vec3d& position : moved.position) position.x = g * 0.49 / 2 - 2; // 2.45 m on, once around
    const LedgerEntry entry = ledger.enter(moved);
    EXPECT_NEAR(entry.balance.gravity_work, 5 * mass * g * 2.45, 1e-4);
    EXPECT_NEAR(entry.balance.dissipated, 0, 1e-4);
    // periodic sides on one level: the potential is one
    s.constants.gravity = {0, 0, -g};
    Ledger level(s);
    level.enter(stack(5, 0, 0, 20, {}));
    EXPECT_NEAR(level.enter(stack(5, 10, 2, 0, {0, 0, -20})).balance.dissipated, 0, 1e-8);
}

TEST(Ledger, GoesOnWhereAnEarlierPartLeftIt) {
    RunSetup s = ledger_setup(5);
    s.period.periodic[0] = true;
    s.period.shift[0] = {2, 0, 0.5}; // steps up
    Ledger whole(s), part(s);
    const ExcludedParticle a = leaving(5, {0, 0, 0.3}, {1, 2, 3});
    const auto frame = [](int n) { return stack(5, 10 * n, 0.1 * n, 0.3 * n, {1, 0, 0.7f * float(n * n)}); };
    const LedgerEntry first = whole.enter(frame(0));
    whole.add_excluded({a});
    whole.enter(frame(1));
    const LedgerEntry last = whole.enter(frame(2));
    part.resume(first, last);
    part.add_excluded({a});
    const LedgerEntry expected = whole.enter(frame(3)), entry = part.enter(frame(3));
    EXPECT_NE(entry.balance.gravity_work, 0);
    std::vector<double> figures;
    for_each_figure(expected, [&](const std::string&, const auto& figure) { figures.push_back(double(figure)); });
    std::size_t k = 0;
    for_each_figure(
        entry, [&](const std::string& name, const auto& figure) { EXPECT_EQ(double(figure), figures[k++]) << name; });
    EXPECT_EQ(part.first()->fluid.time, 0);
    EXPECT_EQ(part.last()->fluid.step, 30);
}

TEST(Ledger, HasTheEnergyOfBodies) {
    Body body;
    body.mass = 4;
    body.inertia[0] = {1, 0, 0};
    body.inertia[1] = {0, 2, 0};
    body.inertia[2] = {0, 0, 3};
    BodyState state;
    state.centre = {1, 2, 3};
    state.velocity = {0, 3, 4};
    state.turning[0] = state.turning[3] = std::sqrt(0.5); // a quarter about z: what was its y axis is along x
    state.angular_velocity = {5, 0, 0};
    const double energy = mechanical_energy(body, state, {0, 0, -g});
    EXPECT_NEAR(energy, 4 * 25 / 2.0 + 2 * 25 / 2.0 + 4 * g * 3, 1e-9);

    RunSetup s = ledger_setup(5);
    s.bodies = {body};
    Ledger ledger(s);
    Frame before = stack(5, 0, 0, 0, {}), after = stack(5, 10, 1, 0, {});
    before.bodies = {{state, {}}};
    state.velocity = {0, 0, 4};
    after.bodies = {{state, {}}};
    EXPECT_NEAR(ledger.enter(before).balance.body_energy, energy, 1e-9);
    EXPECT_NEAR(ledger.enter(after).balance.dissipated, 4 * 9 / 2.0, 1e-9);
}

TEST(Ledger, SaysWhatElseDidWork) {
    RunSetup s = ledger_setup(5);
    EXPECT_TRUE(Ledger(s).also_held().empty());
    s.motions.objects.emplace_back();
    EXPECT_TRUE(Ledger(s).also_held().empty());
    s.bodies.resize(2);
    EXPECT_EQ(Ledger(s).also_held(), std::vector<std::string>{"work_of_moving_walls_on_bodies"});
    s.contact = BodyContact::none;
    EXPECT_TRUE(Ledger(s).also_held().empty());
}

// What zones, inputs and shifting give the fluid is on the books: whoever speeds it up by that has dissipated nothing.
TEST(Ledger, HasTheWorkOfWhatLeadsTheFluid) {
    RunSetup s = ledger_setup(5);
    s.forcing.inputs.emplace_back();
    const double joule = 1 / (mass * work_unit(s.constants, 5)); // units
    Ledger ledger(s);
    ledger.enter(stack(5, 0, 0, 0, {}));
    Frame later = stack(5, 10, 1, 0.25, {2, 0, 0}); // 5·10·4/2 J kinetic, 5·10·10·0.25 J potential
    later.work.acceleration = std::llround(300 * joule);
    later.work.relaxation = std::llround(-60 * joule);
    later.work.damping = std::llround(-40 * joule);
    later.work.shift_lift = std::llround(20 * joule);
    later.work.shift_compression = std::llround(5 * joule);
    later.work.moving_walls = std::llround(-30 * joule);
    later.work.bodies = std::llround(9 * joule);
    later.work.open_boundaries = std::llround(11 * joule);
    const LedgerEntry entry = ledger.enter(later);
    EXPECT_NEAR(entry.balance.moving_walls_work, -30, 1e-6);
    EXPECT_NEAR(entry.balance.bodies_work, 9, 1e-6);
    EXPECT_NEAR(entry.balance.open_boundaries_work, 11, 1e-6);
    EXPECT_NEAR(entry.balance.acceleration_work, 300, 1e-6);
    EXPECT_NEAR(entry.balance.relaxation_work, -60, 1e-6);
    EXPECT_NEAR(entry.balance.damping_work, -40, 1e-6);
    EXPECT_NEAR(entry.balance.shifting_work, 25, 1e-6);
    EXPECT_NEAR(entry.balance.dissipated, 300 - 60 - 40 + 25 - 30 + 9 + 11 - 100 - 125, 1e-6);
    EXPECT_NEAR(entry.balance.moved, 300 + 60 + 40 + 25 + 30 + 9 + 11 + 100 + 125, 1e-6);
    EXPECT_TRUE(ledger.also_held().empty());
    // where gravity counts by its work, what lifts the fluid against it is nobody's gain
    s.period.periodic[2] = true;
    s.period.shift[2] = {0, 0, 200};
    EXPECT_NEAR(Ledger(s).enter(later).balance.shifting_work, 5, 1e-6);
}

// The verdict: neither where the origin lies nor what the energies are at the end decides, but what has moved.
TEST(Ledger, SaysWhereEnergyCameFromNowhere) {
    const RunSetup s = ledger_setup(5);
    const Vec3d gravity{0, 0, -g};
    const auto verdict = [&](double foot, double middle_speed, double rise) {
        Ledger ledger(s);
        const LedgerEntry first = ledger.enter(stack(5, 0, 0, foot, {}));
        ledger.enter(stack(5, 10, 1, foot, {static_cast<float>(middle_speed), 0, 0}));
        return energy_verdict(first, ledger.enter(stack(5, 20, 2, foot + rise, {})), {}, gravity);
    };
    for (const double foot : {0.0, -50.0, 40.0}) {
        EXPECT_FALSE(verdict(foot, 0, 0.00019).came_from_nowhere); // depth 0.4 m: a two-thousandth is 0.2 mm
        EXPECT_TRUE(verdict(foot, 0, 0.00021).came_from_nowhere);
        EXPECT_FALSE(verdict(foot, 0, -0.3).came_from_nowhere);
        EXPECT_FALSE(verdict(foot, 2, 0.009).came_from_nowhere); // 4.5 J where 100 J have moved
        EXPECT_TRUE(verdict(foot, 2, 0.011).came_from_nowhere);
        EXPECT_FALSE(verdict(foot, 0, 0.0039).is_ruinous); // a hundredth of the depth is 4 mm
        EXPECT_TRUE(verdict(foot, 0, 0.0041).is_ruinous);
        EXPECT_FALSE(verdict(foot, 20, 0.0041).is_ruinous);
    }
    const EnergyVerdict told = verdict(0, 2, 0.02);
    EXPECT_NEAR(told.gained, 10, 1e-6);
    EXPECT_NEAR(told.part_of_moved, 0.1, 1e-6);
    Ledger ledger(s);
    const LedgerEntry first = ledger.enter(stack(5, 0, 0, 0, {})), last = ledger.enter(stack(5, 10, 1, 1, {}));
    EXPECT_TRUE(energy_verdict(first, last, {}, gravity).came_from_nowhere);
    EXPECT_FALSE(energy_verdict(first, last, {"work_of_moving_walls_on_bodies"}, gravity).came_from_nowhere);
}

// A resumed run has moved what the part before it had.
TEST(Ledger, GoesOnWithWhatHasMoved) {
    Ledger before(ledger_setup(5)), after(ledger_setup(5));
    const LedgerEntry first = before.enter(stack(5, 0, 0, 0, {})), last = before.enter(stack(5, 10, 1, 0, {2, 0, 0}));
    after.resume(first, last);
    EXPECT_NEAR(after.enter(stack(5, 20, 2, 0, {})).balance.moved, 100, 1e-9);
}

TEST(Ledger, TellsTheViscosityOfTheTime) {
    RunSetup s = ledger_setup(2);
    s.constants.alpha = 0.05;
    EXPECT_EQ(Ledger(s).enter(stack(2, 0, 0, 0, {})).viscosity, 0.05);
    s.viscosity = {{1, 0.01}, {3, 0.05}};
    Ledger ledger(s);
    EXPECT_EQ(ledger.enter(stack(2, 0, 0, 0, {})).viscosity, 0.01);
    EXPECT_DOUBLE_EQ(ledger.enter(stack(2, 7, 2, 0, {})).viscosity, 0.03);
}
