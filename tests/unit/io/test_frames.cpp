// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/fluid/wall_pressure.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/frames/frame_writer.h"
#include "io/records/checkpoint.h"
#include "sample.h"
#include "temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

void expect_same_frame(const Frame& read, const Frame& written, double tolerance) {
    EXPECT_EQ(read.number, written.number);
    EXPECT_EQ(read.step, written.step);
    EXPECT_EQ(read.time, written.time);
    EXPECT_EQ(read.id, written.id);
    EXPECT_EQ(read.velocity, written.velocity);
    EXPECT_EQ(read.density, written.density);
    EXPECT_EQ(read.pressure, written.pressure);
    ASSERT_EQ(read.position.size(), written.position.size());
    for (std::size_t i = 0; i < read.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(read.position[i][axis], written.position[i][axis], tolerance);
}

void write_sample(const fs::path& dir, int count, FrameOptions options = {}) {
    FrameWriter writer(dir, sample::particles(), options);
    for (int n = options.first_number; n < count; ++n) writer.write(sample::frame(n));
}

/// Many particles, so that a frame takes long enough to be killed in.
Frame large_frame(const ParticleSet& set, int number) {
    Frame frame = sample::still_frame(set);
    frame.number = number;
    frame.time = number;
    for (std::size_t i = 0; i < frame.size(); ++i)
        frame.pressure[i] = std::sin(static_cast<float>(i) + static_cast<float>(number));
    return frame;
}

/// Replaces integers of a dataset in a file, from its first on.
void overwrite(const fs::path& path, const char* name, std::vector<std::int32_t> first) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT),
                space = H5Dget_space(set);
    std::vector<std::int32_t> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    ASSERT_GE(H5Dread(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    std::copy(first.begin(), first.end(), values.begin());
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/// For a child process that is to be killed.
[[noreturn]] void write_without_end(const fs::path& dir, const ParticleSet& set) {
    try {
        FrameWriter writer(dir, set);
        for (int n = 0;; ++n) writer.write(large_frame(set, n));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "writing child: %s\n", error.what());
    }
    std::_Exit(1);
}

/// A dataset whose parts lie in other files, as ParaView reads it: with the HDF5 library alone.
std::vector<float> read_virtual(const std::filesystem::path& file, const char* name) {
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(opened, name, H5P_DEFAULT),
                space = H5Dget_space(set);
    std::vector<float> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(opened);
    return values;
}

} // namespace

TEST(frames, come_back_as_they_were) {
    for (const bool moving : {false, true}) {
        const TemporaryFolder folder;
        FrameWriter writer(folder.path(), sample::particles(moving));
        for (int n = 0; n < 6; ++n) writer.write(sample::frame(n, moving));
        ASSERT_EQ(list_frames(folder.path()).size(), 6u);
        for (int n = 0; n < 6; ++n) expect_same_frame(read_frame(folder.path(), n), sample::frame(n, moving), 1e-7);
    }
}

TEST(frames, hold_particles_that_open_boundaries_have_created) {
    const auto more_fluid = [](int number) {
        Frame frame = sample::frame(number);
        for (std::uint32_t k = 0; k < 40; ++k) {
            frame.id.push_back(sample::total + 3 * k);
            frame.position.push_back({0.1 * k, 0, 5});
            frame.velocity.push_back({1, 0, 0});
            frame.density.push_back(1000);
            frame.pressure.push_back(0);
        }
        return frame;
    };
    const TemporaryFolder folder, closed;
    FrameOptions options;
    options.setup = sample::setup();
    options.setup->open.zones.resize(1);
    FrameWriter writer(folder.path(), sample::particles(), options);
    writer.write(sample::frame(0));
    writer.write(more_fluid(1));
    expect_same_frame(read_frame(folder.path(), 1), more_fluid(1), 1e-6);
    EXPECT_TRUE(read_layout(folder.path()).open);
    const h5::File frame(frame_path(folder.path(), 1)), timeline(folder.path() / "fluid.vtkhdf");
    const auto mk = frame.read<std::uint16_t>("fluid/mk");
    EXPECT_EQ(mk.back(), mk.front()); // of the first block of fluid
    const auto count = more_fluid(1).size() - sample::boundary_count;
    const auto cells = frame.read<std::int64_t>(count_up_dataset); // geometry.h5 has not enough of them
    ASSERT_EQ(cells.size(), count + 2);
    EXPECT_EQ(cells.back(), std::int64_t(count) + 1);
    EXPECT_EQ(timeline.row_count("VTKHDF/Vertices/Connectivity"), count);
    // without open boundaries such a frame cannot be
    FrameWriter other(closed.path(), sample::particles());
    EXPECT_THROW(other.write(more_fluid(0)), RunError);
}

