// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cuda/data/fixed_grid.h"
#include <cmath>

namespace sluice::paper {

/// Where the records of a CPU backend are, as positions of the GPU's kernels: a record's coordinates wrap round, and
/// its cell says where on the lattice they belong.
struct RecordPlaces {
    Vec3i count, stride, layers; ///< cells along x, y, z, from one to the next, and before the domain (cpu::Space)
    Vec3d cell;                  ///< sides, units of the CPU's lattice
    double scale = 0;            ///< units of the GPU's grid in one of the CPU's

    RecordPlaces() = default;
    RecordPlaces(const cpu::Space& space, const cuda::FixedGrid& grid)
        : count(space.count), stride(space.stride), layers(space.layers), cell(space.units_per_metre * space.cell),
          scale(1 / (space.units_per_metre * double(grid.unit))) {}

    SLUICE_HD cuda::Position place(const cpu::Record& record, std::uint32_t key) const {
        return {coordinate(record.x & ~cpu::drops_diffusion, key, 0), coordinate(record.y, key, 1),
                coordinate(record.z, key, 2), record.pressure_term};
    }

private:
    SLUICE_HD std::int32_t coordinate(std::uint32_t low, std::uint32_t key, int axis) const {
        const int along = int(key / std::uint32_t(stride[axis]) % std::uint32_t(count[axis])) - layers[axis];
        const long long middle = llrint((along + 0.5) * cell[axis]);
        const long long whole = middle + std::int32_t(low - std::uint32_t(middle)); // within half a wrap of its cell
        return std::int32_t(std::uint32_t(llrint(double(whole) * scale)));
    }
};

} // namespace sluice::paper
