// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_file.h"
#include "geometry/vtk_xml.h"

#include "core/error.h"
#include <cmath>

// VTK XML: PolyData (.vtp), UnstructuredGrid (.vtu) and the parts of a vtkMultiBlockDataSet (.vtm).

namespace sluice::mesh_format {

namespace {

using Element = tinyxml2::XMLElement;

const Element* array_named(const Element& parent, std::string_view name) {
    for (const Element* a = parent.FirstChildElement("DataArray"); a; a = a->NextSiblingElement("DataArray"))
        if (vtk_attribute(*a, "Name") == name) return a;
    return nullptr;
}

std::vector<double> required_array(const VtkXmlFile& file, const Element& parent, const char* name) {
    const Element* array = array_named(parent, name);
    if (!array) throw InputError(std::string("its <") + parent.Name() + "> has no array \"" + name + "\"");
    return file.array(*array);
}

/// Adds the cells of <Polys>, <Cells> …; the type of the i-th is `type_of(i)`. Points count from `first`.
template <class TypeOf>
void add_cells(const VtkXmlFile& file, const Element& cells, std::size_t first, Mesh& mesh, TypeOf&& type_of) {
    const auto corners = required_array(file, cells, "connectivity"), ends = required_array(file, cells, "offsets");
    std::size_t at = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!(ends[i] >= double(at)) || ends[i] > double(corners.size()))
            throw InputError("the offsets of its cells do not ascend");
        std::vector<std::uint32_t> cell;
        for (; at < std::size_t(ends[i]); ++at) {
            const double index = corners[at] + double(first);
            if (!(corners[at] >= 0) || index >= double(mesh.points.size()))
                throw InputError("a cell names a point that is not there");
            cell.push_back(static_cast<std::uint32_t>(index));
        }
        add_vtk_cell(mesh, type_of(i), cell);
    }
}

void add_piece(const VtkXmlFile& file, const Element& piece, Mesh& mesh) {
    const std::size_t first = mesh.points.size();
    const Element* points = piece.FirstChildElement("Points");
    const Element* array = points ? points->FirstChildElement("DataArray") : nullptr;
    if (!array) return; // a piece may be empty
    const std::vector<double> xyz = file.array(*array);
    if (xyz.size() % 3) throw InputError("its points do not have three coordinates each");
    for (std::size_t i = 0; i < xyz.size(); i += 3) mesh.points.push_back({xyz[i], xyz[i + 1], xyz[i + 2]});
    if (mesh.points.size() > 0xfffffffeu) throw InputError("it has too many points");
    for (const auto& [name, type] : {std::pair{"Verts", 2}, {"Lines", 4}, {"Strips", 6}, {"Polys", 7}})
        if (const Element* cells = piece.FirstChildElement(name); cells && array_named(*cells, "offsets"))
            add_cells(file, *cells, first, mesh, [type = type](std::size_t) { return type; });
    if (const Element* cells = piece.FirstChildElement("Cells")) {
        const auto types = required_array(file, *cells, "types");
        add_cells(file, *cells, first, mesh, [&](std::size_t i) {
            if (i >= types.size()) throw InputError("it has fewer types than cells");
            return static_cast<int>(types[i]);
        });
    }
}

void list_parts(const Element& parent, const std::string& block, std::vector<MeshPart>& out) {
    for (const Element* e = parent.FirstChildElement(); e; e = e->NextSiblingElement()) {
        const std::string kind = e->Name(), name = vtk_attribute(*e, "name");
        if (kind == "DataSet") {
            if (e->Attribute("file")) out.push_back({name.empty() ? block : name, vtk_attribute(*e, "file")});
        } else if (kind == "Block" || kind == "Piece") {
            list_parts(*e, name.empty() ? block : name, out);
        }
    }
}

} // namespace

Mesh parse_vtk_xml(const std::string& data) {
    const VtkXmlFile file(data);
    const std::string kind = file.root().Name();
    if (kind != "PolyData" && kind != "UnstructuredGrid")
        throw InputError("it holds a " + kind + ", only PolyData and UnstructuredGrid can be drawn");
    Mesh mesh;
    for (const Element* piece = file.root().FirstChildElement("Piece"); piece;
         piece = piece->NextSiblingElement("Piece"))
        add_piece(file, *piece, mesh);
    return mesh;
}

std::vector<MeshPart> parse_multiblock(const std::string& data) {
    const VtkXmlFile file(data);
    if (std::string_view(file.root().Name()) != "vtkMultiBlockDataSet")
        throw InputError(std::string("it holds a ") + file.root().Name() + ", not a vtkMultiBlockDataSet");
    std::vector<MeshPart> parts;
    list_parts(file.root(), "", parts);
    return parts;
}

} // namespace sluice::mesh_format
