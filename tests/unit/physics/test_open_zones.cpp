// SPDX-License-Identifier: Apache-2.0
#include "physics/open_zones.h"
#include <gtest/gtest.h>
#include <random>

using namespace sluice;

namespace {

/// A zone of three columns above one another, 0.1 m apart from z = 1 on, behind the plane x = 2; its direction is +x.
struct ThreeColumns {
    OpenZones open;

    ThreeColumns() {
        OpenZone zone;
        zone.origin = {2, 0, 1};
        zone.direction = {1, 0, 0};
        zone.across = {0, 0, 1};
        zone.up = {0, 1, 0};
        zone.dp = 0.1;
        zone.depth = 0.4;
        zone.first_across = -0.1;
        zone.across_count = 5;
        zone.up_count = 1;
        zone.point_count = 3;
        zone.profile = 1;
        zone.velocity_count = 1;
        open.zones = {zone};
        open.cells = {{0, false}, {0, true}, {1, true}, {2, true}, {2, false}};
        open.points = {{2, 0, 1}, {2, 0, 1.1}, {2, 0, 1.2}};
        open.velocities = {{0, {1.5, 0, 0}, {0, 0, 0}}};
    }
    OpenZone& zone() { return open.zones.front(); }
    ZonesView view() const { return view_of(open); }
    ZonePlace place(double x, double z) const { return place_in(view(), {x, 0, z}); }
};

} // namespace

TEST(OpenZones, APositionSaysToWhichColumnAParticleBelongs) {
    const ThreeColumns zones;
    EXPECT_EQ(zones.place(1.95, 1.1).column, 1);
    EXPECT_NEAR(zones.place(1.95, 1.1).depth, 0.05, 1e-12);
    EXPECT_EQ(zones.place(1.7, 0.96).column, 0);
    EXPECT_EQ(zones.place(1.7, 0.9).column, 0);  // in the cell beside
    EXPECT_EQ(zones.place(1.7, 1.34).column, 2); // likewise
    EXPECT_EQ(zones.place(1.7, 0.84).zone, -1);  // farther off
    EXPECT_EQ(zones.place(2.01, 1.1).zone, -1);  // before the plane
    EXPECT_EQ(zones.place(1.59, 1.1).zone, -1);  // behind the zone
}

TEST(OpenZones, AZoneWithoutLimitsHoldsWhatIsBehindItsPlane) {
    ThreeColumns zones;
    zones.zone().unlimited = true;
    EXPECT_EQ(zones.place(1.95, 1.1).column, 1);
    const ZonePlace beside = zones.place(1.7, 7);
    EXPECT_EQ(beside.zone, 0);
    EXPECT_EQ(beside.column, -1);
    EXPECT_NEAR(beside.depth, 0.3, 1e-12);
    EXPECT_EQ(zones.place(2.01, 7).zone, -1); // before the plane
    EXPECT_EQ(zones.place(1.59, 7).zone, -1); // behind the zone
}

TEST(OpenZones, WallsBesideTheirOwnParticlesAreTheirs) {
    const ThreeColumns zones;
    const auto is_its = [&](double x, double z, double support) {
        return is_wall_of_zone(zones.view(), {x, 0, z}, support);
    };
    EXPECT_TRUE(is_its(1.65, 0.95, 0.3)); // deeper than the support radius or half the zone
    EXPECT_FALSE(is_its(1.85, 0.95, 0.3));
    EXPECT_FALSE(is_its(2.35, 0.95, 0.3)); // before the plane
    EXPECT_TRUE(is_its(1.35, 0.95, 0.3));  // behind the zone, and too far behind it
    EXPECT_FALSE(is_its(1.25, 0.95, 0.3));
    for (const double wrong : {0.55, 1.65}) EXPECT_FALSE(is_its(1.65, wrong, 0.3)); // too far beside it
    for (const double off : {-1e-6, 0.0, 1e-6}) { // rounding does not decide where walls stand on the lattice
        EXPECT_TRUE(is_its(1.8 + off, 0.9, 0.3));
        EXPECT_FALSE(is_its(1.9 + off, 0.9, 0.3));
        EXPECT_TRUE(is_its(1.3 + off, 0.6 + off, 0.3));
        EXPECT_FALSE(is_its(1.2 + off, 0.9, 0.3));
    }
}

TEST(OpenZones, WallsBesideThemEitherWayAreTheirs) {
    ThreeColumns zones;
    zones.zone().up_count = 4; // from y = 1 to 1.3
    zones.zone().first_up = 1;
    for (const auto& [y, its] : {std::pair{0.65, false}, {0.7, true}, {1.6, true}, {1.65, false}})
        EXPECT_EQ(is_wall_of_zone(zones.view(), {1.65, y, 1}, 0.3), its) << y;
    for (const auto& [z, its] : {std::pair{0.55, false}, {0.6, true}, {1.6, true}, {1.65, false}})
        EXPECT_EQ(is_wall_of_zone(zones.view(), {1.65, 1, z}, 0.3), its) << z;
}

