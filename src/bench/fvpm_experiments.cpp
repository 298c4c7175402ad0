// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"
#include "bench/paper_numbers.h"
#include "bench/timing.h"
#include "bench/variants.h"
#include "core/numbers.h"
#include "methods/fvpm/cpu_passes.h"
#include "methods/fvpm/solver.h"
#include "methods/fvpm/step.h"
#if SLUICE_HAVE_CUDA
#include "cuda/fvpm/gpu_solver.h"
#include "cuda/fvpm/gradient_ladder.h"
#endif
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <random>

// The finite volume particle method beside Alimirzazadeh et al. (2018): Table I and Figs 7 to 9.

namespace sluice::bench {

namespace {

using fvpm::Particles;

double seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The paper's particles for its measurements: a cube of a lattice, each moved by up to 0.1 h per axis; h is the
/// spacing.
Particles noisy_cube(std::uint64_t about) {
    const int n = std::max(2, static_cast<int>(std::lround(std::cbrt(double(about)))));
    constexpr double dp = 0.01;
    std::mt19937 random(20180301);
    std::uniform_real_distribution<double> shift(-0.1 * dp, 0.1 * dp);
    Particles p;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                const double dx = shift(random), dy = shift(random), dz = shift(random);
                p.position.push_back({x * dp + dx, y * dp + dy, z * dp + dz});
            }
    p.velocity.assign(p.size(), {});
    p.radius.assign(p.size(), dp);
    p.volume.assign(p.size(), dp * dp * dp);
    p.mass.assign(p.size(), 1000 * dp * dp * dp);
    p.kind.assign(p.size(), fvpm::Kind::fluid);
    for (std::size_t i = 0; i < p.size(); ++i) p.id.push_back(static_cast<std::uint32_t>(i));
    return p;
}

FvpmConstants bench_constants() {
    FvpmConstants c;
    c.sound_speed = 100;
    return c;
}

/// What a solver took for its steps.
struct FvpmTiming {
    std::string version;
    std::size_t particles = 0;
    double step = 0; ///< s, the median
    fvpm::PartSeconds parts;

    double throughput() const { return double(particles) / step; }
};

/// Steps for about `budget` seconds, three at least, after one that does not count.
FvpmTiming time_solver(const std::string& version, fvpm::Solver& solver, const Particles& particles, double budget) {
    solver.set_particles(particles);
    solver.advance(1e9, 1);
    FvpmTiming timing{version, particles.size(), 0, {}};
    const fvpm::PartSeconds before = solver.part_seconds();
    std::vector<double> steps;
    for (double spent = 0; steps.size() < 3 || (spent < budget && steps.size() < 100);) {
        steps.push_back(seconds_of([&] { solver.advance(1e9, 1); }));
        spent += steps.back();
    }
    const fvpm::PartSeconds after = solver.part_seconds();
    timing.parts = {after.search - before.search, after.vectors - before.vectors, after.fluxes - before.fluxes};
    timing.step = median(steps);
    return timing;
}

ResultTable throughput_table(const std::vector<FvpmTiming>& timings) {
    ResultTable table{"Steps of the finite volume particle method",
                      "measured",
                      {"version", "particles", "ms a step", "particle-steps/s", "search, %", "vectors, %", "fluxes, %"},
                      {}};
    for (const FvpmTiming& t : timings) {
        const double all = (t.parts.search + t.parts.vectors + t.parts.fluxes) / 100;
        table.rows.push_back({t.version, std::to_string(t.particles), fmt::format("{:.3g}", 1e3 * t.step),
                              short_number(t.throughput()), fmt::format("{:.1f}", t.parts.search / all),
                              fmt::format("{:.1f}", t.parts.vectors / all),
                              fmt::format("{:.1f}", t.parts.fluxes / all)});
    }
    return table;
}

/// Throughput of each version against the number of particles, as Fig. 9.
Chart throughput_chart(const std::vector<FvpmTiming>& timings) {
    Chart chart;
    chart.title = "Throughput of the finite volume particle method";
    chart.x_label = "particles";
    chart.y_label = "particle-steps per second";
    chart.log_x = chart.log_y = true;
    for (const FvpmTiming& t : timings) {
        auto series = std::find_if(chart.series.begin(), chart.series.end(),
                                   [&](const ChartSeries& s) { return s.name == t.version; });
        if (series == chart.series.end()) {
            series = chart.series.emplace(series);
            series->name = t.version;
        }
        series->x.push_back(double(t.particles));
        series->y.push_back(t.throughput());
    }
    return chart;
}

/// Speed-ups over the first version at each size, as Fig. 8.
ResultTable fvpm_speedups(const std::vector<FvpmTiming>& timings) {
    ResultTable table{"Speed-up over all threads of the CPU", "measured", {"version", "particles", "speed-up"}, {}};
    for (const FvpmTiming& t : timings)
        for (const FvpmTiming& cpu : timings)
            if (cpu.version == timings.front().version && cpu.particles == t.particles && &cpu != &t)
                table.rows.push_back(
                    {t.version, std::to_string(t.particles), fmt::format("{:.2f}", cpu.step / t.step)});
    return table;
}

/// Cells beside the octree, on even and on uneven radii.
ResultTable search_table(std::uint64_t about) {
    ResultTable table{
        "Search on the CPU: order and rows", "measured", {"radii", "particles", "search", "ms", "neighbours"}, {}};
    Particles even = noisy_cube(about), uneven = even;
    for (std::size_t i = 0; i < uneven.size(); ++i) uneven.radius[i] *= i % 2000 == 0 ? 2.5 : 0.6;
    for (const auto& [radii, particles] :
         {std::pair<const char*, const Particles*>{"even", &even}, {"0.6 to 2.5 spacings", &uneven}})
        for (const bool octree : {false, true}) {
            const std::unique_ptr<fvpm::NeighbourSearch> search =
                octree ? fvpm::make_octree_search() : fvpm::make_cell_search();
            fvpm::NeighbourRows rows;
            std::vector<double> times;
            for (int n = 0; n < 3; ++n)
                times.push_back(
                    seconds_of([&] { search->find(reordered(*particles, search->order(*particles)), rows); }));
            table.rows.push_back({radii, std::to_string(particles->size()), search->name(),
                                  fmt::format("{:.3g}", 1e3 * median(times)),
                                  fmt::format("{:.1f}", double(rows.neighbour.size()) / double(particles->size()))});
        }
    return table;
}

} // namespace

