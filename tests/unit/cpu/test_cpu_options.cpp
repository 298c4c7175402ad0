// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "core/cell_grid.h"
#include "core/error.h"
#include "cpu/backend/cpu_backend.h"
#include "cpu/backend/cpu_options.h"
#include "cpu/particles/processor.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <omp.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sstream>
#include <string>

using namespace sluice;

namespace {

/// The message of the InputError that the options lead to; "" if they are fine.
std::string objection(const CpuOptions& options, double gamma = 7) {
    sph::Constants constants;
    constants.gamma = gamma;
    try {
        cpu::choose(options, constants, 1000);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

CpuOptions with_simd(const std::string& name) {
    CpuOptions options;
    options.simd = name;
    return options;
}

} // namespace

TEST(CpuOptions, UnknownInstructionSetIsNamedWithTheKnownOnes) {
    const std::string message = objection(with_simd("avx9"));
    EXPECT_NE(message.find("avx9"), std::string::npos) << message;
    EXPECT_NE(message.find("off"), std::string::npos) << message;
}

TEST(CpuOptions, NegativeThreadsAreRefused) {
    CpuOptions options;
    options.threads = -2;
    EXPECT_NE(objection(options).find("-2"), std::string::npos);
}

TEST(CpuOptions, LevelsThatTheProcessorLacksAreRefused) {
    for (const SimdLevel& level : simd_levels())
        EXPECT_EQ(objection(with_simd(level.name)).empty(), level.available) << level.name;
}

TEST(CpuOptions, OtherExponentsThanSevenRunWithoutVectors) {
    for (const SimdLevel& level : simd_levels())
        EXPECT_EQ(objection(with_simd(level.name), 6.5).empty(), level.name == "off") << level.name;
    sph::Constants constants;
    constants.gamma = 6.5;
    EXPECT_EQ(cpu::choose({}, constants, 1000).simd, "off");
}

TEST(CpuOptions, TheModeFollowsTheParticlesThatAThreadGets) {
    const sph::Constants constants;
    CpuOptions options;
    options.threads = 1;
    EXPECT_EQ(cpu::choose(options, constants, 500).mode, CpuMode::symmetric);
    const auto mode = [&](int threads, std::uint32_t particles) {
        options.threads = threads;
        return cpu::choose(options, constants, particles).mode;
    };
    EXPECT_EQ(mode(2, 10000), CpuMode::asymmetric);
    EXPECT_EQ(mode(2, 20000), CpuMode::symmetric);
    EXPECT_EQ(mode(16, 100000), CpuMode::asymmetric);
    EXPECT_EQ(mode(16, 170000), CpuMode::symmetric);
    EXPECT_EQ(mode(64, 10000), CpuMode::asymmetric);
    EXPECT_EQ(mode(64, 10000000), CpuMode::symmetric);
    options.mode = CpuMode::slices;
    EXPECT_EQ(cpu::choose(options, constants, 10000).mode, CpuMode::slices);
}

// As many threads as pay are found while a run goes on, unless somebody has said how many there are to be.
TEST(CpuOptions, AThreadNumberThatIsSaidIsKept) {
    const sph::Constants constants;
    const char* const said = std::getenv("OMP_NUM_THREADS");
    const std::string before = said ? said : "";
    ::unsetenv("OMP_NUM_THREADS");
    CpuOptions options;
    options.mode = CpuMode::asymmetric;
    EXPECT_TRUE(cpu::choose(options, constants, 1000).threads_as_pay);
    EXPECT_EQ(cpu::choose(options, constants, 1000).threads, default_threads());
    ::setenv("OMP_NUM_THREADS", "3", 1);
    EXPECT_FALSE(cpu::choose(options, constants, 1000).threads_as_pay);
    EXPECT_EQ(default_threads(), omp_get_max_threads());
    ::unsetenv("OMP_NUM_THREADS");
    options.mode = CpuMode::slices; // whose sums are those of their number
    EXPECT_FALSE(cpu::choose(options, constants, 1000).threads_as_pay);
    options.mode = CpuMode::symmetric;
    options.threads = 2;
    EXPECT_FALSE(cpu::choose(options, constants, 1000).threads_as_pay);
    EXPECT_EQ(cpu::choose(options, constants, 1000).threads, 2);
    if (said) ::setenv("OMP_NUM_THREADS", before.c_str(), 1);
}

TEST(CpuOptions, OfOneThreadItIsNotSaidThatThereMayBeFewer) {
    const auto before = spdlog::default_logger();
    std::ostringstream said;
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(said)));
    spdlog::set_pattern("%v");
    cpu::Choice choice;
    choice.mode = CpuMode::asymmetric;
    choice.threads_as_pay = true;
    for (const int threads : {1, 4}) {
        choice.threads = threads;
        cpu::log_choice({}, choice, sph::Constants(), 1000);
    }
    spdlog::set_default_logger(before);
    EXPECT_TRUE(said.str().starts_with("CPU: 1 thread on ")) << said.str();
    EXPECT_NE(said.str().find("\nCPU: up to 4 threads on "), std::string::npos) << said.str();
}

TEST(CpuOptions, ASliceAxisNeedsSlices) {
    CpuOptions options;
    options.mode = CpuMode::symmetric;
    options.slice_axis = SliceAxis::y;
    EXPECT_NE(objection(options).find("symmetric"), std::string::npos);
    options.mode = CpuMode::slices;
    EXPECT_EQ(objection(options), "");
}

TEST(CpuOptions, SlicesFollowOneAnotherAlongTheirAxis) {
    const auto cloud = clouds::make_cloud({}, {9, 8, 7});
    for (const auto& axis : slice_axes) {
        CpuOptions options;
        options.mode = CpuMode::slices;
        options.cells = CellSize::two_h;
        options.slice_axis = axis.mode;
        options.threads = 2;
        const auto backend = make_cpu_backend(cloud.setup, std::uint32_t(cloud.state.size()), options);
        backend->set_state(cloud.state);
        const ParticleState state = backend->state();
        int last = 0;
        for (std::size_t i = cloud.setup.groups.boundary_count(); i < state.size(); ++i) {
            const int layer = int(state.position[i][int(axis.mode)] / (2 * cloud.setup.constants.h));
            ASSERT_GE(layer, last) << axis.name;
            last = layer;
        }
        EXPECT_GT(last, 1) << axis.name;
    }
}

TEST(CpuOptions, InfoSaysWhatRuns) {
    const auto cloud = clouds::make_cloud({}, {6, 5, 4});
    CpuOptions options;
    options.mode = CpuMode::slices;
    options.cells = CellSize::two_h;
    options.simd = "off";
    options.threads = 3;
    const BackendInfo info = make_cpu_backend(cloud.setup, std::uint32_t(cloud.state.size()), options)->info();
    EXPECT_EQ(info.backend, "cpu");
    EXPECT_EQ(info.mode, "slices");
    EXPECT_EQ(info.cells, "2h");
    EXPECT_EQ(info.simd, "off");
    EXPECT_EQ(info.threads, 3);
}

TEST(CpuMemory, ModelsAreCloseToWhatARunHolds) {
    const auto cloud = clouds::make_cloud({}, {40, 30, 30});
    for (const int threads : {1, 2}) {
        const auto models = cpu_memory_models(threads);
        EXPECT_EQ(models.size(), cpu_modes.size() * cell_sizes.size());
        for (const auto& cells : cell_sizes)
            for (const auto& mode : cpu_modes) {
                CpuOptions options;
                options.mode = mode.mode;
                options.cells = cells.mode;
                options.threads = threads;
                const auto backend = make_cpu_backend(cloud.setup, std::uint32_t(cloud.state.size()), options);
                backend->set_state(cloud.state);
                take_steps(*backend, 2);
                const std::string name = "cpu " + std::string(mode.name) + ", cells " + std::string(cells.name);
                const auto model =
                    std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.mode == name; });
                ASSERT_NE(model, models.end()) << name;
                const CellGrid grid = make_cell_grid(cloud.setup.domain.min, cloud.setup.domain.max,
                                                     cloud.setup.constants.h, model->cell_divisions);
                const double planned = model->total(cloud.state.size(), std::uint64_t(grid.size())),
                             held = double(backend->memory_bytes());
                EXPECT_NEAR(planned / held, 1, 0.15) << name << ": planned " << planned << ", held " << held;
            }
    }
}
