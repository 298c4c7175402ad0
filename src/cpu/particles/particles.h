// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "core/vec.h"
#include "cpu/particles/buffer.h"
#include "cpu/particles/cell_list.h"
#include "cpu/particles/interaction.h"
#include "cpu/particles/lattice.h"
#include "cpu/particles/records.h"
#include "cpu/particles/thread_count.h"
#include "physics/sph/equation_of_state.h"
#include "scheme/integrators.h"
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

namespace sluice::cpu {

/// Cells first … end−1 of the whole grid along x, y, z.
struct CellBox {
    Vec3i first, end;

    std::uint64_t size() const;
    bool empty() const { return size() == 0; }
    /// Grows until a cell is in it.
    void add(const Vec3i& cell);
    bool has(const CellBox& other) const;
    bool operator==(const CellBox&) const = default;
};

/// The box and the cells as every loop over particles needs them. Positions count from the box's lower corner.
/// Rows of cells need not run along x: `Rows` speaks of the grid's own axes, and only the strides know which of the
/// domain's axes each is.
/// Where there may be images, layers of cells lie around the domain, as deep as the search reaches; the cells along a
/// periodic axis divide the period evenly, so that a cell holds either particles or images.
/// Keys number the cells of the whole grid. What is walked is a box of its cells: where the particles are, or all that
/// a rank sees. The order of the cells is the same in both, and so is that of the particles; what is empty all around
/// costs neither time nor memory.
struct Space {
    Vec3d size; ///< of the domain, m
    Period period;
    Vec3d cell;                 ///< sides, m
    Vec3d inverse_cell;         ///< 1/m
    double units_per_metre = 0; ///< of the lattice (lattice.h)
    Vec3i layers;               ///< of cells on either side of the domain
    Vec3i inner;                ///< cells of the domain along x, y, z
    Vec3i count;                ///< all cells along x, y, z
    Vec3i stride;               ///< from a cell to the next along x, y, z
    int slowest;                ///< axis along which layers of rows follow one another
    std::array<int, 3> axes;    ///< the domain's axes that are the grid's own x, y, z: along rows, in a layer, slowest
    Vec3i first, walked;        ///< the cells that are walked along x, y, z: from which on, how many
    Vec3i walked_stride;        ///< from one of them to the next along x, y, z
    Rows rows;                  ///< of the cells walked

    /// `slowest_axis`: the axis (0, 1, 2) along which layers of rows follow one another; rows run along the longer of
    /// the other two.
    Space(const RunSetup& setup, int cell_divisions, int slowest_axis);

    /// A box is walked from now on. `own`: of each of its rows, as Rows::own has it; kept by the caller.
    void walk(const CellBox& box, const std::uint8_t* own);
    /// The whole layers of cells that rows `seen` of the whole grid are in.
    CellBox layers_of(const IndexRange& seen) const;
    /// Support radii that a box to walk has around the particles when it is chosen.
    static constexpr int room_to_move = 2;
    /// A box to walk for particles in the cells `occupied`, with room for them to move: `seen`, unless a smaller one
    /// saves much of it. Tiles of cells (tiles.h) lie in it as they do in the whole grid.
    CellBox box_around(const CellBox& occupied, const CellBox& seen) const;
    CellBox walked_box() const { return {first, first + walked}; }
    bool walks_all() const { return walked == count; }
    /// Rows of the whole grid, as if all were walked and this rank's.
    Rows whole_rows() const;
    /// How many there are.
    std::uint32_t row_count() const { return no_cell() / cells_a_row(); }
    /// The row of the whole grid that a cell is in.
    std::uint32_t row_of(std::uint32_t key) const { return key / cells_a_row(); }
    std::uint32_t cells_a_row() const { return static_cast<std::uint32_t>(count[axes[0]]); }
    std::uint32_t rows_a_layer() const { return static_cast<std::uint32_t>(count[axes[1]]); }
    /// The row of the whole grid that row y of layer z of those walked is.
    std::uint32_t whole_row(int y, int z) const {
        return static_cast<std::uint32_t>(first[slowest] + z) * rows_a_layer() +
               static_cast<std::uint32_t>(first[axes[1]] + y);
    }
    /// The cell of the whole grid that has a key.
    Vec3i cell_with(std::uint32_t key) const;
    /// Where a cell that is walked comes among those walked.
    std::uint32_t walked_index(std::uint32_t key) const { return WalkedCells(*this)(key); }
    /// Cells that are walked.
    std::uint32_t cell_count() const { return static_cast<std::uint32_t>(walked.x) * walked.y * walked.z; }
    /// Key of a particle that is in no cell, since it has left the run.
    std::uint32_t no_cell() const { return static_cast<std::uint32_t>(count.x) * count.y * count.z; }
    /// Cell of a coordinate along an axis, among those walked or beside them.
    double walked_cell(double coordinate, int axis) const {
        return layers[axis] - first[axis] + std::floor(coordinate * inverse_cell[axis]);
    }
    bool is_image(const Vec3d& p) const { return period.is_image(p, size); }
    /// How far from the domain images are kept along each axis, m.
    Vec3d image_reach() const { return {layers.x * cell.x, layers.y * cell.y, layers.z * cell.z}; }
    bool contains(const Vec3d& p) const {
        return p.x >= 0 && p.x <= size.x && p.y >= 0 && p.y <= size.y && p.z >= 0 && p.z <= size.z;
    }
    /// Cell of a position in the domain.
    std::uint32_t key(const Vec3d& p) const {
        return static_cast<std::uint32_t>(cell_along(p.x, 0)) * stride.x +
               static_cast<std::uint32_t>(cell_along(p.y, 1)) * stride.y +
               static_cast<std::uint32_t>(cell_along(p.z, 2)) * stride.z;
    }
    /// Cell of an image, or none (−1) if it is out of reach of the domain.
    std::int64_t image_key(const Vec3d& p) const;
    /// Cell of the whole grid that is nearest to a position anywhere.
    std::uint32_t nearest_key(const Vec3d& p) const;

