// SPDX-License-Identifier: Apache-2.0
#include "geometry/flat_shapes.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

// Inside or outside: rays along an axis, through the nodes but a hair beside them, since corners are nodes and a ray
// through a corner has no answer.

namespace sluice {

namespace {

constexpr double hair_u = 1.37e-5, hair_v = 2.71e-5;

struct Bounds {
    Corner first{1 << 30, 1 << 30, 1 << 30}, last{-(1 << 30), -(1 << 30), -(1 << 30)};
};

Bounds bounds_of(const Lattice& lattice, const std::vector<Triangle>& surface) {
    Bounds b;
    for (const Triangle& t : surface)
        for (const Corner& c : t)
            for (int axis = 0; axis < 3; ++axis) {
                b.first[axis] = std::min(b.first[axis], c[axis]);
                b.last[axis] = std::max(b.last[axis], c[axis]);
            }
    for (int axis = 0; axis < 3; ++axis) {
        b.first[axis] = std::max(b.first[axis], 0);
        b.last[axis] = std::min(b.last[axis], lattice.count()[axis] - 1);
    }
    return b;
}

/// Where rays along axis w cross a surface, by ray.
class Crossings {
public:
    Crossings(const Bounds& bounds, int axis) : bounds_(bounds), w_(axis), u_((axis + 1) % 3), v_((axis + 2) % 3) {
        width_ = std::max(bounds.last[u_] - bounds.first[u_] + 1, 0);
        const int height = std::max(bounds.last[v_] - bounds.first[v_] + 1, 0);
        if (double(width_) * height > 2e8)
            throw InputError("a mesh covers more of the lattice than can be filled, use a larger dp");
        rays_.resize(std::size_t(width_) * std::size_t(height));
    }

    void add(const Triangle& t) {
        const int u0 = std::max(std::min({t[0][u_], t[1][u_], t[2][u_]}) - 1, bounds_.first[u_]);
        const int u1 = std::min(std::max({t[0][u_], t[1][u_], t[2][u_]}), bounds_.last[u_]);
        const int v0 = std::max(std::min({t[0][v_], t[1][v_], t[2][v_]}) - 1, bounds_.first[v_]);
        const int v1 = std::min(std::max({t[0][v_], t[1][v_], t[2][v_]}), bounds_.last[v_]);
        for (int v = v0; v <= v1; ++v)
            for (int u = u0; u <= u1; ++u) cross(t, u, v);
    }

    /// Calls inside(first, last, u, v) for each run of enclosed nodes.
    template <class Visit>
    void for_runs(Visit&& visit) {
        for (std::size_t r = 0; r < rays_.size(); ++r) {
            auto& hits = rays_[r];
            std::sort(hits.begin(), hits.end());
            const int u = bounds_.first[u_] + static_cast<int>(r % std::size_t(width_));
            const int v = bounds_.first[v_] + static_cast<int>(r / std::size_t(width_));
            for (std::size_t h = 0; h + 1 < hits.size(); h += 2) {
                const int first = std::max(static_cast<int>(std::ceil(hits[h])), bounds_.first[w_]);
                const int last = std::min(static_cast<int>(std::floor(hits[h + 1])), bounds_.last[w_]);
                if (first <= last) visit(first, last, u, v);
            }
        }
    }

private:
    void cross(const Triangle& t, int u, int v) {
        const double pu = u + hair_u, pv = v + hair_v;
        double weight[3], total = 0;
        for (int i = 0; i < 3; ++i) {
            const Corner &a = t[(i + 1) % 3], &b = t[(i + 2) % 3];
            weight[i] = (double(a[u_]) - pu) * (double(b[v_]) - pv) - (double(b[u_]) - pu) * (double(a[v_]) - pv);
            total += weight[i];
        }
        const bool all_positive = weight[0] > 0 && weight[1] > 0 && weight[2] > 0;
        const bool all_negative = weight[0] < 0 && weight[1] < 0 && weight[2] < 0;
        if (!all_positive && !all_negative) return;
        const double at = (weight[0] * t[0][w_] + weight[1] * t[1][w_] + weight[2] * t[2][w_]) / total;
        rays_[std::size_t(v - bounds_.first[v_]) * std::size_t(width_) + std::size_t(u - bounds_.first[u_])].push_back(
            static_cast<float>(at));
    }

