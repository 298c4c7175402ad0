// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/mooring_lines.h"

#include "cuda/device/host_copies.h"
#include <algorithm>

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
    pull_ = {memory, nodes, what};
    ends_ = {memory, 2 * lines, what};
    given_ = {memory, 2 * lines, what};
    faults_ = {memory, lines, what};
    lost_ = {memory, 1, what};
    view_.moorings = moorings.view();
    view_.moorings.lines = lines_.data();
    view_.moorings.connects = connects_.data();
    view_.now = {
        nodes_.data(),
        states_.data(),
        {place_.data(), velocity_.data(), force_.data(), pull_.data(), ends_.data(), given_.data(), faults_.data()}};
    view_.start_nodes = start_nodes_.data();
    view_.start_lines = start_states_.data();
    view_.lost = lost_.data();
    for (const MooringLine& line : moorings.lines) view_.lanes = std::max(view_.lanes, lanes_for(line.segments));
}

void MooringLines::set_state(const MooringState& state) {
    if (!any()) return;
    const MooringState& given = state.lines.empty() ? moorings_.at_start : state;
    upload(given.nodes, nodes_.data());
    upload(given.lines, states_.data());
    upload(std::vector<LostCourse>(1), lost_.data());
}

MooringState MooringLines::state() const {
    return {download(nodes_.data(), nodes_.size()), download(states_.data(), states_.size())};
}

LostCourse MooringLines::lost_course() const { return any() ? download(lost_.data(), 1).front() : LostCourse{}; }

} // namespace sluice::cuda
