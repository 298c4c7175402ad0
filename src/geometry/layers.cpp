// SPDX-License-Identifier: Apache-2.0
#include "geometry/layers.h"

#include <cmath>

namespace sluice {

unsigned box_side(int axis, bool far) {
    const unsigned sides[3][2] = {{box_left, box_right}, {box_front, box_back}, {box_bottom, box_top}};
    return sides[axis][far];
}

std::pair<Vec3d, Vec3d> grown(const DrawBox& box, double distance) {
    Vec3d low = box.min, high = box.max;
    for (int axis = 0; axis < 3; ++axis) {
        const bool near = box.fill & (box_side(axis, false) | box_solid);
        const bool far = box.fill & (box_side(axis, true) | box_solid);
        if (near) low[axis] -= distance;
        if (far) high[axis] += distance;
        if (near && far && low[axis] > high[axis]) std::swap(low[axis], high[axis]);
    }
    return {low, high};
}

DrawFaces faces_of_box(const Vec3d& low, const Vec3d& high, unsigned fill) {
    const auto corner = [&](int c) {
        return Vec3d{c & 1 ? high.x : low.x, c & 2 ? high.y : low.y, c & 4 ? high.z : low.z};
    };
    DrawFaces faces;
    // Its base is cut from its second corner to its fourth, from (x max, y min) to (x min, y max).
    for (int c : {0, 1, 3, 2, 4, 5, 7, 6}) faces.points.push_back(corner(c));
    const std::pair<unsigned, std::vector<int>> sides[] = {{box_bottom, {1, 2, 3, 0}}, {box_top, {5, 6, 7, 4}},
                                                           {box_left, {3, 0, 4, 7}},   {box_right, {1, 2, 6, 5}},
                                                           {box_front, {0, 1, 5, 4}},  {box_back, {2, 3, 7, 6}}};
    for (const auto& [bit, face] : sides)
        if (fill & (bit | box_solid)) faces.faces.push_back(face);
    if (fill & (box_bottom | box_solid)) faces.first_base = 0;
    if (fill & box_solid) faces.body = DrawFaces::Body::prism;
    return faces;
}

DrawCylinder grown(const DrawCylinder& cylinder, double distance) {
    DrawCylinder c = cylinder;
    const Vec3d axis = c.to - c.from;
    const Vec3d along = normalized(axis);
    if (c.cover_from) c.from = c.from - distance * along;
    if (c.cover_to) c.to = c.to + distance * along;
    c.radius += distance;
    return c;
}

} // namespace sluice
