// SPDX-License-Identifier: Apache-2.0
#include "app/reserved_space.h"

#include "core/error.h"
#include "io/files/file.h"
#include <string>

namespace sluice {

namespace {
constexpr std::size_t reserved_bytes = 1 << 16; ///< run.json many times over
}

ReservedSpace::ReservedSpace(const std::filesystem::path& folder) : path_(folder / "run.reserve") {
    write_file_atomically(path_, std::string(reserved_bytes, '\n'));
}

ReservedSpace::~ReservedSpace() {
    std::error_code error;
    std::filesystem::remove(path_, error);
}

void ReservedSpace::write(const std::filesystem::path& path, std::string_view text) {
    try {
        write_file_on(path_, path, text);
    } catch (const RunError&) { // a file system that never writes over what is there: the space is given back by now
        write_file_atomically(path, text);
    }
}

} // namespace sluice
