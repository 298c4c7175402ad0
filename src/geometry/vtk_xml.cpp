// SPDX-License-Identifier: Apache-2.0
#include "geometry/vtk_xml.h"

#include "case/xml_limits.h"
#include "geometry/byte_reader.h"
#include <array>
#include <fmt/format.h>
#include <libdeflate.h>
#include <memory>

namespace sluice {

namespace {

// What one array of a mesh may unpack to. What is packed can grow a thousandfold, and numbers become doubles.
constexpr std::size_t max_bytes = std::size_t(1) << 28, max_numbers = std::size_t(1) << 25;

std::string decode_base64(std::string_view text) {
    static const std::array<signed char, 256> value = [] {
        std::array<signed char, 256> v{};
        v.fill(-1);
        const std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (std::size_t i = 0; i < digits.size(); ++i)
            v[static_cast<unsigned char>(digits[i])] = static_cast<signed char>(i);
        return v;
    }();
    std::string out;
    std::uint32_t bits = 0;
    int held = 0;
    for (char c : text) {
        if (c == '=') break;
        const int digit = value[static_cast<unsigned char>(c)];
        if (digit < 0) throw InputError("an array is not valid base64");
        bits = bits << 6 | std::uint32_t(digit);
        held += 6;
        if (held >= 8) out.push_back(static_cast<char>(bits >> (held -= 8)));
    }
    return out;
}

std::string inflate_block(std::string_view packed, std::size_t size) {
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> tool(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    std::string out(size, '\0');
    if (!tool || libdeflate_zlib_decompress(tool.get(), packed.data(), packed.size(), out.data(), size, nullptr) !=
                     LIBDEFLATE_SUCCESS)
        throw InputError("a compressed block is damaged");
    return out;
}

template <class T>
std::vector<double> numbers_of(const std::string& bytes, bool big_endian) {
    if (bytes.size() / sizeof(T) > max_numbers)
        throw InputError(fmt::format("an array has more than {} numbers", max_numbers));
    ByteReader in(bytes);
    std::vector<double> out;
    out.reserve(bytes.size() / sizeof(T));
    while (in.left() >= sizeof(T)) out.push_back(static_cast<double>(in.binary<T>(big_endian)));
    return out;
}

std::vector<double> numbers_of(const std::string& bytes, const std::string& type, bool big_endian) {
    if (type == "Float32") return numbers_of<float>(bytes, big_endian);
    if (type == "Float64") return numbers_of<double>(bytes, big_endian);
    if (type == "Int8") return numbers_of<std::int8_t>(bytes, big_endian);
    if (type == "UInt8") return numbers_of<std::uint8_t>(bytes, big_endian);
    if (type == "Int16") return numbers_of<std::int16_t>(bytes, big_endian);
    if (type == "UInt16") return numbers_of<std::uint16_t>(bytes, big_endian);
    if (type == "Int32") return numbers_of<std::int32_t>(bytes, big_endian);
    if (type == "UInt32") return numbers_of<std::uint32_t>(bytes, big_endian);
    if (type == "Int64") return numbers_of<std::int64_t>(bytes, big_endian);
    if (type == "UInt64") return numbers_of<std::uint64_t>(bytes, big_endian);
    throw InputError("an array is of the unknown type \"" + type + "\"");
}

} // namespace

std::string vtk_attribute(const tinyxml2::XMLElement& e, const char* name) {
    const char* value = e.Attribute(name);
    return value ? value : "";
}

/// Bytes of an array, taken from the front: base64 text or raw.
struct VtkXmlFile::Source {
    std::string_view rest;
    bool base64;

