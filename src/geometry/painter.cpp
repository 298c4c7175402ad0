// SPDX-License-Identifier: Apache-2.0
#include "geometry/painter.h"
#include "core/extent.h"

#include "case/expression.h"
#include "geometry/bathymetry.h"
#include "geometry/enclosure.h"
#include "geometry/extrude.h"
#include "geometry/fill.h"
#include "geometry/free_shapes.h"
#include "geometry/layers.h"
#include "geometry/mesh_draw.h"
#include "geometry/mesh_surfaces.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace sluice {

namespace {

/// Shapes that cannot be drawn off the lattice; DrawFaces sees for itself which it can.
bool only_on_lattice(const GeometryAction& action) {
    return std::holds_alternative<DrawEllipsoid>(action) || std::holds_alternative<DrawWave>(action) ||
           std::holds_alternative<DrawMesh>(action) || std::holds_alternative<DrawSurfaces>(action) ||
           std::holds_alternative<DrawBathymetry>(action);
}

} // namespace

Painter::Painter(const Case& the_case, std::vector<Diagnostic>& diagnostics)
    : case_(the_case), diagnostics_(diagnostics), canvas_(the_case.definition) {}

void Painter::draw() {
    for (const GeometryCommand& command : case_.commands) {
        current_ = &command;
        canvas_.reset_drawn();
        reached_ = {};
        canvas_.count_overlaps(std::string_view(command.element).starts_with("draw"));
        if (std::string_view(command.element).starts_with("draw") && !mk_chosen_)
            throw InputError(case_.where(command),
                             fmt::format("<{}> draws before any mk is chosen, put setmkfluid or setmkbound before it",
                                         command.element));
        if (free_ && only_on_lattice(command.action)) warn_of_lattice();
        try {
            std::visit([&](const auto& action) { apply(action); }, command.action);
        } catch (const InputError& e) {
            // What is thrown far below does not know the line.
            const std::string place = case_.where(command).text();
            if (std::string_view(e.what()).starts_with(place)) throw;
            throw InputError(case_.where(command), fmt::format("<{}>: {}", command.element, e.what()));
        }
        check_drawing(command);
    }
}

void Painter::warn(std::string message) {
    diagnostics_.push_back({Diagnostic::Level::warning, case_.where(*current_), std::move(message)});
}

void Painter::warn_of_lattice() {
    warn(fmt::format("<{}> cannot be drawn off the lattice as setfrdrawmode asks, it is drawn on it: its particles are "
                     "not those of the reference generator",
                     current_->element));
}

void Painter::check_drawing(const GeometryCommand& command) {
    if (canvas_.drawn() && canvas_.mk()) {
        warn_of_what_is_cut_off();
        drawn_by_[canvas_.mk()] = command.line;
        drawn_nodes_[canvas_.mk()] += canvas_.drawn();
    }
    const bool draws = std::string_view(command.element).starts_with("draw");
    // setmknextauto sets the next mk in the name of the command before it.
    if (!draws || std::holds_alternative<SetMk>(command.action) || canvas_.drawn() || !canvas_.active()) return;
    const Vec3d &low = case_.definition.point_min, &high = case_.definition.point_max;
    const auto place = [](const Vec3d& p) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", p.x, p.y, p.z); };
    warn(
        fmt::format("<{}> draws nothing: it lies outside the box of the definition, between its planes or is clipped{}",
                    command.element,
                    reached_.min.x > reached_.max.x
                        ? ""
                        : fmt::format(" (it reaches from {} to {} m, the box from {} to {} m)", place(reached_.min),
                                      place(reached_.max), place(low), place(high))));
}

Corner Painter::node_of(const Vec3d& place) {
    reach(matrix_(place));
    return nearest_node(canvas_.lattice(), matrix_(place));
}

void Painter::reach(const Vec3d& place) { reached_.add(place); }

