// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/coarse_search.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace sluice;
using namespace sluice::cuda;

namespace {

FixedGrid grid_of(int divisions) { return make_fixed_grid({{0, 0, 0}, {3, 2, 1}}, 0.0347, divisions); }

/// A position at (x, y, z) cells, as often round 2³² units as need be.
Position at(const FixedGrid& g, double x, double y, double z) {
    const auto units = [&](double cells) {
        return std::int32_t(std::uint32_t(std::int64_t(std::floor(std::ldexp(cells, g.cell_bits)))));
    };
    return {units(x), units(y), units(z), 0};
}

double distance(const FixedGrid& g, const Position& a, const Position& b) {
    const auto d = [](std::int32_t p, std::int32_t q) {
        return double(std::int32_t(std::uint32_t(p) - std::uint32_t(q)));
    };
    return double(g.unit) *
           std::sqrt(d(a.x, b.x) * d(a.x, b.x) + d(a.y, b.y) * d(a.y, b.y) + d(a.z, b.z) * d(a.z, b.z));
}

bool passes(const FixedGrid& g, const Position& a, const Position& b) {
    return coarse_excess(coarse_target(g, a), coarse_position(g, b), g.coarse_limit) < 0;
}

} // namespace

TEST(CoarseSearch, MissesNoNeighbourAndPassesFewOthers) {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> unit(0, 1);
    for (const int divisions : {1, 2}) {
        const FixedGrid g = grid_of(divisions);
        const double radius = std::ldexp(g.unit, units_per_support_log2), reach = divisions + 1;
        int near = 0, passed = 0, beyond = 0;
        for (int n = 0; n < 2000000; ++n) {
            const double x = 5000 * unit(random), y = 3 * unit(random) - 1,
                         z = 1100 * unit(random); // across 0 and 2³² units
            const auto apart = [&] { return reach * (2 * unit(random) - 1); };
            const Position a = at(g, x, y, z), b = at(g, x + apart(), y + apart(), z + apart());
            const double r = distance(g, a, b);
            near += r < radius;
            passed += passes(g, a, b);
            ASSERT_TRUE(r >= radius || passes(g, a, b)) << r / radius;
            beyond += r > 1.06 * radius && passes(g, a, b);
        }
        EXPECT_LT(passed, 1.11 * near);
        EXPECT_EQ(beyond, 0);
    }
}

TEST(CoarseSearch, MissesNoNeighbourAtTheRimOfTheSupport) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const int divisions : {1, 2}) {
        const FixedGrid g = grid_of(divisions);
        for (int n = 0; n < 300000; ++n) {
            double d[3] = {unit(random), unit(random), unit(random)};
            if (n % 3 == 0) d[n / 3 % 3] *= 0.01;
            const double scale = 0.99999 * divisions / std::hypot(d[0], d[1], d[2]);
            const double x = 30 + unit(random), y = 40 + unit(random), z = 50 + unit(random);
            ASSERT_TRUE(passes(g, at(g, x, y, z), at(g, x + scale * d[0], y + scale * d[1], z + scale * d[2])));
        }
    }
}

TEST(CoarseSearch, MissesNoNeighbourWithinAnyRadiusThatItIsMadeFor) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (const int divisions : {1, 2}) {
        const FixedGrid g = grid_of(divisions);
        const double cells = 0.9 * divisions;
        const int limit = coarse_limit_for(g, std::ldexp(cells * g.unit, g.cell_bits));
        int beyond = 0;
        for (int n = 0; n < 300000; ++n) {
            const double d[3] = {unit(random), unit(random), unit(random)};
            const double x = 30 + unit(random), y = 40 + unit(random), z = 50 + unit(random);
            const auto passes_at = [&](double distance) { // cells
                const double scale = distance / std::hypot(d[0], d[1], d[2]);
                const Position b = at(g, x + scale * d[0], y + scale * d[1], z + scale * d[2]);
                return coarse_excess(coarse_target(g, at(g, x, y, z)), coarse_position(g, b), limit) < 0;
            };
            ASSERT_TRUE(passes_at(0.99999 * cells));
            beyond += passes_at(1.07 * cells);
        }
        EXPECT_EQ(beyond, 0);
    }
}

TEST(CoarseSearch, WordsHoldTheCandidatesOfTheRangeAlone) {
    const FixedGrid g = grid_of(2);
    const Position target = at(g, 7.3, 8.6, 9.1);
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<CoarseFour> fours(40);
    std::uint32_t* const coarse = fours.front().at;
    for (std::uint32_t j = 0; j < 160; ++j)
        coarse[j] = coarse_position(g, at(g, 5 + 5 * unit(random), 8 + 2 * unit(random), 8 + 2 * unit(random)));
    for (std::uint32_t begin = 0; begin < 80; ++begin)
        for (std::uint32_t end = begin; end < begin + 75; ++end) {
            std::vector<std::uint32_t> found, expected;
            const Range range{begin, end};
            for (std::uint32_t first = first_word(range); first < end; first += coarse_word)
                for (HitWord word = find_hits(coarse, coarse_target(g, target), g.coarse_limit, first, range);
                     word.bits;)
                    found.push_back(take_hit(word));
            for (std::uint32_t j = begin; j < end; ++j)
                if (coarse_excess(coarse_target(g, target), coarse[j], g.coarse_limit) < 0) expected.push_back(j);
            ASSERT_EQ(found, expected) << begin << " " << end;
        }
}
