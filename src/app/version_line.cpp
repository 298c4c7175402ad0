// SPDX-License-Identifier: Apache-2.0
#include "app/version_line.h"

#include "app/version.h"
#include <fmt/format.h>

namespace sluice {

namespace {
#include "app/commit.h" // generated at each build
}

std::string version_line() { return *commit_of_build ? fmt::format("{} ({})", version, commit_of_build) : version; }

} // namespace sluice
