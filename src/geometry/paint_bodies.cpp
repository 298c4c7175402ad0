// SPDX-License-Identifier: Apache-2.0
#include "geometry/painter.h"

#include "geometry/free_shapes.h"
#include "geometry/round_shapes.h"
#include <algorithm>
#include <cmath>

// Boxes and round bodies.

namespace sluice {

namespace {
/// The face of a box at the lower or upper end of an axis.
unsigned box_side(int axis, bool far) {
    const unsigned sides[3][2] = {{box_left, box_right}, {box_front, box_back}, {box_bottom, box_top}};
    return sides[axis][far];
}
} // namespace

void Painter::apply(const DrawBox& box) {
    if (box.fill & box_solid && !mode_chosen_) {
        mode_chosen_ = true; // once is enough
        warn("no draw mode is set, so solid boxes lack their outer layer of nodes, as in the reference generator; put "
             "<setdrawmode mode=\"full\"/> first, or mode=\"solid\" if that is meant");
    }
    if (box.layers.empty()) draw_box(box, 0);
    for (double layer : box.layers) draw_box(box, layer * canvas_.lattice().dp());
}

void Painter::draw_box(const DrawBox& box, double grow) {
    Vec3d low = box.min, high = box.max;
    for (int axis = 0; axis < 3; ++axis) {
        if (box.fill & (box_side(axis, false) | box_solid)) low[axis] -= grow;
        if (box.fill & (box_side(axis, true) | box_solid)) high[axis] += grow;
        if (low[axis] > high[axis]) std::swap(low[axis], high[axis]);
    }
    if (free_) {
        const Vec3d corner = matrix_(low);
        std::array<Vec3d, 3> edges;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d end = low;
            end[axis] = high[axis];
            edges[std::size_t(axis)] = matrix_(end) - corner;
        }
        refuse_free_wires();
        const bool shell = box.fill & box_solid && mode_ == DrawMode::face;
        return draw_box_freely(canvas_, corner, edges, shell ? unsigned(box_all_faces) : box.fill);
    }
    if (matrix_.is_translation()) {
        const Corner a = node_of(low), b = node_of(high);
        return draw_straight_box({a, b}, box.fill);
    }
    std::vector<Vec3d> points;
    for (int corner = 0; corner < 8; ++corner)
        points.push_back({corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z});
    // A prism between bottom and top, its base cut along the edge from (x max, y min) to (x min, y max).
    DrawFaces faces;
    for (int corner : {1, 3, 2, 0}) faces.points.push_back(points[std::size_t(corner)]);
    for (int corner : {5, 7, 6, 4}) faces.points.push_back(points[std::size_t(corner)]);
    const std::pair<unsigned, std::vector<int>> sides[] = {{box_bottom, {0, 1, 2, 3}}, {box_top, {4, 5, 6, 7}},
                                                           {box_left, {2, 3, 7, 6}},   {box_right, {0, 1, 5, 4}},
                                                           {box_front, {3, 0, 4, 7}},  {box_back, {1, 2, 6, 5}}};
    for (const auto& [bit, face] : sides)
        if (box.fill & (bit | box_solid)) faces.faces.push_back(face);
    if (box.fill & box_solid) faces.body = DrawFaces::Body::prism;
    apply(faces);
}

// The nodes off the surface, and those near the upright plane through the edges at (x max, y min) and (x min, y max):
// the reference generator puts the inside together from two prisms that meet there.
void Painter::draw_box_inside(const IndexBox& box) {
    IndexBox inside = box;
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == 1 && canvas_.lattice().two_d()) continue;
        ++inside.first[axis];
        --inside.last[axis];
    }
    canvas_.fill_box(inside);
    const double width = double(box.last.x) - box.first.x, depth = double(box.last.y) - box.first.y;
    const double length = std::hypot(width, depth);
    if (length == 0 || canvas_.lattice().two_d()) return;
    const IndexBox sheet =
        canvas_.lattice().clip({{box.first.x, box.first.y, inside.first.z}, {box.last.x, box.last.y, inside.last.z}});
    for (int j = sheet.first.y; j <= sheet.last.y; ++j)
        for (int i = sheet.first.x; i <= sheet.last.x; ++i) {
            const double x = double(i) - box.last.x, y = double(j) - box.first.y;
            if (std::abs(x * depth + y * width) >= surface_thickness * length) continue;
            for (int k = sheet.first.z; k <= sheet.last.z; ++k) canvas_.plot(i, j, k);
        }
}

void Painter::draw_box_wires(const IndexBox& box, unsigned fill) {
    const bool solid = fill & box_solid;
    for (int along = 0; along < 3; ++along)
        for (int corner = 0; corner < 4; ++corner) {
            const int a = (along + 1) % 3, b = (along + 2) % 3;
            const bool far_a = corner & 1, far_b = corner & 2;
            if (!solid && !(fill & (box_side(a, far_a) | box_side(b, far_b)))) continue;
            IndexBox edge = box;
            (far_a ? edge.first : edge.last)[a] = (far_a ? box.last : box.first)[a];
            (far_b ? edge.first : edge.last)[b] = (far_b ? box.last : box.first)[b];
            canvas_.fill_box(edge);
        }
    // A solid box is put together from two prisms: the edges where they meet belong to its wires.
    if (solid)
        for (int z : {box.first.z, box.last.z})
            draw_segment(canvas_, {box.last.x, box.first.y, z}, {box.first.x, box.last.y, z});
}

