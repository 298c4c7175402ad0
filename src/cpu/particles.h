// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cell_grid.h"
#include "core/vec.h"
#include "cpu/buffer.h"
#include "cpu/cell_list.h"
#include "cpu/records.h"
#include "run/backend.h"
#include "sph/equation_of_state.h"
#include <cstdint>

namespace sluice::cpu {

/// The box and the cells as every loop over particles needs them. Positions count from the box's lower corner.
struct Space {
    Vec3d size;            ///< of the domain, m
    CellGrid grid;
    double inverse_cell = 0;
    double units_per_metre = 0; ///< of the lattice (lattice.h)

    Space(const RunSetup& setup, int cell_divisions);

    bool contains(const Vec3d& p) const {
        return p.x >= 0 && p.x <= size.x && p.y >= 0 && p.y <= size.y && p.z >= 0 && p.z <= size.z;
    }
    /// Cell of a position in the domain.
    std::uint32_t key(const Vec3d& p) const {
        const int x = cell_along(p.x, grid.count.x), y = cell_along(p.y, grid.count.y), z = cell_along(p.z, grid.count.z);
        return static_cast<std::uint32_t>(grid.index(x, y, z));
    }

private:
    int cell_along(double coordinate, int count) const {
        const int cell = static_cast<int>(coordinate * inverse_cell);
        return cell < count ? cell : count - 1; // the product may round up at the far face
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

/// Boundary or fluid particles with their cell list.
class ParticleGroup {
public:
    ParticleGroup(const Space& space, int threads, bool with_start);

    std::uint32_t count = 0;
    GroupState state;
    CellList cells;

    /// Takes over the particles of `from` with ids from id_begin to id_end, in their order; those outside the domain
    /// get the key of no cell.
    void load(const ParticleState& from, std::uint32_t id_begin, std::uint32_t id_end, const Space& space);
    /// Sorts by cell and drops the particles that left. `first`: index of the group's first record.
    void sort(std::uint32_t first);
    /// Appends the particles to a state.
    void store(ParticleState& to) const;
    std::size_t bytes() const;

private:
    void reorder();

    GroupState spare_;
    int threads_;
    bool with_start_;
};

/// Writes the records of a group's particles.
void write_records(const ParticleGroup& group, const Space& space, const sph::EquationOfState<float>& eos,
                   Record* records, int threads);

} // namespace sluice::cpu
