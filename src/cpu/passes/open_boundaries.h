// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cpu/passes/ghost_sums.h"
#include "cpu/passes/update.h"
#include "cpu/passes/zone_cells.h"
#include "cpu/subdomains/halo.h"
#include "physics/open_zones.h"
#include <memory>
#include <vector>

namespace sluice::cpu {

/// Open boundaries (physics/open_zones.h): imposes velocity and density on the fluid in zones, and at the end of a step
/// removes particles and creates others. Each of several ranks imposes them on its own particles and on ghosts, creates
/// all new particles, and removes its own.
class OpenBoundaries {
public:
    OpenBoundaries(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                   Halo& halo);

    /// Ids given since the start of the run.
    void set_created(std::uint32_t created) { created_ = created; }
    std::uint32_t created() const { return created_; }

    /// Before an interaction, of particles sorted by cell: finds the particles in zones, and writes their velocity and
    /// density at `time` to their state and records, and to the level before, but with symplectic steps, which keep the
    /// begin of the step there. Returns the work of that on this rank's particles in units of `work_unit`, J/kg.
    std::int64_t impose(const InteractionView& view, std::uint32_t boundary_count, SortedGroup& fluid, double time,
                        double work_unit);
    /// Sets the rates of the particles in zones after an interaction: no acceleration, and no change of the density of
    /// the walls of zones. Clears the part of the particles' velocities that is not to move them. `part`: the rates
    /// that the interaction found; `rates`: of all particles, the walls first. Returns the work of that over a step of
    /// `dt` (s) on this rank's particles, likewise.
    std::int64_t hold(sph::RatesPart part, const SortedGroup& walls, SortedGroup& fluid, Accumulator* rates, double dt,
                      double work_unit) const;
    /// The zone that each fluid particle was in when they were sorted last, ghosts too; −1: none.
    const std::int32_t* zones() const { return zone_.data(); }
    /// Nothing shifts them, either.
    void hold_shifts(Vec3f* shifts) const;
    /// At the end of a step that has taken the fluid to `clock.time`, not yet sorted again.
    void pass(SortedGroup& fluid, const StageClock& clock);

    /// This rank's particles that have entered and left.
    std::vector<ZonePassage>& passed() { return passed_; }

private:
    /// Surfaces of zones that find theirs, in the sorted fluid as it is.
    void find_surfaces(std::uint32_t boundary_count, const SortedGroup& fluid);
    ZonePlace place_before(const SortedGroup& fluid, std::uint32_t i) const;
    bool writes_level_before() const { return setup_.constants.integrator != sph::Integrator::symplectic; }
    bool is_own(const SortedGroup& fluid, std::uint32_t i) const;
    void find_zones(std::uint32_t boundary_count, const SortedGroup& fluid);
    std::vector<float> ghost_sums(const InteractionView& view, const SortedGroup& fluid);
    void take_stock(SortedGroup& fluid, const StageClock& clock);
    void share_columns();
    void create(SortedGroup& fluid, const StageClock& clock);
    ZonePassage passage(std::uint32_t id, const Vec3d& position, const Flow& flow, bool entered,
                        const StageClock& clock) const;

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    GhostSums ghosts_;
    std::vector<ZoneSurface> surfaces_; ///< of all zones; those that are found: of the last interaction
    ZonesView open_;
    ZoneCells cells_;
    std::vector<IndexRange> near_;   ///< what was in them when they were sorted last
    std::vector<std::int32_t> zone_; ///< of each fluid particle as sorted last; −1: none
    /// A fluid particle in a zone, a ghost or not.
    struct Inside {
        std::uint32_t particle;
        std::uint32_t node; ///< number of its ghost node, if its zone extrapolates
        bool is_own;        ///< of this rank, and no image
    };
    std::vector<Inside> inside_;
    std::uint32_t node_count_ = 0; ///< ghost nodes of these

    /// The last particle of a column and what has happened in it.
    struct Column {
        double deepest = 0;
        Flow flow;            ///< of the deepest
        std::uint32_t id = 0; ///< its id, which decides between equals
        bool entered = false;

        /// Combines two parts of the column.
        void add(const Column& part);
    };
    std::vector<Column> columns_; ///< of all points
    std::uint32_t created_ = 0;
    std::vector<ZonePassage> passed_;
};

/// None: the run has no open boundaries.
std::unique_ptr<OpenBoundaries> make_open_boundaries(const std::string& simd, const RunSetup& setup, const Space& space,
                                                     const ThreadCount& threads, Halo& halo);

} // namespace sluice::cpu
