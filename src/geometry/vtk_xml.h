// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tinyxml2.h>
#include <vector>

namespace sluice {

/// A VTK XML file (.vtp, .vtu, .vtm): its elements, and the arrays of numbers in them, whether written as text, as
/// base64 or in the appended block (raw or base64), plain or compressed by zlib.
class VtkXmlFile {
public:
    /// Throws InputError if it is not a VTK XML file or packed in a way that is not known.
    explicit VtkXmlFile(std::string_view data);

    /// The data set: the element inside <VTKFile>, such as <PolyData>.
    const tinyxml2::XMLElement& root() const { return *root_; }

    /// The numbers of a <DataArray>. Throws InputError where they end too early.
    std::vector<double> array(const tinyxml2::XMLElement& data_array) const;

private:
    struct Source;
    std::string unpack(Source source) const;

    tinyxml2::XMLDocument document_;
    const tinyxml2::XMLElement* root_ = nullptr;
    std::string_view appended_;
    bool appended_base64_ = false, big_endian_ = false, compressed_ = false;
    std::size_t word_ = 4; ///< bytes of a number in block headers
};

/// An attribute of an element, or "".
std::string vtk_attribute(const tinyxml2::XMLElement& e, const char* name);

} // namespace sluice
