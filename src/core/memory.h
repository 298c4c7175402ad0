// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice {

/// Bytes of memory that this process can still have: what the machine has free or can free, within the limits of its
/// container (cgroup) and its own (ulimit -v). Infinity where the system does not say.
double available_memory();

} // namespace sluice
