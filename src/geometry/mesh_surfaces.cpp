// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_surfaces.h"

#include "case/expression.h"
#include "geometry/mesh_file.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

/// The surfaces that a choice means.
std::vector<const MeshPart*> chosen_parts(const std::vector<MeshPart>& parts, const DrawSurfaces::Choice& choice,
                                          const SourceLocation& where) {
    std::vector<const MeshPart*> chosen;
    for (int index : choice.indices) {
        if (index >= static_cast<int>(parts.size()))
            throw InputError(where, fmt::format("<onlysurfaces> index {}: the file has {} surfaces, counted from 0",
                                                index, parts.size()));
        chosen.push_back(&parts[std::size_t(index)]);
    }
    for (const std::string& name : choice.names) {
        const auto part =
            std::find_if(parts.begin(), parts.end(), [&](const MeshPart& p) { return to_lower(p.name) == name; });
        if (part == parts.end())
            throw InputError(where, fmt::format("<onlysurfaces> name \"{}\": the file has no such surface", name));
        chosen.push_back(&*part);
    }
    return chosen;
}

DrawMesh mesh_of(const DrawSurfaces& surfaces, const MeshPart& part, const SourceLocation& where) {
    const auto path = (std::filesystem::path(surfaces.mesh.file).parent_path() / part.file).lexically_normal();
    if (part.file.empty() || path.is_absolute() || path.begin()->string() == "..")
        throw InputError(where, fmt::format("the file {} names \"{}\", which lies outside the folder of the case",
                                            surfaces.mesh.file, part.file));
    DrawMesh mesh = surfaces.mesh;
    mesh.file = path.string();
    return mesh;
}

} // namespace

std::vector<MeshSurface> read_surfaces(const DrawSurfaces& surfaces, const std::filesystem::path& path,
                                       const SourceLocation& where) {
    const std::vector<MeshPart> parts = mesh_format::parse_multiblock(read_data_text(path, where));
    std::vector<MeshSurface> out;
    if (surfaces.choices.empty())
        for (const MeshPart& part : parts) out.push_back({mesh_of(surfaces, part, where), {}});
    for (const DrawSurfaces::Choice& choice : surfaces.choices) {
        const SourceLocation line{where.file, choice.line};
        const auto chosen = chosen_parts(parts, choice, line);
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            std::optional<SetMk> mk;
            if (!choice.mk.empty()) mk = choice.mk[choice.mk.size() == 1 ? 0 : i];
            out.push_back({mesh_of(surfaces, *chosen[i], line), mk});
        }
    }
    return out;
}

} // namespace sluice
