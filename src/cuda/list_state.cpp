// SPDX-License-Identifier: Apache-2.0
#include "cuda/list_state.h"

#include "core/error.h"
#include <cstring>

namespace sluice::cuda {

namespace {

constexpr const char* owner = "cuda neighbour lists, form 2";

/// The numbers before the positions.
struct Header {
    std::uint32_t expired, steps_since_build;
    float skin, spread, travel, spread_rate, wall_travel;
    std::uint32_t unused;
    std::uint64_t particles;
};

} // namespace

BackendSection list_section(const ListState& lists) {
    const Header header{lists.expired,     lists.steps_since_build, lists.skin, lists.spread,       lists.travel,
                        lists.spread_rate, lists.wall_travel,       0,          lists.origin.size()};
    BackendSection section{owner, std::vector<std::byte>(sizeof header + lists.origin.size() * sizeof(Vec3d))};
    std::memcpy(section.bytes.data(), &header, sizeof header);
    if (!lists.origin.empty())
        std::memcpy(section.bytes.data() + sizeof header, lists.origin.data(), lists.origin.size() * sizeof(Vec3d));
    return section;
}

ListState lists_of(const BackendSection& section) {
    ListState lists;
    if (section.owner != owner) return lists;
    Header header{};
    if (section.bytes.size() >= sizeof header) std::memcpy(&header, section.bytes.data(), sizeof header);
    const std::size_t positions = section.bytes.size() - sizeof header;
    if (section.bytes.size() < sizeof header || positions % sizeof(Vec3d) != 0 ||
        positions / sizeof(Vec3d) != header.particles)
        throw RunError("GPU: the state's neighbour lists have " + std::to_string(section.bytes.size()) +
                       " bytes, which is not what " + std::to_string(header.particles) + " particles take");
    lists.expired = header.expired != 0;
    lists.steps_since_build = header.steps_since_build;
    lists.skin = header.skin;
    lists.spread = header.spread;
    lists.travel = header.travel;
    lists.spread_rate = header.spread_rate;
    lists.wall_travel = header.wall_travel;
    lists.origin.resize(header.particles);
    if (positions > 0) std::memcpy(lists.origin.data(), section.bytes.data() + sizeof header, positions);
    return lists;
}

} // namespace sluice::cuda
