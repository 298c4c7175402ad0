// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/bucket_grid.h"
#include "methods/mps/visit.h"
#include <cstdint>
#include <vector>

namespace sluice::mps {

/// Particles sorted by bucket, and both structures that find those of a bucket.
class ParticleSearch {
public:
    /// Vector loads may begin at the last particle: arrays have so many numbers more.
    static constexpr std::uint32_t padding = 8;

    /// Sorts the particles. InputError as make_bucket_grid, or if there are 2³¹ particles or more.
    ParticleSearch(const Cloud& cloud, const Reach& reach);

    /// Other values of the same particles, in the order of the cloud.
    void set_values(std::span<const double> phi);

    const BucketGrid& grid() const { return grid_; }
    std::uint32_t size() const { return size_; }
    // Of the sorted particles: coordinates in radii from the grid's corner, values, and places in the cloud.
    const std::vector<double>& x() const { return x_; }
    const std::vector<double>& y() const { return y_; }
    const std::vector<double>& z() const { return z_; }
    const std::vector<double>& phi() const { return phi_; }
    const std::vector<std::uint32_t>& order() const { return order_; }

    /// Forward star: the first particle of each bucket, and one number more.
    const std::vector<std::int32_t>& begins() const { return begins_; }
    /// Linked list: the first particle of each bucket, and of each particle the next in its bucket; −1: there is none.
    const std::vector<std::int32_t>& first_in_bucket() const { return first_in_bucket_; }
    const std::vector<std::int32_t>& next_in_bucket() const { return next_in_bucket_; }

    /// Adds the linked list, which only Visit::linked_list needs.
    void make_linked_list();

    std::size_t forward_star_bytes() const { return begins_.size() * sizeof(std::int32_t); }
    std::size_t linked_list_bytes() const {
        return (first_in_bucket_.size() + next_in_bucket_.size()) * sizeof(std::int32_t);
    }

private:
    BucketGrid grid_;
    std::uint32_t size_ = 0;
    std::vector<double> x_, y_, z_, phi_;
    std::vector<std::uint32_t> order_;
    std::vector<std::int32_t> begins_, first_in_bucket_, next_in_bucket_;
};

/// The structures of a search in host memory.
SearchView view_of(const ParticleSearch& search);

/// What a search looks at and what it finds, over all particles; each counts itself.
struct SearchCounts {
    std::uint64_t candidates = 0, inside = 0;
};

/// The counts of one way to visit candidates with a shape of the interaction domain.
SearchCounts count_pairs(const ParticleSearch& search, Visit visit, DomainShape shape);

} // namespace sluice::mps
