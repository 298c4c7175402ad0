// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi_library.h"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace sluice {

namespace fs = std::filesystem;

namespace {

/// The first words of a description that may be pages long.
std::string first_words(const std::string& text) {
    const std::string line = text.substr(0, text.find_first_of(",\n"));
    std::string words;
    for (const char c : line) words += c == '\t' ? ' ' : c;
    return words;
}

} // namespace

MpiLibrary load_mpi() {
    MpiLibrary mpi;
    if (!SLUICE_HAVE_MPI) {
        mpi.why_none = "this build has no MPI: configure with -DSLUICE_MPI=ON";
        return mpi;
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path path = program.parent_path().parent_path() / "lib" / "libsluice_mpi.so";
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL); // global: for MPI's own plug-ins
    if (!library) {
        const char* why = ::dlerror();
        mpi.why_none = fmt::format("cannot be loaded: {}", why ? why : path.string());
        return mpi;
    }
    const auto entry = reinterpret_cast<SluiceMpiEntry>(::dlsym(library, "sluice_mpi_calls"));
    mpi.calls = entry ? entry(mpi_calls_version) : nullptr;
    if (mpi.calls)
        mpi.name = first_words(mpi.calls->library());
    else
        mpi.why_none = fmt::format("{} is of another version of Sluice", path.string());
    return mpi;
}

} // namespace sluice
