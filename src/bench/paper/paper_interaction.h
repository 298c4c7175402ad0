// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/paper/ladder.h"
#include "bench/paper/stored_ranges.h"
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"

// The interaction as the paper describes it (Domínguez et al. 2013, section 4): one thread a particle tests candidate
// after candidate and computes at each hit. Its optimisations B to E can be switched one by one.

namespace sluice::paper {

using namespace cuda;

/// Three numbers side by side, loaded one by one.
template <class T>
struct Triple {
    T x, y, z;
};

/// The six arrays of the paper's Table 3, 40 bytes a particle. Here positions are integers (fixed_grid.h).
struct SixArrays {
    Triple<std::int32_t>* position = nullptr;
    Triple<float>* velocity = nullptr;
    float* density = nullptr;
    float* sound_speed = nullptr;
    float* pressure_term = nullptr;
    float* tensile = nullptr;
};

/// What the general kernel leaves of F–F for F–B to go on with, besides the rates.
struct Unfinished {
    float diffusion, viscous;
};

/// Everything a launch needs.
struct PaperArgs {
    InteractionArgs base;
    SixArrays separate;
    Unfinished* unfinished = nullptr;
    const Range* fluid_ranges = nullptr; ///< rows() per cell, if they are stored
    const Range* boundary_ranges = nullptr;
    Optimisations optimisations;
};

/// Rates of all particles and the maxima that limit the time step, on one stream.
template <class Kernel>
void launch_paper_interaction(const PaperArgs& args, cudaStream_t stream);

/// The paper's interaction with the optimisations asked for, and the arrays that it needs beside the state.
class PaperInteraction {
public:
    /// InputError for a gamma other than 7: these many kernels are compiled for the papers' formulation.
    PaperInteraction(DeviceMemory& memory, const sph::Constants& constants, const FixedGrid& grid,
                     std::uint32_t particles, const Optimisations& optimisations);

    /// After the boundary particles were sorted, which stay: D stores the ranges around every cell.
    void adopt_boundary(const InteractionView& view, cudaStream_t stream) const;
    /// After a sort of the fluid: D stores the ranges around the cells that hold particles.
    void adopt_fluid(const InteractionView& view, std::uint32_t particles, cudaStream_t stream) const;
    /// dv/dt and dρ/dt of every particle, and the maxima that limit the time step.
    void launch(const InteractionArgs& args, cudaStream_t stream) const;

private:
    Optimisations optimisations_;
    DeviceArray<Range> fluid_ranges_, boundary_ranges_;
    DeviceArray<Triple<std::int32_t>> position_;
    DeviceArray<Triple<float>> velocity_;
    DeviceArray<float> density_, sound_speed_, pressure_term_, tensile_;
    DeviceArray<Unfinished> unfinished_;
};

} // namespace sluice::paper
