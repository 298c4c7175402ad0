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

/// The distance of a coordinate from a bucket along one axis, 0 inside.
SLUICE_INLINE double gap(const BucketGrid& grid, int bucket, double place) {
    return sph::maximum(sph::maximum(bucket * grid.side - place, place - (bucket + 1) * grid.side), 0.0);
}

/// Half of the length along x that the domain reaches in a row of buckets at distances gy and gz; negative: none.
template <class Shape>
SLUICE_INLINE double reached_half(double gy, double gz);
template <>
SLUICE_INLINE double reached_half<Sphere>(double gy, double gz) {
    const double rest = 1 - (gy * gy + gz * gz);
    return rest > 0 ? sqrt(rest) : -1;
}
template <>
SLUICE_INLINE double reached_half<Cube>(double gy, double gz) {
    return gy < 1 && gz < 1 ? 1 : -1;
}

/// As LinkedListVisit.
struct ReachedRunVisit {
    template <class Shape, class F>
    SLUICE_INLINE static void candidates(const SearchView& s, const Separation<double>& place, F&& visit) {
        constexpr double slack = 1e-9; // more than rounding of places, far less than a spacing
        const BucketPlace b = bucket_of(s.grid, place);
        const int n = s.grid.reach;
        for (int z = b.z - n; z <= b.z + n; ++z) {
            const double gz = gap(s.grid, z, place.z) - slack;
            for (int y = b.y - n; y <= b.y + n; ++y) {
                const double half = reached_half<Shape>(gap(s.grid, y, place.y) - slack, gz) + slack;
                if (half < 0) continue;
                const int row = s.grid.number(0, y, z), last = s.grid.coordinate(place.x + half);
                visit(s.begins[row + s.grid.coordinate(place.x - half)],
                      s.begins[row + (last < b.x + n ? last : b.x + n) + 1]);
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
