// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/canvas.h"
#include "geometry/mesh_file.h"

namespace sluice {

/// The mesh scaled, rotated about y, x, z around `center` and moved, then put through `matrix`.
Mesh place_mesh(Mesh mesh, const MeshPlacement& placement, const Transform& matrix);

/// Edges of a mesh's triangles that no other triangle shares: none, if it is closed. Corners at the same place are the
/// same one; triangles that have no area do not count.
std::size_t open_edges(const Mesh& mesh);

/// Draws a placed mesh (metres) as the command says.
void draw_mesh(Canvas& canvas, const Mesh& mesh, const DrawMesh& command, DrawMode mode);

} // namespace sluice
