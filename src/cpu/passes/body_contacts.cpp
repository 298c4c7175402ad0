// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/body_contacts.h"

#include "cpu/pairs/near_cells.h"
#include "cpu/pairs/scalar_pairs.h"
#include "cpu/particles/lattice.h"
#include "physics/sph/pair_rates.h"
#include "structure/flexible_bodies.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

template <class F>
class Contacts final : public BodyContacts {
public:
    Contacts(const RunSetup& setup, const Space& space)
        : setup_(setup), space_(space),
          constants_(setup.constants, sph::PairKind::boundary_boundary, lattice_unit(setup.constants)) {
        for (const FlexibleBody& body : setup.flexible.all) {
            bearers_.emplace_back();
            for (std::uint32_t k = 0; k < body.clamps; ++k)
                if (const auto o = setup.rigid.object_of(setup.flexible.clamp_id[body.first_clamp + k]); is_body(o))
                    if (bearers_.back().empty() || bearers_.back().back() != o) bearers_.back().push_back(o);
        }
    }

    void add(const InteractionView& view, const SortedGroup& boundary, const ThreadCount& threads) override {
        find_objects(boundary, threads);
        mark_cells(view, boundary, threads);
        const auto count_x = static_cast<std::uint32_t>(view.rows.count_x);
        const auto end = static_cast<std::uint32_t>(view.rows.count_y * view.rows.count_z);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads.now())
        for (std::uint32_t row = 0; row < end; ++row) {
            if (!view.rows.owns(row)) continue;
            const std::uint32_t* const cell = cells_of(view.rows, view.boundary_begin, row);
            for (std::uint32_t x = 0; x < count_x; ++x) {
                if (!near_bodies_[row * std::size_t(count_x) + x]) continue;
                for (std::uint32_t i = cell[x]; i < cell[x + 1]; ++i) visit(view, i, row, x);
            }
        }
    }

private:
    bool is_body(std::int32_t object) const { return object >= setup_.motions.object_count(); }

    /// Whether one particle belongs to a flexible body and the other one to the floating body that carries its clamp.
    bool bears(std::uint32_t i, std::uint32_t j) const {
        const auto of = [&](std::uint32_t flexible, std::uint32_t other) {
            if (flexible_[flexible] < 0) return false;
            const auto& bearers = bearers_[static_cast<std::size_t>(flexible_[flexible])];
            return std::find(bearers.begin(), bearers.end(), object_[other]) != bearers.end();
        };
        return of(i, j) || of(j, i);
    }

    void find_objects(const SortedGroup& boundary, const ThreadCount& threads) {
        object_.resize(boundary.count);
        flexible_.resize(boundary.count);
#pragma omp parallel for schedule(static) num_threads(threads.now())
        for (std::uint32_t i = 0; i < boundary.count; ++i) {
            object_[i] = setup_.rigid.object_of(boundary.state.id[i]);
            flexible_[i] = flexible_body_of(setup_.flexible, boundary.state.id[i]);
        }
    }

    /// Cells with particles of bodies in reach.
    void mark_cells(const InteractionView& view, const SortedGroup& boundary, const ThreadCount& threads) {
        const Space::WalkedCells walked(space_);
        near_bodies_.resize(view.cell_count());
        has_body_.assign(view.cell_count(), 0);
        for (std::uint32_t i = 0; i < boundary.count; ++i)
            if (is_body(object_[i])) has_body_[walked(boundary.state.key[i])] = 1;
        mark_near(view.rows, threads, near_bodies_.data(), [&](std::size_t cell) { return has_body_[cell] != 0; });
    }

    void visit(const InteractionView& view, std::uint32_t i, std::uint32_t row, std::uint32_t x) const {
        const CellsInReach cells(view.rows, x);
        const bool body = is_body(object_[i]);
        Accumulator sum{};
        for_each_row(view.rows, row, [&](std::uint32_t other) {
            const std::uint32_t* const cell = cells_of(view.rows, view.boundary_begin, other);
            for (std::uint32_t j = cell[cells.begin]; j < cell[cells.end]; ++j) {
                if (object_[j] == object_[i] || !(body || is_body(object_[j])) || bears(i, j)) continue;
                const Separation s(view.records[i], view.records[j]);
                if (s.r2 >= constants_.support2) continue;
                const Record &a = view.records[i], &b = view.records[j];
                const auto pair = sph::pair_rates<F>(constants_, s.dx, s.dy, s.dz, s.r2, side(a), side(b));
                sum.ax += pair.acceleration * s.dx + pair.friction * (a.vx - b.vx);
                sum.ay += pair.acceleration * s.dy + pair.friction * (a.vy - b.vy);
                sum.az += pair.acceleration * s.dz + pair.friction * (a.vz - b.vz);
                sum.rho += pair.density_a;
            }
        });
        Accumulator& rate = view.rates[i];
        if (body || flexible_[i] >= 0) { // walls do not give way
            rate.ax += sum.ax;
            rate.ay += sum.ay;
            rate.az += sum.az;
        }
        rate.rho += sum.rho;
    }

    static sph::Side<float> side(const Record& p) { return {p.vx, p.vy, p.vz, p.rho, p.pressure_term}; }

    const RunSetup& setup_;
    const Space& space_;
    sph::PairConstants<float> constants_;
    std::vector<std::int32_t> object_;                 ///< of the boundary particles
    std::vector<std::int32_t> flexible_;               ///< which flexible body they are of; −1: none
    std::vector<std::vector<std::int32_t>> bearers_;   ///< objects that bear each flexible body
    std::vector<std::uint8_t> has_body_, near_bodies_; ///< of each cell
};

} // namespace

std::unique_ptr<BodyContacts> make_body_contacts(const RunSetup& setup, const Space& space) {
    if (setup.bodies.empty() || setup.contact != BodyContact::pair_formula) return nullptr;
    return sph::with_formulation(setup.constants, [&]<class F>(F) -> std::unique_ptr<BodyContacts> {
        return std::make_unique<Contacts<typename F::AtWall>>(setup, space);
    });
}

} // namespace sluice::cpu
