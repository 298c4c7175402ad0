// SPDX-License-Identifier: Apache-2.0
#include "structure/reference_state.h"

#include "physics/solid/quadratic_fit.h"
#include "structure/near_points.h"
#include "structure/particle_volumes.h"

#include <algorithm>
#include <limits>

namespace sluice {

namespace {

/// Where around a particle others lie, by their numbers among `points`.
LatticePlaces places_around(const std::vector<Vec3d>& points, std::uint32_t a, NearPoints& near, double dp) {
    LatticePlaces places;
    near.for_each(points[a], [&](std::uint32_t b) { places.offer(1 / dp * (points[b] - points[a]), b); });
    return places;
}

/// The particles of clamps that are corners of cells with a flexible one.
std::vector<bool> held_corners(const StructureParticles& particles, NearPoints& near,
                               const solid::LagrangianConstants& c) {
    std::vector<bool> is_corner(particles.start.size(), false);
    for (std::uint32_t i = 0; i < particles.flexible; ++i)
        places_around(particles.start, i, near, c.dp).for_each_cell(c.two_d, [&](auto corners) {
            for (const std::uint32_t corner : corners)
                is_corner[corner] = is_corner[corner] || corner >= particles.flexible;
        });
    return is_corner;
}

/// Fills in `share` and `volume`.
void add_volumes(ReferenceState& state, NearPoints& near, const solid::LagrangianConstants& c) {
    const int corners_of_cell = c.two_d ? 4 : 8;
    std::vector<LatticePlaces> places;
    for (std::uint32_t a = 0; a < state.size(); ++a) {
        places.push_back(places_around(state.start, a, near, c.dp));
        int cells = 0;
        places.back().for_each_cell(c.two_d, [&](auto corners) {
            cells += std::ranges::any_of(corners, [&](std::uint32_t corner) { return corner < state.flexible; });
        });
        state.share.push_back(std::max(cells, 1) * c.volume() / corners_of_cell); // what sticks out has one
    }
    state.volume = integration_weights(state.share, places, c.two_d);
}

/// Fills in the neighbours of the next node and their gradients.
template <class Kernel>
void add_neighbours(ReferenceState& state, NearPoints& near, const solid::LagrangianConstants& c) {
    const auto a = static_cast<std::uint32_t>(state.first.size() - 1);
    const std::size_t begin = state.neighbour.size();
    near.for_each(state.start[a], [&](std::uint32_t b) {
        if (b != a) state.neighbour.push_back(b);
    });
    state.first.push_back(static_cast<std::uint32_t>(state.neighbour.size()));
    solid::QuadraticFit<double> fit(c.two_d);
    const auto for_each = [&](auto&& use) {
        for (std::size_t k = begin; k < state.neighbour.size(); ++k) {
            const Vec3d xi = 1 / c.h * (state.start[state.neighbour[k]] - state.start[a]);
            use(xi, Kernel::value(norm(xi)));
        }
    };
    for_each([&](const Vec3d& xi, double weight) { fit.add(xi, weight); });
    const double condition = solid::condition_of(fit.second_moments(), c.two_d);
    if (a < state.flexible && condition > state.condition) state.condition = condition, state.worst = a;
    fit.solve();
    for_each([&](const Vec3d& xi, double weight) { state.gradient.push_back(1 / c.h * fit.gradient(xi, weight)); });
}

/// Fills in `reverse` and `bond`: neighbours are so mutually.
template <class Kernel>
void add_pairs(ReferenceState& state, const solid::LagrangianConstants& c) {
    for (std::uint32_t a = 0; a < state.size(); ++a)
        for (const std::uint32_t b : state.neighbours_of(a)) {
            const auto of_b = state.neighbours_of(b);
            const auto back = std::ranges::lower_bound(of_b, a) - of_b.begin();
            state.reverse.push_back(state.gradient[state.first[b] + static_cast<std::size_t>(back)]);
            state.bond.push_back(
                solid::bond_of<Kernel>(c, state.share[a], state.share[b], state.start[a] - state.start[b]));
        }
}

} // namespace

ReferenceState reference_state(const StructureParticles& particles, const solid::LagrangianConstants& constants) {
    // with h = √2 dp, particles of a lattice lie at 2h but for rounding, where the kernel is zero
    const double reach = 2 * constants.h * (1 - 1e-9);
    NearPoints all(particles.start, reach);
    const std::vector<bool> is_held = held_corners(particles, all, constants);
    ReferenceState state;
    state.flexible = particles.flexible;
    for (std::uint32_t i = 0; i < particles.start.size(); ++i) {
        if (i >= particles.flexible && !is_held[i]) continue;
        state.source.push_back(i);
        state.start.push_back(particles.start[i]);
    }
    NearPoints near(state.start, reach);
    add_volumes(state, near, constants);
    state.first.push_back(0);
    sph::with_kernel(constants.kernel, [&]<class Kernel>(Kernel) {
        for (std::uint32_t a = 0; a < state.size(); ++a) add_neighbours<Kernel>(state, near, constants);
        add_pairs<Kernel>(state, constants);
    });
    return state;
}

int layers_across(const StructureParticles& particles, double dp, bool two_d) {
    if (particles.flexible == 0) return 0;
    NearPoints near(particles.start, 0.5 * dp);
    const auto is_taken = [&](const Vec3d& place) {
        bool taken = false;
        near.for_each(place, [&](std::uint32_t) { taken = true; });
        return taken;
    };
    std::vector<int> rows;
    for (std::uint32_t i = 0; i < particles.flexible; ++i) {
        int shortest = std::numeric_limits<int>::max();
        for (int axis = 0; axis < 3; ++axis) {
            if (two_d && axis == 1) continue;
            int length = 1;
            for (const double step : {-dp, dp}) {
                Vec3d place = particles.start[i];
                for (place[axis] += step; length < shortest && is_taken(place); place[axis] += step) ++length;
            }
            shortest = std::min(shortest, length);
        }
        rows.push_back(shortest);
    }
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
    std::nth_element(rows.begin(), middle, rows.end());
    return *middle;
}

} // namespace sluice
