// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_depth.h"

#include "core/triangle_tree.h"
#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

/// Rays beside the rows of nodes miss corners and edges that lie on them (in units of dp).
constexpr double hair_y = 1.37e-5, hair_z = 2.71e-5;

/// Nodes so near to where a ray enters or leaves count as inside (in units of dp).
constexpr double at_surface = 1e-4;

struct Hair {
    double y = 0, z = 0; ///< m
};

/// Where the rows of nodes along x cross a surface.
class Rows {
public:
    Rows(const Lattice& lattice, const IndexBox& box, Hair hair)
        : lattice_(lattice), box_(box), hair_(hair), width_(box.last.y - box.first.y + 1) {
        const int height = box.last.z - box.first.z + 1;
        if (double(width_) * height > 2e8)
            throw InputError("a mesh covers more of the lattice than can be filled, use a larger dp");
        hits_.resize(std::size_t(width_) * std::size_t(height));
    }

    void add(const Facet& t) {
        IndexBox rows = box_;
        for (int axis = 1; axis < 3; ++axis) {
            const auto [low, high] = std::minmax({t[0][axis], t[1][axis], t[2][axis]});
            rows.first[axis] = std::max(rows.first[axis], lattice_.nearest(axis, low) - 1);
            rows.last[axis] = std::min(rows.last[axis], lattice_.nearest(axis, high) + 1);
        }
        for (int k = rows.first.z; k <= rows.last.z; ++k)
            for (int j = rows.first.y; j <= rows.last.y; ++j) cross(t, j, k);
    }

    /// Calls inside(i, j, k) for the nodes between an odd crossing and the next one. Where the last one has none, the
    /// nodes up to the end of the box, as the reference generator does where a row meets a corner.
    template <class Visit>
    void for_inside(Visit&& visit) {
        const double slack = at_surface * lattice_.dp();
        for (int k = box_.first.z; k <= box_.last.z; ++k)
            for (int j = box_.first.y; j <= box_.last.y; ++j) {
                const std::vector<double>& hits = sorted_hits(j, k);
                for (std::size_t h = 0; h < hits.size(); h += 2)
                    for (int i = box_.first.x; i <= box_.last.x; ++i) {
                        const double x = lattice_.coordinate(0, i);
                        if (x < hits[h] - slack || (h + 1 < hits.size() && x > hits[h + 1] + slack)) continue;
                        visit(i, j, k);
                    }
            }
    }

    /// Calls visit(i, j, k) for the nodes from the start of the box up to the second crossing, or to the end of the box
    /// where there is none.
    template <class Visit>
    void for_until_second(Visit&& visit) {
        const double slack = at_surface * lattice_.dp();
        for (int k = box_.first.z; k <= box_.last.z; ++k)
            for (int j = box_.first.y; j <= box_.last.y; ++j) {
                const std::vector<double>& hits = sorted_hits(j, k);
                for (int i = box_.first.x; i <= box_.last.x; ++i)
                    if (hits.size() < 2 || lattice_.coordinate(0, i) <= hits[1] + slack) visit(i, j, k);
            }
    }

private:
    /// Where a row crosses the surface, one behind the other; twice at one place is once.
    const std::vector<double>& sorted_hits(int j, int k) {
        std::vector<double>& hits = at(j, k);
        std::sort(hits.begin(), hits.end());
        hits.erase(
            std::unique(hits.begin(), hits.end(), [&](double a, double b) { return b - a < 1e-9 * lattice_.dp(); }),
            hits.end());
        return hits;
    }

    std::vector<double>& at(int j, int k) {
        return hits_[std::size_t(k - box_.first.z) * std::size_t(width_) + std::size_t(j - box_.first.y)];
    }

    void cross(const Facet& t, int j, int k) {
        const double y = lattice_.coordinate(1, j) + hair_.y, z = lattice_.coordinate(2, k) + hair_.z;
        double weight[3], total = 0, size = 0;
        for (std::size_t n = 0; n < 3; ++n) {
            const Vec3d &a = t[(n + 1) % 3], &b = t[(n + 2) % 3];
            weight[n] = (a.y - y) * (b.z - z) - (b.y - y) * (a.z - z);
            total += weight[n];
            size += std::abs(weight[n]);
        }
        if (std::abs(total) <= 1e-12 * size || total == 0) return; // seen from the side
        for (double w : weight)
            if ((total > 0 ? w : -w) < 0) return; // on an edge both of its triangles are crossed, at one place
        at(j, k).push_back((weight[0] * t[0].x + weight[1] * t[1].x + weight[2] * t[2].x) / total);
    }

