// SPDX-License-Identifier: Apache-2.0
#include "model/motion.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;

namespace {

double length(const Vec3d& v) { return std::sqrt(dot(v, v)); }

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    EXPECT_LT(length(a - b), tolerance) << a.x << " " << a.y << " " << a.z << " instead of " << b.x << " " << b.y << " "
                                        << b.z;
}

/// The velocity field against central differences of the places of a few points.
void expect_velocity_is_derivative(const Motions& motions, int object, double time, double tolerance = 1e-7) {
    const double d = 1e-6;
    const RigidMotion before = motion_at(motions.view(), object, time - d),
                      now = motion_at(motions.view(), object, time),
                      after = motion_at(motions.view(), object, time + d);
    for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0.2, -0.4}, Vec3d{-0.3, 2, 0.7}})
        expect_near(now.velocity_at(now.position_of(p)), (1 / (2 * d)) * (after.position_of(p) - before.position_of(p)),
                    tolerance);
}

/// One object that one piece moves from the start.
Motions moved_by(const MotionPiece& piece, MotionPath path, const Vec3d& pivot = {}) {
    Motions motions;
    MotionSegment segment;
    segment.path = path;
    segment.piece_count = 1;
    motions.objects = {{pivot, -1, 0, 1}};
    motions.segments = {segment};
    motions.pieces = {piece};
    return motions;
}

MotionPiece accelerated_turn() {
    MotionPiece piece;
    piece.kind = MotionKind::rotation;
    piece.axis = {0, 1, 0};
    piece.rate.x = 2;
    piece.acceleration.x = -3;
    return piece;
}

} // namespace

TEST(Motion, TranslationFollowsItsLaw) {
    MotionPiece piece;
    piece.start = 0.5;
    piece.rate = {1, 0, -2};
    piece.acceleration = {0, 4, 1};
    const Motions motions = moved_by(piece, MotionPath::translations);
    const RigidMotion m = motion_at(motions.view(), 0, 1.5);
    expect_near(m.position_of({7, 8, 9}), {8, 10, 7.5}, 1e-14);
    expect_near(m.velocity_at({7, 8, 9}), {1, 4, -1}, 1e-14);
    expect_velocity_is_derivative(motions, 0, 1.7);
}

TEST(Motion, SinusoidBeginsAtItsPhaseWithoutAJump) {
    MotionPiece piece;
    piece.law = MotionLaw::sinusoid;
    piece.amplitude = {0.25, 0, 0.1};
    piece.frequency = {3, 0, 5};
    piece.phase = {0.4, 0, 1};
    const Motions motions = moved_by(piece, MotionPath::translations);
    expect_near(motion_at(motions.view(), 0, 0).position_of({1, 2, 3}), {1, 2, 3}, 1e-15);
    expect_near(motion_at(motions.view(), 0, 0.7).translation,
                {0.25 * (std::sin(0.4 + 2.1) - std::sin(0.4)), 0, 0.1 * (std::sin(1 + 3.5) - std::sin(1.0))}, 1e-15);
    expect_velocity_is_derivative(motions, 0, 0.7);
}

TEST(Motion, RotationIsRightHandedAboutItsAxisAndPivot) {
    MotionPiece piece;
    piece.kind = MotionKind::rotation;
    piece.rate.x = std::numbers::pi;
    const Vec3d pivot{1, 1, 0};
    const Motions motions = moved_by(piece, MotionPath::rotation, pivot);
    const RigidMotion quarter = motion_at(motions.view(), 0, 0.5);
    expect_near(quarter.position_of({2, 1, 5}), {1, 2, 5}, 1e-14);
    expect_near(quarter.velocity_at({1, 2, 5}), {-std::numbers::pi, 0, 0}, 1e-14);
    expect_velocity_is_derivative(motions, 0, 0.3);
    expect_velocity_is_derivative(moved_by(accelerated_turn(), MotionPath::rotation, pivot), 0, 0.9);
}

TEST(Motion, CirclingDoesNotTurn) {
    MotionPiece piece;
    piece.kind = MotionKind::circling;
    piece.rate.x = std::numbers::pi;
    piece.arm = {2, 0, 0};
    const Motions motions = moved_by(piece, MotionPath::translations);
    const RigidMotion quarter = motion_at(motions.view(), 0, 0.5);
    expect_near(quarter.position_of({0, 0, 0}), {-2, 2, 0}, 1e-14);
    expect_near(quarter.position_of({1, 0, 0}), {-1, 2, 0}, 1e-14);
    expect_velocity_is_derivative(motions, 0, 0.3);
}