void Painter::draw_straight_box(const IndexBox& box, unsigned fill) {
    if (mode_ == DrawMode::wire) return draw_box_wires(box, fill);
    if (fill & box_solid && mode_ == DrawMode::full) return canvas_.fill_box(box);
    if (fill & box_solid && mode_ == DrawMode::solid) return draw_box_inside(box);
    const unsigned faces = fill & box_solid ? unsigned(box_all_faces) : fill;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool far : {false, true}) {
            if (!(faces & box_side(axis, far))) continue;
            IndexBox plane = box;
            (far ? plane.first : plane.last)[axis] = (far ? box.last : box.first)[axis];
            canvas_.fill_box(plane);
        }
}

RoundParts Painter::round_parts(double radius, DrawMode mode) const {
    const double nearest = std::max(radius_in_dp(radius), 0.0);
    switch (mode) {
    case DrawMode::full: return {nearest, nearest};
    case DrawMode::solid: return {std::nullopt, radius * matrix_.length_scale() / canvas_.lattice().dp()};
    case DrawMode::face: return {nearest, std::nullopt};
    case DrawMode::wire: break;
    }
    return {};
}

void Painter::refuse_free_wires() const {
    if (mode_ == DrawMode::wire) throw InputError("there are no wires off the lattice, use another draw mode");
}

void Painter::draw_free_sphere(const DrawSphere& sphere) {
    refuse_free_wires();
    const double scale = matrix_.length_scale(), dp = canvas_.lattice().dp();
    const Vec3d center = matrix_(sphere.center);
    if (sphere.layers.empty()) draw_ball_freely(canvas_, center, sphere.radius * scale, mode_ != DrawMode::face);
    for (double layer : sphere.layers)
        if (const double radius = sphere.radius + layer * dp; radius > 0)
            draw_ball_freely(canvas_, center, radius * scale, false);
}

void Painter::apply(const DrawSphere& sphere) {
    if (free_) return draw_free_sphere(sphere);
    if (mode_ == DrawMode::wire && sphere.layers.empty()) {
        // The reference generator shows a sphere by the wires of the box around it.
        const Vec3d reach{sphere.radius, sphere.radius, sphere.radius};
        return draw_box_wires({node_of(sphere.center - reach), node_of(sphere.center + reach)}, box_solid);
    }
    const Corner center = node_of(sphere.center);
    if (sphere.layers.empty()) return draw_ball(canvas_, center, round_parts(sphere.radius, mode_));
    for (double layer : sphere.layers)
        draw_ball(canvas_, center, round_parts(sphere.radius + layer * canvas_.lattice().dp(), DrawMode::face));
}

void Painter::apply(const DrawCylinder& c) {
    if (mode_ == DrawMode::wire) throw InputError("a cylinder has no wires, use the mode full or face");
    const bool layered = !c.layers.empty();
    const CylinderParts parts{c.cover_from, c.cover_to, c.tube, c.closed() && !layered && mode_ != DrawMode::face};
    const double dp = canvas_.lattice().dp();
    const Vec3d axis = c.to - c.from;
    const Vec3d along = (1 / std::sqrt(dot(axis, axis))) * axis;
    for (double layer : layered ? c.layers : Layers{0}) {
        const double d = layer * dp;
        // The tube is longer or shorter only towards an end that is drawn.
        const Vec3d from = c.from - (c.cover_from ? d : 0) * along, to = c.to + (c.cover_to ? d : 0) * along;
        if (free_) {
            // With a mask the reference generator draws the tube alone, whatever the mask leaves out.
            const FreeCylinder part = !c.closed()    ? FreeCylinder::tube
                                      : parts.inside ? FreeCylinder::full
                                                     : FreeCylinder::shell;
            if (c.radius + d > 0)
                draw_cylinder_freely(canvas_, matrix_(from), matrix_(to), (c.radius + d) * matrix_.length_scale(),
                                     part);
            continue;
        }
        draw_cylinder(canvas_, node_of(from), node_of(to), std::max(radius_in_dp(c.radius + d), 0.0), parts);
    }
}

void Painter::apply(const DrawEllipsoid& e) {
    draw_ellipsoid(canvas_, node_of(e.focus1), node_of(e.focus2), round_parts(e.radius, mode_));
}

// The free surface of a solitary wave (Boussinesq): depth + height·sech²(√(3·height/(4·depth³))·(x − x0)).
void Painter::apply(const DrawWave& wave) {
    const Lattice& lattice = canvas_.lattice();
    const IndexBox box = lattice.nearest_box(matrix_(wave.min), matrix_(wave.max));
    if (box.empty()) return;
    const double k = std::sqrt(3 * std::abs(wave.height) / (4 * wave.depth * wave.depth * wave.depth));
    for (int i = box.first.x; i <= box.last.x; ++i) {
        const double sech = 1 / std::cosh(k * (lattice.coordinate(0, i) - wave.x0));
        const double surface = wave.z0 + wave.depth + wave.height * sech * sech;
        IndexBox column = box;
        column.first.x = column.last.x = i;
        column.last.z = std::min(column.last.z, lattice.nearest(2, surface));
        if (!column.empty()) canvas_.fill_box(column);
    }
}

} // namespace sluice
