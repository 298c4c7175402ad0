// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice {

/// The name of the machine that this process runs on, as the operating system names it; empty where it has none.
std::string host_name();

/// Tells one running system from another, whatever their names: it changes when the machine is started anew.
std::string boot_id();

} // namespace sluice
