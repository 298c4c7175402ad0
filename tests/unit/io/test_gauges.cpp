// SPDX-License-Identifier: Apache-2.0
#include "io/measures/gauges.h"
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cmath>
#include <fmt/ranges.h>
#include <fstream>
#include <gtest/gtest.h>
#include <utility>

using namespace sluice;

namespace {

constexpr double tank_dp = 0.01;

RunSetup setup() {
    RunSetup setup;
    setup.constants.two_d = true;
    setup.constants.kernel = sph::KernelType::wendland;
    setup.constants.dp = tank_dp;
    setup.constants.h = sph::smoothing_length(1, tank_dp, true);
    setup.constants.c0 = 60;
    sph::derive(setup.constants);
    setup.set_groups(ParticleGroups::of(0, 1));
    return setup;
}

SurfaceLine gauge(Vec3d from, Vec3d to, double limit = 0.4) { return {from, to, tank_dp / 2, limit}; }

const SurfaceLine up = gauge({0.2, 0, -0.05}, {0.2, 0, 2.1}), right = gauge({-0.05, 0, 0.03}, {4.05, 0, 0.03});

Gauge timed(GaugeKind kind, double dt) {
    Gauge gauge;
    gauge.name = "line";
    gauge.output_dt = dt;
    gauge.kind = std::move(kind);
    return gauge;
}

/// The column of water as a frame in which speed and pressure are linear in z.
Frame sheared_column() {
    Frame frame = sample::still_frame(sample::column(tank_dp));
    for (std::size_t i = 0; i < frame.size(); ++i) {
        frame.velocity[i] = {static_cast<float>(frame.position[i].z), 0, -1};
        frame.pressure[i] = static_cast<float>(9810 * (2 - frame.position[i].z));
    }
    return frame;
}

FluidInterpolator fluid_of(const Frame& frame, const RunSetup& run = setup()) {
    return FluidInterpolator(frame, run.groups, run.constants);
}

/// The numbers of the one row of a series.
std::vector<double> measured(const GaugeKind& kind, const Frame& frame, const RunSetup& run = setup()) {
    std::vector<double> numbers;
    const auto rows = gauge_series(timed(kind, 0), run, {}).at(0).measure(fluid_of(frame, run));
    EXPECT_EQ(rows.size(), 1u);
    for (const CsvValue& value : rows[0]) numbers.push_back(std::get<double>(value));
    return numbers;
}

} // namespace

TEST(gauges, agree_with_the_reference_solver_on_the_still_column) {
    const Frame frame = sample::still_frame(sample::column(tank_dp));
    EXPECT_NEAR(find_surface(up, fluid_of(frame))->z, 2.00691, 2e-4);
    EXPECT_NEAR(find_surface(right, fluid_of(frame))->x, 1.00689, 2e-4);
}

TEST(gauges, half_of_the_volume_is_half_a_spacing_above_the_last_particles) {
    const Frame frame = sample::still_frame(sample::column(tank_dp));
    EXPECT_NEAR(find_surface(gauge(up.point0, up.point2, 0.5), fluid_of(frame))->z, 2.005, 1e-4);
}

TEST(gauges, take_the_body_of_water_and_not_the_spray) {
    ParticleSet set = sample::column(tank_dp);
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k) set.position.push_back({0.17 + i * tank_dp, 0, 2.05 + k * tank_dp});
    set.velocity.resize(set.position.size());
    const Frame frame = sample::still_frame(set);
    EXPECT_NEAR(find_surface(up, fluid_of(frame))->z, 2.007, 1e-3);
}

TEST(gauges, a_line_inside_the_fluid_gives_its_end_and_a_dry_one_nothing) {
    const Frame frame = sample::still_frame(sample::column(tank_dp));
    const Vec3d inside{0.2, 0, 1.5};
    EXPECT_EQ(find_surface(gauge({0.2, 0, 0.5}, inside), fluid_of(frame)), inside);
    EXPECT_EQ(find_surface(gauge({3, 0, 0}, {3, 0, 2}), fluid_of(frame)), std::nullopt);
}

TEST(gauges, boundary_particles_do_not_count) {
    const Frame frame = sample::still_frame(sample::column(tank_dp));
    RunSetup all_boundary = setup();
    all_boundary.set_groups(ParticleGroups::of(static_cast<std::uint32_t>(frame.size()), 0));
    EXPECT_EQ(find_surface(up, fluid_of(frame, all_boundary)), std::nullopt);
}

