// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::cpu {

/// Most ranks that can share a run, and most threads that one can have.
inline constexpr int most_ranks = 1024, most_threads = 1024;

} // namespace sluice::cpu
