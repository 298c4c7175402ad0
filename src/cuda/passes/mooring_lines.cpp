// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/mooring_lines.h"

#include "cuda/device/host_copies.h"

namespace sluice::cuda {

MooringLines::MooringLines(const Moorings& moorings, DeviceMemory& memory) : moorings_(moorings) {
    if (!moorings.any()) return;
    constexpr const char* what = "mooring lines";
    const std::size_t nodes = moorings.at_start.nodes.size(), lines = moorings.lines.size();
    const auto copied = [&](const auto& values, auto& array) {
        if (values.empty()) return;
        array = {memory, values.size(), what};
        upload(values, array.data());
    };
    copied(moorings.lines, lines_);
    copied(moorings.connects, connects_);
    nodes_ = {memory, nodes, what};
    start_nodes_ = {memory, nodes, what};
    states_ = {memory, lines, what};
    start_states_ = {memory, lines, what};
    place_ = {memory, nodes, what};
    velocity_ = {memory, nodes, what};
    force_ = {memory, nodes, what};
    ends_ = {memory, 2 * lines, what};
    given_ = {memory, 2 * lines, what};
    faults_ = {memory, lines, what};
    fault_ = {memory, 1, what};
    view_.moorings = moorings.view();
    view_.moorings.lines = lines_.data();
    view_.moorings.connects = connects_.data();
    view_.now = {nodes_.data(),
                 states_.data(),
                 {place_.data(), velocity_.data(), force_.data(), ends_.data(), given_.data(), faults_.data()}};
    view_.start_nodes = start_nodes_.data();
    view_.start_lines = start_states_.data();
    view_.fault = fault_.data();
}

void MooringLines::set_bodies(const Body* bodies, BodyState* body, BodyState* body_start, BodyLoads* load) {
    view_.bodies = bodies;
    view_.body = body;
    view_.body_start = body_start;
    view_.load = load;
}

void MooringLines::set_state(const MooringState& state) {
    if (!any()) return;
    const MooringState& given = state.lines.empty() ? moorings_.at_start : state;
    upload(given.nodes, nodes_.data());
    upload(given.lines, states_.data());
    upload(std::vector<MooringFault>(1), fault_.data());
}

MooringState MooringLines::state() const {
    return {download(nodes_.data(), nodes_.size()), download(states_.data(), states_.size())};
}

MooringFault MooringLines::fault() const { return any() ? download(fault_.data(), 1).front() : MooringFault{}; }

} // namespace sluice::cuda
