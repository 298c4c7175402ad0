// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"

namespace sluice::test {

/// Has no particles and takes no steps, for tests of what is done with a backend, which override what they are about.
class IdleBackend : public Backend {
public:
    AdvanceReport advance(const AdvanceLimits&) override { return {}; }
    double next_time_step() override { return 0.1; }
    BackendInfo info() const override { return {}; }
    void set_state(const ParticleState&) override {}
    ParticleState state() override { return {}; }
    std::unique_ptr<PendingFrame> snapshot(const FieldSelection&) override { return nullptr; }
    void rates(std::vector<Vec3f>&, std::vector<float>&) override {}
    std::vector<BodyReport> bodies() const override { return {}; }
    std::vector<ExcludedParticle> take_excluded() override { return {}; }
    PhaseSeconds phase_seconds() const override { return {}; }
    std::size_t memory_bytes() const override { return 0; }
};

} // namespace sluice::test
