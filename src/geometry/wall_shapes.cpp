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

/// Which shapes of the boundary are kept.
enum class Kept {
    actual,     ///< those of setshapemode actual, with drawshapes of setactive
    on_lattice, ///< those of setshapemode dp, whose corners go to the nodes of the lattice
    particles   ///< those that leave particles: with drawpoints of setactive
};

Kept kept_for(bool on_lattice) { return on_lattice ? Kept::on_lattice : Kept::actual; }

/// Goes through the drawing commands of a case and keeps the shapes of the boundary: those since the last shapeout that
/// a geometry names, or without one those of the whole case.
class ShapeReplay {
public:
    ShapeReplay(const Case& the_case, Kept kept, const NormalsGeometry* geometry = nullptr)
        : case_(the_case), kept_(kept), geometry_(geometry) {}

    /// The shapes of the shapeout that the geometry names.
    WallSurfaces named() {
        replay();
        if (!result_) fail(names_.empty() ? "there is none" : fmt::format("there is {}", fmt::join(names_, ", ")));
        finish(*result_);
        if (result_->empty()) fail("it has no surface of any mkbound");
        return std::move(*result_);
    }
    /// The shapes of the whole case.
    WallSurfaces all() {
        replay();
        WallSurfaces walls = surfaces();
        finish(walls);
        return walls;
    }
    /// The same, uncut in 2-D.
    WallSurfaces all_in_space() {
        replay();
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

    void replay() {
        for (const GeometryCommand& command : case_.commands) {
            command_ = &command;
            std::visit([&](const auto& action) { apply(action); }, command.action);
        }
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(
            geometry_->where,
            fmt::format("<geometryfile> {}: it names the shapes of <shapeout file=\"{}\"/>, but {}; draw them "
                        "before that <shapeout> with <setactive drawshapes=\"1\"/>",
                        geometry_->file, *geometry_->shapes, what));
    }

    void apply(const SetMk& set) { mk_ = set; }
    void apply(const SetMatrix& set) { matrix_ = set.matrix; }
    void apply(const SetActive& set) { active_ = set; }
    void apply(const SetNormalInvert& set) { invert_ = set.invert; }
    void apply(const SetShapeMode& set) { mode_ = set; }
    void apply(const ClipHalfSpace& clip) { clips_.push_back(clip); }
    void apply(const ClipReset&) { clips_.clear(); }
    void apply(const Erase&) { drawn_.clear(); }
    void apply(const ShapeOut& out) {
        if (!geometry_) return;
        names_.push_back(fmt::format("\"{}\"", out.file));
        if (out.file == *geometry_->shapes) result_ = surfaces();
        if (out.reset) drawn_.clear();
    }
    void apply(const DrawSurfaces&) { keep(true); }
    template <class Draw>
    void apply(const Draw&) {
        keep(std::string_view(command_->element).starts_with("draw"));
    }

    void keep(bool drawing) {
        const bool wanted =
            kept_ == Kept::particles
                ? active_.draw
                : active_.shapes && mode_.bound && (kept_ == Kept::on_lattice ? mode_.on_lattice : mode_.actual);
        if (drawing && wanted) drawn_.push_back({command_, mk_, matrix_, invert_, clips_});
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

    void finish(WallSurfaces& walls) const {
        const Lattice lattice(case_.definition);
        for (auto& [mk, wall] : walls) {
            if (kept_ == Kept::on_lattice)
                for (Facet& f : wall.facets)
                    for (Vec3d& corner : f) corner = lattice.node(nearest_node(lattice, corner));
            if (case_.definition.two_d)
                wall.facets = strips_across(wall.facets, lattice.coordinate(1, 0), lattice.dp());
        }
        std::erase_if(walls, [](const auto& wall) { return wall.second.facets.empty(); });
    }

    const Case& case_;
    Kept kept_;
    const NormalsGeometry* geometry_;
    const GeometryCommand* command_ = nullptr;
    SetMk mk_;
    Transform matrix_;
    SetActive active_;
    bool invert_ = false;
    SetShapeMode mode_;
    Clips clips_;
    std::vector<Drawn> drawn_;
    std::vector<std::string> names_;
    std::optional<WallSurfaces> result_;
};

} // namespace

WallSurfaces shapes_of_walls(const Case& the_case, const NormalsGeometry& geometry) {
    return ShapeReplay(the_case, kept_for(geometry.on_lattice), &geometry).named();
}

namespace {

/// Where casedef/initials put a place of an mkbound.
Vec3d displaced(const Case& the_case, int mk, Vec3d p) {
    for (const InitialState& state : the_case.initials) {
        const bool meant =
            state.kind == MkKind::bound && std::find(state.mk.begin(), state.mk.end(), mk) != state.mk.end();
        if (meant && state.displacement && state.only.hold(p)) p = (*state.displacement)(p);
    }
    return p;
}

} // namespace

std::map<int, DrawnWall> drawn_walls(const Case& the_case) {
    const CaseDefinition& definition = the_case.definition;
    std::map<int, DrawnWall> walls;
    for (auto& [mk, wall] : ShapeReplay(the_case, Kept::particles).all_in_space()) {
        if (wall.facets.empty()) continue;
        if (definition.two_d)
            walls[mk].lines = cuts_with(wall.facets, Lattice(definition).coordinate(1, 0), definition.dp);
        else
            walls[mk].facets = std::move(wall.facets);
    }
    for (auto& [mk, wall] : walls) {
        for (Facet& facet : wall.facets)
            for (Vec3d& corner : facet) corner = displaced(the_case, mk, corner);
        for (Segment& line : wall.lines)
            for (Vec3d& end : line) end = displaced(the_case, mk, end);
    }
    std::erase_if(walls, [](const auto& wall) { return wall.second.facets.empty() && wall.second.lines.empty(); });
    return walls;
}

WallSurfaces shapes_drawn(const Case& the_case, bool on_lattice) {
    return ShapeReplay(the_case, kept_for(on_lattice)).all();
}

} // namespace sluice
