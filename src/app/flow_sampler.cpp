// SPDX-License-Identifier: Apache-2.0
#include "app/flow_sampler.h"

#include "app/samplers.h"
#include "core/error.h"
#include <fmt/format.h>
#include <type_traits>

namespace sluice {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> flow_columns() {
    std::vector<std::string> names;
    const LedgerEntry none;
    for_each_figure(none, [&](const std::string& name, const auto&) { names.emplace_back(name); });
    return names;
}

LedgerEntry entry_of(const std::vector<std::string>& row) {
    LedgerEntry entry;
    auto cell = row.begin();
    for_each_figure(entry, [&](const std::string&, auto& figure) {
        figure = static_cast<std::remove_reference_t<decltype(figure)>>(csv_number(*cell++));
    });
    return entry;
}

/// Brings the books to where an earlier part of the run left them.
void go_on(Ledger& ledger, const fs::path& folder) {
    const CsvTable flow = read_csv(folder / "flow.csv");
    if (!flow.columns.empty() && flow.columns != flow_columns())
        throw InputError(fmt::format("{}: has other columns than this version writes: resume the run with the version "
                                     "that began it, or run the case anew",
                                     (folder / "flow.csv").string()));
    if (!flow.rows.empty()) ledger.resume(entry_of(flow.rows.front()), entry_of(flow.rows.back()));
    ledger.add_excluded(read_excluded(folder));
}

/// The ledger is to read the table before it is opened for more rows.
const fs::path& after(const fs::path& folder, Ledger& ledger, bool append) {
    if (append) go_on(ledger, folder);
    return folder;
}

} // namespace

FlowSampler::FlowSampler(const fs::path& folder, const RunSetup& setup, const SampleClock& clock, bool append)
    : Sampler(clock), ledger_(setup),
      csv_(after(folder, ledger_, append) / "flow.csv", flow_columns(),
           {"The fluid as a whole: x_front and z_max are the largest coordinates of a fluid particle, sums are over",
            "the fluid particles: kinetic energy m v^2/2, potential -m g.r, internal m e(rho) with e the integral of",
            "P/rho^2 from rho0. dissipated = (total at the start) + all columns _work + inflow - outflow - excluded -",
            "total, of the total of kinetic, internal, potential, body and wall energy.",
            "Where a periodic side leads up or down, gravity_work counts in place of the potential. In 2-D per metre."},
           append) {}

void FlowSampler::sample(const Frame& frame) {
    const LedgerEntry entry = ledger_.enter(frame);
    std::vector<CsvValue> row;
    for_each_figure(entry, [&](const std::string&, const auto& figure) {
        if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(figure)>>)
            row.emplace_back(std::int64_t(figure));
        else
            row.emplace_back(figure);
    });
    csv_.write_row(row);
}

std::optional<LedgerSummary> FlowSampler::summary() const {
    const auto first = ledger_.first(), last = ledger_.last();
    if (!first || !last) return std::nullopt;
    return LedgerSummary{*first, *last, ledger_.also_held()};
}

} // namespace sluice
