// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/cell_list.h"
#include "cuda/data/views.h"
#include "cuda/device/device_memory.h"

namespace sluice::cuda {

/// The particles of a run on the device.
struct ParticleStore {
    DeviceArray<Position> position, start;
    DeviceArray<Flow> flow, previous;
    DeviceArray<std::uint32_t> id;

    ParticleStore() = default;
    ParticleStore(DeviceMemory& memory, std::uint32_t particles, bool with_start);
    ParticleArrays arrays() const { return {position.data(), flow.data(), previous.data(), start.data(), id.data()}; }
};

/// Role of an array: the cell of every particle.
struct CellsOfParticles {
    using Element = std::uint32_t;
};
/// Role of an array: one of the two arrays of indices of a sort by keys.
struct SortIndices {
    using Element = std::uint32_t;
};

/// Which arrays hold what. Sorts and steps exchange them.
struct ArrayPlaces {
    ParticleArrays sorted; ///< what the interaction reads: the particles as the last sort left them
    ParticleArrays state;  ///< the particles between two steps: the same arrays, some in each other's place
    SpareRecords spare;
    std::uint32_t* cell = nullptr; ///< of every particle; the excluded one for those that have left the run

    bool operator==(const ArrayPlaces&) const = default;
};

/// The arrays of a run that every version has, and how many particles are in them: boundary particles first, then
/// fluid, then those that have left the run.
struct RunArrays {
    DeviceMemory memory; ///< before the arrays, which go back to it
    FixedGrid grid;
    GridPeriod period;
    /// `count`: those that the kernels visit. Where open boundaries create particles, and no other device shares the
    /// run, it is the capacity: what no particle has is as one that has left the run.
    std::uint32_t capacity = 0, count = 0, boundary_count = 0;
    std::uint32_t usual_fluid = 0; ///< fluid particles that the case gives the run, however many there are now
    bool is_open = false;          ///< whether particles come and go through open boundaries
    bool walls_move = false;       ///< whether boundary particles have to be sorted again and again
    Range body_ids{0, 0};          ///< of floating bodies
    /// The part of the arrays that this device steps, where several devices share a run (share_exchange.h): others'
    /// fluid particles lie before and behind its own. Else all.
    std::uint32_t fluid_first = 0, own_first = 0, own_end = 0;
    Range own_walls{0, 0};
    Range own_rows{0, 0}; ///< of cells; particles of the first one may be another's
    bool is_shared = false;

    ParticleStore store;
    ParticleStore other_store; ///< a sort goes from one to the other; empty in the versions that save memory
    SharedArray<CellsOfParticles, SortIndices> cell_memory;
    DeviceArray<RateRecord> rates_memory;
    DeviceArray<std::uint32_t> fluid_begin, boundary_begin; ///< cell lists
    DeviceArray<std::uint8_t> near_boundary;                ///< per cell: whether a boundary particle is in reach
    DeviceArray<Control> control;
    DeviceArray<ExcludedRecord> excluded;
    ArrayPlaces places;

    /// For up to `particles` particles, in cells of `grid`.
    RunArrays(const RunSetup& setup, const FixedGrid& grid, std::uint32_t particles, bool two_stores);
    RunArrays(const RunArrays&) = delete;
    RunArrays& operator=(const RunArrays&) = delete;

    SortRange boundary() const { return {0, boundary_count}; }
    Range all_walls() const { return {0, boundary_count}; }
    SortRange fluid() const { return {fluid_first, count - fluid_first}; }
    /// Behind the last particle that this device steps, as far as the host knows.
    std::uint32_t stepped_end() const { return is_shared ? own_end : count; }
    /// The counter of the particles in the run; null for a share, which holds more particles than it steps.
    unsigned* counter() const { return is_shared ? nullptr : &control.data()->alive; }
    std::uint32_t excluded_cell() const { return grid.cells(); }
    std::uint32_t excluded_capacity() const { return static_cast<std::uint32_t>(excluded.size()); }
    bool has_two_stores() const { return other_store.position.data() != nullptr; }
    /// The store that the state is not in.
    ParticleArrays free_store() const;
    InteractionView view() const;

    /// Sorts the boundary particles of the state by cell and makes their cell list: for the run, if no wall moves.
    void sort_boundary(bool along_curve, const SortScratch& scratch, cudaStream_t stream);
    /// Sorts the fluid of the state by keys made of its positions and makes its cell list. The order is to be brought
    /// about by one of the reorder functions.
    const std::uint32_t* sort_fluid(bool along_curve, const SortScratch& scratch, cudaStream_t stream);
};

} // namespace sluice::cuda
