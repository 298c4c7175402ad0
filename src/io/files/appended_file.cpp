// SPDX-License-Identifier: Apache-2.0
#include "io/files/appended_file.h"
#include "core/error.h"
#include "io/files/file.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {

namespace {
constexpr auto look_interval = std::chrono::seconds(1); ///< a look costs a lookup on a network file system
}

AppendedFile::AppendedFile(const std::filesystem::path& path, bool append) : path_(path) {
    // a pipe without a reader is refused, not waited for
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | (append ? 0 : O_TRUNC);
    descriptor_ = ::open(path.c_str(), flags, 0644);
    if (descriptor_ < 0) fail_output(path_, "cannot create", errno);
    ::fcntl(descriptor_, F_SETFL, O_APPEND);
}

AppendedFile::~AppendedFile() { ::close(descriptor_); }

void AppendedFile::write(std::string_view text) {
    if (std::chrono::steady_clock::now() - looked_ > look_interval) require_in_place();
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_output(path_, "cannot write", errno);
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void AppendedFile::require_in_place() {
    looked_ = std::chrono::steady_clock::now();
    struct stat open_file {
    }, named_file{};
    if (::fstat(descriptor_, &open_file) != 0) fail_output(path_, "cannot look at", errno);
    const bool same = ::stat(path_.c_str(), &named_file) == 0 && open_file.st_ino == named_file.st_ino &&
                      open_file.st_dev == named_file.st_dev;
    if (!same)
        throw RunError(
            fmt::format("{}: was removed or replaced while the run was going on; its rows are lost", path_.string()));
}

} // namespace sluice
