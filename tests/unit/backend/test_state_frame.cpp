// SPDX-License-Identifier: Apache-2.0
#include "backend/state_frame.h"

#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

RunSetup setup_at(const Vec3d& corner) {
    RunSetup setup;
    setup.domain.min = corner;
    setup.constants.c0 = 20;
    sph::derive(setup.constants);
    return setup;
}

/// Particles in an order of their own; those with other ids have left the run.
ParticleState state_of(const std::vector<std::uint32_t>& ids) {
    ParticleState state;
    for (const std::uint32_t id : ids) {
        state.id.push_back(id);
        state.position.push_back({0.1 * id, 0, 1});
        state.velocity.push_back({float(id), 0, 0});
        state.density.push_back(1000 + float(id));
    }
    state.step = 12;
    state.time = 0.5;
    return state;
}

} // namespace

TEST(StateFrame, IsSortedByIdWhateverTheOrderOfTheState) {
    const RunSetup setup = setup_at({-1, 2, 3});
    const Frame frame = make_frame(state_of({7, 0, 9, 2}), setup);
    EXPECT_EQ(frame.id, (std::vector<std::uint32_t>{0, 2, 7, 9}));
    EXPECT_EQ(frame.step, 12);
    EXPECT_EQ(frame.time, 0.5);
    const sph::EquationOfState<float> eos(setup.constants);
    for (std::size_t k = 0; k < frame.size(); ++k) {
        EXPECT_EQ(frame.position[k], setup.domain.min + (Vec3d{0.1 * frame.id[k], 0, 1}));
        EXPECT_EQ(frame.velocity[k].x, float(frame.id[k]));
        EXPECT_EQ(frame.density[k], 1000 + float(frame.id[k]));
        EXPECT_EQ(frame.pressure[k], eos.pressure(frame.density[k]));
    }
}

TEST(StateFrame, MayBeEmpty) { EXPECT_EQ(make_frame({}, setup_at({})).size(), 0u); }
