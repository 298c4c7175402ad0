// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "core/error.h"
#include <filesystem>
#include <optional>
#include <vector>

namespace sluice {

/// One surface of a multiblock file, as a mesh of its own.
struct MeshSurface {
    DrawMesh mesh;
    std::optional<SetMk> mk; ///< empty: the current one
};

/// The surfaces that drawfilevtm asks for, in the order in which they are drawn; `path` is that of its file. Throws
/// InputError if the file cannot be read, lacks a surface or names a file outside the folder of the case. A choice that
/// names a surface is to blame on its own line.
std::vector<MeshSurface> read_surfaces(const DrawSurfaces& surfaces, const std::filesystem::path& path,
                                       const SourceLocation& where);

} // namespace sluice