namespace {

constexpr unsigned box_faces[3][2] = {{box_left, box_right}, {box_front, box_back}, {box_bottom, box_top}};

/// The box of which a command draws faces only; null for any other command.
const DrawBox* box_of_faces(const GeometryAction& action) {
    const auto* box = std::get_if<DrawBox>(&action);
    return box && !(box->fill & box_solid) ? box : nullptr;
}

/// Whether a command draws a face of a box that is the end of it on a side: without its plane there is no wall.
bool draws_face(const GeometryAction& action, int axis, bool low) {
    const DrawBox* box = box_of_faces(action);
    return box && box->fill & box_faces[axis][low ? 0 : 1];
}

/// Whether what a command draws reaches its end on a side: of a box of which only the opposite face is drawn it does
/// not.
bool draws_up_to(const GeometryAction& action, int axis, bool low) {
    const DrawBox* box = box_of_faces(action);
    return !box || box->fill & ~box_faces[axis][low ? 1 : 0];
}

} // namespace

/// A wall that the box of the definition cuts short lets water out, and water that it cuts short is less than was
/// meant. Two planes beyond it are meant to be drawn; up to one it is a matter of rounding, but for the face of a box.
void Painter::warn_of_what_is_cut_off() {
    const Lattice& lattice = canvas_.lattice();
    for (int axis = 0; axis < 3; ++axis) {
        if ((axis == 1 && lattice.two_d()) || reached_.min[axis] > reached_.max[axis]) continue;
        const int last = lattice.count()[axis] - 1;
        const auto harmless = [&](bool is_low) { return draws_face(current_->action, axis, is_low) ? 0.5 : 1.5; };
        const bool low =
            draws_up_to(current_->action, axis, true) && lattice.planes(axis, reached_.min[axis]) < -harmless(true);
        const bool high = draws_up_to(current_->action, axis, false) &&
                          lattice.planes(axis, reached_.max[axis]) > last + harmless(false);
        if (!low && !high) continue;
        warn(fmt::format("<{}> reaches {} = {:.6g} m, and the last plane of the lattice is at {:.6g} m: what lies "
                         "beyond is not drawn; widen the box of the definition with {}",
                         current_->element, "xyz"[axis], low ? reached_.min[axis] : reached_.max[axis],
                         lattice.coordinate(axis, low ? 0 : last), low ? "pointmin" : "pointmax"));
        return;
    }
}

double Painter::radius_in_dp(double radius) const {
    return std::floor(radius * matrix_.length_scale() / canvas_.lattice().dp() + 0.5);
}

std::vector<Corner> Painter::nodes_of(const std::vector<Vec3d>& points) {
    std::vector<Corner> out;
    for (const Vec3d& p : points) out.push_back(node_of(p));
    return out;
}

std::vector<Vec3d> Painter::transformed(const std::vector<Vec3d>& points) {
    std::vector<Vec3d> out;
    for (const Vec3d& p : points) out.push_back(matrix_(p));
    for (const Vec3d& p : out) reach(p);
    return out;
}

std::optional<IndexBox> Painter::box_of(const std::optional<RegionBox>& region) const {
    if (!region) return std::nullopt;
    const Vec3d a = matrix_(region->min), b = matrix_(region->max), along = matrix_.turned(region->size);
    const double grow = inclusive_ ? canvas_.lattice().dp() : 0;
    Vec3d low, high;
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(a[axis], b[axis]) - grow;
        // As the reference generator adds them up: rounding decides about ends halfway between two nodes.
        high[axis] = inclusive_ ? low[axis] + (std::abs(along[axis]) + 2 * grow) : std::max(a[axis], b[axis]);
    }
    return nodes_between(canvas_.lattice(), low, high);
}

