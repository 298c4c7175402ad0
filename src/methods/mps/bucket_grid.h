// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "core/host_device.h"
#include <cstdint>
#include <span>

namespace sluice::mps {

/// Positions and one value of each particle, as they come.
struct Cloud {
    std::span<const double> x, y, z; ///< m
    std::span<const double> phi;     ///< the value to be differentiated

    std::uint32_t size() const { return static_cast<std::uint32_t>(x.size()); }
};

/// The interaction domain and the buckets that find what is in it.
struct Reach {
    double radius = 0;        ///< r_e, m: of the sphere, or half of the cube's side
    int divisions = 1;        ///< n_div of equation (15): buckets a radius, 1 to 3
    double bucket_factor = 1; ///< c_b of equation (11), at least 1: how much wider a bucket is than it must be
};

/// Cubes that cover all particles, with as many empty layers around them as a search goes beyond a bucket, so that a
/// search needs no test for the edge. Lengths count the radius and start at the lower corner of the grid.
struct BucketGrid {
    Vec3d origin;                      ///< the lower corner, m
    double radius = 0;                 ///< m
    double side = 0, inverse_side = 0; ///< of a bucket, radii
    Vec3i count;                       ///< buckets along each axis
    int reach = 1;                     ///< buckets to search on either side

    /// The number of the bucket at bucket coordinates, equation (12).
    SLUICE_HD int number(int x, int y, int z) const { return x + count.x * (y + count.y * z); }
    /// The bucket coordinate of a coordinate, equation (13).
    SLUICE_HD int coordinate(double place) const { return static_cast<int>(place * inverse_side); }
    int size() const { return count.x * count.y * count.z; }
};

/// The grid for the particles. InputError: a radius, number of divisions or factor that makes no sense, a coordinate
/// that is no number, or more than 2³¹ buckets.
BucketGrid make_bucket_grid(const Cloud& cloud, const Reach& reach);
/// The same for particles whose least and largest coordinates are known, m.
BucketGrid make_bucket_grid(const Box& bounds, const Reach& reach);

} // namespace sluice::mps