    /// From keys to where their cells come among those walked; a plain value, which a loop keeps in registers.
    class WalkedCells {
    public:
        explicit WalkedCells(const Space& space);
        /// Of a cell that is walked; the number of cells walked, of `no_cell`.
        std::uint32_t operator()(std::uint32_t key) const {
            if (key == no_cell_) return none_;
            const std::uint32_t row = quotient(key, inverse_x_), z = quotient(row, inverse_y_);
            return key - row * skipped_in_row_ - z * skipped_in_layer_ - base_;
        }
        /// Whether a cell is walked; true of `no_cell`.
        bool has(std::uint32_t key) const {
            const std::uint32_t row = quotient(key, inverse_x_), z = quotient(row, inverse_y_);
            const std::uint32_t x = key - row * count_x_, y = row - z * count_y_;
            return key == no_cell_ ||
                   (x - first_[0] < walked_[0] && y - first_[1] < walked_[1] && z - first_[2] < walked_[2]);
        }

    private:
        /// n / d from 1/d. A half more keeps what is whole off the rounding's reach: n < 2³², so that n/d is known to
        /// better than 0.5/d.
        static std::uint32_t quotient(std::uint32_t n, double inverse) {
            return static_cast<std::uint32_t>((n + 0.5) * inverse);
        }
        double inverse_x_, inverse_y_; ///< of cells a row, rows a layer, of the whole grid
        std::uint32_t count_x_, count_y_, no_cell_, none_;
        std::uint32_t first_[3], walked_[3];                     ///< along the grid's own axes
        std::uint32_t skipped_in_row_, skipped_in_layer_, base_; ///< cells that are not walked
    };

private:
    int cell_along(double coordinate, int axis) const {
        const int c = static_cast<int>(coordinate * inverse_cell[axis]);
        return layers[axis] + (c < inner[axis] ? c : inner[axis] - 1); // the product may round up at the far face
    }
};

/// State of one group of particles, boundary or fluid.
struct GroupState {
    Buffer<std::uint32_t> id;
    Buffer<std::uint32_t> key;    ///< cell, or `Space::no_cell()` once the particle has left the run
    Buffer<Vec3d> position;       ///< from the domain's lower corner, m
    Buffer<Vec3d> position_start; ///< fluid, where a run keeps it (RunSetup::keeps_start): at level n
    Buffer<Flow> flow;            ///< level n
    /// Level n−1 (Verlet); level n while the particle is at n+½ (symplectic); staggered: the velocity of n−½, or while
    /// the particle is at n+½ what `flow` has at n+1.
    Buffer<Flow> flow_previous;

    void reserve(std::size_t count, bool with_start);
    /// The same, keeping the first `used` elements.
    void grow(std::size_t used, std::size_t count, bool with_start);
    void swap(GroupState& other) noexcept;
    /// Particles that there is room for.
    std::size_t capacity() const { return id.bytes() / sizeof(std::uint32_t); }
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

/// The velocity that particles interact with.
enum class FlowVelocity { now, previous };

/// Writes particles' records and sets their rates to zero. Holds plain pointers, which a loop keeps in registers.
class RecordWriter {
public:
    /// `lead`: of the acoustic damper (scheme/integrators.h), at the middle of a step.
    RecordWriter(const Space& space, const sph::EquationOfState<float>& eos, InteractionArrays& arrays, float lead,
                 FlowVelocity velocity)
        : units_per_metre_(space.units_per_metre), eos_(eos), lead_(lead), lagging_(velocity == FlowVelocity::previous),
          records_(arrays.records.data()), rates_(arrays.rates.data()), search_x_(arrays.search[0].data()),
          search_y_(arrays.search[1].data()), search_z_(arrays.search[2].data()) {}

