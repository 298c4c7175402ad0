// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/reader.h"
#include <optional>

namespace sluice {

/// The plain data of a command that draws or that changes how the next ones draw; empty if it does neither.
std::optional<GeometryAction> read_action(CaseReader& reader, const XmlElement& e);

} // namespace sluice
