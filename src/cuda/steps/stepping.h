// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control.h"
#include <chrono>
#include <cstdint>
#include <vector>

namespace sluice::cuda {

/// Where steps stop, whichever comes first.
struct StepLimits {
    double time = 0;                           ///< s: after the step that reaches it
    std::int64_t last_step = 0;                ///< of the run
    std::chrono::steady_clock::time_point end; ///< at the first opportunity after it
};

/// What can be found of a state without a step.
enum class Look { cells, rates, time_step };

/// How the devices of a run step: one alone (RecordedSteps), or several that exchange what they find (SharedSteps).
class Stepping {
public:
    virtual ~Stepping() = default;
    /// Steps until a limit, or until a particle has been excluded. Returns whether it stopped since the host has to
    /// make room, or to collect lists that are nearly full, before the steps go on.
    virtual bool advance(const StepLimits& limits) = 0;
    /// Finds that for the present state, whose particles take the order of the cells. Nothing moves.
    virtual void look(Look what) = 0;
    /// Waits for all devices and reads their controls.
    virtual const std::vector<Control>& synchronise() = 0;
    /// The controls as last read, one a device.
    virtual const std::vector<Control>& controls() const = 0;
    /// The arrays were written from the host.
    virtual void forget() {}
};

} // namespace sluice::cuda
