// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/frames/frame_writer.h"
#include "io/records/run_json.h"
#include "io/water/overtopping.h"
#include "io/water/trace.h"
#include "io/water/volumes.h"
#include "model/derive.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

constexpr double one_volume = 0.002; // of a particle, m³

RunSetup passed_setup(bool two_d = false) {
    RunSetup run;
    run.constants.two_d = two_d;
    run.constants.dp = 0.1;
    run.constants.h = 0.15;
    run.constants.rho0 = 500;
    run.constants.mass_fluid = 1;
    run.set_groups(ParticleGroups::of(1, 8)); // id 0 is a wall
    return run;
}

/// A frame with particles of these ids at these places.
Frame frame_of(const std::vector<std::pair<std::uint32_t, Vec3d>>& particles) {
    Frame frame;
    for (const auto& [id, place] : particles) {
        frame.id.push_back(id);
        frame.position.push_back(place);
    }
    return frame;
}

const Frame first_frame = frame_of(
    {{0, {0, 0, 0}}, {1, {0.9, 0, 1}}, {2, {0.9, 0, 3}}, {3, {1.1, 0, 1}}, {4, {0.2, 0, 1}}, {5, {0.9, 0, 1}}});
const Frame next_frame = frame_of({{0, {2, 0, 0}},
                                   {1, {1.3, 0, 1}},
                                   {2, {1.1, 0, 3}},
                                   {3, {0.9, 0, 1}},
                                   {4, {0.3, 0, 1}},
                                   {9, {1.5, 0, 1}}}); // 5 has left the run, 9 was created, 0 is no fluid

/// A folder with the frames of the sample, in which particle 12 + k is missing from frame k + 1 on.
void write_sample_run(const fs::path& dir, int frames, std::uint32_t keep_every = 1) {
    FrameWriter writer(dir, sample::particles(), {.keep_every = keep_every});
    for (int k = 0; k < frames; ++k) writer.write(sample::frame(k));
    RunSummary summary;
    sph::Constants constants = sample::setup().constants;
    constants.dp = 0.01; // a particle of 0.1 kg/m
    constants.c0 = 60;
    sph::derive(constants);
    summary.constants = constants;
    write_run_json(dir / "run.json", summary);
}

} // namespace

TEST(overtopping, counts_what_is_on_the_other_side) {
    PassedPlane plane;
    plane.point = {1, 0, 0};
    const PassedVolume passed = passed_between(first_frame, next_frame, plane, passed_setup());
    EXPECT_NEAR(passed.forward, 2 * one_volume, 1e-15);
    EXPECT_NEAR(passed.backward, one_volume, 1e-15);
    plane.normal = {-3, 0, 0};
    EXPECT_NEAR(passed_between(first_frame, next_frame, plane, passed_setup()).backward, 2 * one_volume, 1e-15);
    plane.box = Box{{0, -1, 2}, {2, 1, 4}}; // particle 2 alone
    EXPECT_NEAR(passed_between(first_frame, next_frame, plane, passed_setup()).backward, one_volume, 1e-15);
    EXPECT_EQ(passed_between(first_frame, next_frame, plane, passed_setup()).forward, 0);
    plane.box = Box{{0, 5, 2}, {2, 6, 4}};
    EXPECT_EQ(passed_between(first_frame, next_frame, plane, passed_setup()).backward, 0);
    EXPECT_NEAR(passed_between(first_frame, next_frame, plane, passed_setup(true)).backward, one_volume, 1e-15)
        << "in 2-D y counts";
}

TEST(overtopping, takes_the_short_way_across_a_periodic_side) {
    RunSetup periodic = passed_setup();
    periodic.domain = {{0, 0, 0}, {2, 1, 1}};
    periodic.period.periodic[0] = true;
    periodic.period.shift[0] = {2, 0, 0};
    const Frame from = frame_of({{1, {1.9, 0, 0}}}), to = frame_of({{1, {0.1, 0, 0}}});
    PassedPlane plane;
    const auto passed_at = [&](double x) {
        plane.point = {x, 0, 0};
        const PassedVolume passed = passed_between(from, to, plane, periodic);
        return std::pair(passed.forward, passed.backward);
    };
    const std::pair<double, double> none{0, 0};
    EXPECT_EQ(passed_at(1), none) << "it went over the side";
    EXPECT_NEAR(passed_at(1.95).first, one_volume, 1e-15);
    EXPECT_NEAR(passed_at(0.05).first, one_volume, 1e-15);
    EXPECT_EQ(passed_at(0.05).second, 0);
}