TEST(OpenZones, AJetOpensFromItsLastLayerOn) {
    ThreeColumns zones;
    OpenZone& zone = zones.zone();
    zone.jet_centre = {2, 0, 1.1};
    zone.jet_distance = 0.5;
    zone.jet_growth = 4; // from a radius of 0.1 to 0.5
    const auto velocity = [&](double x, double z) { return zone_velocity(zones.view(), zone, {x, 0, z}, 0); };
    EXPECT_EQ(velocity(1.85, 1.2), (Vec3d{1.5, 0, 0})); // not yet
    EXPECT_EQ(velocity(1.95, 1.1), (Vec3d{1.5, 0, 0})); // in the middle
    const Vec3d rim = velocity(1.95, 1.2);              // 0.4 outwards on 0.5 onwards
    EXPECT_NEAR(rim.z / rim.x, 0.8, 1e-12);
    EXPECT_NEAR(dot(rim, rim), 1.5 * 1.5, 1e-12);
}

TEST(OpenZones, VelocitiesAreLinearInTimeAndOfTheProfileInHeight) {
    OpenZones open;
    OpenZone zone;
    zone.velocity_count = 2;
    open.velocities = {{1, {0, 6, 8}, {0, 0.5, 1}}, {3, {0, 12, 16}, {0, 0.5, 1}}};
    const auto speed = [&](int profile, double z, double time) {
        zone.profile = profile;
        return zone_speed(view_of(open), zone, z, time);
    };
    EXPECT_DOUBLE_EQ(speed(1, 9, 2), 0);
    EXPECT_DOUBLE_EQ(speed(2, 0.25, 0), 3);
    EXPECT_DOUBLE_EQ(speed(2, 0.25, 2), 4.5); // between 3 and 6
    EXPECT_DOUBLE_EQ(speed(2, 0.25, 9), 6);
    // 16 z − 8 z²: 0, 6, 8 at 0, 0.5, 1
    EXPECT_DOUBLE_EQ(speed(3, 0.25, 0), 3.5);
    EXPECT_DOUBLE_EQ(speed(3, 0.75, 0), 7.5);
    EXPECT_DOUBLE_EQ(speed(3, 0.75, 3), 15);
}

TEST(OpenZones, TakeTheVelocitiesOfAGrid) {
    ThreeColumns zones;
    OpenZone& zone = zones.zone();
    zone.profile = 0;
    EXPECT_TRUE(zone.extrapolates());
    zone.table = 0;
    EXPECT_FALSE(zone.extrapolates());
    zones.open.tables.numbers = {0, 2};
    zones.open.tables.tables = {{0, 1, 1, 1, 1, 0.2, 2, true, 0}};
    zones.open.tables.values = {3, -1, 5, 1};
    const Vec3d v = zone_velocity(zones.view(), zone, {1.9, 0, 1.1}, 0);
    EXPECT_NEAR(v.x, 4, 1e-12);
    EXPECT_NEAR(v.z, 0, 1e-12);
    EXPECT_EQ(moving_velocity(zone, {4, 0, 2}), (Vec3d{4, 0, 2}));
    zone.holds_level = true;
    EXPECT_EQ(moving_velocity(zone, {4, 0, 2}), (Vec3d{4, 0, 0}));
    zone.refilling = Refilling::advanced; // the flow of the grid says whether there is room for a new one
    EXPECT_GT(depth_of_new(zones.view(), zone, {2, 0, 1.1}, 0, {0.1, 0, false}), 0);
    zones.open.tables.values = {-3, 0, -5, 0};
    EXPECT_EQ(depth_of_new(zones.view(), zone, {2, 0, 1.1}, 0, {0.1, 0, false}), 0);
}

TEST(OpenZones, SurfacesAreLinearInTime) {
    OpenZones open;
    OpenZone zone;
    zone.surface_count = 2;
    open.surfaces = {{1, 0.4}, {3, 0.8}};
    EXPECT_DOUBLE_EQ(zone_surface(view_of(open), zone, 0), 0.4);
    EXPECT_DOUBLE_EQ(zone_surface(view_of(open), zone, 1.5), 0.5);
    EXPECT_DOUBLE_EQ(zone_surface(view_of(open), zone, 5), 0.8);
    zone.surface_count = 0;
    EXPECT_GT(zone_surface(view_of(open), zone, 0), 1e9);
}

