// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/frames/frame_reader.h"
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

/// "NAME_000012.SUFFIX": the file that is made of the frame with this number.
std::string numbered_file(const std::string& name, int number, const std::string& suffix);

/// What an earlier call left in a folder: files that are named as those of a series but will not be written again, so
/// that they would pass for frames of the new one. They are found before anything is written, and removed after it.
class EarlierFiles {
public:
    /// The series NAME_NNNNNN.SUFFIX of each name, with the frames that will be written. Throws InputError, naming
    /// --overwrite, if there are other files and they are not to be removed.
    EarlierFiles(const std::filesystem::path& folder, const std::vector<std::string>& names, const std::string& suffix,
                 const std::vector<FrameEntry>& frames, bool overwrite);

    /// To be called when the new series is complete.
    void remove() const;

private:
    std::vector<std::filesystem::path> files_;
};

} // namespace sluice
