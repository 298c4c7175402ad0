// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"

#include <fmt/format.h>

namespace sluice {

namespace {

SetMk read_set_mk(CaseReader& reader, const XmlElement& e, MkKind kind) {
    reader.expect_attributes(e, {"mk"});
    if (kind == MkKind::none) return {};
    const int mk = e.integer("mk");
    const MkConfig& config = reader.out.mk;
    const int limit = kind == MkKind::fluid ? config.fluid_count : config.bound_count;
    if (mk < 0 || mk >= limit)
        e.fail(fmt::format("<{}> mk {} is outside 0…{}, raise {} in mkconfig", e.name(), mk, limit - 1,
                           kind == MkKind::fluid ? "fluidcount" : "boundcount"));
    return {kind, mk};
}

SetDrawMode read_draw_mode(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"mode"});
    const std::string mode = to_lower(trim(e.required_attribute("mode")));
    if (mode == "full") return {DrawMode::full};
    if (mode == "solid") return {DrawMode::solid};
    if (mode == "face") return {DrawMode::face};
    if (mode == "wire") return {DrawMode::wire};
    e.fail(fmt::format("<setdrawmode> mode \"{}\" is unknown, use full, solid, face or wire", mode));
}

unsigned fill_bit(const XmlElement& e, const std::string& word) {
    static const std::pair<const char*, unsigned> words[] = {
        {"solid", box_solid}, {"all", box_all_faces}, {"bottom", box_bottom}, {"top", box_top}, {"left", box_left},
        {"right", box_right}, {"front", box_front}, {"back", box_back}};
    for (const auto& [name, bit] : words)
        if (word == name) return bit;
    e.fail(fmt::format("boxfill \"{}\" is unknown, use solid, all, bottom, top, left, right, front, back, joined by |", word));
}

/// Words joined by '|' (and this) or '^' (but not this).
unsigned read_box_fill(const XmlElement& e) {
    const std::string text = to_lower(e.text());
    unsigned fill = 0;
    bool add = true;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find_first_of("|^", begin), text.size());
        const unsigned bit = fill_bit(e, std::string(trim(std::string_view(text).substr(begin, end - begin))));
        fill = add ? fill | bit : fill & ~bit;
        if (end < text.size()) add = text[end] == '|';
        begin = end + 1;
    }
    if (!fill) e.fail(fmt::format("boxfill \"{}\" leaves nothing to draw", e.text()));
    return fill;
}

/// The far corner: <endpoint>, or <point> plus <size>.
Vec3d read_far_corner(const XmlElement& e, const Vec3d& point) {
    const auto size = e.child("size");
    const auto end = e.child("endpoint");
    if (size && end) e.fail(fmt::format("<{}> has both size and endpoint, keep one", e.name()));
    if (end) return end->vector();
    const Vec3d extent = e.required_child("size").vector();
    for (int axis = 0; axis < 3; ++axis)
        if (extent[axis] < 0)
            size->fail(fmt::format("<size> {} is negative ({}), give the lower corner as <point>", "xyz"[axis], extent[axis]));
    return point + extent;
}

void expect_children(const XmlElement& e, std::initializer_list<const char*> known) {
    for (const XmlElement& child : e.children()) {
        bool found = false;
        for (const char* name : known) found = found || child.name() == name;
        if (!found) child.fail(fmt::format("<{}> has no <{}>, take it out", e.name(), child.name()));
    }
}

DrawBox read_box(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {});
    expect_children(e, {"boxfill", "point", "size", "endpoint"});
    DrawBox box;
    box.fill = read_box_fill(e.required_child("boxfill"));
    const Vec3d a = e.required_child("point").vector();
    const Vec3d b = read_far_corner(e, a);
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = std::min(a[axis], b[axis]);
        box.max[axis] = std::max(a[axis], b[axis]);
    }
    return box;
}

} // namespace

std::optional<GeometryAction> read_action(CaseReader& reader, const XmlElement& e) {
    const std::string name = e.name();
    if (name == "setmkfluid") return read_set_mk(reader, e, MkKind::fluid);
    if (name == "setmkbound") return read_set_mk(reader, e, MkKind::bound);
    if (name == "setmkvoid") return read_set_mk(reader, e, MkKind::none);
    if (name == "setdrawmode") return read_draw_mode(reader, e);
    if (name == "drawbox") return read_box(reader, e);
    e.fail(fmt::format("<{}> is not supported yet, take it out or put '_' before its name", name));
}

} // namespace sluice