TEST(gauges, the_sampler_writes_a_series) {
    const TemporaryFolder folder;
    SharedFluid fluid(setup());
    const auto samplers = make_gauge_samplers(folder.path(), timed(up, 0.02), setup(), {}, fluid);
    ASSERT_EQ(samplers.size(), 1u);
    Frame frame = sample::still_frame(sample::column(tank_dp));
    samplers[0]->sample(frame);
    std::ifstream file(folder.path() / "gauges" / "line.csv");
    std::string line, last;
    while (std::getline(file, line)) {
        if (line[0] != '#' && line[0] != 't') last = line;
    }
    EXPECT_EQ(last.substr(0, 11), "0,0.2,0,2.0") << last;
}

TEST(gauges, velocity_and_pressure_at_a_point_are_those_of_the_field) {
    const Frame frame = sheared_column();
    const auto velocity = measured(VelocityPoint{{0.5, 7, 0.8}}, frame);
    EXPECT_NEAR(velocity[0], 0.8, 1e-5);
    EXPECT_NEAR(velocity[2], -1, 1e-6);
    EXPECT_NEAR(velocity[3], 1, 0.01) << "inside, all of the volume is fluid";
    const auto pressure = measured(PressurePoint{{0.5, 0, 0.8}}, frame);
    EXPECT_NEAR(pressure[0], 9810 * 1.2, 1);
    EXPECT_NEAR(pressure[1], 1000, 1e-3);
    EXPECT_TRUE(std::isnan(measured(VelocityPoint{{3, 0, 0.8}}, frame)[0]));
}

TEST(gauges, the_highest_fluid_is_that_near_the_line) {
    ParticleSet set = sample::column(tank_dp);
    set.position.push_back({0.505, 0, 2.3});
    set.velocity.resize(set.position.size());
    const Frame frame = sample::still_frame(set);
    EXPECT_EQ(measured(HighestFluid{{0.5, 0, 0}, 5, 0.02, 0}, frame)[0], 2.3);
    EXPECT_EQ(measured(HighestFluid{{0.5, 0, 0}, 5, 0, 0.8}, frame)[0], 2.3);
    EXPECT_EQ(measured(HighestFluid{{0.5, 0, 0}, 2.1, 0.02, 0}, frame)[0], 2);
    EXPECT_EQ(measured(HighestFluid{{0.2, 0, 0}, 5, 0.02, 0}, frame)[0], 2);
    EXPECT_TRUE(std::isnan(measured(HighestFluid{{3, 0, 0}, 5, 0.02, 0}, frame)[0]));
    EXPECT_EQ(measured(HighestFluid{{0.2, 0, 0}, 1.5, 0.02, 0}, frame)[0], 1.5) << "particles go on above the line";
    EXPECT_TRUE(std::isnan(measured(HighestFluid{{0.5, 0, 2.305}, 1, 0.02, 0}, frame)[0])) << "they end below it";
}

TEST(gauges, the_reach_of_the_highest_fluid_is_a_distance_and_so_many_smoothing_lengths) {
    ParticleSet set = sample::column(tank_dp);
    set.position.push_back({0.505, 0, 2.3}); // 0.015 m from the line; h = √2 dp = 0.01414 m
    set.velocity.resize(set.position.size());
    const Frame frame = sample::still_frame(set);
    const auto highest = [&](double distance, double distance_h) {
        return measured(HighestFluid{{0.52, 0, 0}, 5, distance, distance_h}, frame)[0];
    };
    EXPECT_EQ(highest(0, 1.1), 2.3);
    EXPECT_EQ(highest(0, 1), 2);
    EXPECT_EQ(highest(0.002, 0.95), 2.3) << "0.01543 m";
    EXPECT_EQ(highest(0.002, 0.9), 2) << "0.01473 m";
}

