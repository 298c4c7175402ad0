// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/measures/gauges.h"
#include "io/measures/riding.h"
#include "model/derive.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

// Gauges and probes that ride on moving walls, floating bodies and flexible bodies, in a run made by hand.

using namespace sluice;

namespace {

constexpr double dp = 0.02;
constexpr int wall = 1, block = 2, plate = 3, layers = 4; // mkbounds; 0 is fixed
const Box domain{{-1, -2, -0.5}, {3, 2, 2}};

/// Positions of all particles at the start, in the order of the ids.
struct Particles {
    std::vector<Vec3d> at;
    std::vector<ParticleGroup> groups;

    void add(int mk, ParticleType type, const std::vector<Vec3d>& places, int motion = -1) {
        groups.push_back({static_cast<int>(groups.size()), mk, type, static_cast<std::uint32_t>(at.size()),
                          static_cast<std::uint32_t>(places.size()), motion});
        at.insert(at.end(), places.begin(), places.end());
    }
    const ParticleGroup& group(int mk) const { return groups.at(static_cast<std::size_t>(mk)); }
};

std::vector<Vec3d> lattice(const Vec3d& corner, int nx, int ny, int nz) {
    std::vector<Vec3d> places;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) places.push_back(corner + dp * Vec3d{double(i), double(j), double(k)});
    return places;
}

/// The wall turns about the y axis through (0.5, 0, 0.2) by 2 t rad while what carries it moves by 0.3 t along x and
/// −0.1 t along z; the layers move by 0.1 t and 0.2 t along x.
Motions prescribed() {
    Motions motions;
    const auto add = [&](MotionKind kind, MotionPath path, const Vec3d& rate, int parent = -1) {
        MotionPiece piece;
        piece.kind = kind;
        piece.rate = rate;
        piece.axis = {0, 1, 0};
        piece.axis_point = kind == MotionKind::rotation ? Vec3d{0.5, 0, 0.2} : Vec3d{};
        MotionSegment segment;
        segment.path = path;
        segment.first_piece = static_cast<int>(motions.pieces.size());
        segment.piece_count = 1;
        motions.objects.push_back({{}, parent, static_cast<int>(motions.segments.size()), 1});
        motions.segments.push_back(segment);
        motions.pieces.push_back(piece);
    };
    add(MotionKind::translation, MotionPath::translations, {0.3, 0, -0.1});
    add(MotionKind::rotation, MotionPath::rotation, {2, 0, 0}, 0);
    add(MotionKind::translation, MotionPath::translations, {0.1, 0, 0});
    add(MotionKind::translation, MotionPath::translations, {0.2, 0, 0});
    return relative_to(motions, domain.min);
}

/// Where the wall takes a place.
Vec3d on_wall(const Vec3d& p, double t) {
    const double c = std::cos(2 * t), s = std::sin(2 * t), x = p.x - 0.5, z = p.z - 0.2;
    return {0.5 + c * x + s * z + 0.3 * t, p.y, 0.2 - s * x + c * z - 0.1 * t};
}

struct Scene {
    RunSetup setup;
    Particles particles;
    std::vector<ParticleBlock> blocks;

