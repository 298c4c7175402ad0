// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"

#include "core/nearest_word.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace sluice {

std::vector<std::string> split_parts(std::string_view text, const char* separators) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        const std::string_view part = trim(text.substr(begin, end - begin));
        if (!part.empty()) parts.emplace_back(part);
        begin = end + 1;
    }
    return parts;
}

std::vector<std::string> split_words(const std::string& text, const char* separators) {
    return split_parts(to_lower(text), separators);
}

void expect_children(const XmlElement& e, const std::vector<std::string>& known) {
    for (const XmlElement& child : e.children())
        if (std::find(known.begin(), known.end(), child.name()) == known.end())
            child.fail(fmt::format("<{}> has no <{}>{}, take it out", e.name(), child.name(),
                                   suggest_nearest(child.name(), known)));
}

void require_attributes(const XmlElement& e, const std::vector<std::string>& known) {
    for (const std::string& name : e.attribute_names())
        if (std::find(known.begin(), known.end(), name) == known.end())
            e.fail(fmt::format("<{}> has no attribute {}{}, it knows {}; take it out", e.name(), name,
                               suggest_nearest(name, known), fmt::join(known, ", ")));
}

Vec3d child_vector(const XmlElement& parent, const char* name) {
    const XmlElement e = parent.required_child(name);
    require_attributes(e, {"x", "y", "z"});
    return e.vector();
}

int read_mk(const CaseReader& reader, const XmlElement& e, const char* attribute, MkKind kind) {
    const int mk = e.integer(attribute);
    const int limit = kind == MkKind::fluid ? reader.out.mk.fluid_count : reader.out.mk.bound_count;
    if (mk < 0 || mk >= limit)
        e.fail(fmt::format("<{}> {} {} is outside 0…{}, raise {} in mkconfig", e.name(), attribute, mk, limit - 1,
                           kind == MkKind::fluid ? "fluidcount" : "boundcount"));
    return mk;
}

std::vector<Vec3d> read_points(const XmlElement& e, std::size_t least, std::size_t most) {
    std::vector<Vec3d> points;
    for (const XmlElement& point : e.children("point")) points.push_back(point.vector());
    if (points.size() < least)
        e.fail(fmt::format("<{}> has {} points and needs {}, add <point> elements", e.name(), points.size(), least));
    if (points.size() > most) e.fail(fmt::format("<{}> has {} points (at most {})", e.name(), points.size(), most));
    return points;
}

Vec3d read_nonzero_vector(const XmlElement& e) {
    const Vec3d v = e.vector({0, 0, 0});
    if (dot(v, v) == 0) e.fail(fmt::format("<{}> is a vector of length 0", e.name()));
    return v;
}

RegionBox read_region_box(const XmlElement& e) {
    const Vec3d a = e.required_child("point").vector();
    const auto size = e.child("size");
    const auto end = e.child("endpoint");
    if (size && end) e.fail(fmt::format("<{}> has both size and endpoint, keep one", e.name()));
    const Vec3d along = end ? end->vector() - a : e.required_child("size").vector();
    const Vec3d b = end ? end->vector() : a + along;
    RegionBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.size[axis] = std::abs(along[axis]);
        box.min[axis] = std::min(a[axis], b[axis]);
        box.max[axis] = std::max(a[axis], b[axis]);
    }
    return box;
}

namespace {

unsigned fill_bit(const XmlElement& e, const std::string& word) {
    static const std::pair<const char*, unsigned> words[] = {
        {"solid", box_solid}, {"all", box_all_faces}, {"bottom", box_bottom}, {"top", box_top},
        {"left", box_left},   {"right", box_right},   {"front", box_front},   {"back", box_back}};
    for (const auto& [name, bit] : words)
        if (word == name) return bit;
    e.fail(fmt::format("{} \"{}\" is unknown, use solid, all, bottom, top, left, right, front, back, joined by |",
                       e.name(), word));
}

} // namespace

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
    if (!fill) e.fail(fmt::format("{} \"{}\" leaves nothing", e.name(), e.text()));
    return fill;
}

