// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice {

/// "0.1.0 (a5032ff, 2026-11-25)": the version, and the commit that was built with its date, where that is known.
std::string version_line();

} // namespace sluice
