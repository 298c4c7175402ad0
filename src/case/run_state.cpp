// SPDX-License-Identifier: Apache-2.0
#include "case/command_runner.h"
#include "case/read_shapes.h"
#include "case/read_turns.h"

#include <fmt/format.h>
#include <numbers>

// The commands that change how the next ones draw.

namespace sluice {

namespace {

template <class T>
T pop(std::vector<T>& stack, const XmlElement& e, const char* save) {
    if (stack.empty()) e.fail(fmt::format("<{}> without a <{}> before it", e.name(), save));
    T value = stack.back();
    stack.pop_back();
    return value;
}

MkKind kind_in(const std::string& name) {
    if (name.ends_with("fluid")) return MkKind::fluid;
    return name.ends_with("bound") ? MkKind::bound : MkKind::none;
}

} // namespace

void CommandRunner::set_mk(const XmlElement& e) {
    const MkKind kind = kind_in(e.name());
    reader_.expect_attributes(e, {"if", "mk", "name"});
    state_.mk = {kind, kind == MkKind::none ? 0 : read_mk(reader_, e, "mk", kind)};
    state_.mk_chosen = true;
    emit(e, state_.mk);
}

void CommandRunner::set_mk_next(const XmlElement& e) {
    if (e.name() == "setmknextauto") {
        state_.next_automatically = e.boolean("auto", true);
        return;
    }
    if (!e.boolean("next", true)) return;
    const MkKind kind = kind_in(e.name());
    state_.mk = {kind, state_.mk.kind == kind ? state_.mk.mk + 1 : 0};
    const int limit = kind == MkKind::fluid ? reader_.out.mk.fluid_count : reader_.out.mk.bound_count;
    if (state_.mk.mk >= limit)
        e.fail(fmt::format("<{}>: mk {} is above the last one ({}), raise the counts in mkconfig", e.name(),
                           state_.mk.mk, limit - 1));
    state_.mk_chosen = true;
    emit(e, state_.mk);
}

void CommandRunner::load_mk(const XmlElement& e) {
    state_.mk = pop(saved_mk_, e, "mksave");
    emit(e, state_.mk);
}

void CommandRunner::set_draw_mode(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "mode"});
    const std::string mode = to_lower(trim(e.required_attribute("mode")));
    if (mode == "full")
        state_.mode = {DrawMode::full};
    else if (mode == "solid")
        state_.mode = {DrawMode::solid};
    else if (mode == "face")
        state_.mode = {DrawMode::face};
    else if (mode == "wire")
        state_.mode = {DrawMode::wire};
    else
        e.fail(fmt::format("<setdrawmode> mode \"{}\" is unknown, use full, solid, face or wire", mode));
    emit(e, state_.mode);
}

void CommandRunner::set_active(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "drawpoints", "drawshapes", "vtkout"});
    state_.active.draw = e.boolean("drawpoints", state_.active.draw);
    state_.active.shapes = e.boolean("drawshapes", state_.active.shapes);
    emit(e, state_.active);
}

void CommandRunner::set_normal_invert(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "invert"});
    state_.normals.invert = e.boolean("invert", true);
    emit(e, state_.normals);
}

/// Words joined by '|': files (actual, which was once called real, and dp) and kinds; where none of a sort is named,
/// all of it are meant.
void CommandRunner::set_shape_mode(const XmlElement& e) {
    bool actual = false, on_lattice = false, bound = false, other = false;
    for (const std::string& word : split_words(e.text(), "|")) {
        if (word == "actual" || word == "real")
            actual = true;
        else if (word == "dp")
            on_lattice = true;
        else if (word == "bound")
            bound = true;
        else if (word == "fluid" || word == "void" || word == "null")
            other = true;
        else if (word == "all")
            actual = on_lattice = bound = true;
        else
            e.fail(fmt::format(
                "<setshapemode> \"{}\" is unknown, use actual, dp, all, bound, fluid, void, null, joined by |", word));
    }
    if (!actual && !on_lattice) actual = on_lattice = true;
    state_.shapes = {actual, on_lattice, bound || !other};
    emit(e, state_.shapes);
}

void CommandRunner::shape_out(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "file", "reset", "format", "savenormal"});
    emit(e, ShapeOut{std::string(trim(reader_.variables.substitute(e.required_attribute("file")))),
                     e.boolean("reset", true)});
}

void CommandRunner::set_free_draw(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "auto"});
    state_.free.free = e.boolean("auto", true);
    emit(e, state_.free);
}

void CommandRunner::set_box_limit(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "mode"});
    const std::string mode = to_lower(trim(e.required_attribute("mode")));
    if (mode != "inner" && mode != "full")
        e.fail(fmt::format("<setboxlimitmode> mode \"{}\" is unknown, use inner or full", mode));
    state_.limit.inclusive = mode == "full";
    emit(e, state_.limit);
}

void CommandRunner::set_pattern(const XmlElement& e) {
    const std::string name = e.required_attribute("name");
    if (to_lower(name) != "solid")
        reader_.unsupported(e.where(), fmt::format("<setpattern name=\"{}\">", name),
                            "draw with plain shapes, or take it out");
}