    explicit Scene(bool two_d = true) {
        sph::Constants& c = setup.constants;
        c.two_d = two_d;
        c.kernel = sph::KernelType::wendland;
        c.dp = dp;
        c.h = sph::smoothing_length(1, dp, two_d);
        c.c0 = 40;
        sph::derive(c);
        setup.domain = domain;
        const int ny = two_d ? 1 : 6;
        particles.add(0, ParticleType::fixed, {{0, 0, 0}});
        particles.add(wall, ParticleType::moving, lattice({0.4, 0, 0.1}, 3, ny, 1), 1);
        particles.add(block, ParticleType::floating, lattice({1, 0, 1}, 3, ny, 3));
        particles.add(plate, ParticleType::moving, lattice({2, 0, 0.5}, 6, ny, 6));
        particles.add(layers, ParticleType::moving, {{0, 0, 0.5}, {0, 0, 1}});
        particles.add(0, ParticleType::fluid, lattice({0, 0, 0}, 30, two_d ? 1 : 12, 30));
        for (const ParticleGroup& group : particles.groups) blocks.push_back({group, {}, {}, {}});
        setup.set_groups(ParticleGroups(particles.groups));
        setup.motions = prescribed();
        const ParticleGroup& floating = particles.group(block);
        Body body;
        body.mk_bound = block;
        body.first_id = floating.begin;
        body.particles = floating.count;
        body.centre = Vec3d{1.02, 0, 1.02} - domain.min;
        setup.bodies = {body};
        setup.rigid = rigid_particles(setup.groups, setup.motions.object_count(), setup.bodies,
                                      [&](std::uint32_t id) { return particles.at[id] - domain.min; },
                                      {{particles.group(layers).begin, {2, 3}}});
        const ParticleGroup& elastic = particles.group(plate);
        FlexibleBody flexible;
        flexible.mk_bound = plate;
        flexible.first_id = elastic.begin;
        flexible.particles = elastic.count;
        setup.flexible.all = {flexible};
        for (std::uint32_t k = 0; k < elastic.count; ++k)
            setup.flexible.start.push_back(particles.at[elastic.begin + k] - domain.min);
    }

