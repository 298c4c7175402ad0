// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/output_parts.h"
#include "geometry/particle_set.h"
#include "io/fluid/layout.h"
#include "io/records/left_out.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// Which particles of a frame special/outputparts selects. It acts on whole frames, so on those of all backends alike.
class ParticleSelection {
public:
    /// Throws InputError, with file and line, for a filter of an mk that the particles do not have, and for a range of
    /// mks of several types.
    ParticleSelection(const OutputParts& parts, const ParticleSet& particles, const RunSetup& setup);

    /// Whether the frame of this number holds all particles whatever the filters say.
    bool is_whole(int number) const { return parts_.whole_every > 0 && number % parts_.whole_every == 0; }
    /// So many frames apart are those that hold all; 0: none does.
    int whole_every() const { return parts_.whole_every; }

    /// The places in a frame, which has all particles of the run, of those that are selected; ascending.
    std::vector<std::uint32_t> places(const Frame& frame) const;
    /// How many particles of a frame are not selected.
    LeftOut left_out(const Frame& frame) const;

private:
    OutputParts parts_;
    ParticleLayout layout_;
    std::vector<int> mk_of_body_;
    std::vector<Vec3d> start_; ///< centres of the bodies at time 0, m
};

} // namespace sluice
