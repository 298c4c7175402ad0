// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice {

/// How this process was started, as one of how many.
struct Launch {
    std::string launcher; ///< "mpirun", …; empty: this process stands alone
    std::string sign;     ///< the variable that says so, with its value
    int rank = 0, count = 1;
};

/// Looks at the variables that mpirun, mpiexec and srun set. A launcher that has started one process counts as none,
/// and so does any with SLUICE_MPI=off. Throws InputError for another value of SLUICE_MPI than on or off.
Launch find_launch();

} // namespace sluice
