// SPDX-License-Identifier: Apache-2.0
#include "app/backend_choice.h"
#include "core/error.h"
#include "cpu/particles/processor.h"
#include "model/derive.h"
#include "ranks/thread_transport.h"
#include <algorithm>
#include <gtest/gtest.h>
#if SLUICE_HAVE_CUDA
#include "cuda/backend/cuda_backend.h"
#endif

// Where a run is computed, by what is asked for and by what is there.

using namespace sluice;

namespace {

bool has_gpu() {
#if SLUICE_HAVE_CUDA
    return count_gpus() > 0;
#else
    return false;
#endif
}

/// "CPU" or "GPU", or the beginning of what is said against it.
template <class Change>
std::string choice_of(Change change) {
    BackendOptions options;
    change(options);
    try {
        return settled_kind(options, {}) == BackendKind::cuda ? "GPU" : "CPU";
    } catch (const InputError& error) {
        const std::string what = error.what();
        return what.substr(0, what.find(": "));
    } catch (const RunError& error) {
        const std::string what = error.what();
        EXPECT_TRUE(what.ends_with("); --backend cpu would run")) << what;
        return what.substr(0, what.find(" ("));
    }
}

using Options = BackendOptions;

/// What becomes of an option that asks for a GPU on this machine.
std::string gpu_by(const char* option) {
    return has_gpu() ? std::string("GPU") : std::string(option) + ": no GPU can be used";
}

} // namespace

TEST(BackendChoice, WhatIsOfTheCpuAloneAsksForIt) {
    EXPECT_EQ(choice_of([](Options& o) { o.kind = BackendKind::cpu; }), "CPU");
    EXPECT_EQ(choice_of([](Options& o) { o.cpu_mode = CpuMode::slices; }), "CPU");
    EXPECT_EQ(choice_of([](Options& o) { o.cells = CellSize::h; }), "CPU");
    EXPECT_EQ(choice_of([](Options& o) { o.slice_axis = SliceAxis::x; }), "CPU");
    EXPECT_EQ(choice_of([](Options& o) { o.simd = "off"; }), "CPU");
    EXPECT_EQ(choice_of([](Options& o) { o.ranks = 2; }), "CPU");
    EXPECT_EQ(choice_of([](Options& o) { o.split = cpu::parse_split("grid:2x1"); }), "CPU");
    const std::string any = has_gpu() ? "GPU" : "CPU";
    EXPECT_EQ(choice_of([](Options&) {}), any);
    EXPECT_EQ(choice_of([](Options& o) { o.split = cpu::parse_split("auto"); }), any);
}

TEST(BackendChoice, WhatIsOfGpusNeedsOne) {
    EXPECT_EQ(choice_of([](Options& o) { o.kind = BackendKind::cuda; }), gpu_by("--backend cuda"));
    EXPECT_EQ(choice_of([](Options& o) { o.gpu_mode = GpuMode{}; }), gpu_by("--gpu-mode"));
    EXPECT_EQ(choice_of([](Options& o) { o.neighbour_list = false; }), gpu_by("--neighbour-list"));
    EXPECT_EQ(choice_of([](Options& o) { o.gpus = 1; }), gpu_by("--gpus"));
}

TEST(BackendChoice, SeveralProcessesTakeGpusWhereTheyAreAskedTo) {
    const std::vector<std::unique_ptr<Transport>> ranks = make_thread_transports(2);
    EXPECT_EQ(choice_of([&](Options& o) {
                  o.processes = ranks[0].get();
                  o.kind = BackendKind::cuda;
              }),
              gpu_by("--backend cuda"));
    EXPECT_EQ(choice_of([&](Options& o) {
                  o.processes = ranks[0].get();
                  o.gpus = 2;
              }),
              gpu_by("--gpus"));
    EXPECT_EQ(choice_of([&](Options& o) { o.processes = ranks[0].get(); }), "CPU");
}

