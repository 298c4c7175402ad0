// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice {

/// A number to be read at a glance: "0.5", "20", "300 k", "1.5 M", "1 G", "1 T"; three significant digits, "–" for one
/// that is not finite.
std::string short_number(double value);

} // namespace sluice