TEST(frames, hold_the_velocities_that_walls_at_rest_mirror) {
    Frame frame = sample::frame(1);
    for (std::size_t i = 0; i < sample::boundary_count; ++i) frame.velocity[i] = {-1, 0, 0.5f * float(i)};
    const auto read_back = [&](sph::SlipMode slip) {
        const TemporaryFolder folder;
        FrameOptions options;
        options.first_number = 1;
        options.setup = sample::setup();
        options.setup->constants.slip = slip;
        FrameWriter(folder.path(), sample::particles(), options).write(frame);
        EXPECT_EQ(read_layout(folder.path()).mirrors, slip != sph::SlipMode::wall);
        const h5::File timeline(folder.path() / "boundary.vtkhdf");
        EXPECT_EQ(timeline.has("VTKHDF/PointData/velocity"), slip != sph::SlipMode::wall);
        return read_frame(folder.path(), 1).velocity;
    };
    EXPECT_EQ(read_back(sph::SlipMode::no_slip), frame.velocity);
    EXPECT_EQ(read_back(sph::SlipMode::free_slip), frame.velocity);
    for (std::size_t i = 0; i < sample::boundary_count; ++i) frame.velocity[i] = {};
    EXPECT_EQ(read_back(sph::SlipMode::wall), frame.velocity);
}

TEST(frames, hold_mooring_lines_and_joints) {
    const TemporaryFolder folder;
    Frame frame = sample::frame(0);
    frame.links = {{LinkKind::mooring_line, 0, {{0, 0, 1}, {1, 0, 0.5}, {2, 0, 0.25}}, {30, 20, 10}},
                   {LinkKind::mooring_line, 1, {}, {}}, // broken
                   {LinkKind::linear_spring, 4, {{0.125, 3, 1e5}, {0, 3, 1e5}}, {7, 7}}};
    FrameWriter writer(folder.path(), sample::particles());
    writer.write(frame);
    writer.write(sample::frame(1));
    EXPECT_EQ(read_frame(folder.path(), 0).links, frame.links);
    EXPECT_TRUE(read_frame(folder.path(), 1).links.empty());
    // the first line with more points than there are, then all but one of them
    for (const std::int32_t count : {6, 2}) {
        overwrite(frame_path(folder.path(), 0), "links/range", {0, count});
        EXPECT_THROW(read_frame(folder.path(), 0), RunError);
    }
}

TEST(frames, keep_double_positions_exactly_when_asked) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 2, {.positions_double = true});
    expect_same_frame(read_frame(folder.path(), 1), sample::frame(1), 0);
}

TEST(frames, keep_double_positions_far_from_the_origin) {
    ParticleSet set = sample::particles();
    Frame frame = sample::frame(0);
    for (auto* positions : {&set.position, &frame.position})
        for (Vec3d& p : *positions) p = p + Vec3d{1e5, -3e4, 7e3};
    const TemporaryFolder folder;
    FrameWriter(folder.path(), set).write(frame);
    expect_same_frame(read_frame(folder.path(), 0), frame, 0);
}

TEST(frames, layout_comes_back) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 1);
    const ParticleLayout layout = read_layout(folder.path());
    EXPECT_EQ(layout.dp, 0.01);
    EXPECT_TRUE(layout.two_d);
    EXPECT_EQ(layout.groups.boundary_count(), sample::boundary_count);
    EXPECT_EQ(layout.groups.particle_count(), sample::total);
    ASSERT_EQ(layout.blocks.size(), 4u);
    EXPECT_EQ(layout.blocks[0].mean, (Vec3d{0.5, 0.5, 0.5}));
    EXPECT_EQ(layout.blocks[3].mk, 3);
    EXPECT_EQ(layout.blocks[3].mk_type, 2);
    EXPECT_EQ(layout.blocks[3].begin, 27u);
    EXPECT_EQ(layout.blocks[3].count, 5u);
    EXPECT_EQ(layout.blocks[3].type, ParticleType::fluid);
}

