// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "scheme/body_motion.h"
#include <vector>

namespace sluice::cpu {

/// Elastic contacts of bodies with walls and with one another (BodyContact::elastic).
class ElasticContacts {
public:
    ElasticContacts(const RunSetup& setup, const Space& space, const ThreadCount& threads);

    bool any() const { return !force_.empty(); }
    /// Finds the pairs that touch and what they do to the bodies' particles. Returns the greatest pace of the pairs in
    /// reach (dem::contact_pace). Of several ranks each does this for the particles that it has.
    double find(const SortedGroup& boundary);
    /// Of the ids from RunSetup::rigid.begin on.
    const std::vector<ContactForce>& forces() const { return force_; }
    std::vector<ContactForce>& forces() { return force_; }

private:
    /// A particle that may be touched.
    struct Touchable {
        Vec3d position;
        Vec3f velocity;
        std::uint32_t id;
    };

    void gather(const SortedGroup& boundary);
    double visit_row(std::uint32_t row);
    double push_on(const Touchable& a, std::uint32_t row, std::uint32_t x);
    std::uint32_t part_of(std::uint32_t id) const { return setup_.contact_parts.of_id[id]; }

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    std::vector<Touchable> touchable_; ///< in the order of the cells
    std::vector<std::uint32_t> begin_; ///< of each cell among them, and their number
    std::vector<ContactForce> force_;
};

} // namespace sluice::cpu