namespace {

Layers read_layers(CaseReader& reader, const XmlElement& e) {
    const auto child = e.child("layers");
    if (!child) return {};
    reader.expect_attributes(*child, {"vdp"});
    Layers layers;
    // No numbers at all are the same as no layers.
    for (std::string word : split_parts(child->required_attribute("vdp"), ",")) {
        const bool shape = word.ends_with('*');
        if (shape) word.pop_back();
        layers.drawn.push_back(child->evaluate(word, "vdp"));
        if (shape) layers.shapes.push_back(layers.drawn.back());
        if (std::abs(layers.drawn.back()) > 1e4)
            child->fail(fmt::format("<layers> vdp {} is no sensible number of layers", word));
    }
    if (layers.drawn.size() > 1000) child->fail("<layers> vdp has more than 1000 numbers");
    if (layers.shapes.empty()) layers.shapes = layers.drawn;
    return layers;
}

/// Numbers, from 1, of the faces that are left out: several are joined by '|', while one alone is a sum of bits, 1 for
/// the first face, 2 for the second, 4 for the third.
std::set<int> read_mask(const XmlElement& e) {
    const std::vector<std::string> parts = split_parts(e.attribute("mask").value_or(""), "|,");
    std::vector<int> numbers;
    for (const std::string& part : parts) {
        const double v = e.evaluate(part, "mask");
        if (v != std::floor(v) || v < 0 || v > 1e6)
            e.fail(fmt::format("<{}> mask: \"{}\" is not the number of a face", e.name(), part));
        numbers.push_back(static_cast<int>(v));
    }
    if (numbers.size() != 1) return {numbers.begin(), numbers.end()};
    std::set<int> mask;
    for (int face = 1, bits = numbers[0]; bits; ++face, bits >>= 1)
        if (bits & 1) mask.insert(face);
    return mask;
}

double read_radius(const XmlElement& e) {
    const double radius = e.number("radius");
    if (!(radius > 0)) e.fail(fmt::format("<{}> radius must be positive ({})", e.name(), format_number(radius)));
    return radius;
}

DrawBox read_box(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"if", "objname"});
    expect_children(e, {"boxfill", "point", "size", "endpoint", "layers"});
    const RegionBox box = read_region_box(e);
    return {box.min, box.max, read_box_fill(e.required_child("boxfill")), read_layers(reader, e)};
}

DrawSphere read_sphere(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"if", "objname", "radius", "mask"});
    expect_children(e, {"point", "layers"});
    return {read_points(e, 1, 1)[0], read_radius(e), read_layers(reader, e)};
}

DrawCylinder read_cylinder(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"if", "objname", "radius", "mask"});
    expect_children(e, {"point", "layers"});
    const auto p = read_points(e, 2, 2);
    if (p[0] == p[1]) e.fail("<drawcylinder>: the two points are the same, the axis needs a length");
    const std::set<int> mask = read_mask(e);
    return {
        p[0], p[1], read_radius(e), !mask.contains(1), !mask.contains(2), !mask.contains(3), read_layers(reader, e)};
}

DrawEllipsoid read_ellipsoid(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"if", "objname", "radius", "mask"});
    expect_children(e, {"point"});
    const auto p = read_points(e, 2, 2);
    const Vec3d d = p[1] - p[0];
    const double radius = read_radius(e);
    if (dot(d, d) >= radius * radius)
        e.fail(fmt::format("<drawellipsoid> radius {} is not above the distance of the foci ({})", radius, norm(d)));
    return {p[0], p[1], radius};
}

DrawWave read_wave(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"if", "objname", "depth", "hmaxwave", "x0", "z0"});
    const RegionBox box = read_region_box(e);
    DrawWave wave{box.min, box.max, e.number("depth"), e.number("hmaxwave"), e.number("x0"), e.number("z0")};
    if (!(wave.depth > 0)) e.fail(fmt::format("<drawwave> depth must be positive ({})", wave.depth));
    return wave;
}

DrawExtrude read_extrude(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"if", "objname", "closed", "mask"});
    expect_children(e, {"point", "extrude", "layers"});
    return {read_points(e, 2), read_nonzero_vector(e.required_child("extrude")), e.boolean("closed", false),
            read_layers(reader, e)};
}

DrawFaces one_face(std::vector<Vec3d> points) {
    std::vector<int> face(points.size());
    for (std::size_t i = 0; i < face.size(); ++i) face[i] = static_cast<int>(i);
    return {std::move(points), {face}, DrawFaces::Body::none};
}

DrawFaces strip(std::vector<Vec3d> points, bool fan) {
    DrawFaces out;
    const int n = static_cast<int>(points.size());
    for (int i = 2; i < n; ++i) out.faces.push_back({fan ? 0 : i - 2, i - 1, i});
    out.points = std::move(points);
    return out;
}

/// Leaves out the masked faces; with a mask, be it of faces that there are not, nothing encloses a volume.
DrawFaces masked(DrawFaces figure, const XmlElement& e) {
    const std::set<int> mask = read_mask(e);
    std::vector<std::vector<int>> kept;
    if (mask.contains(figure.first_base + 1)) figure.first_base = -1;
    for (std::size_t f = 0; f < figure.faces.size(); ++f)
        if (!mask.contains(static_cast<int>(f) + 1)) kept.push_back(figure.faces[f]);
    if (!mask.empty()) figure.body = DrawFaces::Body::none;
    figure.faces = std::move(kept);
    return figure;
}

