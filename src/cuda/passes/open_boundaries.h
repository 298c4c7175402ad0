// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cuda/data/run_arrays.h"
#include "cuda/data/surface_fractions.h"
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include "cuda/passes/update.h"
#include "model/run_setup.h"
#include "physics/open_zones.h"
#include <tuple>

namespace sluice::cuda {

/// The deepest particle of a column; `id` is Control::no_particle where there is none.
struct alignas(16) ColumnEnd {
    Flow flow;
    std::uint32_t id;
};

/// What the columns of all zones have in them at the end of a step; an entry a point.
struct ColumnArrays {
    unsigned long long* deepest = nullptr; ///< bits of ColumnState::depth, which order like the depths
    unsigned long long* last = nullptr;    ///< id and index of the deepest particle: of equals the smallest id's
    std::uint32_t* entered = nullptr;      ///< whether a particle has just left the column for the domain
    /// Where several devices share a run: the deepest of those that this device steps, and of all. Else null.
    ColumnEnd *own_end = nullptr, *end = nullptr;
};

/// Numbers that one pass over the zones hands to the next.
struct ZoneCounters {
    unsigned extrapolated = 0; ///< particles listed in OpenView::extrapolated
    unsigned found = 0;        ///< particles listed by take_stock
    unsigned left = 0;         ///< taken away in this step
    unsigned made = 0;         ///< created in this step
};

/// What the kernels read and write of the open boundaries.
struct OpenView {
    ZonesView zones;
    ZoneSurface* surfaces = nullptr;             ///< those of `zones`, of which some are found in the fluid
    const ZoneSurface* first_surfaces = nullptr; ///< those of the start
    const int* finding = nullptr;                ///< the zones that find their surface
    int finding_count = 0, most_check_points = 0;
    double height = 0;                     ///< of the domain, m
    double* fractions = nullptr;           ///< of fluid: `most_check_points` for each of those zones
    const std::uint8_t* near = nullptr;    ///< per cell: whether a particle that carries it may be in a zone
    std::int32_t* zone = nullptr;          ///< of each fluid particle as sorted last; −1: none
    std::uint32_t* extrapolated = nullptr; ///< particles that take what their ghost nodes find, in any order
    ZoneCounters* counters = nullptr;
    ColumnArrays columns;
    PassageRecord* passed = nullptr;
    std::uint32_t passed_capacity = 0;
    int point_count = 0;
    std::uint32_t first_id = 0; ///< of created particles
    std::uint32_t capacity = 0; ///< particles that the arrays of the run have room for
    bool keeps_places = false;  ///< a particle that leaves keeps its place in neighbour lists (vacated_places.h)

    SLUICE_HD bool is_shared() const { return columns.end != nullptr; }
};

/// A particle in a zone at the end of a step, and the column that it is in.
struct alignas(16) ZoneFinding {
    double depth; ///< behind the plane, m
    std::uint32_t particle;
    std::int32_t column;
};

/// The sorted fluid, to be written to.
struct ZoneTargets {
    Position* position = nullptr; ///< only the pressure term is written
    Flow* flow = nullptr;
    Flow* previous = nullptr; ///< null: the level before stays
};

/// Fills OpenView::near, and waits for it.
void find_cells_near_zones(const FixedGrid& grid, const GridPeriod& period, const OpenView& open, std::uint8_t* near);

/// Sums the fluid at the check points before the zones that find their surface, for those in this device's rows.
/// `one_cell_travel`: see react_on_bodies().
void look_at_surfaces(const InteractionArgs& args, const OpenView& open, float one_cell_travel, cudaStream_t stream);
/// Copies the sums of another device for the check points in its rows.
void take_surface_fractions(const InteractionArgs& args, const OpenView& open, const FoundFractions& found,
                            cudaStream_t stream);
/// Before an interaction `fraction` into the step: finds the particles in zones among `seen` and sets velocity and
/// density of those that this device steps. `extrapolates`: whether any zone does.
void impose_flow(const InteractionArgs& args, const OpenView& open, const ZoneTargets& to, const Range& seen,
                 double fraction, bool extrapolates, float one_cell_travel, cudaStream_t stream);
/// After the interaction, which sets the rates of particles in zones to zero (InteractionArgs::is_held): sets dρ/dt of
/// the walls of zones to zero. `hold_level`: clears the part of the particles' velocities that is not to move them.
void hold_rates(const InteractionArgs& args, const OpenView& open, const ZoneTargets& to, bool hold_level,
                cudaStream_t stream);
void hold_shifts(const InteractionArgs& args, const OpenView& open, ShiftRecord* shifts, cudaStream_t stream);
/// At the end of a step that has moved the particles: removes those that leave, and finds what the columns hold.
/// `findings`: room for one a particle.
void take_stock(const UpdateArgs& args, const OpenView& open, ZoneFinding* findings, cudaStream_t stream);
/// Then finds the last particle of every column.
void find_last(const UpdateArgs& args, const OpenView& open, const ZoneFinding* findings, cudaStream_t stream);
/// Then appends new particles; in a shared run every device appends all of them (Control::newcomers).
void create_particles(const UpdateArgs& args, const OpenView& open, cudaStream_t stream);

// Combines the results of another device, where this device can read them, with its own.
void join_stock(const Control* control, const OpenView& open, const unsigned long long* deepest,
                const std::uint32_t* entered, cudaStream_t stream);
void join_ends(const Control* control, const OpenView& open, const ColumnEnd* own_end, cudaStream_t stream);

/// Order of passages: by step, those that leave first, by id.
inline std::tuple<std::int64_t, bool, std::uint32_t> passage_order(const ZonePassage& p) {
    return {p.step, p.entered, p.id};
}

/// Open boundaries on the device (physics/open_zones.h). A run without them enqueues nothing.
class OpenBoundaries {
public:
    /// `has_lists`: neighbours are found through lists, which are kept while particles leave.
    OpenBoundaries(const RunSetup& setup, RunArrays& run, bool has_lists);

