// SPDX-License-Identifier: Apache-2.0
// Preloaded under the program: makes one of its calls to the system fail, or kills it there.
//   FAULT_CALL   write, fsync, rename, open or unlink
//   FAULT_AT     the how-many-th such call on a file of the run
//   FAULT_KIND   an error by name (EIO, ENOSPC, EACCES), or KILL
//   FAULT_BYTES  instead of these: after so many bytes written, the disk is full for good
// Only files below FAULT_DIR count.

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

bool is_of_run(const char* path) { return std::strstr(path, setting("FAULT_DIR").c_str()) != nullptr; }

bool is_of_run(int descriptor) {
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t size = ::readlink(link, path, sizeof path - 1);
    if (size < 0) return false;
    path[size] = 0;
    return is_of_run(path);
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

bool disk_is_full(size_t bytes) {
    static const bool counts = !setting("FAULT_BYTES").empty();
    if (!counts) return false;
    const long wanted = static_cast<long>(bytes);
    if (bytes_left().fetch_sub(wanted) >= wanted) return false;
    bytes_left() += wanted;
    errno = ENOSPC;
    return true;
}

/// A file that is removed makes room.
void give_back(const char* path) {
    struct stat file {};
    if (is_of_run(path) && ::stat(path, &file) == 0 && S_ISREG(file.st_mode)) bytes_left() += file.st_size;
}

} // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t bytes) {
    static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
    if (is_of_run(descriptor) && (strikes("write") || disk_is_full(bytes))) return -1;
    return real(descriptor, data, bytes);
}

int fsync(int descriptor) {
    static const auto real = next<int (*)(int)>("fsync");
    return is_of_run(descriptor) && strikes("fsync") ? -1 : real(descriptor);
}

int rename(const char* from, const char* to) {
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    return is_of_run(to) && strikes("rename") ? -1 : real(from, to);
}

int unlink(const char* path) {
    static const auto real = next<int (*)(const char*)>("unlink");
    if (is_of_run(path) && strikes("unlink")) return -1;
    give_back(path);
    return real(path);
}

int remove(const char* path) {
    static const auto real = next<int (*)(const char*)>("remove");
    if (is_of_run(path) && strikes("unlink")) return -1;
    give_back(path);
    return real(path);
}

int open(const char* path, int flags, ...) {
    static const auto real = next<int (*)(const char*, int, ...)>("open");
    va_list arguments;
    va_start(arguments, flags);
    const int mode = va_arg(arguments, int);
    va_end(arguments);
    return (flags & O_CREAT) && is_of_run(path) && strikes("open") ? -1 : real(path, flags, mode);
}
}
