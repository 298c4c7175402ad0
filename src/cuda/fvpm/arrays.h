// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/particles.h"
#include "physics/fvpm/flux.h"
#include <cstdint>

// What the kernels of the finite volume particle method read and write: pointers to the device.

namespace sluice::cuda::fvpm {

using namespace sluice::fvpm;

/// Particles at the begin of a step; from `drift` to `correct` their positions are those in its middle.
struct ParticlePointers {
    Vec3d *position, *velocity;
    double *mass, *volume, *radius;
    std::uint32_t* id;
    Kind* kind;
    Vec3d* begin_motion; ///< ẋ at the begin of the step
};

/// Neighbours, as NeighbourRows, and A_ij of each entry.
struct RowPointers {
    std::uint32_t *first, *neighbour, *mate;
    Vec3d* vectors;
};

/// The stage of a step.
struct StagePointers {
    double *mass, *volume;
    Vec3d *momentum, *motion;
    Side<double>* side;
    SideGradients<double>* gradients;
    Vec3d *boundary, *thin;
    double* surface;
    double *rate_mass, *rate_volume;
    Vec3d* rate_momentum;
};

} // namespace sluice::cuda::fvpm
