// SPDX-License-Identifier: Apache-2.0
#include "structure/reference_state.h"

#include "structure/near_points.h"

#include <algorithm>
#include <limits>

namespace sluice {

namespace {

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();

/// How far particles of clamps are from flexible ones, in steps from neighbour to neighbour: 1, 2, or 0 for farther.
std::vector<int> clamp_rings(const StructureParticles& particles, NearPoints& near) {
    std::vector<int> ring(particles.start.size(), 0);
    const auto begin = particles.flexible, end = static_cast<std::uint32_t>(particles.start.size());
    for (std::uint32_t i = 0; i < begin; ++i)
        near.for_each(particles.start[i], [&](std::uint32_t j) {
            if (j >= begin) ring[j] = 1;
        });
    for (std::uint32_t i = begin; i < end; ++i)
        if (ring[i] == 1)
            near.for_each(particles.start[i], [&](std::uint32_t j) {
                if (j >= begin && ring[j] == 0) ring[j] = 2;
            });
    return ring;
}

} // namespace

ReferenceState reference_state(const StructureParticles& particles, const solid::LagrangianConstants& constants) {
    // with h = √2 dp, particles of a lattice lie at 2h but for rounding, where the kernel is zero
    NearPoints near(particles.start, 2 * constants.h * (1 - 1e-9));
    const std::vector<int> ring = clamp_rings(particles, near);
    ReferenceState state;
    state.flexible = particles.flexible;
    std::vector<std::uint32_t> node_of(particles.start.size(), no_node);
    for (int part = 0; part < 3; ++part) { // flexible, stressed, the rest
        for (std::uint32_t i = 0; i < particles.start.size(); ++i) {
            if (part == 0 ? i >= particles.flexible : i < particles.flexible || ring[i] != part) continue;
            node_of[i] = state.size();
            state.source.push_back(i);
            state.start.push_back(particles.start[i]);
        }
        if (part == 1) state.stressed = state.size();
    }
    state.first.push_back(0);
    for (std::uint32_t a = 0; a < state.stressed; ++a) {
        const std::size_t begin = state.neighbour.size();
        near.for_each(state.start[a], [&](std::uint32_t j) {
            if (node_of[j] != a && node_of[j] != no_node) state.neighbour.push_back(node_of[j]);
        });
        std::sort(state.neighbour.begin() + static_cast<std::ptrdiff_t>(begin), state.neighbour.end());
        solid::Tensor<double> moment{};
        for (std::size_t k = begin; k < state.neighbour.size(); ++k) {
            const Vec3d apart = state.start[a] - state.start[state.neighbour[k]];
            const Vec3d gradient = sph::with_kernel(constants.kernel, [&]<class Kernel>(Kernel) {
                return solid::weighted_gradient<Kernel>(constants, apart);
            });
            state.gradient.push_back(gradient);
            moment = moment + solid::gradient_term(apart, gradient);
        }
        moment = solid::closed_moment(moment, constants.two_d);
        const double condition = solid::condition_of(moment, constants.two_d);
        if (a < state.flexible && condition > state.condition) state.condition = condition, state.worst = a;
        state.correction.push_back(solid::inverse(moment));
        state.first.push_back(static_cast<std::uint32_t>(state.neighbour.size()));
    }
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
