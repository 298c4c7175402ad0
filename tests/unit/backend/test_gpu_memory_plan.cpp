// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

/// A million particles, or the same drawn finer.
GpuMemoryRequest dam_break(double available, double finer = 1) {
    const double dp = 0.0045 / finer;
    GpuMemoryRequest request;
    request.setup.constants.dp = dp;
    request.setup.constants.h = std::sqrt(3.0) * dp;
    request.setup.domain = {{0, 0, 0}, {1.6, 0.67, 0.6}};
    const double boundary = 1e5 * finer * finer;
    request.particles = static_cast<std::uint64_t>(boundary + 9e5 * finer * finer * finer);
    request.setup.set_groups(ParticleGroups::of(static_cast<std::uint32_t>(boundary),
                                                static_cast<std::uint32_t>(double(request.particles) - boundary)));
    request.available = available;
    return request;
}

} // namespace

TEST(GpuMemoryPlan, WalksThroughTheVersionsAsMemoryShrinks) {
    const GpuMemoryPlan roomy = plan_gpu_memory(dam_break(141e9));
    ASSERT_EQ(roomy.modes.size(), gpu_modes.size());
    EXPECT_EQ(roomy.choice, GpuMode::neighbour_list);
    for (std::size_t k = 0; k < roomy.modes.size(); ++k) {
        EXPECT_EQ(plan_gpu_memory(dam_break(roomy.modes[k].bytes + 1)).choice, roomy.modes[k].mode);
        if (k > 0) {
            EXPECT_LT(roomy.modes[k].bytes, roomy.modes[k - 1].bytes);
        }
    }
}

TEST(GpuMemoryPlan, HasRoomForWhatOpenBoundariesCreate) {
    GpuMemoryRequest request = dam_break(141e9);
    EXPECT_EQ(gpu_room(request.setup, 1000), 1000u);
    const double closed = plan_gpu_memory(request).modes[0].bytes;
    request.setup.open.zones.resize(1);
    request.setup.open.points.resize(100);
    EXPECT_EQ(gpu_room(request.setup, 1000), 1000u + 1000 + 400);
    EXPECT_EQ(gpu_room(request.setup, 100000), 100000u + 65536 + 400);
    EXPECT_EQ(gpu_room(request.setup, 8000000), 8000000u + 1000000 + 400);
    EXPECT_GT(gpu_room(request.setup, 0), 2 * 100u); // what two steps may create
    const GpuMemoryPlan open = plan_gpu_memory(request);
    EXPECT_GT(open.modes[0].bytes, 1.1 * closed);
    EXPECT_LT(open.modes[0].bytes, 1.2 * closed);
    EXPECT_EQ(open.frame_bytes, 0);
}

TEST(GpuMemoryPlan, ListsAtPeriodicSidesSayWhatTheirPartsAre) {
    GpuMemoryRequest request = dam_break(141e9);
    const GpuMemoryPlan closed = plan_gpu_memory(request);
    request.setup.period.periodic[1] = true;
    request.setup.period.shift[1] = {0, 0.67, 0};
    const GpuMemoryPlan periodic = plan_gpu_memory(request);
    for (std::size_t k = 0; k < closed.modes.size(); ++k) // 32 bytes for each of 900,000 fluid particles
        EXPECT_NEAR(periodic.modes[k].bytes - closed.modes[k].bytes,
                    has_neighbour_lists(closed.modes[k].mode) ? 32 * 9e5 : 0, 1);
}

TEST(GpuMemoryPlan, SaysWhatIsMissingAndWhichSpacingWouldFit) {
    const GpuMemoryPlan plan = plan_gpu_memory(dam_break(10e6));
    EXPECT_FALSE(plan.choice);
    EXPECT_NE(plan.why.find("needs"), std::string::npos) << plan.why;
    EXPECT_NE(plan.why.find("10 MB"), std::string::npos) << plan.why;
    EXPECT_NE(plan.why.find("dp of about"), std::string::npos) << plan.why;
    const double told = std::stod(plan.why.substr(plan.why.find("dp of about ") + 12));
    const double finest = std::ranges::min_element(plan.modes, {}, &GpuModePlan::bytes)->finest_dp;
    EXPECT_GT(told, finest);
    EXPECT_LT(told, 1.05 * finest);
    // a byte too little is not told as the same number twice
    const GpuModePlan& least = *std::ranges::min_element(plan.modes, {}, &GpuModePlan::bytes);
    const std::string near = plan_gpu_memory(dam_break(least.bytes - 1)).why;
    EXPECT_NE(near.find(fmt::format("needs {:.0f} B", std::ceil(least.bytes))), std::string::npos) << near;
    EXPECT_NE(near.find(fmt::format("only {:.0f} B", std::floor(least.bytes - 1))), std::string::npos) << near;
}

