// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/files/file.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_writer.h"
#include "io/measures/export.h"
#include "io/measures/measure.h"
#include "io/records/run_json.h"
#include "io/surfaces/surface.h"
#include "model/derive.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

constexpr double column_dp = 0.02;

sph::Constants column_constants() {
    sph::Constants c;
    c.two_d = true;
    c.dp = column_dp;
    c.h = sph::smoothing_length(1, column_dp, true);
    c.c0 = 60;
    c.gravity = {0, 0, -9.81};
    sph::derive(c);
    return c;
}

/// A column with velocity and pressure linear in space, which an interpolation on a lattice gives back inside.
Frame linear_frame(const ParticleSet& set) {
    Frame frame = sample::still_frame(set);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const auto x = static_cast<float>(set.position[i].x), z = static_cast<float>(set.position[i].z);
        frame.velocity[i] = {x, 0, -2 * z};
        frame.pressure[i] = 1000 * (2 - z);
        frame.density[i] = 1010 - 5 * z;
    }
    return frame;
}

/// An output folder with two frames of the column.
void write_run(const fs::path& dir) {
    const ParticleSet set = sample::column(column_dp);
    FrameWriter writer(dir, set);
    Frame frame = linear_frame(set);
    writer.write(frame);
    frame.number = 1;
    frame.time = 0.5;
    writer.write(frame);
    RunSummary summary;
    summary.constants = column_constants();
    write_run_json(dir / "run.json", summary);
}

std::vector<std::vector<std::string>> rows_of(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(file, line);)
        if (line[0] != '#') rows.push_back(split_csv_line(line));
    return rows;
}

/// An array of a .vtp file, whose bytes stand behind the description, each with their number before.
std::vector<float> floats_of(const std::string& file, const std::string& name) {
    const std::size_t at = file.find("Name=\"" + name + "\""), offset = file.find("offset=\"", at) + 8;
    const std::size_t begin = file.find('_', file.find("<AppendedData")) + 1 + std::stoul(file.substr(offset));
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, file.data() + begin, sizeof bytes);
    std::vector<float> numbers(bytes / sizeof(float));
    std::memcpy(numbers.data(), file.data() + begin + sizeof bytes, bytes);
    return numbers;
}

} // namespace

TEST(measure, gives_back_linear_fields) {
    const ParticleSet set = sample::column(column_dp);
    const Frame frame = linear_frame(set);
    const FluidInterpolator interpolator(frame, ParticleGroups::of(0, 1, column_constants().mass_fluid),
                                         column_constants());
    for (const Vec3d& p : {Vec3d{0.5, 0, 1}, Vec3d{0.3333, 7, 0.77}, Vec3d{0.61, 0, 1.513}}) {
        const Measurement m = interpolator.at(p);
        EXPECT_NEAR(m.fraction, 1, 0.01);
        EXPECT_NEAR(m.velocity.x, p.x, 0.002);
        EXPECT_NEAR(m.velocity.z, -2 * p.z, 0.004);
        EXPECT_NEAR(m.pressure, 1000 * (2 - p.z), 2);
        EXPECT_NEAR(m.density, 1010 - 5 * p.z, 0.02);
    }
}

TEST(measure, is_not_a_number_without_fluid) {
    const ParticleSet set = sample::column(column_dp);
    const Frame frame = linear_frame(set);
    const Measurement m =
        FluidInterpolator(frame, ParticleGroups::of(0, 1, column_constants().mass_fluid), column_constants())
            .at({3, 0, 1});
    EXPECT_EQ(m.fraction, 0);
    EXPECT_TRUE(std::isnan(m.pressure));
    EXPECT_TRUE(std::isnan(
        FluidInterpolator(Frame{}, ParticleGroups::of(0, 1, column_constants().mass_fluid), column_constants())
            .at({0, 0, 0})
            .velocity.x));
}

TEST(measure, in_three_dimensions_agrees_with_the_plain_sum) {
    ParticleSet set;
    for (int i = 0; i < 1000; ++i) set.position.push_back({0.1 * (i % 10), 0.1 * (i / 10 % 10), 0.1 * (i / 100)});
    set.velocity.assign(1000, Vec3f{1, 2, 3});
    sph::Constants c = column_constants();
    c.two_d = false;
    c.h = 0.13;
    c.mass_fluid = 1;
    const Frame frame = sample::still_frame(set);
    const FluidInterpolator interpolator(frame, ParticleGroups::of(0, 1, c.mass_fluid), c);
    EXPECT_NEAR(interpolator.at({0.45, 0.45, 0.45}).fraction, 1, 0.01);
    EXPECT_NEAR(interpolator.at({0, 0, 0}).velocity.z, 3, 1e-6);
}

