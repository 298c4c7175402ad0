// SPDX-License-Identifier: Apache-2.0
#include "io/files/ogawa.h"

#include <array>
#include <bit>

namespace sluice {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

/// "Ogawa", whether the file is complete, the version 1, and where the outermost group is.
std::array<std::uint8_t, 16> header(bool complete, std::uint64_t root) {
    std::array<std::uint8_t, 16> bytes{'O', 'g', 'a', 'w', 'a', static_cast<std::uint8_t>(complete ? 0xff : 0), 0, 1};
    for (std::size_t k = 0; k < 8; ++k) bytes[8 + k] = static_cast<std::uint8_t>(root >> (8 * k));
    return bytes;
}

} // namespace

OgawaWriter::OgawaWriter(const std::filesystem::path& path) : file_(path) {
    const auto bytes = header(false, 0);
    append(std::as_bytes(std::span(bytes)));
}

void OgawaWriter::append(std::span<const std::byte> bytes) {
    file_.write(bytes);
    end_ += bytes.size();
}

OgawaWriter::Child OgawaWriter::add_data(std::initializer_list<std::span<const std::byte>> parts) {
    std::uint64_t size = 0;
    for (const auto& part : parts) size += part.size();
    if (size == 0) return no_data;
    const std::uint64_t at = end_;
    append(std::as_bytes(std::span(&size, 1)));
    for (const auto& part : parts) append(part);
    return at | no_data;
}

OgawaWriter::Child OgawaWriter::add_group(std::span<const Child> children) {
    if (children.empty()) return no_group;
    const std::uint64_t at = end_, size = children.size();
    append(std::as_bytes(std::span(&size, 1)));
    append(std::as_bytes(children));
    return at;
}

void OgawaWriter::finish(Child root) {
    const auto bytes = header(true, root);
    file_.write_over(0, std::as_bytes(std::span(bytes)));
    file_.commit();
}

} // namespace sluice
