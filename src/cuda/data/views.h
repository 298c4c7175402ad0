// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control.h"
#include "cuda/data/fixed_grid.h"
#include "model/constants.h"
#include "physics/sph/equation_of_state.h"
#include <cstdint>
#include <utility>

// What kernels get: plain pointers and numbers, by value.

namespace sluice::cuda {

/// Loads 16 bytes at once through the read-only path.
template <class T>
SLUICE_INLINE T load16(const T* p) {
    static_assert(sizeof(T) == 16 && alignof(T) == 16);
#ifdef __CUDA_ARCH__
    const int4 raw = __ldg(reinterpret_cast<const int4*>(p));
    T value;
    __builtin_memcpy(&value, &raw, 16);
    return value;
#else
    return *p;
#endif
}

/// The arrays of a set of particles: boundary particles first, then fluid, each sorted by cell.
struct ParticleArrays {
    Position* position = nullptr;
    Flow* flow = nullptr;      ///< level n
    Flow* previous = nullptr;  ///< level n−1 (Verlet); symplectic: level n, beside the predictor's state too
    Position* start = nullptr; ///< where a run keeps it (RunSetup::keeps_start): position at level n
    std::uint32_t* id = nullptr;

    bool operator==(const ParticleArrays&) const = default;

    /// The same with `flow` and `previous` in each other's place: a step may write level n+1 over level n−1.
    ParticleArrays with_levels_exchanged() const {
        ParticleArrays arrays = *this;
        std::swap(arrays.flow, arrays.previous);
        return arrays;
    }
};

/// A record of 16 bytes a particle: rates from the interaction to the update, and otherwise free for whatever a sort or
/// a copy of a frame brings there, by the type it is asked for. A sort may exchange it for another array of the run.
class SpareRecords {
public:
    SpareRecords() = default;
    explicit SpareRecords(RateRecord* memory) : memory_(memory) {}

    RateRecord* rates() const { return as<RateRecord>(); }
    /// To be written over; the rates are lost.
    template <class Record>
    Record* as() const {
        static_assert(sizeof(Record) <= 16);
        return static_cast<Record*>(memory_);
    }
    /// `array` has been written to the spare memory in a new order: the two change places.
    template <class Record>
    void change_places(Record*& array) {
        Record* const written = as<Record>();
        memory_ = std::exchange(array, written);
    }
    bool operator==(const SpareRecords&) const = default;

private:
    void* memory_ = nullptr;
};

/// First particle of every cell, counted from `base`: cell c holds base + [begin[c], begin[c+1]). Empty cells too.
struct CellBegins {
    const std::uint32_t* begin = nullptr;
    std::uint32_t base = 0;
};

/// How many fluid particles each cell holds, counted while they move. Null where cells are not counted.
struct CellCounts {
    std::uint32_t* count = nullptr; ///< per cell, the excluded one too
    std::uint32_t* slot = nullptr;  ///< per particle: how many of its cell were counted before it, in any order

#ifdef __CUDACC__
    /// Counts particle i, which is in `cell`. Threads of a warp that enter together with the same cell add once.
    __device__ void enter(std::uint32_t i, std::uint32_t cell) const {
        const unsigned same = __match_any_sync(__activemask(), cell), lane = threadIdx.x & 31;
        const int first = __ffs(int(same)) - 1;
        const unsigned before = int(lane) == first ? atomicAdd(count + cell, unsigned(__popc(same))) : 0;
        slot[i] = __shfl_sync(same, before, first) + __popc(same & ((1u << lane) - 1));
    }
#endif
};

/// A range of consecutive particles, or of other things with numbers.
struct Range {
    std::uint32_t begin, end;

    SLUICE_HD bool contains(std::uint32_t number) const { return number - begin < end - begin; }
};
SLUICE_HD inline std::uint32_t size_of(const Range& range) { return range.end - range.begin; }

/// What the interaction reads.
struct InteractionView {
    FixedGrid grid;
    const Position* position = nullptr;
    const Flow* flow = nullptr;
    const std::uint32_t* cell = nullptr;   ///< of every particle
    const std::uint32_t* coarse = nullptr; ///< positions for the coarse search (coarse_search.h), where it is used
    CellBegins fluid, boundary;
    const std::uint8_t* near_boundary = nullptr; ///< per cell: whether a boundary particle is in reach
    std::uint32_t boundary_count = 0;
};

/// Numbers of the run that kernels need besides the pair formula's.
struct StepConstants {
    sph::Constants run;
    sph::EquationOfState<float> eos;
    std::uint32_t boundary_count = 0;
    std::uint32_t excluded_cell = 0; ///< the cell index that particles which left the run carry
    double inverse_work_unit = 0;    ///< kg/J (model/work_counts.h)
    Vec3d gravity;                   ///< that water at rest feels (effective_gravity), m/s²

    explicit StepConstants(const sph::Constants& c) : run(c), eos(c), gravity(c.gravity) {}
};

} // namespace sluice::cuda