TEST(frames, a_damaged_layout_is_an_error_that_says_so) {
    const TemporaryFolder folder;
    const auto error_of = [&](const char* dataset, const std::vector<std::int32_t>& first) {
        write_sample(folder.path(), 1);
        overwrite(geometry_path(folder.path()), dataset, first);
        try {
            read_layout(folder.path());
        } catch (const RunError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    // mk, mk of its kind and type (fixed to fluid: 0 to 3) of the first block; its first particle and their number
    EXPECT_EQ(error_of("blocks/kind", {}), "");
    for (const int type : {-1, 4}) {
        const std::string text = error_of("blocks/kind", {11, 0, type});
        EXPECT_NE(text.find("geometry.h5: damaged: a block has a type that is unknown"), std::string::npos) << text;
    }
    EXPECT_NE(error_of("blocks/range", {0, 1}).find("not all particles"), std::string::npos);
}

TEST(frames, a_resumed_run_keeps_the_frames_before_and_drops_those_after) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 6);
    write_sample(folder.path(), 5, {.first_number = 3});
    const auto frames = list_frames(folder.path());
    ASSERT_EQ(frames.size(), 5u);
    EXPECT_EQ(frames.back().number, 4);
}

TEST(frames, a_timeline_that_lags_behind_is_caught_up) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 3);
    fs::copy_file(folder.path() / "fluid.vtkhdf", folder.path() / "old");
    write_sample(folder.path(), 6, {.first_number = 3});
    fs::rename(folder.path() / "old", folder.path() / "fluid.vtkhdf");
    refresh_timeline(folder.path(), list_frames(folder.path()));
    EXPECT_EQ(h5::File(folder.path() / "fluid.vtkhdf").row_count("VTKHDF/Steps/Values"), 6u);
}

TEST(frames, a_timeline_has_all_that_readers_of_its_format_ask_for) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 3);
    for (const char* name : {"fluid.vtkhdf", "boundary.vtkhdf"}) {
        const h5::File timeline(folder.path() / name);
        for (const char* of_steps :
             {"Values", "NumberOfParts", "PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"}) {
            const std::string path = std::string("VTKHDF/Steps/") + of_steps;
            ASSERT_TRUE(timeline.has(path)) << name << " " << path;
            EXPECT_EQ(timeline.row_count(path), 3u) << name << " " << path;
        }
        for (const char* kind : {"Vertices", "Lines", "Polygons", "Strips"})
            for (const char* of_cells : {"NumberOfCells", "NumberOfConnectivityIds", "Connectivity", "Offsets"})
                EXPECT_TRUE(timeline.has(std::string("VTKHDF/") + kind + "/" + of_cells))
                    << name << " " << kind << of_cells;
    }
}

