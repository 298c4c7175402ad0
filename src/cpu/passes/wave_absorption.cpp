// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/wave_absorption.h"

#include "cpu/passes/surface_line.h"
#include "scheme/absorption_step.h"

namespace sluice::cpu {

std::vector<AbsorberState> absorbed_now(const RunSetup& setup, const Space& space, const SortedGroup& fluid,
                                        std::uint32_t first, Halo& halo, std::vector<AbsorberState> states,
                                        double time) {
    const MotionSample* const samples = setup.motions.samples.data();
    for (std::size_t k = 0; k < states.size(); ++k) {
        const WaveAbsorber& absorber = setup.absorbers[k];
        const Vec3d foot = gauge_foot(absorber, samples, states[k], time);
        const double surface = surface_above(setup.constants, space, fluid, first, halo, foot,
                                             sph::gauge_points(absorber), absorber.limit);
        states[k] = absorbed(absorber, samples, states[k], surface, time);
    }
    return states;
}

} // namespace sluice::cpu
