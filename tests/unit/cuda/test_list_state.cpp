// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/data/control.h"
#include "cuda/data/list_state.h"
#include <gtest/gtest.h>

using namespace sluice;
using cuda::ListState;

TEST(ListState, ComesBackFromItsSection) {
    const ListState lists{
        false, 4, 1e-3f, 0.3f, 2e-3f, 4e-3f, 1e-5f, {{1, 2, 3}, {-4, 5e-300, 6}}, {{0, {7, 8, 9}}, {5, {-1, 0, 1}}}};
    EXPECT_EQ(cuda::lists_of(cuda::list_section(lists)), lists);
    ListState expired;
    expired.spread_rate = 2e-5f;
    EXPECT_EQ(cuda::lists_of(cuda::list_section(expired)), expired);
}

TEST(ListState, IsExpiredInAStateOfAnotherBackend) {
    BackendSection section = cuda::list_section({false, 4, 1e-3f, 0.3f, 2e-3f, 4e-3f, 1e-5f, {{1, 2, 3}}, {}});
    section.owner = "another backend";
    EXPECT_TRUE(cuda::lists_of(section).expired);
    EXPECT_TRUE(cuda::lists_of({}).expired);
}

TEST(ListState, OfAnotherLengthIsRefused) {
    const BackendSection section =
        cuda::list_section({false, 4, 1e-3f, 0.3f, 2e-3f, 4e-3f, 1e-5f, {{1, 2, 3}, {4, 5, 6}}, {}});
    for (const std::size_t bytes :
         {std::size_t(0), std::size_t(5), section.bytes.size() - 24, section.bytes.size() - 1}) {
        BackendSection cut = section;
        cut.bytes.resize(bytes);
        EXPECT_THROW(cuda::lists_of(cut), RunError);
    }
}

TEST(ListState, VacatedPlacesLieAmongTheOthers) {
    ListState lists;
    for (int i = 0; i < 6; ++i) lists.origin.push_back({double(i), 0, 0});
    lists.vacated = {{0, {10, 0, 0}}, {3, {13, 0, 0}}, {6, {16, 0, 0}}};
    constexpr std::uint32_t no_particle = cuda::Control::no_particle;
    const std::vector<std::uint32_t> places = cuda::listed_places(lists, {1, 0, 5, 4, 3, 2}, 2);
    EXPECT_EQ(places, (std::vector<std::uint32_t>{1, 0, no_particle, 5, 4, no_particle, 3, 2, no_particle}));
    std::vector<double> x;
    for (const Vec3d& origin : cuda::listed_origins(lists, places)) x.push_back(origin.x);
    EXPECT_EQ(x, (std::vector<double>{1, 0, 10, 5, 4, 13, 3, 2, 16}));
    lists.vacated.back().before = 7; // there are six places before the end
    EXPECT_THROW(cuda::listed_places(lists, {1, 0, 5, 4, 3, 2}, 2), RunError);
    lists.vacated = {{2, {}}, {2, {}}}; // two in one place
    EXPECT_THROW(cuda::listed_places(lists, {1, 0, 5, 4, 3, 2}, 2), RunError);
}

TEST(ListState, NumbersTooLargeForTheBytesAreRefused) {
    BackendSection section = cuda::list_section({false, 4, 1e-3f, 0.3f, 2e-3f, 4e-3f, 1e-5f, {{1, 2, 3}}, {{0, {}}}});
    const std::size_t counts = section.bytes.size() - sizeof(Vec3d) - sizeof(cuda::VacatedPlace) - 16;
    for (const std::size_t at : {counts, counts + 8}) {
        BackendSection damaged = section;
        damaged.bytes[at + 7] = std::byte{0x80};
        EXPECT_THROW(cuda::lists_of(damaged), RunError);
    }
}
