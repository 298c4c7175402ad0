// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/views.h"
#include <cstdint>
#include <vector>

// How several devices share the particles of a run. All numbers here are of the host and need no device.
//
// The fluid of a run has one order, that of the cells, and each device steps a piece of it, cut where whole tiles of
// neighbour lists end. It holds that piece with all particles of the rows of cells that its own can see, so that its
// arrays are a contiguous piece of the order that one device would have, and all sums are in that order, too. Boundary
// particles are in the memory of every device, all in one order; each steps those of its rows.

namespace sluice::cuda {

/// Particles of a tile of neighbour lists: where one device ends and the next begins is a multiple of this.
inline constexpr std::uint32_t share_grain = 32;

inline Range common_part(const Range& a, const Range& b) {
    const std::uint32_t begin = a.begin > b.begin ? a.begin : b.begin, end = a.end < b.end ? a.end : b.end;
    return {begin, end > begin ? end : begin};
}

/// One device's share. Numbers of fluid particles count in the order of the whole run; rows are those of cells in their
/// linear order, y + ny·z.
struct Share {
    Range own{0, 0};  ///< fluid particles that the device steps
    Range rows{0, 0}; ///< rows whose boundary particles it steps
    Range seen{0, 0}; ///< rows whose particles it sees
    Range held{0, 0}; ///< fluid particles of those
    /// Whole tiles of its own that see nothing of what others step, be it fluid or boundary: a range within `own`.
    Range interior{0, 0};
};

/// Where a share lies in the arrays of its device.
struct SharePlaces {
    std::uint32_t fluid_first = 0; ///< slot of the first particle held
    std::uint32_t own_first = 0, own_end = 0, count = 0;
};

/// How far a device must see from what it steps, in cells.
struct ReachInCells {
    int y, z;
};
/// Rows on either side of a row that hold what is in that reach of it; with a period along y those at the other side,
/// too.
std::uint32_t rows_in_reach(std::uint32_t rows_along_y, const ReachInCells& reach, bool periodic_along_y);

/// first[r]: particles of rows below r; of counts by row.
std::vector<std::uint32_t> firsts_of(const std::vector<std::uint32_t>& counts);

/// Cuts the fluid: `row_first` as firsts_of(); `parts`: of each device, they sum up to 1.
std::vector<Share> cut_shares(const std::vector<std::uint32_t>& row_first, std::uint32_t reach_rows,
                              const std::vector<double>& parts);
/// The same in whole rows, which each device holds for itself alone: for particles that have no order yet.
std::vector<Share> cut_rows(const std::vector<std::uint32_t>& row_first, const std::vector<double>& parts);

/// Slots so chosen that a particle's slot and its number in the arrays of one device are the same modulo 8: the order
/// of the entries of neighbour lists depends on it.
SharePlaces places_of(const Share& share, std::uint32_t boundary_count);

/// Parts that make up for the time that each device took for its own; all times positive.
std::vector<double> balanced(const std::vector<double>& parts, const std::vector<double>& seconds);

/// What moves in an exchange.
struct ExchangePlan {
    std::vector<Share> shares;                    ///< afterwards
    std::vector<std::vector<std::uint32_t>> sent; ///< [from][to]: fluid particles; none to itself
    std::uint32_t fullest_row = 0;                ///< particles of the row that has most

    /// What a device receives of those before it, or behind it.
    std::uint32_t received_before(std::size_t device) const;
    std::uint32_t received_behind(std::size_t device) const;
};

/// `counts[d]`: particles of device d's own by the row that they are in now; `newcomers`: those that all devices have
/// already, by row, or empty.
ExchangePlan plan_exchange(const std::vector<std::vector<std::uint32_t>>& counts,
                           const std::vector<std::uint32_t>& newcomers, std::uint32_t reach_rows,
                           const std::vector<double>& parts);

} // namespace sluice::cuda
