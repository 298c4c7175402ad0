// SPDX-License-Identifier: Apache-2.0
#include "geometry/canvas.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

/// A number of its own for each node of the lattice and its neighbours.
std::uint64_t node_key(const Vec3i& node) {
    constexpr int bits = 21;
    const auto part = [](int i) { return std::uint64_t(i + 1) & ((std::uint64_t(1) << bits) - 1); };
    return (part(node.z) << (2 * bits)) | (part(node.y) << bits) | part(node.x);
}

constexpr std::size_t max_free_particles = 20'000'000;
} // namespace

bool Canvas::clipped(const Vec3d& position) const {
    // Nodes on the plane fall to either side by their rounding, as in the reference generator.
    return std::any_of(clips_.begin(), clips_.end(), [&](const ClipHalfSpace& c) {
        const Vec3d n = normalized(c.normal);
        const double offset = -(n.x * c.point.x + n.y * c.point.y + n.z * c.point.z);
        return n.x * position.x + n.y * position.y + n.z * position.z + offset < 0;
    });
}

void Canvas::note_overlap(int first, int last, int j, int k) {
    if (!count_overlaps_ || !mk_) return;
    grid_.for_row(first, last, j, k, [&](std::uint16_t mk, std::size_t nodes) {
        if (mk && mk != mk_ && mk != taken) overlaps_[{mk, mk_}] += nodes;
    });
}

void Canvas::erase() {
    grid_ = ParticleGrid(lattice_.count());
    free_.clear();
    free_at_.clear();
    overlaps_.clear();
}

void Canvas::plot(int i, int j, int k) {
    if (!active_ || !inside(i, j, k) || (!clips_.empty() && clipped(lattice_.node({i, j, k})))) return;
    note_overlap(i, i, j, k);
    grid_.set(i, j, k, mk_);
    if (!free_at_.empty()) {
        remove_near(lattice_.node({i, j, k}), {i, j, k});
        auto [at, end] = free_at_.equal_range(node_key({i, j, k}));
        for (auto next = at; next != end; ++next) free_[next->second].mk = 0;
        free_at_.erase(at, end);
    }
    ++drawn_;
}

void Canvas::fill_row(int first, int last, int j, int k) {
    const Vec3i n = lattice_.count();
    if (!active_ || j < 0 || k < 0 || j >= n.y || k >= n.z) return;
    first = std::max(first, 0);
    last = std::min(last, n.x - 1);
    if (first > last) return;
    if (!clips_.empty() || !free_at_.empty()) {
        for (int i = first; i <= last; ++i) plot(i, j, k);
        return;
    }
    note_overlap(first, last, j, k);
    grid_.fill_row(first, last, j, k, mk_);
    drawn_ += std::size_t(last - first + 1);
}

void Canvas::fill_box(const IndexBox& wanted) {
    const IndexBox box = lattice_.clip(wanted);
    if (box.empty()) return;
    check_volume(box);
    for (int k = box.first.z; k <= box.last.z; ++k)
        for (int j = box.first.y; j <= box.last.y; ++j) fill_row(box.first.x, box.last.x, j, k);
}

void Canvas::check_volume(const IndexBox& box) const {
    double nodes = 1;
    for (int axis = 0; axis < 3; ++axis) nodes *= double(box.last[axis]) - box.first[axis] + 1;
    grid_.require_room(nodes);
}

void Canvas::plot_free(const Vec3d& position) {
    if (!active_ || (!clips_.empty() && clipped(position))) return;
    const Vec3i node{lattice_.nearest(0, position.x), lattice_.nearest(1, position.y), lattice_.nearest(2, position.z)};
    if (!inside(node.x, node.y, node.z)) return;
    if (free_.size() >= max_free_particles)
        throw InputError("more than 2e7 particles off the lattice, use a larger dp");
    ++drawn_;
    take_nodes(position, node);
    remove_near(position, node);
    if (!mk_) return;
    free_at_.emplace(node_key(node), static_cast<std::uint32_t>(free_.size()));
    free_.push_back({position, mk_});
}

void Canvas::remove_near(const Vec3d& position, const Vec3i& near) {
    const double reach = free_reach * lattice_.dp();
    for (int k = near.z - 1; k <= near.z + 1; ++k)
        for (int j = near.y - 1; j <= near.y + 1; ++j)
            for (int i = near.x - 1; i <= near.x + 1; ++i) {
                auto [at, end] = free_at_.equal_range(node_key({i, j, k}));
                while (at != end) {
                    FreeParticle& other = free_[at->second];
                    const Vec3d d = other.position - position;
                    if (norm(d) < reach) {
                        other.mk = 0;
                        at = free_at_.erase(at);
                    } else {
                        ++at;
                    }
                }
            }
}

void Canvas::take_nodes(const Vec3d& position, const Vec3i& near) {
    const double reach = free_reach * lattice_.dp();
    for (int k = near.z - 1; k <= near.z + 1; ++k)
        for (int j = near.y - 1; j <= near.y + 1; ++j)
            for (int i = near.x - 1; i <= near.x + 1; ++i) {
                if (!inside(i, j, k)) continue;
                const Vec3d d = lattice_.node({i, j, k}) - position;
                const bool nearest = i == near.x && j == near.y && k == near.z;
                if (nearest || dot(d, d) < reach * reach) grid_.set(i, j, k, mk_ ? taken : std::uint16_t(0));
            }
}

} // namespace sluice