/// Faces 1 and 2 are the bases, then one side for each edge of the base.
DrawFaces prism(std::vector<Vec3d> points) {
    DrawFaces out;
    const int n = static_cast<int>(points.size() / 2);
    out.points = std::move(points);
    out.body = DrawFaces::Body::prism;
    out.first_base = 0;
    out.faces.resize(2);
    for (int i = 0; i < n; ++i) {
        out.faces[0].push_back(i);
        out.faces[1].push_back(n + i);
        const int j = (i + 1) % n;
        out.faces.push_back({i, j, n + j, n + i});
    }
    return out;
}

/// Face 1 is the base (all points but the first), then one side for each of its edges.
DrawFaces pyramid(std::vector<Vec3d> points) {
    DrawFaces out;
    const int n = static_cast<int>(points.size()) - 1;
    out.points = std::move(points);
    out.body = DrawFaces::Body::figure;
    out.faces.resize(1);
    for (int i = 0; i < n; ++i) {
        // The normals of all faces point outward if that of one does.
        out.faces[0].push_back((n - i) % n + 1);
        out.faces.push_back({0, i + 1, (i + 1) % n + 1});
    }
    return out;
}

/// From the profile to the same one at y = 0.
DrawFaces beach(std::vector<Vec3d> points) {
    const std::size_t n = points.size();
    for (std::size_t i = 0; i < n; ++i) points.push_back({points[i].x, 0, points[i].z});
    return prism(std::move(points));
}

std::optional<GeometryAction> read_flat(const XmlElement& e, const std::string& name) {
    if (name == "drawtriangle") return one_face(read_points(e, 3, 3));
    if (name == "drawquadri") return one_face(read_points(e, 4, 4));
    if (name == "drawpolygon") return one_face(read_points(e, 3));
    if (name == "drawtrianglesstrip") return strip(read_points(e, 3), false);
    if (name == "drawtrianglesfan") return strip(read_points(e, 3), true);
    if (name == "drawtriangles") return masked(read_figure(e), e);
    if (name == "drawfigure") {
        DrawFaces figure = read_figure(e);
        figure.body = DrawFaces::Body::figure;
        return masked(std::move(figure), e);
    }
    if (name == "drawpyramid") return masked(pyramid(read_points(e, 4)), e);
    if (name == "drawprism") return masked(read_prism(e), e);
    if (name == "drawbeach") return masked(beach(read_points(e, 2)), e);
    return std::nullopt;
}

} // namespace

DrawFaces read_prism(const XmlElement& e) {
    auto points = read_points(e, 6);
    if (points.size() % 2)
        e.fail(fmt::format("<{}> has {} points; a prism needs as many on one base as on the other", e.name(),
                           points.size()));
    return prism(std::move(points));
}

DrawFaces read_figure(const XmlElement& e) {
    DrawFaces out;
    out.points = read_points(e.required_child("points"), 3);
    for (const XmlElement& t : e.required_child("triangles").children()) {
        if (t.name() != "triangle") t.fail(fmt::format("<triangles> has no <{}>, it knows <triangle>", t.name()));
        std::vector<int> corners{t.integer("x"), t.integer("y"), t.integer("z")};
        for (int c : corners)
            if (c < 0 || c >= static_cast<int>(out.points.size()))
                t.fail(fmt::format("<triangle> has point {} of {}, points count from 0", c, out.points.size()));
        out.faces.push_back(std::move(corners));
    }
    if (out.faces.empty()) e.fail(fmt::format("<{}> has no <triangle>, add one", e.name()));
    return out;
}

std::optional<GeometryAction> read_drawing(CaseReader& reader, const XmlElement& e) {
    const std::string name = e.name();
    if (name == "drawbox") return read_box(reader, e);
    if (name == "drawpoint") return DrawPoints{{e.vector()}};
    if (name == "drawpoints") return DrawPoints{read_points(e, 1)};
    if (name == "drawline") return DrawLines{read_points(e, 2, 2)};
    if (name == "drawlines") return DrawLines{read_points(e, 2)};
    if (name == "drawsphere") return read_sphere(reader, e);
    if (name == "drawcylinder") return read_cylinder(reader, e);
    if (name == "drawellipsoid") return read_ellipsoid(reader, e);
    if (name == "drawwave") return read_wave(reader, e);
    if (name == "drawextrude") return read_extrude(reader, e);
    return read_flat(e, name);
}

} // namespace sluice
