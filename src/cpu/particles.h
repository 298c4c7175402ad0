// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "cpu/buffer.h"
#include "cpu/cell_list.h"
#include "cpu/interaction.h"
#include "cpu/lattice.h"
#include "cpu/records.h"
#include "cpu/thread_count.h"
#include "run/backend.h"
#include "sph/equation_of_state.h"
#include <cstdint>

namespace sluice::cpu {

/// The box and the cells as every loop over particles needs them. Positions count from the box's lower corner.
/// Rows of cells need not run along x: `Rows` speaks of the grid's own axes, and only the strides know which of the
/// domain's axes each is.
struct Space {
    Vec3d size;                 ///< of the domain, m
    double inverse_cell = 0;    ///< 1/m
    double units_per_metre = 0; ///< of the lattice (lattice.h)
    Vec3i count;                ///< cells along x, y, z
    Vec3i stride;               ///< from a cell to the next along x, y, z
    Rows rows;

    /// `slowest`: the axis (0, 1, 2) along which layers of rows follow one another; rows run along the longer of the
    /// other two.
    Space(const RunSetup& setup, int cell_divisions, int slowest);

    std::uint32_t cell_count() const { return static_cast<std::uint32_t>(count.x) * count.y * count.z; }
    bool contains(const Vec3d& p) const {
        return p.x >= 0 && p.x <= size.x && p.y >= 0 && p.y <= size.y && p.z >= 0 && p.z <= size.z;
    }
    /// Cell of a position in the domain.
    std::uint32_t key(const Vec3d& p) const {
        return static_cast<std::uint32_t>(cell_along(p.x, count.x)) * stride.x +
               static_cast<std::uint32_t>(cell_along(p.y, count.y)) * stride.y +
               static_cast<std::uint32_t>(cell_along(p.z, count.z)) * stride.z;
    }

private:
    int cell_along(double coordinate, int cells) const {
        const int cell = static_cast<int>(coordinate * inverse_cell);
        return cell < cells ? cell : cells - 1; // the product may round up at the far face
    }
};

/// State of one group of particles, boundary or fluid.
struct GroupState {
    Buffer<std::uint32_t> id;
    Buffer<std::uint32_t> key;    ///< cell, or `CellList::outside()` once the particle has left the run
    Buffer<Vec3d> position;       ///< from the domain's lower corner, m
    Buffer<Vec3d> position_start; ///< symplectic, fluid: at level n while the particle is at n+½
    Buffer<Flow> flow;            ///< level n
    Buffer<Flow> flow_previous;   ///< level n−1 (Verlet), or level n while the particle is at n+½ (symplectic)

    void reserve(std::size_t count, bool with_start);
    void swap(GroupState& other) noexcept;
    std::size_t bytes() const;
};

/// What the interaction reads and writes, for all particles: boundary first, then fluid.
struct InteractionArrays {
    Buffer<Record> records;
    Buffer<std::uint16_t> search[3]; ///< upper halves of the lattice coordinates
    Buffer<Accumulator> rates;

    void reserve(std::size_t count);
    std::size_t bytes() const;
};

/// Writes particles' records and sets their rates to zero. Holds plain pointers, which a loop keeps in registers.
class RecordWriter {
public:
    RecordWriter(const Space& space, const sph::EquationOfState<float>& eos, InteractionArrays& arrays)
        : units_per_metre_(space.units_per_metre), eos_(eos), records_(arrays.records.data()),
          rates_(arrays.rates.data()), search_x_(arrays.search[0].data()), search_y_(arrays.search[1].data()),
          search_z_(arrays.search[2].data()) {}

    void write(std::uint32_t k, const Vec3d& position, const Flow& flow) const {
        const std::uint32_t x = to_lattice(position.x, units_per_metre_), y = to_lattice(position.y, units_per_metre_),
                            z = to_lattice(position.z, units_per_metre_);
        records_[k] = {x & ~drops_diffusion, y, z, eos_.pressure_term(flow.rho), flow.vx, flow.vy, flow.vz, flow.rho};
        search_x_[k] = static_cast<std::uint16_t>(x >> 16);
        search_y_[k] = static_cast<std::uint16_t>(y >> 16);
        search_z_[k] = static_cast<std::uint16_t>(z >> 16);
        rates_[k] = {};
    }

private:
    double units_per_metre_;
    sph::EquationOfState<float> eos_;
    Record* records_;
    Accumulator* rates_;
    std::uint16_t *search_x_, *search_y_, *search_z_;
};

/// Boundary or fluid particles with their cell list.
class ParticleGroup {
public:
    ParticleGroup(const Space& space, const ThreadCount& threads, bool with_start);

    std::uint32_t count = 0;
    GroupState state;
    CellList cells;

    /// Takes over the particles of `from` with ids from id_begin to id_end, in their order; those outside the domain
    /// get the key of no cell.
    void load(const ParticleState& from, std::uint32_t id_begin, std::uint32_t id_end, const Space& space);
    /// Sorts particles in any order. `first`: index of the group's first record.
    void sort_unordered(std::uint32_t first);
    /// Sorts by cell the particles that a step has moved, drops those that left, and writes the records.
    void sort(std::uint32_t first, const RecordWriter& writer);
    /// Writes the records of particles that are where they were.
    void refresh(std::uint32_t first, const RecordWriter& writer) const;
    /// Appends the particles to a state.
    void store(ParticleState& to) const;
    std::size_t bytes() const;

private:
    template <class AlsoDo>
    void reorder(int threads, const AlsoDo& also_do);

    GroupState spare_;
    const ThreadCount& threads_;
    bool with_start_;
};

} // namespace sluice::cpu
