// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "model/rigid_motion.h"
#include "structure/contact_rules.h"
#include <functional>

namespace sluice::cpu {

/// The sum over all contacts of a flexible particle.
struct ContactSum {
    Vec3d force;           ///< N
    double wall_power = 0; ///< of walls that move, by these forces, W
};

/// Finds what touches flexible bodies (ContactRules) among the boundary particles of a run.
class StructureContacts {
public:
    StructureContacts(const RunSetup& setup, const Space& space) : setup_(setup), space_(space), rules_(setup) {}

    /// Adds up what each flexible particle of this rank gets, and calls `use(id, sum)` where something touches it.
    /// `motions`: of the rigid objects where they are. `mass_of(id)`: of a flexible particle, kg. Calls come from
    /// several threads, one for each particle; sums are in the order of the cells.
    void find(const SortedGroup& boundary, int threads, const std::vector<RigidMotion>& motions,
              const std::function<double(std::uint32_t)>& mass_of,
              const std::function<void(std::uint32_t, const ContactSum&)>& use) const;

private:
    TouchingParticle particle(const SortedGroup& boundary, std::uint32_t i) const;
    Vec3d wall_velocity(const TouchingParticle& wall, const std::vector<RigidMotion>& motions) const;
    ContactSum sum_on(const TouchingParticle& a, std::uint32_t row, std::uint32_t x, const SortedGroup& boundary,
                      const std::vector<RigidMotion>& motions,
                      const std::function<double(std::uint32_t)>& mass_of) const;

    const RunSetup& setup_;
    const Space& space_;
    ContactRules rules_;
};

} // namespace sluice::cpu
