// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"

#include <fmt/format.h>

namespace sluice {

namespace {

void read_fill_modes(const XmlElement& e, Fill& fill) {
    const XmlElement child = e.required_child("modefill");
    for (const std::string& word : split_words(child.text(), "|")) {
        if (word == "void")
            fill.over_void = true;
        else if (word == "fluid")
            fill.over_fluid = true;
        else if (word == "bound")
            fill.over_bound = true;
        else if (word == "border")
            fill.border = true;
        else
            child.fail(fmt::format("modefill \"{}\" is unknown, use void, fluid, bound, border, joined by |", word));
    }
}

Fill read_fill(CaseReader& reader, const XmlElement& e, const std::string& name) {
    reader.expect_attributes(e, {"if", "objname", "x", "y", "z", "mkfluid", "mkbound"});
    Fill fill;
    fill.seed = e.vector();
    if (name == "fillvoidpoint")
        fill.over_void = true;
    else
        read_fill_modes(e, fill);
    if (e.attribute("mkfluid")) fill.only_fluid_mk = read_mk(reader, e, "mkfluid", MkKind::fluid);
    if (e.attribute("mkbound")) fill.only_bound_mk = read_mk(reader, e, "mkbound", MkKind::bound);
    if (name == "fillbox")
        fill.region = read_region_box(e);
    else if (name == "fillprism")
        fill.region = read_prism(e);
    else if (name == "fillfigure")
        fill.region = read_figure(e);
    return fill;
}

Redraw read_redraw(CaseReader& reader, const XmlElement& e, bool box) {
    reader.expect_attributes(e, {"if", "objname", "mkfluid", "mkbound"});
    Redraw redraw;
    if (e.attribute("mkfluid")) redraw.only = MkSelection{MkKind::fluid, read_mk(reader, e, "mkfluid", MkKind::fluid)};
    if (e.attribute("mkbound")) {
        if (redraw.only) e.fail(fmt::format("<{}> has both mkfluid and mkbound, keep one", e.name()));
        redraw.only = MkSelection{MkKind::bound, read_mk(reader, e, "mkbound", MkKind::bound)};
    }
    if (box) redraw.box = read_region_box(e);
    return redraw;
}

MkSelection read_selection(CaseReader& reader, const XmlElement& e, const char* type, const char* mk) {
    const std::string word = to_lower(trim(e.required_attribute(type)));
    MkSelection selection;
    if (word == "fluid")
        selection.kind = MkKind::fluid;
    else if (word == "bound")
        selection.kind = MkKind::bound;
    else if (word != "void")
        e.fail(fmt::format("<{}> {} \"{}\" is unknown, use void, fluid or bound", e.name(), type, word));
    if (e.attribute(mk) && selection.kind != MkKind::none) selection.mk = read_mk(reader, e, mk, selection.kind);
    return selection;
}

unsigned read_sides(const XmlElement& e) {
    const auto child = e.child("dirfilter");
    if (!child) return box_all_faces;
    unsigned sides = 0;
    for (const std::string& word : split_words(child->text(), "|")) {
        if (word == "all")
            sides |= box_all_faces;
        else if (word == "bottom")
            sides |= box_bottom;
        else if (word == "top")
            sides |= box_top;
        else if (word == "left")
            sides |= box_left;
        else if (word == "right")
            sides |= box_right;
        else if (word == "front")
            sides |= box_front;
        else if (word == "back")
            sides |= box_back;
        else
            child->fail(fmt::format(
                "dirfilter \"{}\" is unknown, use all, top, bottom, left, right, front, back, joined by |", word));
    }
    return sides;
}

RedrawNear read_redraw_near(CaseReader& reader, const XmlElement& e, bool box) {
    reader.expect_attributes(e, {"if", "objname", "times", "targettp", "targetmk", "bordertp", "bordermk"});
    RedrawNear redraw;
    redraw.target = read_selection(reader, e, "targettp", "targetmk");
    redraw.border = read_selection(reader, e, "bordertp", "bordermk");
    if (e.attribute("times")) redraw.times = e.integer("times");
    if (redraw.times < 1 || redraw.times > 10000)
        e.fail(fmt::format("<{}> times must be from 1 to 10000 ({})", e.name(), redraw.times));
    redraw.sides = read_sides(e);
    if (box) redraw.box = read_region_box(e);
    return redraw;
}

} // namespace

std::optional<GeometryAction> read_filling(CaseReader& reader, const XmlElement& e) {
    const std::string name = e.name();
    if (name.starts_with("fill")) return read_fill(reader, e, name);
    if (name == "redraw" || name == "redrawbox") return read_redraw(reader, e, name == "redrawbox");
    if (name == "redrawnear" || name == "redrawnearbox") return read_redraw_near(reader, e, name == "redrawnearbox");
    return std::nullopt;
}

} // namespace sluice