TEST(gauges, the_highest_fluid_in_space_is_near_the_line_along_both_axes) {
    RunSetup space = setup();
    space.constants.two_d = false;
    ParticleSet set;
    set.position = {{0.5, 0.5, 1}, {0.5, 0.9, 2}, {0.9, 0.5, 3}, {0.53, 0.53, 4}, {0.51, 0.51, 1.5}};
    set.velocity.resize(set.position.size());
    const Frame frame = sample::still_frame(set);
    const FluidInterpolator fluid(frame, ParticleGroups::of(0, 5), space.constants);
    EXPECT_EQ(highest_fluid({{0.5, 0.5, 0}, 9, 0.02, 0}, fluid), 1.5);
    EXPECT_EQ(highest_fluid({{0.5, 0.5, 0}, 9, 0.04, 0}, fluid), 1.5) << "0.042 m off the line";
    EXPECT_EQ(highest_fluid({{0.5, 0.5, 0}, 9, 0.05, 0}, fluid), 4);
    EXPECT_EQ(highest_fluid({{0.5, 0.9, 0}, 9, 0.02, 0}, fluid), 2);
}

TEST(gauges, points_of_a_mesh_go_along_the_first_direction_first) {
    MeasuringMesh mesh;
    mesh.origin = {1, 2, 3};
    mesh.step[0] = {10, 0.5, 0}; // directions need not be at right angles
    mesh.step[1] = {0, 20, 0.25};
    mesh.step[2] = {-1, 0, 30};
    mesh.count = {3, 2, 2};
    const std::vector<Vec3d> points = mesh_points(mesh);
    ASSERT_EQ(points.size(), 12u);
    EXPECT_EQ(points[0], (Vec3d{1, 2, 3}));
    EXPECT_EQ(points[1], (Vec3d{11, 2.5, 3}));
    EXPECT_EQ(points[2], (Vec3d{21, 3, 3}));
    EXPECT_EQ(points[3], (Vec3d{1, 22, 3.25}));
    EXPECT_EQ(points[6], (Vec3d{0, 2, 33}));
    EXPECT_EQ(points[11], (Vec3d{20, 23, 33.25}));
}

TEST(gauges, flow_through_a_rectangle_is_the_integral_of_the_velocity) {
    const Frame frame = sheared_column();
    // vx = z over the whole height of the column, and nothing above it: 2 m²/s; the normal is z × y = −x.
    const FlowRectangle upright{{0.5, 0, -0.1}, {0.5, 0, 3}, {0.5, 1, -0.1}, 0.005};
    EXPECT_NEAR(measured(upright, frame)[0], -2, 0.03);
    const FlowRectangle turned{{0.5, 0, -0.1}, {0.5, 2, -0.1}, {0.5, 0, 3}, 0.005};
    EXPECT_NEAR(measured(turned, frame)[0], 4, 0.06) << "twice as wide, other side first";
    const FlowRectangle level{{0.2, 0, 1}, {0.4, 0, 1}, {0.2, 1, 1}, 0};
    EXPECT_NEAR(measured(level, frame)[0], -0.2, 1e-3) << "vz = -1 along x × y = z";
}

TEST(gauges, of_a_flow_it_is_told_in_a_few_digits_along_what_it_counts) {
    FlowRectangle flow{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, 0.1};
    const auto told = [&] {
        const std::string all =
            fmt::format("{}", fmt::join(gauge_series(timed(flow, 0), setup(), {}).at(0).comments, "\n"));
        const std::size_t begin = all.find("n = (");
        return begin == all.npos ? all : all.substr(begin, all.find(')', begin) + 1 - begin);
    };
    EXPECT_EQ(told(), "n = (1, 0, 0)") << "the cross product of the sides";
    flow.direction = {1, 2, -2};
    EXPECT_EQ(told(), "n = (0.333333, 0.666667, -0.666667)");
    flow.direction = {-2, 1, 2};
    EXPECT_EQ(told(), "n = (-0.666667, 0.333333, 0.666667)");
    flow.direction = {-1e-9, -3, 0};
    EXPECT_EQ(told(), "n = (0, -1, 0)");
}

