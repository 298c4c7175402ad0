// SPDX-License-Identifier: Apache-2.0
#include "geometry/painter.h"

#include "case/box_parts.h"
#include "geometry/free_shapes.h"
#include "geometry/layers.h"
#include "geometry/round_shapes.h"
#include <algorithm>
#include <cmath>
#include <utility>

// Boxes and round bodies.

namespace sluice {

void Painter::apply(const DrawBox& box) {
    if (box.fill & box_solid && !mode_chosen_) {
        mode_chosen_ = true; // once is enough
        warn("no draw mode is set, so solid boxes lack their outer layer of nodes, as in the reference generator; put "
             "<setdrawmode mode=\"full\"/> first, or mode=\"solid\" if that is meant");
    }
    for (double layer : layers_or_surface(box.layers.drawn)) draw_box(box, layer * canvas_.lattice().dp());
}

void Painter::draw_box(const DrawBox& box, double grow) {
    const auto [low, high] = grown(box, grow);
    if (free_) {
        const Vec3d corner = matrix_(low);
        std::array<Vec3d, 3> edges;
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d end = low;
            end[axis] = high[axis];
            edges[std::size_t(axis)] = matrix_(end) - corner;
        }
        refuse_free_wires();
        return draw_box_freely(canvas_, corner, edges, box.fill);
    }
    if (matrix_.is_translation()) {
        const Corner a = node_of(low), b = node_of(high);
        return box.fill & box_mk_for_each_part ? draw_box_parts({a, b}) : draw_straight_box({a, b}, box.fill);
    }
    apply(faces_of_box(low, high, box.fill));
}

namespace {

IndexBox off_surface(IndexBox box) {
    for (int axis = 0; axis < 3; ++axis) {
        ++box.first[axis];
        --box.last[axis];
    }
    return box;
}

/// The nodes of a face. The layers of the others may have turned it round.
IndexBox box_face(IndexBox box, int axis, bool far) {
    (far ? box.first : box.last)[axis] = (far ? box.last : box.first)[axis];
    for (int other = 0; other < 3; ++other)
        if (box.first[other] > box.last[other]) std::swap(box.first[other], box.last[other]);
    return box;
}

/// Whether a box is one node across in two directions or more.
bool is_line(const IndexBox& box) {
    int across = 0;
    for (int axis = 0; axis < 3; ++axis) across += box.first[axis] == box.last[axis];
    return across >= 2;
}

bool is_point(const IndexBox& box) { return box.first == box.last; }

} // namespace

// The nodes off the surface, and those near the upright plane through the edges at (x max, y min) and (x min, y max):
// the reference generator puts the inside together from two prisms that meet there.
void Painter::draw_box_inside(const IndexBox& box) {
    const IndexBox inside = off_surface(box);
    canvas_.fill_box(inside);
    if (!canvas_.lattice().two_d()) draw_box_plane(box, inside);
}

/// The plane where the two prisms of a box meet, between its bottom and its top.
void Painter::draw_box_plane(const IndexBox& box, const IndexBox& inside) {
    const double width = double(box.last.x) - box.first.x, depth = double(box.last.y) - box.first.y;
    const double length = std::hypot(width, depth);
    if (length == 0) return;
    const IndexBox sheet =
        canvas_.lattice().clip({{box.first.x, box.first.y, inside.first.z}, {box.last.x, box.last.y, inside.last.z}});
    for (int j = sheet.first.y; j <= sheet.last.y; ++j)
        for (int i = sheet.first.x; i <= sheet.last.x; ++i) {
            const double x = double(i) - box.last.x, y = double(j) - box.first.y;
            if (std::abs(x * depth + y * width) >= surface_thickness * length) continue;
            for (int k = sheet.first.z; k <= sheet.last.z; ++k) canvas_.plot(i, j, k);
        }
}

