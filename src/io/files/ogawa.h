// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/file.h"
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace sluice {

/// Ogawa, the container of Alembic files: groups, which list their children, and data, which are bytes. Children are
/// written before the group that lists them. Little-endian. The file appears when it is complete.
class OgawaWriter {
public:
    /// What a group lists of a child: where it is, with the upper bit set for data.
    using Child = std::uint64_t;
    static constexpr Child no_data = std::uint64_t{1} << 63, no_group = 0;

    /// Throws InputError if `path` is there and no regular file, RunError.
    explicit OgawaWriter(const std::filesystem::path& path);

    /// Appends data, which consist of these parts one behind the other. Throws RunError.
    Child add_data(std::initializer_list<std::span<const std::byte>> parts);
    /// Appends a group. Throws RunError.
    Child add_group(std::span<const Child> children);
    /// Closes the file with its outermost group. Throws RunError.
    void finish(Child root);

private:
    void append(std::span<const std::byte> bytes);

    AtomicFile file_;
    std::uint64_t end_ = 0;
};

} // namespace sluice
