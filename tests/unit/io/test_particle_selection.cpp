// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/hdf5.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/frames/frame_writer.h"
#include "io/frames/particle_selection.h"
#include "sample.h"
#include "temporary_folder.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace sluice;

namespace {

OutputFilter filter(FilterOperation operation, decltype(OutputFilter::rule) rule, bool inverse = false) {
    return {{"case.xml", 7}, operation, inverse, {}, std::move(rule)};
}

OutputParts parts(bool all, std::vector<OutputFilter> filters, int whole_every = 0) {
    return {{"case.xml", 5}, whole_every, {all, std::move(filters)}};
}

TypeFilter types(std::initializer_list<ParticleType> wanted) {
    TypeFilter rule;
    for (const ParticleType type : wanted) rule.types[static_cast<std::size_t>(type)] = true;
    return rule;
}

MkFilter mks(int first, int last) { return {"mk", first, last, first, last}; }

BoxFilter from_x(double x) {
    BoxFilter box;
    box.min.x = x;
    return box;
}

/// Ids of the particles of the sample's frame 0 that are selected: its particle k is at x = 0.01 k, z = 0.5; ids 0 to 7
/// are fixed (mk 11), 8 to 11 move (mk 12), 12 to 26 are fluid of mk 1, 27 to 31 of mk 3.
std::vector<std::uint32_t> chosen(const OutputParts& wanted, const Frame& frame, const RunSetup& setup) {
    std::vector<std::uint32_t> ids;
    for (const std::uint32_t place : ParticleSelection(wanted, sample::particles(true), setup).places(frame))
        ids.push_back(frame.id[place]);
    return ids;
}

std::vector<std::uint32_t> chosen(const OutputParts& wanted) {
    return chosen(wanted, sample::frame(0, true), sample::setup());
}

std::vector<std::uint32_t> range(std::uint32_t first, std::uint32_t end) {
    std::vector<std::uint32_t> ids(end - first);
    std::iota(ids.begin(), ids.end(), first);
    return ids;
}

constexpr auto add = FilterOperation::add, del = FilterOperation::del, confirm = FilterOperation::confirm;
constexpr auto fixed = ParticleType::fixed, moving = ParticleType::moving, fluid = ParticleType::fluid;

} // namespace

TEST(ParticleSelection, OperationsActOneAfterTheOther) {
    EXPECT_EQ(chosen(parts(true, {})), range(0, 32));
    EXPECT_EQ(chosen(parts(false, {})), range(0, 0));
    EXPECT_EQ(chosen(parts(false, {filter(add, types({fluid}))})), range(12, 32));
    EXPECT_EQ(chosen(parts(true, {filter(del, types({fluid}))})), range(0, 12));
    EXPECT_EQ(chosen(parts(true, {filter(confirm, types({moving, fluid}))})), range(8, 32));
    EXPECT_EQ(chosen(parts(false, {filter(confirm, types({fluid}))})), range(0, 0));
    EXPECT_EQ(chosen(parts(false, {filter(add, types({fluid}), true)})), range(0, 12));
    EXPECT_EQ(chosen(parts(true, {filter(del, types({fluid}), true)})), range(12, 32));
    EXPECT_EQ(chosen(parts(true, {filter(confirm, types({fluid}), true)})), range(0, 12));
    // the order counts
    EXPECT_EQ(chosen(parts(false, {filter(add, types({fluid})), filter(del, from_x(0.195))})), range(12, 20));
    EXPECT_EQ(chosen(parts(false, {filter(del, from_x(0.195)), filter(add, types({fluid}))})), range(12, 32));
}

TEST(ParticleSelection, GroupsAreSelectionsOfTheirOwn) {
    const FilterGroup far_fluid{false, {filter(add, types({fluid})), filter(confirm, from_x(0.295))}};
    EXPECT_EQ(chosen(parts(false, {filter(add, far_fluid)})), range(30, 32));
    EXPECT_EQ(chosen(parts(true, {filter(del, far_fluid)})), range(0, 30));
    EXPECT_EQ(chosen(parts(true, {filter(confirm, far_fluid, true)})), range(0, 30));
    const FilterGroup outer{true, {filter(del, far_fluid), filter(del, types({fixed}))}};
    EXPECT_EQ(chosen(parts(false, {filter(add, outer)})), range(8, 30));
}