ExperimentResult fvpm_speedup(const Plan& plan) {
    ExperimentResult result;
    std::string why;
    const bool gpu = gpu_present(&why);
    const std::vector<std::uint64_t> sizes = sizes_of(
        plan, gpu ? std::vector<std::uint64_t>{100000, 330000, 1000000, 4000000} : std::vector<std::uint64_t>{30000});
    const double budget = plan.budget / double(4 * sizes.size());
    std::vector<FvpmTiming> timings;
    for (const std::uint64_t size : sizes) {
        const Particles particles = noisy_cube(size);
        plan.tell(fmt::format("  {} particles", particles.size()));
        timings.push_back(
            time_solver("CPU, all threads", *fvpm::make_cpu_solver(bench_constants()), particles, budget));
#if SLUICE_HAVE_CUDA
        if (gpu)
            timings.push_back(
                time_solver(gpu_name(), *cuda::make_fvpm_solver(bench_constants()), particles, budget / 4));
#endif
    }
    if (!gpu) result.estimated.push_back("No GPU here, so the CPU stands alone (" + why + ").");
    result.charts.push_back(throughput_chart(timings));
    result.tables.push_back(throughput_table(timings));
    if (gpu) result.tables.push_back(fvpm_speedups(timings));
    result.tables.push_back(search_table(sizes.front()));
    result.measured.push_back(
        "A cube of particles with shifts of up to 0.1 h, h the spacing, as in the paper; the median of single steps. "
        "A step finds neighbours and interaction vectors once, and gradients and fluxes twice.");
    return result;
}

ExperimentResult fvpm_ladder(const Plan& plan) {
    ExperimentResult result;
#if SLUICE_HAVE_CUDA
    const std::uint64_t size = sizes_of(plan, {330000}).front();
    fvpm::CpuPasses passes(bench_constants(), {});
    passes.set_particles(noisy_cube(size));
    take_step(passes, 1e9);
    const fvpm::NeighbourRows& rows = passes.rows();
    const std::size_t count = passes.particles().size();
    std::vector<Vec3d> delta(rows.neighbour.size());
    for (std::size_t e = 0; e < delta.size(); ++e) delta[e] = passes.vectors()[e] - passes.vectors()[rows.mate[e]];
    std::vector<double> pressure(count);
    for (std::size_t i = 0; i < count; ++i) pressure[i] = 1000 + 10 * std::sin(0.01 * double(i % 1000));
    const std::vector<cuda::GradientLevel> levels =
        cuda::run_gradient_ladder({rows.first, rows.neighbour, delta, pressure, passes.particles().volume}, 20);
    const double bandwidth = cuda::measure_copy_bandwidth(std::size_t(1) << 29, 10);

    ResultTable table{
        fmt::format("Volume gradient of the pressure, {} particles", count),
        "measured",
        {"level", "technique", "ms", "over the level before", "the paper's", "of a copy's bandwidth, %", "difference"},
        {}};
    Chart chart;
    chart.kind = ChartKind::bars;
    chart.title = "Levels of the volume gradient's kernel";
    chart.y_label = "speed-up over level 0";
    ChartSeries ours, theirs;
    ours.name = gpu_name();
    theirs.name = "Tesla K40 (paper)";
    theirs.dashed = true;
    const std::vector<std::string> names{"0", "1", "2", "3", "4"};
    const auto published = [&](std::size_t n) {
        return n < names.size() ? paper_number("fvpm-ladder", "ms", "level " + names[n] + ", Tesla K40", 330000)
                                : std::nan("");
    };
    for (std::size_t n = 0; n < levels.size(); ++n) {
        double largest = 0, off = 0; // from level 0
        for (std::size_t i = 0; i < count; ++i) {
            largest = std::max(largest, norm(levels[0].gradients[i]));
            off = std::max(off, norm(levels[n].gradients[i] - levels[0].gradients[i]));
        }
        const bool in_paper = n > 0 && n < names.size();
        table.rows.push_back({n < names.size() ? names[n] : "–", levels[n].name,
                              fmt::format("{:.4f}", 1e3 * levels[n].seconds),
                              n > 0 ? fmt::format("{:.2f}", levels[n - 1].seconds / levels[n].seconds) : "–",
                              in_paper ? fmt::format("{:.2f}", published(n - 1) / published(n)) : "–",
                              fmt::format("{:.1f}", 100 * levels[n].bytes / levels[n].seconds / bandwidth),
                              fmt::format("{:.0e}", off / largest)});
        chart.categories.push_back(n < names.size() ? names[n] : "ours");
        ours.y.push_back(levels[0].seconds / levels[n].seconds);
        theirs.y.push_back(published(0) / published(n));
    }
    chart.series = {ours, theirs};
    result.charts.push_back(chart);
    result.tables.push_back(table);
    result.measured.push_back(fmt::format(
        "The least of 20 calls each. A copy on the device moves {} a second. Bytes of a level are what it must "
        "read and write at least.",
        bytes_text(bandwidth)));
#else
    static_cast<void>(plan);
#endif
    return result;
}

} // namespace sluice::bench