TEST(frames, a_timeline_leads_to_the_values_of_each_frame) {
    using Numbers = std::vector<float>;
    // the sample loses a particle a frame, and all fluid in frame 4 only
    const Numbers fluid_count{20, 19, 18, 17, 0, 15}, fluid_begin{0, 20, 39, 57, 74, 74};
    for (const bool moving : {false, true}) {
        const TemporaryFolder folder;
        FrameWriter writer(folder.path(), sample::particles(moving));
        for (int n = 0; n < 6; ++n) writer.write(sample::frame(n, moving));
        const fs::path fluid = folder.path() / "fluid.vtkhdf", boundary = folder.path() / "boundary.vtkhdf";
        Numbers id, mk, type, density, speed, x, cell_ends,
            cell_begin{0, 0, 0, 0, 20, 0, 0, 0, 39, 0, 0, 0, 57, 0, 0, 0, 74, 0, 0, 0, 75, 0, 0, 0};
        Numbers wall_id, wall_mk, wall_type, wall_density, times;
        for (int n = 0; n < 6; ++n) {
            const Frame frame = sample::frame(n, moving);
            times.push_back(static_cast<float>(frame.time));
            for (int k = 0; k <= std::max(static_cast<int>(fluid_count[static_cast<std::size_t>(n)]), 1); ++k)
                cell_ends.push_back(static_cast<float>(k));
            for (std::size_t i = 0; i < frame.size(); ++i) {
                const bool wall = frame.id[i] < sample::boundary_count;
                (wall ? wall_density : density).push_back(frame.density[i]);
                if (wall) continue;
                id.push_back(static_cast<float>(frame.id[i]));
                mk.push_back(frame.id[i] < 27 ? 1 : 3);
                type.push_back(3);
                for (const float v : {frame.velocity[i].x, frame.velocity[i].y, frame.velocity[i].z})
                    speed.push_back(v);
                for (int axis = 0; axis < 3; ++axis) x.push_back(static_cast<float>(frame.position[i][axis]));
            }
        }
        for (int i = 0; i < 12; ++i) {
            wall_id.push_back(static_cast<float>(i));
            wall_mk.push_back(i < 8 ? 11 : 12);
            wall_type.push_back(moving && i >= 8 ? 1 : 0);
        }
        for (const char* file : {"fluid.vtkhdf", "boundary.vtkhdf"}) {
            const auto read = [&](const char* of_steps) {
                return read_virtual(folder.path() / file, (std::string("VTKHDF/Steps/") + of_steps).c_str());
            };
            EXPECT_EQ(read("Values"), times) << file;
            EXPECT_EQ(read("NumberOfParts"), Numbers(6, 1)) << file;
            EXPECT_EQ(read("ConnectivityIdOffsets"), Numbers(24, 0)) << file;
            const h5::File timeline(folder.path() / file);
            EXPECT_EQ(timeline.get<std::int64_t>("VTKHDF/Steps", "NSteps"), 6) << file;
            EXPECT_EQ(timeline.get_text("VTKHDF", "Type"), "PolyData") << file;
        }
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/NumberOfPoints"), fluid_count);
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Vertices/NumberOfCells"), fluid_count);
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Vertices/NumberOfConnectivityIds"), fluid_count);
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Vertices/Offsets"), cell_ends);
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Vertices/Connectivity"),
                  Numbers(cell_ends.begin(), cell_ends.begin() + 20));
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Steps/PartOffsets"), (Numbers{0, 1, 2, 3, 4, 5}));
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Steps/PointOffsets"), fluid_begin);
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Steps/CellOffsets"), cell_begin);
        EXPECT_EQ(read_virtual(fluid, "VTKHDF/Points"), x);
        for (const auto& [name, values] :
             {std::pair{"id", &id}, {"mk", &mk}, {"type", &type}, {"density", &density}, {"velocity", &speed}}) {
            EXPECT_EQ(read_virtual(fluid, (std::string("VTKHDF/PointData/") + name).c_str()), *values) << name;
            EXPECT_EQ(read_virtual(fluid, (std::string("VTKHDF/Steps/PointDataOffsets/") + name).c_str()), fluid_begin)
                << name;
        }
        const Numbers still(6, 0), advancing{0, 12, 24, 36, 48, 60};
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/NumberOfPoints"), Numbers{12});
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Vertices/NumberOfCells"), Numbers{12});
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Vertices/Offsets"),
                  Numbers(cell_ends.begin(), cell_ends.begin() + 13));
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Vertices/Connectivity"),
                  Numbers(cell_ends.begin(), cell_ends.begin() + 12));
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Steps/PartOffsets"), still);
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Steps/PointOffsets"), moving ? advancing : still);
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Steps/CellOffsets"), Numbers(24, 0));
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Points").size(), moving ? 3U * 72 : 3U * 12);
        for (const auto& [name, values] : {std::pair{"id", &wall_id}, {"mk", &wall_mk}, {"type", &wall_type}}) {
            EXPECT_EQ(read_virtual(boundary, (std::string("VTKHDF/PointData/") + name).c_str()), *values) << name;
            EXPECT_EQ(read_virtual(boundary, (std::string("VTKHDF/Steps/PointDataOffsets/") + name).c_str()), still)
                << name;
        }
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/PointData/density"), wall_density);
        EXPECT_EQ(read_virtual(boundary, "VTKHDF/Steps/PointDataOffsets/density"), advancing);
    }
}

