// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/modes.h"
#include "backends/particle_clouds.h"
#include "cpu/backend/cpu_backend.h"
#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

// Every way to run on the CPU, for tests that go through all of them.

namespace sluice::cpu_ways {

/// One way to run on the CPU.
struct Way {
    CpuMode mode;
    CellSize cells;
    std::string simd;
    std::optional<SliceAxis> slice_axis = {};

    std::string name() const {
        return std::string(mode_info(cpu_modes, mode).option) + "_cells_" +
               std::string(mode_info(cell_sizes, cells).option) + "_" + simd +
               (slice_axis ? "_across_" + std::string(mode_info(slice_axes, *slice_axis).option) : "");
    }
    std::unique_ptr<Backend> make(const clouds::Cloud& cloud, int threads) const {
        CpuOptions options;
        options.mode = mode;
        options.cells = cells;
        options.simd = simd;
        options.slice_axis = slice_axis;
        options.threads = threads;
        return make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    }
    friend void PrintTo(const Way& way, std::ostream* out) { *out << way.name(); }
};

inline std::vector<Way> all_ways(const std::vector<CpuMode>& modes = {CpuMode::asymmetric, CpuMode::symmetric,
                                                                      CpuMode::slices}) {
    std::vector<Way> ways;
    for (const CpuMode mode : modes)
        for (const auto& cells : cell_sizes)
            for (const auto& level : simd_levels())
                if (level.available) ways.push_back({mode, cells.mode, std::string(level.name)});
    for (const CpuMode mode : modes)
        for (const auto& axis : slice_axes)
            if (mode == CpuMode::slices) ways.push_back({mode, CellSize::h, "off", axis.mode});
    return ways;
}

/// Each mode with each instruction set and each cell size, and each cell size with each instruction set, but not every
/// three of them together; and slices along each axis. Enough for what a feature adds to interactions that are
/// themselves tested in all ways.
inline std::vector<Way> paired_ways(const std::vector<CpuMode>& modes = {CpuMode::asymmetric, CpuMode::symmetric,
                                                                         CpuMode::slices}) {
    const auto levels = simd_levels();
    std::vector<Way> ways;
    for (const Way& way : all_ways(modes)) {
        const auto level =
            std::find_if(levels.begin(), levels.end(), [&](const auto& l) { return l.name == way.simd; });
        const auto sum = static_cast<int>(level - levels.begin()) + static_cast<int>(way.mode);
        if (way.slice_axis || (way.cells == CellSize::h) == (sum % 2 == 0)) ways.push_back(way);
    }
    return ways;
}

} // namespace sluice::cpu_ways