TEST(OpenZones, SurfacesAreFoundASupportLengthBeforeThePlane) {
    ThreeColumns zones;
    OpenZone& zone = zones.zone();
    zone.finds_surface = true;
    zone.gauge = {2, 0, 0.9};
    zone.surface_fit = 0.04;
    sph::Constants c;
    c.h = 0.13;
    EXPECT_NEAR(surface_foot(c, zone).x, 2.26, 1e-12);
    EXPECT_EQ(surface_foot(c, zone).z, 0.9);
    EXPECT_NEAR(surface_points(c, zone, 2.9).length, 2.26, 1e-12);
    EXPECT_EQ(surface_points(c, zone, 2.9).count(), 47);
    EXPECT_EQ(surface_points(c, zone, 0.5).length, 0);
    EXPECT_NEAR(surface_from(zone, 0.3, 7), 1.16, 1e-12); // 0.9 + 0.3 − 0.04
    EXPECT_EQ(surface_from(zone, -1, 7), 7);              // there is no fluid
    zones.open.surfaces = {{0, 1.1}};
    zone.surface_count = 1;
    EXPECT_FALSE(is_above_surface(zones.view(), zone, 1.12, 0)); // by a fifth of a spacing
    EXPECT_TRUE(is_above_surface(zones.view(), zone, 1.13, 0));
    zone.finds_surface = false;
    EXPECT_TRUE(is_above_surface(zones.view(), zone, 1.12, 0));
}

TEST(OpenZones, HydrostaticDensitySolvesTheEquationOfState) {
    sph::Constants c;
    c.gravity = {0, 0, -10};
    c.rho0 = 1000;
    c.gamma = 7;
    c.b = 20000 / (std::pow(1.01, 7) - 1); // 2 m of water: 1 % denser
    EXPECT_NEAR(hydrostatic_density(c, 3, 1), 1010, 1e-9);
    EXPECT_DOUBLE_EQ(hydrostatic_density(c, 3, 4), 1000);
}

TEST(OpenZones, GhostNodesAreMirrorImagesInThePlane) {
    const Vec3d ghost = ghost_place(ThreeColumns().zone(), {1.7, 0, 1.2});
    EXPECT_NEAR(ghost.x, 2.3, 1e-12);
    EXPECT_DOUBLE_EQ(ghost.z, 1.2);
}

TEST(OpenZones, ParticlesLeaveChangeSidesOrStay) {
    ThreeColumns zones;
    const auto event = [&](double from, double to, double z = 1.1) {
        return zone_event(zones.view(), zones.place(from, z), {to, 0, z}, zones.place(to, z), 0);
    };
    EXPECT_EQ(event(1.95, 2.01), ZoneEvent::entered);
    EXPECT_EQ(event(1.65, 1.59), ZoneEvent::left); // at the back
    EXPECT_EQ(event(1.65, 1.61), ZoneEvent::none);
    EXPECT_EQ(event(2.3, 2.2), ZoneEvent::none);
    EXPECT_EQ(event(2.01, 1.99), ZoneEvent::none); // fluid becomes a particle of the zone
    zones.zone().input = ZoneInput::remove;
    EXPECT_EQ(event(2.01, 1.99), ZoneEvent::left);
    EXPECT_EQ(event(1.95, 1.9), ZoneEvent::none);
    zones.open.surfaces = {{0, 1.15}};
    zones.zone().surface_count = 1;
    EXPECT_EQ(event(1.95, 1.9, 1.2), ZoneEvent::none);
    zones.zone().remove_above = true;
    EXPECT_EQ(event(1.95, 1.9, 1.2), ZoneEvent::left);
    EXPECT_EQ(event(1.95, 1.9, 1.1), ZoneEvent::none);
}

TEST(OpenZones, NewParticlesStandASpacingBehindTheLast) {
    ThreeColumns zones;
    OpenZone& zone = zones.zone();
    const auto depth = [&](double deepest, bool entered, double speed = 1, double z = 1.1) {
        return depth_of_new(zones.view(), zone, {2, 0, z}, 0, {deepest, speed, entered});
    };
    zone.refilling = Refilling::full;
    EXPECT_NEAR(depth(0.299, true), 0.399, 1e-12);
    EXPECT_EQ(depth(0.299, false), 0);
    EXPECT_EQ(depth(0.39, true), 0); // no room: the flow has turned
    EXPECT_LT(depth(0.31, true), 0.4);
    EXPECT_GT(depth(0.31, true), 0.399);
    zones.open.surfaces = {{0, 1.15}};
    zone.surface_count = 1;
    EXPECT_GT(depth(0.299, true, 1, 1.2), 0); // full, whatever the water does
    zone.refilling = Refilling::below_surface;
    EXPECT_EQ(depth(0.299, true, 1, 1.2), 0);
    zone.refilling = Refilling::advanced;
    EXPECT_NEAR(depth(0.299, false), 0.399, 1e-12); // 1.5 m/s are imposed
    EXPECT_EQ(depth(0.31, false), 0);
    EXPECT_NEAR(depth(0, false), 0.05, 1e-12); // the column is empty
    zones.open.velocities[0].speed[0] = -1;
    EXPECT_EQ(depth(0.2, false), 0); // it flows out
    zone.profile = 0;
    EXPECT_GT(depth(0.2, false, 0.1), 0);
    EXPECT_EQ(depth(0.2, false, -0.1), 0);
    zone.bottom = 1.15;
    EXPECT_EQ(depth(0.2, false, 0.1), 0);
}