TEST(ParticleSelection, ByMk) {
    EXPECT_EQ(chosen(parts(false, {filter(add, mks(12, 12))})), range(8, 12));
    EXPECT_EQ(chosen(parts(false, {filter(add, mks(1, 3))})), range(12, 32));
    const auto message = [](const OutputParts& wanted) -> std::string {
        try {
            chosen(wanted);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ(message(parts(false, {filter(add, mks(2, 2))})),
              "case.xml:7: <filtermk> mk 2: the case has no such particles; it has mkbound 0 (mk 11), mkbound 1 (mk "
              "12), mkfluid 0 (mk 1), mkfluid 2 (mk 3)");
    EXPECT_NE(message(parts(false, {filter(add, mks(3, 11))})).find("several types"), std::string::npos);
    EXPECT_NE(message(parts(false, {filter(add, FilterGroup{false, {filter(add, mks(2, 2))}})})), "");
}

TEST(ParticleSelection, ByPlace) {
    const Vec3d at{0.2, 0.25, 0.5}; // of particle 20
    EXPECT_EQ(chosen(parts(false, {filter(add, SphereFilter{at, 0.0201})})), range(18, 23));
    EXPECT_EQ(chosen(parts(false, {filter(add, PlaneFilter{at + Vec3d{-1e-9, 0, 0}, {1, 0, 0}, 0.0301})})),
              range(20, 24));
    EXPECT_EQ(chosen(parts(false, {filter(add, PlaneFilter{at + Vec3d{1e-9, 0, 0}, {-1, 0, 0}})})), range(0, 21));
    // across the axis 0.03 m to the side, and along it between its ends
    const Vec3d low = at + Vec3d{-0.0301, 0, -1}, high = at + Vec3d{-0.0301, 0, 1};
    EXPECT_EQ(chosen(parts(false, {filter(add, CylinderFilter{low, high, 0.0305})})), range(14, 21));
    EXPECT_EQ(chosen(parts(false, {filter(add, CylinderFilter{low, at + Vec3d{-0.0301, 0, -0.1}, 1})})), range(0, 0));
    EXPECT_EQ(chosen(parts(false, {filter(add, CylinderFilter{at + Vec3d{-0.0301, 0, 0}, at + Vec3d{0.0301, 0, 0}})})),
              range(17, 24));
}

TEST(ParticleSelection, PlacesGoWithABody) {
    RunSetup setup = sample::setup();
    Body body;
    body.mk_bound = 1;
    body.centre = Vec3d{0.1, 0.25, 0.5} - setup.domain.min;
    setup.bodies.push_back(body);
    Frame frame = sample::frame(0, true);
    frame.bodies.resize(1);
    frame.bodies[0].state.centre = {0.15, 0.25, 0.5};
    OutputFilter around = filter(add, SphereFilter{{}, 0.0101});
    around.follow = 1;
    EXPECT_EQ(chosen(parts(false, {around}), frame, setup), range(14, 17)); // its centre is where particle 15 is
    OutputFilter box = filter(add, from_x(0.245));
    box.follow = 1;
    EXPECT_EQ(chosen(parts(false, {box}), frame, setup), range(30, 32)); // 0.05 m on
}

TEST(ParticleSelection, FramesHoldWhatIsSelected) {
    const TemporaryFolder folder;
    FrameOptions options;
    // the moving wall's last two particles and the fluid beyond them, every third frame whole
    options.selection.emplace(parts(false, {filter(add, from_x(0.095)), filter(del, mks(3, 3))}, 3),
                              sample::particles(true), sample::setup());
    {
        FrameWriter writer(folder.path(), sample::particles(true), options);
        for (int n = 0; n < 4; ++n) writer.write(sample::frame(n, true));
        EXPECT_EQ(writer.left_out().total(), 0U);
    }
    const ParticleLayout layout = read_layout(folder.path());
    EXPECT_TRUE(layout.selected);
    EXPECT_EQ(layout.whole_every, 3);
    for (const int n : {0, 3}) EXPECT_EQ(read_frame(folder.path(), n).id, sample::frame(n, true).id);
    const Frame read = read_frame(folder.path(), 1), all = sample::frame(1, true);
    EXPECT_EQ(read.id.front(), 10U);
    EXPECT_EQ(read.id.back(), 26U);
    ASSERT_EQ(read.size(), 2U + 14);
    for (std::size_t i = 0; i < read.size(); ++i) {
        const auto k = static_cast<std::size_t>(std::ranges::find(all.id, read.id[i]) - all.id.begin());
        EXPECT_EQ(read.velocity[i], all.velocity[k]);
        EXPECT_EQ(read.density[i], all.density[k]);
        EXPECT_NEAR(norm(read.position[i] - all.position[k]), 0, 1e-7);
    }
    const std::vector<FrameEntry> entries = list_frames(folder.path());
    EXPECT_EQ(entries[1].left_out.boundary, 10U);
    EXPECT_EQ(entries[1].left_out.fluid, 5U);
    EXPECT_EQ(entries[1].boundary_count, 2U);
    EXPECT_EQ(entries[3].left_out.total(), 0U);
    EXPECT_NO_THROW(require_boundary(folder.path(), layout, {entries[0], entries[3]}));
    EXPECT_THROW(require_boundary(folder.path(), layout, entries), InputError);
    EXPECT_EQ(read_drawn_boundary(folder.path()).id, range(0, 12));
    // the timeline has the boundary particles of each frame
    const h5::File boundary(folder.path() / "boundary.vtkhdf");
    EXPECT_EQ(boundary.read<std::int64_t>("VTKHDF/NumberOfPoints"), (std::vector<std::int64_t>{12, 2, 2, 12}));
    EXPECT_EQ(boundary.row_count("VTKHDF/PointData/id"), 28U);
    const std::string xdmf = sample::content_of(folder.path() / "boundary.xdmf");
    EXPECT_NE(xdmf.find("Dimensions=\"2 3\">frames/frame_000001.h5:/boundary/position"), std::string::npos) << xdmf;
}

TEST(ParticleSelection, LeavesOneOfSomeOfWhatIsSelected) {
    const TemporaryFolder folder;
    FrameOptions options;
    options.keep_every = 5;
    options.selection.emplace(parts(false, {filter(add, types({fluid}))}), sample::particles(), sample::setup());
    FrameWriter(folder.path(), sample::particles(), options).write(sample::frame(0));
    const Frame read = read_frame(folder.path(), 0);
    EXPECT_EQ(read.size(), 4U); // of 20
    EXPECT_EQ(list_frames(folder.path())[0].left_out.boundary, 12U);
    EXPECT_EQ(list_frames(folder.path())[0].left_out.fluid, 0U);
    for (const std::uint32_t id : read.id) EXPECT_TRUE(is_chosen(id, 5));
}