    /// Before an interaction.
    void look(const InteractionArgs& args, float one_cell_travel, cudaStream_t stream) const {
        if (any()) look_at_surfaces(args, view_, one_cell_travel, stream);
    }
    /// Then; `sorted`: the particles that it reads, of which this device has the fluid `seen`.
    void impose(const InteractionArgs& args, const ParticleArrays& sorted, const Range& seen, double fraction,
                float one_cell_travel, cudaStream_t stream) const {
        if (any())
            impose_flow(args, view_, targets(args, sorted), seen, fraction, extrapolates_, one_cell_travel, stream);
    }
    /// After it.
    void hold(const InteractionArgs& args, const ParticleArrays& sorted, cudaStream_t stream) const {
        if (any()) hold_rates(args, view_, targets(args, sorted), holds_level_, stream);
    }
    /// `shifts`: null where nothing shifts.
    void hold(const InteractionArgs& args, ShiftRecord* shifts, cudaStream_t stream) const {
        if (any() && shifts) hold_shifts(args, view_, shifts, stream);
    }
    // At the end of a step. `spare`: to be written over, and kept from one to the next.
    void count(const UpdateArgs& args, const SpareRecords& spare, cudaStream_t stream) const {
        if (any()) take_stock(args, view_, spare.as<ZoneFinding>(), stream);
    }
    void find_ends(const UpdateArgs& args, const SpareRecords& spare, cudaStream_t stream) const {
        if (any()) find_last(args, view_, spare.as<ZoneFinding>(), stream);
    }
    void create(const UpdateArgs& args, cudaStream_t stream) const {
        if (any()) create_particles(args, view_, stream);
    }

    bool any() const { return view_.zones.zone_count > 0; }
    /// Whether impose() is faster if the view has coarse positions: where the search has them anyway, and in 3-D, where
    /// a ghost node finds so many neighbours that it pays to make them.
    bool wants_coarse_positions() const { return coarse_; }
    /// Of each fluid particle; null without zones.
    const std::int32_t* zone() const { return view_.zone; }
    const OpenView& view() const { return view_; }
    /// Whether the list of what comes and goes may soon be full.
    bool wants_collection(const Control& control) const { return control.passed > view_.passed_capacity / 2; }
    /// RunError if there may not be ids for what the next steps create.
    void expect_ids(const Control& control) const;
    /// Particles that a step may create at most.
    std::uint32_t most_created() const { return static_cast<std::uint32_t>(view_.point_count); }
    /// What has come and gone by the list on the device, in the order of Backend::take_passed(). RunError if the list
    /// was too short for it.
    std::vector<ZonePassage> passed(const Control& control, const Vec3d& domain_min) const;

private:
    static ZoneTargets targets(const InteractionArgs& args, const ParticleArrays& sorted) {
        const bool is_symplectic = args.step.run.integrator == sph::Integrator::symplectic;
        return {sorted.position, sorted.flow, is_symplectic ? nullptr : sorted.previous};
    }

    DeviceArray<OpenZone> zones_;
    DeviceArray<ZoneCell> cells_;
    DeviceArray<Vec3d> points_;
    DeviceArray<ZoneVelocity> velocities_;
    DeviceArray<ZoneSurface> surfaces_, first_surfaces_;
    DeviceArray<VelocityTable> tables_;
    DeviceArray<double> table_numbers_;
    DeviceArray<float> table_values_;
    DeviceArray<int> finding_;
    DeviceArray<double> fractions_;
    DeviceArray<std::uint8_t> near_;
    DeviceArray<std::int32_t> zone_;
    DeviceArray<std::uint32_t> extrapolated_;
    DeviceArray<ZoneCounters> counters_;
    DeviceArray<unsigned long long> deepest_, last_;
    DeviceArray<std::uint32_t> entered_;
    DeviceArray<ColumnEnd> own_end_, end_;
    DeviceArray<PassageRecord> passed_;
    OpenView view_;
    bool extrapolates_ = false, coarse_ = false, holds_level_ = false;
};

} // namespace sluice::cuda