TEST(measure, writes_all_frames_as_a_table) {
    const TemporaryFolder folder;
    write_run(folder.path());
    MeasureJob job;
    job.dir = folder.path();
    job.points = line_points({0.5, 0, 0.5}, {0.5, 0, 1.5}, 3);
    job.out = folder.path() / "line.csv";
    measure(job);
    const auto rows = rows_of(job.out);
    ASSERT_EQ(rows.size(), 1u + 2 * 3);
    EXPECT_EQ(rows[0][10], "pressure [Pa]");
    EXPECT_EQ(rows[4][0], "0.5");
    EXPECT_NEAR(std::stod(rows[5][10]), 1000, 2);
}

TEST(measure, interpolates_every_field_that_is_stored) {
    const TemporaryFolder folder;
    const ParticleSet set = sample::column(column_dp);
    Frame frame = linear_frame(set);
    for (const Vec3d& p : set.position) {
        frame.vorticity.push_back({0, static_cast<float>(p.x), 3});
        frame.position_divergence.push_back(static_cast<float>(2 - p.z));
    }
    FrameWriter(folder.path(), set,
                {.fields = state_fields | FieldSelection{Field::vorticity, Field::position_divergence}})
        .write(frame);
    RunSummary summary;
    summary.constants = column_constants();
    write_run_json(folder.path() / "run.json", summary);
    MeasureJob job;
    job.dir = folder.path();
    job.points = {{0.4, 0, 0.7}};
    job.out = folder.path() / "p.csv";
    measure(job);
    const CsvTable table = read_csv(job.out);
    EXPECT_NEAR(table.numbers("vorticity_y [1/s]").at(0), 0.4, 0.002);
    EXPECT_NEAR(table.numbers("vorticity_z [1/s]").at(0), 3, 1e-5);
    EXPECT_NEAR(table.numbers("position_divergence").at(0), 1.3, 0.002);
    EXPECT_NEAR(table.numbers("pressure [Pa]").at(0), 1300, 2);
    EXPECT_TRUE(table.numbers("velocity_divergence [1/s]").empty());
    job.out = folder.path() / "p.vtp";
    measure(job);
    const std::string file = sample::content_of(folder.path() / "p_000000.vtp");
    EXPECT_NE(file.find("Name=\"vorticity\" NumberOfComponents=\"3\""), std::string::npos);
}

TEST(measure, writes_points_for_paraview) {
    const TemporaryFolder folder;
    write_run(folder.path());
    MeasureJob job;
    job.dir = folder.path();
    job.points = grid_points({0, 0, 0}, {1, 0, 2}, {0.25, 1, 0.5});
    ASSERT_EQ(job.points.size(), 25u);
    job.out = folder.path() / "grid" / "g.vtp";
    EXPECT_EQ(measure(job), folder.path() / "grid" / "g.pvd");
    EXPECT_TRUE(fs::exists(folder.path() / "grid" / "g_000001.vtp"));
    const std::string list = sample::content_of(folder.path() / "grid" / "g.pvd");
    EXPECT_NE(list.find("<DataSet timestep=\"0.5\" file=\"g_000001.vtp\"/>"), std::string::npos) << list;
    const std::string points = sample::content_of(folder.path() / "grid" / "g_000001.vtp");
    const std::vector<float> velocity = floats_of(points, "velocity"), pressure = floats_of(points, "pressure");
    ASSERT_EQ(velocity.size(), 75u);
    ASSERT_EQ(pressure.size(), 25u);
    const std::size_t middle = 12; // at (0.5, 0, 1)
    EXPECT_NEAR(velocity[3 * middle], 0.5, 2e-3);
    EXPECT_NEAR(velocity[3 * middle + 1], 0, 2e-3);
    EXPECT_NEAR(velocity[3 * middle + 2], -2, 4e-3);
    EXPECT_NEAR(pressure[middle], 1000, 2);
    job.first = 1;
    EXPECT_THROW(measure(job), InputError) << "g_000000.vtp would pass for one of these";
    EXPECT_TRUE(fs::exists(folder.path() / "grid" / "g_000000.vtp"));
    job.overwrite = true;
    measure(job);
    EXPECT_FALSE(fs::exists(folder.path() / "grid" / "g_000000.vtp"));
    EXPECT_TRUE(fs::exists(folder.path() / "grid" / "g_000001.vtp"));
    job.out = folder.path() / "g.txt";
    EXPECT_THROW(measure(job), InputError);
}

