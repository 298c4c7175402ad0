// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "methods/mps/evaluate.h"
#include "methods/mps/normalisation.h"
#include "unit/methods/mps/clouds.h"
#include <array>
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::mps;

namespace {

constexpr DifferentialOperator operators[] = {DifferentialOperator::gradient, DifferentialOperator::laplacian,
                                              DifferentialOperator::lsmps};

/// Every way to evaluate that this processor has.
std::vector<Evaluation> ways(DifferentialOperator which, DomainShape shape) {
    std::vector<Evaluation> all;
    for (const Visit visit : {Visit::linked_list, Visit::forward_star, Visit::runs, Visit::reached_runs})
        for (const Lanes lanes : {Lanes::one, Lanes::four, Lanes::eight}) {
            const bool in_runs = visit == Visit::runs || visit == Visit::reached_runs;
            if (lanes > widest_lanes() || (lanes != Lanes::one && !in_runs)) continue;
            all.push_back({which, shape, visit, lanes, 2});
        }
    return all;
}

/// All with all, one pair at a time, by the formulas of the library.
Derivatives oracle(const Points& points, double radius, const OperatorScale& scale, DifferentialOperator which,
                   DomainShape shape) {
    Derivatives result;
    with_operator_of(which, shape, [&]<class Op, class Shape>(Op, Shape) {
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            double sums[Op::sum_count]{}, out[3]{};
            double values[Op::result_count];
            for (std::uint32_t j = 0; j < points.size(); ++j) {
                const Vec3d r = (1 / radius) * (points.at(j) - points.at(i));
                if (j != i) Op::add(Separation<double>{r.x, r.y, r.z}, points.phi[j] - points.phi[i], sums);
            }
            if (!Op::finish(scale, sums, values)) result.singular.push_back(i);
            for (int c = 0; c < Op::result_count; ++c) out[c] = values[c];
            result.x.push_back(out[0]);
            result.y.push_back(out[1]);
            result.z.push_back(out[2]);
        }
    });
    return result;
}

Derivatives evaluated(const Points& points, const Reach& reach, const OperatorScale& scale, const Evaluation& e) {
    ParticleSearch search(points.cloud(), reach);
    if (e.visit == Visit::linked_list) search.make_linked_list();
    Derivatives result;
    evaluate(search, scale, e, result);
    return result;
}

/// Whether particle `i` of a lattice is at least three spacings from its faces.
bool is_interior(int i, int side) {
    for (const int place : {i % side, i / side % side, i / (side * side)})
        if (place < 3 || place > side - 4) return false;
    return true;
}

Vec3d gradient_at(const Derivatives& d, std::size_t i) { return {d.x[i], d.y[i], d.z[i]}; }

} // namespace

TEST(MpsOperators, EveryWayAgreesWithTheOracle) {
    const Points points = random_cloud(900, {1.1, 0.8, 1.4}, 11);
    const double radius = 0.25, spacing = 0.1;
    for (const DomainShape shape : shapes) {
        const OperatorScale scale = operator_scale(shape, radius, spacing, 3);
        for (const DifferentialOperator which : operators) {
            const Derivatives expected = oracle(points, radius, scale, which, shape);
            double size = 0;
            for (const double x : expected.x) size = std::max(size, std::abs(x));
            for (const int divisions : {1, 2, 3})
                for (const Evaluation& way : ways(which, shape)) {
                    const Derivatives found = evaluated(points, {radius, divisions, 1.1}, scale, way);
                    EXPECT_EQ(found.singular, expected.singular);
                    for (std::uint32_t i = 0; i < points.size(); ++i) {
                        ASSERT_NEAR(found.x[i], expected.x[i], 1e-12 * size) << i;
                        if (which == DifferentialOperator::laplacian) continue;
                        ASSERT_NEAR(found.y[i], expected.y[i], 1e-12 * size) << i;
                        ASSERT_NEAR(found.z[i], expected.z[i], 1e-12 * size) << i;
                    }
                }
        }
    }
}

