// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/canvas.h"
#include "geometry/mesh_file.h"

namespace sluice {

/// The mesh scaled, rotated about y, x, z around `center` and moved, then put through `matrix`.
Mesh place_mesh(Mesh mesh, const MeshPlacement& placement, const Transform& matrix);

/// Draws a placed mesh (metres) as the command says.
void draw_mesh(Canvas& canvas, const Mesh& mesh, const DrawMesh& command, DrawMode mode);

} // namespace sluice
