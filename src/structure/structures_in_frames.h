// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/fields.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include "structure/contact_rules.h"
#include "structure/solver.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// The flexible bodies of a run as its frames show them: a frame has the places of all their particles and of their
/// clamps, from which deformations follow.
class StructuresInFrames {
public:
    explicit StructuresInFrames(const RunSetup& setup);

    bool any() const { return !solvers_.empty(); }
    /// Looks at a frame, which must have all particles of the boundary.
    void take(const Frame& frame);
    /// Of all bodies in the last frame, kinetic, elastic and −m g·x, J (J/m in 2-D). What the springs between those
    /// that touch hold is elastic, too.
    StructureEnergy energy() const;
    /// The values of a field of FieldSource::structure in the last frame, for the boundary particles by their ids: 0
    /// for those that are rigid.
    std::vector<Vec3f> vectors(Field field) const;
    std::vector<float> numbers(Field field) const;

private:
    template <class Use>
    void for_each_point(const Use& use) const;
    double mass_of(std::uint32_t id) const;
    double contact_energy(const Frame& frame) const;

    FlexibleBodies bodies_;
    sph::Constants constants_;
    Vec3d corner_;
    std::uint32_t boundary_count_;
    ContactRules contacts_;
    std::vector<StructureSolver> solvers_; ///< of the bodies
    double in_contacts_ = 0;               ///< energy, in the last frame
};

} // namespace sluice
