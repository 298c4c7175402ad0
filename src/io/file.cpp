// SPDX-License-Identifier: Apache-2.0
#include "io/file.h"
#include "core/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace sluice {
namespace {

/// An open file that does not survive a failure: unless kept, it is removed.
class NewFile {
public:
    explicit NewFile(const std::filesystem::path& path)
        : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
        if (descriptor_ < 0) fail("cannot create");
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (!kept_) ::unlink(path_.c_str());
    }

    void write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail("cannot write");
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    }
    void close(bool synced) {
        if (synced && ::fsync(descriptor_) != 0) fail("cannot sync");
        const int descriptor = descriptor_;
        descriptor_ = -1;
        if (::close(descriptor) != 0) fail("cannot close");
    }
    void rename_to(const std::filesystem::path& target) {
        if (::rename(path_.c_str(), target.c_str()) != 0) fail("cannot rename");
        kept_ = true;
    }

private:
    [[noreturn]] void fail(const char* what) const {
        const int error = errno;
        throw RunError(fmt::format("{}: {}: {}", path_.string(), what, std::strerror(error)));
    }

    std::filesystem::path path_;
    int descriptor_;
    bool kept_ = false;
};

/// Makes a rename itself survive a power cut. Not every file system can; then there is nothing more to do.
void sync_folder(const std::filesystem::path& dir) {
    const int descriptor = ::open(dir.empty() ? "." : dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes, bool synced) {
    std::filesystem::path temporary = path;
    temporary += ".tmp";
    NewFile file(temporary);
    file.write(bytes);
    file.close(synced);
    file.rename_to(path);
    if (synced) sync_folder(path.parent_path());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    write_file_atomically(path, std::as_bytes(std::span(text.data(), text.size())));
}

void make_folder(const std::filesystem::path& dir) {
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    if (error) throw RunError(fmt::format("{}: cannot make the folder: {}", dir.string(), error.message()));
}

} // namespace sluice
