// SPDX-License-Identifier: Apache-2.0
#include "backend/state_frame.h"

#include "physics/sph/equation_of_state.h"
#include <algorithm>
#include <limits>

namespace sluice {

namespace {

/// Where in the state each particle is, by ascending id. Ids are numbers 0, 1, … of which some have left, so counting
/// them off is faster than sorting.
std::vector<std::uint32_t> order_of_ids(const std::vector<std::uint32_t>& id) {
    constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
    const std::uint32_t largest = id.empty() ? 0 : *std::max_element(id.begin(), id.end());
    std::vector<std::uint32_t> place(std::size_t(largest) + 1, absent);
    for (std::uint32_t i = 0; i < id.size(); ++i) place[id[i]] = i;
    std::erase(place, absent);
    return place;
}

} // namespace

Frame make_frame(const ParticleState& state, const RunSetup& setup) {
    const std::size_t n = state.size();
    Frame frame;
    frame.step = state.step;
    frame.time = state.time;
    frame.id.reserve(n);
    frame.position.reserve(n);
    frame.velocity.reserve(n);
    frame.density.reserve(n);
    frame.pressure.reserve(n);
    const sph::EquationOfState<float> eos(setup.constants);
    for (const std::uint32_t i : order_of_ids(state.id)) {
        frame.id.push_back(state.id[i]);
        frame.position.push_back(setup.domain.min + state.position[i]);
        frame.velocity.push_back(state.velocity[i]);
        frame.density.push_back(state.density[i]);
        frame.pressure.push_back(eos.pressure(state.density[i]));
    }
    return frame;
}

} // namespace sluice
