// SPDX-License-Identifier: Apache-2.0
#include "app/reserved_space.h"

#include "io/file.h"
#include <string>

namespace sluice {

namespace {
constexpr std::size_t reserved_bytes = 1 << 16; ///< run.json and some lines of the log, many times over
}

ReservedSpace::ReservedSpace(const std::filesystem::path& folder) : path_(folder / "run.reserve") {
    write_file_atomically(path_, std::string(reserved_bytes, '\n'));
}

void ReservedSpace::release() {
    std::error_code error;
    std::filesystem::remove(path_, error);
}

} // namespace sluice