    /// `previous`: the flow at the begin of the step, or the one before (GroupState::flow_previous).
    void write(std::uint32_t k, const Vec3d& position, const Flow& flow, const Flow& previous) const {
        const std::uint32_t x = to_lattice(position.x, units_per_metre_), y = to_lattice(position.y, units_per_metre_),
                            z = to_lattice(position.z, units_per_metre_);
        const float pressure_term = eos_.pressure_term(flow.rho, sph::damped_density(previous.rho, flow.rho, lead_));
        const Flow& v = lagging_ ? previous : flow;
        records_[k] = {x & ~drops_diffusion, y, z, pressure_term, v.vx, v.vy, v.vz, flow.rho};
        search_x_[k] = static_cast<std::uint16_t>(x >> 16);
        search_y_[k] = static_cast<std::uint16_t>(y >> 16);
        search_z_[k] = static_cast<std::uint16_t>(z >> 16);
        rates_[k] = {};
    }

private:
    double units_per_metre_;
    sph::EquationOfState<float> eos_;
    float lead_;
    bool lagging_;
    Record* records_;
    Accumulator* rates_;
    std::uint16_t *search_x_, *search_y_, *search_z_;
};

/// A particle that open boundaries have created and that no sort has seen yet.
struct Newcomer {
    std::uint32_t id;
    Vec3d position; ///< from the domain's lower corner, m
    Flow flow;
};

/// Particles begin … end−1 of a rank in consecutive rows of its own, the first of which is `row` of the whole grid.
/// Rows of images may lie between. The runs of all ranks in the order of their rows make up the run.
struct OwnRun {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t row = 0;
};

/// Boundary or fluid particles of a rank with their cell list. Among them are ghosts, from one sort to the next: images
/// of particles near periodic faces, and particles of other ranks. They interact like the others, but are never moved,
/// counted or stored.
class SortedGroup {
public:
    SortedGroup(const ThreadCount& threads, bool with_start);

    std::uint32_t count = 0; ///< with ghosts
    /// Those in this rank's rows of cells, as sorted last: its own, and images among them. The others are ghosts. In
    /// the order of the particles; none is empty.
    std::vector<OwnRun> own;
    GroupState state;
    CellList cells;
    /// What has been created since the last sort, wherever it is: the same on all ranks. In each cell the next sort
    /// puts it behind what was there before, in this order.
    std::vector<Newcomer> newcomers;

    /// Calls `use(i)` with every particle that is no ghost.
    template <class Use>
    void for_each_own(const Space& space, const Use& use) const {
        for (const OwnRun& run : own)
            for (std::uint32_t i = run.begin; i < run.end; ++i)
                if (!space.is_image(state.position[i])) use(i);
    }
    /// How many particles and images there are in `own`, and where the last of them ends.
    std::uint32_t own_count() const;
    std::uint32_t own_end() const { return own.empty() ? 0 : own.back().end; }

    /// Takes over those of the particles that `takes(id)` says, in their order; those outside the domain get the key of
    /// no cell.
    void load(const ParticleState& from, const std::function<bool(std::uint32_t)>& takes, const Space& space);
    /// Room for `total` particles, of which those up to the end of `own` are kept; some to spare where more may come.
    void make_room(std::size_t total);
    /// Adds the cells of what is sorted next to a box.
    void add_occupied(CellBox& box, const Space& space) const;
    /// Finds where what is sorted next comes among the cells walked; false: some of it is in other cells. To be called
    /// before a sort.
    bool locate(const Space& space);
    /// What is sorted next: ranges of indices, in the order in which they count. What lies outside of them is dropped.
    void set_parts(std::vector<IndexRange> parts) { parts_ = std::move(parts); }
    /// All of it, as it lies: for other cells than those of the last sort.
    void set_all() { parts_ = {{0, count}}; }
    /// Sorts particles in any order. `first`: index of the group's first record.
    void sort_unordered(std::uint32_t first, const Space& space);
    /// Sorts by cell the particles that a step has moved, drops those that left, and writes the records. They have been
    /// located.
    void sort(std::uint32_t first, const Space& space, const RecordWriter& writer);
    /// Writes the records of particles that are where they were.
    void refresh(std::uint32_t first, const RecordWriter& writer);
    /// Appends the particles, without ghosts, to a state.
    void store(ParticleState& to, const Space& space) const;
    /// Whether `GroupState::position_start` is in use.
    bool with_start() const { return with_start_; }
    std::size_t bytes() const;

private:
    template <class AlsoDo>
    void sort(std::uint32_t first, const Space& space, int threads, const AlsoDo& also_do);
    template <class AlsoDo>
    void reorder(int threads, const AlsoDo& also_do);
    void order_images_by_id(std::uint32_t first, const Space& space);
    void find_own(std::uint32_t first, const Space& space);

    GroupState spare_;
    std::vector<IndexRange> parts_;
    Buffer<std::uint32_t> located_; ///< among the cells walked, where these are not all
    const ThreadCount& threads_;
    bool with_start_;
};

} // namespace sluice::cpu
