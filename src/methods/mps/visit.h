// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/bucket_grid.h"
#include "methods/mps/choices.h"
#include <cmath>
#include <cstdint>

// The ways to visit the candidates of a particle: one template each, over structures that lie in host or device memory.

namespace sluice::mps {

/// The structures of a search, wherever they lie.
struct SearchView {
    BucketGrid grid;
    const std::int32_t *begins, *first_in_bucket, *next_in_bucket;
};

inline namespace SLUICE_ISA {

/// The bucket of a particle.
struct BucketPlace {
    int x, y, z;
};

SLUICE_INLINE BucketPlace bucket_of(const BucketGrid& grid, const Separation<double>& place) {
    return {grid.coordinate(place.x), grid.coordinate(place.y), grid.coordinate(place.z)};
}

/// Calls visit(begin, end) for ranges of sorted particles that together hold all candidates of a particle at `place`.
struct LinkedListVisit {
    template <class Shape, class F>
    SLUICE_INLINE static void candidates(const SearchView& s, const Separation<double>& place, F&& visit) {
        const BucketPlace b = bucket_of(s.grid, place);
        const int n = s.grid.reach;
        for (int z = b.z - n; z <= b.z + n; ++z)
            for (int y = b.y - n; y <= b.y + n; ++y)
                for (int x = b.x - n; x <= b.x + n; ++x)
                    for (std::int32_t j = s.first_in_bucket[s.grid.number(x, y, z)]; j >= 0; j = s.next_in_bucket[j])
                        visit(j, j + 1);
    }
};

/// As LinkedListVisit.
struct ForwardStarVisit {
    template <class Shape, class F>
    SLUICE_INLINE static void candidates(const SearchView& s, const Separation<double>& place, F&& visit) {
        const BucketPlace b = bucket_of(s.grid, place);
        const int n = s.grid.reach;
        for (int z = b.z - n; z <= b.z + n; ++z)
            for (int y = b.y - n; y <= b.y + n; ++y)
                for (int x = b.x - n; x <= b.x + n; ++x) {
                    const int bucket = s.grid.number(x, y, z);
                    visit(s.begins[bucket], s.begins[bucket + 1]);
                }
    }
};

/// As LinkedListVisit.
struct RunVisit {
    template <class Shape, class F>
    SLUICE_INLINE static void candidates(const SearchView& s, const Separation<double>& place, F&& visit) {
        const BucketPlace b = bucket_of(s.grid, place);
        const int n = s.grid.reach;
        for (int z = b.z - n; z <= b.z + n; ++z)
            for (int y = b.y - n; y <= b.y + n; ++y) {
                const int bucket = s.grid.number(b.x, y, z);
                visit(s.begins[bucket - n], s.begins[bucket + n + 1]);
            }
    }
};

/// The distance from a place inside a bucket (0 … 1 of its width) to the bucket that is `offset` further, in buckets.
SLUICE_INLINE float bucket_gap(int offset, float inside) {
    return offset > 0 ? float(offset) - inside : offset < 0 ? inside - float(offset + 1) : 0;
}

/// Half of the length along x that the domain reaches in a row at distances of gy and gz radii; negative: none.
template <class Shape>
SLUICE_INLINE float reached_half(float gy, float gz);
template <>
SLUICE_INLINE float reached_half<Sphere>(float gy, float gz) {
    const float rest = 1 - (gy * gy + gz * gz);
    return rest > 0 ? sqrtf(rest) : -1;
}
template <>
SLUICE_INLINE float reached_half<Cube>(float gy, float gz) {
    return gy < 1 && gz < 1 ? 1 : -1;
}

/// As LinkedListVisit. What is reached is found in single precision, and a little more is taken.
struct ReachedRunVisit {
    template <class Shape, class F>
    SLUICE_INLINE static void candidates(const SearchView& s, const Separation<double>& place, F&& visit) {
        constexpr float slack = 1e-4f; // of a radius, and of a bucket: far more than rounding, far less than a spacing
        const BucketPlace b = bucket_of(s.grid, place);
        const int n = s.grid.reach;
        const float side = float(s.grid.side), inverse = float(s.grid.inverse_side);
        const float x_inside = float(place.x * s.grid.inverse_side - b.x);
        const float y_inside = float(place.y * s.grid.inverse_side - b.y);
        const float z_inside = float(place.z * s.grid.inverse_side - b.z);
        for (int z = -n; z <= n; ++z) {
            const float gz = sph::maximum(side * bucket_gap(z, z_inside) - slack, 0.0f);
            for (int y = -n; y <= n; ++y) {
                const float gy = sph::maximum(side * bucket_gap(y, y_inside) - slack, 0.0f);
                const float half = reached_half<Shape>(gy, gz);
                if (half < 0) continue;
                const float buckets = half * inverse + slack;
                const int before = static_cast<int>(floorf(x_inside - buckets));
                const int behind = static_cast<int>(floorf(x_inside + buckets));
                const int row = s.grid.number(b.x, b.y + y, b.z + z);
                visit(s.begins[row + (before > -n ? before : -n)], s.begins[row + (behind < n ? behind : n) + 1]);
            }
        }
    }
};

/// Calls `f` with an object of the visit's type.
template <class F>
decltype(auto) with_visit(Visit visit, F&& f) {
    switch (visit) {
    case Visit::linked_list: return f(LinkedListVisit{});
    case Visit::forward_star: return f(ForwardStarVisit{});
    case Visit::runs: return f(RunVisit{});
    default: return f(ReachedRunVisit{});
    }
}

} // namespace SLUICE_ISA
} // namespace sluice::mps
