// SPDX-License-Identifier: Apache-2.0
#include "cpu/pairs/scalar_interaction.h"

#include "cpu/pairs/scalar_pairs.h"
#include "cpu/particles/lattice.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

using sph::DensityDiffusion;
using sph::PairKind;
using Constants = sph::PairConstants<float>;
using EquationOfState = sph::EquationOfState<float>;

/// What the pair formula F reads of a particle. The lowest bits of z are its phase; they are too small a part of z to
/// change a distance.
template <class F>
auto side(const Record& p) {
    const sph::Side<float> side{p.vx, p.vy, p.vz, p.rho, p.pressure_term};
    if constexpr (F::general)
        return sph::PhasedSide<float>{side, p.z};
    else
        return side;
}
bool keeps_diffusion(const Record& p) { return !(p.x & drops_diffusion); }

/// Sums over the neighbours of one particle.
struct Sums {
    Accumulator rates{};
    float diffusion = 0;
    float viscous = 0; ///< largest
    bool touched = false;
};

/// Speeds of sound for the time step: the greatest of several fluids.
struct SoundSpeed {
    EquationOfState eos;
    bool has_fluids;

    SoundSpeed(const sph::Constants& c, const Fluids& fluids)
        : eos(fastest_constants(c, fluids)), has_fluids(!fluids.empty()) {}
    float operator()(float rho) const { return has_fluids ? eos.c0 : eos.sound_speed(rho); }
};

/// One kind of pair in one formulation.
template <class F, PairKind Kind>
struct PairLoop {
    static constexpr bool is_laminar = F::laminar && F::of_velocity;
    const Constants& constants;
    const SoundSpeed& sound;
    const InteractionView& view;
    float speed = 0; ///< largest c_b + |h v·r/(r²+η²)| of the neighbours written to

    void add_reaction(std::uint32_t j, const Separation& s, const Vec3f& v, const sph::PairRates<float>& pair) {
        const Record& b = view.records[j];
        Accumulator& rate = view.rates[j];
        if constexpr (F::of_velocity) {
            const float factor = constants.mass_ratio * pair.acceleration;
            rate.ax -= factor * s.dx;
            rate.ay -= factor * s.dy;
            rate.az -= factor * s.dz;
        }
        if constexpr (is_laminar) {
            const float friction = constants.mass_ratio * pair.friction;
            rate.ax -= friction * v.x;
            rate.ay -= friction * v.y;
            rate.az -= friction * v.z;
        }
        if constexpr (F::of_density)
            rate.rho +=
                constants.mass_ratio * (keeps_diffusion(b) ? pair.density_b + pair.diffusion_b : pair.density_b);
        if constexpr (Kind == PairKind::fluid_fluid) speed = std::max(speed, sound(b.rho) + pair.viscous);
    }

    /// Pairs of particle i with records begin … end−1. `Shared`: the neighbours' rates are written too.
    template <bool Shared>
    void visit(std::uint32_t i, Sums& sums, std::uint32_t begin, std::uint32_t end) {
        const Record& a = view.records[i];
        for (std::uint32_t j = begin; j < end; ++j) {
            const Record& b = view.records[j];
            const Separation s(a, b);
            if (s.r2 >= constants.support2) continue;
            const auto pair = sph::pair_rates<F>(constants, s.dx, s.dy, s.dz, s.r2, side<F>(a), side<F>(b));
            if constexpr (F::of_velocity) {
                sums.rates.ax += pair.acceleration * s.dx;
                sums.rates.ay += pair.acceleration * s.dy;
                sums.rates.az += pair.acceleration * s.dz;
            }
            const Vec3f v{a.vx - b.vx, a.vy - b.vy, a.vz - b.vz};
            if constexpr (is_laminar) {
                sums.rates.ax += pair.friction * v.x;
                sums.rates.ay += pair.friction * v.y;
                sums.rates.az += pair.friction * v.z;
            }
            sums.rates.rho += pair.density_a;
            sums.diffusion += pair.diffusion_a;
            sums.viscous = std::max(sums.viscous, pair.viscous);
            sums.touched = true;
            if constexpr (Shared) add_reaction(j, s, v, pair);
        }
    }

