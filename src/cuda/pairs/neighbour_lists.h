// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/gpu_memory_plan.h"
#include "cuda/data/grid_period.h"
#include "cuda/data/views.h"
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include <cstdint>

// Lists of fluid neighbours, kept over several steps.
//
// A list holds every fluid neighbour within 2h + skin. It stays complete while no two particles can have come closer
// by more than the skin. What counts is how far neighbours moved against one another, not how far they moved: for
// every cell of the grid at the time of the build, the box of the displacements of its particles since then is found
// (exact, in units of the positions). Two particles of cells A and B moved against one another by at most the longest
// vector between the boxes of A and B. So all pairs that lie outside the lists are still more than 2h apart if
//
//   cells that touch (any pair, at the build more than 2h + skin apart):     longest(A, B) ≤ skin
//   one cell between them (at the build at least a cell's side R apart):     longest(A, B) ≤ R − 2h
//   more cells between them (at least 2R apart):                             2·|longest displacement| ≤ 2R − 2h
//
// Otherwise the lists are rebuilt before the next interaction. Walls need no lists: a fluid particle finds boundary
// particles through their cells of the last build around its own present position, and a boundary particle finds fluid
// through the cells of the last build, one or two cells away from its own. With w the longest displacement of a wall
// that moves and f that of the fluid, that is right as long as
//
//   w ≤ R − 2h,   and f + w ≤ R − 2h for one cell, f + w ≤ 2R − 2h for two.
//
// Particles of floating bodies do have lists of the fluid around them (BodyLists): all that acts on them is found
// through those, not their densities alone, and that took too long through cells. These lists reach as far as cells do,
// R, so that they cause a renewal only where a body has moved R − 2h against the fluid nearby: what is allowed is
// longest(A, B) ≤ R − 2h for displacements of bodies in cell A and of fluid in B, up to two cells away.
//
// At a periodic side particles see others across it from where their images are (grid_period.h). Lists hold those too,
// image by image, and boxes are compared across the sides as they are inside: an image need not lie in one cell, so
// those that touch one of the cells where it may be count as touching. With a period f + w ≤ R − 2h holds always, since
// the search for images relies on it. Between two builds particles may leave the domain there; the next build brings
// them back in at the other side.
//
// A particle that leaves through an open boundary keeps its place in the lists (vacated_places.h), which stay complete.
// The boxes leave such places out.
//
// Entry k of the list of lane l of a warp is a particle j ≡ k + l (mod 8), as far as the neighbours allow: eight lanes
// then load 16 bytes each from eight different groups of banks.

namespace sluice::cuda {

/// Rows of cells around a particle.
inline constexpr int list_rows = 9;

/// A part of a list: neighbours as an image of the particle sees them.
struct ListPart {
    std::uint32_t first_eight : 11; ///< entries before it, in eights
    std::uint32_t image : 5;        ///< GridPeriod
    /// Where its rows begin. The particle's cell, moved by the whole cells of the shift, is that of the image, or the
    /// one below where the rest of the shift carries the image on. Rows begin `cells_below` − 2 below it along x.
    std::uint32_t cells_below : 7, carry_y : 1, carry_z : 1;
    static constexpr std::uint32_t no_eight = (1u << 11) - 1; ///< where the part behind the last begins
};
static_assert(sizeof(ListPart) == 4);

/// Lists of 32 consecutive fluid particles (a tile): chunks of 16 bytes a lane, lanes side by side. An entry is the
/// number of a particle (four a chunk), or 16 bits (eight a chunk): four of the row of cells that it lies in and twelve
/// of its place in it, counted from the lane's `row_starts`. Both have the same entries in the same order, so the sums
/// are the same bit for bit.
///
/// Where particles of a tile see others across periodic sides, each list has further parts, one for each of the images,
/// which begin at multiples of eight entries. The last chunks of a tile say where they are.
struct ListView {
    uint4* entries = nullptr;
    std::uint16_t* tile_lengths = nullptr; ///< per tile, in chunks; `overflowing` where the lists did not fit
    std::uint32_t* row_starts = nullptr;   ///< per tile, row and lane; null: entries are numbers
    std::uint32_t tile_capacity = 0;       ///< chunks that a tile has room for
    static constexpr std::uint16_t overflowing = 0xffff;
    static constexpr std::uint16_t in_parts = 0x8000; ///< added to the length of lists that have parts
    static constexpr int row_shift = 12;
    static constexpr int self_row = list_rows;                  ///< of a part: the particle itself, which fills it up
    static constexpr int most_parts = 4 * list_part_chunks - 1; ///< of images; behind them stands `no_eight`

    /// The parts of the images, of a lane in a tile that has any.
    SLUICE_HD ListPart* parts(std::uint32_t tile, std::uint32_t lane) const {
        uint4* const end = entries + std::size_t(tile + 1) * tile_capacity * 32;
        return reinterpret_cast<ListPart*>(end - 32 * list_part_chunks + lane * list_part_chunks);
    }

