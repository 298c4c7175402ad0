// SPDX-License-Identifier: Apache-2.0
// The gather for one instruction set: simd_v2.cpp, simd_v3.cpp and simd_v4.cpp include this.
#include "cpu/pairs/gather_operators.h"
#include "cpu/pairs/ghost_gather.h"
#include "cpu/particles/lattice.h"
#include "cpu/simd/pair_search.h"
#include "physics/sph/wall_extrapolation.h"

#include <utility>

namespace sluice::cpu {
inline namespace SLUICE_ISA {

/// Calls `use(dx, dy, dz, r2, neighbour)` with the pairs of a target and the listed neighbours, a pack at a time. Where
/// the last pack has no neighbour (the list goes on with particles that exist) the distance is beyond the support.
template <class Use>
SLUICE_INLINE void for_each_pack(const Record* records, const Record& target, const HitList& hits, float support2,
                                 Use&& use) {
    const IntPack x = broadcast_int(target.x & ~drops_diffusion), y = broadcast_int(target.y),
                  z = broadcast_int(target.z);
    for (int k = 0; k < hits.count; k += Pack::width) {
        const RecordPack p = load_records(records, hits.fourfold + k);
        const Pack dx = difference(x, cleared(p.x, drops_diffusion)), dy = difference(y, p.y), dz = difference(z, p.z);
        const Pack r2 = select(first_lanes(hits.count - k), dx * dx + dy * dy + dz * dz, Pack(4 * support2));
        use(dx, dy, dz, r2, p);
    }
}

/// The sums of two targets over their neighbours of one kind.
template <class Op>
struct GatherLoop {
    using Constants = typename Op::template Constants<float>;
    using Sums = Pack[Op::sum_count];

    const InteractionView& view;
    HitList hits{};

    /// Adds the listed neighbours' terms to the sums of one target. Outside the support they vanish by themselves.
    void add_hits(const Constants& c, const Record& target, Sums& sums) const {
        const auto a = Op::template read<Pack>(target);
        for_each_pack(view.records, target, hits, c.support2,
                      [&](Pack dx, Pack dy, Pack dz, Pack r2, const RecordPack& p) {
                          Op::add(c, dx, dy, dz, r2, a, Op::template read<Pack>(p), sums);
                      });
    }

    void add_hits(const Constants& c, const TargetPair& two, Sums (&sums)[2]) {
        // where the last pack has no neighbour stands a particle that exists
        for (int lane = 0; lane < Pack::width; ++lane) hits.fourfold[hits.count + lane] = 4 * two.i;
        add_hits(c, view.records[two.i], sums[0]);
        if (!two.alone) add_hits(c, view.records[two.i + 1], sums[1]);
        hits.count = 0;
    }

    void visit(const Constants& c, const TargetPair& two, const NeighbourRows& rows, Sums (&sums)[2]) {
        const SearchTargets targets = search_targets(view, two);
        const std::uint16_t* const coordinates[3] = {view.search[0], view.search[1], view.search[2]};
        for (int r = 0; r < rows.gathered_count; ++r) {
            const std::uint32_t end = rows.gathered[r][two.x1 + 1];
            for (std::uint32_t begin = rows.gathered[r][two.x0]; begin < end; begin += HitList::capacity) {
                const std::uint32_t part = end - begin < HitList::capacity ? end - begin : HitList::capacity;
                if (hits.count + static_cast<int>(part) > HitList::capacity) add_hits(c, two, sums);
                hits.count = search(coordinates, targets, begin, begin + part, hits.fourfold, hits.count);
            }
        }
        add_hits(c, two, sums);
    }
};

/// Adds up the lanes of sums, four at a time.
template <int count>
void store_sums(const Pack (&own)[count], float* out) {
    for (int k = 0; k < count; k += 4) {
        const auto at = [&](int n) { return k + n < count ? own[k + n] : Pack(0.0f); };
        const Accumulator four = cpu::sums(at(0), at(1), at(2), at(3));
        const float values[4] = {four.ax, four.ay, four.az, four.rho};
        for (int n = 0; n < 4 && k + n < count; ++n) out[k + n] = values[n];
    }
}

template <class Op>
class SimdGather final : public Gather {
    using Constants = typename Op::template Constants<float>;
    static constexpr int count = Op::sum_count;

public:
    explicit SimdGather(const sph::Constants& c)
        : fluid_(c, sph::PairKind::fluid_fluid, lattice_unit(c)),
          boundary_(c, sph::PairKind::fluid_boundary, lattice_unit(c)) {}

    int sum_count() const override { return count; }

    void sum(const InteractionView& view, const WorkUnit& unit, float* all) const override {
        const NeighbourRows fluid = rows_of_other_kind(view.rows, view.fluid_begin, unit, {}),
                            boundary = rows_of_other_kind(view.rows, view.boundary_begin, unit, {});
        GatherLoop<Op> loop{view};
        for_each_target_pair(view.rows, view.fluid_begin, unit, [&](const TargetPair& two) {
            Pack own[2][count];
            for (int k = 0; k < count; ++k) own[0][k] = own[1][k] = Pack(0.0f);
            loop.visit(fluid_, two, fluid, own);
            if constexpr (Op::sees_boundary) loop.visit(boundary_, two, boundary, own);
            float* const out = all + std::size_t(two.i - view.fluid_begin[0]) * count;
            store_sums(own[0], out);
            if (!two.alone) store_sums(own[1], out + count);
        });
    }

private:
    Constants fluid_, boundary_;
};

template <class Op>
class SimdGhostGather final : public GhostGather {
    static constexpr int count = Op::sum_count;

public:
    explicit SimdGhostGather(const sph::Constants& c) : constants_(c, lattice_unit(c)) {}

    void sum(const InteractionView& view, const RecordRanges& ranges, const Record& node, const std::int32_t* zones,
             float* sums) const override {
        const auto high = [](std::uint32_t a) { return broadcast_short(static_cast<std::uint16_t>(a >> 16)); };
        const NativeInts x = high(node.x), y = high(node.y), z = high(node.z);
        const SearchTargets targets{{x, x}, {y, y}, {z, z}};
        const std::uint16_t* const coordinates[3] = {view.search[0], view.search[1], view.search[2]};
        Pack own[count];
        for (Pack& lanes : own) lanes = Pack(0.0f);
        HitList hits;
        for (int r = 0; r < ranges.count; ++r)
            for (std::uint32_t begin = ranges.begin[r]; begin < ranges.end[r]; begin += HitList::capacity) {
                const std::uint32_t left = ranges.end[r] - begin,
                                    part = left < HitList::capacity ? left : HitList::capacity;
                if (hits.count + static_cast<int>(part) > HitList::capacity) add_hits(view, node, zones, hits, own);
                hits.count = search(coordinates, targets, begin, begin + part, hits.fourfold, hits.count);
            }
        add_hits(view, node, zones, hits, own);
        store_sums(own, sums);
    }

private:
    template <std::size_t... k>
    SLUICE_INLINE static void copy_each(const Pack (&from)[count], Pack (&to)[count], std::index_sequence<k...>) {
        ((to[k] = from[k]), ...);
    }

    /// Adds the listed particles' terms and empties the list. Outside the support they vanish by themselves.
    void add_hits(const InteractionView& view, const Record& node, const std::int32_t* zones, HitList& hits,
                  Pack (&own)[count]) const {
        if (zones) {
            const std::uint32_t first = view.fluid_begin[0];
            int kept = 0;
            for (int k = 0; k < hits.count; ++k) { // without a branch, which would be unpredictable at a zone's plane
                const std::uint32_t fourfold = hits.fourfold[k];
                hits.fourfold[kept] = fourfold;
                kept += zones[fourfold / 4 - first] < 0;
            }
            hits.count = kept;
        }
        // where the last pack has no particle stands one that exists
        for (int lane = 0; lane < Pack::width; ++lane) hits.fourfold[hits.count + lane] = 4 * view.fluid_begin[0];
        Pack lanes[count]; // a copy, which the compiler can keep in registers
        copy_each(own, lanes, std::make_index_sequence<count>());
        for_each_pack(view.records, node, hits, constants_.support2,
                      [&](Pack dx, Pack dy, Pack dz, Pack r2, const RecordPack& p) {
                          Op::add(constants_, dx, dy, dz, r2, p, lanes);
                      });
        copy_each(lanes, own, std::make_index_sequence<count>());
        hits.count = 0;
    }

    sph::GhostNodeConstants<float> constants_;
};

} // namespace SLUICE_ISA
} // namespace sluice::cpu