TEST(BackendChoice, BothAtOnceAreRefused) {
    const std::string for_cpu =
        "--cpu-mode, --cells, --slice-axis, --simd, --ranks and --split are for the CPU and this "
        "run asks for a GPU";
    EXPECT_EQ(choice_of([](Options& o) {
                  o.kind = BackendKind::cuda;
                  o.simd = "off";
              }),
              for_cpu);
    EXPECT_EQ(choice_of([](Options& o) {
                  o.gpu_mode = GpuMode{};
                  o.ranks = 2;
              }),
              for_cpu);
    const std::string for_gpu = "--gpu-mode, --neighbour-list and --gpus are for GPUs and this run asks for the CPU";
    EXPECT_EQ(choice_of([](Options& o) {
                  o.kind = BackendKind::cpu;
                  o.neighbour_list = true;
              }),
              for_gpu);
    EXPECT_EQ(choice_of([](Options& o) {
                  o.kind = BackendKind::cpu;
                  o.gpus = as_many_gpus_as_pay;
              }),
              for_gpu);
}

// What is to be measured here of a run elsewhere is measured on what is here.
TEST(BackendChoice, WithoutAGpuItsOptionsAreLeftOut) {
    BackendOptions options;
    options.gpu_mode = GpuMode{};
    options.neighbour_list = true;
    options.gpus = 2;
    options.threads = 3;
    const BackendOptions here = as_far_as_here(options);
    EXPECT_EQ(here.gpu_mode.has_value(), has_gpu());
    EXPECT_EQ(here.neighbour_list.has_value(), has_gpu());
    EXPECT_EQ(here.gpus.has_value(), has_gpu());
    EXPECT_EQ(here.threads, 3);
    EXPECT_EQ(settled_kind(here, {}), has_gpu() ? BackendKind::cuda : BackendKind::cpu);
}

TEST(BackendChoice, WhatGpusDoNotComputeRunsOnTheCpuUnlessAGpuIsAskedFor) {
    RunSetup setup;
    EXPECT_EQ(missing_on_gpus(setup), "");
    setup.bodies.resize(1);
    setup.collisions.colliders.resize(2);
    setup.moorings.lines.resize(1);
    EXPECT_EQ(missing_on_gpus(setup), "");
    setup.bodies.clear();
    EXPECT_EQ(missing_on_gpus(setup), "the lines of <moorings> without floating bodies");
    EXPECT_EQ(settled_kind({}, setup), BackendKind::cpu);
    setup.moorings = {};
    setup.rheologies.resize(1);
    setup.fluids.resize(2);
    EXPECT_EQ(missing_on_gpus(setup), "");
    setup.fluids[1].tension = 0.07;
    EXPECT_EQ(missing_on_gpus(setup), "fluids with surface tension (surfcoef)");
    EXPECT_EQ(settled_kind({}, setup), BackendKind::cpu);
    setup.fluids = {};
    setup.flexible.all.resize(1);
    EXPECT_EQ(missing_on_gpus(setup), "the flexible structures of <flexstrucs>");
    EXPECT_EQ(settled_kind({}, setup), BackendKind::cpu);
}

TEST(BackendChoice, OtherMethodsTakeAGpuWhereThereIsOne) {
    for (const Method method : {Method::mps, Method::fvpm}) {
        RunSetup setup;
        setup.method = method;
        EXPECT_EQ(settled_kind({}, setup), has_gpu() ? BackendKind::cuda : BackendKind::cpu);
        BackendOptions options;
        options.kind = BackendKind::cuda;
        if (has_gpu())
            EXPECT_EQ(settled_kind(options, setup), BackendKind::cuda);
        else
            EXPECT_THROW(settled_kind(options, setup), RunError);
    }
}

TEST(BackendChoice, SmallRunsOfOtherMethodsTakeFewerThreads) {
    if (openmp_says_threads()) GTEST_SKIP() << "OMP_NUM_THREADS says how many";
    for (const Method method : {Method::mps, Method::fvpm}) {
        RunSetup setup;
        setup.method = method;
        setup.constants.dp = 0.1;
        setup.constants.h = 0.105;
        sph::derive(setup.constants);
        BackendOptions options;
        const auto threads = [&](std::uint32_t particles) {
            return make_backend(setup, particles, options)->info().threads;
        };
        EXPECT_EQ(threads(0), 1);
        EXPECT_EQ(threads(511), 1);
        EXPECT_EQ(threads(512), std::min(2, default_threads()));
        EXPECT_EQ(threads(10'000'000), default_threads());
        options.threads = 3;
        EXPECT_EQ(threads(511), 3);
    }
}