TEST(gauges, flow_through_a_mesh_counts_places_with_enough_fluid_wholly) {
    // All of the column moves along x: through an upright mesh of any width, in 2-D a metre's worth.
    Frame frame = sample::still_frame(sample::column(tank_dp));
    for (Vec3f& v : frame.velocity) v = {1.5f, 0, 0};
    FlowRectangle flow{{0.5, 0, 0.5}, {0.5, 1, 0.5}, {0.5, 0, 1.5}, 1, 0.02, {1, 0, 0}, 0.5};
    EXPECT_NEAR(measured(flow, frame)[0], 1.5, 1e-6);
    flow.direction = {std::sqrt(0.5), 0, std::sqrt(0.5)};
    EXPECT_NEAR(measured(flow, frame)[0], 1.5 * std::sqrt(0.5), 1e-6);
    flow.direction = {0, 0, 1};
    EXPECT_NEAR(measured(flow, frame)[0], 0, 1e-6) << "nothing goes up";
    // Beyond the surface (2.005 m) there is nothing to count.
    flow.direction = {-1, 0, 0};
    flow.point2 = {0.5, 0, 3.5};
    EXPECT_NEAR(measured(flow, frame)[0], -1.5 * 1.505, 1.5 * 0.011) << "to half a part";
}

TEST(gauges, a_uniform_flow_in_space_gives_its_analytic_rate) {
    RunSetup space = setup();
    space.constants.two_d = false;
    space.constants.dp = 0.05;
    space.constants.h = sph::smoothing_length(1.2, 0.05, false);
    sph::derive(space.constants);
    space.set_groups(space.groups);
    Frame frame;
    for (int k = 0; k < 20; ++k)
        for (int j = 0; j < 20; ++j)
            for (int i = 0; i < 20; ++i) {
                frame.id.push_back(static_cast<std::uint32_t>(frame.size()));
                frame.position.push_back({0.05 * i, 0.05 * j, 0.05 * k});
                frame.velocity.push_back({2, 1, 0});
                frame.density.push_back(1000);
                frame.pressure.push_back(0);
            }
    // 0.2 m × 0.3 m inside the fluid, across x
    const FlowRectangle flow{{0.5, 0.35, 0.35}, {0.5, 0.55, 0.35}, {0.5, 0.35, 0.65}, 0.05, 0, {1, 0, 0}, 0.5};
    EXPECT_NEAR(measured(flow, frame, space)[0], 2 * 0.2 * 0.3, 1e-6);
    FlowRectangle by_fraction = flow;
    by_fraction.support = 0;
    by_fraction.direction = {};
    EXPECT_NEAR(measured(by_fraction, frame, space)[0], 2 * 0.2 * 0.3, 2e-3 * 0.12);
}

TEST(gauges, a_mesh_gives_its_points_and_the_surface_of_its_columns) {
    const Frame frame = sheared_column();
    MeasuringMesh mesh;
    mesh.origin = {0.4, 0, 0.5};
    mesh.step[0] = {0.1, 0, 0};
    mesh.step[2] = {0, 0, 0.5};
    mesh.count = {3, 1, 5};
    mesh.direction = {0, 0, -1};
    mesh.velocity = mesh.along = mesh.density = mesh.surface = true;
    const auto series = gauge_series(timed(mesh, 0), setup(), {});
    ASSERT_EQ(series.size(), 2u);
    EXPECT_EQ(series[1].suffix, "-zsurf");
    const auto rows = series[0].measure(fluid_of(frame));
    ASSERT_EQ(rows.size(), 15u);
    ASSERT_EQ(rows[0].size(), series[0].columns.size());
    const auto number = [&](std::size_t row, std::size_t column) { return std::get<double>(rows[row][column]); };
    EXPECT_DOUBLE_EQ(number(4, 1), 0.5);
    EXPECT_DOUBLE_EQ(number(4, 3), 1.0);
    EXPECT_NEAR(number(4, 5), 1, 1e-5) << "vx = z";
    EXPECT_NEAR(number(4, 8), 1, 1e-6) << "vz = -1, along -z";
    EXPECT_NEAR(number(4, 9), 1000, 1e-3);
    EXPECT_TRUE(std::isnan(number(14, 5))) << "no fluid up there";
    mesh.dummy = 0;
    EXPECT_EQ(std::get<double>(gauge_series(timed(mesh, 0), setup(), {})[0].measure(fluid_of(frame))[14][5]), 0);
    for (const auto& row : series[1].measure(fluid_of(frame)))
        EXPECT_NEAR(std::get<double>(row[6]), 2.0, 0.3) << "linear between points half a metre apart";
}

