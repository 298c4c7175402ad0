// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cmath>

namespace sluice {

/// The periodic axes of a run. Where a particle leaves the domain through one face of a periodic axis it enters through
/// the opposite one; near a face it interacts with the images of the particles near the other.
struct Period {
    bool periodic[3] = {false, false, false};
    /// From a particle to its image beyond the upper face of each axis, m: the domain's length along the axis, and a
    /// step along others (XPeriodicIncZ is minus the z of shift[0]). Zero along axes that are not periodic.
    Vec3d shift[3];

    bool any() const { return periodic[0] || periodic[1] || periodic[2]; }
    /// Whether the shift along one axis steps along another.
    bool has_steps() const {
        for (int axis = 0; axis < 3; ++axis)
            for (int other = 0; other < 3; ++other)
                if (other != axis && shift[axis][other] != 0) return true;
        return false;
    }
    /// Whether images may lie beside the domain along an axis: it is periodic, or another one's shift steps along it.
    bool has_images_along(int axis) const {
        return periodic[axis] || shift[0][axis] != 0 || shift[1][axis] != 0 || shift[2][axis] != 0;
    }

    /// The position inside the domain that stands for one within a period of it; `size`: of the domain, positions count
    /// from its lower corner, m. Along periodic axes the result lies in [0, size).
    Vec3d wrapped(Vec3d p, const Vec3d& size) const {
        for (int axis = 0; axis < 3; ++axis) {
            if (!periodic[axis]) continue;
            if (p[axis] < 0)
                p = p + shift[axis];
            else if (p[axis] >= size[axis])
                p = p - shift[axis];
            else
                continue;
            if (p[axis] == size[axis]) p[axis] = 0; // a little below 0, rounded
        }
        return p;
    }
    /// The same for a position any number of periods away.
    Vec3d wrapped_from_afar(Vec3d p, const Vec3d& size) const {
        for (int axis = 0; axis < 3; ++axis)
            if (periodic[axis]) p = p - std::floor(p[axis] / size[axis]) * shift[axis];
        return wrapped(p, size); // what rounding has left outside
    }
    /// Whether a position is that of an image: outside the domain along a periodic axis.
    bool is_image(const Vec3d& p, const Vec3d& size) const {
        for (int axis = 0; axis < 3; ++axis)
            if (periodic[axis] && !(p[axis] >= 0 && p[axis] < size[axis])) return true;
        return false;
    }

    /// Calls `use(image)` with the position of each image of p within `reach` (m) of the domain along the periodic
    /// axes. p lies in the domain; no period is shorter than `reach`.
    template <class Use>
    void for_each_image(const Vec3d& p, const Vec3d& size, const Vec3d& reach, const Use& use) const {
        int first[3] = {0, 0, 0}, last[3] = {0, 0, 0}; // how many shifts, from … to
        for (int axis = 0; axis < 3; ++axis) {
            if (!periodic[axis]) continue;
            first[axis] = p[axis] >= size[axis] - reach[axis] ? -1 : 0;
            last[axis] = p[axis] < reach[axis] ? 1 : 0;
        }
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y)
                for (int x = first[0]; x <= last[0]; ++x)
                    if (x != 0 || y != 0 || z != 0)
                        use(p + double(x) * shift[0] + double(y) * shift[1] + double(z) * shift[2]);
    }
};

} // namespace sluice