TEST(overtopping, adds_up_over_stored_frames) {
    const TemporaryFolder folder;
    write_sample_run(folder.path(), 3); // particles rise: their z is 0.5 + 0.001 n + 1e-5 id n
    OvertoppingJob job;
    job.dir = folder.path();
    job.plane = {{0, 0, 0.501185}, {0, 0, 1}, {}};
    job.out = folder.path() / "q.csv";
    const double each = 0.1 / 1000; // m² of the sample's particles
    // In frame 1 ids 13 … 31 are there, and those from 19 on have risen past 0.501185; in frame 2 14 … 18 follow.
    const PassedVolume sum = write_overtopping(job);
    EXPECT_NEAR(sum.forward, (13 + 5) * each, 1e-12);
    EXPECT_EQ(sum.backward, 0);
    const CsvTable table = read_csv(job.out);
    const std::vector<std::string> columns{"time [s]",      "frame",    "forward [m2]",
                                           "backward [m2]", "net [m2]", "flow [m2/s]"};
    EXPECT_EQ(table.columns, columns);
    EXPECT_TRUE(std::isnan(table.numbers("flow [m2/s]").at(0)));
    EXPECT_NEAR(table.numbers("flow [m2/s]").at(1), 13 * each / 0.0101, 1e-6);
    EXPECT_NEAR(table.numbers("net [m2]").at(2), 18 * each, 1e-8);
    job.plane.normal = {0, 1, 0};
    EXPECT_THROW(write_overtopping(job), InputError) << "no direction in the plane of the run";
    job.plane.normal = {0, 0, 1};
    job.last = 0;
    EXPECT_THROW(write_overtopping(job), InputError);
    job.out = folder.path() / "q.vtp";
    EXPECT_THROW(write_overtopping(job), InputError);
    const TemporaryFolder thin;
    write_sample_run(thin.path(), 2, 4);
    job = {.dir = thin.path(), .out = thin.path() / "q.csv"};
    EXPECT_THROW(write_overtopping(job), InputError) << "one of four particles";
}

TEST(volumes, change_by_what_comes_and_goes) {
    const Box box{{0.85, -1, 0}, {1.6, 1, 2}}; // first_frame: 1, 3, 5; next_frame: 1, 3, 9
    const RunSetup run = passed_setup();
    EXPECT_NEAR(volume_in(first_frame, box, run), 3 * one_volume, 1e-15);
    const BoxFlow flow = flow_between(first_frame, next_frame, box, run);
    EXPECT_NEAR(flow.entered, one_volume, 1e-15);
    EXPECT_NEAR(flow.left, one_volume, 1e-15);
    const Box left{{0, -1, 0}, {1, 1, 2}}; // first_frame: 1, 4, 5; next_frame: 3, 4
    const BoxFlow there = flow_between(first_frame, next_frame, left, run);
    EXPECT_NEAR(there.entered, one_volume, 1e-15);
    EXPECT_NEAR(there.left, 2 * one_volume, 1e-15);
    EXPECT_NEAR(volume_in(next_frame, left, run) - volume_in(first_frame, left, run), there.entered - there.left,
                1e-15);
}

