// SPDX-License-Identifier: Apache-2.0
#include "colliding_rig.h"
#include "physics/collision/contact_law.h"

#include <gtest/gtest.h>

// What surfaces become, how far points are from them, and which coefficients two of them have.

using namespace sluice;
using namespace sluice::test;

namespace {

CollisionShape shape_of(const std::vector<Facet>& facets, Collisions& all) {
    add_collider(all, {}, facets, 0.02, 0.05);
    return all.shapes.back();
}

} // namespace

TEST(CollisionSurfaces, BallsAndBlocksAreRecognised) {
    Collisions all;
    const CollisionShape ball = shape_of(ball_facets({1, 2, 3}, 0.5, 96), all);
    EXPECT_EQ(ball.form, CollisionForm::ball);
    EXPECT_NEAR(ball.reach, 0.5, 1e-9);
    EXPECT_NEAR(norm(ball.centre - Vec3d{1, 2, 3}), 0, 1e-9);
    EXPECT_EQ(ball.point_count, 1);
    const CollisionShape block = shape_of(box_surface({1, 2, 3}, {1, 0.6, 0.4}, 0.3), all);
    EXPECT_EQ(block.form, CollisionForm::block);
    EXPECT_NEAR(block.half.x * block.half.y * block.half.z, 0.5 * 0.3 * 0.2, 1e-9);
    EXPECT_EQ(block.point_count, 8);
    EXPECT_EQ(block.edge_count, 12);
    std::vector<Facet> open = box_surface({}, {1, 1, 1});
    open.resize(10);
    EXPECT_EQ(shape_of(open, all).form, CollisionForm::mesh);
    EXPECT_FALSE(all.shapes.back().closed);
    EXPECT_EQ(all.shapes.back().rounding, 0);
}

// The points of a block lie inside by its rounding on each side: balls of that radius about them touch the faces.
TEST(CollisionSurfaces, CornersLieInsideByTheRounding) {
    Collisions all;
    const CollisionShape block = shape_of(box_surface({}, {1, 0.6, 0.4}), all);
    EXPECT_NEAR(block.rounding, 0.02, 1e-15);
    for (int k = 0; k < block.point_count; ++k) {
        const Vec3d p = all.points[std::size_t(block.first_point + k)];
        EXPECT_NEAR(std::fabs(p.x), 0.48, 1e-9);
        EXPECT_NEAR(std::fabs(p.y), 0.28, 1e-9);
        EXPECT_NEAR(std::fabs(p.z), 0.18, 1e-9);
    }
    EXPECT_NEAR(shape_of(box_surface({}, {1, 0.6, 0.05}), all).rounding, 0.005, 1e-12); // a tenth of what is thin
}

TEST(CollisionSurfaces, PiecesAreShapesOfTheirOwn) {
    Collisions all;
    std::vector<Facet> two = box_surface({}, {1, 1, 1});
    for (const Facet& f : box_surface({3, 0, 0}, {1, 1, 1})) two.push_back(f);
    add_collider(all, {}, two, 0.02, 0.05);
    EXPECT_EQ(all.colliders[0].shape_count, 2);
}

// A mesh with the corners of a block has its distances, with the sign of the side.
TEST(CollisionSurfaces, DistancesOfMeshAndBlockAgree) {
    Collisions all;
    shape_of(box_surface({0.1, 0.2, 0.3}, {1, 0.6, 0.4}), all);
    all.shapes.push_back(all.shapes[0]);
    CollisionShape& mesh = all.shapes.back();
    mesh.form = CollisionForm::mesh;
    mesh.first_facet = static_cast<int>(all.facets.size());
    for (const Facet& f : box_surface({0.1, 0.2, 0.3}, {1, 0.6, 0.4})) all.facets.push_back(f);
    mesh.facet_count = 12;
    const collision::Surfaces surfaces(all);
    for (int n = 0; n < 200; ++n) {
        const Vec3d p{0.1 + 0.7 * std::sin(1.7 * n), 0.2 + 0.5 * std::sin(2.3 * n + 1), 0.3 + 0.4 * std::sin(3.1 * n)};
        const auto a = surfaces.distance(0, p, 10, p), b = surfaces.distance(1, p, 10, p);
        ASSERT_TRUE(a && b);
        EXPECT_NEAR(a->distance, b->distance, 1e-12);
        if (a->distance > 0) {
            EXPECT_LT(norm(a->normal - b->normal), 1e-9);
        }
    }
    EXPECT_FALSE(surfaces.distance(0, {3, 0, 0}, 1, {}).has_value());
    EXPECT_FALSE(surfaces.distance(1, {3, 0, 0}, 1, {}).has_value());
}

// The free side of a sheet is that of the body that a point belongs to.
TEST(CollisionSurfaces, ASheetHasASideForEveryBody) {
    Collisions all;
    shape_of({{Vec3d{-1, -1, 0}, Vec3d{1, -1, 0}, Vec3d{1, 1, 0}}, {Vec3d{-1, -1, 0}, Vec3d{1, 1, 0}, Vec3d{-1, 1, 0}}},
             all);
    const collision::Surfaces surfaces(all);
    for (const double side : {1.0, -1.0}) {
        const auto near = surfaces.distance(0, {0.3, 0.1, -0.02 * side}, 1, {0.3, 0.1, 0.5 * side});
        ASSERT_TRUE(near);
        EXPECT_NEAR(near->distance, -0.02, 1e-15);
        EXPECT_NEAR(near->normal.z, side, 1e-15);
        EXPECT_NEAR(surfaces.distance(0, {0.3, 0.1, 0.02 * side}, 1, {0, 0, 0.5 * side})->distance, 0.02, 1e-15);
    }
}

TEST(CollisionSurfaces, TwoMaterialsHaveTheSmallerCoefficients) {
    const CollisionMaterial wood{0.6, 0.4, 0.5, false}, steel{0.8, 0.3, 0.3, false};
    EXPECT_EQ(collision::pair_of(wood, steel), (CollisionMaterial{0.6, 0.3, 0.3, false}));
    CollisionMaterial rough = wood;
    rough.imposes_friction = true;
    EXPECT_EQ(collision::pair_of(steel, rough), (CollisionMaterial{0.6, 0.4, 0.5, false}));
    EXPECT_EQ(collision::pair_of(rough, steel), (CollisionMaterial{0.6, 0.4, 0.5, false}));
    CollisionMaterial rougher{0.9, 0.7, 0.8, true};
    EXPECT_EQ(collision::pair_of(rough, rougher).friction, 0.7);
}

TEST(CollisionSurfaces, AGapClosesWhenItsParabolaIsZero) {
    EXPECT_NEAR(collision::closing_time(0.5, 0, -10, 1), std::sqrt(0.1), 1e-15);
    EXPECT_NEAR(collision::closing_time(0.5, -1, 0, 1), 0.5, 1e-15);
    EXPECT_EQ(collision::closing_time(0.5, -1, 0, 0.4), -1);
    EXPECT_EQ(collision::closing_time(0.5, -1, 2, 1), -1); // it turns back before
    EXPECT_EQ(collision::closing_time(-0.1, 5, 0, 1), 0);
}
