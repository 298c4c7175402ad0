// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"
#include "bench/mps/operator_timing.h"
#include "bench/mps/operator_variants.h"
#include "bench/paper_numbers.h"
#include "bench/timing.h"
#include "core/numbers.h"
#include "methods/mps/normalisation.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice::bench {

namespace {

using namespace mps;

const char* shape_name(DomainShape shape) { return shape == DomainShape::sphere ? "sphere" : "cube"; }

/// What the paper prints; "–": nothing.
std::string paper_count(const char* quantity, DomainShape shape, int divisions, int side) {
    if (side != paper_side) return "–";
    const double value =
        paper_number("mps-search", quantity, fmt::format("{}, n_div {}", shape_name(shape), divisions), 226981);
    return std::isnan(value) ? "–" : fmt::format("{:.0f}", value);
}

/// Tables 1 and 2, for one width of buckets and one way to visit them.
void add_counts(ResultTable& table, Chart* chart, int side, double factor, Visit visit) {
    const ParticleLattice lattice(side);
    for (const DomainShape shape : {DomainShape::sphere, DomainShape::cube}) {
        ChartSeries ours{fmt::format("{}, here", shape_name(shape)), {}, {}, {}, {}, false, false, -1};
        ChartSeries paper{fmt::format("{}, Murotani et al.", shape_name(shape)), {}, {}, {}, {}, true, false, -1};
        for (const int divisions : {1, 2, 3}) {
            const ParticleSearch search(lattice.cloud(), {paper_radius, divisions, factor});
            const SearchCounts counts = count_pairs(search, visit, shape);
            const double ratio = 100 * double(counts.inside) / double(counts.candidates);
            table.rows.push_back({fmt::format("{}, n_div {}", shape_name(shape), divisions),
                                  visit == Visit::reached_runs ? "rows that the domain reaches" : "all rows",
                                  fmt::format("{}", factor), std::to_string(lattice.size()),
                                  std::to_string(counts.candidates), std::to_string(counts.inside),
                                  fmt::format("{:.1f}", ratio)});
            const bool of_paper = factor == 1 && visit == Visit::runs;
            for (const char* quantity : {"candidates", "particles inside", "inside over candidates, %"})
                table.rows.back().push_back(of_paper ? paper_count(quantity, shape, divisions, side) : "–");
            ours.y.push_back(ratio);
            paper.y.push_back(paper_number("mps-search", "inside over candidates, %",
                                           fmt::format("{}, n_div {}", shape_name(shape), divisions), 226981));
        }
        if (!chart) continue;
        chart->series.push_back(std::move(ours));
        chart->series.push_back(std::move(paper));
    }
}

/// What the structures of a search take.
ResultTable structure_table(int side, int repeats) {
    ResultTable table{"The structures of a search",
                      "measured",
                      {"n_div", "particles", "buckets", "sorting and forward star, ms", "linked list more, ms",
                       "forward star", "linked list"},
                      {}};
    const ParticleLattice lattice(side);
    for (const int divisions : {1, 2, 3}) {
        std::vector<double> sorting, linking;
        std::vector<std::string> row;
        for (int n = 0; n < repeats; ++n) {
            const double start = now();
            ParticleSearch search(lattice.cloud(), {paper_radius, divisions, 1});
            const double sorted = now();
            search.make_linked_list();
            sorting.push_back(1e3 * (sorted - start));
            linking.push_back(1e3 * (now() - sorted));
            row = {std::to_string(divisions),
                   std::to_string(lattice.size()),
                   std::to_string(search.grid().size()),
                   "",
                   "",
                   bytes_text(double(search.forward_star_bytes())),
                   bytes_text(double(search.linked_list_bytes()))};
        }
        row[3] = fmt::format("{:.2f}", median(sorting));
        row[4] = fmt::format("{:.2f}", median(linking));
        table.rows.push_back(std::move(row));
    }
    return table;
}

ResultTable lattice_table() {
    ResultTable table{"Sums over the neighbours in a full lattice, equations (6) and (7)",
                      "calculated",
                      {"domain", "radius, spacings", "neighbours", "n0", "λ0, squared spacings"},
                      {}};
    for (const double ratio : {2.1, 3.1})
        for (const DomainShape shape : {DomainShape::sphere, DomainShape::cube}) {
            const LatticeSums sums = lattice_sums(shape, ratio, 3);
            table.rows.push_back({shape_name(shape), fmt::format("{}", ratio), std::to_string(sums.neighbours),
                                  fmt::format("{:.10f}", sums.n0), fmt::format("{:.10f}", sums.lambda0)});
        }
    return table;
}

} // namespace

ExperimentResult mps_search(const Plan& plan) {
    ExperimentResult result;
    result.subject = "a cubic lattice of particles, radius 3.1 spacings";
    ResultTable counts{"Candidates and particles inside; each particle counts itself",
                       "counted, beside Murotani et al.",
                       {"domain", "visited", "c_b", "particles", "candidates", "inside", "%", "paper: candidates",
                        "paper: inside", "paper: %"},
                       {}};
    for (const int side : lattice_sides(plan)) {
        Chart chart;
        chart.kind = ChartKind::bars;
        chart.title = fmt::format("Particles inside over candidates, {}³ particles", side);
        chart.y_label = "per cent";
        chart.categories = {"n_div 1", "n_div 2", "n_div 3"};
        add_counts(counts, &chart, side, 1, Visit::runs);
        add_counts(counts, nullptr, side, 1.1, Visit::runs);
        add_counts(counts, nullptr, side, 1, Visit::reached_runs);
        result.charts.push_back(std::move(chart));
        result.tables.push_back(structure_table(side, plan.budget < 20 ? 3 : 15));
    }
    result.tables.insert(result.tables.begin(), std::move(counts));
    result.tables.push_back(lattice_table());
    result.measured.push_back(
        "Candidates are the particles of all buckets that a search visits. The paper's numbers follow with buckets as "
        "wide "
        "as the radius and a lattice that begins on the edge of a bucket, though the paper names c_b = 1.1, for which "
        "the "
        "counts stand here, too. Rows that the domain reaches leave out rows of buckets, and ends of rows, beyond it.");
    result.measured.push_back("Structures are made by one thread, but for the coordinates; medians.");
    return result;
}

} // namespace sluice::bench
