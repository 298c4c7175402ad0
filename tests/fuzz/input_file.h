// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <unistd.h>

namespace sluice::fuzz {

/// A file in a folder of this process for what reads files only. Removed at the end.
class InputFile {
public:
    explicit InputFile(const std::string& name)
        : folder_(std::filesystem::temp_directory_path() / ("sluice-fuzz-" + std::to_string(::getpid()))),
          path_(folder_ / name) {
        std::filesystem::create_directories(path_.parent_path());
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile() { std::filesystem::remove_all(folder_); }

    const std::filesystem::path& folder() const { return folder_; }
    const std::filesystem::path& path() const { return path_; }
    void write(std::span<const std::uint8_t> bytes) const {
        std::FILE* file = std::fopen(path_.c_str(), "wb");
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
    }

private:
    std::filesystem::path folder_, path_;
};

} // namespace sluice::fuzz
