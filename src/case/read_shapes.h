// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/reader.h"
#include <optional>

// One function a command: from the XML element to plain data. All throw InputError with the line.

namespace sluice {

/// The plain data of a command that draws, fills or redraws; empty if `e` is another command.
std::optional<GeometryAction> read_drawing(CaseReader& reader, const XmlElement& e);
std::optional<GeometryAction> read_mesh(CaseReader& reader, const XmlElement& e);
std::optional<GeometryAction> read_filling(CaseReader& reader, const XmlElement& e);

/// The name of a data file, which must lie in the folder of the case or below: a case from a stranger reads nothing
/// else.
std::string data_file_name(const CaseReader& reader, const SourceLocation& where, const std::string& what,
                           const std::string& text);
/// The same of an attribute of an element.
std::string read_data_file(CaseReader& reader, const XmlElement& e, const char* attribute);
/// setmkfluid, setmkbound and the like: the mk attribute inside the range of mkconfig.
int read_mk(const CaseReader& reader, const XmlElement& e, const char* attribute, MkKind kind);
std::vector<Vec3d> read_points(const XmlElement& e, std::size_t least, std::size_t most = 100000);
/// <point> with <size> or <endpoint>, sorted.
RegionBox read_region_box(const XmlElement& e);
/// The text of boxfill or boxfaces as BoxFill bits: words joined by '|' (and this) or '^' (but not this).
unsigned read_box_fill(const XmlElement& e);
DrawFaces read_figure(const XmlElement& e);
DrawFaces read_prism(const XmlElement& e);
Vec3d read_nonzero_vector(const XmlElement& e);
/// The <onlypos> of an element, or all of space.
OnlyPositions read_only_positions(const XmlElement& e);
void expect_children(const XmlElement& e, const std::vector<std::string>& known);
/// Where an attribute that is left out could change results: any other one is refused.
void require_attributes(const XmlElement& e, const std::vector<std::string>& known);
/// The x, y and z of a child that must be there and has nothing else.
Vec3d child_vector(const XmlElement& parent, const char* name);
/// Parts between any of `separators`, trimmed; none is empty.
std::vector<std::string> split_parts(std::string_view text, const char* separators);
/// The same in lower case.
std::vector<std::string> split_words(const std::string& text, const char* separators);

} // namespace sluice
