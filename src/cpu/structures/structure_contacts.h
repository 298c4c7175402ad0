// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "model/run_setup.h"
#include <functional>

namespace sluice::cpu {

/// Who touches flexible bodies: boundary particles that are not of the same body, nor of a floating one, nor its clamp
/// and next to it at time 0. They touch where they are nearer than one spacing, or than they were at time 0
/// (physics/solid/contact.h).
class StructureContacts {
public:
    StructureContacts(const RunSetup& setup, const Space& space) : setup_(setup), space_(space) {}

    /// Adds up the force on each flexible particle of this rank, N, and calls `use(id, force)` where something touches
    /// it. `mass_of(id)`: of a flexible one, kg. Calls come from several threads, one for each particle; sums are in
    /// the order of the cells.
    void find(const SortedGroup& boundary, int threads, const std::function<double(std::uint32_t)>& mass_of,
              const std::function<void(std::uint32_t, const Vec3d&)>& use) const;

private:
    /// A boundary particle: its id, where it is, its body if it is flexible.
    struct Particle {
        std::uint32_t id = 0;
        Vec3d place;
        std::int32_t body = -1;
    };
    Particle particle(const SortedGroup& boundary, std::uint32_t i) const;
    Vec3d start_of(const Particle& p) const;
    bool is_clamp_of(std::int32_t body, std::uint32_t id) const;
    double touch_of(const Particle& a, const Particle& b) const;
    Vec3d force_on(const Particle& a, std::uint32_t row, std::uint32_t x, const SortedGroup& boundary,
                   const std::function<double(std::uint32_t)>& mass_of) const;

    const RunSetup& setup_;
    const Space& space_;
};

} // namespace sluice::cpu