TEST(gauges, all_of_a_run_see_the_same_as_each_by_itself) {
    const Frame frame = sheared_column();
    const std::vector<ParticleBlock> blocks;
    SharedFluid shared(setup());
    std::vector<MeasuredSeries> series;
    for (const GaugeKind& kind :
         {GaugeKind{up}, GaugeKind{VelocityPoint{{0.9, 0, 1.9}}}, GaugeKind{HighestFluid{{0.1, 0, 0}, 1e9, 0.05, 0}},
          GaugeKind{FlowRectangle{{0.5, 0, 0.1}, {0.5, 0, 1}, {0.5, 1, 0.1}, 0.01}}}) {
        series.push_back(gauge_series(timed(kind, 0), setup(), blocks).at(0));
        shared.add_regions(series.back().regions);
    }
    EXPECT_LT(shared.of(frame).cells().size(), frame.size() / 3) << "only what they look at is sorted";
    for (const MeasuredSeries& one : series) {
        const auto together = one.measure(shared.of(frame)), alone = one.measure(fluid_of(frame));
        for (std::size_t k = 0; k < alone[0].size(); ++k)
            EXPECT_NEAR(std::get<double>(together[0][k]), std::get<double>(alone[0][k]), 1e-12) << one.comments[0];
    }
}

TEST(gauges, probes_give_a_row_for_each_point) {
    const Frame frame = sheared_column();
    const auto rows = probe_series({{0.5, 0, 0.8}, {3, 0, 0}}).measure(fluid_of(frame));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(std::get<std::int64_t>(rows[1][0]), 1);
    EXPECT_NEAR(std::get<double>(rows[0][5]), 0.8, 1e-5);
    EXPECT_EQ(std::get<double>(rows[1][4]), 0);
    EXPECT_TRUE(std::isnan(std::get<double>(rows[1][5])));
}

TEST(gauges, those_that_lie_wholly_outside_the_domain_are_named) {
    const Box domain{{0, 1, 2}, {4, 5, 6}};
    const auto notes = [&](const Gauge& gauge, bool two_d) {
        RunSetup run = setup();
        run.domain = domain;
        run.constants.two_d = two_d;
        std::string all;
        for (const Diagnostic& note : gauge_notes(gauge, run, 1)) all += note.message;
        return all;
    };
    const auto noted = [&](const GaugeKind& kind, bool two_d = false) {
        return notes(timed(kind, 0), two_d).find("outside the domain") != std::string::npos;
    };
    const Vec3d middle{2, 3, 4};
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d low = middle, high = middle, below = middle, above = middle;
        low[axis] = domain.min[axis];
        high[axis] = domain.max[axis];
        below[axis] = low[axis] - 0.1;
        above[axis] = high[axis] + 0.1;
        for (const Vec3d& p : {low, middle, high}) EXPECT_FALSE(noted(VelocityPoint{p})) << axis;
        for (const Vec3d& p : {below, above}) {
            EXPECT_TRUE(noted(VelocityPoint{p})) << axis;
            EXPECT_EQ(noted(PressurePoint{p}, true), axis != 1) << "in 2-D there is no y";
        }
        EXPECT_FALSE(noted(gauge(below, above))) << "through the domain";
    }
    EXPECT_FALSE(noted(HighestFluid{{2, 3, 0}, 2, 0, 0})) << "its upper end is on the floor";
    EXPECT_TRUE(noted(HighestFluid{{2, 3, 0}, 1.9, 0, 0}));
    EXPECT_FALSE(noted(FlowRectangle{{5, 3, 4}, {5, 4, 4}, {4, 3, 4}, 1})) << "one side is on the edge";
    EXPECT_TRUE(noted(FlowRectangle{{5, 3, 4}, {5, 4, 4}, {4.5, 3, 4}, 1}));
    EXPECT_FALSE(noted(BoundaryForce{0})) << "is where its body is";
    Gauge outside = timed(VelocityPoint{{2, 3, 7}}, 0);
    outside.where = {"case.xml", 12};
    const std::string text = notes(outside, false);
    EXPECT_NE(text.find("\"line\" lies outside the domain on z (from 7 to 7 m, the domain from 2 to 6 m)"),
              std::string::npos)
        << text;
}

