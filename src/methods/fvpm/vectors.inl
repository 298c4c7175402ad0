// SPDX-License-Identifier: Apache-2.0
// The loops over caps and arcs, compiled once for each instruction set; the loops over caps are vectorised.
#include "methods/fvpm/vectors.h"
#include "physics/fvpm/caps.h"

namespace sluice::fvpm {
inline namespace SLUICE_ISA {

/// Values of all caps of a particle. Lanes beyond the last are padding.
struct alignas(64) CapValues {
    double v[most_neighbours + 8];
    double& operator[](int i) { return v[i]; }
    const double& operator[](int i) const { return v[i]; }
};

/// Arrays of the caps of one particle and of their arcs on one circle.
struct CapArrays {
    int caps = 0;
    CapValues x, y, z, offset;
    CapValues cos_from, sin_from, from, cos_to, sin_to, to, part, whole; ///< on one circle, by cap
};

/// The caps that cover part of one circle, and the sums of their arcs.
struct PartArrays {
    int count = 0;
    int cap[most_neighbours];
    CapValues cos_from, sin_from, from, cos_to, sin_to, to, number;
    CapValues inside;             ///< at one point: 1 or 0
    CapValues cosine, sine, turn; ///< ArcSums
};

inline void find_arcs(const Circle<double>& circle, int own, CapArrays& a) {
#pragma omp simd
    for (int m = 0; m < a.caps; ++m) {
        const CoveredArc<double> arc = arc_covered<double>(circle, Cap<double>{{a.x[m], a.y[m], a.z[m]}, a.offset[m]});
        a.cos_from[m] = arc.cos_from;
        a.sin_from[m] = arc.sin_from;
        a.from[m] = arc.from;
        a.cos_to[m] = arc.cos_to;
        a.sin_to[m] = arc.sin_to;
        a.to[m] = arc.to;
        a.part[m] = arc.part ? 1.0 : 0.0;
        a.whole[m] = arc.whole ? 1.0 : 0.0;
    }
    if (own >= 0) a.part[own] = a.whole[own] = 0;
}

inline void collect_parts(const CapArrays& a, PartArrays& p) {
    p.count = 0;
    for (int m = 0; m < a.caps; ++m) {
        if (a.part[m] == 0) continue;
        const int k = p.count++;
        p.cap[k] = m;
        p.cos_from[k] = a.cos_from[m];
        p.sin_from[k] = a.sin_from[m];
        p.from[k] = a.from[m];
        p.cos_to[k] = a.cos_to[m];
        p.sin_to[k] = a.sin_to[m];
        p.to[k] = a.to[m];
    }
    const int padded = (p.count + 7) / 8 * 8;
    for (int k = p.count; k < padded; ++k) p.from[k] = p.to[k] = 10; // no point is behind
    for (int k = 0; k < padded; ++k) {
        p.number[k] = k;
        p.cosine[k] = p.sine[k] = p.turn[k] = 0;
    }
}

/// How many parts cover the angle beside part `own`; `p.inside` says which.
inline double count_inside(double angle, int own, PartArrays& p) {
    const double number = own;
    const int padded = (p.count + 7) / 8 * 8;
    double count = 0;
#pragma omp simd reduction(+ : count)
    for (int k = 0; k < padded; ++k) {
        const double is_other = p.number[k] != number ? 1.0 : 0.0; // no branch: lanes compute both
        p.inside[k] = within(angle, number, p.from[k], p.to[k], p.number[k]) ? is_other : 0.0;
        count += p.inside[k];
    }
    return count;
}

inline void add_to_covering(double weight, double cosine, double sine, double angle, PartArrays& p) {
    const int padded = (p.count + 7) / 8 * 8;
#pragma omp simd
    for (int k = 0; k < padded; ++k) {
        const double share = p.inside[k] * weight;
        p.cosine[k] += share * cosine;
        p.sine[k] += share * sine;
        p.turn[k] += share * angle;
    }
}

/// What one circle adds: `add(m, sums)` for each cap that covers of it; returns the sums of the circle's own cap,
/// `own`.
template <class Weights, class Add>
ArcSums<double> sum_arcs(const Circle<double>& circle, int own, CapArrays& a, PartArrays& p, Add add) {
    constexpr double full_turn = 2 * 3.14159265358979323846;
    find_arcs(circle, own, a);
    collect_parts(a, p);
    double covers = 0;
    for (int m = 0; m < a.caps; ++m) covers += a.whole[m];

    ArcSums<double> of_whole, of_circle;
    for (int k = 0; k < p.count; ++k)
        for (const bool begin : {true, false}) {
            const double angle = begin ? p.from[k] : p.to[k];
            const double cosine = begin ? p.cos_from[k] : p.cos_to[k], sine = begin ? p.sin_from[k] : p.sin_to[k];
            const WeightJumps<double> jump = Weights::at(covers + count_inside(angle, k, p));
            const double sign = begin ? 1 : -1;
            add_to_covering(sign * jump.of_others, cosine, sine, angle, p);
            const double of_own = sign * jump.of_own, others = sign * jump.of_others, circles = sign * jump.of_circle;
            p.cosine[k] += of_own * cosine;
            p.sine[k] += of_own * sine;
            p.turn[k] += of_own * angle;
            of_whole.cosine += others * cosine;
            of_whole.sine += others * sine;
            of_whole.angle += others * angle;
            of_circle.cosine += circles * cosine;
            of_circle.sine += circles * sine;
            of_circle.angle += circles * angle;
        }

    // the arcs through the angle π, at which angles begin again
    double at_cut = covers;
    for (int k = 0; k < p.count; ++k) at_cut += p.from[k] > p.to[k];
    const double cut_weight = at_cut > 0 ? full_turn * Weights::of_cover(at_cut) : 0;
    of_whole.angle += cut_weight;
    of_circle.angle += full_turn * Weights::of_circle(at_cut);
    for (int k = 0; k < p.count; ++k) {
        if (p.from[k] > p.to[k]) p.turn[k] += cut_weight;
        add(p.cap[k], ArcSums<double>{p.cosine[k], p.sine[k], p.turn[k]});
    }
    if (covers > 0)
        for (int m = 0; m < a.caps; ++m)
            if (a.whole[m] != 0) add(m, of_whole);
    return of_circle;
}

inline void find_vectors(std::size_t i, const Surroundings& around, int dimensions, Vec3d* vectors) {
    thread_local CapArrays a;
    thread_local PartArrays p;
    const double h = around.radius[i];
    a.caps = static_cast<int>(around.neighbours.size());
    for (int m = 0; m < a.caps; ++m) {
        const std::uint32_t j = around.neighbours[static_cast<std::size_t>(m)];
        const Cap<double> cap = cap_of(around.position[j] - around.position[i], h, around.radius[j]);
        a.x[m] = cap.axis.x;
        a.y[m] = cap.axis.y;
        a.z[m] = cap.axis.z;
        a.offset[m] = cap.offset;
        vectors[m] = {};
    }
    if (dimensions == 2) {
        const Circle<double> circle = planar_circle<double>();
        sum_arcs<PlanarWeights>(circle, -1, a, p,
                                [&](int m, const ArcSums<double>& sums) { vectors[m] = h * arc_length(circle, sums); });
        return;
    }
    for (int k = 0; k < a.caps; ++k) {
        if (std::abs(a.offset[k]) >= 1) continue; // no circle
        const Circle<double> circle = circle_of(Cap<double>{{a.x[k], a.y[k], a.z[k]}, a.offset[k]});
        const ArcSums<double> own = sum_arcs<SphereWeights>(circle, k, a, p, [&](int m, const ArcSums<double>& sums) {
            vectors[m] = vectors[m] + h * h * arc_area(circle, sums);
        });
        vectors[k] = vectors[k] + h * h * arc_area(circle, own);
    }
}

} // namespace SLUICE_ISA
} // namespace sluice::fvpm