TEST(frames, a_timeline_has_one_vertex_for_each_particle_that_is_left) {
    const auto with_fluid = [](int number, std::size_t count) {
        Frame frame = sample::frame(number);
        std::size_t fluid = 0, kept = 0;
        for (std::size_t i = 0; i < frame.size(); ++i) {
            if (frame.id[i] >= sample::boundary_count && ++fluid > count) continue;
            frame.id[kept] = frame.id[i];
            frame.position[kept] = frame.position[i];
            frame.velocity[kept] = frame.velocity[i];
            frame.density[kept] = frame.density[i];
            frame.pressure[kept] = frame.pressure[i];
            ++kept;
        }
        frame.id.resize(kept);
        frame.position.resize(kept);
        frame.velocity.resize(kept);
        frame.density.resize(kept);
        frame.pressure.resize(kept);
        return frame;
    };
    const TemporaryFolder folder;
    FrameWriter writer(folder.path(), sample::particles());
    const std::vector<std::size_t> counts{3, 1, 2};
    for (std::size_t n = 0; n < counts.size(); ++n) writer.write(with_fluid(static_cast<int>(n), counts[n]));
    const h5::File timeline(folder.path() / "fluid.vtkhdf");
    EXPECT_EQ(timeline.read<std::int64_t>("VTKHDF/NumberOfPoints"), (std::vector<std::int64_t>{3, 1, 2}));
    EXPECT_EQ(timeline.row_count("VTKHDF/Vertices/Offsets"), 4u + 2u + 3u);
    EXPECT_EQ(timeline.row_count("VTKHDF/Vertices/Connectivity"), 3u);
}

TEST(frames, long_timelines_are_complete_in_the_end) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 58);
    EXPECT_EQ(h5::File(folder.path() / "fluid.vtkhdf").row_count("VTKHDF/Steps/Values"), 58u);
}

TEST(frames, a_new_run_drops_all_frames_of_an_old_one) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 6);
    FrameWriter(folder.path(), sample::particles());
    EXPECT_TRUE(list_frames(folder.path()).empty());
    EXPECT_FALSE(fs::exists(folder.path() / "fluid.vtkhdf"));
}

TEST(frames, hold_the_chosen_values_of_the_chosen_particles) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 2, {.fields = {Field::velocity}, .keep_every = 3});
    const ParticleLayout layout = read_layout(folder.path());
    EXPECT_TRUE(layout.fields.has(Field::velocity));
    EXPECT_FALSE(layout.fields.has(Field::density));
    EXPECT_EQ(layout.keep_every, 3u);
    const Frame whole = sample::frame(0), read = read_frame(folder.path(), 0);
    std::size_t k = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (whole.id[i] >= sample::boundary_count && !is_chosen(whole.id[i], 3)) continue;
        ASSERT_LT(k, read.size());
        EXPECT_EQ(read.id[k], whole.id[i]);
        EXPECT_EQ(read.velocity[k], whole.velocity[i]);
        EXPECT_TRUE(std::isnan(read.density[k]) && std::isnan(read.pressure[k]));
        ++k;
    }
    EXPECT_EQ(k, read.size());
    const h5::File timeline(folder.path() / "fluid.vtkhdf");
    EXPECT_TRUE(timeline.has("VTKHDF/PointData/velocity"));
    EXPECT_FALSE(timeline.has("VTKHDF/PointData/density"));
    EXPECT_EQ(list_frames(folder.path())[0].fluid_count, read.size() - sample::boundary_count);
    EXPECT_THROW(require_stored(folder.path(), layout, {}), InputError);
}

TEST(frames, that_lack_a_field_of_the_run_are_refused) {
    const TemporaryFolder without, with;
    write_sample(without.path(), 2, {.fields = state_fields});
    write_sample(with.path(), 2, {.fields = state_fields | FieldSelection{Field::vorticity}});
    EXPECT_NO_THROW(read_frame(without.path(), 0));
    fs::copy_file(geometry_path(with.path()), geometry_path(without.path()), fs::copy_options::overwrite_existing);
    EXPECT_THROW(read_frame(without.path(), 0), RunError);
}

/// Whether the frames of a folder and what they share can be read, and are those of another folder.
bool reads_as(const fs::path& folder, const Frame& frame, const ParticleLayout& layout) {
    const Frame read = read_frame(folder, 0);
    const ParticleLayout own = read_layout(folder);
    return read.id == frame.id && read.position == frame.position && read.velocity == frame.velocity &&
           read.density == frame.density && read.pressure == frame.pressure && read.time == frame.time &&
           own.dp == layout.dp && names_of(own.fields) == names_of(layout.fields) &&
           own.blocks.size() == layout.blocks.size() && own.blocks.back().max == layout.blocks.back().max;
}

