// SPDX-License-Identifier: Apache-2.0
#include "geometry/wall_shapes.h"

#include "geometry/extrude.h"
#include "geometry/lattice.h"
#include "geometry/mesh_draw.h"
#include "geometry/mesh_surfaces.h"
#include "geometry/shape_surface.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string_view>

namespace sluice {

namespace {

using Clips = std::vector<ClipHalfSpace>;

bool closed(const std::vector<Facet>& facets) {
    Mesh mesh;
    for (const Facet& f : facets) {
        const auto first = static_cast<std::uint32_t>(mesh.points.size());
        mesh.points.insert(mesh.points.end(), f.begin(), f.end());
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return open_edges(mesh) == 0;
}

/// Goes through the drawing commands of a case and keeps the shapes of the boundary since the last shapeout.
class ShapeReplay {
public:
    ShapeReplay(const Case& the_case, const NormalsGeometry& geometry) : case_(the_case), geometry_(geometry) {}

    WallSurfaces run() {
        for (const GeometryCommand& command : case_.commands) {
            command_ = &command;
            std::visit([&](const auto& action) { apply(action); }, command.action);
        }
        if (!result_) fail(names_.empty() ? "there is none" : fmt::format("there is {}", fmt::join(names_, ", ")));
        return std::move(*result_);
    }

    /// All shapes of the boundary that the case draws, whatever shapeouts there are.
    WallSurfaces run_all() {
        to_end_ = true;
        for (const GeometryCommand& command : case_.commands) {
            command_ = &command;
            std::visit([&](const auto& action) { apply(action); }, command.action);
        }
        return surfaces();
    }

private:
    /// A shape and the state under which it was drawn.
    struct Drawn {
        const GeometryCommand* command;
        SetMk mk;
        Transform matrix;
        bool invert;
        Clips clips;
    };

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(
            geometry_.where,
            fmt::format("<geometryfile> {}: it names the shapes of <shapeout file=\"{}\"/>, but {}; draw them "
                        "before that <shapeout> with <setactive drawshapes=\"1\"/>",
                        geometry_.file, *geometry_.shapes, what));
    }

    void apply(const SetMk& set) { mk_ = set; }
    void apply(const SetMatrix& set) { matrix_ = set.matrix; }
    void apply(const SetActive& set) { active_ = set.shapes; }
    void apply(const SetNormalInvert& set) { invert_ = set.invert; }
    void apply(const SetShapeMode& set) { mode_ = set; }
    void apply(const ClipHalfSpace& clip) { clips_.push_back(clip); }
    void apply(const ClipReset&) { clips_.clear(); }
    void apply(const Erase&) { drawn_.clear(); }
    void apply(const ShapeOut& out) {
        if (to_end_) return;
        names_.push_back(fmt::format("\"{}\"", out.file));
        if (out.file == *geometry_.shapes) result_ = surfaces();
        if (out.reset) drawn_.clear();
    }
    void apply(const DrawSurfaces&) { keep(true); }
    template <class Draw>
    void apply(const Draw&) {
        keep(std::string_view(command_->element).starts_with("draw"));
    }

    void keep(bool drawing) {
        const bool wanted = geometry_.on_lattice ? mode_.on_lattice : mode_.actual;
        if (drawing && active_ && mode_.bound && wanted) drawn_.push_back({command_, mk_, matrix_, invert_, clips_});
    }

    WallSurfaces surfaces() const {
        WallSurfaces out;
        for (const Drawn& d : drawn_) {
            if (const auto* many = std::get_if<DrawSurfaces>(&d.command->action))
                for (const MeshSurface& s :
                     read_surfaces(*many, case_.data_folder / many->mesh.file, case_.where(*d.command)))
                    add(out, d, s.mk.value_or(d.mk), s.mesh);
            else
                add(out, d, d.mk, d.command->action);
        }
        for (auto& [mk, wall] : out) finish(wall.facets);
        std::erase_if(out, [](const auto& wall) { return wall.second.facets.empty(); });
        if (out.empty() && !to_end_) fail("it has no surface of any mkbound");
        return out;
    }

    void add(WallSurfaces& out, const Drawn& d, const SetMk& mk, const GeometryAction& action) const {
        if (mk.kind != MkKind::bound) return;
        const CaseDefinition& definition = case_.definition;
        std::vector<Facet> facets =
            surface_of(action, {d.matrix, definition.dp, definition.two_d, case_.data_folder, case_.where(*d.command)});
        for (const ClipHalfSpace& clip : d.clips) facets = clipped(facets, clip);
        if (facets.empty()) return;
        WallShapes& wall = out[mk.mk];
        wall.meshes = wall.meshes && std::holds_alternative<DrawMesh>(action);
        wall.closed = wall.closed && closed(facets);
        for (const Facet& f : facets) wall.facets.push_back(d.invert ? Facet{f[0], f[2], f[1]} : f);
    }

    void finish(std::vector<Facet>& facets) const {
        const Lattice lattice(case_.definition);
        if (geometry_.on_lattice)
            for (Facet& f : facets)
                for (Vec3d& corner : f) corner = lattice.node(nearest_node(lattice, corner));
        if (case_.definition.two_d) facets = strips_across(facets, lattice.coordinate(1, 0), lattice.dp());
    }

    const Case& case_;
    const NormalsGeometry& geometry_;
    const GeometryCommand* command_ = nullptr;
    SetMk mk_;
    Transform matrix_;
    bool active_ = true, invert_ = false, to_end_ = false;
    SetShapeMode mode_;
    Clips clips_;
    std::vector<Drawn> drawn_;
    std::vector<std::string> names_;
    std::optional<WallSurfaces> result_;
};

} // namespace

WallSurfaces shapes_of_walls(const Case& the_case, const NormalsGeometry& geometry) {
    return ShapeReplay(the_case, geometry).run();
}

WallSurfaces shapes_drawn(const Case& the_case, bool on_lattice) {
    NormalsGeometry geometry;
    geometry.on_lattice = on_lattice;
    return ShapeReplay(the_case, geometry).run_all();
}

} // namespace sluice
