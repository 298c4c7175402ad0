// SPDX-License-Identifier: Apache-2.0
#include "app/check_part.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice {

namespace {

/// The value that `rank` of the values are below.
double value_of_rank(std::vector<double>& values, std::size_t rank) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
    return values[rank];
}

} // namespace

RunPart middle_slab(const RunSetup& setup, const ParticleState& state, std::uint32_t most) {
    const int axis = longest_axis(setup.domain.max - setup.domain.min);
    std::vector<double> places;
    for (std::size_t i = 0; i < state.size(); ++i)
        if (setup.groups.is_fluid(state.id[i])) places.push_back(state.position[i][axis]);
    const double middle = value_of_rank(places, places.size() / 2);
    places.clear();
    for (const Vec3d& p : state.position) places.push_back(std::abs(p[axis] - middle));
    const double reach = value_of_rank(places, std::min<std::size_t>(most, state.size() - 1));

    RunPart part{setup, {}};
    std::uint32_t boundary = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (std::abs(state.position[i][axis] - middle) > reach) continue;
        boundary += !setup.groups.is_fluid(state.id[i]);
        for_each_particle_array([i](const char*, const auto& from, auto& to) { to.push_back(from[i]); }, state,
                                part.state);
    }
    std::iota(part.state.id.begin(), part.state.id.end(), 0u);
    part.setup.set_groups(ParticleGroups::of(boundary, static_cast<std::uint32_t>(part.state.size()) - boundary));
    part.setup.forcing.inputs.clear(); // whose ids are others now
    return part;
}

} // namespace sluice