TEST(gauges, what_can_never_measure_is_named) {
    RunSetup run = setup();
    run.domain = {{-1, -1, -1}, {9, 9, 9}};
    const auto notes = [&](Gauge gauge) {
        const auto all = gauge_notes(gauge, run, 3);
        return all.empty() ? std::string() : all[0].message;
    };
    const auto of = [&](const GaugeKind& kind) { return notes(timed(kind, 0)); };
    SurfaceLine line = gauge({0.3, 0.1, 0}, {0.3, 0.1, 0.4});
    EXPECT_EQ(of(line), "");
    for (const double limit : {25.0, 1.0, 0.0, -0.1}) { // 0.2 kg are 25 particles of 8 g
        line.mass_limit = limit;
        EXPECT_NE(of(line).find("the gauge \"line\" looks for the surface where"), std::string::npos) << limit;
    }
    line.mass_limit = 0.5;
    line.point_spacing = 0.5;
    EXPECT_NE(of(line).find("has a line of 0.4 m and looks at places 0.5 m apart"), std::string::npos) << of(line);
    line.point_spacing = 0.2;
    EXPECT_EQ(of(line), "");
    MeasuringMesh mesh;
    mesh.mass_limit = 2;
    EXPECT_EQ(of(mesh), "") << "it looks for no surface";
    mesh.surface = true;
    EXPECT_NE(of(mesh).find("looks for the surface"), std::string::npos);
    EXPECT_NE(of(HighestFluid{{2, 3, 0}, 2, 0.4 * tank_dp, 0}).find("half a particle spacing"), std::string::npos);
    EXPECT_EQ(of(HighestFluid{{2, 3, 0}, 2, 0.5 * tank_dp, 0}), "");
    Gauge late = timed(VelocityPoint{{2, 3, 4}}, 0);
    late.start = 3;
    EXPECT_EQ(notes(late), "");
    late.start = 3.5;
    EXPECT_EQ(notes(late), "the gauge \"line\" starts at 3.5 s, and the run ends at 3 s: its table stays empty");
    late.start = -2;
    late.end = -1;
    EXPECT_NE(notes(late).find("before the run begins"), std::string::npos);
}

// Water between two plates, 12 layers at 1.5 m/s, wherever the gauge ends between the plates and the water.
TEST(gauges, flow_counts_all_that_flows_up_to_a_wall) {
    constexpr int layers = 12, columns = 60;
    Frame frame;
    const auto add = [&](double x, double z, float speed) {
        frame.id.push_back(static_cast<std::uint32_t>(frame.size()));
        frame.position.push_back({x, 0, z});
        frame.velocity.push_back({speed, 0, 0});
        frame.density.push_back(1000);
        frame.pressure.push_back(0);
    };
    const auto row = [&](int level, float speed) {
        for (int i = 0; i < columns; ++i) add(i * tank_dp, level * tank_dp, speed);
    };
    row(0, 0);
    row(layers + 1, 0);
    RunSetup run = setup();
    run.set_groups(ParticleGroups::of(2 * columns, (layers + 4) * columns));
    for (int level = 1; level <= layers; ++level) row(level, 1.5f);
    for (int level : {-2, -1, layers + 2, layers + 3}) row(level, -7); // behind the plates
    const double x = 0.5 * columns * tank_dp, flow = 1.5 * layers * tank_dp;
    for (const double gap : {0.0, 0.5, 0.9}) { // spacings from the plates
        const double low = gap * tank_dp, high = (layers + 1 - gap) * tank_dp;
        const FlowRectangle upright{{x, 0, high}, {x, 0, low}, {x, 1, high}, 0.25 * tank_dp};
        const FluidInterpolator fluid(frame, run.groups, run.constants);
        EXPECT_NEAR(flow_rate(upright, fluid), flow, 4e-3 * flow) << gap;
    }
    // In the middle of the water an edge is no wall: half of the flow.
    const FlowRectangle half{{x, 0, 6.5 * tank_dp}, {x, 0, 0}, {x, 1, 6.5 * tank_dp}, 0.25 * tank_dp};
    EXPECT_NEAR(flow_rate(half, FluidInterpolator(frame, run.groups, run.constants)), 0.5 * flow, 4e-3 * flow);
}