    SLUICE_HD bool is_short() const { return row_starts != nullptr; }
    /// Chunks of lists of that length, with parts or without.
    SLUICE_HD static int chunks_of(std::uint16_t length) { return length & (in_parts - 1); }
    /// Row and place of a 16-bit entry.
    SLUICE_HD static std::uint32_t row_of(std::uint32_t entry) { return entry >> row_shift; }
    SLUICE_HD static std::uint32_t place_of(std::uint32_t entry) { return entry & ((1u << row_shift) - 1); }
    SLUICE_HD static constexpr int entries_per_chunk(bool is_short) { return is_short ? 8 : 4; }
};

/// Lists of the fluid around boundary particles: of all whose ids are in a range, which the particles of floating
/// bodies are. 32 of consecutive ids are a tile, which lies in memory as the tiles of ListView with entries that are
/// numbers, but every particle's list has a length of its own: by whom a tile is shared must not matter. Particles that
/// may see fluid across periodic sides have none.
struct BodyLists {
    Range ids{0, 0};
    std::uint32_t* place = nullptr;  ///< by id, from the first on: which of the boundary particles it is
    std::uint16_t* length = nullptr; ///< likewise, in chunks; ListView::overflowing for those without a list
    uint4* entries = nullptr;
    std::uint32_t capacity = 0;     ///< chunks that a tile has room for
    std::uint32_t* cells = nullptr; ///< that hold some of these particles, in any order: Control::body_cells

    SLUICE_HD std::uint32_t count() const { return size_of(ids); }
    SLUICE_HD bool any() const { return count() > 0; }
    /// Whether a particle has a list.
    SLUICE_HD bool has(std::uint32_t id) const {
        return ids.contains(id) && length[id - ids.begin] != ListView::overflowing;
    }
    /// The list of the n-th particle.
    SLUICE_HD uint4* list(std::uint32_t n) const { return entries + std::size_t(n / 32) * capacity * 32 + n % 32; }
};

/// Displacements of the particles of one cell since the build, units.
struct alignas(16) DisplacementBox {
    std::int32_t low_x, low_y, low_z, pad0;
    std::int32_t high_x, high_y, high_z, pad1;

    /// Of a cell whose particles have all left.
    SLUICE_HD bool is_empty() const { return low_x > high_x; }
};

struct AllMaxima; // maxima.h

struct ListArgs {
    InteractionView view;
    ListView lists;
    BodyLists bodies;
    Control* control = nullptr;
    const Position* position = nullptr;
    const std::uint32_t* id = nullptr;
    Position* origin = nullptr;        ///< positions at the build
    DisplacementBox* boxes = nullptr;  ///< per cell
    std::uint32_t* occupied = nullptr; ///< cells that hold fluid, in any order
    std::uint32_t particles = 0;
    std::uint32_t boundary_count = 0;
    std::uint32_t own_first = 0; ///< where the tiles begin (InteractionArgs)
    bool walls_move = false;
    int slots_per_residue = 0;  ///< entries that a build has room for, of each residue modulo 8
    bool few_particles = false; ///< too few to keep the device busy with one thread each
    float support = 0;          ///< 2h, m
    float cell_side = 0;        ///< R, m
    float fixed_skin = 0;       ///< m; 0: adapts
    GridPeriod period;
};

/// Fluid particles that a device steps, numbered from own_first on: one range and then another. Each begins with a
/// tile, and the first ends with one if the second is not empty.
struct OwnParticles {
    Range first{0, 0}, second{0, 0};

    SLUICE_HD std::uint32_t count() const { return size_of(first) + size_of(second); }
    /// The number of the n-th of them.
    SLUICE_HD std::uint32_t number(std::uint32_t n) const {
        return n < size_of(first) ? first.begin + n : second.begin + (n - size_of(first));
    }
};

/// Whose rates an interaction through lists finds.
struct ListedParticles {
    OwnParticles fluid;
    bool boundary = false; ///< that the device steps
};

/// The largest displacement of fluid and wall against one another after which a wall's neighbours are still in the
/// cells next to its own, m; a little less for rounding.
inline float one_cell_travel(const ListArgs& args) { return 0.9999f * (args.cell_side - args.support); }

/// Measures the displacements and decides whether the lists must be rebuilt; `handle` (if not 0) gets the decision.
void check_lists(const ListArgs& args, unsigned long long handle, cudaStream_t stream);
/// The same on several devices that share a run: each measures, and by the all-reduced maxima all decide the same. A
/// step that needs new lists pauses; `copy`, in memory of the host, receives the control.
void measure_lists(const ListArgs& args, cudaStream_t stream);
void decide_lists_together(const ListArgs& args, const AllMaxima& maxima, Control* copy, cudaStream_t stream);
/// After the particles were sorted: origins, skin, occupied cells and lists anew.
void build_lists(const ListArgs& args, cudaStream_t stream);
/// The part of build_lists() for boundary particles: their places, cells and lists.
void build_body_lists(const ListArgs& args, cudaStream_t stream);
/// The lists of a build that is in the past, from its origins, cells and skin.
void restore_lists(const ListArgs& args, cudaStream_t stream);
/// Interaction through the lists, as launch_interaction, of these particles. It does nothing where it is known already
/// that the lists must be renewed.
void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                             cudaStream_t stream);

} // namespace sluice::cuda