TEST(frames, that_are_damaged_anywhere_are_refused_or_hold_what_they_held) {
    for (const int compression : {0, 1}) {
        const TemporaryFolder folder;
        write_sample(folder.path(), 1, {.compression = compression});
        const Frame frame = read_frame(folder.path(), 0);
        const ParticleLayout layout = read_layout(folder.path());
        for (const fs::path& path : {frame_path(folder.path(), 0), geometry_path(folder.path())}) {
            std::ifstream file(path, std::ios::binary);
            const std::string whole{std::istreambuf_iterator<char>(file), {}};
            int refused = 0;
            constexpr std::size_t stride = 5;
            for (std::size_t at = 0; at < whole.size(); at += stride) {
                std::string damaged = whole;
                damaged[at] = static_cast<char>(damaged[at] ^ 1 << at / stride % 8);
                std::ofstream(path, std::ios::binary) << damaged;
                try {
                    EXPECT_TRUE(reads_as(folder.path(), frame, layout)) << path << ", byte " << at;
                } catch (const RunError&) {
                    ++refused;
                }
            }
            EXPECT_GT(refused, 0);
            std::ofstream(path, std::ios::binary) << whole;
        }
    }
}

TEST(frames, hold_derived_fields_of_the_fluid_where_asked_for) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 2,
                 {.fields = state_fields | FieldSelection{Field::vorticity, Field::position_divergence}});
    const Frame whole = sample::frame(1), read = read_frame(folder.path(), 1);
    ASSERT_EQ(read.size(), whole.size());
    ASSERT_EQ(read.vorticity.size(), read.size());
    ASSERT_EQ(read.position_divergence.size(), read.size());
    EXPECT_TRUE(read.velocity_divergence.empty());
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (read.id[i] < sample::boundary_count) {
            EXPECT_TRUE(std::isnan(read.vorticity[i].y) && std::isnan(read.position_divergence[i]));
            continue;
        }
        EXPECT_EQ(read.vorticity[i], whole.vorticity[i]);
        EXPECT_EQ(read.position_divergence[i], whole.position_divergence[i]);
    }
    EXPECT_FALSE(h5::File(folder.path() / "boundary.vtkhdf").has("VTKHDF/PointData/vorticity"));
    EXPECT_TRUE(read_layout(folder.path()).fields.has(Field::vorticity));
    EXPECT_FALSE(read_layout(folder.path()).fields.has(Field::velocity_divergence));
}

TEST(frames, hold_the_pressure_of_the_fluid_at_the_walls_where_asked_for) {
    const TemporaryFolder folder;
    const FieldSelection fields = default_fields;
    write_sample(folder.path(), 6, {.fields = fields, .setup = sample::setup()});
    EXPECT_EQ(read_layout(folder.path()).fields, fields);
    for (const int number : {0, 3, 4}) {
        const Frame whole = sample::frame(number), read = read_frame(folder.path(), number);
        const FluidInterpolator fluid(whole, sample::setup().groups, sample::setup().constants);
        ASSERT_EQ(read.wall_pressure.size(), read.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            if (read.id[i] < sample::boundary_count)
                EXPECT_EQ(read.wall_pressure[i], static_cast<float>(wall_pressure(fluid, whole.position[i])));
            else
                EXPECT_TRUE(std::isnan(read.wall_pressure[i]));
        }
        // the last of the boundary is a spacing from the fluid, which has all gone in frame 4
        EXPECT_EQ(read.wall_pressure[sample::boundary_count - 1] != 0, number != 4);
    }
    EXPECT_TRUE(h5::File(folder.path() / "boundary.vtkhdf").has("VTKHDF/PointData/wall_pressure"));
    EXPECT_FALSE(h5::File(folder.path() / "fluid.vtkhdf").has("VTKHDF/PointData/wall_pressure"));
    EXPECT_THROW(FrameWriter(folder.path(), sample::particles(), {.fields = fields}), std::invalid_argument);
}

TEST(frames, without_a_field_that_is_to_be_stored_are_refused) {
    const TemporaryFolder folder;
    FrameWriter writer(folder.path(), sample::particles(), {.fields = {Field::vorticity}});
    Frame frame = sample::frame(0);
    frame.vorticity.clear();
    EXPECT_THROW(writer.write(frame), RunError);
}