void Painter::apply(const SetMk& set) {
    mk_chosen_ = true;
    switch (set.kind) {
    case MkKind::none: canvas_.set_mk(0); break;
    case MkKind::fluid: canvas_.set_mk(static_cast<std::uint16_t>(case_.mk.stored_fluid(set.mk))); break;
    case MkKind::bound: canvas_.set_mk(static_cast<std::uint16_t>(case_.mk.stored_bound(set.mk))); break;
    }
}

void Painter::apply(const DrawPoints& points) {
    for (const Vec3d& p : points.points) {
        const Corner c = node_of(p);
        if (free_)
            canvas_.plot_free(matrix_(p));
        else
            canvas_.plot(c.x, c.y, c.z);
    }
}

void Painter::apply(const DrawLines& lines) {
    if (free_) return draw_lines_freely(canvas_, transformed(lines.points));
    for (std::size_t i = 1; i < lines.points.size(); ++i)
        draw_segment(canvas_, node_of(lines.points[i - 1]), node_of(lines.points[i]));
}

void Painter::apply(const DrawFaces& figure) {
    if (free_ && figure.faces.size() == 1 && figure.points.size() == 4) {
        const auto p = transformed(figure.points);
        const Vec3d open = p[0] + p[2] - p[1] - p[3];
        const double slack = 1e-6 * canvas_.lattice().dp();
        if (dot(open, open) <= slack * slack) return draw_parallelogram_freely(canvas_, p[0], p[1] - p[0], p[3] - p[0]);
    }
    const bool enclosing = figure.body != DrawFaces::Body::none;
    if (free_ && !enclosing && mode_ != DrawMode::wire && !canvas_.lattice().two_d()) return draw_freely(figure);
    if (free_) warn_of_lattice();
    const std::vector<Corner> nodes = nodes_of(figure.points);
    for (const auto& face : figure.faces) {
        std::vector<Corner> polygon;
        for (int c : face) polygon.push_back(nodes[std::size_t(c)]);
        if (mode_ == DrawMode::wire)
            for (std::size_t i = 0; i < polygon.size(); ++i)
                draw_segment(canvas_, polygon[i], polygon[(i + 1) % polygon.size()]);
        else if (mode_ != DrawMode::solid || !enclosing)
            for (const Triangle& t : triangulate(polygon)) draw_triangle(canvas_, t);
    }
    if (enclosing && (mode_ == DrawMode::full || mode_ == DrawMode::solid)) draw_enclosed(canvas_, figure, nodes);
}

void Painter::draw_freely(const DrawFaces& figure) {
    const auto points = transformed(figure.points);
    for (const auto& face : figure.faces) {
        std::vector<Vec3d> polygon;
        for (int c : face) polygon.push_back(points[std::size_t(c)]);
        for (const auto& t : triangulate(polygon)) draw_triangle_freely(canvas_, t[0], t[1], t[2]);
    }
}

void Painter::apply(const DrawExtrude& extrude) {
    const auto points = transformed(extrude.points);
    const Vec3d sweep = matrix_(extrude.points[0] + extrude.extrude) - matrix_(extrude.points[0]);
    for (double layer : layers_or_surface(extrude.layers.drawn)) {
        const auto moved = offset_polyline(points, sweep, extrude.closed, layer * canvas_.lattice().dp());
        if (free_)
            draw_swept_freely(canvas_, moved, sweep, extrude.closed);
        else
            draw_swept(canvas_, moved, sweep, extrude.closed, mode_ == DrawMode::wire);
    }
}

std::filesystem::path Painter::data_file(const std::string& name) {
    data_files_.insert(name);
    return case_.data_folder / name;
}

