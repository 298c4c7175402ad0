// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/place_bounds.h"
#include "cuda/mps/bucket_sort.h"
#include "methods/mps/flow/flow.h"

// The passes of a flow by MPS (methods/mps/flow/step.h), a thread a particle. Each particle's sums are made by one
// thread in one order, and maxima have none, so that runs have the same bits.

namespace sluice::cuda {

/// Particles by ascending id on the device, walls first.
struct FlowHome {
    double *x, *y, *z, *vx, *vy, *vz, *rho; ///< m, m/s, kg/m³
    std::uint32_t count, walls;
};

/// Particles sorted by bucket. Kernels read two numbers at a time.
struct SortedFlow {
    double2 *xy, *z_p, *v_xy, *v_z_rho; ///< places in radii from the grid's corner; 0: the density of a wall
    std::uint32_t* order;               ///< places among those by id
    // what passes leave: rates of the fluid, pressures of walls
    double *ax, *ay, *az, *rho_rate, *fullness, *wall_p;
};

/// What passes over pairs take.
struct FlowPasses {
    FlowHome home;
    SortedFlow sorted;
    mps::SearchView search;
    mps::FlowScale scale;
};

/// Maxima over the fluid as bits of doubles that are not negative; 0 before.
struct FlowMaxima {
    unsigned long long acceleration2, speed2;
    unsigned not_finite, strays;
};

/// The box around all particles, m. Waits for the stream.
Box bounds_of_flow(PlaceBounds& bounds, const FlowHome& home, cudaStream_t stream);
/// Sorts what particles have by the buckets of the grid.
void sort_flow(BucketSort& buckets, const FlowHome& home, const SortedFlow& to, cudaStream_t stream);

/// dv/dt, and the largest of |dv/dt|² and |v|².
void find_accelerations(const FlowPasses& flow, FlowMaxima* maxima, cudaStream_t stream);
void move_flow(const FlowPasses& flow, double dt, cudaStream_t stream);
void find_density_rates(const FlowPasses& flow, cudaStream_t stream);
void compress_flow(const FlowPasses& flow, double rho0, double dt, cudaStream_t stream);
void find_pressures(const FlowPasses& flow, const sph::EquationOfState<double>& eos, cudaStream_t stream);
/// Makes `maxima->strays` 1 if a particle of the fluid may not stay.
void mark_flow_strays(const FlowHome& home, const mps::FlowBounds& bounds, FlowMaxima* maxima, cudaStream_t stream);

} // namespace sluice::cuda
