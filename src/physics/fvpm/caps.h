// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "physics/fvpm/angle.h"
#include "physics/math.h"

// The geometry of the interaction vectors. The support of a particle is a sphere (in 2-D a circle), and a neighbour's
// support cuts a cap from its surface. Lengths are in units of the particle's own radius.
//
// The surface of particle i is divided into regions that the same number n of neighbours covers. With the area vectors
// S_e of the regions, pointing outwards,
//     A_ij = Σ S_e / (n (n + 1))   over the regions that j covers,
// which is −Γ_ji of Eq. 20 of Alimirzazadeh et al. (2018): σ⁺ = n outside and σ⁻ = n + 1 inside. Then Δ_ij = A_ij −
// A_ji.
//
// An area vector is ½∮ r × dr over the region's border, which consists of arcs of the circles in which the surfaces of
// neighbours cut this one. So A_ij is a sum over arcs. With f(n) = 1/(n(n+1)), an arc of circle k that n other caps
// cover has weight f(n+1) for k itself and f(n+1) − f(n) for each of the n others: beyond the circle n cover, within it
// n + 1.

namespace sluice::fvpm {
inline namespace SLUICE_ISA {

/// The cap that a neighbour cuts from the unit sphere (or circle): the points p with p·axis > offset.
template <class T>
struct Cap {
    Vec3<T> axis; ///< unit vector towards the neighbour
    T offset;     ///< of the plane of the circle; ≥ 1: there is no cap, ≤ −1: the cap is all
};

/// The cap for a neighbour at `separation` = x_j − x_i (not 0) with radii h_i and h_j.
template <class T>
SLUICE_INLINE Cap<T> cap_of(Vec3<T> separation, T h_i, T h_j) {
    const T square = dot(separation, separation);
    const T distance = sph::square_root(square);
    // (h_i − h_j)(h_i + h_j) has no error for equal radii
    return {(1 / distance) * separation, (square + (h_i - h_j) * (h_i + h_j)) / (2 * distance * h_i)};
}

/// A circle on the unit sphere: centre offset·axis, radius, and two unit vectors that complete the axis to a frame.
template <class T>
struct Circle {
    Vec3<T> axis, u, v; ///< u × v = axis
    T offset, radius, inverse_radius;
};

/// The circle around a cap, 1 − |offset| > 0. The frame is that of Duff et al. (2017), which has no branch.
template <class T>
SLUICE_INLINE Circle<T> circle_of(const Cap<T>& cap) {
    const Vec3<T> e = cap.axis;
    const T sign = e.z < 0 ? T(-1) : T(1);
    const T a = -1 / (sign + e.z), b = e.x * e.y * a;
    const T radius = sph::square_root((1 - cap.offset) * (1 + cap.offset));
    return {e,
            {1 + sign * e.x * e.x * a, sign * b, -sign * e.x},
            {b, sign + e.y * e.y * a, -e.y},
            cap.offset,
            radius,
            1 / radius};
}

/// The unit circle of the plane x–z, which is the border of a particle in 2-D.
template <class T>
SLUICE_INLINE Circle<T> planar_circle() {
    return {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}, 0, 1, 1}; // x × z = −y
}

/// The part of a circle that a cap covers.
template <class T>
struct CoveredArc {
    T cos_from, sin_from, from; ///< where it begins, anticlockwise around the axis; `from` is the angle in [−π, π]
    T cos_to, sin_to, to;       ///< where it ends
    bool part, whole;           ///< whether the cap covers a part of the circle, or all of it
};

/// A cap and a circle of which less than this share (squared sine of half the angle) is covered or free do not meet:
/// rounding errors of an arc grow with the inverse of its length, and what is left out falls with its third power. In a
/// lattice many circles touch exactly.
inline constexpr double least_arc = 1e-8;

template <class T>
SLUICE_INLINE CoveredArc<T> arc_covered(const Circle<T>& circle, const Cap<T>& cap) {
    const T x = dot(cap.axis, circle.u), z = dot(cap.axis, circle.v), along = dot(cap.axis, circle.axis);
    const T c = (cap.offset - circle.offset * along) * circle.inverse_radius;
    const T r2 = x * x + z * z;
    const T rest = r2 - c * c;
    CoveredArc<T> arc;
    arc.part = rest > T(least_arc) * r2;
    arc.whole = !arc.part && c < 0;
    const T root = sph::square_root(arc.part ? rest : T(1)), inverse = 1 / (arc.part ? r2 : T(1));
    arc.cos_from = (x * c + z * root) * inverse;
    arc.sin_from = (z * c - x * root) * inverse;
    arc.cos_to = (x * c - z * root) * inverse;
    arc.sin_to = (z * c + x * root) * inverse;
    arc.from = angle_of(arc.sin_from, arc.cos_from);
    arc.to = angle_of(arc.sin_to, arc.cos_to);
    return arc;
}

/// Whether a point of a circle, given by its angle and the number of the cap that it belongs to, is within a covered
/// arc. Points at one angle have the order of their numbers, so that all caps see the same order.
template <class T, class Number>
SLUICE_INLINE bool within(T angle, Number number, T from, T to, Number cap) {
    const bool later = number > cap;
    const bool behind_from = (angle > from) | ((angle == from) & later);
    const bool behind_to = (angle > to) | ((angle == to) & later);
    return from > to ? behind_from | !behind_to : behind_from & !behind_to;
}

/// The weight f(n) of a region that n neighbours cover, n ≥ 1.
template <class T>
SLUICE_INLINE T region_weight(T n) {
    return 1 / (n * (n + 1));
}

/// The sum of ∫ weight·(cos, sin, 1) dφ over arcs of a circle, as differences at the ends of the arcs: of sin φ, −cos φ
/// and φ.
template <class T>
struct ArcSums {
    T cosine{}, sine{}, angle{}; ///< Σ jump·cos φ, Σ jump·sin φ, Σ jump·φ over the ends
};

/// The area vector that arcs contribute: ½∮ r × dr with r = offset·axis + radius·w(φ), w = u cos φ + v sin φ.
template <class T>
SLUICE_INLINE Vec3<T> arc_area(const Circle<T>& c, const ArcSums<T>& sums) {
    return (c.radius / 2) * (c.offset * (sums.cosine * c.v - sums.sine * c.u) + c.radius * sums.angle * c.axis);
}

/// The vector of the length of arcs of the planar circle: ∫ n ds.
template <class T>
SLUICE_INLINE Vec3<T> arc_length(const Circle<T>& c, const ArcSums<T>& sums) {
    return sums.sine * c.u - sums.cosine * c.v;
}

/// How the weights of arcs change at a point where one more cap begins to cover the circle, beside n others.
/// `of_others`: for each of the caps that cover the point; `of_own`: for the cap itself, whose arc begins here;
/// `of_circle`: for the cap to which the circle belongs. In 2-D the weights are those of the regions themselves.
template <class T>
struct WeightJumps {
    T of_others, of_own, of_circle;
};

/// Weights on a circle that cuts a sphere, g(n) = f(n+1) − f(n) and f(n+1).
struct SphereWeights {
    template <class T>
    SLUICE_INLINE static T of_cover(T n) { ///< for each of the n caps that cover an arc
        return -2 / (n * (n + 1) * (n + 2));
    }
    template <class T>
    SLUICE_INLINE static T of_circle(T n) { ///< for the circle's own cap
        return 1 / ((n + 1) * (n + 2));
    }
    template <class T>
    SLUICE_INLINE static WeightJumps<T> at(T n) {
        const T inverse = 1 / ((n + 1) * (n + 2) * (n + 3));
        return {n > 0 ? -6 * inverse / n : T(0), 2 * inverse, 2 * inverse};
    }
};

/// Weights on the border of a planar particle: those of its regions.
struct PlanarWeights {
    template <class T>
    SLUICE_INLINE static T of_cover(T n) {
        return region_weight(n);
    }
    template <class T>
    SLUICE_INLINE static T of_circle(T) {
        return 0;
    }
    template <class T>
    SLUICE_INLINE static WeightJumps<T> at(T n) {
        const T inverse = 1 / ((n + 1) * (n + 2));
        return {n > 0 ? 2 * inverse / n : T(0), -inverse, T(0)};
    }
};

} // namespace SLUICE_ISA
} // namespace sluice::fvpm
