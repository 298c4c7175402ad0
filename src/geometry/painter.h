// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "core/extent.h"
#include "geometry/canvas.h"
#include "geometry/flat_shapes.h"
#include "geometry/mesh_file.h"
#include "geometry/round_shapes.h"
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace sluice {

/// Carries out the drawing commands of a case on a canvas, one after the other: the last one wins.
class Painter {
public:
    Painter(const Case& the_case, std::vector<Diagnostic>& diagnostics);

    void draw();
    const Canvas& canvas() const { return canvas_; }
    /// Line of the last command that drew each stored mk.
    const std::map<std::uint16_t, int>& drawn_by() const { return drawn_by_; }
    /// Nodes that were drawn with a stored mk, whatever became of them.
    std::size_t drawn_nodes(std::uint16_t mk) const {
        const auto found = drawn_nodes_.find(mk);
        return found == drawn_nodes_.end() ? 0 : found->second;
    }

    /// Files that were read, relative to the data folder of the case.
    const std::set<std::string>& data_files() const { return data_files_; }

private:
    std::filesystem::path data_file(const std::string& name);
    void apply(const SetMk& set);
    void apply(const SetDrawMode& set) {
        mode_ = set.mode;
        mode_chosen_ = true;
    }
    void apply(const Erase&) { canvas_.erase(); }
    void apply(const SetActive& set) { canvas_.set_active(set.draw); }
    void apply(const SetNormalInvert&) {}
    void apply(const SetShapeMode&) {}
    void apply(const ShapeOut&) {}
    void apply(const SetFreeDraw& set) { free_ = set.free; }
    void apply(const SetBoxLimit& set) { inclusive_ = set.inclusive; }
    void apply(const SetMatrix& set) { matrix_ = set.matrix; }
    void apply(const ClipHalfSpace& clip) { canvas_.add_clip(clip); }
    void apply(const ClipReset&) { canvas_.clear_clips(); }
    void apply(const DrawBox& box);
    void apply(const DrawPoints& points);
    void apply(const DrawLines& lines);
    void apply(const DrawFaces& figure);
    void apply(const DrawExtrude& extrude);
    void apply(const DrawSphere& sphere);
    void apply(const DrawCylinder& cylinder);
    void apply(const DrawEllipsoid& ellipsoid);
    void apply(const DrawWave& wave);
    void apply(const DrawMesh& mesh);
    void warn_of_size(const Mesh& mesh, const std::string& file);
    void apply(const DrawSurfaces& surfaces);
    void apply(const DrawBathymetry& bathymetry);
    void apply(const Fill& fill);
    void apply(const Redraw& command);
    void apply(const RedrawNear& command);

    void draw_box(const DrawBox& box, double grow);
    void draw_box_inside(const IndexBox& box);
    void draw_box_plane(const IndexBox& box, const IndexBox& inside);
    void draw_box_parts(const IndexBox& box);
    void next_mk() { canvas_.set_mk(static_cast<std::uint16_t>(canvas_.mk() + 1)); }
    void draw_box_wires(const IndexBox& box, unsigned fill);
    void refuse_free_wires() const;
    void draw_cylinder(const DrawCylinder& cylinder);
    void draw_free_sphere(const DrawSphere& sphere);
    void draw_freely(const DrawFaces& figure);
    RoundParts round_parts(double radius, DrawMode mode) const;
    void draw_straight_box(const IndexBox& box, unsigned fill);
    void check_drawing(const GeometryCommand& command);

    Corner node_of(const Vec3d& place);
    double radius_in_dp(double radius) const;
    std::vector<Corner> nodes_of(const std::vector<Vec3d>& points);
    std::vector<Vec3d> transformed(const std::vector<Vec3d>& points);
    void reach(const Vec3d& place);
    void warn_of_what_is_cut_off();
    std::optional<IndexBox> box_of(const std::optional<RegionBox>& region) const;
    void warn(std::string message);
    void warn_of_lattice();

    const Case& case_;
    std::vector<Diagnostic>& diagnostics_;
    Canvas canvas_;
    const GeometryCommand* current_ = nullptr;
    bool mk_chosen_ = false, mode_chosen_ = false, free_ = false, inclusive_ = false;
    DrawMode mode_ = DrawMode::solid;
    Transform matrix_;
    std::map<std::uint16_t, int> drawn_by_;
    std::set<std::string> data_files_;
    std::map<std::uint16_t, std::size_t> drawn_nodes_;
    Extent reached_; ///< by corners of the command being carried out, m
};

} // namespace sluice
