// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/canvas.h"
#include "geometry/mesh_file.h"

namespace sluice {

/// Draws the nodes inside a placed mesh (metres, not snapped to the lattice) that lie as deep below its surface as the
/// command says. With `reverse` those of rows along x up to where they leave the mesh, inside and outside, that are so
/// far from the nearest of the faces that they are behind. Throws InputError if the mesh covers too many rows of the
/// lattice.
void draw_by_depth(Canvas& canvas, const Mesh& mesh, const DrawMesh& command);

} // namespace sluice
