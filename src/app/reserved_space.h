// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string_view>

namespace sluice {

/// A little of the disk, held by a file in the folder of a run, so that a run that fails on a full disk can still say
/// so in its run.json.
class ReservedSpace {
public:
    /// Throws RunError (disk full, …).
    explicit ReservedSpace(const std::filesystem::path& folder);
    ReservedSpace(const ReservedSpace&) = delete;
    ReservedSpace& operator=(const ReservedSpace&) = delete;
    /// Gives the space back to the disk.
    ~ReservedSpace();

    /// Replaces the file `path` of the same folder by the text as one act, on the reserved space. The space is not
    /// freed first, since another program might take it. Throws RunError.
    void write(const std::filesystem::path& path, std::string_view text);

private:
    std::filesystem::path path_;
};

} // namespace sluice
