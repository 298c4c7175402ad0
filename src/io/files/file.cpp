// SPDX-License-Identifier: Apache-2.0
#include "io/files/file.h"
#include "core/error.h"
#include "core/input_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace sluice {

/// An open file that does not survive a failure: unless kept, it is removed.
class NewFile {
public:
    /// `target`: what it will be called, and what messages call it. `flags`: of open(2), besides writing.
    NewFile(const std::filesystem::path& path, const std::filesystem::path& target, int flags)
        : path_(path), target_(target), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0644)) {
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
    void write_over(std::size_t offset, std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) fail("cannot write");
            offset += static_cast<std::size_t>(written);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    }
    /// What stood there beyond `size` bytes is given back.
    void cut(std::size_t size) {
        if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail("cannot cut");
    }
    void close(bool synced) {
        if (synced && ::fsync(descriptor_) != 0) fail("cannot sync");
        const int descriptor = descriptor_;
        descriptor_ = -1;
        if (::close(descriptor) != 0) fail("cannot close");
    }
    void rename_to_target() {
        if (::rename(path_.c_str(), target_.c_str()) != 0) fail("cannot rename");
        kept_ = true;
    }

private:
    [[noreturn]] void fail(const char* what) const { fail_output(target_, what, errno); }

    std::filesystem::path path_, target_;
    int descriptor_;
    bool kept_ = false;
};

namespace {

/// Where a file is while it is written; others may write to the same path.
std::filesystem::path temporary_path(const std::filesystem::path& path) {
    require_regular(path);
    std::filesystem::path temporary = path;
    temporary += fmt::format(".{}.tmp", ::getpid());
    return temporary;
}

/// Makes a rename itself survive a power cut. Not every file system can; then there is nothing more to do.
void sync_folder(const std::filesystem::path& dir) {
    const int descriptor = ::open(dir.empty() ? "." : dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

void fail_output(const std::filesystem::path& path, const char* what, int error_number) {
    throw RunError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error_number)), Outcome::output_failed);
}

void require_regular(const std::filesystem::path& path) {
    if (const std::string what = not_a_file(path); !what.empty())
        throw InputError(
            fmt::format("{}: is {}, which is not written over; give the name of a file", path.string(), what));
}

void remove_temporary_files(const std::filesystem::path& dir) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(dir, error))
        if (entry.path().extension() == ".tmp" && entry.is_regular_file(error))
            std::filesystem::remove(entry.path(), error);
}

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes, bool synced) {
    NewFile file(temporary_path(path), path, O_CREAT | O_TRUNC);
    file.write(bytes);
    file.close(synced);
    file.rename_to_target();
    if (synced) sync_folder(path.parent_path());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
    write_file_atomically(path, std::as_bytes(std::span(text.data(), text.size())));
}

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : file_(std::make_unique<NewFile>(temporary_path(path), path, O_CREAT | O_TRUNC)), folder_(path.parent_path()) {}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::span<const std::byte> bytes) { file_->write(bytes); }

void AtomicFile::write_over(std::size_t offset, std::span<const std::byte> bytes) { file_->write_over(offset, bytes); }

void AtomicFile::commit() {
    file_->close(true);
    file_->rename_to_target();
    sync_folder(folder_);
}

void write_file_on(const std::filesystem::path& reserved, const std::filesystem::path& path, std::string_view text) {
    require_regular(path);
    NewFile file(reserved, path, 0);
    file.write(std::as_bytes(std::span(text.data(), text.size())));
    file.cut(text.size());
    file.close(true);
    file.rename_to_target();
    sync_folder(path.parent_path());
}

void make_folder(const std::filesystem::path& dir) {
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    if (error) fail_output(dir, "cannot make the folder", error.value());
}

} // namespace sluice