TEST(measure, elevation_is_the_surface_of_the_column) {
    const TemporaryFolder folder;
    write_run(folder.path());
    MeasureJob job;
    job.dir = folder.path();
    job.points = {{0.5, 0, 0}, {2, 0, 0}};
    job.out = folder.path() / "e.csv";
    measure_elevation(job);
    const auto rows = rows_of(job.out);
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_NEAR(std::stod(rows[1][5]), 2.0138, 1e-3);
    EXPECT_EQ(rows[2][5], "nan");
}

TEST(measure, points_of_lines_and_grids) {
    using Points = std::vector<Vec3d>;
    EXPECT_EQ(line_points({1, 2, 3}, {5, 2, 3}, 1), (Points{{1, 2, 3}}));
    EXPECT_EQ(line_points({1, 2, 3}, {5, 4, 3}, 3), (Points{{1, 2, 3}, {3, 3, 3}, {5, 4, 3}}));
    for (const double wrong : {0.0, -1.0, 2.5, 1e8 + 1, std::nan("")})
        EXPECT_THROW(line_points({}, {1, 0, 0}, wrong), InputError) << wrong;
    EXPECT_EQ(grid_points({0, 7, 1}, {0.3, 7, 1.5}, {0.1, 0, 0.5}).size(), 4U * 2) << "rounding takes no point away";
    EXPECT_EQ(grid_points({0, 0, 0}, {0.39, 0, 0}, {0.2, 1, 1}), (Points{{0, 0, 0}, {0.2, 0, 0}}));
    EXPECT_EQ(grid_points({0, 0, 0}, {1, 1, 1}, {1, 1, 1}),
              (Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}));
    EXPECT_EQ(grid_points({1, 2, 3}, {1.5, 2.25, 5}, {0.5, 0.25, 2}), (Points{{1, 2, 3},
                                                                              {1.5, 2, 3},
                                                                              {1, 2.25, 3},
                                                                              {1.5, 2.25, 3},
                                                                              {1, 2, 5},
                                                                              {1.5, 2, 5},
                                                                              {1, 2.25, 5},
                                                                              {1.5, 2.25, 5}}));
    EXPECT_TRUE(grid_points({0, 0, 0}, {-5, 0, 0}, {1, 1, 1}).empty()) << "it ends before it begins";
    EXPECT_THROW(grid_points({0, 0, 0}, {1e4, 0, 1e4}, {1, 0, 1}), InputError);
    EXPECT_THROW(grid_points({0, 0, 0}, {-5, 1e4, 1e4}, {1, 1, 1}), InputError);
}

TEST(measure, reads_lists_of_points) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "points.txt";
    write_file_atomically(path, "# gauges\nPOINTS\n1 2 3\n4;5;6 # end\n\nPOINTSLIST\n0 0 1\n0.5 0 0.1\n2 1 3\n");
    const auto points = read_points(path);
    ASSERT_EQ(points.size(), 8u);
    EXPECT_EQ(points[1], (Vec3d{4, 5, 6}));
    EXPECT_EQ(points[3], (Vec3d{0.5, 0, 1}));
    EXPECT_EQ(points[7], (Vec3d{0.5, 0, 1.2}));
    for (const char* wrong :
         {"1 2\n", "1 2 3 4\n", "1,5;2;3\n", "1 2 nan\n", "POINTSLIST\n1 2 3\n", "POINTSLIST\n0 0 0\n1 1 1\n0 1 1\n",
          "POINTSLIST\n0 0 0\n1 1 1\n1 0 1\n", "POINTSLIST\n0 0 0\n1 1 1\n1 1 0\n",
          "POINTSLIST\n0 0 0\n1 1 1\n1e4 1e4 2\n", "POINTSLIST\n0 0 0\n1 1 1\n2 1e4 1e4\n"}) {
        write_file_atomically(path, std::string_view(wrong));
        EXPECT_THROW(read_points(path), InputError) << wrong;
    }
}