TEST(Motion, SeriesIsLinearBetweenSamplesAndHeldAfterThem) {
    MotionPiece piece;
    piece.law = MotionLaw::series;
    piece.start = 1;
    piece.sample_count = 3;
    Motions motions = moved_by(piece, MotionPath::translations);
    motions.samples = {{0, {}, {}}, {0.5, {1, 0, 2}, {}}, {2, {1, 0, -1}, {}}};
    const auto place = [&](double t) { return motion_at(motions.view(), 0, t).translation; };
    expect_near(place(0.5), {}, 1e-15);
    expect_near(place(1.25), {0.5, 0, 1}, 1e-15);
    expect_near(place(2), {1, 0, 1}, 1e-15);
    expect_near(place(9), {1, 0, -1}, 1e-15);
    expect_near(motion_at(motions.view(), 0, 1.25).velocity, {2, 0, 4}, 1e-15);
    expect_near(motion_at(motions.view(), 0, 1.5).velocity, {0, 0, -2}, 1e-15);
    expect_near(motion_at(motions.view(), 0, 9).velocity, {}, 1e-15);
}

TEST(Motion, SegmentBeginsWhereTheOneBeforeEnded) {
    Motions motions = moved_by(accelerated_turn(), MotionPath::rotation);
    MotionSegment rest;
    rest.start = 1;
    rest.first_piece = 1;
    for (int row = 0; row < 3; ++row) rest.rotation[row] = motion_at(motions.view(), 0, 1).rotation[row];
    motions.segments.push_back(rest);
    motions.objects[0].segment_count = 2;
    expect_near(motion_at(motions.view(), 0, 5).position_of({1, 0, 0}), {std::cos(0.5), 0, -std::sin(0.5)}, 1e-15);
    expect_near(motion_at(motions.view(), 0, 5).velocity_at({1, 0, 0}), {}, 1e-15);
    expect_velocity_is_derivative(motions, 0, 0.5);
}

TEST(Motion, CarriedObjectMovesWithItsParent) {
    Motions motions = moved_by(accelerated_turn(), MotionPath::rotation, {0.5, 0, 0.25});
    MotionPiece slide;
    slide.rate = {0, 0, 1.5};
    motions.pieces.push_back(slide);
    MotionSegment segment;
    segment.first_piece = segment.piece_count = 1;
    motions.segments.push_back(segment);
    motions.objects.push_back({{}, 0, 1, 1});
    const Vec3d p{1, 2, 3};
    const RigidMotion parent = motion_at(motions.view(), 0, 0.8), child = motion_at(motions.view(), 1, 0.8);
    expect_near(child.position_of(p), parent.position_of(p + Vec3d{0, 0, 1.2}), 1e-14);
    expect_velocity_is_derivative(motions, 1, 0.8);
}

TEST(Motion, IsTheSameSeenFromAnotherOrigin) {
    const Motions motions = moved_by(accelerated_turn(), MotionPath::rotation, {0.5, 0, 0.25});
    const Vec3d origin{64, -32, 16}, p{1, 2, 3};
    const Motions seen = relative_to(motions, origin);
    const RigidMotion a = motion_at(motions.view(), 0, 0.8), b = motion_at(seen.view(), 0, 0.8);
    expect_near(b.position_of(p - origin), a.position_of(p) - origin, 1e-13);
    expect_near(b.velocity_at(p - origin), a.velocity_at(p), 1e-13);
}

TEST(Motion, APistonThatAbsorbsWavesIsWhereItsAbsorptionPutsIt) {
    MotionPiece piece;
    piece.rate = {1, 0, 0};
    Motions motions = moved_by(piece, MotionPath::translations);
    AbsorberState states[2];
    states[1].time = 2;
    states[1].offset = -0.25;
    states[1].velocity = 0.5;
    MotionView view = motions.view();
    view.absorbers = states;
    expect_near(motion_at(view, 0, 3).position_of({7, 8, 9}), {10, 8, 9}, 1e-14);
    motions.objects[0].absorber = 1;
    view = motions.view();
    expect_near(motion_at(view, 0, 3).position_of({7, 8, 9}), {10, 8, 9}, 1e-14); // nothing is absorbed
    view.absorbers = states;
    expect_near(motion_at(view, 0, 3).position_of({7, 8, 9}), {10.25, 8, 9}, 1e-14);
    expect_near(motion_at(view, 0, 3).velocity_at({7, 8, 9}), {1.5, 0, 0}, 1e-14);
    expect_near(motion_at(view, 0, 2).position_of({7, 8, 9}), {8.75, 8, 9}, 1e-14);
}
