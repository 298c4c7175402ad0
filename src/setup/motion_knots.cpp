// SPDX-License-Identifier: Apache-2.0
#include "setup/motion_knots.h"

#include "core/error.h"
#include "model/motion.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

constexpr int max_knots = 2'000'000;

MotionKnot plus(const MotionKnot& a, double factor, const MotionKnot& b) {
    MotionKnot sum = a;
    for (int k = 0; k < 4; ++k) sum.turning[k] += factor * b.turning[k];
    sum.translation = sum.translation + factor * b.translation;
    return sum;
}

/// The solution after one step by extrapolation of the modified midpoint rule with 2, 4, 6 and 8 substeps, of eighth
/// order (Gragg 1965; Bulirsch & Stoer 1966).
template <class Rate>
MotionKnot after_step(const MotionKnot& start, double time, double step, const Rate& rate) {
    constexpr std::array<int, 4> substeps{2, 4, 6, 8};
    std::array<MotionKnot, 4> row;
    for (std::size_t j = 0; j < substeps.size(); ++j) {
        const double h = step / substeps[j];
        MotionKnot before = start, now = plus(start, h, rate(start, time));
        for (int i = 1; i < substeps[j]; ++i) {
            const MotionKnot next = plus(before, 2 * h, rate(now, time + i * h));
            before = now;
            now = next;
        }
        const MotionKnot end = plus(before, h, rate(now, time + step));
        MotionKnot half;
        half = plus(plus({{0, 0, 0, 0}, {}}, 0.5, now), 0.5, end);
        // Neville's scheme in the squares of the substeps
        MotionKnot previous = row[0];
        row[0] = half;
        for (std::size_t k = 1; k <= j; ++k) {
            const double ratio = double(substeps[j]) / substeps[j - k];
            const MotionKnot refined = plus(row[k - 1], 1 / (ratio * ratio - 1), plus(row[k - 1], -1, previous));
            previous = row[k];
            row[k] = refined;
        }
    }
    MotionKnot result = row[3];
    double norm = 0;
    for (const double q : result.turning) norm += q * q;
    for (double& q : result.turning) q /= std::sqrt(norm);
    return result;
}

MotionKnot knot_at(const RigidMotion& place) {
    // The largest of the four squares is not less than a quarter, so no digits are lost (Shepperd 1978).
    const Vec3d* r = place.rotation;
    const std::array<double, 4> squares{1 + r[0].x + r[1].y + r[2].z, 1 + r[0].x - r[1].y - r[2].z,
                                        1 - r[0].x + r[1].y - r[2].z, 1 - r[0].x - r[1].y + r[2].z};
    const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
    const double xy = r[1].x + r[0].y, xz = r[0].z + r[2].x, yz = r[2].y + r[1].z;
    const double wx = r[2].y - r[1].z, wy = r[0].z - r[2].x, wz = r[1].x - r[0].y;
    const double rows[4][4] = {
        {squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}};
    MotionKnot knot;
    for (int k = 0; k < 4; ++k)
        knot.turning[k] = rows[largest][k] / (2 * std::sqrt(squares[static_cast<std::size_t>(largest)]));
    knot.translation = place.translation;
    return knot;
}

double distance(const MotionKnot& a, const RigidMotion& b) {
    const MotionKnot other = knot_at(b);
    double same = 0, opposite = 0; // the sign of a quaternion is free
    for (int k = 0; k < 4; ++k) {
        same = std::max(same, std::abs(a.turning[k] - other.turning[k]));
        opposite = std::max(opposite, std::abs(a.turning[k] + other.turning[k]));
    }
    const Vec3d off = a.translation - b.translation;
    const double size = std::max(1.0, norm(a.translation));
    return std::max(std::min(same, opposite), norm(off) / size);
}

/// Fills the knots of the segment with `intervals` steps; the largest error found at a quarter and at half of a step
/// (by symmetry a uniform rotation is exact at half).
double fill(Motions& motions, MotionSegment& segment, const RigidMotion& place, double end, int intervals) {
    const double step = (end - segment.start) / intervals;
    segment.knot_step = step;
    segment.knot_count = intervals + 1;
    motions.knots.resize(static_cast<std::size_t>(segment.first_knot));
    motions.knots.push_back(knot_at(place));
    std::vector<MotionKnot> between;
    const auto rate = [&](const MotionKnot& knot, double time) {
        return motion::rate_of(knot, motion::share_of(motions.view(), segment, time));
    };
    for (int i = 0; i < intervals; ++i) {
        const double time = segment.start + i * step;
        between.push_back(after_step(motions.knots.back(), time, 0.25 * step, rate));
        between.push_back(after_step(between.back(), time + 0.25 * step, 0.25 * step, rate));
        motions.knots.push_back(after_step(between.back(), time + 0.5 * step, 0.5 * step, rate));
    }
    double error = 0;
    for (std::size_t k = 0; k < between.size(); ++k) {
        const double time = segment.start + (double(k / 2) + (k % 2 ? 0.5 : 0.25)) * step;
        error = std::max(error, distance(between[k], motion::about_pivot(motions.view(), segment, time)));
    }
    return error;
}

} // namespace

void add_motion_knots(Motions& motions, MotionSegment& segment, const RigidMotion& place, double end) {
    segment.first_knot = static_cast<int>(motions.knots.size());
    for (int intervals = 8; fill(motions, segment, place, end, intervals) > motion_knot_error; intervals *= 2)
        if (segment.first_knot + 2 * intervals > max_knots)
            throw InputError(fmt::format("a rotation together with another motion takes more than {} knots: turn and "
                                         "move one after the other, or for a shorter time",
                                         max_knots));
}

} // namespace sluice
