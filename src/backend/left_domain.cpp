// SPDX-License-Identifier: Apache-2.0
#include "backend/left_domain.h"

#include <fmt/format.h>

namespace sluice {

RunError left_domain(const RunSetup& setup, std::uint32_t id, double time) {
    for (const ParticleGroup& group : setup.groups.all())
        if (id >= group.begin && id - group.begin < group.count)
            return RunError(fmt::format("the {} of mkbound {} leaves the domain at {:g} s: widen simulationdomain",
                                        group.type == ParticleType::floating ? "floating body" : "moving wall",
                                        group.mk_type, time),
                            Outcome::left_domain);
    return RunError(fmt::format("particle {} has left the domain at {:g} s", id, time), Outcome::left_domain);
}

} // namespace sluice