    const Lattice& lattice_;
    IndexBox box_;
    Hair hair_;
    int width_;
    std::vector<std::vector<double>> hits_;
};

/// The nodes within a distance of the box of the facets.
IndexBox nodes_around(const Lattice& lattice, const std::vector<Facet>& facets, double margin) {
    Extent extent;
    for (const Facet& t : facets)
        for (const Vec3d& p : t) extent.add(p);
    IndexBox box;
    for (int axis = 0; axis < 3; ++axis) {
        // single precision, as meshes are: a node on the end of the box belongs to it
        const double low = float(extent.min[axis]) - margin, high = float(extent.max[axis]) + margin;
        box.first[axis] = lattice.nearest(axis, low);
        if (lattice.coordinate(axis, box.first[axis]) < low) ++box.first[axis];
        box.last[axis] = lattice.nearest(axis, high);
        if (lattice.coordinate(axis, box.last[axis]) > high) --box.last[axis];
    }
    return lattice.clip(box);
}

class DepthPainter {
public:
    DepthPainter(Canvas& canvas, const std::vector<Facet>& facets, const DrawMesh& command)
        : canvas_(canvas), facets_(facets), tree_(facets), least_(command.depth_min.value_or(0)),
          greatest_(command.depth_max.value_or(std::numeric_limits<double>::infinity())) {
        if (command.depth_min && command.depth_max && least_ > greatest_) std::swap(least_, greatest_);
    }

    void draw_inside() {
        const bool layer = std::isfinite(greatest_);
        const IndexBox box = nodes_around(canvas_.lattice(), facets_, 0);
        // Without a greatest depth the reference generator fills its rows as they are, corners on them included.
        for_inside(box, layer, [&](int i, int j, int k) {
            if (within(canvas_.lattice().node({i, j, k}), !layer)) canvas_.plot(i, j, k);
        });
    }

    /// `reverse`, as the reference generator draws it: beside what is outside of the surface also what is as deep
    /// inside of it, and nothing behind it along x.
    void draw_reverse() {
        const Lattice& lattice = canvas_.lattice();
        const IndexBox box = nodes_around(lattice, facets_, std::isfinite(greatest_) ? greatest_ : 0);
        if (box.empty()) return;
        canvas_.check_volume(box);
        Rows rows(lattice, box, Hair{});
        for (const Facet& t : facets_) rows.add(t);
        rows.for_until_second([&](int i, int j, int k) {
            if (within(lattice.node({i, j, k}), true)) canvas_.plot(i, j, k);
        });
    }

private:
    template <class Visit>
    void for_inside(const IndexBox& box, bool beside, Visit&& visit) {
        if (box.empty()) return;
        const double dp = canvas_.lattice().dp();
        Rows rows(canvas_.lattice(), box, beside ? Hair{hair_y * dp, hair_z * dp} : Hair{});
        for (const Facet& t : facets_) rows.add(t);
        rows.for_inside(visit);
    }

    /// Whether the surface is as far as asked for; `facing_away`: that of the facets whose inner side it is on.
    bool within(const Vec3d& p, bool facing_away) const {
        const auto accept = [&](std::uint32_t f, const Vec3d&) {
            return !facing_away || dot(p - tree_.facet(f)[0], tree_.normal(f)) <= 0;
        };
        const auto hit = tree_.nearest(p, std::numeric_limits<double>::infinity(), accept);
        const double slack = 1e-12;
        const double distance = hit ? std::sqrt(hit->distance2) : std::numeric_limits<double>::infinity();
        return distance >= least_ - slack && distance <= greatest_ + slack;
    }

    Canvas& canvas_;
    const std::vector<Facet>& facets_;
    TriangleTree tree_;
    double least_, greatest_;
};

} // namespace

void draw_by_depth(Canvas& canvas, const Mesh& mesh, const DrawMesh& command) {
    std::vector<Facet> facets;
    facets.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) facets.push_back({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]});
    DepthPainter painter(canvas, facets, command);
    command.reverse ? painter.draw_reverse() : painter.draw_inside();
}

} // namespace sluice
