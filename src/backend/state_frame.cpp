// SPDX-License-Identifier: Apache-2.0
#include "backend/state_frame.h"

#include "physics/sph/equation_of_state.h"
#include "physics/sph/flow_gradients.h"
#include <algorithm>
#include <limits>
#include <numeric>

namespace sluice {

namespace {

/// Where in the state each particle is, by ascending id. Ids are numbers 0, 1, … of which some have left, so counting
/// them off is faster than sorting, unless most have left, as through open boundaries.
std::vector<std::uint32_t> order_of_ids(const std::vector<std::uint32_t>& id) {
    constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
    const std::uint32_t largest = id.empty() ? 0 : *std::max_element(id.begin(), id.end());
    if (largest / 8 > id.size()) {
        std::vector<std::uint32_t> order(id.size());
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return id[i]; });
        return order;
    }
    std::vector<std::uint32_t> place(std::size_t(largest) + 1, absent);
    for (std::uint32_t i = 0; i < id.size(); ++i) place[id[i]] = i;
    std::erase(place, absent);
    return place;
}

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

void append_value(std::vector<float>& values, const float* sum) { values.push_back(sum ? *sum : no_number); }
void append_value(std::vector<Vec3f>& values, const float* sum) {
    values.push_back(sum ? Vec3f{sum[0], sum[1], sum[2]} : Vec3f{no_number, no_number, no_number});
}

} // namespace

void set_densities_of_fluids(Frame& frame, const RunSetup& setup) {
    std::vector<sph::EquationOfState<float>> of_fluid;
    for (const FluidProperties& fluid : setup.fluids) of_fluid.emplace_back(relative_constants(setup.constants, fluid));
    if (of_fluid.empty()) return;
    for (std::size_t k = setup.groups.fluid_begin(frame.id); k < frame.size(); ++k) {
        frame.pressure[k] = of_fluid[setup.groups.fluid_of(frame.id[k])].pressure(frame.density[k]);
        frame.density[k] *= static_cast<float>(setup.density_ratio_of(frame.id[k]));
    }
}

Frame make_frame(const ParticleState& state, const RunSetup& setup, const FlowGradientSums& sums,
                 const FieldSelection& wanted) {
    const std::size_t n = state.size();
    Frame frame;
    frame.step = state.step;
    frame.time = state.time;
    frame.absorbers = state.absorbers;
    frame.moorings = state.moorings;
    frame.work = state.work;
    frame.id.reserve(n);
    frame.position.reserve(n);
    frame.velocity.reserve(n);
    frame.density.reserve(n);
    frame.pressure.reserve(n);
    const sph::EquationOfState<float> eos(setup.constants);
    const std::vector<std::uint32_t> order = order_of_ids(state.id);
    for (const std::uint32_t i : order) {
        frame.id.push_back(state.id[i]);
        frame.position.push_back(setup.domain.min + state.position[i]);
        frame.velocity.push_back(state.velocity[i]);
        frame.density.push_back(state.density[i]);
        frame.pressure.push_back(eos.pressure(state.density[i]));
    }
    set_densities_of_fluids(frame, setup);
    const std::size_t fluid_begin = n - sums.size() / sph::flow_gradient_sums;
    add_flow_gradients(frame, wanted, [&](std::size_t k) {
        const std::uint32_t i = order[k];
        return i < fluid_begin ? nullptr : &sums[(i - fluid_begin) * sph::flow_gradient_sums];
    });
    return frame;
}

void add_flow_gradients(Frame& frame, const FieldSelection& wanted,
                        const std::function<const float*(std::size_t)>& sums_of) {
    for (const sph::SummedField& summed : sph::flow_gradient_fields) {
        if (!wanted.has(summed.field)) continue;
        with_values(frame, field_info(summed.field), [&](auto& values) {
            values.reserve(frame.size());
            for (std::size_t k = 0; k < frame.size(); ++k) {
                const float* const sums = sums_of(k);
                append_value(values, sums ? sums + summed.first : nullptr);
            }
        });
    }
}

std::vector<BodyReport> bodies_of_frame(std::vector<BodyReport> bodies, const RunSetup& setup) {
    for (BodyReport& body : bodies) body.state.centre = setup.domain.min + body.state.centre;
    return bodies;
}

} // namespace sluice
