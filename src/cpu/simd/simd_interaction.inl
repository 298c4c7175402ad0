// SPDX-License-Identifier: Apache-2.0
// The interaction for one instruction set: simd_v2.cpp, simd_v3.cpp, simd_v4.cpp and simd_neon.cpp include this, each
// compiled for its own processor and with its own SLUICE_ISA.
#include "cpu/particles/interaction.h"
#include "cpu/particles/lattice.h"
#include "cpu/simd/pair_search.h"
#include "cpu/simd/simd_interaction.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"

namespace sluice::cpu {
inline namespace SLUICE_ISA {

using sph::DensityDiffusion;
using sph::PairKind;
using Constants = sph::PairConstants<float>;
using EquationOfState = sph::EquationOfState<float>;

// Of tables by phases (physics/sph/phase_pairs.h); all lanes of `a` have one phase.
SLUICE_INLINE Pack phase_entry(const float* table, IntPack phase) { return entry_of_eight(table, phase); }
SLUICE_INLINE Pack phase_entry(const float* table, IntPack a, IntPack b) {
    return entry_of_eight(table + (first_lane(a) & phase_bits) * phases, b);
}
SLUICE_INLINE Pack where_same_phase(IntPack a, IntPack b, Pack value) {
    return zero_unless(without_bits(differing(a, b), phase_bits), value);
}

/// What the pair formula F reads of a side. The lowest bits of z are its phase; they are too small a part of z to
/// change a distance.
template <class F>
SLUICE_INLINE auto side_for(const sph::Side<Pack>& side, IntPack z) {
    if constexpr (F::general)
        return sph::PhasedSide<Pack, IntPack>{side, z};
    else
        return side;
}

/// One particle in every lane.
struct Target {
    IntPack x, y, z;
    sph::Side<Pack> side;

    SLUICE_INLINE explicit Target(const Record& p)
        : x(broadcast_int(p.x & ~drops_diffusion)), y(broadcast_int(p.y)),
          z(broadcast_int(p.z)), side{Pack(p.vx), Pack(p.vy), Pack(p.vz), Pack(p.rho), Pack(p.pressure_term)} {}
};

/// Sums over the neighbours of one particle, lane by lane.
struct TargetSums {
    Pack ax = Pack(0.0f), ay = Pack(0.0f), az = Pack(0.0f), rho = Pack(0.0f), diffusion = Pack(0.0f);
    Pack viscous = Pack(0.0f); ///< largest
    Mask touched = no_lanes(); ///< whether there was any neighbour
};

/// What the neighbours' side of a pack of pairs sums up to.
struct NeighbourSums {
    Pack ax, ay, az, rho, diffusion, viscous;
};

/// What all pairs of a run share.
struct PairSettings {
    EquationOfState eos;
    DensityDiffusion diffusion;
    bool has_fluids; ///< several, of which `eos` has the greatest speed of sound

    /// Speed of sound for the time step.
    template <class F, class Real>
    SLUICE_INLINE Real sound_speed(Real rho) const {
        if constexpr (F::general)
            if (has_fluids) return Real(eos.c0);
        return eos.sound_speed_7(rho);
    }
};

/// One kind of pair in one formulation.
template <class F, PairKind Kind>
struct PairLoop {
    static constexpr int packs_capacity = HitList::capacity / Pack::width;
    static constexpr bool has_diffusion = F::diffuses;
    static constexpr bool is_laminar = F::laminar && F::of_velocity;

    PairLoop(const Constants& all_constants, const PairSettings& all_settings, const InteractionView& all_particles)
        : constants(all_constants), settings(all_settings), view(all_particles) {}

    const Constants& constants;
    const PairSettings& settings;
    const InteractionView& view;
    float own_speed = 0;            ///< largest c_a + |h v·r/(r²+η²)| of the targets
    Pack shared_speed = Pack(0.0f); ///< and of the neighbours written to
    HitList hits;

    /// One pack of neighbours with one target.
    SLUICE_INLINE static void add_pairs(const Constants& c, const Target& a, TargetSums& own, Mask valid,
                                        const RecordPack& p, NeighbourSums& other) {
        const auto b = side_for<F>({p.vx, p.vy, p.vz, p.rho, p.pressure_term}, p.z);
        const Pack dx = difference(a.x, cleared(p.x, drops_diffusion)), dy = difference(a.y, p.y),
                   dz = difference(a.z, p.z);
        const Pack support2 = Pack(c.support2);
        const Pack r2 = select(valid, dx * dx + dy * dy + dz * dz, support2);
        const Mask in_reach = less(r2, support2);
        // outside the support every term but `viscous` vanishes by itself
        const auto pair = sph::pair_rates<F>(c, dx, dy, dz, r2, side_for<F>(a.side, a.z), b);
        if constexpr (F::of_velocity) {
            Pack ax = pair.acceleration * dx, ay = pair.acceleration * dy, az = pair.acceleration * dz;
            if constexpr (is_laminar) {
                ax += pair.friction * (a.side.vx - b.vx);
                ay += pair.friction * (a.side.vy - b.vy);
                az += pair.friction * (a.side.vz - b.vz);
            }
            own.ax += ax;
            own.ay += ay;
            own.az += az;
            other.ax += ax;
            other.ay += ay;
            other.az += az;
            const Pack viscous = zero_unless(in_reach, pair.viscous);
            own.viscous = maximum(own.viscous, viscous);
            if constexpr (Kind == PairKind::fluid_fluid) other.viscous = maximum(other.viscous, viscous);
        }
        if constexpr (F::of_density) {
            own.rho += pair.density_a;
            other.rho += pair.density_b;
        }
        if constexpr (has_diffusion) {
            own.diffusion += pair.diffusion_a;
            other.diffusion += pair.diffusion_b;
        }
        if constexpr (Kind != PairKind::fluid_fluid) own.touched = either(own.touched, in_reach);
    }

    /// Adds a pack of sums to the rates of the listed neighbours.
    SLUICE_INLINE void add_reactions(const std::uint32_t* list, const RecordPack& p, NeighbourSums& sum) {
        if constexpr (has_diffusion) sum.rho += zero_unless(without_bits(p.x, drops_diffusion), sum.diffusion);
        if constexpr (Kind == PairKind::fluid_fluid) { // equal masses
            if constexpr (F::of_velocity)
                shared_speed = maximum(shared_speed, settings.template sound_speed<F>(p.rho) + sum.viscous);
            add_to_rates(view.rates, list, -sum.ax, -sum.ay, -sum.az, sum.rho);
        } else {
            const Pack ratio = Pack(constants.mass_ratio);
            add_to_rates(view.rates, list, -(ratio * sum.ax), -(ratio * sum.ay), -(ratio * sum.az), ratio * sum.rho);
        }
    }

    /// Adds the sums of target i to its rates.
    SLUICE_INLINE void finish(std::uint32_t i, const TargetSums& own) {
        if constexpr (Kind != PairKind::fluid_fluid)
            if (!any(own.touched)) return;
        Record& record = view.records[i];
        if constexpr (Kind == PairKind::fluid_boundary)
            if (!sph::keeps_diffusion(settings.diffusion, true)) record.x |= drops_diffusion;
        const bool keeps = has_diffusion && !(record.x & drops_diffusion);
        const Accumulator sum = sums(own.ax, own.ay, own.az, keeps ? own.rho + own.diffusion : own.rho);
        Accumulator& rate = view.rates[i];
        rate.rho += sum.rho;
        rate.ax += sum.ax;
        rate.ay += sum.ay;
        rate.az += sum.az;
        if constexpr (Kind != PairKind::boundary_fluid && F::of_velocity) {
            own_speed = sph::maximum(own_speed, settings.template sound_speed<F>(record.rho) + largest(own.viscous));
        }
    }

    /// All pairs of the two targets with the neighbours in the hit list, which is empty then. `Shared`: the neighbours'
    /// rates are written too. Three passes, each with short chains of dependent operations: load, compute, add.
    template <bool Shared>
    __attribute__((noinline)) void add_hits(const TargetPair& two) {
        // where the last pack has no neighbour stands a particle whose rates this thread may write
        for (int lane = 0; lane < Pack::width; ++lane) hits.fourfold[hits.count + lane] = 4 * two.i;
        const int packs = (hits.count + Pack::width - 1) / Pack::width;
        RecordPack neighbours[packs_capacity];
        NeighbourSums shares[packs_capacity];
        for (int k = 0; k < packs; ++k) neighbours[k] = load_records(view.records, hits.fourfold + k * Pack::width);

        const Constants c = constants; // a copy, which the compiler can keep in registers
        const Target a0(view.records[two.i]), a1(view.records[two.i + !two.alone]);
        const int partner_count = two.alone ? 0 : hits.count;
        TargetSums own0, own1;
        for (int k = 0; k < packs; ++k) {
            NeighbourSums other{Pack(0.0f), Pack(0.0f), Pack(0.0f), Pack(0.0f), Pack(0.0f), Pack(0.0f)};
            add_pairs(c, a0, own0, first_lanes(hits.count - k * Pack::width), neighbours[k], other);
            add_pairs(c, a1, own1, first_lanes(partner_count - k * Pack::width), neighbours[k], other);
            if constexpr (Shared) shares[k] = other;
        }
        if constexpr (Shared)
            for (int k = 0; k < packs; ++k) add_reactions(hits.fourfold + k * Pack::width, neighbours[k], shares[k]);
        finish(two.i, own0);
        if (!two.alone) finish(two.i + 1, own1);
        hits.count = 0;
    }

    /// Searches records begin … end−1 part by part and adds the pairs whenever the list is full.
    template <bool Shared>
    __attribute__((noinline)) int search_long(const TargetPair& two, const SearchTargets& targets, std::uint32_t begin,
                                              std::uint32_t end, int count) {
        for (; begin < end; begin += HitList::capacity) {
            hits.count = count;
            if (count > 0) add_hits<Shared>(two);
            const std::uint32_t part = end - begin < HitList::capacity ? end - begin : HitList::capacity;
            count = search(view.search, targets, begin, begin + part, hits.fourfold, 0);
        }
        return count;
    }

    /// All pairs with the particles in cells x0 … x1 of the rows, after those already in the list.
    template <bool Shared>
    SLUICE_INLINE void visit_rows(const TargetPair& two, const SearchTargets& all_targets,
                                  const std::uint32_t* const* rows, int row_count) {
        const SearchTargets targets = all_targets; // copies, which the compiler can keep in registers
        const std::uint16_t* const coordinates[3] = {view.search[0], view.search[1], view.search[2]};
        const std::size_t x0 = two.x0, x_end = two.x1 + 1;
        int count = hits.count;
        for (int r = 0; r < row_count; ++r) {
            const std::uint32_t begin = rows[r][x0], end = rows[r][x_end];
            if (count + static_cast<int>(end - begin) <= HitList::capacity) [[likely]]
                count = search(coordinates, targets, begin, end, hits.fourfold, count);
            else
                count = search_long<Shared>(two, targets, begin, end, count);
        }
        hits.count = count;
        if (count > 0) add_hits<Shared>(two);
    }

    /// All pairs with the particles in the rows around. `own_row`: where the row of the targets itself is shared, the
    /// first record of each of its cells.
    SLUICE_INLINE void visit(const TargetPair& two, const NeighbourRows& rows, const std::uint32_t* own_row) {
        const SearchTargets targets = search_targets(view, two);
        if (own_row) hits.count = search_long<true>(two, targets, two.i + 1, own_row[two.x1 + 1], 0);
        if (own_row || rows.shared_count > 0) visit_rows<true>(two, targets, rows.shared, rows.shared_count);
        if (rows.gathered_count > 0) visit_rows<false>(two, targets, rows.gathered, rows.gathered_count);
    }

    float speed() const { return sph::maximum(own_speed, largest(shared_speed)); }
};

template <class F>
class SimdInteraction final : public Interaction {
    using Wall = typename F::AtWall;

public:
    SimdInteraction(const sph::Constants& c, const Fluids& fluids)
        : settings_{EquationOfState(fastest_constants(c, fluids)), c.diffusion, !fluids.empty()},
          pairs_(c, fluids, lattice_unit(c)) {}

    float fluid_boundary(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        const NeighbourRows rows = rows_of_other_kind(view.rows, view.boundary_begin, unit, own);
        const std::uint8_t* const near_boundary =
            view.near_boundary + std::size_t(unit.row) * static_cast<std::uint32_t>(view.rows.count_x);
        PairLoop<Wall, PairKind::fluid_boundary> loop(pairs_.wall, settings_, view);
        for_each_target_pair(view.rows, view.fluid_begin, unit, [&](const TargetPair& two) {
            if (near_boundary[two.cell] || near_boundary[two.partner_cell]) loop.visit(two, rows, nullptr);
        });
        return loop.speed();
    }

    float fluid_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        const NeighbourRows rows = rows_of_same_kind(view.rows, view.fluid_begin, unit, own);
        const std::uint32_t* const own_row =
            own.has(unit.row) ? cells_of(view.rows, view.fluid_begin, unit.row) : nullptr;
        PairLoop<F, PairKind::fluid_fluid> loop(pairs_.fluid, settings_, view);
        for_each_target_pair(view.rows, view.fluid_begin, unit,
                             [&](const TargetPair& two) { loop.visit(two, rows, own_row); });
        return loop.speed();
    }

    void boundary_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        NeighbourRows rows = rows_of_other_kind(view.rows, view.fluid_begin, unit, own);
        rows.shared_count = 0; // pairs inside the own rows are the fluid's to compute
        PairLoop<Wall, PairKind::boundary_fluid> loop(pairs_.boundary, settings_, view);
        if (rows.gathered_count > 0)
            for_each_target_pair(view.rows, view.boundary_begin, unit,
                                 [&](const TargetPair& two) { loop.visit(two, rows, nullptr); });
    }

private:
    PairSettings settings_;
    sph::PairsOfRun<float> pairs_;
};

template <class K>
Interaction* make_simd_interaction(const sph::Constants& constants, const Fluids& fluids, sph::RatesPart part) {
    return sph::with_formulation_of<K>(
        constants, part, [&]<class F>(F) -> Interaction* { return new SimdInteraction<F>(constants, fluids); });
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu
