// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/list_state.h"

#include "core/error.h"
#include "cuda/data/control.h"
#include <cstring>

namespace sluice::cuda {

namespace {

constexpr const char* owner = "cuda neighbour lists, form 3";

/// The numbers before the positions.
struct Header {
    std::uint32_t expired, steps_since_build;
    float skin, spread, travel, spread_rate, wall_travel;
    std::uint32_t unused;
    std::uint64_t particles, vacated;
};

std::size_t bytes_of(const Header& header) {
    return sizeof header + header.particles * sizeof(Vec3d) + header.vacated * sizeof(VacatedPlace);
}

/// `count` elements from `from` on, which moves behind them.
template <class T>
std::vector<T> read(const std::byte*& from, std::size_t count) {
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), from, count * sizeof(T));
    from += count * sizeof(T);
    return values;
}

template <class T>
void write(const std::vector<T>& values, std::byte*& to) {
    if (!values.empty()) std::memcpy(to, values.data(), values.size() * sizeof(T));
    to += values.size() * sizeof(T);
}

} // namespace

std::vector<std::uint32_t> listed_places(const ListState& lists, const std::vector<std::uint32_t>& order,
                                         std::size_t boundary) {
    std::vector<std::uint32_t> places(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(boundary));
    places.reserve(order.size() + lists.vacated.size());
    auto next = order.begin() + static_cast<std::ptrdiff_t>(boundary);
    for (const VacatedPlace& place : lists.vacated) {
        const std::uint64_t now = places.size() - boundary;
        if (place.before < now || place.before - now > static_cast<std::uint64_t>(order.end() - next))
            throw RunError("GPU: the state's neighbour lists have a vacated place behind " +
                           std::to_string(place.before) + " others, which is not among their places");
        const auto behind = next + static_cast<std::ptrdiff_t>(place.before - now);
        places.insert(places.end(), next, behind);
        places.push_back(Control::no_particle);
        next = behind;
    }
    places.insert(places.end(), next, order.end());
    return places;
}

std::vector<Vec3d> listed_origins(const ListState& lists, const std::vector<std::uint32_t>& places) {
    std::vector<Vec3d> origins;
    origins.reserve(places.size());
    auto vacated = lists.vacated.begin();
    for (const std::uint32_t i : places)
        origins.push_back(i == Control::no_particle ? (vacated++)->origin : lists.origin[i]);
    return origins;
}

BackendSection list_section(const ListState& lists) {
    const Header header{lists.expired,       lists.steps_since_build, lists.skin,        lists.spread,
                        lists.travel,        lists.spread_rate,       lists.wall_travel, 0,
                        lists.origin.size(), lists.vacated.size()};
    BackendSection section{owner, std::vector<std::byte>(bytes_of(header))};
    std::memcpy(section.bytes.data(), &header, sizeof header);
    std::byte* to = section.bytes.data() + sizeof header;
    write(lists.origin, to);
    write(lists.vacated, to);
    return section;
}

ListState lists_of(const BackendSection& section) {
    ListState lists;
    if (section.owner != owner) return lists;
    Header header{};
    const std::size_t bytes = section.bytes.size();
    if (bytes >= sizeof header) std::memcpy(&header, section.bytes.data(), sizeof header);
    // more than there are bytes would overflow
    if (bytes < sizeof header || header.particles > bytes || header.vacated > bytes || bytes_of(header) != bytes)
        throw RunError("GPU: the state's neighbour lists have " + std::to_string(bytes) + " bytes, which is not what " +
                       std::to_string(header.particles) + " particles and " + std::to_string(header.vacated) +
                       " vacated places take");
    lists.expired = header.expired != 0;
    lists.steps_since_build = header.steps_since_build;
    lists.skin = header.skin;
    lists.spread = header.spread;
    lists.travel = header.travel;
    lists.spread_rate = header.spread_rate;
    lists.wall_travel = header.wall_travel;
    const std::byte* from = section.bytes.data() + sizeof header;
    lists.origin = read<Vec3d>(from, header.particles);
    lists.vacated = read<VacatedPlace>(from, header.vacated);
    return lists;
}

} // namespace sluice::cuda