TEST(export_frames, writes_every_format) {
    const TemporaryFolder folder;
    {
        FrameWriter writer(folder.path(), sample::particles());
        for (int n = 0; n < 5; ++n) writer.write(sample::frame(n));
    }
    ExportJob job;
    job.dir = folder.path();
    job.out = folder.path() / "out";
    job.every = 2;
    job.boundary = true;
    EXPECT_EQ(export_frames(job), 3);
    for (const char* name : {"fluid.pvd", "boundary.pvd", "fluid_000002.vtp", "boundary_000004.vtp"})
        EXPECT_TRUE(fs::exists(job.out / name)) << name;
    job.format = ExportFormat::csv;
    job.boundary = false;
    EXPECT_EQ(export_frames(job), 3);
    const auto rows = rows_of(job.out / "fluid_000002.csv");
    ASSERT_EQ(rows.size(), 1u + 18);
    EXPECT_EQ(rows[1][0], "14");
    EXPECT_EQ(rows[18][1], "3");
    job.first = 77;
    EXPECT_THROW(export_frames(job), InputError);
    job.first = 3;
    job.last = 2;
    EXPECT_THROW(export_frames(job), InputError);
}

TEST(export_frames, keeps_those_of_another_export_unless_told_otherwise) {
    const TemporaryFolder folder;
    {
        FrameWriter writer(folder.path(), sample::particles());
        for (int n = 0; n < 4; ++n) writer.write(sample::frame(n));
    }
    ExportJob job;
    job.dir = folder.path();
    job.out = folder.path() / "out";
    job.format = ExportFormat::csv;
    job.boundary = true;
    EXPECT_EQ(export_frames(job), 4);
    job.boundary = false;
    EXPECT_EQ(export_frames(job), 4); // the same frames again
    job.first = 2;
    EXPECT_THROW(export_frames(job), InputError);
    EXPECT_TRUE(fs::exists(job.out / "fluid_000001.csv"));
    job.overwrite = true;
    EXPECT_EQ(export_frames(job), 2);
    EXPECT_FALSE(fs::exists(job.out / "fluid_000001.csv"));
    EXPECT_TRUE(fs::exists(job.out / "fluid_000002.csv"));
    EXPECT_TRUE(fs::exists(job.out / "boundary_000001.csv")); // nothing of this export
}

TEST(surface, files_of_an_earlier_call_are_not_mixed_with_new_ones) {
    const TemporaryFolder folder;
    write_run(folder.path());
    SurfaceJob job;
    job.dir = folder.path();
    job.out = folder.path() / "surfaces";
    EXPECT_EQ(write_surfaces(job), 2);
    job.last = 0;
    EXPECT_THROW(write_surfaces(job), InputError);
    EXPECT_TRUE(fs::exists(job.out / "surface_000001.vtp"));
    job.overwrite = true;
    EXPECT_EQ(write_surfaces(job), 1);
    EXPECT_FALSE(fs::exists(job.out / "surface_000001.vtp"));
    EXPECT_TRUE(fs::exists(job.out / "surface_000000.vtp"));
}

TEST(export_frames, chooses_by_mk_and_box) {
    const TemporaryFolder folder;
    {
        FrameWriter writer(folder.path(), sample::particles());
        for (int n = 0; n < 4; ++n) writer.write(sample::frame(n));
    }
    const ParticleLayout layout = read_layout(folder.path());
    const Frame frame = read_frame(folder.path(), 2);
    ExportJob job;
    job.dir = folder.path();
    job.out = folder.path() / "out";
    job.format = ExportFormat::csv;
    job.first = job.last = 2;
    const auto exported = [&](const char* part) { // rows without the header
        EXPECT_EQ(export_frames(job), 1);
        const auto rows = rows_of(job.out / (std::string(part) + "_000002.csv"));
        fs::remove_all(job.out);
        return rows.size() - 1;
    };
    const auto particles = [&](const auto& wanted) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < frame.size(); ++i)
            for (const ParticleBlock& block : layout.blocks)
                if (frame.id[i] >= block.begin && frame.id[i] < block.begin + block.count)
                    count += wanted(block, frame.position[i]);
        return count;
    };
    const ParticleBlock fluid = layout.blocks.back(), wall = layout.blocks.front();
    job.selection.mk_fluid = {fluid.mk_type};
    EXPECT_EQ(exported("fluid"), particles([&](const auto& b, const Vec3d&) { return b.mk == fluid.mk; }));
    job.selection.mk_fluid.clear();
    job.selection.mk_bound = {wall.mk_type};
    EXPECT_EQ(exported("boundary"), wall.count);
    job.selection.mk_bound.clear();
    const double middle = frame.position[22].x;
    job.selection.box = Box{{-9, -9, -9}, {middle, 9, 9}};
    const std::size_t inside =
        particles([&](const auto& b, const Vec3d& p) { return b.type == ParticleType::fluid && p.x <= middle; });
    EXPECT_GT(inside, 2u);
    EXPECT_EQ(exported("fluid"), inside);
    job.selection.mk_bound = {77};
    EXPECT_THROW(export_frames(job), InputError);
}