TEST(GpuMemoryPlan, SeveralGpusHoldAllWallsTheirPartsOfTheFluidAndHalos) {
    GpuMemoryRequest request = dam_break(20e9, 3); // 900,000 + 24,300,000
    const std::uint64_t all = request.particles;
    EXPECT_EQ(gpu_share(request.setup, all, 1), all);
    const double halo = 12 * std::pow(24.3e6, 2.0 / 3);
    EXPECT_NEAR(double(gpu_share(request.setup, all, 2)), 1.1 * (0.9e6 + 12.15e6 + 2 * halo), 2);
    EXPECT_NEAR(double(gpu_share(request.setup, all, 4)), 1.1 * (0.9e6 + 6.075e6 + 4 * halo), 2);
    const GpuMemoryPlan alone = plan_gpu_memory(request);
    request.gpus = 4;
    const GpuMemoryPlan shared = plan_gpu_memory(request);
    EXPECT_EQ(alone.gpus, 1);
    EXPECT_EQ(alone.particles, all);
    EXPECT_EQ(shared.gpus, 4);
    EXPECT_EQ(shared.particles, gpu_share(request.setup, all, 4));
    EXPECT_EQ(shared.frame_bytes, 0); // frames are made of states
    EXPECT_NE(shared.text.find("4 GPUs with 20 GB for the run on each, with room there for 12.1 M particles (25.2 M in "
                               "the run)"),
              std::string::npos)
        << shared.text;
    for (std::size_t k = 0; k < shared.modes.size(); ++k) {
        EXPECT_LT(shared.modes[k].bytes, 0.6 * alone.modes[k].bytes);
        EXPECT_GT(shared.modes[k].bytes, 0.25 * alone.modes[k].bytes);
        EXPECT_GT(shared.modes[k].most_particles, 1.5 * alone.modes[k].most_particles);
    }
    EXPECT_EQ(gpu_share(request.setup, 901000, 2),
              std::uint64_t(1.1 * (0.9e6 + 500 + 2 * 500))); // no more than there is
    request.setup.period.shift[1] = {0, 0.67, 0.1};          // images beyond a face of z: each sees all
    request.setup.period.periodic[1] = true;
    EXPECT_NEAR(double(plan_gpu_memory(request).particles), 1.1 * (0.9e6 + 6.075e6 + 2 * 18.225e6), 2);
}

TEST(GpuMemoryPlan, SaysHowManyGpusWouldDo) {
    GpuMemoryRequest request = dam_break(141e9, 4);
    request.mode = GpuMode::neighbour_list;
    request.gpus = 3;
    request.available = plan_gpu_memory(request).modes[0].bytes + 1;
    EXPECT_EQ(plan_gpu_memory(request).modes[0].fewest_gpus, 3);
    for (request.gpus = 1; request.gpus < 3; ++request.gpus) {
        const GpuMemoryPlan plan = plan_gpu_memory(request);
        EXPECT_FALSE(plan.choice);
        EXPECT_EQ(plan.modes[0].fewest_gpus, 3);
        EXPECT_NE(plan.why.find("are available: --gpus 3 would do, or a dp of about"), std::string::npos) << plan.why;
        EXPECT_EQ(plan.why.find("on each of 2 GPUs") != std::string::npos, request.gpus == 2) << plan.why;
    }
    EXPECT_EQ(plan_gpu_memory(request).choice, GpuMode::neighbour_list);
    request.available = 1e6; // the walls alone take more
    const GpuMemoryPlan never = plan_gpu_memory(request);
    EXPECT_EQ(never.modes[0].fewest_gpus, 0);
    EXPECT_EQ(never.why.find("would do"), std::string::npos) << never.why;
}

TEST(GpuMemoryPlan, HonoursWhatIsAskedFor) {
    GpuMemoryRequest request = dam_break(141e9);
    request.neighbour_list = false;
    EXPECT_EQ(plan_gpu_memory(request).choice, GpuMode::fast_half);
    request.neighbour_list = true;
    EXPECT_EQ(plan_gpu_memory(request).choice, GpuMode::neighbour_list);
    request.available = plan_gpu_memory(request).modes[1].bytes + 1;
    EXPECT_EQ(plan_gpu_memory(request).choice, GpuMode::short_list);
    request.mode = GpuMode::slow_full;
    EXPECT_EQ(plan_gpu_memory(request).choice, GpuMode::slow_full);
    request.available = 1e6;
    EXPECT_FALSE(plan_gpu_memory(request).choice);
    request = dam_break(100e6);
    request.neighbour_list = true;
    EXPECT_FALSE(plan_gpu_memory(request).choice);
}