// A floor below the column carries its weight, and the other boundary nothing.
TEST(gauges, the_force_on_a_boundary_is_that_of_the_fluid_on_its_particles) {
    const Frame column = sheared_column();
    const sph::EquationOfState<double> eos(setup().constants);
    Frame frame;
    const auto add = [&](const Vec3d& p, float pressure) {
        frame.id.push_back(static_cast<std::uint32_t>(frame.size()));
        frame.position.push_back(p);
        frame.velocity.push_back({});
        frame.density.push_back(static_cast<float>(eos.density(pressure)));
        frame.pressure.push_back(pressure);
    };
    constexpr int layers = 3, width = 110; // of the floor, which is wider than the column; and a post far away
    for (int k = 0; k < layers; ++k)
        for (int i = -10; i < width; ++i)
            add({i * tank_dp, 0, -k * tank_dp}, static_cast<float>(9810 * (2 + k * tank_dp)));
    const auto floor = static_cast<std::uint32_t>(frame.size());
    for (int k = 0; k < 5; ++k) add({3, 0, k * tank_dp}, 0);
    const auto walls = static_cast<std::uint32_t>(frame.size());
    for (std::size_t i = 0; i < column.size(); ++i)
        add(column.position[i], static_cast<float>(9810 * (2 - column.position[i].z)));
    RunSetup run = setup();
    run.set_groups(ParticleGroups::of(walls, static_cast<std::uint32_t>(column.size())));
    const std::vector<ParticleBlock> blocks{{{11, 0, ParticleType::fixed, 0, floor}, {}, {}, {}},
                                            {{12, 1, ParticleType::fixed, floor, walls - floor}, {}, {}, {}}};
    const auto force = [&](int mk) {
        const MeasuredSeries series = gauge_series(timed(BoundaryForce{mk}, 0), run, blocks).at(0);
        EXPECT_EQ(series.columns, (std::vector<std::string>{"fx [N/m]", "fy [N/m]", "fz [N/m]"}));
        const auto rows = series.measure(fluid_of(frame, run));
        EXPECT_EQ(rows.size(), 1u);
        std::vector<double> numbers;
        for (const CsvValue& value : rows[0]) numbers.push_back(std::get<double>(value));
        return numbers;
    };
    const double weight = 9.81 * 1000 * double(column.size()) * tank_dp * tank_dp;
    EXPECT_NEAR(force(0)[2], -weight, 0.05 * weight);
    EXPECT_EQ(force(0)[1], 0);
    for (const double f : force(1)) EXPECT_EQ(f, 0);
}

// In two dimensions a rectangle that is a metre wide across the plane measures the flow of a metre of width.
TEST(gauges, a_flow_through_a_metre_of_width_is_told_as_such) {
    const auto unit = [](const Vec3d& a, const Vec3d& b, bool two_d = true) {
        RunSetup run = setup();
        run.constants.two_d = two_d;
        const Vec3d corner{0.5, -0.5, 0.25};
        const FlowRectangle flow{corner, corner + a, corner + b, tank_dp};
        return gauge_series(timed(flow, 0), run, {}).at(0).columns.at(0);
    };
    const Vec3d upward{0, 0, 1}, metre{0, 1, 0}, back{0, -1, 0}, wide{0, 2, 0}, along{1, 0, 0};
    EXPECT_EQ(unit(upward, metre), "flow [m2/s]");
    EXPECT_EQ(unit(metre, upward), "flow [m2/s]");
    EXPECT_EQ(unit(upward, back), "flow [m2/s]");
    EXPECT_EQ(unit(upward, wide), "flow [m3/s]");
    EXPECT_EQ(unit(wide, upward), "flow [m3/s]");
    EXPECT_EQ(unit(upward, along), "flow [m3/s]");
    EXPECT_EQ(unit(upward, metre, false), "flow [m3/s]");
}

TEST(gauges, a_force_on_an_mk_that_is_not_there_is_bad_input) {
    Gauge gauge = timed(BoundaryForce{3}, 0);
    gauge.where = {"case.xml", 12};
    const std::vector<ParticleBlock> blocks{{{13, 2, ParticleType::fixed, 0, 1}, {}, {}, {}},
                                            {{4, 3, ParticleType::fluid, 1, 1}, {}, {}, {}}};
    try {
        check_gauge(gauge, blocks);
        FAIL() << "fluid taken for a boundary";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("case.xml:12"), std::string::npos) << error.what();
    }
    gauge.kind = BoundaryForce{2};
    EXPECT_NO_THROW(check_gauge(gauge, blocks));
}
