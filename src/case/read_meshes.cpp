// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"

#include <filesystem>
#include <fmt/format.h>

namespace sluice {

std::string data_file_name(const CaseReader& reader, const SourceLocation& where, const std::string& what,
                           const std::string& text) {
    std::string name;
    try {
        name = reader.variables.substitute(text);
    } catch (const InputError& error) {
        throw InputError(where, fmt::format("{}: {}", what, error.what()));
    }
    for (char& c : name)
        if (c == '\\') c = '/';
    const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
    if (name.empty()) throw InputError(where, fmt::format("{} is empty, name a file", what));
    if (path.is_absolute() || path.begin()->string() == ".." || name.find('\0') != std::string::npos ||
        name.find(':') != std::string::npos)
        throw InputError(
            where,
            fmt::format("{}=\"{}\" lies outside the folder of the case, copy the file beside the case", what, name));
    return path.string();
}

std::string read_data_file(CaseReader& reader, const XmlElement& e, const char* attribute) {
    return data_file_name(reader, e.where(), fmt::format("<{}> {}", e.name(), attribute),
                          e.required_attribute(attribute));
}

namespace {

Vec3d read_angles(const XmlElement& e) { return {e.number("angx", 0), e.number("angy", 0), e.number("angz", 0)}; }

MeshPlacement read_placement(const XmlElement& e) {
    MeshPlacement p;
    if (auto c = e.child("drawmove")) p.move = c->vector({0, 0, 0});
    if (auto c = e.child("drawrotate")) p.angles = read_angles(*c);
    if (auto c = e.child("drawscale")) p.scale = c->vector({1, 1, 1});
    if (auto c = e.child("drawcenter")) p.center = c->vector({0, 0, 0});
    if (p.scale.x == 0 || p.scale.y == 0 || p.scale.z == 0)
        e.fail(fmt::format("<{}> drawscale must not be 0", e.name()));
    return p;
}

void read_polygon_kinds(const XmlElement& e, DrawMesh& mesh) {
    const auto child = e.child("polyselec");
    if (!child) return;
    mesh.points = mesh.lines = mesh.polygons = false;
    for (const std::string& word : split_words(child->text(), "|")) {
        if (word == "points")
            mesh.points = true;
        else if (word == "lines")
            mesh.lines = true;
        else if (word == "triangles" || word == "quads" || word == "otherpolys" || word == "polygons")
            mesh.polygons = true;
        else
            child->fail(fmt::format("polyselec \"{}\" is unknown, use points, lines, polygons, joined by |", word));
    }
}

DrawMesh read_mesh_file(CaseReader& reader, const XmlElement& e, MeshFormat format) {
    reader.expect_attributes(e, {"if", "objname", "file", "autofill", "advanced", "reverse", "mode"});
    expect_children(
        e, {"drawmove", "drawrotate", "drawscale", "drawcenter", "depth", "polyselec", "clipdomain", "onlysurfaces"});
    if (e.child("onlysurfaces") && e.name() != "drawfilevtm")
        e.fail(fmt::format("<{}> has no <onlysurfaces>, only drawfilevtm has", e.name()));
    DrawMesh mesh;
    mesh.format = format;
    mesh.file = read_data_file(reader, e, "file");
    mesh.placement = read_placement(e);
    mesh.autofill = e.boolean("autofill", false);
    mesh.advanced = e.boolean("advanced", false);
    mesh.reverse = e.boolean("reverse", false);
    read_polygon_kinds(e, mesh);
    if (auto depth = e.child("depth")) {
        if (depth->attribute("depthmin")) mesh.depth_min = depth->number("depthmin");
        if (depth->attribute("depthmax")) mesh.depth_max = depth->number("depthmax");
        if (!mesh.advanced)
            reader.warn(depth->where(),
                        fmt::format("<depth> has no effect on <{}> without advanced=\"true\"", e.name()));
    }
    if (format == MeshFormat::bathymetry_csv && to_lower(e.attribute("mode").value_or("bathymetry")) != "bathymetry")
        e.fail(fmt::format("<drawfilecsv> mode \"{}\" is unknown, use bathymetry", *e.attribute("mode")));
    if (e.child("clipdomain"))
        reader.inform(
            e.where(),
            fmt::format("<{}>: clipdomain only speeds up the reading, nothing outside the lattice is drawn anyway",
                        e.name()));
    return mesh;
}

DrawSurfaces::Choice read_surface_choice(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"index", "name", "mkbound", "mkfluid"});
    DrawSurfaces::Choice choice;
    choice.line = e.line();
    if (e.attribute("index")) choice.indices = read_number_list(e, "index", 100'000);
    if (e.attribute("name")) choice.names = split_words(e.required_attribute("name"), ",");
    const std::size_t count = choice.indices.size() + choice.names.size();
    if (!count) e.fail("<onlysurfaces> needs index or name");
    for (const auto& [attribute, kind] : {std::pair{"mkbound", MkKind::bound}, {"mkfluid", MkKind::fluid}})
        if (e.attribute(attribute))
            for (int mk : read_mk_list(reader, e, attribute)) choice.mk.push_back({kind, mk});
    if (choice.mk.size() > 1 && choice.mk.size() != count)
        e.fail(fmt::format("<onlysurfaces> names {} surfaces and {} mk, give one mk or one for each", count,
                           choice.mk.size()));
    return choice;
}

DrawSurfaces read_surfaces(CaseReader& reader, const XmlElement& e) {
    DrawSurfaces surfaces;
    surfaces.mesh = read_mesh_file(reader, e, MeshFormat::vtk);
    for (const XmlElement& chosen : e.children("onlysurfaces"))
        surfaces.choices.push_back(read_surface_choice(reader, chosen));
    return surfaces;
}

std::array<double, 4> read_rectangle(const XmlElement& e) {
    const XmlElement point = e.required_child("point"), size = e.required_child("size");
    std::array<double, 4> r{point.number("x"), point.number("y"), size.number("x"), size.number("y")};
    if (r[2] <= 0 || r[3] <= 0) size.fail(fmt::format("<{}> needs a positive size ({} x {})", e.name(), r[2], r[3]));
    return r;
}

DrawBathymetry::Side read_side(CaseReader& reader, const XmlElement& expands, const char* name) {
    DrawBathymetry::Side side;
    const auto e = expands.child(name);
    if (!e) return side;
    reader.expect_attributes(*e, {"size", "z", "size2", "z2"});
    side.size = e->number("size", 0);
    side.size2 = e->number("size2", 0);
    if (e->attribute("z")) side.z = e->number("z");
    if (e->attribute("z2")) side.z2 = e->number("z2");
    return side;
}

DrawBathymetry::Periodic read_periodic(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"rampwidth", "flatwidth"});
    const DrawBathymetry::Periodic periodic{e.number("rampwidth", 0), e.number("flatwidth", 0)};
    if (periodic.ramp_width < 0 || periodic.flat_width < 0)
        e.fail(fmt::format("<{}>: rampwidth ({}) and flatwidth ({}) must not be negative", e.name(),
                           periodic.ramp_width, periodic.flat_width));
    return periodic;
}

