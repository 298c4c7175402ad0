// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/canvas.h"
#include <array>
#include <vector>

// Lines, triangles and what they enclose. All corners are nodes of the lattice (indices, maybe outside of it).

namespace sluice {

/// Nodes nearer to a line or a plane than this, in units of dp, belong to it: the reference generator's value, found
/// from the particles that it makes of slanted lines and planes.
constexpr double surface_thickness = 0.6;

using Corner = Vec3i;
using Triangle = std::array<Corner, 3>;

/// Nodes nearer than the thickness to the segment a–b; none if both ends are one node.
void draw_segment(Canvas& canvas, const Corner& a, const Corner& b);

/// Nodes nearer than the thickness to the plane of the triangle, whose foot on the plane is inside the triangle or
/// nearer than the thickness to it. A triangle with corners on a line has no plane and draws nothing; one with all
/// corners on one node draws that.
void draw_triangle(Canvas& canvas, const Triangle& t);

/// Triangles with corners on nodes (int) or anywhere (double).
template <class T>
using Triangles = std::vector<std::array<Vec3<T>, 3>>;

/// Splits a polygon, flat or nearly so, into triangles that go round as it does; concave ones too.
template <class T>
Triangles<T> triangulate(const std::vector<Vec3<T>>& polygon);

/// Nodes enclosed by a surface that is drawn already, as far as they hang together with the one in the middle of its
/// box, as the reference generator fills; to erase, all of them. A surface with holes is closed by a vote of rays along
/// the three axes.
void draw_inside(Canvas& canvas, const std::vector<Triangle>& surface);

/// Whether nodes are enclosed by a surface, as a grid of 1 and 0 over `box`.
ParticleGrid enclosed_nodes(const Lattice& lattice, const std::vector<Triangle>& surface);

} // namespace sluice