// Of two particles, worked by hand: distance 0.5 radius along x, values 1 and 4.
TEST(MpsOperators, TwoParticlesGiveWhatTheEquationsSay) {
    Points two;
    two.add({0, 0, 0});
    two.add({0.5, 0, 0});
    two.phi = {1, 4};
    const OperatorScale unit{1, 1, 1, false};
    for (const DomainShape shape : shapes) { // both weights are (1 − 0.5)² here
        const auto at = [&](DifferentialOperator which) {
            return evaluated(two, {1, 1, 1}, unit, {which, shape, Visit::runs, Lanes::one, 1});
        };
        const Derivatives gradient = at(DifferentialOperator::gradient),
                          laplacian = at(DifferentialOperator::laplacian);
        EXPECT_NEAR(gradient.x[0], 0.25 * 3 * 0.5 / 0.25, 1e-15);
        EXPECT_NEAR(gradient.x[1], 0.25 * 3 * 0.5 / 0.25, 1e-15);
        EXPECT_EQ(gradient.y[0], 0);
        EXPECT_NEAR(laplacian.x[0], 0.25 * 3, 1e-15);
        EXPECT_NEAR(laplacian.x[1], -0.25 * 3, 1e-15);
    }
}

TEST(MpsOperators, InteriorOfALatticeHasExactDerivatives) {
    const int side = 9;
    const double l0 = 0.05, radius = 3.1 * l0;
    const Vec3d a{1.5, -0.7, 0.4}, middle = (l0 * (side - 1) / 2) * Vec3d{1, 1, 1};
    Points linear = lattice(side, l0), square = linear;
    linear.with([&](Vec3d p) { return 2 + dot(a, p); });
    square.with([&](Vec3d p) { return dot(p - middle, p - middle); });
    for (const DomainShape shape : shapes) {
        const OperatorScale scale = operator_scale(shape, radius, l0, 3);
        int checked = 0;
        for (const Lanes lanes : {Lanes::one, widest_lanes()}) {
            const auto of = [&](const Points& points, DifferentialOperator which) {
                return evaluated(points, {radius, 3, 1}, scale, {which, shape, Visit::runs, lanes, 1});
            };
            const Derivatives gradient = of(linear, DifferentialOperator::gradient);
            const Derivatives laplacian = of(square, DifferentialOperator::laplacian);
            for (std::uint32_t i = 0; i < linear.size(); ++i) {
                if (!is_interior(int(i), side)) continue;
                ++checked;
                EXPECT_LT(norm(gradient_at(gradient, i) - a), 1e-12);
                EXPECT_NEAR(laplacian.x[i], 6, 6e-12);
            }
        }
        EXPECT_EQ(checked, 2 * 27);
    }
}

TEST(MpsOperators, FlatLatticeHasExactDerivativesInItsPlane) {
    const double l0 = 0.05, radius = 3.1 * l0;
    Points linear = flat_lattice(11, l0), square = linear;
    linear.with([](Vec3d p) { return 3 * p.x - 2 * p.z + 7 * p.y; });
    square.with([](Vec3d p) { return p.x * p.x + p.z * p.z; });
    for (const DomainShape shape : shapes) {
        const OperatorScale scale = operator_scale(shape, radius, l0, 2);
        const auto of = [&](const Points& points, DifferentialOperator which) {
            return evaluated(points, {radius, 1, 1}, scale, {which, shape, Visit::reached_runs, Lanes::one, 1});
        };
        const Derivatives lsmps = of(linear, DifferentialOperator::lsmps);
        EXPECT_TRUE(lsmps.singular.empty());
        for (std::uint32_t i = 0; i < linear.size(); ++i) // edges, too
            EXPECT_LT(norm(gradient_at(lsmps, i) - Vec3d{3, 0, -2}), 1e-12);
        const std::uint32_t middle = 5 * 11 + 5;
        EXPECT_LT(norm(gradient_at(of(linear, DifferentialOperator::gradient), middle) - Vec3d{3, 0, -2}), 1e-12);
        EXPECT_NEAR(of(square, DifferentialOperator::laplacian).x[middle], 4, 4e-12);
    }
}

TEST(MpsOperators, LsmpsIsExactForLinearValuesOnAnyCloud) {
    const Vec3d a{-4, 0.3, 11};
    Points points = random_cloud(3000, {1, 1, 1}, 21).with([&](Vec3d p) { return 5 + dot(a, p); });
    for (const DomainShape shape : shapes)
        for (const Lanes lanes : {Lanes::one, widest_lanes()}) {
            const Derivatives found = evaluated(points, {0.25, 3, 1}, operator_scale(shape, 0.25, 0.07, 3),
                                                {DifferentialOperator::lsmps, shape, Visit::runs, lanes, 2});
            EXPECT_TRUE(found.singular.empty());
            for (std::uint32_t i = 0; i < points.size(); ++i) // walls and corners of the box, too
                ASSERT_LT(norm(gradient_at(found, i) - a), 1e-10 * norm(a)) << i;
        }
}

