// SPDX-License-Identifier: Apache-2.0
// The interaction for one instruction set: simd_v2.cpp, simd_v3.cpp and simd_v4.cpp include this, each compiled for
// its own processor and with its own SLUICE_ISA.
#include "cpu/interaction.h"
#include "cpu/lattice.h"
#include "cpu/neighbour_rows.h"
#include "cpu/simd/pack.h"
#include "cpu/simd/simd_interaction.h"
#include "sph/equation_of_state.h"
#include "sph/pair_rates.h"

namespace sluice::cpu {
inline namespace SLUICE_ISA {

using sph::DensityDiffusion;
using sph::PairKind;
using Constants = sph::PairConstants<float>;
using EquationOfState = sph::EquationOfState<float>;

/// Sums over the neighbours of one particle, lane by lane.
struct TargetSums {
    Pack ax = Pack(0.0f), ay = Pack(0.0f), az = Pack(0.0f), rho = Pack(0.0f), diffusion = Pack(0.0f);
    Pack viscous = Pack(0.0f); ///< largest
    Mask touched = no_lanes(); ///< whether there was any neighbour
};

/// One particle in every lane.
struct Target {
    IntPack x, y, z;
    sph::Side<Pack> side;

    SLUICE_INLINE explicit Target(const Record& p)
        : x(broadcast_int(p.x)), y(broadcast_int(p.y)), z(broadcast_int(p.z)),
          side{Pack(p.vx), Pack(p.vy), Pack(p.vz), Pack(p.rho), Pack(p.pressure_term)} {}
};

/// Two particles whose neighbours are visited together, so that both use what is loaded of a neighbour. A particle
/// without a partner comes twice; the second takes no part.
struct Targets {
    static constexpr int count = 2;
    bool alone;
    Target target[count];
    TargetSums sums[count];
    SearchTargets search;

    SLUICE_INLINE Targets(const Record& a, const Record& b, bool without_partner)
        : alone(without_partner), target{Target(a), Target(b)},
          search{{broadcast_high(a.x), broadcast_high(b.x)},
                 {broadcast_high(a.y), broadcast_high(b.y)},
                 {broadcast_high(a.z), broadcast_high(b.z)}} {}

private:
    SLUICE_INLINE static NativeInts broadcast_high(std::uint32_t a) { return broadcast_short(static_cast<std::uint16_t>(a >> 16)); }
};

/// What the neighbours' side of a pack of pairs sums up to.
struct NeighbourSums {
    Pack ax, ay, az, rho, diffusion, viscous;
};

/// Candidates that a search has found for a pair of targets.
struct HitList {
    static constexpr int capacity = 1024;
    int count = 0;
    alignas(64) std::uint32_t fourfold[capacity + 64]; ///< index × 4, which addresses both records and rates
};

/// One kind of pair in one formulation.
template <class F, PairKind Kind>
struct PairLoop {
    static constexpr bool has_diffusion = F::diffusion != DensityDiffusion::none;

    const Constants& constants;
    const EquationOfState& eos;
    const InteractionView& view;
    Pack speed = Pack(0.0f); ///< largest c_b + |h v·r/(r²+η²)| of the neighbours written to

    /// One pack of neighbours with one target.
    SLUICE_INLINE static void add_pairs(const Constants& c, const Target& a, TargetSums& own, Mask valid, const RecordPack& p, const sph::Side<Pack>& b,
                                 NeighbourSums& other) {
        const Pack dx = difference(a.x, p.x), dy = difference(a.y, p.y), dz = difference(a.z, p.z);
        const Pack support2 = Pack(c.support2);
        const Pack r2 = select(valid, dx * dx + dy * dy + dz * dz, support2);
        const Mask in_reach = less(r2, support2);
        // outside the support every term but `viscous` vanishes by itself
        const auto pair = sph::pair_rates<F>(c, dx, dy, dz, r2, a.side, b);
        const Pack viscous = zero_unless(in_reach, pair.viscous);
        const Pack ax = pair.acceleration * dx, ay = pair.acceleration * dy, az = pair.acceleration * dz;
        own.ax += ax;
        own.ay += ay;
        own.az += az;
        own.rho += pair.density;
        own.viscous = maximum(own.viscous, viscous);
        other.ax += ax;
        other.ay += ay;
        other.az += az;
        other.rho += pair.density;
        if constexpr (has_diffusion) {
            own.diffusion += pair.diffusion_a;
            other.diffusion += pair.diffusion_b;
        }
        if constexpr (Kind == PairKind::fluid_fluid) other.viscous = maximum(other.viscous, viscous);
        else own.touched = either(own.touched, in_reach);
    }

    /// Adds a pack of sums to the rates of the listed neighbours.
    SLUICE_INLINE void share(const std::uint32_t* list, const RecordPack& p, NeighbourSums& sums) {
        if constexpr (has_diffusion) sums.rho += zero_unless(without_bits(p.x, drops_diffusion), sums.diffusion);
        if constexpr (Kind == PairKind::fluid_fluid) { // equal masses
            speed = maximum(speed, eos.sound_speed_7(p.rho) + sums.viscous);
            add_to_rates(view.rates, list, -sums.ax, -sums.ay, -sums.az, sums.rho);
        } else {
            const Pack ratio = Pack(constants.mass_ratio);
            add_to_rates(view.rates, list, -(ratio * sums.ax), -(ratio * sums.ay), -(ratio * sums.az), ratio * sums.rho);
        }
    }

    /// All pairs of a hit list, which is empty then. `Shared`: the neighbours' rates are written too. `filler` is a
    /// particle whose rates this thread may write: it stands where the last pack has no neighbour.
    template <bool Shared>
    __attribute__((noinline)) void add_list(Targets& targets, HitList& hits, std::uint32_t filler) {
        for (int lane = 0; lane < Pack::width; ++lane) hits.fourfold[hits.count + lane] = 4 * filler;
        // copies, which the compiler need not read again after every store to the rates
        const Constants c = constants;
        const Target a0 = targets.target[0], a1 = targets.target[1];
        TargetSums own0 = targets.sums[0], own1 = targets.sums[1];
        const int partner_count = targets.alone ? 0 : hits.count;
        NeighbourSums outs[HitList::capacity / Pack::width];
        RecordPack staged[HitList::capacity / Pack::width];
        for (int k = 0; k < hits.count; k += Pack::width) staged[k / Pack::width] = load_records(view.records, hits.fourfold + k);
        for (int k = 0; k < hits.count; k += Pack::width) {
            const Mask valid0 = first_lanes(hits.count - k), valid1 = first_lanes(partner_count - k);
            const RecordPack p = staged[k / Pack::width];
            const sph::Side<Pack> b{p.vx, p.vy, p.vz, p.rho, p.pressure_term};
            NeighbourSums other{Pack(0.0f), Pack(0.0f), Pack(0.0f), Pack(0.0f), Pack(0.0f), Pack(0.0f)};
            add_pairs(c, a0, own0, valid0, p, b, other);
            add_pairs(c, a1, own1, valid1, p, b, other);
            if constexpr (Shared) outs[k / Pack::width] = other;
        }
        if constexpr (Shared)
            for (int k = 0; k < hits.count; k += Pack::width) share(hits.fourfold + k, staged[k / Pack::width], outs[k / Pack::width]);
        targets.sums[0] = own0;
        targets.sums[1] = own1;
        hits.count = 0;
    }

    /// Searches records begin … end−1 and adds pairs whenever the list is full.
    template <bool Shared>
    SLUICE_INLINE void visit(Targets& targets, HitList& hits, std::uint32_t begin, std::uint32_t end, std::uint32_t filler) {
        while (begin < end) {
            const std::uint32_t part_end = end - begin <= HitList::capacity ? end : begin + HitList::capacity;
            if (hits.count + static_cast<int>(part_end - begin) > HitList::capacity) add_list<Shared>(targets, hits, filler);
            hits.count = search(view.search, targets.search, begin, part_end, hits.fourfold, hits.count);
            begin = part_end;
        }
    }

    /// Pairs with the particles in cells x0 … x1 of the given rows.
    template <bool Shared>
    SLUICE_INLINE void visit_rows(Targets& targets, HitList& hits, const std::uint32_t* const* rows, int count,
                                  std::uint32_t x0, std::uint32_t x1, std::uint32_t filler) {
        for (int r = 0; r < count; ++r) visit<Shared>(targets, hits, rows[r][x0], rows[r][x1 + 1], filler);
        if (hits.count > 0) add_list<Shared>(targets, hits, filler);
    }
};

/// Particles i and i+1 of a row, or i alone, and the cells that they are in.
struct Two {
    std::uint32_t i;
    bool alone;
    std::uint32_t cell, partner_cell;
    std::uint32_t x0, x1; ///< first and last cell of each row to search
};

/// Calls `use(two)` for the particles of a unit two by two.
template <class Use>
SLUICE_INLINE void for_each_two(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit, Use&& use) {
    const std::uint32_t* const cell = cells_of(rows, begin, unit.row);
    const auto reach = static_cast<std::uint32_t>(rows.reach), last = static_cast<std::uint32_t>(rows.count_x) - 1;
    const std::uint32_t end = cell[unit.x_end];
    std::uint32_t x = unit.x_begin;
    for (std::uint32_t i = cell[x]; i < end;) {
        while (cell[x + 1] <= i) ++x;
        Two two{i, i + 1 == end, x, x, x < reach ? 0 : x - reach, 0};
        if (!two.alone) {
            // coordinates tell particles apart up to four times the support radius: partners are in the same cell,
            // or next to each other where cells are half as large
            while (two.partner_cell < x + reach && cell[two.partner_cell + 1] <= i + 1) ++two.partner_cell;
            two.alone = two.partner_cell == x + reach;
            if (two.alone) two.partner_cell = x;
        }
        two.x1 = two.partner_cell + reach > last ? last : two.partner_cell + reach;
        use(two);
        i += two.alone ? 1 : 2;
    }
}

template <class F>
class SimdInteraction final : public Interaction {
    using Wall = sph::Formulation<typename F::Kernel, DensityDiffusion::none, F::any_gamma>;

public:
    explicit SimdInteraction(const sph::Constants& c)
        : diffusion_(c.diffusion), eos_(c), fluid_(in_lattice_units(c), PairKind::fluid_fluid),
          wall_(in_lattice_units(c), PairKind::fluid_boundary), boundary_(in_lattice_units(c), PairKind::boundary_fluid) {}

    float fluid_boundary(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        const NeighbourRows rows = rows_of_other_kind(view.rows, view.boundary_begin, unit.row, own);
        const std::uint8_t* const near_boundary = view.near_boundary + std::size_t(unit.row) * static_cast<std::uint32_t>(view.rows.count_x);
        PairLoop<Wall, PairKind::fluid_boundary> loop{wall_, eos_, view};
        HitList hits;
        float speed = 0;
        for_each_two(view.rows, view.fluid_begin, unit, [&](const Two& two) {
            if (!near_boundary[two.cell] && !near_boundary[two.partner_cell]) return;
            Targets t(view.records[two.i], view.records[two.i + !two.alone], two.alone);
            loop.template visit_rows<true>(t, hits, rows.shared, rows.shared_count, two.x0, two.x1, two.i);
            loop.template visit_rows<false>(t, hits, rows.gathered, rows.gathered_count, two.x0, two.x1, two.i);
            for (int k = 0; k < (two.alone ? 1 : 2); ++k) {
                if (!any(t.sums[k].touched)) continue;
                if (!sph::keeps_diffusion(diffusion_, true)) view.records[two.i + k].x |= drops_diffusion;
                speed = sph::maximum(speed, finish(view, t.sums[k], two.i + k));
            }
        });
        return speed;
    }

    float fluid_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        const NeighbourRows rows = rows_of_same_kind(view.rows, view.fluid_begin, unit.row, own);
        const std::uint32_t* const own_row = own.has(unit.row) ? cells_of(view.rows, view.fluid_begin, unit.row) : nullptr;
        PairLoop<F, PairKind::fluid_fluid> loop{fluid_, eos_, view};
        HitList hits;
        float speed = 0;
        for_each_two(view.rows, view.fluid_begin, unit, [&](const Two& two) {
            Targets t(view.records[two.i], view.records[two.i + !two.alone], two.alone);
            if (own_row) loop.template visit<true>(t, hits, two.i + 1, own_row[two.x1 + 1], two.i);
            loop.template visit_rows<true>(t, hits, rows.shared, rows.shared_count, two.x0, two.x1, two.i);
            loop.template visit_rows<false>(t, hits, rows.gathered, rows.gathered_count, two.x0, two.x1, two.i);
            for (int k = 0; k < (two.alone ? 1 : 2); ++k) speed = sph::maximum(speed, finish(view, t.sums[k], two.i + k));
        });
        return sph::maximum(speed, largest(loop.speed));
    }

    void boundary_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        const NeighbourRows rows = rows_of_other_kind(view.rows, view.fluid_begin, unit.row, own);
        PairLoop<Wall, PairKind::boundary_fluid> loop{boundary_, eos_, view};
        HitList hits;
        for_each_two(view.rows, view.boundary_begin, unit, [&](const Two& two) {
            Targets t(view.records[two.i], view.records[two.i + !two.alone], two.alone);
            loop.template visit_rows<false>(t, hits, rows.gathered, rows.gathered_count, two.x0, two.x1, two.i);
            for (int k = 0; k < (two.alone ? 1 : 2); ++k) {
                const TargetSums& sum = t.sums[k];
                view.rates[two.i + k].rho += sums(sum.ax, sum.ay, sum.az, sum.rho).rho;
            }
        });
    }

private:
    /// Adds the sums of a target to the rates of particle i; returns its c_a + max|h v·r/(r²+η²)|.
    SLUICE_INLINE float finish(const InteractionView& view, const TargetSums& t, std::uint32_t i) const {
        const bool keeps = !(view.records[i].x & drops_diffusion);
        const Accumulator sum = sums(t.ax, t.ay, t.az, keeps ? t.rho + t.diffusion : t.rho);
        Accumulator& rate = view.rates[i];
        rate.ax += sum.ax;
        rate.ay += sum.ay;
        rate.az += sum.az;
        rate.rho += sum.rho;
        return eos_.sound_speed(view.records[i].rho) + largest(t.viscous);
    }

    DensityDiffusion diffusion_;
    EquationOfState eos_;
    Constants fluid_, wall_, boundary_;
};

template <class K>
Interaction* make_simd_interaction(const sph::Constants& constants) {
    using enum DensityDiffusion;
    switch (constants.diffusion) {
    case molteni: return new SimdInteraction<sph::Formulation<K, molteni>>(constants);
    case fourtakas:
    case fourtakas_full: return new SimdInteraction<sph::Formulation<K, fourtakas>>(constants);
    case none: break;
    }
    return new SimdInteraction<sph::Formulation<K, none>>(constants);
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu
