// SPDX-License-Identifier: Apache-2.0
#include "case/gauges.h"
#include "io/files/hdf5.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/pictures/view_script.h"
#include "sample.h"
#include "temporary_folder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

// What readers make of the XDMF files, read_with_vtk.py and tests/cases/test_paraview.py look at.

using namespace sluice;
namespace fs = std::filesystem;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

std::string xdmf(const TemporaryFolder& folder, const char* name) { return sample::content_of(folder.path() / name); }

void write(const fs::path& dir, const std::vector<double>& times, FrameOptions options) {
    FrameWriter writer(dir, sample::particles(), std::move(options));
    for (std::size_t n = 0; n < times.size(); ++n) {
        Frame frame = sample::frame(static_cast<int>(n) % 4);
        frame.step = static_cast<std::int64_t>(n);
        frame.time = times[n];
        writer.write(frame);
    }
}

std::vector<double> times_in_paraview(const fs::path& dir) {
    return h5::File(dir / "fluid.vtkhdf").read<double>("VTKHDF/Steps/Values");
}

} // namespace

TEST(xdmf, points_at_the_arrays_of_each_frame) {
    const TemporaryFolder folder;
    {
        FrameWriter writer(folder.path(), sample::particles(true));
        for (int n = 0; n < 6; ++n) writer.write(sample::frame(n, true));
    }
    const std::string fluid = xdmf(folder, "fluid.xdmf"), boundary = xdmf(folder, "boundary.xdmf");
    // the sample has 20 particles of fluid in frame 0, one less in each frame after it, and none in frame 4 alone
    EXPECT_EQ(count_of(fluid, "<Grid Name=\"fluid\">"), 5u);
    EXPECT_EQ(fluid.find("frame_000004.h5"), std::string::npos);
    EXPECT_EQ(count_of(boundary, "<Grid Name=\"boundary\">"), 6u);
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_EQ(count_of(text, part), 1u) << part << "\n" << text;
    };
    has(fluid, R"(<Geometry GeometryType="XYZ"><DataItem Format="HDF" NumberType="Float" Precision="4" )"
               R"(Dimensions="19 3">frames/frame_000001.h5:/fluid/position</DataItem></Geometry>)");
    has(fluid,
        R"(<Attribute Name="velocity" AttributeType="Vector" Center="Node"><DataItem Format="HDF" )"
        R"(NumberType="Float" Precision="4" Dimensions="15 3">frames/frame_000005.h5:/fluid/velocity</DataItem>)");
    has(fluid, R"(NumberType="UInt" Precision="2" Dimensions="18">frames/frame_000002.h5:/fluid/mk<)");
    has(fluid, R"(NumberType="UChar" Precision="1" Dimensions="18">frames/frame_000002.h5:/fluid/type<)");
    has(fluid, R"(NumberOfElements="17" NodesPerElement="1"><DataItem ItemType="HyperSlab" Dimensions="17">)"
               R"(<DataItem Format="XML" NumberType="Int" Dimensions="3 1">0 1 17</DataItem><DataItem Format="HDF" )"
               R"(NumberType="Int" Precision="8" Dimensions="34">frames/geometry.h5:/topology/count_up<)");
    has(boundary, R"(Dimensions="12 3">frames/frame_000003.h5:/boundary/position<)");
    has(boundary, R"(Dimensions="12">frames/frame_000004.h5:/boundary/pressure<)");
    EXPECT_EQ(count_of(boundary, "frames/geometry.h5:/boundary/id"), 6u);
}

TEST(xdmf, of_walls_at_rest_points_at_their_places_once_stored) {
    const TemporaryFolder folder;
    write(folder.path(), {0, 0.1}, {.positions_double = true, .fields = {Field::density}});
    const std::string boundary = xdmf(folder, "boundary.xdmf"), fluid = xdmf(folder, "fluid.xdmf");
    EXPECT_EQ(count_of(boundary, R"(Precision="8" Dimensions="12 3">frames/geometry.h5:/boundary/position<)"), 2u);
    EXPECT_EQ(count_of(fluid, R"(Precision="8" Dimensions="20 3">)"), 1u);
    for (const std::string& text : {boundary, fluid}) {
        EXPECT_EQ(count_of(text, "Name=\"density\""), 2u);
        EXPECT_EQ(count_of(text, "Name=\"velocity\""), 0u);
    }
}

TEST(xdmf, comes_back_where_an_older_version_wrote_none) {
    const TemporaryFolder folder;
    write(folder.path(), {0, 0.1}, {});
    const std::string before = xdmf(folder, "fluid.xdmf");
    fs::remove(folder.path() / "fluid.xdmf");
    refresh_timeline(folder.path(), list_frames(folder.path()));
    EXPECT_EQ(xdmf(folder, "fluid.xdmf"), before);
    FrameWriter(folder.path(), sample::particles());
    EXPECT_FALSE(fs::exists(folder.path() / "fluid.xdmf")) << "of an earlier run, whose frames are gone";
    EXPECT_FALSE(fs::exists(folder.path() / "boundary.xdmf"));
}

TEST(frame_times, are_in_paraview_those_at_which_frames_were_due) {
    const TemporaryFolder folder;
    const std::vector<double> exact{0, 0.0500123, 0.1, 0.15000000000000002, 0.2501, 0.31};
    write(folder.path(), exact, {.times = SampleClock(0.05)});
    // two periods passed in the step to 0.2501; 0.31 is past 0.3
    EXPECT_EQ(times_in_paraview(folder.path()), (std::vector<double>{0, 0.05, 0.1, 0.15000000000000002, 0.25, 0.3}));
    const h5::File timeline(folder.path() / "fluid.vtkhdf");
    EXPECT_EQ(timeline.read<double>("VTKHDF/FieldData/exact_time"), exact);
    EXPECT_EQ(timeline.read<std::int64_t>("VTKHDF/FieldData/step"), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(timeline.read<std::int64_t>("VTKHDF/Steps/FieldDataOffsets/exact_time"),
              (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    const std::string fluid = xdmf(folder, "fluid.xdmf");
    EXPECT_NE(fluid.find("<Time Value=\"0.05\"/>"), std::string::npos);
    EXPECT_NE(fluid.find(R"(Precision="8" Dimensions="1">0.0500123</DataItem>)"), std::string::npos);
    const std::vector<FrameEntry> frames = list_frames(folder.path());
    EXPECT_EQ(frames[1].time, 0.0500123);
    EXPECT_EQ(frames[1].sampling_time, 0.05);
    EXPECT_EQ(read_frame(folder.path(), 1).time, 0.0500123) << "the frame itself keeps its time";
}

TEST(frame_times, are_written_as_one_would_write_them) {
    const TemporaryFolder folder;
    write(folder.path(), {0, 0.1501, 0.30001}, {.times = SampleClock(0.05)}); // 3 · 0.05 = 0.15000000000000002
    EXPECT_EQ(times_in_paraview(folder.path()), (std::vector<double>{0, 0.15, 0.3}));
}

TEST(frame_times, of_the_last_state_between_two_of_the_clock_are_its_own) {
    const TemporaryFolder folder;
    write(folder.path(), {0, 0.1001, 0.1204}, {.times = SampleClock(0.1)});
    EXPECT_EQ(times_in_paraview(folder.path()), (std::vector<double>{0, 0.1, 0.1204}));
    const TemporaryFolder other;
    write(other.path(), {0, 0.1001}, {});
    EXPECT_EQ(times_in_paraview(other.path()), (std::vector<double>{0, 0.1001})) << "no clock";
}

TEST(view_script, holds_what_it_shows_of_the_run) {
    const TemporaryFolder folder;
    std::vector<Gauge> gauges(2);
    gauges[0].name = "wave \"A\" \\";
    gauges[0].kind = SurfaceLine{{0.5, 0, 0}, {0.5, 0, 2}};
    gauges[1].name = "push";
    gauges[1].kind = BoundaryForce{3};
    write_view_script(folder.path(), sample::particles(true), {Field::velocity_divergence}, gauges);
    const std::string script = sample::content_of(folder.path() / "view.py");
    EXPECT_EQ(script.find("@RUN@"), std::string::npos);
    EXPECT_NE(
        script.find(R"("gauges":[{"closed":false,"name":"wave \"A\" \\","points":[[0.5,0.0,0.0],[0.5,0.0,2.0]]}])"),
        std::string::npos)
        << script.substr(0, 1500);
    EXPECT_NE(script.find(R"("fields":["velocity_divergence"])"), std::string::npos);
    EXPECT_NE(script.find(R"("types":[0,1,3])"), std::string::npos);
}