TEST(frames, one_in_three_is_one_of_each_three) {
    for (std::uint32_t first = 0; first < 3000; first += 3)
        EXPECT_EQ(is_chosen(first, 3) + is_chosen(first + 1, 3) + is_chosen(first + 2, 3), 1);
    EXPECT_TRUE(is_chosen(17, 1));
    // not always the same of them: particles are numbered along rows, and stripes would be left
    for (std::uint32_t place = 0; place < 3; ++place) {
        int times = 0;
        for (std::uint32_t first = 0; first < 3000; first += 3) times += is_chosen(first + place, 3);
        EXPECT_GT(times, 250) << place;
    }
}

TEST(frames, unfinished_files_are_not_frames) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 3);
    std::ofstream(folder.path() / "frames" / "frame_000003.h5.tmp") << "half a frame";
    std::ofstream(folder.path() / "frames" / "frame_12x.h5") << "something else";
    EXPECT_EQ(list_frames(folder.path()).size(), 3u);
}

TEST(frames, missing_and_damaged_ones_are_told_apart) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 6);
    for (const int gone : {0, 3}) fs::remove(frame_path(folder.path(), gone));
    std::ofstream(frame_path(folder.path(), 4)) << "no frame";
    const ReadableFrames stored = readable_frames(folder.path());
    EXPECT_EQ(stored.missing, (std::vector{0, 3}));
    ASSERT_EQ(stored.damaged.size(), 1u);
    EXPECT_NE(stored.damaged[0].find("frame_000004.h5: not an HDF5 file"), std::string::npos);
    ASSERT_EQ(stored.frames.size(), 3u);
    EXPECT_EQ(choose_frames(folder.path(), 1, 2).size(), 2u) << "of those that are not chosen nothing is read";
    EXPECT_THROW(choose_frames(folder.path(), 1, 4), RunError);
}

TEST(frames, a_damaged_frame_is_an_error_that_names_the_file) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 2);
    fs::resize_file(frame_path(folder.path(), 1), 700);
    try {
        read_frame(folder.path(), 1);
        FAIL() << "read a damaged frame";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("frame_000001.h5"), std::string::npos) << error.what();
    }
}

TEST(frames, refuses_what_it_could_not_store_truly) {
    const TemporaryFolder folder;
    FrameWriter writer(folder.path(), sample::particles());
    writer.write(sample::frame(0));
    Frame unsorted = sample::frame(2);
    std::swap(unsorted.id[0], unsorted.id[1]);
    EXPECT_THROW(writer.write(unsorted), RunError);
    Frame no_boundary = sample::frame(2);
    no_boundary.id.erase(no_boundary.id.begin());
    EXPECT_THROW(writer.write(no_boundary), RunError);
    Frame foreign = sample::frame(2);
    foreign.id.back() = sample::total;
    EXPECT_THROW(writer.write(foreign), RunError) << "an id that is in no block";
    EXPECT_EQ(writer.next_number(), 1);
}

TEST(frames, are_the_same_bytes_whatever_the_number_of_threads) {
    const ParticleSet set = sample::column(0.004); // several chunks
    const auto bytes_with = [&](int threads) {
        const TemporaryFolder folder;
        FrameWriter(folder.path(), set, {.threads = threads}).write(large_frame(set, 0));
        expect_same_frame(read_frame(folder.path(), 0), large_frame(set, 0), 1e-7);
        return sample::content_of(frame_path(folder.path(), 0));
    };
    const std::string one = bytes_with(1);
    EXPECT_GT(one.size(), set.size());
    for (const int threads : {2, 7}) EXPECT_EQ(bytes_with(threads), one) << threads << " threads";
}

TEST(frames, uncompressed_or_not_hold_the_same) {
    const ParticleSet set = sample::column(0.02);
    for (const int level : {0, 1, 9}) {
        const TemporaryFolder folder;
        FrameWriter(folder.path(), set, {.compression = level}).write(large_frame(set, 0));
        expect_same_frame(read_frame(folder.path(), 0), large_frame(set, 0), 1e-7);
    }
}