// Found from the particles of each mk that the reference generator makes of two boxes.
void Painter::draw_box_parts(const IndexBox& box) {
    const Corner &a = box.first, &b = box.last;
    const std::uint16_t mk = canvas_.mk();
    if (mode_ != DrawMode::face) {
        const IndexBox inside = off_surface(box);
        const IndexBox shown = canvas_.lattice().clip(inside);
        for (const bool far : {false, true}) {
            for (int j = shown.first.y; j <= shown.last.y; ++j)
                for (int i = shown.first.x; i <= shown.last.x; ++i) {
                    const bool beyond =
                        (double(i) - b.x) * (double(b.y) - a.y) + (double(j) - a.y) * (double(b.x) - a.x) > 0;
                    if (beyond != far) continue;
                    for (int k = shown.first.z; k <= shown.last.z; ++k) canvas_.plot(i, j, k);
                }
            next_mk();
            draw_box_plane(box, inside);
            next_mk();
        }
    }
    if (mode_ != DrawMode::solid) {
        for (const int z : {a.z, b.z})
            for (const Corner& corner : {a, b}) {
                draw_triangle(canvas_, {Corner{b.x, a.y, z}, {corner.x, corner.y, z}, {a.x, b.y, z}});
                next_mk();
            }
        for (const auto& [axis, far] : {std::pair{1, false}, {0, true}, {1, true}, {0, false}}) {
            canvas_.fill_box(box_face(box, axis, far));
            next_mk();
        }
    }
    canvas_.set_mk(mk);
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
    if (fill & box_solid && mode_ == DrawMode::full && !is_line(box)) return canvas_.fill_box(box);
    if (fill & box_solid && mode_ == DrawMode::solid) return draw_box_inside(box);
    const unsigned faces = fill & box_solid ? unsigned(box_all_faces) : fill;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool far : {false, true}) {
            if (!(faces & box_side(axis, far))) continue;
            const IndexBox face = box_face(box, axis, far);
            // As its triangles have no plane, a face that is a line draws nothing.
            if (!is_line(face) || is_point(face)) canvas_.fill_box(face);
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
    const std::vector<double>& layers = sphere.layers.drawn;
    if (layers.empty()) draw_ball_freely(canvas_, center, sphere.radius * scale, mode_ != DrawMode::face);
    for (double layer : layers)
        if (const double radius = sphere.radius + layer * dp; radius > 0)
            draw_ball_freely(canvas_, center, radius * scale, false);
}

void Painter::apply(const DrawSphere& sphere) {
    if (free_) return draw_free_sphere(sphere);
    if (mode_ == DrawMode::wire && sphere.layers.drawn.empty()) {
        // The reference generator shows a sphere by the wires of the box around it.
        const Vec3d reach{sphere.radius, sphere.radius, sphere.radius};
        return draw_box_wires({node_of(sphere.center - reach), node_of(sphere.center + reach)}, box_solid);
    }
    const Corner center = node_of(sphere.center);
    if (sphere.layers.drawn.empty()) return draw_ball(canvas_, center, round_parts(sphere.radius, mode_));
    for (double layer : sphere.layers.drawn)
        draw_ball(canvas_, center, round_parts(sphere.radius + layer * canvas_.lattice().dp(), DrawMode::face));
}

void Painter::apply(const DrawCylinder& c) {
    if (mode_ == DrawMode::wire) throw InputError("a cylinder has no wires, use the mode full or face");
    for (double layer : layers_or_surface(c.layers.drawn)) draw_cylinder(grown(c, layer * canvas_.lattice().dp()));
}

void Painter::draw_cylinder(const DrawCylinder& c) {
    const bool is_layer = !c.layers.drawn.empty();
    // A mask leaves a surface, whatever the mode.
    const bool inside = c.closed() && !is_layer && mode_ != DrawMode::face;
    const bool surface = !inside || mode_ == DrawMode::full;
    const double radius = c.radius * matrix_.length_scale();
    if (radius <= 0) return;
    if (free_)
        return draw_cylinder_freely(
            canvas_, {matrix_(c.from), matrix_(c.to), radius, inside, c.tube, c.cover_from, c.cover_to, is_layer});
    sluice::draw_cylinder(canvas_, node_of(c.from), node_of(c.to), radius,
                          {surface && c.cover_from, surface && c.cover_to, surface && c.tube, inside});
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