TEST(GpuMemoryPlan, TheSmallestVersionTakesAtMostAHundredBytesAParticle) {
    const GpuMemoryPlan plan = plan_gpu_memory(dam_break(141e9));
    EXPECT_LE(plan.modes.back().bytes / 1e6, 100);
    EXPECT_LE(plan.modes.back().model.bytes_per_particle, 90);
}

TEST(GpuMemoryPlan, CopiesOfFramesComeAfterTheFasterVersion) {
    const GpuMemoryPlan roomy = plan_gpu_memory(dam_break(141e9));
    EXPECT_EQ(roomy.frame_bytes, 32e6);
    for (const GpuModePlan& mode : roomy.modes) {
        const GpuMemoryPlan exact = plan_gpu_memory(dam_break(mode.bytes + 1)),
                            wider = plan_gpu_memory(dam_break(mode.bytes + 32e6 + 1));
        EXPECT_EQ(exact.choice, mode.mode);
        EXPECT_EQ(exact.frame_bytes, 0);
        EXPECT_NE(exact.text.find("no room for copies"), std::string::npos);
        EXPECT_GE(int(mode.mode), int(wider.choice.value()));
        if (wider.choice == mode.mode) {
            EXPECT_EQ(wider.frame_bytes, 32e6);
        }
    }
}

TEST(GpuMemoryPlan, TextTellsTheMemoryEveryVersionAndWhy) {
    const GpuMemoryPlan plan = plan_gpu_memory(dam_break(141e9));
    for (const auto& mode : gpu_modes) EXPECT_NE(plan.text.find(mode.name), std::string::npos);
    for (const char* part : {"GPU with 141 GB for the run:\n", "chosen\n"})
        EXPECT_NE(plan.text.find(part), std::string::npos) << part;
    EXPECT_TRUE(plan.text.ends_with("\n" + plan.why + "\n"));
}

TEST(GpuMemoryPlan, TellsHowManyParticlesWouldFit) {
    for (const double memory : {5e7, 4e9, 2e10})
        for (const GpuModePlan& mode : plan_gpu_memory(dam_break(memory)).modes) {
            SCOPED_TRACE(mode_info(gpu_modes, mode.mode).name);
            const GpuMemoryRequest finest = dam_break(memory, 0.0045 / mode.finest_dp);
            EXPECT_NEAR(double(finest.particles), mode.most_particles, 2);
            const GpuModePlan there = plan_gpu_memory(finest).modes[static_cast<std::size_t>(mode.mode)];
            EXPECT_NEAR(there.bytes / memory, 1, 0.01);
            EXPECT_NEAR(there.finest_dp / mode.finest_dp, 1, 0.01);
        }
    const GpuModePlan numbered = plan_gpu_memory(dam_break(1e15)).modes.back();
    EXPECT_NEAR(numbered.most_particles / most_ids, 1, 1e-6);
    const GpuModePlan none = plan_gpu_memory(dam_break(1)).modes.back();
    EXPECT_EQ(none.most_particles, 0);
    EXPECT_EQ(none.finest_dp, 0);
}

TEST(GpuMemoryPlan, CountsWhatMovesWithRigidObjects) {
    const GpuMemoryRequest resting = dam_break(141e9);
    GpuMemoryRequest moving = resting;
    moving.setup.rigid.start.resize(1000);
    moving.setup.rigid.object.resize(1000);
    const GpuMemoryPlan with = plan_gpu_memory(moving), without = plan_gpu_memory(resting);
    for (std::size_t k = 0; k < with.modes.size(); ++k) // place at the start, object, acceleration
        EXPECT_NEAR(with.modes[k].bytes - without.modes[k].bytes, 1000 * (24 + 4 + 12), 1e-3);
}

TEST(GpuMemoryPlan, BodiesHaveLists) {
    GpuMemoryRequest request = dam_break(141e9);
    const GpuMemoryPlan without = plan_gpu_memory(request);
    Body first, second;
    first.first_id = 70000;
    first.particles = 1000;
    second.first_id = 60000;
    second.particles = 2000;
    request.setup.bodies = {first, second}; // among 11,000 ids, of which others are walls
    const GpuMemoryPlan with = plan_gpu_memory(request);
    const double each = 4 * list_capacity(request.setup.constants) + 10;
    for (std::size_t k = 0; k < with.modes.size(); ++k)
        EXPECT_NEAR(with.modes[k].bytes - without.modes[k].bytes,
                    4 * 1e5 + (has_neighbour_lists(with.modes[k].mode) ? 11000 * each : 0), 1);
}

