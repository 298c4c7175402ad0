// SPDX-License-Identifier: Apache-2.0
#include "cpu/pairs/scalar_gather.h"

#include "cpu/pairs/gather_operators.h"
#include "cpu/pairs/scalar_pairs.h"
#include "cpu/particles/lattice.h"
#include "physics/sph/wall_extrapolation.h"

namespace sluice::cpu {

namespace {

template <class Op>
class ScalarGather final : public Gather {
    using Constants = typename Op::template Constants<float>;
    using Sums = float[Op::sum_count];

public:
    explicit ScalarGather(const sph::Constants& c)
        : fluid_(c, sph::PairKind::fluid_fluid, lattice_unit(c)),
          boundary_(c, sph::PairKind::fluid_boundary, lattice_unit(c)) {}

    int sum_count() const override { return Op::sum_count; }

    void sum(const InteractionView& view, const WorkUnit& unit, float* sums) const override {
        const NeighbourRows fluid = rows_of_other_kind(view.rows, view.fluid_begin, unit, {}),
                            boundary = rows_of_other_kind(view.rows, view.boundary_begin, unit, {});
        for_each_particle(view.rows, view.fluid_begin, unit, [&](std::uint32_t i, std::uint32_t x) {
            Sums own{};
            visit(view, i, x, fluid, fluid_, own);
            if constexpr (Op::sees_boundary) visit(view, i, x, boundary, boundary_, own);
            std::copy_n(own, Op::sum_count, sums + std::size_t(i - view.fluid_begin[0]) * Op::sum_count);
        });
    }

private:
    /// Adds the pairs of particle i, whose cell is x, with the particles of the rows.
    static void visit(const InteractionView& view, std::uint32_t i, std::uint32_t x, const NeighbourRows& rows,
                      const Constants& constants, Sums& own) {
        const Record& a = view.records[i];
        const CellsInReach cells(view.rows, x);
        for (int r = 0; r < rows.gathered_count; ++r)
            for (std::uint32_t j = rows.gathered[r][cells.begin]; j < rows.gathered[r][cells.end]; ++j) {
                const Record& b = view.records[j];
                const Separation s(a, b);
                if (s.r2 >= constants.support2) continue;
                Op::add(constants, s.dx, s.dy, s.dz, s.r2, Op::template read<float>(a), Op::template read<float>(b),
                        own);
            }
    }

    Constants fluid_, boundary_;
};

template <class Op>
class ScalarGhostGather final : public GhostGather {
public:
    explicit ScalarGhostGather(const sph::Constants& c) : constants_(c, lattice_unit(c)) {}

    void sum(const InteractionView& view, const RecordRanges& ranges, const Record& node, const std::int32_t* zones,
             float* sums) const override {
        float own[Op::sum_count] = {};
        for (int r = 0; r < ranges.count; ++r)
            for (std::uint32_t j = ranges.begin[r]; j < ranges.end[r]; ++j) {
                const Separation s(node, view.records[j]);
                if (s.r2 < constants_.support2 && !(zones && zones[j - view.fluid_begin[0]] >= 0))
                    Op::add(constants_, s.dx, s.dy, s.dz, s.r2, view.records[j], own);
            }
        std::copy_n(own, Op::sum_count, sums);
    }

private:
    sph::GhostNodeConstants<float> constants_;
};

} // namespace

std::unique_ptr<GhostGather> make_scalar_ghost_gather(bool with_velocity, const sph::Constants& constants) {
    return sph::with_ghost_node(constants.kernel, with_velocity, [&]<class Op>(Op) -> std::unique_ptr<GhostGather> {
        return std::make_unique<ScalarGhostGather<Op>>(constants);
    });
}

std::unique_ptr<Gather> make_scalar_gather(GatherOperator which, const sph::Constants& constants) {
    return with_operator(which, constants, [&]<class Op>(Op) -> std::unique_ptr<Gather> {
        return std::make_unique<ScalarGather<Op>>(constants);
    });
}

} // namespace sluice::cpu
