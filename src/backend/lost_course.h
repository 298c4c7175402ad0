// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "model/moorings.h"
#include "scheme/moorings/advance_lines.h"
#include <cstdint>

namespace sluice {

/// The error that ends a run at a step in which a mooring line has lost its course.
RunError lost_course(const Moorings& moorings, const MooringFault& fault, std::int64_t step);

} // namespace sluice