TEST(volumes, are_a_table_of_frames_and_boxes) {
    const TemporaryFolder folder;
    write_sample_run(folder.path(), 2);
    std::ofstream(folder.path() / "boxes.txt") << "# two\nbasin 0 0 0 0.205 1 1\n0.2051 0 0 9 9 9 # the rest\n";
    VolumesJob job;
    job.dir = folder.path();
    job.boxes = read_boxes(folder.path() / "boxes.txt");
    job.out = folder.path() / "v.csv";
    EXPECT_EQ(write_volumes(job), 2);
    const CsvTable table = read_csv(job.out);
    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(table.rows[0][2], "basin");
    EXPECT_EQ(table.rows[1][2], "1");
    const double each = 0.1 / 1000;
    // ids 12 … 20 have x ≤ 0.2 m, the others more; particle 12 is gone in frame 1
    const double inside[] = {9 * each, 11 * each, 8 * each, 11 * each};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(table.numbers("volume [m2]").at(k), inside[k], 1e-9) << k;
    EXPECT_NEAR(table.numbers("left [m2]").at(2), each, 1e-9);
    EXPECT_NEAR(table.numbers("outflow [m2/s]").at(2), each / 0.0101, 1e-7);
    EXPECT_EQ(table.numbers("entered [m2]").at(3), 0);
    job.boxes[1].name = "basin";
    EXPECT_THROW(write_volumes(job), InputError);
    job.boxes.clear();
    EXPECT_THROW(write_volumes(job), InputError);
}

TEST(volumes, of_bad_boxes_are_refused_with_the_line) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "boxes.txt";
    for (const char* line : {"0 0 0 1 1", "a b 0 0 0 1 1 1", "0 0 2 1 1 1", "0 0 0 1 1 inf", "x 0 0 0 1 1 1e"}) {
        std::ofstream(path) << "0 0 0 1 1 1\n" << line << '\n';
        try {
            read_boxes(path);
            ADD_FAILURE() << line;
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find("boxes.txt:2: "), std::string::npos) << e.what();
        }
    }
    EXPECT_THROW(read_boxes(folder.path() / "none.txt"), InputError);
}

TEST(trace, follows_ids_places_and_boxes) {
    const TemporaryFolder folder;
    write_sample_run(folder.path(), 3);
    TraceJob job;
    job.dir = folder.path();
    job.particles.ids = {3, 13};
    job.particles.near = {{0.252, 99, 0.5}};
    job.out = folder.path() / "paths.csv";
    EXPECT_EQ(write_paths(job), 3);
    const CsvTable table = read_csv(job.out);
    ASSERT_EQ(table.rows.size(), 3 + 2 + 3u) << "particle 13 is gone in frame 2";
    EXPECT_EQ(table.numbers("id"), (std::vector<double>{3, 13, 25, 3, 13, 25, 3, 25}));
    EXPECT_NEAR(table.numbers("z [m]").at(5), 0.5 + 0.001 + 25e-5, 1e-7);
    EXPECT_EQ(table.numbers("vx [m/s]").at(5), 25);
    EXPECT_EQ(table.numbers("pressure [Pa]").at(5), 249);
    job.particles = {};
    job.particles.box = Box{{0.195, -1, 0}, {0.245, 1, 1}}; // 20 … 24
    EXPECT_EQ(write_paths(job), 5);
    job.particles.limit = 2;
    EXPECT_EQ(write_paths(job), 2);
    job.particles.box = Box{{7, 7, 7}, {8, 8, 8}};
    EXPECT_THROW(write_paths(job), InputError);
    job.particles = {};
    EXPECT_THROW(write_paths(job), InputError);
    job.particles.ids = {77};
    EXPECT_THROW(write_paths(job), InputError);
}

TEST(trace, lines_end_where_a_particle_is_missing) {
    const TemporaryFolder folder;
    write_sample_run(folder.path(), 6); // all fluid is missing in frame 4 alone
    TraceJob job;
    job.dir = folder.path();
    job.particles.ids = {14, 30};
    job.out = folder.path() / "lines" / "paths.vtp";
    EXPECT_EQ(write_paths(job), 2);
    const std::string file = sample::content_of(job.out);
    // 14 in frames 0 … 2, 30 in 0 … 3, and alone in 5, where no line is
    EXPECT_NE(file.find("NumberOfPoints=\"8\" NumberOfLines=\"2\""), std::string::npos) << file.substr(0, 300);
    for (const char* name :
         {"\"Float64\" Name=\"time\"", "\"UInt32\" Name=\"id\"", "Name=\"velocity\" NumberOfComponents=\"3\"",
          "Name=\"pressure\" NumberOfComponents=\"1\""})
        EXPECT_NE(file.find(name), std::string::npos) << name;
    job.out = folder.path() / "paths.txt";
    EXPECT_THROW(write_paths(job), InputError);
}
