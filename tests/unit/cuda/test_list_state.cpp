// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/list_state.h"
#include <gtest/gtest.h>

using namespace sluice;
using cuda::ListState;

TEST(ListState, ComesBackFromItsSection) {
    const ListState lists{false, 4, 1e-3f, 0.3f, 2e-3f, 4e-3f, 1e-5f, {{1, 2, 3}, {-4, 5e-300, 6}}};
    EXPECT_EQ(cuda::lists_of(cuda::list_section(lists)), lists);
    ListState expired;
    expired.spread_rate = 2e-5f;
    EXPECT_EQ(cuda::lists_of(cuda::list_section(expired)), expired);
}

TEST(ListState, IsExpiredInAStateOfAnotherBackend) {
    BackendSection section = cuda::list_section({false, 4, 1e-3f, 0.3f, 2e-3f, 4e-3f, 1e-5f, {{1, 2, 3}}});
    section.owner = "another backend";
    EXPECT_TRUE(cuda::lists_of(section).expired);
    EXPECT_TRUE(cuda::lists_of({}).expired);
}

TEST(ListState, OfAnotherLengthIsRefused) {
    const BackendSection section =
        cuda::list_section({false, 4, 1e-3f, 0.3f, 2e-3f, 4e-3f, 1e-5f, {{1, 2, 3}, {4, 5, 6}}});
    for (const std::size_t bytes :
         {std::size_t(0), std::size_t(5), section.bytes.size() - 24, section.bytes.size() - 1}) {
        BackendSection cut = section;
        cut.bytes.resize(bytes);
        EXPECT_THROW(cuda::lists_of(cut), RunError);
    }
}