TEST(frames, survive_kill_at_any_moment) {
    const ParticleSet set = sample::column(0.01);
    std::mt19937 random(7);
    for (int round = 0; round < 12; ++round) {
        const TemporaryFolder folder;
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            write_without_end(folder.path(), set);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 150));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child stopped by itself";

        const auto frames = list_frames(folder.path());
        for (std::size_t k = 0; k < frames.size(); ++k) {
            EXPECT_EQ(frames[k].number, static_cast<int>(k)) << "a gap";
            const Frame read = read_frame(folder.path(), frames[k].number);
            EXPECT_EQ(read.pressure, large_frame(set, frames[k].number).pressure);
        }
        if (frames.size() < 2) continue;
        // The timeline shows all but at most the last frame, and its virtual datasets lead to the frames.
        const h5::File timeline(folder.path() / "fluid.vtkhdf");
        const auto times = timeline.read<double>("VTKHDF/Steps/Values");
        EXPECT_GE(times.size() + 1, frames.size());
        const std::vector<float> pressure = read_virtual(folder.path() / "fluid.vtkhdf", "VTKHDF/PointData/pressure");
        ASSERT_EQ(pressure.size(), times.size() * set.size());
        const auto last = static_cast<int>(times.size()) - 1;
        EXPECT_TRUE(std::equal(pressure.end() - set.size(), pressure.end(), large_frame(set, last).pressure.begin()));
    }
}

TEST(frames, a_full_disk_is_a_clear_error_and_leaves_no_half_frame) {
    const TemporaryFolder folder;
    const ParticleSet set = sample::column(0.01);
    {
        FrameWriter writer(folder.path(), set);
        writer.write(large_frame(set, 0));
    }
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        int failures = 1;
        try {
            FrameWriter writer(folder.path(), set, {.first_number = 1});
            const rlimit limit{20000, 20000};
            std::signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &limit);
            writer.write(large_frame(set, 1));
        } catch (const std::exception& error) {
            failures = std::string(error.what()).find("cannot write: ") == std::string::npos;
        }
        std::_Exit(failures);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(list_frames(folder.path()).size(), 1u);
    EXPECT_EQ(read_frame(folder.path(), 0).size(), set.size());
    for (const auto& file : fs::recursive_directory_iterator(folder.path()))
        EXPECT_NE(file.path().extension(), ".tmp") << file.path();
}

TEST(frames, have_a_time_that_a_run_can_have) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 1);
    for (const double time : {0.5, -1.0, double(NAN), 1e300}) {
        const hid_t file = H5Fopen(frame_path(folder.path(), 0).c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                    attribute = H5Aopen(file, "time", H5P_DEFAULT);
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, &time);
        H5Aclose(attribute);
        H5Fclose(file);
        if (time == 0.5)
            EXPECT_EQ(read_frame_entry(folder.path(), 0).time, 0.5);
        else
            EXPECT_THROW(read_frame_entry(folder.path(), 0), RunError) << time;
    }
}

// What a frame says of its particles stands in it, and nowhere else.
TEST(frames, lead_to_no_other_files) {
    const TemporaryFolder folder;
    write_sample(folder.path(), 2);
    const char* const name = "fluid/id"; // those of the other frame are as good
    const fs::path first = frame_path(folder.path(), 0), second = frame_path(folder.path(), 1);
    const auto replace = [&](const auto& make) {
        const hid_t file = H5Fopen(first.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
        ASSERT_GE(make(file), 0);
        H5Fclose(file);
    };
    EXPECT_NO_THROW(read_frame(folder.path(), 0));
    replace([&](hid_t file) {
        return H5Lcreate_external(second.filename().c_str(), name, file, name, H5P_DEFAULT, H5P_DEFAULT);
    });
    EXPECT_THROW(read_frame(folder.path(), 0), RunError);

    ASSERT_EQ(::mkfifo((second.parent_path() / "pipe").c_str(), 0600), 0);
    replace([&](hid_t file) { // of a virtual one the length is looked for in the other file, here a pipe
        const hsize_t none = 0, any = H5S_UNLIMITED, one = 1;
        const hid_t space = H5Screate_simple(1, &none, &any), properties = H5Pcreate(H5P_DATASET_CREATE);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &none, &one, &any, &one);
        H5Pset_virtual(properties, space, "pipe", "x", space);
        H5Sselect_all(space);
        const hid_t set = H5Dcreate2(file, name, H5T_NATIVE_UINT32, space, H5P_DEFAULT, properties, H5P_DEFAULT);
        H5Pclose(properties);
        H5Sclose(space);
        return set < 0 ? -1 : H5Dclose(set);
    });
    EXPECT_THROW(read_frame(folder.path(), 0), RunError);
    EXPECT_THROW(read_frame_entry(folder.path(), 0), RunError);
}