    /// The next `size` bytes. A base64 stream is padded at its end, so what is taken together was encoded together.
    std::string take(std::size_t size) {
        const std::size_t length = base64 ? (size + 2) / 3 * 4 : size;
        if (length > rest.size()) throw InputError("an array ends too early");
        const std::string_view head = rest.substr(0, length);
        rest.remove_prefix(length);
        std::string bytes = base64 ? decode_base64(head) : std::string(head);
        if (bytes.size() < size) throw InputError("an array ends too early");
        bytes.resize(size);
        return bytes;
    }
    std::string peek(std::size_t size) const { return Source(*this).take(size); }
};

VtkXmlFile::VtkXmlFile(std::string_view data) {
    // Raw appended data is no XML: it is cut off before the rest is parsed.
    std::string text(data);
    if (const std::size_t at = data.find("<AppendedData"); at != std::string_view::npos) {
        const std::size_t open = data.find('>', at), mark = data.find('_', open);
        if (open == std::string_view::npos || mark == std::string_view::npos)
            throw InputError("its appended data has no beginning");
        appended_base64_ = data.substr(at, open - at).find("base64") != std::string_view::npos;
        appended_ = data.substr(mark + 1);
        text = std::string(data.substr(0, at)) + "</VTKFile>";
    }
    if (line_of_too_many_attributes(text))
        throw InputError("an element of its XML has more than a thousand attributes");
    if (document_.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
        throw InputError(std::string("its XML is damaged: ") + document_.ErrorStr());
    const tinyxml2::XMLElement* file = document_.RootElement();
    if (!file || std::string_view(file->Name()) != "VTKFile" || !file->FirstChildElement())
        throw InputError("it is no VTK file");
    big_endian_ = vtk_attribute(*file, "byte_order") == "BigEndian";
    if (vtk_attribute(*file, "header_type") == "UInt64") word_ = 8;
    const std::string compressor = vtk_attribute(*file, "compressor");
    compressed_ = !compressor.empty();
    if (compressed_ && compressor != "vtkZLibDataCompressor")
        throw InputError("it is compressed by " + compressor + ", write it with zlib or without compression");
    root_ = file->FirstChildElement();
}

std::string VtkXmlFile::unpack(Source source) const {
    const auto words = [&](const std::string& bytes) {
        ByteReader in(bytes);
        std::vector<std::uint64_t> out;
        while (in.left())
            out.push_back(word_ == 8 ? in.binary<std::uint64_t>(big_endian_) : in.binary<std::uint32_t>(big_endian_));
        return out;
    };
    if (!compressed_) {
        const std::uint64_t size = words(source.peek(word_))[0];
        if (size > max_bytes) throw InputError("an array is longer than a file may be");
        return source.take(word_ + size).substr(word_);
    }
    // Number of blocks, size of a block, size of the last one (0: full), then the packed sizes.
    const std::uint64_t blocks = words(source.peek(3 * word_))[0];
    if (blocks > source.rest.size()) throw InputError("an array has more blocks than the file could hold");
    const auto header = words(source.take((3 + blocks) * word_));
    std::uint64_t packed_size = 0;
    for (std::uint64_t b = 0; b < blocks; ++b) {
        if (header[3 + b] > source.rest.size()) throw InputError("an array ends too early");
        packed_size += header[3 + b];
    }
    const std::string packed = source.take(packed_size);
    std::string out;
    std::size_t at = 0;
    for (std::uint64_t b = 0; b < blocks; ++b) {
        const std::uint64_t size = b + 1 == blocks && header[2] ? header[2] : header[1];
        // zlib cannot pack better than 1 : 1032.
        if (size > 1100 * (header[3 + b] + 1) || out.size() + size > max_bytes)
            throw InputError("a compressed block has an impossible size");
        out += inflate_block(std::string_view(packed).substr(at, header[3 + b]), size);
        at += header[3 + b];
    }
    return out;
}

std::vector<double> VtkXmlFile::array(const tinyxml2::XMLElement& e) const {
    const std::string format = vtk_attribute(e, "format"), type = vtk_attribute(e, "type");
    const std::string_view text = e.GetText() ? e.GetText() : "";
    if (format == "appended") {
        const std::int64_t offset = e.Int64Attribute("offset", -1);
        if (offset < 0 || std::uint64_t(offset) >= appended_.size())
            throw InputError("an array lies outside the appended data");
        return numbers_of(unpack({appended_.substr(std::size_t(offset)), appended_base64_}), type, big_endian_);
    }
    if (format == "binary") {
        const std::size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
        if (first == std::string_view::npos) return {};
        return numbers_of(unpack({text.substr(first, last + 1 - first), true}), type, big_endian_);
    }
    ByteReader in(text);
    std::vector<double> out;
    for (std::string_view word = in.word(); !word.empty(); word = in.word()) out.push_back(ByteReader(word).number());
    return out;
}

} // namespace sluice
