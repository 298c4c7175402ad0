// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/mpi/mpi_calls.h"
#include <string>

namespace sluice {

/// The library with MPI's functions, if it can be loaded.
struct MpiLibrary {
    const SluiceMpiCalls* calls = nullptr; ///< null: there is none
    std::string name;                      ///< of the implementation, one line: "Open MPI v4.1.4"
    std::string why_none;                  ///< one line
};

/// Loads it from where it lies beside the program. MPI is not started. It stays until the process ends.
MpiLibrary load_mpi();

} // namespace sluice
