// SPDX-License-Identifier: Apache-2.0
#include "cuda/shares/shares.h"

#include <algorithm>
#include <numeric>

namespace sluice::cuda {

namespace {

/// The row that holds a particle; all rows if there is none behind `number`.
std::uint32_t row_of(const std::vector<std::uint32_t>& row_first, std::uint32_t number) {
    const auto rows = static_cast<std::uint32_t>(row_first.size() - 1);
    if (number >= row_first.back()) return rows;
    return static_cast<std::uint32_t>(std::ranges::upper_bound(row_first, number) - row_first.begin() - 1);
}

/// Where each part begins, and the total.
std::vector<std::uint32_t> cuts_of(std::uint32_t total, const std::vector<double>& parts) {
    std::vector<std::uint32_t> cuts{0};
    double sum = 0;
    for (const double part : parts) {
        sum += part;
        const double number = std::clamp(double(total) * sum, double(cuts.back()), double(total));
        cuts.push_back(static_cast<std::uint32_t>(number));
    }
    cuts.back() = total;
    return cuts;
}

/// The interior of the `d`-th of so many shares, all else of which is known. Where a cut goes through a row, both sides
/// have particles in it, and the boundary there is the later one's.
Range interior_of(const Share& share, std::size_t d, std::size_t shares, const std::vector<std::uint32_t>& row_first,
                  std::uint32_t reach_rows) {
    const auto rows = static_cast<std::uint32_t>(row_first.size() - 1);
    const std::uint64_t first = d == 0 ? 0 : std::uint64_t(share.rows.begin) + 1 + reach_rows;
    const std::uint64_t end = d + 1 == shares ? rows : share.rows.end > reach_rows ? share.rows.end - reach_rows : 0;
    if (first >= end) return {share.own.begin, share.own.begin};
    Range inside = common_part({row_first[first], row_first[end]}, share.own);
    inside.begin += (share_grain - (inside.begin - share.own.begin) % share_grain) % share_grain;
    if (inside.end < share.own.end) inside.end -= (inside.end - share.own.begin) % share_grain;
    return inside.begin < inside.end ? inside : Range{share.own.begin, share.own.begin};
}

std::uint32_t sum_over(const std::vector<std::uint32_t>& counts, const Range& rows) {
    return std::accumulate(counts.begin() + rows.begin, counts.begin() + rows.end, std::uint32_t(0));
}

} // namespace

std::uint32_t rows_in_reach(std::uint32_t rows_along_y, const ReachInCells& reach, bool periodic_along_y) {
    const auto layers = static_cast<std::uint32_t>(reach.z), rows = static_cast<std::uint32_t>(reach.y);
    return layers * rows_along_y + rows + (periodic_along_y ? rows_along_y : 0);
}

std::vector<std::uint32_t> firsts_of(const std::vector<std::uint32_t>& counts) {
    std::vector<std::uint32_t> first(counts.size() + 1);
    std::inclusive_scan(counts.begin(), counts.end(), first.begin() + 1);
    return first;
}

std::vector<Share> cut_shares(const std::vector<std::uint32_t>& row_first, std::uint32_t reach_rows,
                              const std::vector<double>& parts) {
    const auto rows = static_cast<std::uint32_t>(row_first.size() - 1);
    const std::uint32_t total = row_first.back();
    std::vector<std::uint32_t> cuts = cuts_of(total, parts);
    for (std::uint32_t& cut : cuts)
        if (cut < total) cut -= cut % share_grain;
    std::vector<Share> shares(parts.size());
    for (std::size_t d = 0; d < parts.size(); ++d) {
        Share& share = shares[d];
        share.own = {cuts[d], cuts[d + 1]};
        share.rows.begin = d == 0 ? 0 : shares[d - 1].rows.end;
        share.rows.end = d + 1 == parts.size() ? rows : row_of(row_first, cuts[d + 1]);
        share.seen.begin = share.rows.begin - std::min(share.rows.begin, reach_rows);
        share.seen.end = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            std::uint64_t(share.rows.end) + 1 + reach_rows, rows)); // the last row may be shared with the next device
        share.held = {row_first[share.seen.begin], row_first[share.seen.end]};
        share.interior = interior_of(share, d, parts.size(), row_first, reach_rows);
    }
    return shares;
}

std::vector<Share> cut_rows(const std::vector<std::uint32_t>& row_first, const std::vector<double>& parts) {
    std::vector<Share> shares = cut_shares(row_first, 0, parts);
    for (Share& share : shares) {
        share.seen = share.rows;
        share.own = share.held = {row_first[share.rows.begin], row_first[share.rows.end]};
        share.interior = {share.own.begin, share.own.begin}; // no device has a halo yet
    }
    return shares;
}

SharePlaces places_of(const Share& share, std::uint32_t boundary_count) {
    SharePlaces places;
    places.fluid_first = boundary_count + share.held.begin % 8;
    places.own_first = places.fluid_first + (share.own.begin - share.held.begin);
    places.own_end = places.own_first + size_of(share.own);
    places.count = places.fluid_first + size_of(share.held);
    return places;
}

std::vector<double> balanced(const std::vector<double>& parts, const std::vector<double>& seconds) {
    const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / double(seconds.size());
    std::vector<double> next(parts.size());
    for (std::size_t d = 0; d < parts.size(); ++d) next[d] = parts[d] * std::clamp(mean / seconds[d], 0.8, 1.25);
    const double sum = std::accumulate(next.begin(), next.end(), 0.0);
    for (double& part : next) part /= sum;
    return next;
}

std::uint32_t ExchangePlan::received_before(std::size_t device) const {
    std::uint32_t sum = 0;
    for (std::size_t from = 0; from < device; ++from) sum += sent[from][device];
    return sum;
}

std::uint32_t ExchangePlan::received_behind(std::size_t device) const {
    std::uint32_t sum = 0;
    for (std::size_t from = device + 1; from < sent.size(); ++from) sum += sent[from][device];
    return sum;
}

ExchangePlan plan_exchange(const std::vector<std::vector<std::uint32_t>>& counts,
                           const std::vector<std::uint32_t>& newcomers, std::uint32_t reach_rows,
                           const std::vector<double>& parts) {
    std::vector<std::uint32_t> all(counts[0].size());
    const auto add = [&all](const std::vector<std::uint32_t>& more) {
        for (std::size_t r = 0; r < more.size(); ++r) all[r] += more[r];
    };
    for (const std::vector<std::uint32_t>& own : counts) add(own);
    add(newcomers);
    ExchangePlan plan{cut_shares(firsts_of(all), reach_rows, parts), {}, *std::ranges::max_element(all)};
    plan.sent.resize(counts.size());
    for (std::size_t from = 0; from < counts.size(); ++from)
        for (std::size_t to = 0; to < counts.size(); ++to)
            plan.sent[from].push_back(from == to ? 0 : sum_over(counts[from], plan.shares[to].seen));
    return plan;
}

} // namespace sluice::cuda
