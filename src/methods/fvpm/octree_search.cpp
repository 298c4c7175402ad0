// SPDX-License-Identifier: Apache-2.0
#include "core/morton.h"
#include "methods/fvpm/neighbours.inl"
#include <array>
#include <limits>

namespace sluice::fvpm {

namespace {

/// A cube of the tree. Its particles follow one another in Morton order.
struct OctreeNode {
    std::uint32_t begin, end; ///< particles
    std::uint32_t children;   ///< the first of them; 0: a leaf
    std::uint32_t count;      ///< of children
    Vec3d low, high;          ///< box around the positions
    double reach;             ///< largest radius
};

class OctreeSearch final : public NeighbourSearch {
public:
    explicit OctreeSearch(int leaf) : leaf_(static_cast<std::uint32_t>(leaf)) {}
    const char* name() const override { return "octree"; }

    std::vector<std::uint32_t> order(const Particles& p) override {
        const MortonBox box = box_of(p);
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed(p.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < p.size(); ++i)
            keyed[i] = {morton_key(p.position[i], box), static_cast<std::uint32_t>(i)};
        sort_by_key(keyed);
        keys_.resize(p.size());
        std::vector<std::uint32_t> places(p.size());
        for (std::size_t i = 0; i < p.size(); ++i) {
            keys_[i] = keyed[i].first;
            places[i] = keyed[i].second;
        }
        return places;
    }

    void find(const Particles& p, NeighbourRows& rows) override {
        grow(p);
        fill_rows(p, rows, [&](std::size_t i, auto visit) {
            std::array<std::uint32_t, 8 * morton_levels + 8> waiting;
            std::size_t count = 0;
            if (!nodes_.empty()) waiting[count++] = 0;
            while (count > 0) {
                const OctreeNode& node = nodes_[waiting[--count]];
                if (!may_meet(node, p.position[i], p.radius[i])) continue;
                if (node.children == 0)
                    for (std::uint32_t j = node.begin; j < node.end; ++j) visit(j);
                for (std::uint32_t c = node.count; c-- > 0;) waiting[count++] = node.children + c;
            }
        });
    }

private:
    static MortonBox box_of(const Particles& p) {
        MortonBox box;
        if (p.size() == 0) return box;
        Vec3d high = box.low = p.position[0];
        for (const Vec3d& x : p.position)
            for (int axis = 0; axis < 3; ++axis) {
                box.low[axis] = std::min(box.low[axis], x[axis]);
                high[axis] = std::max(high[axis], x[axis]);
            }
        for (int axis = 0; axis < 3; ++axis) box.side = std::max(box.side, high[axis] - box.low[axis]);
        return box;
    }
    /// Sorts by the key and keeps the order of equal ones: digit by digit from the last.
    static void sort_by_key(std::vector<std::pair<std::uint64_t, std::uint32_t>>& keyed) {
        constexpr int bits = 9, digits = 1 << bits; // 63 bits are seven digits
        std::vector<std::pair<std::uint64_t, std::uint32_t>> other(keyed.size());
        for (int shift = 0; shift < 63; shift += bits) {
            std::array<std::uint32_t, digits + 1> begin{};
            for (const auto& k : keyed) ++begin[((k.first >> shift) & (digits - 1)) + 1];
            for (std::size_t d = 0; d < digits; ++d) begin[d + 1] += begin[d];
            for (const auto& k : keyed) other[begin[(k.first >> shift) & (digits - 1)]++] = k;
            keyed.swap(other);
        }
    }
    /// Divides cubes with more than `leaf_` particles level by level, as masks of the keys do.
    void grow(const Particles& p) {
        nodes_.clear();
        if (p.size() == 0) return;
        nodes_.push_back(node_of(p, 0, static_cast<std::uint32_t>(p.size())));
        std::size_t next = 0;
        for (int level = 0; level < morton_levels && next < nodes_.size(); ++level)
            for (const std::size_t end = nodes_.size(); next < end; ++next) {
                if (nodes_[next].end - nodes_[next].begin <= leaf_) continue;
                const int shift = 3 * (morton_levels - 1 - level);
                const auto first = static_cast<std::uint32_t>(nodes_.size());
                for (std::uint32_t from = nodes_[next].begin; from < nodes_[next].end;) {
                    std::uint32_t to = from;
                    while (to < nodes_[next].end && keys_[to] >> shift == keys_[from] >> shift) ++to;
                    nodes_.push_back(node_of(p, from, to));
                    from = to;
                }
                nodes_[next].children = first;
                nodes_[next].count = static_cast<std::uint32_t>(nodes_.size()) - first;
            }
    }
    static OctreeNode node_of(const Particles& p, std::uint32_t begin, std::uint32_t end) {
        OctreeNode node{begin, end, 0, 0, p.position[begin], p.position[begin], 0};
        for (std::uint32_t i = begin; i < end; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                node.low[axis] = std::min(node.low[axis], p.position[i][axis]);
                node.high[axis] = std::max(node.high[axis], p.position[i][axis]);
            }
            node.reach = std::max(node.reach, p.radius[i]);
        }
        return node;
    }
    static bool may_meet(const OctreeNode& node, Vec3d x, double radius) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double off = std::max({node.low[axis] - x[axis], x[axis] - node.high[axis], 0.0});
            square += off * off;
        }
        return square < (radius + node.reach) * (radius + node.reach);
    }

    std::uint32_t leaf_;
    std::vector<std::uint64_t> keys_;
    std::vector<OctreeNode> nodes_;
};

} // namespace

std::unique_ptr<NeighbourSearch> make_octree_search(int leaf) { return std::make_unique<OctreeSearch>(leaf); }

} // namespace sluice::fvpm
