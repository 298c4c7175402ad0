// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <filesystem>
#include <map>
#include <string>
#include <vector>

// casedef/properties as plain data: what walls and bodies are made of. Elastic contacts (RigidAlgorithm 2)
// and collisions of chrono ask.

namespace sluice {

/// A property: numbers by name, such as Young_Modulus. Values that are no numbers are left out.
struct MaterialProperty {
    SourceLocation where;
    std::string name;
    std::map<std::string, double> values;
};

/// propertyfile: a file with more properties.
struct PropertyFile {
    SourceLocation where;
    std::string file; ///< inside the data folder of the case
    std::string path; ///< of the element that holds the properties, its names separated by points
};

/// links/link: which boundaries, or which fluids, have a property.
struct PropertyLink {
    SourceLocation where;
    std::vector<int> mkbound, mkfluid;
    std::string property; ///< one name, or several joined by +
};

struct MaterialProperties {
    std::vector<MaterialProperty> given; ///< in the case itself
    std::vector<PropertyFile> files;
    std::vector<PropertyLink> links;
};

/// The properties of a file. `where`: what asks for it. InputError if it cannot be read, or has no element of the path.
std::vector<MaterialProperty> read_property_file(const std::filesystem::path& file, const std::string& path,
                                                 const SourceLocation& where);

} // namespace sluice
