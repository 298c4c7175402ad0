// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/particle_search.h"

#include "core/error.h"
#include <fmt/format.h>
#include <limits>

namespace sluice::mps {

namespace {

std::vector<double> padded(std::uint32_t size) { return std::vector<double>(size + ParticleSearch::padding); }

template <class V, class Shape>
SearchCounts counts_of(const ParticleSearch& search) {
    const SearchView view = view_of(search);
    const auto place = [&](std::int32_t i) -> Separation<double> {
        return {search.x()[i], search.y()[i], search.z()[i]};
    };
    std::uint64_t candidates = 0, inside = 0;
#pragma omp parallel for schedule(static) reduction(+ : candidates, inside)
    for (std::int64_t i = 0; i < search.size(); ++i) {
        const Separation<double> a = place(i);
        V::template candidates<Shape>(view, a, [&](std::int32_t begin, std::int32_t end) {
            candidates += end - begin;
            for (std::int32_t j = begin; j < end; ++j) {
                const Separation<double> b = place(j);
                inside += Shape::contains(Separation<double>{b.x - a.x, b.y - a.y, b.z - a.z});
            }
        });
    }
    return {candidates, inside};
}

} // namespace

ParticleSearch::ParticleSearch(const Cloud& cloud, const Reach& reach)
    : grid_(make_bucket_grid(cloud, reach)), size_(cloud.size()) {
    if (cloud.x.size() >= std::size_t(std::numeric_limits<std::int32_t>::max()))
        throw InputError(fmt::format("MPS search: {} particles are too many", cloud.x.size()));
    x_ = padded(size_);
    y_ = padded(size_);
    z_ = padded(size_);
    phi_ = padded(size_);
    order_.resize(size_);
    std::vector<std::int32_t> buckets(size_);
    const double inverse = 1 / grid_.radius;
    const auto place = [&](std::uint32_t i) -> Separation<double> {
        return {(cloud.x[i] - grid_.origin.x) * inverse, (cloud.y[i] - grid_.origin.y) * inverse,
                (cloud.z[i] - grid_.origin.z) * inverse};
    };
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < size_; ++i) {
        const BucketPlace b = bucket_of(grid_, place(i));
        buckets[i] = grid_.number(b.x, b.y, b.z);
    }
    begins_.assign(grid_.size() + 1, 0);
    for (const std::int32_t bucket : buckets) ++begins_[bucket + 1];
    for (int bucket = 0; bucket < grid_.size(); ++bucket) begins_[bucket + 1] += begins_[bucket];
    // Each particle takes the next place of its bucket. Afterwards begins_[b] is where b + 1 begins: move them back.
    for (std::uint32_t i = 0; i < size_; ++i) order_[begins_[buckets[i]]++] = i;
    for (int bucket = grid_.size(); bucket > 0; --bucket) begins_[bucket] = begins_[bucket - 1];
    begins_[0] = 0;
#pragma omp parallel for schedule(static)
    for (std::int64_t k = 0; k < size_; ++k) {
        const Separation<double> p = place(order_[k]);
        x_[k] = p.x;
        y_[k] = p.y;
        z_[k] = p.z;
    }
    set_values(cloud.phi);
}

void ParticleSearch::set_values(std::span<const double> phi) {
#pragma omp parallel for schedule(static)
    for (std::int64_t k = 0; k < size_; ++k) phi_[k] = phi[order_[k]];
}

void ParticleSearch::make_linked_list() {
    if (!first_in_bucket_.empty()) return;
    first_in_bucket_.assign(grid_.size(), -1);
    next_in_bucket_.assign(size_, -1);
    for (int bucket = 0; bucket < grid_.size(); ++bucket) {
        if (begins_[bucket] == begins_[bucket + 1]) continue;
        first_in_bucket_[bucket] = begins_[bucket];
        for (std::int32_t k = begins_[bucket]; k + 1 < begins_[bucket + 1]; ++k) next_in_bucket_[k] = k + 1;
    }
}

SearchView view_of(const ParticleSearch& search) {
    return {search.grid(), search.begins().data(), search.first_in_bucket().data(), search.next_in_bucket().data()};
}

SearchCounts count_pairs(const ParticleSearch& search, Visit visit, DomainShape shape) {
    return with_visit(visit, [&]<class V>(V) {
        return shape == DomainShape::sphere ? counts_of<V, Sphere>(search) : counts_of<V, Cube>(search);
    });
}

} // namespace sluice::mps
