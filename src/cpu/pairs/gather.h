// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"

namespace sluice::cpu {

/// The operators of physics/ that a gather runs.
enum class GatherOperator {
    flow_gradients,         ///< sph::FlowGradients
    velocity_gradient,      ///< sph::VelocityGradient
    stress_divergence,      ///< sph::StressDivergence, of records made by stress_record()
    colour_gradient,        ///< sph::ColourGradient, of records made by coloured_record()
    viscous_force,          ///< sph::ViscousForce, of records made by viscous_record()
    crowding,               ///< sph::Crowding, of boundary records marked by hold_fluid()
    crowding_moments,       ///< sph::CrowdingMoments
    shift_convergence,      ///< sph::ShiftConvergence, of records made by vector_record() with shifts
    density_gradient,       ///< sph::DensityGradient
    renormalised_diffusion, ///< sph::RenormalisedDiffusion, of records made by vector_record() with gradients
};

/// An operator of physics/ summed up over the neighbours of fluid particles, compiled for one instruction set: beside
/// the interaction, which is built for speed, the plain way from a formula to a field. Nothing but the sums is written.
class Gather {
public:
    virtual ~Gather() = default;
    /// How many numbers each particle has.
    virtual int sum_count() const = 0;
    /// The sums of the unit's fluid particles over their neighbours, images among them. `sums`: of all fluid records,
    /// one after the other.
    virtual void sum(const InteractionView& view, const WorkUnit& unit, float* sums) const = 0;
};

} // namespace sluice::cpu