TEST(OpenZones, GhostNodesExtrapolateVelocityAndDensity) {
    // sums of a lattice that fills the reach of the ghost node, with linear fields
    sph::Constants c;
    c.dp = 0.1;
    c.h = 0.13;
    c.two_d = true;
    c.mass_fluid = 1000 * c.dp * c.dp;
    ThreeColumns zones;
    zones.zone().profile = 0;
    zones.zone().density = ZoneDensity::extrapolated;
    const Vec3d p{1.85, 0, 1.1}, ghost = ghost_place(zones.zone(), p);
    using Node = sph::GhostNode<sph::Wendland, sph::GhostVelocity::linear>;
    const sph::GhostNodeConstants<double> constants(c, sph::metre);
    struct Fluid {
        double vx, vy, vz, rho;
    };
    double sums[Node::sum_count] = {};
    for (int i = -4; i <= 4; ++i)
        for (int k = -4; k <= 4; ++k) {
            const double x = ghost.x + 0.1 * i + 0.03, z = ghost.z + 0.1 * k - 0.02;
            const double dx = ghost.x - x, dz = ghost.z - z, r2 = dx * dx + dz * dz;
            if (r2 < constants.support2)
                Node::add(constants, dx, 0.0, dz, r2, Fluid{1 + 2 * x, 0, 3 - z, 1000 + 10 * x}, sums);
        }
    const auto flow = [&](double least) {
        ZonesView view = zones.view();
        view.least_determinant = least;
        return zone_flow(c, view, zones.zone(), p, 0, sums, {{}, 1});
    };
    const ZoneFlow linear = flow(1e-3), mean = flow(1e3);
    EXPECT_NEAR(linear.velocity.x, 1 + 2 * 1.85, 1e-6);
    EXPECT_NEAR(linear.velocity.z, 3 - 1.1, 1e-6);
    EXPECT_NEAR(linear.density, 1018.5, 1e-5);
    EXPECT_NEAR(mean.velocity.x, 1 + 2 * ghost.x, 0.05);
    EXPECT_NEAR(mean.density, 1000 + 10 * ghost.x, 0.3);
    const double nothing[Node::sum_count] = {};
    EXPECT_EQ(zone_flow(c, zones.view(), zones.zone(), p, 0, nothing, {{7, 0, 0}, 990}).velocity.x, 7);
}

TEST(OpenZones, WhatAZoneHoldsIsNearPlacesThatMayHoldIt) {
    ThreeColumns zones;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const bool unlimited : {false, true}) {
        zones.zone().unlimited = unlimited;
        int held = 0, not_near = 0;
        for (int n = 0; n < 4000; ++n) {
            const Vec3d p{1.8 + 0.6 * unit(random), 0, 1.1 + 0.6 * unit(random)};
            const Vec3d offset{0.2 * unit(random), 0, 0.2 * unit(random)};
            const bool may = may_hold(zones.zone(), p + offset, std::sqrt(dot(offset, offset)));
            not_near += !may;
            if (place_in(zones.view(), p).zone < 0) continue;
            ++held;
            EXPECT_TRUE(may) << p.x << ' ' << p.z;
        }
        EXPECT_GT(held, 300);
        EXPECT_GT(not_near, 300);
    }
}

TEST(OpenZones, AColumnThatNobodyLeftIsRefilledOnlyWhereZonesFillAnyRoom) {
    ThreeColumns zones;
    for (const Refilling refilling : {Refilling::full, Refilling::below_surface, Refilling::advanced}) {
        zones.zone().refilling = refilling;
        for (const bool entered : {false, true}) {
            const bool due = depth_of_new(zones.view(), zones.zone(), zones.open.points[0], 0, {0.15, 1, entered}) > 0;
            EXPECT_EQ(due, entered || refilling == Refilling::advanced);
            EXPECT_EQ(may_refill(zones.zone(), entered), due);
        }
    }
}
