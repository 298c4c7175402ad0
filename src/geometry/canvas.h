// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "geometry/lattice.h"
#include "geometry/particle_grid.h"
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sluice {

/// A particle that stands off the lattice.
struct FreeParticle {
    Vec3d position;
    std::uint16_t mk = 0;
};

/// The lattice being drawn on, with the brush: which mk, where it may draw, whether it draws at all.
class Canvas {
public:
    /// A node that a particle off the lattice occupies: nothing is stored there, but fills stop at it.
    static constexpr std::uint16_t taken = 65535;

    /// A particle off the lattice takes the node nearest to it and those nearer than this, in units of dp (the
    /// reference generator's value).
    static constexpr double free_reach = 0.75;

    explicit Canvas(const CaseDefinition& definition) : lattice_(definition), grid_(lattice_.count()) {}

    const Lattice& lattice() const { return lattice_; }
    const ParticleGrid& grid() const { return grid_; }
    ParticleGrid& grid() { return grid_; }
    /// Those with mk 0 were removed again.
    const std::vector<FreeParticle>& free_particles() const { return free_; }

    std::uint16_t mk() const { return mk_; }
    void set_mk(std::uint16_t mk) { mk_ = mk; }
    void set_active(bool active) { active_ = active; }
    bool active() const { return active_; }
    void add_clip(const ClipHalfSpace& clip) { clips_.push_back(clip); }
    void clear_clips() { clips_.clear(); }

    /// Takes away all that is drawn.
    void erase();
    /// Draws one node; indices outside the lattice are left out. Particles off the lattice nearer than the
    /// reach, or to which no node is nearer, are gone then.
    void plot(int i, int j, int k);
    void fill_row(int first, int last, int j, int k);
    void fill_box(const IndexBox& box);
    /// Throws InputError if a box has more nodes than can be drawn.
    void check_volume(const IndexBox& box) const;
    /// Draws a particle at an exact place (metres). Those off the lattice nearer than the reach are gone then.
    void plot_free(const Vec3d& position);

    /// Takes the nodes between two corners (m, and the reach beyond) whose distance to a shape off the lattice is
    /// within the reach, for the particles of the shape.
    template <class Distance>
    void take_near(const Vec3d& low, const Vec3d& high, Distance&& distance) {
        if (!active_) return;
        const double reach = free_reach * lattice_.dp();
        const Vec3d margin{reach, reach, reach};
        const IndexBox box = lattice_.nearest_box(low - margin, high + margin);
        if (box.empty()) return;
        check_volume(box);
        for (int k = box.first.z; k <= box.last.z; ++k)
            for (int j = box.first.y; j <= box.last.y; ++j)
                for (int i = box.first.x; i <= box.last.x; ++i)
                    if (const Vec3d p = lattice_.node({i, j, k}); distance(p) <= reach && !clipped(p))
                        grid_.set(i, j, k, mk_ ? taken : std::uint16_t(0));
    }

    /// Nodes of one mk that shapes of another took, while `count_overlaps` was on.
    using Overlaps = std::map<std::pair<std::uint16_t, std::uint16_t>, std::size_t>;
    const Overlaps& overlaps() const { return overlaps_; }
    void count_overlaps(bool count) { count_overlaps_ = count; }

    /// Nodes drawn since the last call of `reset_drawn`.
    std::size_t drawn() const { return drawn_; }
    void reset_drawn() { drawn_ = 0; }

    bool inside(int i, int j, int k) const {
        const Vec3i n = lattice_.count();
        return i >= 0 && j >= 0 && k >= 0 && i < n.x && j < n.y && k < n.z;
    }

private:
    bool clipped(const Vec3d& position) const;
    void note_overlap(int first, int last, int j, int k);
    void remove_near(const Vec3d& position, const Vec3i& near);
    void take_nodes(const Vec3d& position, const Vec3i& near);

    Lattice lattice_;
    ParticleGrid grid_;
    std::vector<FreeParticle> free_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> free_at_; ///< indices into `free_` by nearest node
    std::vector<ClipHalfSpace> clips_;
    std::uint16_t mk_ = 0;
    bool active_ = true;
    std::size_t drawn_ = 0;
    bool count_overlaps_ = false;
    Overlaps overlaps_;
};

} // namespace sluice
