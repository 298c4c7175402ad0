// SPDX-License-Identifier: Apache-2.0
#include "run/state_frame.h"

#include "sph/equation_of_state.h"
#include <algorithm>
#include <numeric>

namespace sluice {

Frame make_frame(const ParticleState& state, const RunSetup& setup) {
    const std::size_t n = state.size();
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return state.id[a] < state.id[b]; });

    Frame frame;
    frame.step = state.step;
    frame.time = state.time;
    frame.id.reserve(n);
    frame.position.reserve(n);
    frame.velocity.reserve(n);
    frame.density.reserve(n);
    frame.pressure.reserve(n);
    const sph::EquationOfState<float> eos(setup.constants);
    for (const std::uint32_t i : order) {
        frame.id.push_back(state.id[i]);
        frame.position.push_back(setup.domain.min + state.position[i]);
        frame.velocity.push_back(state.velocity[i]);
        frame.density.push_back(state.density[i]);
        frame.pressure.push_back(eos.pressure(state.density[i]));
    }
    return frame;
}

} // namespace sluice
