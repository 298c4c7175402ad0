// SPDX-License-Identifier: Apache-2.0
// Throughput of the CPU backend on a dam break like the one in cases/, without case files. No test: run it by hand.
//   bench_cpu [dp=0.0085] [mode=symmetric] [cells=h] [simd=auto] [threads=0] [steps=20] [kernel=cubic] [ddt=2] [warm=5]
#include "cpu/backend/cpu_backend.h"
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <spdlog/spdlog.h>

using namespace sluice;

namespace {

struct Bench {
    RunSetup setup;
    ParticleState state;
};

sph::Constants make_constants(double dp, sph::KernelType kernel, sph::DensityDiffusion diffusion) {
    sph::Constants c;
    c.kernel = kernel;
    c.diffusion = diffusion;
    c.dp = dp;
    c.h = sph::smoothing_length(1, dp, false);
    c.gravity = {0, 0, -9.81};
    c.c0 = 20 * std::sqrt(9.81 * 0.2975);
    c.alpha = 0.1;
    sph::derive(c);
    return c;
}

/// A column of water of 0.4 × 0.66 × 0.3 m in a box of 1.6 × 0.67 × 0.4 m with walls one particle thick.
Bench make_dam_break(double dp, sph::KernelType kernel, sph::DensityDiffusion diffusion) {
    Bench bench;
    sph::Constants& c = bench.setup.constants;
    c = make_constants(dp, kernel, diffusion);
    const sph::EquationOfState<double> eos(c);
    const auto add = [&](double x, double y, double z, float rho) {
        bench.state.id.push_back(static_cast<std::uint32_t>(bench.state.id.size()));
        bench.state.position.push_back({x, y, z});
        bench.state.density.push_back(rho);
    };
    const Vec3i box{int(1.598 / dp), int(0.6715 / dp), int(0.3995 / dp)}; // lattice points along each side, less one
    for (int x = 0; x <= box.x; ++x)
        for (int y = 0; y <= box.y; ++y)
            for (int z = 0; z <= box.z; ++z)
                if (x == 0 || x == box.x || y == 0 || y == box.y || z == 0) add(x * dp, y * dp, z * dp, 1000);
    const auto walls = static_cast<std::uint32_t>(bench.state.id.size());
    const Vec3i fluid{int(0.4 / dp), std::min(int(0.6635 / dp), box.y - 1), int(0.2985 / dp)};
    for (int z = 1; z <= fluid.z; ++z)
        for (int y = 1; y <= fluid.y; ++y)
            for (int x = 1; x <= fluid.x; ++x)
                add(x * dp, y * dp, z * dp, float(eos.density(1000 * 9.81 * (fluid.z - z + 0.5) * dp)));
    bench.setup.set_groups(ParticleGroups::of(walls, static_cast<std::uint32_t>(bench.state.id.size()) - walls));
    for (Vec3d& p : bench.state.position) p = p + Vec3d{0.001, 0.001, 0.001};
    bench.state.velocity.resize(bench.state.id.size());
    bench.state.velocity_previous = bench.state.velocity;
    bench.state.density_previous = bench.state.density;
    bench.setup.domain = {{0, 0, 0}, {1.602, 0.6755, 0.6}};
    return bench;
}

/// Time that the threads have run: unlike wall time, hardly longer on a busy machine.
double processor_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

const char* option(int argc, char** argv, const char* name, const char* otherwise) {
    const std::size_t length = std::strlen(name);
    for (int i = 1; i < argc; ++i)
        if (std::strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') return argv[i] + length + 1;
    return otherwise;
}

} // namespace

int main(int argc, char** argv) {
    spdlog::set_level(spdlog::level::warn);
    const double dp = std::atof(option(argc, argv, "dp", "0.0085"));
    const auto kernel = std::strcmp(option(argc, argv, "kernel", "cubic"), "cubic") == 0 ? sph::KernelType::cubic_spline
                                                                                         : sph::KernelType::wendland;
    const Bench bench = make_dam_break(dp, kernel, sph::DensityDiffusion(std::atoi(option(argc, argv, "ddt", "2"))));
    CpuOptions options;
    for (const auto& mode : cpu_modes)
        if (mode.option == option(argc, argv, "mode", "symmetric")) options.mode = mode.mode;
    options.cells = std::strcmp(option(argc, argv, "cells", "h"), "h") == 0 ? CellSize::h : CellSize::two_h;
    if (const char* simd = option(argc, argv, "simd", "auto"); std::strcmp(simd, "auto") != 0) options.simd = simd;
    options.threads = std::atoi(option(argc, argv, "threads", "0"));

    const auto backend = make_cpu_backend(bench.setup, static_cast<std::uint32_t>(bench.state.size()), options);
    backend->set_state(bench.state);
    const auto advance = [&](std::int64_t steps) { backend->advance({1e9, steps, 1e9}); };
    advance(std::atoi(option(argc, argv, "warm", "5")));
    std::vector<double> cells, pairs, update, total, processor;
    for (int n = std::atoi(option(argc, argv, "steps", "20")); n > 0; --n) {
        const PhaseSeconds before = backend->phase_seconds();
        const double start = processor_seconds();
        advance(1);
        processor.push_back(processor_seconds() - start);
        const PhaseSeconds after = backend->phase_seconds();
        cells.push_back(after.cell_list - before.cell_list);
        pairs.push_back(after.interaction - before.interaction);
        update.push_back(after.update - before.update);
        total.push_back(cells.back() + pairs.back() + update.back());
    }
    const auto milliseconds = [](std::vector<double> v, bool median) {
        std::sort(v.begin(), v.end());
        return 1e3 * (median ? v[v.size() / 2] : v.front());
    };
    const auto n = double(bench.state.size());
    const BackendInfo info = backend->info();
    std::printf(
        "%-10s cells %-2s %-3s %d threads %8.0f particles: cells %.2f pairs %.2f update %.2f step %.2f ms (least), "
        "%.2f ms (median), processor %.2f ms = %.3f M/s least, %.3f M/s median, %.3f M/s of processor time, other %.1f "
        "%%\n",
        info.mode.c_str(), info.cells.c_str(), info.simd.c_str(), info.threads, n, milliseconds(cells, false),
        milliseconds(pairs, false), milliseconds(update, false), milliseconds(total, false), milliseconds(total, true),
        milliseconds(processor, false), n / milliseconds(total, false) / 1e3, n / milliseconds(total, true) / 1e3,
        n / milliseconds(processor, false) / 1e3,
        100 * (milliseconds(cells, false) + milliseconds(update, false)) / milliseconds(total, false));
    return 0;
}
