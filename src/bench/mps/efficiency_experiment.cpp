// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"
#include "bench/mps/device_variants.h"
#include "bench/mps/operation_counts.h"
#include "bench/mps/operator_timing.h"
#include "bench/mps/peak.h"
#include "bench/paper_numbers.h"
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace sluice::bench {

namespace {

using namespace mps;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Operations of the versions on the lattices, each counted once.
class LatticeOperations {
public:
    OperationCounts of(const OperatorVariant& variant, DifferentialOperator which, int side) {
        const auto key = std::tuple{side, variant.divisions, variant.visit == Visit::reached_runs, variant.shape};
        if (!counts_.contains(key)) {
            const ParticleLattice lattice(side);
            const ParticleSearch search(lattice.cloud(), {paper_radius, variant.divisions, 1});
            const Visit visit = variant.visit == Visit::reached_runs ? Visit::reached_runs : Visit::runs;
            counts_[key] = count_pairs(search, visit, variant.shape);
        }
        const SearchCounts& counts = counts_[key];
        return operations_of(which, variant.shape, std::int64_t(counts.candidates), std::int64_t(counts.inside));
    }

private:
    std::map<std::tuple<int, int, bool, DomainShape>, SearchCounts> counts_;
};

std::string per_cent(double part) { return std::isfinite(part) ? fmt::format("{:.1f}", part) : std::string("–"); }

/// The operations that the paper counted for a version, where it did.
double paper_operations(const OperatorVariant& variant, DifferentialOperator which, int side) {
    const bool counted_by_paper = side == paper_side && variant.shape == DomainShape::cube && variant.divisions == 3;
    if (!counted_by_paper || which != DifferentialOperator::lsmps) return not_known;
    return paper_number("mps-efficiency", "operations", "n_div 3, cube; LSMPS", 226981);
}

double paper_share(const std::string& version, DifferentialOperator which) {
    return paper_number("mps-efficiency", "share of peak, %", fmt::format("{}; {}", version, operator_name(which)),
                        226981);
}

/// Table 3: LSMPS in a cube with n_div 3.
ResultTable operations_table() {
    constexpr std::int64_t candidates = 76765625, inside = 71473375; // Table 2
    const OperationCounts ours = operations_of(DifferentialOperator::lsmps, DomainShape::cube, candidates, inside);
    ResultTable table{"Double-precision operations of LSMPS, n_div 3 and cube, 61³ particles",
                      "counted, beside Murotani et al. Table 3",
                      {"operations", "here", "here, for a particle inside", "paper", "paper, for a particle inside"},
                      {}};
    const auto add = [&](const char* name, const char* quantity, std::int64_t count) {
        const double paper = paper_number("mps-efficiency", quantity, "n_div 3, cube; LSMPS", 226981);
        table.rows.push_back({name, std::to_string(count), fmt::format("{:.1f}", double(count) / inside),
                              fmt::format("{:.0f}", paper), fmt::format("{:.1f}", paper / inside)});
    };
    add("total, a multiply-add is two", "operations", ours.total());
    add("additions", "additions", ours.additions);
    add("multiplications", "multiplications", ours.multiplications);
    add("multiply-adds", "multiply-adds", ours.fused);
    return table;
}

/// Operations of each operator for one particle inside.
ResultTable pair_table() {
    ResultTable table{
        "Operations for a particle inside, without its separation",
        "counted",
        {"operator", "domain", "additions", "multiplications", "multiply-adds", "square roots", "reciprocals"},
        {}};
    for (const DomainShape shape : {DomainShape::sphere, DomainShape::cube})
        for (const DifferentialOperator which : all_operators) {
            const OperationCounts n = operations_per_pair(which, shape);
            table.rows.push_back({operator_name(which), shape == DomainShape::sphere ? "sphere" : "cube",
                                  std::to_string(n.additions), std::to_string(n.multiplications),
                                  std::to_string(n.fused), std::to_string(n.roots), std::to_string(n.reciprocals)});
        }
    return table;
}

/// Figs 6a and 6b: what the kernels take of a multiprocessor.
ResultTable registers_table(const std::vector<KernelUse>& kernels) {
    ResultTable table{"Kernels on this GPU",
                      "as its driver says",
                      {"kernel", "registers a thread", "threads a block", "occupancy, %"},
                      {}};
    for (const KernelUse& k : kernels)
        table.rows.push_back(
            {k.name, std::to_string(k.registers), std::to_string(k.block), fmt::format("{:.0f}", 100 * k.occupancy)});
    return table;
}

/// Peaks of the devices, flop/s.
struct Peaks {
    double cpu = 0, gpu = 0;
    double of(const OperatorVariant& variant) const {
        const double peak = variant.gpu ? gpu : cpu;
        return peak > 0 ? peak : not_known;
    }
};

/// Fig. 6d and Fig. 7b: rows of the table, bars of the chart.
void add_shares(ResultTable& table, Chart& chart, const ExperimentResult& result,
                const std::vector<OperatorVariant>& variants, int side, const Peaks& peaks,
                LatticeOperations& operations) {
    for (const DifferentialOperator which : all_operators) {
        const int hue = static_cast<int>(chart.series.size() / 2);
        ChartSeries ours{operator_name(which), {}, {}, {}, {}, false, false, hue};
        ChartSeries paper{
            fmt::format("{}, Murotani et al. (K20)", operator_name(which)), {}, {}, {}, {}, true, false, hue};
        for (const OperatorVariant& variant : variants) {
            const Measurement* m = find_operator(result, variant, which, side);
            if (!m) continue;
            const double count = double(operations.of(variant, which, side).total());
            const double rate = count / m->seconds_per_step(), share = 100 * rate / peaks.of(variant);
            const double theirs = side == paper_side ? paper_share(variant.paper, which) : not_known;
            table.rows.push_back(
                {variant.name, operator_name(which), std::to_string(m->particles),
                 fmt::format("{:.3f}", 1e3 * m->seconds_per_step()), fmt::format("{:.3f}", 1e-9 * count),
                 fmt::format("{:.1f}", 1e-9 * rate), per_cent(share),
                 per_cent(100 * paper_operations(variant, which, side) / (m->seconds_per_step() * peaks.of(variant))),
                 per_cent(theirs)});
            ours.y.push_back(share);
            paper.y.push_back(theirs);
        }
        chart.series.push_back(std::move(ours));
        chart.series.push_back(std::move(paper));
    }
}

} // namespace

ExperimentResult mps_efficiency(const Plan& plan) {
    ExperimentResult result;
    result.subject = "a cubic lattice of particles, radius 3.1 spacings";
    const std::vector<OperatorVariant> variants = operator_variants();
    const Peaks peaks{measured_cpu_peak(variants.front().threads), gpu_peak()};
    measure_operators(variants, plan, result);
    LatticeOperations operations;
    ResultTable table{"Share of the peak in double precision",
                      "measured, beside Murotani et al.",
                      {"version", "operator", "particles", "ms", "Gflop", "Gflop/s", "% of peak",
                       "% by the paper's operations", "paper (K20), % of peak"},
                      {}};
    for (const int side : measured_sides(result)) {
        Chart chart;
        chart.kind = ChartKind::bars;
        chart.title = fmt::format("Share of the peak, {}³ particles", side);
        chart.y_label = "per cent";
        for (const OperatorVariant& variant : variants)
            if (find_operator(result, variant, DifferentialOperator::lsmps, side))
                chart.categories.push_back(variant.name);
        add_shares(table, chart, result, variants, side, peaks, operations);
        result.charts.push_back(std::move(chart));
    }
    result.tables.push_back(std::move(table));
    result.tables.push_back(operations_table());
    result.tables.push_back(pair_table());
    if (const std::vector<KernelUse> kernels = device_operator_kernels(); !kernels.empty())
        result.tables.push_back(registers_table(kernels));
    if (peaks.gpu > 0)
        result.estimated.push_back(fmt::format("The peak of the GPU, {:.1f} Tflop/s in double precision without tensor "
                                               "cores, follows from its multiprocessors and its highest clock. Its "
                                               "occupancy is what registers and blocks allow, the paper's is achieved.",
                                               1e-12 * peaks.gpu));
    result.measured.push_back(fmt::format(
        "The peak of the CPU is what {} threads reach with multiply-adds in registers, {:.1f} Gflop/s, measured before "
        "the "
        "operators. Operations are those of the formulas: three for the separation of each candidate, the rest for "
        "each "
        "particle inside, a multiply-add counts two, and roots and reciprocals none. Versions that compute neighbours "
        "outside with weight zero are not credited with them.",
        variants.front().threads, 1e-9 * peaks.cpu));
    return result;
}

} // namespace sluice::bench