    /// Still water of constant density whose pressure falls with z, and a body at rest.
    Frame frame(double time) const {
        Frame frame;
        frame.time = time;
        frame.step = static_cast<std::int64_t>(1e6 * time);
        frame.position = particles.at;
        for (std::uint32_t id = 0; id < frame.position.size(); ++id) {
            frame.id.push_back(id);
            frame.velocity.push_back({});
            frame.density.push_back(1000);
            frame.pressure.push_back(static_cast<float>(9810 * (1 - frame.position[id].z)));
        }
        frame.bodies = {{initial_state(setup.bodies[0]), {}}};
        frame.bodies[0].state.centre = frame.bodies[0].state.centre + domain.min;
        return frame;
    }
    /// The numbers of the one row of a gauge at the time of a frame.
    std::vector<double> measured(const GaugeKind& kind, int follow, const Frame& frame) const {
        std::vector<double> numbers;
        const auto series = gauge_series(gauge(kind, follow), setup, blocks);
        const FluidInterpolator fluid(frame, setup.groups, setup.constants);
        const auto rows = series.at(0).measure(fluid);
        for (const CsvValue& value : rows.at(0)) numbers.push_back(std::get<double>(value));
        return numbers;
    }
    static Gauge gauge(const GaugeKind& kind, int follow) {
        Gauge gauge;
        gauge.where = {"case.xml", 7};
        gauge.name = "rider";
        gauge.kind = kind;
        gauge.follow = follow;
        return gauge;
    }
    std::string error_of(int follow) const {
        try {
            check_ride(gauge(PressurePoint{}, follow), setup);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
};

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    EXPECT_LT(norm(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " instead of " << b.x << " " << b.y << " "
                                      << b.z;
}

Vec3d place_in(const std::vector<double>& row, std::size_t first) {
    return {row[first], row[first + 1], row[first + 2]};
}

} // namespace

TEST(riding, a_place_goes_where_its_wall_takes_it) {
    for (const bool two_d : {true, false}) {
        const Scene run(two_d);
        for (const Vec3d& p : {Vec3d{0.45, 0, 0.3}, Vec3d{-0.2, 0.7, 0.11}})
            for (const double t : {0.0, 0.2, 1.3}) {
                const RigidMotion motion = Ride(run.setup, wall, p).at(run.frame(t));
                expect_near(motion.position_of(p), on_wall(p, t), 1e-14);
                const double d = 1e-6;
                expect_near(motion.velocity_of(p), (1 / (2 * d)) * (on_wall(p, t + d) - on_wall(p, t - d)), 1e-8);
            }
    }
}

TEST(riding, a_place_goes_where_its_floating_body_takes_it) {
    const Scene run(false);
    Frame frame = run.frame(0.5);
    BodyState& state = frame.bodies[0].state;
    state.centre = {1.3, 0.4, 0.9};
    const double half = 0.5 * std::numbers::pi / 2; // a quarter turn about x: y to z, z to −y
    state.turning[0] = std::cos(half);
    state.turning[1] = std::sin(half);
    state.velocity = {0.1, 0.2, 0.3};
    state.angular_velocity = {3, 0, 0};
    const Vec3d start{1.02 + 0.1, 0.2, 1.02 + 0.05};
    const RigidMotion motion = Ride(run.setup, block, start).at(frame);
    expect_near(motion.position_of(start), {1.3 + 0.1, 0.4 - 0.05, 0.9 + 0.2}, 1e-14);
    expect_near(motion.velocity_of(start), {0.1, 0.2 - 3 * 0.2, 0.3 - 3 * 0.05}, 1e-13);
}

TEST(riding, the_material_of_a_flexible_body_carries_a_place_beside_it) {
    for (const bool two_d : {true, false}) {
        const Scene run(two_d);
        Frame frame = run.frame(0.5);
        const auto strained = [&](const Vec3d& p) {
            const double y = two_d ? p.y : 0.9 * p.y + 0.1 * p.x;
            return Vec3d{0.9 * p.x - 0.4 * p.z + 0.2, y, 0.4 * p.x + 1.1 * p.z - 0.3};
        };
        const ParticleGroup& elastic = run.particles.group(plate);
        for (std::uint32_t id = elastic.begin; id < elastic.begin + elastic.count; ++id) {
            frame.position[id] = strained(frame.position[id]);
            frame.velocity[id] = {1, 0, static_cast<float>(id == elastic.begin ? 2 : 0)};
        }
        const Vec3d beside{1.97, 0, 0.49}; // the first particle is nearest
        const RigidMotion motion = Ride(run.setup, plate, beside).at(frame);
        expect_near(motion.position_of(beside), strained(beside), 1e-13);
        expect_near(motion.velocity_of(beside), {1, 0, 2}, 1e-14);
    }
}

TEST(riding, of_layers_the_one_nearest_to_the_place_counts) {
    const Scene run;
    expect_near(Ride(run.setup, layers, {0.1, 0, 0.6}).at(run.frame(2)).position_of({0.1, 0, 0.6}), {0.3, 0, 0.6},
                1e-14);
    expect_near(Ride(run.setup, layers, {0.1, 0, 0.8}).at(run.frame(2)).position_of({0.1, 0, 0.8}), {0.5, 0, 0.8},
                1e-14);
}

TEST(riding, in_a_periodic_run_places_are_those_in_the_domain) {
    Scene run;
    run.setup.period.periodic[0] = true;
    run.setup.period.shift[0] = {4, 0, 0};
    const Vec3d p{2.9, 0, 0.6};
    const RigidMotion motion = Ride(run.setup, layers, p).at(run.frame(3));
    expect_near(motion.position_of(p), {2.9 + 0.3 - 4, 0, 0.6}, 1e-14);
    const Vec3d far = on_wall({2.9, 0, 0.2}, 1);
    const RigidMotion turned = Ride(run.setup, wall, {2.9, 0, 0.2}).at(run.frame(1));
    EXPECT_LT(std::abs(std::remainder(turned.position_of({2.9, 0, 0.2}).x - far.x, 4)), 1e-13);
    const Scene as_is;
    expect_near(turned.velocity_of({2.9, 0, 0.2}),
                Ride(as_is.setup, wall, {}).at(run.frame(1)).velocity_of({2.9, 0, 0.2}), 1e-13);
}

TEST(riding, gauges_measure_where_they_have_come_to_and_say_where) {
    for (const bool two_d : {true, false}) {
        const Scene run(two_d);
        const double y = two_d ? 0 : 0.1, t = 0.1;
        const Vec3d start{0.3, y, 0.3}, now = on_wall(start, t);
        Frame frame = run.frame(t);
        for (std::size_t id = run.setup.groups.boundary_count(); id < frame.size(); ++id)
            frame.velocity[id] = {static_cast<float>(frame.position[id].z), 0,
                                  static_cast<float>(frame.position[id].x)};
        const auto pressure = run.measured(PressurePoint{start}, wall, frame);
        EXPECT_NEAR(pressure[0], 9810 * (1 - now.z), 2);
        EXPECT_GT(std::abs(now.z - start.z), 0.02) << "else it would not matter where it is";
        expect_near(place_in(pressure, 3), now, 1e-14);
        const auto velocity = run.measured(VelocityPoint{start}, wall, frame);
        EXPECT_NEAR(velocity[0], now.z, 1e-3) << "in space";
        EXPECT_NEAR(velocity[2], now.x, 1e-3);
        expect_near(place_in(velocity, 4), now, 1e-14);
    }
    const Scene run;
    EXPECT_EQ(gauge_series(Scene::gauge(PressurePoint{}, wall), run.setup, run.blocks)[0].columns,
              (std::vector<std::string>{"pressure [Pa]", "density [kg/m3]", "fraction", "x [m]", "y [m]", "z [m]"}));
}

TEST(riding, the_line_of_a_surface_turns_with_its_wall) {
    const Scene run;
    const double t = 0.1;
    const SurfaceLine line{{0.4, 0, 0.3}, {0.4, 0, 0.9}, dp / 4, 0.4};
    const Vec3d foot = on_wall(line.point0, t), end = on_wall(line.point2, t), along = normalized(end - foot);
    const auto row = run.measured(line, wall, run.frame(t));
    const Vec3d surface = place_in(row, 0);
    EXPECT_NEAR(surface.z, 0.59, 0.3 * dp) << "just above the last particles, as they lie without a spacing between";
    EXPECT_NEAR(norm(cross(surface - foot, along)), 0, 1e-13) << "on the line";
    EXPECT_NEAR(row[3], dot(surface - foot, along), 1e-13);
    expect_near(place_in(row, 4), foot, 1e-14);
    const auto dry = run.measured(SurfaceLine{{2.5, 0, 1}, {2.5, 0, 1.5}, dp / 4, 0.4}, wall, run.frame(t));
    EXPECT_TRUE(std::isnan(dry[0]) && std::isnan(dry[3]));
    expect_near(place_in(dry, 4), on_wall({2.5, 0, 1}, t), 1e-13);
}

TEST(riding, the_line_of_the_highest_fluid_stays_upright) {
    const Scene run;
    const Vec3d foot = on_wall({0.4, 0, 0.3}, 0.1);
    const auto row = run.measured(HighestFluid{{0.4, 0, 0.3}, 0.5, 2 * dp, 0}, wall, run.frame(0.1));
    EXPECT_NEAR(row[0], 29 * dp, 1e-12);
    expect_near(place_in(row, 1), foot, 1e-14);
}

TEST(riding, through_a_rectangle_that_moves_with_the_water_nothing_flows) {
    const Scene run;
    const double t = 0.4;
    Frame frame = run.frame(t);
    for (Vec3f& velocity : frame.velocity) velocity = {0.1F, 0, 0};
    for (const double support : {0.0, 0.5}) {
        const FlowRectangle line{{0.2, 0, 0.4}, {0.2, 0, 0.2}, {0.2, 1, 0.4}, dp, 0, {}, support};
        EXPECT_NEAR(run.measured(line, layers, frame)[0], 0, 1e-9) << "the lower layer has the water's velocity";
        EXPECT_NEAR(run.measured(line, block, frame)[0], 0.1 * 0.2, 3e-4) << "the body is at rest";
    }
    FlowRectangle turned{{0.3, 0, 0.3}, {0.3, 0, 0.2}, {0.3, 1, 0.3}, dp, 0, {1, 0, 0}, 0.5};
    frame = run.frame(t); // still water: what flows is what the rectangle sweeps over
    const RigidMotion motion = Ride(run.setup, wall, turned.point0).at(frame);
    const Vec3d middle = motion.position_of({0.3, 0, 0.25});
    const Vec3d normal{std::cos(2 * t), 0, -std::sin(2 * t)};
    EXPECT_NEAR(run.measured(turned, wall, frame)[0], -0.1 * dot(motion.velocity_at(middle), normal), 1e-12);
}

TEST(riding, a_mesh_turns_with_its_steps_and_its_direction) {
    const Scene run;
    const double t = 0.1;
    Frame frame = run.frame(t);
    for (Vec3f& velocity : frame.velocity) velocity = {0, 0, 1};
    MeasuringMesh mesh;
    mesh.origin = {0.4, 0, 0.3};
    mesh.step[0] = {0.05, 0, 0};
    mesh.count = {2, 1, 1};
    mesh.along = true;
    const auto series = gauge_series(Scene::gauge(mesh, wall), run.setup, run.blocks);
    const auto rows = series.at(0).measure(FluidInterpolator(frame, run.setup.groups, run.setup.constants));
    ASSERT_EQ(rows.size(), 2U);
    const Vec3d second{std::get<double>(rows[1][1]), std::get<double>(rows[1][2]), std::get<double>(rows[1][3])};
    expect_near(second, on_wall({0.45, 0, 0.3}, t), 1e-14);
    EXPECT_NEAR(std::get<double>(rows[1][5]), -std::sin(2 * t), 1e-6) << "x of the wall points down a little";
    EXPECT_EQ(series[0].columns.size(), rows[0].size());
}

TEST(riding, only_the_water_around_the_present_place_is_sorted) {
    const Scene run;
    const MeasuredSeries series =
        gauge_series(Scene::gauge(PressurePoint{{0.4, 0, 0.3}}, wall), run.setup, run.blocks)[0];
    const MeasuredSeries probes = probe_series({{0.4, 0, 0.3}, {0.2, 0, 0.4}}, run.setup, wall);
    SharedFluid shared(run.setup);
    for (const MeasuredSeries& one : {series, probes}) {
        EXPECT_TRUE(one.regions.empty());
        shared.add_regions(one.regions_at);
    }
    for (const double t : {0.0, 0.1}) {
        const Frame frame = run.frame(t);
        const FluidInterpolator all(frame, run.setup.groups, run.setup.constants);
        const auto row = series.measure(shared.of(frame)).at(0), alone = series.measure(all).at(0);
        EXPECT_LT(shared.of(frame).cells().size(), 400U);
        EXPECT_NEAR(std::get<double>(row[0]), std::get<double>(alone[0]), 1e-9);
        const auto rows = probes.measure(shared.of(frame));
        ASSERT_EQ(rows.size(), 2U);
        const Vec3d now = on_wall({0.2, 0, 0.4}, t);
        EXPECT_NEAR(std::get<double>(rows[1][1]), now.x, 1e-14);
        EXPECT_NEAR(std::get<double>(rows[1][3]), now.z, 1e-14);
        EXPECT_NEAR(std::get<double>(rows[1].at(8)), 9810 * (1 - now.z), 2);
    }
}

TEST(riding, what_does_not_move_carries_nothing) {
    const Scene run;
    EXPECT_EQ(
        run.error_of(0),
        "case.xml:7: gauge \"rider\": mkbound 0 does not move; what moves is mkbound 1, 2, 3, 4; take <follow> out");
    EXPECT_NE(run.error_of(9).find("no boundary particles of mkbound 9"), std::string::npos) << run.error_of(9);
    for (const int mk : {wall, block, plate, layers}) EXPECT_EQ(run.error_of(mk), "") << mk;
    EXPECT_THROW(gauge_series(Scene::gauge(PressurePoint{}, 0), run.setup, run.blocks), InputError);
    EXPECT_THROW(probe_series({{}}, run.setup, 0), InputError);
    RunSetup nothing;
    nothing.set_groups(ParticleGroups::of(3, 4));
    EXPECT_EQ(why_no_ride(nothing, 0), "mkbound 0 does not move; nothing in the case moves");
    EXPECT_EQ(why_no_ride(nothing, 1), "the case has no boundary particles of mkbound 1; nothing in the case moves");
}

TEST(riding, check_says_on_what) {
    const Scene run;
    const auto told = [&](int mk) {
        const auto notes = gauge_notes(Scene::gauge(PressurePoint{{0.1, 0, 0.1}}, mk), run.setup, 1);
        EXPECT_EQ(notes.size(), 1U);
        EXPECT_EQ(notes.at(0).level, Diagnostic::Level::info);
        return notes.at(0).message;
    };
    EXPECT_EQ(told(wall), "the gauge \"rider\" rides on the moving wall of mkbound 1");
    EXPECT_EQ(told(block), "the gauge \"rider\" rides on the floating body of mkbound 2");
    EXPECT_EQ(told(plate), "the gauge \"rider\" rides on the flexible body of mkbound 3");
}
