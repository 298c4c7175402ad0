// SPDX-License-Identifier: Apache-2.0
#include "app/check_part.h"
#include <gtest/gtest.h>

using namespace sluice;

// Of a large case a slab in the middle of the fluid is timed, across its longest side.
TEST(MiddleSlab, HasWhatIsNearestToTheMiddleOfTheFluid) {
    for (const int axis : {0, 2}) {
        RunSetup setup;
        setup.domain = {{0, 0, 0}, {1, 1, 1}};
        setup.domain.max[axis] = 9;
        setup.set_groups(ParticleGroups::of(3, 5));
        setup.forcing.inputs.emplace_back();
        ParticleState state;
        const double places[]{0.1, 2.3, 4.1, 0, 1, 2, 3, 4}; // three of walls, and of the fluid the third is the middle
        for (std::uint32_t i = 0; i < 8; ++i) {
            Vec3d p{0.5, 0.5, 0.5};
            p[axis] = places[i];
            state.position.push_back(p);
            state.id.push_back(i);
        }
        for_each_particle_array([&](const char*, auto& array) { array.resize(8); }, state);
        state.density[5] = 1005;

        const RunPart part = middle_slab(setup, state, 4);
        ASSERT_EQ(part.state.size(), 5u); // as far as the fifth nearest
        const double expected[]{0.1, 2.3, 1, 2, 3};
        for (std::uint32_t i = 0; i < 5; ++i) {
            EXPECT_EQ(part.state.position[i][axis], expected[i]);
            EXPECT_EQ(part.state.id[i], i);
        }
        EXPECT_EQ(part.state.density[3], 1005);
        EXPECT_EQ(part.setup.groups.boundary_count(), 2u);
        EXPECT_EQ(part.setup.groups.particle_count(), 5u);
        EXPECT_TRUE(part.setup.forcing.inputs.empty());
        EXPECT_EQ(middle_slab(setup, state, 100).state.size(), 8u);
    }
}