    Bounds bounds_;
    int w_, u_, v_, width_;
    std::vector<std::vector<float>> rays_;
};

/// Whether every edge has as many triangles on one side as on the other.
bool watertight(const std::vector<Triangle>& surface) {
    const auto key = [](const Corner& c) { return std::array<int, 3>{c.x, c.y, c.z}; };
    std::map<std::pair<std::array<int, 3>, std::array<int, 3>>, int> edges;
    for (const Triangle& t : surface)
        for (int i = 0; i < 3; ++i) {
            auto a = key(t[i]), b = key(t[(i + 1) % 3]);
            if (a == b) continue;
            edges[std::minmax(a, b)] += 1;
        }
    return std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.second % 2 == 0; });
}

} // namespace

ParticleGrid enclosed_nodes(const Lattice& lattice, const std::vector<Triangle>& surface) {
    ParticleGrid votes(lattice.count());
    const Bounds bounds = bounds_of(lattice, surface);
    const bool closed = watertight(surface);
    const int axes = closed ? 1 : 3;
    for (int axis = 0; axis < axes; ++axis) {
        Crossings crossings(bounds, axis);
        for (const Triangle& t : surface) crossings.add(t);
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        crossings.for_runs([&](int first, int last, int at_u, int at_v) {
            Corner p;
            p[u] = at_u;
            p[v] = at_v;
            for (p[axis] = first; p[axis] <= last; ++p[axis])
                votes.set(p.x, p.y, p.z, static_cast<std::uint16_t>(votes.get(p.x, p.y, p.z) + 1));
        });
    }
    if (closed) return votes;
    ParticleGrid majority(lattice.count());
    votes.for_each([&](int i, int j, int k, std::uint16_t n) {
        if (n >= 2) majority.set(i, j, k, 1);
    });
    return majority;
}

namespace {

/// The node in the middle of the box of a surface; may lie outside the lattice.
Corner middle_of(const std::vector<Triangle>& surface) {
    Corner low{1 << 30, 1 << 30, 1 << 30}, high{-(1 << 30), -(1 << 30), -(1 << 30)}, middle;
    for (int axis = 0; axis < 3; ++axis) {
        for (const Triangle& t : surface)
            for (const Corner& c : t) {
                low[axis] = std::min(low[axis], c[axis]);
                high[axis] = std::max(high[axis], c[axis]);
            }
        middle[axis] = static_cast<int>(std::floor((double(low[axis]) + high[axis]) / 2 + 0.5));
    }
    return middle;
}

} // namespace

void draw_inside(Canvas& canvas, const std::vector<Triangle>& surface) {
    const Lattice& lattice = canvas.lattice();
    const ParticleGrid inside = enclosed_nodes(lattice, surface);
    if (canvas.mk() == 0) return inside.for_each([&](int i, int j, int k, std::uint16_t) { canvas.plot(i, j, k); });
    const Corner count = lattice.count();
    const auto open = [&](const Corner& c) {
        for (int axis = 0; axis < 3; ++axis)
            if (c[axis] < 0 || c[axis] >= count[axis]) return false;
        return inside.get(c.x, c.y, c.z) && canvas.grid().get(c.x, c.y, c.z) != canvas.mk();
    };
    std::vector<Corner> next;
    const auto take = [&](const Corner& c) {
        if (!open(c)) return;
        canvas.plot(c.x, c.y, c.z);
        if (canvas.grid().get(c.x, c.y, c.z) == canvas.mk()) next.push_back(c);
    };
    take(middle_of(surface));
    while (!next.empty()) {
        const Corner c = next.back();
        next.pop_back();
        for (int axis = 0; axis < 3; ++axis)
            for (const int step : {-1, 1}) {
                Corner beside = c;
                beside[axis] += step;
                take(beside);
            }
    }
}

} // namespace sluice
