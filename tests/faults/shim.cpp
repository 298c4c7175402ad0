// SPDX-License-Identifier: Apache-2.0
// Preloaded under the program: makes one of its calls to the system fail, or kills it there.
//   FAULT_CALL   write, fsync, rename, open or unlink
//   FAULT_AT     the how-many-th such call on a file of the run
//   FAULT_KIND   an error by name (EIO, ENOSPC, EACCES), or KILL
//   FAULT_BYTES  instead of these: after so many bytes written, the disk is full; files that are removed make room
//   FAULT_SHARED with FAULT_BYTES: no, others fill it at once
// Only files below FAULT_DIR, an absolute path, count.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

std::string setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

template <class F>
F next(const char* name) {
    return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

/// What a symbolic link says; empty if it is none.
std::string target_of(const char* link) {
    char path[4096];
    const ssize_t size = ::readlink(link, path, sizeof path);
    return size < 0 ? std::string() : std::string(path, static_cast<size_t>(size));
}

bool is_below(const std::string& path) { return path.rfind(setting("FAULT_DIR") + "/", 0) == 0; }

bool is_of_run(const char* path) { return is_below(path[0] == '/' ? path : target_of("/proc/self/cwd") + "/" + path); }

bool is_of_run(int descriptor) {
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    return is_below(target_of(link));
}

int error_number() {
    const std::string kind = setting("FAULT_KIND");
    if (kind == "KILL") ::kill(::getpid(), SIGKILL);
    return kind == "ENOSPC" ? ENOSPC : kind == "EACCES" ? EACCES : EIO;
}

/// Whether this call is the one.
bool strikes(const char* call) {
    static std::atomic<long> seen{0};
    static const std::string wanted = setting("FAULT_CALL");
    static const long at = std::atol(setting("FAULT_AT").c_str());
    if (wanted != call || ++seen != at) return false;
    errno = error_number();
    return true;
}

std::atomic<long>& bytes_left() {
    static std::atomic<long> left{std::atol(setting("FAULT_BYTES").c_str())};
    return left;
}

/// By how much a file grows if so many bytes are written to where it stands: what is written over takes no room.
long growth(int descriptor, size_t bytes) {
    struct stat file {};
    if (::fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode)) return static_cast<long>(bytes);
    const bool appends = (::fcntl(descriptor, F_GETFL) & O_APPEND) != 0;
    const off_t at = appends ? file.st_size : ::lseek(descriptor, 0, SEEK_CUR);
    return std::max(0L, at + static_cast<long>(bytes) - file.st_size);
}

bool disk_is_full(int descriptor, size_t bytes) {
    static const bool counts = !setting("FAULT_BYTES").empty();
    if (!counts) return false;
    const long wanted = growth(descriptor, bytes);
    if (bytes_left().fetch_sub(wanted) >= wanted) return false;
    bytes_left() += wanted;
    errno = ENOSPC;
    return true;
}

/// Bytes of a file of the run; 0 if there is none.
long size_of(const char* path) {
    struct stat file {};
    return is_of_run(path) && ::stat(path, &file) == 0 && S_ISREG(file.st_mode) ? file.st_size : 0;
}

/// What a call has removed makes room; what it failed to remove does not.
int room_made(long bytes, int result) {
    static const bool others_take_it = !setting("FAULT_SHARED").empty();
    if (result >= 0 && !others_take_it) bytes_left() += bytes;
    return result;
}

} // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t bytes) {
    static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
    if (is_of_run(descriptor) && (strikes("write") || disk_is_full(descriptor, bytes))) return -1;
    return real(descriptor, data, bytes);
}

int ftruncate(int descriptor, off_t size) {
    static const auto real = next<int (*)(int, off_t)>("ftruncate");
    struct stat before {};
    ::fstat(descriptor, &before);
    return room_made(is_of_run(descriptor) ? before.st_size - size : 0, real(descriptor, size));
}

int fsync(int descriptor) {
    static const auto real = next<int (*)(int)>("fsync");
    return is_of_run(descriptor) && strikes("fsync") ? -1 : real(descriptor);
}

int rename(const char* from, const char* to) {
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    if (is_of_run(to) && strikes("rename")) return -1;
    const long replaced = size_of(to);
    return room_made(replaced, real(from, to));
}

int unlink(const char* path) {
    static const auto real = next<int (*)(const char*)>("unlink");
    if (is_of_run(path) && strikes("unlink")) return -1;
    const long removed = size_of(path);
    return room_made(removed, real(path));
}

int remove(const char* path) {
    static const auto real = next<int (*)(const char*)>("remove");
    if (is_of_run(path) && strikes("unlink")) return -1;
    const long removed = size_of(path);
    return room_made(removed, real(path));
}

int open(const char* path, int flags, ...) {
    static const auto real = next<int (*)(const char*, int, ...)>("open");
    va_list arguments;
    va_start(arguments, flags);
    const int mode = va_arg(arguments, int);
    va_end(arguments);
    if ((flags & O_CREAT) && is_of_run(path) && strikes("open")) return -1;
    const long emptied = flags & O_TRUNC ? size_of(path) : 0;
    return room_made(emptied, real(path, flags, mode));
}
}
