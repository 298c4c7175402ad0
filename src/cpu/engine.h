// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/state_frame.h"
#include "cpu/cpu_options.h"
#include "cpu/schedule.h"
#include "ranks/transport.h"
#include <memory>

namespace sluice::cpu {

/// What computes a run, or one rank's share of it. With several ranks everybody makes the same calls, but for the
/// states: rank 0 is given all particles, the others none; and each returns its own, which one after the other are
/// those of a run of one rank in their order. Counts, excluded particles and memory are a rank's own, too.
class Engine : public Backend {
public:
    /// Of its fluid particles, as `state` has just sorted them.
    virtual FlowGradientSums flow_gradients() = 0;
    /// How many of its particles are boundary particles, as they have just been sorted: those come first.
    virtual std::size_t boundary_count() const = 0;
    /// Debugging aid for ranks: throws RunError if what it sees of other ranks' particles is not what they are, bit by
    /// bit, or a particle is nowhere or twice.
    virtual void check_ghosts() = 0;
};

/// `schedule`: instead of the mode's own; null: that one. `transport`: to the other ranks; null: there are none. It
/// must outlive the engine.
std::unique_ptr<Engine> make_engine(const RunSetup& setup, const Choice& choice, std::unique_ptr<Schedule> schedule,
                                    Transport* transport);

} // namespace sluice::cpu
