// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "cuda/data/fixed_grid.h"
#include "model/period.h"
#include <cmath>
#include <string>

// Periodic sides in units of the grid. Nothing is stored twice: a particle near a periodic face searches the cells
// once more from where its image is, beyond the opposite face. So all that walks over cells stays free of wraps.

namespace sluice::cuda {

SLUICE_HD inline Units64 operator+(const Units64& a, const Units64& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
SLUICE_HD inline Units64 operator-(const Units64& a, const Units64& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
SLUICE_HD inline Units64 operator*(long long n, const Units64& a) { return {n * a.x, n * a.y, n * a.z}; }

/// A position moved by a shift.
SLUICE_HD inline Position displaced(const Position& p, const Units64& by) {
    return {std::int32_t(std::uint32_t(p.x) + std::uint32_t(by.x)),
            std::int32_t(std::uint32_t(p.y) + std::uint32_t(by.y)),
            std::int32_t(std::uint32_t(p.z) + std::uint32_t(by.z)), p.pressure_term};
}

/// The periodic axes of a run (model/period.h).
struct GridPeriod {
    /// From a particle to its image beyond the upper face of each axis; zeros for an axis that is not periodic.
    Units64 shift_x{}, shift_y{}, shift_z{};

    SLUICE_HD bool any() const { return shift_x.x != 0 || shift_y.y != 0 || shift_z.z != 0; }

    /// What an image is called: x + 3y + 9z of the periods that lie between, counted from the particle itself.
    static constexpr int itself = 13;

    /// From a particle to that image.
    SLUICE_HD Units64 shift_to(int image) const {
        return (image % 3 - 1) * shift_x + (image / 3 % 3 - 1) * shift_y + (image / 9 - 1) * shift_z;
    }

    /// Calls `use(image, shift)` with all images next to a particle and the shifts to them, in one order.
    template <class Use>
    SLUICE_INLINE void for_each_image(Use&& use) const {
        for_each_place([&](int image, const Units64& shift) {
            if (image != itself) use(image, shift);
        });
    }

    /// The same with the shifts alone.
    template <class Use>
    SLUICE_INLINE void for_each_shift(Use&& use) const {
        for_each_image([&](int, const Units64& shift) { use(shift); });
    }

    /// The position inside the domain that stands for one within a period of it.
    SLUICE_HD Units64 wrapped(Units64 u) const {
        u = wrapped_along(u, u.x, shift_x, shift_x.x);
        u = wrapped_along(u, u.y, shift_y, shift_y.y);
        return wrapped_along(u, u.z, shift_z, shift_z.z);
    }

    /// The same for a position any number of periods away.
    SLUICE_HD Units64 wrapped_from_afar(Units64 u) const {
        const auto periods = [](long long coordinate, long long length) {
            return length == 0 ? 0 : coordinate / length - (coordinate % length < 0);
        };
        u = u - periods(u.x, shift_x.x) * shift_x;
        u = u - periods(u.y, shift_y.y) * shift_y;
        return u - periods(u.z, shift_z.z) * shift_z;
    }

    /// Calls `use(shift)` with those shifts and with none, which is the particle itself.
    template <class Use>
    SLUICE_INLINE void for_each_copy(Use&& use) const {
        for_each_place([&](int, const Units64& shift) { use(shift); });
    }

private:
    /// Calls `use(image, shift)` with the particle and all its images.
    template <class Use>
    SLUICE_INLINE void for_each_place(Use&& use) const {
        const int last_x = shift_x.x != 0, last_y = shift_y.y != 0, last_z = shift_z.z != 0;
        for (int z = -last_z; z <= last_z; ++z)
            for (int y = -last_y; y <= last_y; ++y)
                for (int x = -last_x; x <= last_x; ++x)
                    use(itself + x + 3 * y + 9 * z, x * shift_x + y * shift_y + z * shift_z);
    }

    SLUICE_HD static Units64 wrapped_along(const Units64& u, long long coordinate, const Units64& shift,
                                           long long length) {
        if (length == 0) return u;
        return coordinate < 0 ? u + shift : coordinate >= length ? u - shift : u;
    }
};

/// Whether particles of the domain may be less than `reach` units from a place.
SLUICE_HD inline bool near_domain(const FixedGrid& g, const Units64& u, long long reach) {
    return u.x > -reach && u.x < g.extent_x + reach && u.y > -reach && u.y < g.extent_y + reach && u.z > -reach &&
           u.z < g.extent_z + reach;
}

/// The cell of a place that may lie outside the grid.
SLUICE_HD inline CellCoordinates cell_around(const FixedGrid& g, const Units64& u) {
    return {int(u.x >> g.cell_bits), int(u.y >> g.cell_bits), int(u.z >> g.cell_bits)};
}

/// Units of the radius that cells are made for.
inline constexpr long long search_reach = 1ll << units_per_support_log2;

/// The periods of a run on a grid over its domain. InputError for a period shorter than two support radii.
inline GridPeriod make_grid_period(const Period& period, const FixedGrid& g, double support) {
    GridPeriod result;
    const long long extent[3] = {g.extent_x, g.extent_y, g.extent_z};
    Units64* const shifts[3] = {&result.shift_x, &result.shift_y, &result.shift_z};
    for (int axis = 0; axis < 3; ++axis) {
        if (!period.periodic[axis]) continue;
        const double length = period.shift[axis][axis];
        if (length < 2 * support)
            throw InputError("domain: the period along " + std::string(1, "xyz"[axis]) + " is " +
                             std::to_string(length) + " m, shorter than two support radii (" +
                             std::to_string(2 * support) + " m): make it longer, or dp smaller");
        const auto units = [&](int along) {
            return along == axis ? extent[axis] : std::llround(period.shift[axis][along] / double(g.unit));
        };
        *shifts[axis] = {units(0), units(1), units(2)};
    }
    return result;
}

} // namespace sluice::cuda
