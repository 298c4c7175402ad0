// SPDX-License-Identifier: Apache-2.0
#include "unit/structure/lattice.h"

#include <algorithm>

using namespace sluice;

namespace {
const ElasticMaterial rubber{1000, 1e6, 0.4, 0, 0, StressState::plane_strain};
}

// With h = √2 dp the support radius is 2.83 dp: within lie 20 others of a full lattice in the plane, on it 4. Of the
// clamp's five columns only the last is a side of the solid.
TEST(ReferenceState, neighbours_of_a_plate) {
    const auto particles = lattice_bar(rubber, 0.1, {}, {12, 1, 7}, 0.45);
    const ReferenceState state = reference_state(particles, lagrangian(0.1, true));
    EXPECT_EQ(state.flexible, 7 * 7u); // columns 5 … 11
    EXPECT_EQ(state.size(), 7 * 8u);
    for (std::uint32_t a = 0; a < state.size(); ++a) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t b = 0; b < state.size(); ++b)
            if (a != b && norm(state.start[a] - state.start[b]) < 0.282) expected.push_back(b);
        const auto found = state.neighbours_of(a);
        EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << a;
        EXPECT_EQ(state.start[a], particles.start[state.source[a]]);
        for (std::uint32_t k = state.first[a]; k < state.first[a + 1]; ++k) {
            const std::uint32_t b = state.neighbour[k];
            const auto back = std::ranges::find(state.neighbours_of(b), a) - state.neighbours_of(b).begin();
            EXPECT_EQ(state.reverse[k], state.gradient[state.first[b] + static_cast<std::size_t>(back)]);
        }
    }
    for (std::uint32_t a = state.flexible; a < state.size(); ++a) EXPECT_NEAR(state.start[a].x, 0.4, 1e-12);
    const std::uint32_t inside = 3 * 7 + 3;
    EXPECT_EQ(state.neighbours_of(inside).size(), 20u);
    EXPECT_EQ(state.neighbours_of(7 * 7 - 1).size(), 7u); // a corner
}

// Half a cell on a surface, a quarter at a corner; of the clamp's particles what lies on the side of the solid. Energy
// counts by Gregory's rule along both axes.
TEST(ReferenceState, volumes_of_a_plate) {
    const ReferenceState state = reference_state(lattice_bar(rubber, 0.1, {}, {12, 1, 7}, 0.45), lagrangian(0.1, true));
    const auto share = [&](std::uint32_t column, std::uint32_t row) { return state.share[7 * column + row] / 0.01; };
    const auto volume = [&](std::uint32_t column, std::uint32_t row) { return state.volume[7 * column + row] / 0.01; };
    EXPECT_NEAR(share(3, 3), 1, 1e-14);
    EXPECT_NEAR(share(3, 0), 0.5, 1e-14);
    EXPECT_NEAR(share(0, 0), 0.5, 1e-14);
    EXPECT_NEAR(share(6, 6), 0.25, 1e-14);
    EXPECT_NEAR(share(7, 3), 0.5, 1e-14); // of the clamp
    EXPECT_NEAR(share(7, 0), 0.25, 1e-14);
    EXPECT_NEAR(volume(3, 3), 1, 1e-14);
    EXPECT_NEAR(volume(3, 2), 23 / 24., 1e-14); // the third of seven
    EXPECT_NEAR(volume(3, 1), 7 / 6., 1e-14);
    EXPECT_NEAR(volume(6, 6), 9 / 64., 1e-14);
    EXPECT_NEAR(volume(7, 6), 9 / 64., 1e-14);
    double sum = 0, weighed = 0;
    for (std::uint32_t a = 0; a < state.size(); ++a) sum += state.share[a], weighed += state.volume[a];
    EXPECT_NEAR(sum, 0.7 * 0.6, 1e-14);
    EXPECT_NEAR(weighed, 0.7 * 0.6, 1e-14);
}

// In three dimensions, three layers of three: Simpson's rule along each axis.
TEST(ReferenceState, volumes_of_a_cube) {
    const ReferenceState state =
        reference_state(lattice_bar({1000, 1e6, 0.4}, 0.1, {}, {3, 3, 3}, -1), lagrangian(0.1, false));
    EXPECT_NEAR(state.share[0] / 1e-3, 1 / 8., 1e-14);
    EXPECT_NEAR(state.share[13] / 1e-3, 1, 1e-14); // the middle
    EXPECT_NEAR(state.volume[0] / 1e-3, 1 / 27., 1e-14);
    EXPECT_NEAR(state.volume[4] / 1e-3, 16 / 27., 1e-14); // of a face
    EXPECT_NEAR(state.volume[13] / 1e-3, 64 / 27., 1e-14);
}

// What sticks out of a body, with no cell of its own, has the part of one.
TEST(ReferenceState, what_sticks_out_has_a_volume) {
    StructureParticles particles = lattice_bar(rubber, 0.1, {}, {5, 1, 4}, -1);
    particles.start.push_back({0.2, 0, 0.4});
    ++particles.flexible;
    const ReferenceState state = reference_state(particles, lagrangian(0.1, true));
    EXPECT_NEAR(state.share.back(), 0.0025, 1e-14);
    EXPECT_GT(state.volume.back(), 0);
    EXPECT_LT(state.condition, 100);
}

TEST(ReferenceState, a_single_layer_has_no_condition) {
    const auto line = lattice_bar(rubber, 0.1, {}, {12, 1, 1}, 0.45);
    EXPECT_GT(reference_state(line, lagrangian(0.1, true)).condition, 1e6);
    const auto sheet = lattice_bar({1000, 1e6, 0.4}, 0.1, {}, {8, 5, 1}, 0.25);
    EXPECT_GT(reference_state(sheet, lagrangian(0.1, false)).condition, 1e6);
}

TEST(ReferenceState, layers) {
    EXPECT_EQ(layers_across(lattice_bar(rubber, 0.1, {}, {12, 1, 1}, 0.45), 0.1, true), 1);
    EXPECT_EQ(layers_across(lattice_bar(rubber, 0.1, {}, {12, 1, 4}, 0.45), 0.1, true), 4);
    EXPECT_EQ(layers_across(lattice_bar(rubber, 0.1, {}, {4, 1, 12}, 0.15), 0.1, true), 4); // two of them clamped
    EXPECT_EQ(layers_across(lattice_bar(rubber, 0.1, {}, {6, 3, 12}, -1), 0.1, false), 3);
    EXPECT_EQ(layers_across({rubber, 0, {}}, 0.1, true), 0);
}