    /// Pairs with the particles of the rows' cells within reach of cell x.
    void visit_rows(std::uint32_t i, Sums& sums, const NeighbourRows& rows, std::uint32_t x) {
        const CellsInReach cells(view.rows, x);
        for (int r = 0; r < rows.shared_count; ++r)
            visit<true>(i, sums, rows.shared[r][cells.begin], rows.shared[r][cells.end]);
        for (int r = 0; r < rows.gathered_count; ++r)
            visit<false>(i, sums, rows.gathered[r][cells.begin], rows.gathered[r][cells.end]);
    }
};

template <class F>
class ScalarInteraction final : public Interaction {
    using Wall = typename F::AtWall;

public:
    ScalarInteraction(const sph::Constants& c, const Fluids& fluids)
        : diffusion_(c.diffusion), sound_(c, fluids), pairs_(c, fluids, lattice_unit(c)) {}

    float fluid_boundary(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        const NeighbourRows rows = rows_of_other_kind(view.rows, view.boundary_begin, unit, own);
        const std::uint8_t* const near_boundary =
            view.near_boundary + std::size_t(unit.row) * static_cast<std::uint32_t>(view.rows.count_x);
        PairLoop<Wall, PairKind::fluid_boundary> loop{pairs_.wall, sound_, view};
        float speed = 0;
        for_each_particle(view.rows, view.fluid_begin, unit, [&](std::uint32_t i, std::uint32_t x) {
            if (!near_boundary[x]) return;
            Sums sums;
            loop.visit_rows(i, sums, rows, x);
            if (!sums.touched) return;
            if (!sph::keeps_diffusion(diffusion_, true)) view.records[i].x |= drops_diffusion;
            speed = std::max(speed, finish(view, sums, i));
        });
        return speed;
    }

    float fluid_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        const NeighbourRows rows = rows_of_same_kind(view.rows, view.fluid_begin, unit, own);
        const std::uint32_t* const own_row =
            own.has(unit.row) ? cells_of(view.rows, view.fluid_begin, unit.row) : nullptr;
        const auto last = static_cast<std::uint32_t>(view.rows.count_x) - 1;
        PairLoop<F, PairKind::fluid_fluid> loop{pairs_.fluid, sound_, view};
        float speed = 0;
        for_each_particle(view.rows, view.fluid_begin, unit, [&](std::uint32_t i, std::uint32_t x) {
            Sums sums;
            const std::uint32_t x1 = std::min(x + static_cast<std::uint32_t>(view.rows.reach), last);
            if (own_row) loop.template visit<true>(i, sums, i + 1, own_row[x1 + 1]);
            loop.visit_rows(i, sums, rows, x);
            speed = std::max(speed, finish(view, sums, i));
        });
        return std::max(speed, loop.speed);
    }

    void boundary_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const override {
        NeighbourRows rows = rows_of_other_kind(view.rows, view.fluid_begin, unit, own);
        rows.shared_count = 0; // pairs inside the own rows are the fluid's to compute
        PairLoop<Wall, PairKind::boundary_fluid> loop{pairs_.boundary, sound_, view};
        for_each_particle(view.rows, view.boundary_begin, unit, [&](std::uint32_t i, std::uint32_t x) {
            Sums sums;
            loop.visit_rows(i, sums, rows, x);
            Accumulator& rate = view.rates[i];
            rate.ax += sums.rates.ax;
            rate.ay += sums.rates.ay;
            rate.az += sums.rates.az;
            rate.rho += sums.rates.rho;
        });
    }

private:
    /// Adds the sums of particle i to its rates; returns its c_a + max|h v·r/(r²+η²)|.
    float finish(const InteractionView& view, const Sums& sums, std::uint32_t i) const {
        Accumulator& rate = view.rates[i];
        rate.ax += sums.rates.ax;
        rate.ay += sums.rates.ay;
        rate.az += sums.rates.az;
        rate.rho += keeps_diffusion(view.records[i]) ? sums.rates.rho + sums.diffusion : sums.rates.rho;
        return sound_(view.records[i].rho) + sums.viscous;
    }

    DensityDiffusion diffusion_;
    SoundSpeed sound_;
    sph::PairsOfRun<float> pairs_;
};

} // namespace

std::unique_ptr<Interaction> make_scalar_interaction(const sph::Constants& constants, const Fluids& fluids,
                                                     sph::RatesPart part) {
    return sph::with_kernel(constants.kernel, [&]<class K>(K) {
        return sph::with_formulation_of<K>(constants, part, [&]<class F>(F) -> std::unique_ptr<Interaction> {
            return std::make_unique<ScalarInteraction<F>>(constants, fluids);
        });
    });
}

} // namespace sluice::cpu