TEST(MpsOperators, LsmpsIsExactWhereNeighboursLieNearlyInAPlane) {
    // A sheet a thousandth of the radius thick: the moments have a condition number of about 10⁵.
    const Vec3d a{2, -1, 3};
    Points points = random_cloud(400, {1, 1, 3e-4}, 5).with([&](Vec3d p) { return dot(a, p); });
    const Derivatives found = evaluated(points, {0.3, 1, 1}, operator_scale(DomainShape::sphere, 0.3, 0.1, 3),
                                        {DifferentialOperator::lsmps, DomainShape::sphere, Visit::runs, Lanes::one, 1});
    EXPECT_TRUE(found.singular.empty());
    for (std::uint32_t i = 0; i < points.size(); ++i) ASSERT_LT(norm(gradient_at(found, i) - a), 1e-10 * 1e5);
}

TEST(MpsOperators, SingularMomentsAreReportedAndNoNumbersAreLost) {
    Points points = flat_lattice(5, 0.1); // coplanar, but not said to be flat
    points.add({10, 10, 10});             // alone
    points.with([](Vec3d p) { return p.x; });
    for (const DomainShape shape : shapes)
        for (const Lanes lanes : {Lanes::one, widest_lanes()}) {
            const Derivatives found = evaluated(points, {0.31, 1, 1}, operator_scale(shape, 0.31, 0.1, 3),
                                                {DifferentialOperator::lsmps, shape, Visit::runs, lanes, 2});
            ASSERT_EQ(found.singular.size(), points.size());
            for (std::uint32_t i = 0; i < points.size(); ++i) {
                EXPECT_EQ(found.singular[i], i);
                EXPECT_EQ(gradient_at(found, i), (Vec3d{0, 0, 0}));
            }
        }
}

TEST(MpsOperators, ParticlesAtOnePlaceAddNothingToEachOther) {
    Points points;
    for (int copy = 0; copy < 2; ++copy) points.add({0.2, 0.2, 0.2});
    points.phi = {1, 1e6};
    for (const DomainShape shape : shapes)
        for (const Lanes lanes : {Lanes::one, widest_lanes()}) {
            const Derivatives found = evaluated(points, {0.31, 1, 1}, {1, 1, 1, false},
                                                {DifferentialOperator::gradient, shape, Visit::runs, lanes, 1});
            EXPECT_EQ(gradient_at(found, 0), (Vec3d{0, 0, 0}));
        }
}

TEST(MpsOperators, ThreadsDoNotChangeABit) {
    const Points points = random_cloud(2000, {1, 1, 1}, 3);
    const OperatorScale scale = operator_scale(DomainShape::cube, 0.2, 0.08, 3);
    Evaluation e{DifferentialOperator::lsmps, DomainShape::cube, Visit::runs, widest_lanes(), 1};
    const Derivatives one = evaluated(points, {0.2, 2, 1}, scale, e);
    e.threads = 5;
    const Derivatives five = evaluated(points, {0.2, 2, 1}, scale, e);
    EXPECT_EQ(one.x, five.x);
    EXPECT_EQ(one.z, five.z);
}

TEST(MpsOperators, OtherValuesNeedNoOtherSearch) {
    Points points = random_cloud(300, {1, 1, 1}, 8);
    const OperatorScale scale = operator_scale(DomainShape::sphere, 0.3, 0.1, 3);
    const Evaluation e{DifferentialOperator::laplacian, DomainShape::sphere, Visit::runs, Lanes::one, 1};
    ParticleSearch search(points.cloud(), {0.3, 1, 1});
    points.with([](Vec3d p) { return p.z * p.x; });
    search.set_values(points.phi);
    Derivatives found;
    evaluate(search, scale, e, found);
    EXPECT_EQ(found.x, evaluated(points, {0.3, 1, 1}, scale, e).x);
}

TEST(MpsOperators, RefusesWhatItCannotDo) {
    const Points points = lattice(3);
    const ParticleSearch search(points.cloud(), {1.1, 1, 1});
    Derivatives result;
    const auto refuse = [&](const Evaluation& e, const char* word) {
        try {
            evaluate(search, {}, e, result);
            FAIL() << word;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    };
    refuse({DifferentialOperator::lsmps, DomainShape::cube, Visit::runs, Lanes::one, 0}, "threads");
    refuse({DifferentialOperator::lsmps, DomainShape::cube, Visit::linked_list, Lanes::one, 1}, "no linked list");
    refuse({DifferentialOperator::lsmps, DomainShape::cube, Visit::forward_star, Lanes::four, 1}, "only runs");
}
