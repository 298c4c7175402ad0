// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "methods/mps/particle_search.h"
#include "unit/methods/mps/clouds.h"
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace sluice;
using namespace sluice::mps;

namespace {

constexpr Visit visits[] = {Visit::linked_list, Visit::forward_star, Visit::runs, Visit::reached_runs};

/// Particles of the paper's measurement: 61³ on a lattice, radius 3.1 spacings.
ParticleSearch paper_search(int divisions, double factor) { return {lattice(61).cloud(), {3.1, divisions, factor}}; }

std::uint64_t cubed(std::uint64_t n) { return n * n * n; }

/// Pairs by comparing all with all.
std::uint64_t pairs_by_brute_force(const Points& points, double radius, DomainShape shape) {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < points.size(); ++i)
        for (std::uint32_t j = 0; j < points.size(); ++j) {
            const Vec3d r = (1 / radius) * (points.at(j) - points.at(i));
            const Separation<double> d{r.x, r.y, r.z};
            count += shape == DomainShape::sphere ? Sphere::contains(d) : Cube::contains(d);
        }
    return count;
}

} // namespace

// Tables 1 and 2 of Murotani et al. (2015).
TEST(MpsSearch, CountsThePairsAndCandidatesOfThePaper) {
    for (const auto& [divisions, per_axis] : {std::pair{1, 543}, {2, 463}, {3, 425}}) {
        const ParticleSearch search = paper_search(divisions, 1);
        ASSERT_EQ(search.size(), 226981u);
        for (const Visit visit : {Visit::forward_star, Visit::runs}) {
            const SearchCounts counts = count_pairs(search, visit, DomainShape::sphere);
            EXPECT_EQ(counts.candidates, cubed(per_axis));
            EXPECT_EQ(counts.inside, 26382775u);
        }
        const SearchCounts cube = count_pairs(search, Visit::runs, DomainShape::cube);
        EXPECT_EQ(cube.candidates, cubed(per_axis));
        EXPECT_EQ(cube.inside, 71473375u);
    }
}

TEST(MpsSearch, LinkedListHasTheCandidatesOfThePaper) {
    ParticleSearch search = paper_search(1, 1);
    search.make_linked_list();
    const SearchCounts counts = count_pairs(search, Visit::linked_list, DomainShape::sphere);
    EXPECT_EQ(counts.candidates, 160103007u);
    EXPECT_EQ(counts.inside, 26382775u);
}

TEST(MpsSearch, WiderBucketsHaveMoreCandidatesAndTheSamePairs) {
    for (const auto& [divisions, per_axis] : {std::pair{1, 595}, {2, 497}, {3, 469}}) {
        const SearchCounts counts = count_pairs(paper_search(divisions, 1.1), Visit::runs, DomainShape::sphere);
        EXPECT_EQ(counts.candidates, cubed(per_axis));
        EXPECT_EQ(counts.inside, 26382775u);
    }
}

TEST(MpsSearch, ReachedRunsLoseNoPairAndHaveFewerCandidates) {
    const ParticleSearch search = paper_search(3, 1);
    const SearchCounts sphere = count_pairs(search, Visit::reached_runs, DomainShape::sphere);
    EXPECT_EQ(sphere.inside, 26382775u);
    EXPECT_LT(sphere.candidates, cubed(425) * 3 / 4);
    const SearchCounts cube = count_pairs(paper_search(3, 1.1), Visit::reached_runs, DomainShape::cube);
    EXPECT_EQ(cube.inside, 71473375u);
    EXPECT_LT(cube.candidates, cubed(469));
}

TEST(MpsSearch, FindsThePairsOfRandomParticles) {
    for (const unsigned seed : {1u, 2u, 3u}) {
        const Points points = random_cloud(700, {1.3, 0.7, 2.1}, seed);
        for (const int divisions : {1, 2, 3})
            for (const double factor : {1.0, 1.37}) {
                ParticleSearch search(points.cloud(), {0.26, divisions, factor});
                search.make_linked_list();
                for (const DomainShape shape : shapes)
                    for (const Visit visit : visits)
                        EXPECT_EQ(count_pairs(search, visit, shape).inside, pairs_by_brute_force(points, 0.26, shape));
            }
    }
}

TEST(MpsSearch, SortsEachParticleIntoItsBucketOnce) {
    const Points points = random_cloud(500, {1, 1, 1}, 4);
    ParticleSearch search(points.cloud(), {0.3, 2, 1.1});
    search.make_linked_list();
    EXPECT_EQ(std::set(search.order().begin(), search.order().end()).size(), 500u);
    EXPECT_EQ(search.begins().back(), 500);
    int listed = 0;
    for (int bucket = 0; bucket < search.grid().size(); ++bucket) {
        std::int32_t j = search.first_in_bucket()[bucket];
        for (std::int32_t k = search.begins()[bucket]; k < search.begins()[bucket + 1]; ++k, ++listed) {
            EXPECT_EQ(j, k);
            const BucketPlace b = bucket_of(search.grid(), {search.x()[k], search.y()[k], search.z()[k]});
            EXPECT_EQ(search.grid().number(b.x, b.y, b.z), bucket);
            EXPECT_EQ(search.phi()[k], points.phi[search.order()[k]]);
            j = search.next_in_bucket()[j];
        }
        EXPECT_EQ(j, -1);
    }
    EXPECT_EQ(listed, 500);
}

TEST(MpsSearch, OneParticleAndNoneAreClouds) {
    Points one;
    one.add({5, -3, 1e5});
    EXPECT_EQ(count_pairs({one.cloud(), {0.1, 3, 1}}, Visit::reached_runs, DomainShape::sphere).inside, 1u);
    EXPECT_EQ(count_pairs({Points{}.cloud(), {0.1, 1, 1}}, Visit::runs, DomainShape::cube).candidates, 0u);
}

TEST(MpsSearch, RefusesWhatMakesNoSense) {
    const Points points = lattice(3);
    const auto refuse = [&](const Points& p, const Reach& reach, const char* word) {
        try {
            const ParticleSearch search(p.cloud(), reach);
            FAIL() << word;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    };
    refuse(points, {0, 1, 1}, "radius");
    refuse(points, {std::numeric_limits<double>::infinity(), 1, 1}, "radius");
    refuse(points, {1, 0, 1}, "divisions");
    refuse(points, {1, 4, 1}, "divisions");
    refuse(points, {1, 1, 0.9}, "factor");
    refuse(points, {1e-6, 1, 1}, "too many buckets");
    Points lost = points;
    lost.y[4] = std::numeric_limits<double>::quiet_NaN();
    refuse(lost, {1, 1, 1}, "coordinate");
}
