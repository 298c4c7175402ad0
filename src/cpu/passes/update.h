// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/records.h"
#include "cpu/particles/thread_count.h"
#include "scheme/stage.h"
#include "scheme/time_step.h"
#include <vector>

// SU: what the rates make of the particles. One function a stage and group, each a parallel loop.

namespace sluice::cpu {

/// When a stage of the time integration takes place.
struct StageClock {
    float dt = 0;          ///< of the whole step, s
    float dt_before = 0;   ///< of the step before, s; 0: there is none
    std::int64_t step = 0; ///< steps done before this one
    double time = 0;       ///< that the particles reach, s
};

/// Integration of the particles of a run. `rates` are the fluid's or the boundary's own, first to last.
class Integration {
public:
    Integration(const RunSetup& setup, const Space& space, const ThreadCount& threads)
        : setup_(setup), constants_(setup.constants), origin_(setup.domain.min), space_(space), threads_(threads) {}

    /// Largest |dv/dt + g|² over the fluid.
    float largest_force2(const SortedGroup& fluid, const Accumulator* rates) const;

    /// The stage that ends the step adds these to the displacements of the fluid particles, m.
    void shift_by(const Vec3f* shifts) { shifts_ = shifts; }
    void integrate_fluid(Stage stage, SortedGroup& fluid, const Accumulator* rates, const StageClock& clock);
    void integrate_boundary(Stage stage, SortedGroup& boundary, const Accumulator* rates,
                            const StageClock& clock) const;

    /// Files every fluid particle that may not stay under `excluded()` and takes its cell away.
    void exclude(SortedGroup& fluid, const StageClock& clock);
    /// In the order in which they left, ties by id.
    std::vector<ExcludedParticle>& excluded() { return excluded_; }

private:
    template <class Advance>
    void move_fluid(SortedGroup& fluid, const StageClock& clock, const Advance& brings_on);
    void verlet_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock);
    void verlet_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const;
    void predict_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock);
    void predict_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const;
    void correct_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock);
    void correct_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const;
    void kick_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock);
    void drift_fluid(SortedGroup& fluid, const Accumulator* rates, const StageClock& clock);
    void drift_boundary(SortedGroup& boundary, const Accumulator* rates, const StageClock& clock) const;
    ExcludedParticle last_state(const SortedGroup& fluid, std::uint32_t i, sph::ExclusionCause cause,
                                const StageClock& clock) const;

    const RunSetup& setup_;
    sph::Constants constants_;
    Vec3d origin_;
    const Vec3f* shifts_ = nullptr; ///< none: nothing shifts
    const Space& space_;
    const ThreadCount& threads_;
    std::vector<ExcludedParticle> excluded_;
};

} // namespace sluice::cpu
