// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sluice {

/// Which particles lie one spacing from a particle of a lattice: a place for each step −1, 0, 1 along each axis.
class LatticePlaces {
public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    LatticePlaces() { at_.fill(none); }
    /// Takes the particle `i`, `way` (in spacings) from here, if it lies at one of the places, or half a spacing off.
    void offer(const Vec3d& way, std::uint32_t i);
    /// Who lies there; none: nobody. Steps: −1, 0 or 1.
    std::uint32_t at(const Vec3i& step) const { return at_[index_of(step)]; }
    std::uint32_t along(int axis, int step) const;
    /// Calls `use(corners)` for each cell of the lattice here all of whose corners are particles: 8 of them, in 2-D 4.
    template <class Use>
    void for_each_cell(bool two_d, Use&& use) const {
        for (const int x : {-1, 1})
            for (const int y : {-1, 1})
                for (const int z : {-1, 1}) {
                    if (two_d && y > 0) continue;
                    std::array<std::uint32_t, 8> corners{};
                    std::size_t count = 0;
                    bool is_full = true;
                    for (int c = 0; c < 8; ++c) {
                        if (two_d && (c & 2)) continue;
                        corners[count] = at({c & 1 ? x : 0, c & 2 ? y : 0, c & 4 ? z : 0});
                        is_full = is_full && corners[count++] != none;
                    }
                    if (is_full) use(std::span<const std::uint32_t>(corners.data(), count));
                }
    }

private:
    static std::size_t index_of(const Vec3i& step) {
        return static_cast<std::size_t>(9 * (step.x + 1) + 3 * (step.y + 1) + step.z + 1);
    }
    std::array<std::uint32_t, 27> at_{};
    std::array<double, 27> off_{}; ///< how far who is there is from there, squared
};

/// The weights with which values at particles give integrals over a solid whose surface goes through the outer ones.
/// `shares`: volumes by the trapezoidal rule; they are corrected along one axis after the other by a twelfth of second
/// differences, one-sided at surfaces, so that squares of linear fields come out right: along three particles
/// Simpson's rule 1/3, 4/3, 1/3, along many 3/8, 7/6, 23/24, 1 … (Gregory's rule; Davis & Rabinowitz 1984, Methods of
/// Numerical Integration, section 2.9). None is less than a quarter of its share.
std::vector<double> integration_weights(const std::vector<double>& shares, const std::vector<LatticePlaces>& places,
                                        bool two_d);

} // namespace sluice
