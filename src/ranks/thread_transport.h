// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/transport.h"
#include <memory>

namespace sluice {

/// The ends of a transport between threads of this process, one for each rank. They live on when others have gone.
std::vector<std::unique_ptr<Transport>> make_thread_transports(int count);

/// Their description.
std::string thread_transport_description();

} // namespace sluice
