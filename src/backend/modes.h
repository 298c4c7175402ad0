// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The modes a run can take, as named objects: the command line, the help, the memory plan, the benches and the tests
// go through these tables.

namespace sluice {

/// Interaction modes of the CPU (Domínguez, Crespo & Gómez-Gesteira 2013, section 3).
enum class CpuMode { asymmetric, symmetric, slices };
/// Side of a cell: the support radius 2h, or half of it.
enum class CellSize { two_h, h };
/// Axis across which `slices` cuts the domain.
enum class SliceAxis { x, y, z };

/// Versions of the GPU interaction (Domínguez, Crespo & Gómez-Gesteira 2013, section 5), and neighbour lists kept over
/// several steps.
enum class GpuMode { neighbour_list, short_list, fast_half, slow_half, slow_full };

constexpr bool has_neighbour_lists(GpuMode mode) {
    return mode == GpuMode::neighbour_list || mode == GpuMode::short_list;
}

template <class Mode>
struct ModeInfo {
    Mode mode;
    std::string_view name;        ///< as logs and run.json show it
    std::string_view option;      ///< as the command line takes it
    std::string_view description; ///< one line
};

inline constexpr std::array<ModeInfo<CpuMode>, 3> cpu_modes{{
    {CpuMode::asymmetric, "asymmetric", "asymmetric",
     "every particle gathers from all its neighbours; bitwise the same for any number of threads"},
    {CpuMode::symmetric, "symmetric", "symmetric",
     "every pair once, both sides written at once; tiles of cells that share particles take turns; bitwise the same "
     "for any number of threads"},
    {CpuMode::slices, "slices", "slices",
     "one slice of cells per thread, across the longest axis unless told otherwise; every pair once inside a slice; "
     "bitwise the same for the same number of threads"},
}};

inline constexpr std::array<ModeInfo<SliceAxis>, 3> slice_axes{{
    {SliceAxis::x, "x", "x", "slices cut across x"},
    {SliceAxis::y, "y", "y", "slices cut across y"},
    {SliceAxis::z, "z", "z", "slices cut across z"},
}};

inline constexpr std::array<ModeInfo<CellSize>, 2> cell_sizes{{
    {CellSize::two_h, "2h", "2h", "cells as large as the support radius, 9 rows of 3 cells to search"},
    {CellSize::h, "h", "h", "cells of half the support radius, 25 rows of 5 cells to search"},
}};

inline constexpr std::array<ModeInfo<GpuMode>, 5> gpu_modes{{
    {GpuMode::neighbour_list, "NeighbourList", "list", "neighbour lists with a skin, reused over several steps"},
    {GpuMode::short_list, "NeighbourList16", "list16",
     "neighbour lists with entries of 16 bits: half the memory, the same numbers"},
    {GpuMode::fast_half, "FastCells(h/2)", "fast-h/2",
     "cells of half the support radius, a sorted copy of the particles beside the state"},
    {GpuMode::slow_half, "SlowCells(h/2)", "slow-h/2", "cells of half the support radius, particles sorted in place"},
    {GpuMode::slow_full, "SlowCells(h)", "slow-h", "cells as large as the support radius, least memory"},
}};

/// The table's entry for a mode.
template <class Table, class Mode>
constexpr const auto& mode_info(const Table& table, Mode mode) {
    for (const auto& entry : table)
        if (entry.mode == mode) return entry;
    return table.front();
}

/// The mode that a table calls so in logs; empty if there is none.
template <class Mode, std::size_t n>
constexpr std::optional<Mode> mode_of_name(const std::array<ModeInfo<Mode>, n>& table, std::string_view name) {
    for (const auto& entry : table)
        if (entry.name == name) return entry.mode;
    return std::nullopt;
}

/// Memory that a mode needs: for the plan that `check` prints and that chooses a mode.
struct MemoryModel {
    std::string mode;       ///< "cpu asymmetric, cells h", "cuda FastCells(h/2)", …
    int cell_divisions = 1; ///< cells of side 2h/divisions
    double bytes_per_particle = 0;
    double bytes_per_cell = 0;
    double fixed_bytes = 0;
    double total(double particles, std::uint64_t cells) const {
        return bytes_per_particle * particles + bytes_per_cell * double(cells) + fixed_bytes;
    }
};

} // namespace sluice
