// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

namespace sluice {

/// A little of the disk, held by a file in the folder of a run, so that a run that fails on a full disk can still say
/// so in its run.json.
class ReservedSpace {
public:
    /// Throws RunError (disk full, …).
    explicit ReservedSpace(const std::filesystem::path& folder);
    ReservedSpace(const ReservedSpace&) = delete;
    ReservedSpace& operator=(const ReservedSpace&) = delete;
    ~ReservedSpace() { release(); }
    /// Gives the space back to the disk.
    void release();

private:
    std::filesystem::path path_;
};

} // namespace sluice
