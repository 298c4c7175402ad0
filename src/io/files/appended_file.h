// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <filesystem>
#include <string_view>

namespace sluice {

/// A file that grows. Every piece is handed to the system at once. Failures throw RunError, one of them that the file
/// is no longer where it was, so that a run whose folder was removed fails at once and not at its end.
class AppendedFile {
public:
    /// Starts the file anew, or continues one that is there.
    AppendedFile(const std::filesystem::path& path, bool append);
    AppendedFile(const AppendedFile&) = delete;
    AppendedFile& operator=(const AppendedFile&) = delete;
    ~AppendedFile();

    void write(std::string_view text);
    /// Throws if the file was removed or replaced.
    void require_in_place();
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
};

} // namespace sluice
