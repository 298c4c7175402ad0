// SPDX-License-Identifier: Apache-2.0
#include "cuda/list_state.h"

#include "core/error.h"
#include <algorithm>
#include <cstring>

namespace sluice::cuda {

namespace {

constexpr const char* owner = "cuda neighbour lists, form 3";

/// The numbers before the positions.
struct Header {
    std::uint32_t expired, steps_since_build;
    float skin, spread, travel, spread_rate, wall_travel;
    std::uint32_t late;
    std::uint64_t particles, holes;
};

} // namespace

BackendSection list_section(const ListState& lists) {
    const Header header{lists.expired,       lists.steps_since_build, lists.skin,        lists.spread,
                        lists.travel,        lists.spread_rate,       lists.wall_travel, lists.late,
                        lists.origin.size(), lists.holes.size()};
    const std::size_t positions = lists.origin.size() * sizeof(Vec3d),
                      holes = lists.holes.size() * sizeof(std::uint32_t);
    BackendSection section{owner, std::vector<std::byte>(sizeof header + positions + holes)};
    std::byte* const to = section.bytes.data();
    std::memcpy(to, &header, sizeof header);
    if (positions > 0) std::memcpy(to + sizeof header, lists.origin.data(), positions);
    if (holes > 0) std::memcpy(to + sizeof header + positions, lists.holes.data(), holes);
    return section;
}

ListState lists_of(const BackendSection& section) {
    ListState lists;
    if (section.owner != owner) return lists;
    Header header{};
    if (section.bytes.size() >= sizeof header) std::memcpy(&header, section.bytes.data(), sizeof header);
    const std::uint64_t most = section.bytes.size() / sizeof(std::uint32_t);
    const bool is_whole =
        section.bytes.size() >= sizeof header && header.particles <= most && header.holes <= most &&
        section.bytes.size() == sizeof header + header.particles * sizeof(Vec3d) + header.holes * sizeof(std::uint32_t);
    if (!is_whole || header.holes + header.late > header.particles)
        throw RunError("GPU: the state's neighbour lists have " + std::to_string(section.bytes.size()) +
                       " bytes, which is not what " + std::to_string(header.particles) + " particles take");
    lists.expired = header.expired != 0;
    lists.steps_since_build = header.steps_since_build;
    lists.skin = header.skin;
    lists.spread = header.spread;
    lists.travel = header.travel;
    lists.spread_rate = header.spread_rate;
    lists.wall_travel = header.wall_travel;
    lists.late = header.late;
    lists.origin.resize(header.particles);
    lists.holes.resize(header.holes);
    const std::byte* const from = section.bytes.data() + sizeof header;
    if (header.particles > 0) std::memcpy(lists.origin.data(), from, header.particles * sizeof(Vec3d));
    if (header.holes > 0)
        std::memcpy(lists.holes.data(), from + header.particles * sizeof(Vec3d), header.holes * sizeof(std::uint32_t));
    if (!std::ranges::is_sorted(lists.holes) ||
        (header.holes > 0 && lists.holes.back() >= header.particles - header.late))
        throw RunError("GPU: the state's neighbour lists name particles that they do not have");
    return lists;
}

} // namespace sluice::cuda
