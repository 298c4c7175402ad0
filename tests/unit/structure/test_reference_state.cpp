// SPDX-License-Identifier: Apache-2.0
#include "unit/structure/lattice.h"

#include <algorithm>

using namespace sluice;

namespace {
const ElasticMaterial rubber{1000, 1e6, 0.4, 0, 0, StressState::plane_strain};
}

// With h = √2 dp the support radius is 2.83 dp: within lie 20 others of a full lattice in the plane, on it 4.
TEST(ReferenceState, neighbours_of_a_plate) {
    const auto particles = lattice_bar(rubber, 0.1, {}, {12, 1, 7}, 0.45);
    const ReferenceState state = reference_state(particles, lagrangian(0.1, true));
    EXPECT_EQ(state.flexible, 7 * 7u);         // columns 5 … 11
    EXPECT_EQ(state.stressed, 7 * (7 + 2u));   // two columns are within 2.83 dp of column 5
    EXPECT_EQ(state.size(), 7 * (7 + 2 + 2u)); // and two more within that of those
    for (std::uint32_t a = 0; a < state.stressed; ++a) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t b = 0; b < state.size(); ++b)
            if (a != b && norm(state.start[a] - state.start[b]) < 0.282) expected.push_back(b);
        const auto found = state.neighbours_of(a);
        EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end())) << a;
        EXPECT_EQ(state.start[a], particles.start[state.source[a]]);
    }
    const std::uint32_t inside = 3 * 7 + 3;
    EXPECT_EQ(state.neighbours_of(inside).size(), 20u);
    EXPECT_EQ(state.neighbours_of(7 * 7 - 1).size(), 7u); // a corner
}

// −Σ V X ⊗ ∇W is the identity but for what the sum over the lattice differs from the integral.
TEST(ReferenceState, corrections_are_small_inside_and_large_at_corners) {
    const ReferenceState state = reference_state(lattice_bar(rubber, 0.1, {}, {12, 1, 7}, 0.45), lagrangian(0.1, true));
    const auto& inside = state.correction[3 * 7 + 3];
    EXPECT_NEAR(inside.x.x, 1, 0.02);
    EXPECT_NEAR(inside.x.z, 0, 1e-12);
    EXPECT_EQ(inside.y.y, 1);
    EXPECT_GT(state.correction[7 * 7 - 1].x.x, 2);
    EXPECT_LT(state.condition, 10);
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