// What a feature stores, by the sizes of its arrays: a million particles, of which 100,000 are boundary.
TEST(GpuMemoryPlan, FeaturesTakeWhatTheyStore) {
    const auto more = [](auto change) {
        const GpuMemoryRequest plain = dam_break(141e9);
        GpuMemoryRequest changed = plain;
        change(changed.setup);
        const GpuMemoryPlan with = plan_gpu_memory(changed), without = plan_gpu_memory(plain);
        std::vector<double> bytes;
        for (std::size_t k = 0; k < with.modes.size(); ++k)
            bytes.push_back(with.modes[k].bytes - without.modes[k].bytes);
        return bytes;
    };
    const auto expect = [](const std::vector<double>& bytes, double expected) {
        for (const double b : bytes) EXPECT_NEAR(b, expected, 1);
    };
    expect(more([](RunSetup& s) { s.constants.viscosity = sph::ViscosityModel::laminar_sps; }), 9e5 * (16 + 8 + 12));
    expect(more([](RunSetup& s) { s.constants.viscosity = sph::ViscosityModel::apparent; }), 9e5 * (4 + 12));
    expect(more([](RunSetup& s) { s.constants.shifting = sph::Shifting::everywhere; }), 9e5 * 16);
    expect(more([](RunSetup& s) { s.normals.resize(1000); }), 1000 * 12);
    expect(more([](RunSetup& s) { s.bodies.resize(2); }), 1e5 * 4);
    expect(more([](RunSetup& s) {
               s.rigid.start.resize(1000);
               s.contact = BodyContact::elastic;
           }),
           1000 * (24 + 4 + 12 + 32) + 1e5 * 4);
    // the position at the start of a step, twice where the state is sorted into a copy
    const std::vector<double> start = more([](RunSetup& s) { s.constants.integrator = sph::Integrator::symplectic; });
    for (std::size_t k = 0; k < start.size(); ++k)
        EXPECT_NEAR(start[k], gpu_modes[k].mode == GpuMode::fast_half ? 32e6 : 16e6, 1) << gpu_modes[k].name;
}

// Those of a particle on a lattice, with some to spare, in a plane and in space.
TEST(GpuMemoryPlan, ListsHoldTheNeighboursOfALattice) {
    for (const bool two_d : {true, false})
        for (const double h : {0.9, 1.3, 1.8}) {
            sph::Constants c;
            c.two_d = two_d;
            c.dp = 0.01;
            c.h = h * c.dp;
            const double radius = 2 * h * (1 + widest_list_skin);
            int neighbours = -1; // but itself
            const int reach = int(radius) + 1;
            for (int z = -reach; z <= reach; ++z)
                for (int y = two_d ? 0 : -reach; y <= (two_d ? 0 : reach); ++y)
                    for (int x = -reach; x <= reach; ++x) neighbours += x * x + y * y + z * z <= radius * radius;
            const int capacity = list_capacity(c);
            EXPECT_EQ(capacity % 8, 0);
            EXPECT_GE(capacity, neighbours) << h;
            EXPECT_LE(capacity, 1.25 * neighbours + 24) << h;
        }
}

TEST(GpuMemoryPlan, CellsMustBeNumberedToo) {
    GpuMemoryRequest request = dam_break(141e9);
    request.setup.domain.max = {160, 6.7, 6.4}; // 1.8e9 cells 2h, eight times as many cells h
    request.neighbour_list = false;
    GpuMemoryPlan plan = plan_gpu_memory(request);
    EXPECT_EQ(plan.choice, GpuMode::slow_full);
    for (const GpuModePlan& mode : plan.modes) EXPECT_EQ(mode.fits, double(mode.cells) <= most_gpu_cells);
    request.setup.domain.max = {1e7, 1e7, 1e7};
    plan = plan_gpu_memory(request);
    EXPECT_FALSE(plan.choice);
    EXPECT_NE(plan.why.find("more than the GPU backend can number"), std::string::npos) << plan.why;
}

TEST(MemorySize, IsReadWithItsUnit) {
    EXPECT_EQ(parse_memory_size("141G"), 141e9);
    EXPECT_EQ(parse_memory_size("1.4GB"), 1.4e9);
    EXPECT_EQ(parse_memory_size("500M"), 500e6);
    EXPECT_EQ(parse_memory_size("2GiB"), 2147483648.0);
    EXPECT_EQ(parse_memory_size("12345"), 12345);
    EXPECT_EQ(parse_memory_size("3KiB"), 3072);
    EXPECT_EQ(parse_memory_size("3k"), 3000);
    EXPECT_EQ(parse_memory_size("0.5t"), 0.5e12);
    EXPECT_EQ(parse_memory_size("7b"), 7);
    for (const char* wrong : {"", "G", "-1G", "1X", "1 G", "nan", "inf", "0", "1GG", "1Gx", "1GiBB"})
        EXPECT_THROW(parse_memory_size(wrong), InputError) << wrong;
}