void read_bathymetry_grid(CaseReader& reader, const XmlElement& grid, DrawBathymetry& b) {
    expect_children(grid, {"initdomain", "expands", "finalmove", "periodicx", "periodicy"});
    if (grid.attribute("file")) {
        b.file = read_data_file(reader, grid, "file");
        b.file_is_grid = true;
    } else {
        b.grid_dp = grid.number("dp");
        if (!(b.grid_dp > 0)) grid.fail(fmt::format("<grid> dp must be positive ({})", b.grid_dp));
    }
    if (auto c = grid.child("initdomain")) {
        if (b.file_is_grid) c->fail("<initdomain> and <grid file> exclude each other, take one out");
        b.domain = read_rectangle(*c);
    }
    if (auto c = grid.child("expands")) {
        expect_children(*c, {"xmin", "xmax", "ymin", "ymax"});
        b.xmin = read_side(reader, *c, "xmin");
        b.xmax = read_side(reader, *c, "xmax");
        b.ymin = read_side(reader, *c, "ymin");
        b.ymax = read_side(reader, *c, "ymax");
    }
    if (auto c = grid.child("periodicx")) b.periodic_x = read_periodic(reader, *c);
    if (auto c = grid.child("periodicy")) b.periodic_y = read_periodic(reader, *c);
    if (auto c = grid.child("finalmove")) b.final_move = c->vector({0, 0, 0});
}

DrawBathymetry read_bathymetry(CaseReader& reader, const XmlElement& e) {
    expect_children(e, {"zpoints", "grid", "savepoints", "savegrid"});
    DrawBathymetry b;
    read_bathymetry_grid(reader, e.required_child("grid"), b);
    if (b.file_is_grid) {
        if (e.child("zpoints")) e.fail("<zpoints> and <grid file> exclude each other, take one out");
        return b;
    }
    const XmlElement points = e.required_child("zpoints");
    expect_children(points, {"move", "rotate", "scale", "selection"});
    b.file = read_data_file(reader, points, "file");
    if (auto c = points.child("move")) b.move = c->vector({0, 0, 0});
    if (auto c = points.child("rotate"))
        b.angles = {c->number("angx", c->number("x", 0)), c->number("angy", c->number("y", 0)),
                    c->number("angz", c->number("z", 0))};
    if (auto c = points.child("scale")) b.scale = c->vector({1, 1, 1});
    if (auto c = points.child("selection")) b.selection = read_rectangle(*c);
    return b;
}

} // namespace

std::optional<GeometryAction> read_mesh(CaseReader& reader, const XmlElement& e) {
    const std::string name = e.name();
    if (name == "drawfilestl") return read_mesh_file(reader, e, MeshFormat::stl);
    if (name == "drawfileply") return read_mesh_file(reader, e, MeshFormat::ply);
    if (name == "drawfilevtk") return read_mesh_file(reader, e, MeshFormat::vtk);
    if (name == "drawfilevtm") return read_surfaces(reader, e);
    if (name == "drawfilecsv") return read_mesh_file(reader, e, MeshFormat::bathymetry_csv);
    if (name == "drawbathymetry") return read_bathymetry(reader, e);
    return std::nullopt;
}

} // namespace sluice
