// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/particles.h"

#include <type_traits>

namespace sluice::fvpm {

Particles reordered(const Particles& from, const std::vector<std::uint32_t>& places) {
    Particles to;
    std::vector<const void*> sources;
    for_each_array(from, [&](const auto& array) { sources.push_back(&array); });
    std::size_t next = 0;
    for_each_array(to, [&](auto& array) {
        const auto& source = *static_cast<const std::remove_reference_t<decltype(array)>*>(sources[next++]);
        if (source.empty()) return;
        array.resize(places.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < places.size(); ++i) array[i] = source[places[i]];
    });
    return to;
}

} // namespace sluice::fvpm
