// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace sluice {

/// Replaces `path` by the given bytes as one act: written to "<path>.PID.tmp", synced, renamed. A reader of `path`
/// finds the old or the new content, never a part, whatever kills the program or the machine. Throws RunError (disk
/// full, no permission, …); nothing is then left under either name but the old content. Throws InputError if `path` is
/// there and is no regular file: a device or a folder is never replaced. Without `synced` the file survives a killed
/// program, but perhaps not a power cut: for what can be made again.
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes, bool synced = true);
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// A file that is written piece by piece, and of which `path` is replaced as by write_file_atomically() once it is
/// complete: until commit() there is nothing under that name, or what was there before. Throws as that does.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& path);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    /// Appends bytes.
    void write(std::span<const std::byte> bytes);
    /// Replaces bytes that have been written.
    void write_over(std::size_t offset, std::span<const std::byte> bytes);
    void commit();

private:
    std::unique_ptr<class NewFile> file_;
    std::filesystem::path folder_;
};

/// The same on the room that the file `reserved` has on the disk, which is in the same folder and becomes `path`: its
/// bytes are written over where they are, so a full disk does not matter as long as the text is not the longer one.
/// Throws RunError; `reserved` is then gone.
void write_file_on(const std::filesystem::path& reserved, const std::filesystem::path& path, std::string_view text);

/// Throws InputError if `path` is there and is no regular file.
void require_regular(const std::filesystem::path& path);

/// Removes what processes that were killed left behind in a folder (not in those below): "*.tmp". To be called by the
/// one that alone writes there.
void remove_temporary_files(const std::filesystem::path& dir);

/// RunError with the outcome `output_failed`: "PATH: WHAT: the system's reason".
[[noreturn]] void fail_output(const std::filesystem::path& path, const char* what, int error_number);

/// Makes the folder and its parents. Throws RunError.
void make_folder(const std::filesystem::path& dir);

} // namespace sluice
