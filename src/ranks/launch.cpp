// SPDX-License-Identifier: Apache-2.0
#include "ranks/launch.h"

#include "core/error.h"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace sluice {

namespace {

struct Signs {
    const char *launcher, *count, *rank;
};

/// In the order in which they count: inside a job of Slurm the variables of srun are those of what has started mpirun's
/// helpers.
constexpr Signs known_signs[] = {
    {"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, // Open MPI
    {"mpirun", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},   // MVAPICH
    {"mpiexec", "PMI_SIZE", "PMI_RANK"},                        // MPICH, Intel MPI; srun --mpi=pmi2
    {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},           // srun in any way
};

int number_of(const char* variable) {
    const char* text = std::getenv(variable);
    return text ? std::atoi(text) : -1;
}

bool is_switched_off() {
    const char* text = std::getenv("SLUICE_MPI");
    if (!text || std::strcmp(text, "on") == 0) return false;
    if (std::strcmp(text, "off") == 0) return true;
    throw InputError(fmt::format("SLUICE_MPI: on or off is wanted ({} is given)", text));
}

} // namespace

Launch find_launch() {
    for (const Signs& signs : known_signs) {
        const int count = number_of(signs.count), rank = number_of(signs.rank);
        if (count < 1 || rank < 0 || rank >= count) continue;
        if (count == 1 || is_switched_off()) return {};
        return {signs.launcher, fmt::format("{}={}", signs.count, count), rank, count};
    }
    return {};
}

} // namespace sluice
