// SPDX-License-Identifier: Apache-2.0
#include "cpu/scalar_interaction.h"

#include "cpu/lattice.h"
#include "sph/equation_of_state.h"
#include "sph/pair_rates.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

using sph::DensityDiffusion;
using sph::PairKind;

using Constants = sph::PairConstants<float>;

/// Separation of two particles in lattice units.
struct Separation {
    float dx, dy, dz, r2;

    Separation(const Record& a, const Record& b)
        : dx(difference(a.x, b.x)), dy(difference(a.y, b.y)), dz(difference(a.z, b.z)), r2(dx * dx + dy * dy + dz * dz) {}

private:
    static float difference(std::uint32_t a, std::uint32_t b) { return static_cast<float>(static_cast<std::int32_t>(a - b)); }
};

sph::Side<float> side(const Record& p) { return {p.vx, p.vy, p.vz, p.rho, p.pressure_term}; }

/// Calls `use(begin, end)` with each range of records in the cells around cell (x, row), one range a row.
template <class Use>
void for_each_range(const Rows& rows, const std::uint32_t* begin, int row, int x, Use&& use) {
    const int y = row % rows.count_y, z = row / rows.count_y;
    const int x0 = std::max(x - rows.reach, 0), x1 = std::min(x + rows.reach, rows.count_x - 1);
    for (int nz = std::max(z - rows.reach, 0); nz <= std::min(z + rows.reach, rows.count_z - 1); ++nz)
        for (int ny = std::max(y - rows.reach, 0); ny <= std::min(y + rows.reach, rows.count_y - 1); ++ny) {
            const std::size_t first = std::size_t(rows.count_x) * (std::size_t(nz) * rows.count_y + ny);
            if (begin[first + x0] < begin[first + x1 + 1]) use(begin[first + x0], begin[first + x1 + 1]);
        }
}

/// Calls `use(i, x)` with each particle of a unit and the x of its cell.
template <class Use>
void for_each_particle(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit, Use&& use) {
    const std::size_t first = std::size_t(rows.count_x) * unit.row;
    for (std::uint32_t x = unit.x_begin; x < unit.x_end; ++x)
        for (std::uint32_t i = begin[first + x]; i < begin[first + x + 1]; ++i) use(i, static_cast<int>(x));
}

/// Sums over the neighbours of one fluid particle.
struct Sums {
    Accumulator rates{};
    float diffusion = 0;
    float viscous = 0; ///< largest
};

/// Adds the pairs of i with the records begin … end−1 to its sums; returns whether there was any.
template <class F>
bool add_pairs(const Constants& constants, const InteractionView& view, std::uint32_t i, std::uint32_t begin,
               std::uint32_t end, Sums& sums) {
    const Record& a = view.records[i];
    bool any = false;
    for (std::uint32_t j = begin; j < end; ++j) {
        const Record& b = view.records[j];
        const Separation s(a, b);
        if (s.r2 >= constants.support2 || j == i) continue;
        const auto pair = sph::pair_rates<F>(constants, s.dx, s.dy, s.dz, s.r2, side(a), side(b));
        sums.rates.ax += pair.acceleration * s.dx;
        sums.rates.ay += pair.acceleration * s.dy;
        sums.rates.az += pair.acceleration * s.dz;
        sums.rates.rho += pair.density;
        sums.diffusion += pair.diffusion_a;
        sums.viscous = std::max(sums.viscous, pair.viscous);
        any = true;
    }
    return any;
}

template <class F>
class ScalarInteraction final : public Interaction {
    using Wall = sph::Formulation<typename F::Kernel, DensityDiffusion::none, F::any_gamma>;

public:
    explicit ScalarInteraction(const sph::Constants& c)
        : diffusion_(c.diffusion), dt_all_particles_(c.dt_all_particles), eos_(c),
          fluid_(in_lattice_units(c), PairKind::fluid_fluid), wall_(in_lattice_units(c), PairKind::fluid_boundary),
          boundary_(in_lattice_units(c), PairKind::boundary_fluid) {}

    float gather_fluid(const InteractionView& view, const WorkUnit& unit) const override {
        float speed = 0;
        for_each_particle(view.rows, view.fluid_begin, unit, [&](std::uint32_t i, int x) {
            const int row = static_cast<int>(unit.row);
            Sums sums;
            bool touches = false;
            for_each_range(view.rows, view.boundary_begin, row, x, [&](std::uint32_t begin, std::uint32_t end) {
                touches |= add_pairs<Wall>(wall_, view, i, begin, end, sums);
            });
            for_each_range(view.rows, view.fluid_begin, row, x, [&](std::uint32_t begin, std::uint32_t end) {
                add_pairs<F>(fluid_, view, i, begin, end, sums);
            });
            if (F::diffusion != DensityDiffusion::none && sph::keeps_diffusion(diffusion_, touches))
                sums.rates.rho += sums.diffusion;
            view.rates[i] = sums.rates;
            speed = std::max(speed, eos_.sound_speed(view.records[i].rho) + sums.viscous);
        });
        return speed;
    }

    float gather_boundary(const InteractionView& view, const WorkUnit& unit) const override {
        float speed = 0;
        for_each_particle(view.rows, view.boundary_begin, unit, [&](std::uint32_t i, int x) {
            Sums sums;
            for_each_range(view.rows, view.fluid_begin, static_cast<int>(unit.row), x,
                           [&](std::uint32_t begin, std::uint32_t end) { add_pairs<Wall>(boundary_, view, i, begin, end, sums); });
            view.rates[i] = {0, 0, 0, sums.rates.rho};
            if (dt_all_particles_) speed = std::max(speed, eos_.sound_speed(view.records[i].rho));
        });
        return speed;
    }

private:
    DensityDiffusion diffusion_;
    bool dt_all_particles_;
    sph::EquationOfState<float> eos_;
    Constants fluid_, wall_, boundary_;
};

} // namespace

std::unique_ptr<Interaction> make_scalar_interaction(const sph::Constants& constants) {
    return sph::with_formulation(constants, [&]<class F>(F) -> std::unique_ptr<Interaction> {
        return std::make_unique<ScalarInteraction<F>>(constants);
    });
}

} // namespace sluice::cpu
