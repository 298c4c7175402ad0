// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"
#include "cpu/particles/thread_count.h"
#include <memory>

namespace sluice::cpu {

/// How the threads share the pairs of a step: one class a `CpuMode`.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// To be called when other cells are walked than before.
    virtual void set_rows(const Rows&) {}
    /// To be called when the boundary particles have been sorted.
    virtual void set_boundary(const InteractionView& view) = 0;
    /// All pairs of a step. Returns the largest c_a + max_b|h v·r/(r²+η²)| of the fluid.
    virtual float interact(const Interaction& interaction, const InteractionView& view) = 0;
    virtual std::size_t bytes() const = 0;
};

std::unique_ptr<Schedule> make_asymmetric_schedule(const ThreadCount& threads);
std::unique_ptr<Schedule> make_symmetric_schedule(const ThreadCount& threads);
std::unique_ptr<Schedule> make_slices_schedule(int threads);

} // namespace sluice::cpu