/// A mesh in other units than metres is far larger than the case, or far smaller.
void Painter::warn_of_size(const Mesh& mesh, const std::string& file) {
    constexpr double far_larger = 20, far_smaller = 20;
    Extent extent;
    for (const Vec3d& p : mesh.points) extent.add(p);
    double size = 0, around = 0;
    for (int axis = 0; axis < 3; ++axis) {
        size = std::max(size, extent.max[axis] - extent.min[axis]);
        around = std::max(around, case_.definition.point_max[axis] - case_.definition.point_min[axis]);
    }
    const bool large = size > far_larger * around;
    if (!large && !(size < around / far_smaller && size < 2 * case_.definition.dp)) return;
    const char* const units = large ? "millimetres" : "other units than metres";
    const char* const scale = large ? "0.001" : "…";
    warn(fmt::format("{0} is {1:.3g} m wide as drawn, the case {2:.3g} m: is it in {3}? Then scale it with <drawscale "
                     "x=\"{4}\" y=\"{4}\" z=\"{4}\"/>",
                     file, size, around, units, scale));
}

void Painter::apply(const DrawMesh& mesh) {
    const SourceLocation where = case_.where(*current_);
    const Mesh loaded = place_mesh(read_mesh_file(data_file(mesh.file), mesh.format, where), mesh.placement, matrix_);
    warn_of_size(loaded, mesh.file);
    for (const Vec3d& p : loaded.points) reach(p);
    if (const std::size_t open = mesh.autofill ? open_edges(loaded) : 0)
        warn(fmt::format(
            "{} is not closed: {} edges belong to one triangle only, so that autofill may leave out what is "
            "inside; mend the mesh, and look at what is drawn with sluice check --picture",
            mesh.file, open));
    draw_mesh(canvas_, loaded, mesh, mode_);
}

void Painter::apply(const DrawSurfaces& surfaces) {
    const std::uint16_t mk = canvas_.mk();
    for (const MeshSurface& surface : read_surfaces(surfaces, data_file(surfaces.mesh.file), case_.where(*current_))) {
        if (surface.mk) apply(*surface.mk);
        apply(surface.mesh);
        canvas_.set_mk(mk);
    }
}

void Painter::apply(const DrawBathymetry& bathymetry) {
    const SourceLocation where = case_.where(*current_);
    const std::string text = read_data_text(data_file(bathymetry.file), where);
    std::vector<Triangle> triangles;
    for (const auto& t : bathymetry_surface(text, bathymetry, where)) {
        Triangle nodes;
        for (int i = 0; i < 3; ++i) nodes[i] = nearest_node(canvas_.lattice(), matrix_(t[i]));
        triangles.push_back(nodes);
    }
    for (const Triangle& t : triangles) draw_triangle(canvas_, t);
}

void Painter::apply(const Fill& fill) {
    const Lattice& lattice = canvas_.lattice();
    IndexBox bounds = lattice.clip({{0, 0, 0}, {lattice.count().x - 1, lattice.count().y - 1, lattice.count().z - 1}});
    std::optional<ParticleGrid> enclosed;
    if (const auto* box = std::get_if<RegionBox>(&fill.region)) {
        bounds = *box_of(*box);
        if (lattice.two_d()) bounds.first.y = bounds.last.y = 0;
    } else if (const auto* body = std::get_if<DrawFaces>(&fill.region)) {
        enclosed = enclosed_by(lattice, *body, nodes_of(body->points));
    }
    const FillResult result =
        flood(canvas_, case_.mk, fill, node_of(fill.seed), bounds, enclosed ? &*enclosed : nullptr);
    if (!result.seed_inside)
        warn(fmt::format("<{}> fills nothing: its point lies outside the region or the lattice", current_->element));
    else if (!result.seed_free)
        warn(fmt::format("<{}> fills nothing: there is already something else at its point", current_->element));
    else if (result.reached_edge && fill.over_void && !std::holds_alternative<DrawFaces>(fill.region))
        warn(fmt::format("<{}> runs to the edge of the definition box: the walls around it are open",
                         current_->element));
}

void Painter::apply(const Redraw& command) { redraw(canvas_, case_.mk, command, box_of(command.box)); }

void Painter::apply(const RedrawNear& command) { redraw_near(canvas_, case_.mk, command, box_of(command.box)); }

} // namespace sluice