void CommandRunner::set_thickness(const XmlElement& e) {
    for (const std::string& name : e.attribute_names()) {
        if (name == "if") continue;
        if (name.ends_with("numsides")) // of the shapes that are written, not of what is drawn
            reader_.ignore(e, fmt::format("setdpctes {}", name));
        else
            reader_.unsupported(e.where(), fmt::format("<setdpctes {}>", name),
                                "take it out: surfaces have the usual thickness");
    }
}

void CommandRunner::reset_draw(const XmlElement& e) {
    const SetMk mk = state_.mk;
    const bool chosen = state_.mk_chosen;
    emit(e, Erase{});
    state_ = {};
    state_.mk = mk;
    state_.mk_chosen = chosen;
    emit_state(e);
    emit(e, ClipReset{});
}

void CommandRunner::load_state(const XmlElement& e) {
    if (saved_states_.empty()) return;
    state_ = pop(saved_states_, e, "statesave");
    emit_state(e);
}

void CommandRunner::emit_state(const XmlElement& e) {
    if (state_.mk_chosen) emit(e, state_.mk);
    emit(e, state_.mode);
    emit(e, state_.active);
    emit(e, state_.normals);
    emit(e, state_.shapes);
    emit(e, state_.free);
    emit(e, state_.limit);
    emit(e, SetMatrix{state_.matrix});
}

void CommandRunner::multiply(const XmlElement& e, const Transform& t) {
    state_.matrix = state_.matrix * t;
    emit(e, SetMatrix{state_.matrix});
}

void CommandRunner::move(const XmlElement& e) { multiply(e, translation(e.vector({0, 0, 0}))); }

void CommandRunner::scale(const XmlElement& e) {
    const Vec3d s = e.vector({1, 1, 1});
    if (s.x == 0 || s.y == 0 || s.z == 0) e.fail("<scale> must not be 0 on any axis");
    multiply(e, scaling(s));
}

// The field's angles about a line are clockwise when one looks against its direction.
void CommandRunner::rotate(const XmlElement& e) {
    reader_.expect_attributes(e, {"if", "ang", "x", "y", "z"});
    multiply(e, rotation(-e.number("ang"), read_nonzero_vector(e)));
}

void CommandRunner::rotate_line(const XmlElement& e) {
    const auto p = read_points(e, 2, 2);
    if (p[0] == p[1]) e.fail("<rotateline>: the two points are the same, the axis needs a length");
    multiply(e, rotation(-e.number("ang"), p[1] - p[0], p[0]));
}

void CommandRunner::rotate_advanced(const XmlElement& e) { multiply(e, read_advanced_turn(e, "ang")); }

void CommandRunner::reset_matrix(const XmlElement& e) {
    state_.matrix = {};
    emit(e, SetMatrix{});
}

void CommandRunner::load_matrix(const XmlElement& e) {
    state_.matrix = pop(saved_matrices_, e, "matrixsave");
    emit(e, SetMatrix{state_.matrix});
}

void CommandRunner::clip_plane(const XmlElement& e) {
    if (e.child("vector")) {
        const Vec3d outward = read_nonzero_vector(e.required_child("vector"));
        emit(e, ClipHalfSpace{e.required_child("point").vector(), -1.0 * outward});
        return;
    }
    const Vec3d p = e.required_child("point1").vector(), q = e.required_child("point2").vector(),
                r = e.required_child("point3").vector();
    const Vec3d a = q - p, b = r - p;
    const Vec3d normal{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    if (dot(normal, normal) == 0) e.fail("<clipplane>: the three points lie on a line");
    emit(e, ClipHalfSpace{p, -1.0 * normal});
}

void CommandRunner::clip_box(const XmlElement& e) {
    expect_children(e, {"boxfaces", "point", "size", "endpoint", "angles"});
    const RegionBox box = read_region_box(e);
    Transform turn;
    if (auto angles = e.child("angles")) {
        const Vec3d a = angles->vector({0, 0, 0});
        turn = rotation(a.z, {0, 0, 1}) * rotation(a.x, {1, 0, 0}) * rotation(a.y, {0, 1, 0});
    }
    const auto faces = e.child("boxfaces");
    const unsigned limits = faces ? read_box_fill(*faces) : unsigned(box_all_faces);
    constexpr unsigned sides[3][2] = {{box_left, box_right}, {box_front, box_back}, {box_bottom, box_top}};
    for (int axis = 0; axis < 3; ++axis)
        for (int far = 0; far < 2; ++far) {
            if (!(limits & (sides[axis][far] | box_solid))) continue;
            Vec3d normal, offset;
            normal[axis] = far ? -1 : 1;
            if (far) offset[axis] = box.max[axis] - box.min[axis];
            emit(e, ClipHalfSpace{box.min + turn(offset), turn(normal)});
        }
}

void CommandRunner::clip_domain(const XmlElement& e) {
    const double grow = e.number("resize", 0);
    const CaseDefinition& d = reader_.out.definition;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d low = d.point_min, high = d.point_max, normal;
        low[axis] -= grow;
        high[axis] += grow;
        normal[axis] = 1;
        emit(e, ClipHalfSpace{low, normal});
        emit(e, ClipHalfSpace{high, -1.0 * normal});
    }
}

void CommandRunner::draw_line_to(const XmlElement& e) {
    if (!line_begin_) e.fail("<drawlineto> without a <setlinebegin> before it");
    const Vec3d end = e.vector();
    emit(e, DrawLines{{*line_begin_, end}});
    line_begin_ = end;
}

} // namespace sluice
