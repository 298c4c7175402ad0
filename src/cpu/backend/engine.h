// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/state_frame.h"
#include "cpu/backend/cpu_options.h"
#include "cpu/schedules/schedule.h"
#include "ranks/transport.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::cpu {

/// Particles of a rank that follow one another in the order of a run of one rank, and the row of cells that the first
/// of them is in.
struct RowShare {
    std::uint32_t row = 0;
    std::uint32_t particles = 0;
};

/// Those of a rank, in their order: with those of the other ranks, in the order of the rows, they are all of the run.
struct OwnShares {
    std::vector<RowShare> boundary, fluid;
};

/// Computes a run, or one rank's subdomain of it. All ranks make the same calls. Only states differ: rank 0 receives
/// all particles, the others none; and each returns its own (see OwnShares). Counts, excluded particles and memory are
/// a rank's own, too.
class Engine : public Backend {
public:
    /// Of its fluid particles, as `state` has just sorted them.
    virtual FlowGradientSums flow_gradients() = 0;
    /// The runs of its particles that follow one another, as they have just been sorted. Boundary particles come first.
    virtual OwnShares own_shares() const = 0;
    /// Debugging aid for ranks: throws RunError if a ghost differs from its particle in any bit, or a particle is
    /// missing or held twice.
    virtual void check_ghosts() = 0;
};

/// Axis (0, 1, 2) along which layers of rows of cells follow one another in a run of this choice.
int slowest_axis(const RunSetup& setup, const Choice& choice);

/// `schedule`: instead of the mode's own; null: that one. `transport`: to the other ranks; null: there are none. It
/// must outlive the engine.
std::unique_ptr<Engine> make_engine(const RunSetup& setup, const Choice& choice, std::unique_ptr<Schedule> schedule,
                                    Transport* transport);

} // namespace sluice::cpu
