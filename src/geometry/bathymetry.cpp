// SPDX-License-Identifier: Apache-2.0
#include "geometry/bathymetry.h"

#include "core/table_rows.h"
#include "geometry/mesh_file.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace sluice {

namespace {

constexpr double max_grid_nodes = 1e8;

bool is_vtk(const std::string& file) {
    const std::size_t dot = file.find_last_of('.');
    const std::string end = dot == std::string::npos ? "" : file.substr(dot);
    return end == ".vtk" || end == ".vtp" || end == ".vtu";
}

/// Rows of x y z.
std::vector<Vec3d> read_rows(const std::string& text, const DrawBathymetry& b) {
    std::vector<Vec3d> out;
    for (const NumberRow& row : number_rows(text, b.file, {.least = 3}))
        out.push_back({row.values[0], row.values[1], row.values[2]});
    return out;
}

std::vector<Vec3d> read_places(const std::string& text, const DrawBathymetry& b, const SourceLocation& where) {
    const Transform map = scaling(b.scale) * rotation(b.angles.z, {0, 0, 1}) * rotation(b.angles.y, {0, 1, 0}) *
                          rotation(b.angles.x, {1, 0, 0}) * translation(b.move);
    std::vector<Vec3d> out;
    for (Vec3d p : is_vtk(b.file) ? mesh_format::parse_vtk(text).points : read_rows(text, b)) {
        p = map(p);
        if (!std::isfinite(p.x + p.y + p.z))
            throw InputError(where, fmt::format("the file {}: a coordinate is not finite", b.file));
        if (b.selection) {
            const auto& s = *b.selection;
            if (p.x < s[0] || p.x > s[0] + s[2] || p.y < s[1] || p.y > s[1] + s[3]) continue;
        }
        out.push_back(p);
    }
    if (out.empty()) throw InputError(where, fmt::format("the file {} has no points inside the selection", b.file));
    return out;
}

/// A place as the reference generator holds it: single precision, x and y from the corner of the selection.
struct LocalPlace {
    float x, y, z;
};

/// Heights from scattered points, found through square bins. All in single precision, as rounding there decides which
/// plane of the lattice a height between two takes.
class ScatteredHeights {
public:
    ScatteredHeights(const std::vector<Vec3d>& places, double corner_x, double corner_y)
        : corner_x_(corner_x), corner_y_(corner_y) {
        for (const Vec3d& p : places) places_.push_back({float(p.x - corner_x), float(p.y - corner_y), float(p.z)});
        low_x_ = places_[0].x;
        low_y_ = places_[0].y;
        float high_x = low_x_, high_y = low_y_;
        for (const LocalPlace& p : places_) {
            low_x_ = std::min(low_x_, p.x);
            low_y_ = std::min(low_y_, p.y);
            high_x = std::max(high_x, p.x);
            high_y = std::max(high_y, p.y);
        }
        const double extent = std::max({double(high_x) - low_x_, double(high_y) - low_y_, 1e-9});
        bins_ = std::clamp(static_cast<int>(std::sqrt(double(places_.size()))), 1, 2000);
        size_ = extent / bins_ * (1 + 1e-9);
        first_.assign(std::size_t(bins_ + 1) * std::size_t(bins_ + 1), {});
        for (std::uint32_t i = 0; i < places_.size(); ++i)
            first_[bin(column(places_[i].x, low_x_), column(places_[i].y, low_y_))].push_back(i);
    }

    /// Height between the nearest points of the four quadrants around (x, y): along x between the two below and between
    /// the two above, then along y between these. A quadrant without points leaves it to its neighbour.
    double at(double global_x, double global_y) const {
        const auto x = float(global_x - corner_x_), y = float(global_y - corner_y_);
        const auto low = between(nearest(x, y, false, false), nearest(x, y, true, false), x);
        const auto high = between(nearest(x, y, false, true), nearest(x, y, true, true), x);
        if (!low || !high) return (low ? *low : *high).z;
        return low->z + (y - low->y) / (high->y - low->y) * (high->z - low->z);
    }

private:
    int column(float at, float low) const { return std::clamp(static_cast<int>((double(at) - low) / size_), 0, bins_); }
    std::size_t bin(int i, int j) const { return std::size_t(j) * std::size_t(bins_ + 1) + std::size_t(i); }

    static std::optional<LocalPlace> between(const LocalPlace* a, const LocalPlace* b, float x) {
        if (!a && !b) return std::nullopt;
        if (!a || !b) return a ? *a : *b;
        const float t = (x - a->x) / (b->x - a->x);
        return LocalPlace{x, a->y + t * (b->y - a->y), a->z + t * (b->z - a->z)};
    }

    /// The nearest point, the first of equals, with its x at most x (right: above it) and its y likewise. Rings of bins
    /// are searched until the next can hold nothing nearer.
    const LocalPlace* nearest(float x, float y, bool right, bool above) const {
        const int cx = column(x, low_x_), cy = column(y, low_y_);
        const int wide = right ? bins_ - cx : cx, high = above ? bins_ - cy : cy;
        float best = std::numeric_limits<float>::infinity();
        const LocalPlace* found = nullptr;
        const auto look = [&](int i, int j) {
            for (std::uint32_t n : first_[bin(right ? cx + i : cx - i, above ? cy + j : cy - j)]) {
                const float dx = places_[n].x - x, dy = places_[n].y - y, d = dx * dx + dy * dy;
                if ((dx > 0) != right || (dy > 0) != above) continue;
                if (d > best || (d == best && found < &places_[n])) continue;
                best = d;
                found = &places_[n];
            }
        };
        for (int ring = 0; ring <= std::max(wide, high); ++ring) {
            // A point in this ring is at least (ring − 1) bins away.
            if (ring > 1 && best < double(ring - 1) * (ring - 1) * size_ * size_) break;
            if (ring <= wide)
                for (int j = 0; j <= std::min(ring, high); ++j) look(ring, j);
            if (ring <= high)
                for (int i = 0; i < ring && i <= wide; ++i) look(i, ring);
        }
        return found;
    }

    std::vector<LocalPlace> places_;
    double corner_x_, corner_y_;
    float low_x_ = 0, low_y_ = 0;
    int bins_ = 1;
    double size_ = 1;
    std::vector<std::vector<std::uint32_t>> first_;
};

/// Heights over lines of x and y.
struct HeightGrid {
    std::vector<double> x, y;
    std::vector<std::vector<double>> z; ///< z[j][i]

    void add_row(bool front, double at, std::vector<double> heights) {
        y.insert(front ? y.begin() : y.end(), at);
        z.insert(front ? z.begin() : z.end(), std::move(heights));
    }
    void add_column(bool front, double at, const std::vector<double>& heights) {
        x.insert(front ? x.begin() : x.end(), at);
        for (std::size_t j = 0; j < z.size(); ++j) z[j].insert(front ? z[j].begin() : z[j].end(), heights[j]);
    }
};

/// One or two strips beside the grid, each sloping to a height of its own.
void expand_x(HeightGrid& g, const DrawBathymetry::Side& side, bool front) {
    double level = 0;
    for (const auto& [size, z] : {std::pair{side.size, side.z}, std::pair{side.size2, side.z2 ? side.z2 : side.z}}) {
        if (size <= 0) continue;
        std::vector<double> edge;
        for (auto& row : g.z) edge.push_back(z ? *z : front ? row.front() : row.back());
        level = front ? g.x.front() - size : g.x.back() + size;
        g.add_column(front, level, edge);
    }
}

void expand_y(HeightGrid& g, const DrawBathymetry::Side& side, bool front) {
    for (const auto& [size, z] : {std::pair{side.size, side.z}, std::pair{side.size2, side.z2 ? side.z2 : side.z}}) {
        if (size <= 0) continue;
        std::vector<double> edge = front ? g.z.front() : g.z.back();
        if (z) std::fill(edge.begin(), edge.end(), *z);
        g.add_row(front, front ? g.y.front() - size : g.y.back() + size, edge);
    }
}

/// Lines of the sorted values; those closer than `tolerance` are one.
std::vector<double> grid_lines(std::vector<double> values, double tolerance) {
    std::sort(values.begin(), values.end());
    std::vector<double> lines{values[0]};
    for (double v : values)
        if (v - lines.back() > tolerance) lines.push_back(v);
    return lines;
}

/// The grid whose nodes, in any order, are `places`.
HeightGrid grid_of_nodes(const std::vector<Vec3d>& places, const DrawBathymetry& b, const SourceLocation& where) {
    std::vector<double> x, y;
    for (const Vec3d& p : places) {
        x.push_back(p.x);
        y.push_back(p.y);
    }
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    const double tolerance = 1e-6 * (*high - *low);
    HeightGrid g;
    g.x = grid_lines(x, tolerance);
    g.y = grid_lines(y, tolerance);
    const auto refuse = [&] {
        throw InputError(where, fmt::format("the {} points of the file {} are not the nodes of a rectangular grid "
                                            "({} x {} lines); give scattered points as <zpoints>",
                                            places.size(), b.file, g.x.size(), g.y.size()));
    };
    if (g.x.size() < 2 || g.y.size() < 2 || g.x.size() * g.y.size() != places.size()) refuse();
    g.z.assign(g.y.size(), std::vector<double>(g.x.size(), std::numeric_limits<double>::quiet_NaN()));
    const auto line = [&](const std::vector<double>& lines, double v) {
        return std::size_t(std::upper_bound(lines.begin(), lines.end(), v + tolerance) - lines.begin() - 1);
    };
    for (const Vec3d& p : places) g.z[line(g.y, p.y)][line(g.x, p.x)] = p.z;
    for (const auto& row : g.z)
        if (std::any_of(row.begin(), row.end(), [](double z) { return std::isnan(z); })) refuse();
    return g;
}

/// x, y, width and depth of the rectangle that holds all places.
std::array<double, 4> extent_of(const std::vector<Vec3d>& places) {
    Vec3d low = places[0], high = places[0];
    for (const Vec3d& p : places)
        for (int axis = 0; axis < 2; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

HeightGrid interpolated_grid(const std::vector<Vec3d>& places, const DrawBathymetry& b, const SourceLocation& where) {
    const std::array<double, 4> extent = extent_of(places), domain = b.domain.value_or(extent);
    // Whole cells that cover the domain, as the reference generator's do.
    const double columns = std::ceil(domain[2] / b.grid_dp - 1e-6), rows = std::ceil(domain[3] / b.grid_dp - 1e-6);
    if (columns < 1 || rows < 1 || columns * rows > max_grid_nodes)
        throw InputError(
            where, fmt::format("the grid of drawbathymetry has {} x {} cells, choose another grid dp", columns, rows));
    const auto corner = b.selection.value_or(extent);
    const ScatteredHeights heights(places, corner[0], corner[1]);
    HeightGrid g;
    for (int i = 0; i <= columns; ++i) g.x.push_back(domain[0] + i * b.grid_dp);
    for (int j = 0; j <= rows; ++j) {
        const double y = domain[1] + j * b.grid_dp;
        std::vector<double> row;
        for (double x : g.x) row.push_back(heights.at(x, y));
        g.add_row(false, y, std::move(row));
    }
    return g;
}

HeightGrid make_grid(const std::vector<Vec3d>& places, const DrawBathymetry& b, const SourceLocation& where) {
    HeightGrid g = b.file_is_grid ? grid_of_nodes(places, b, where) : interpolated_grid(places, b, where);
    expand_x(g, b.xmin, true);
    expand_x(g, b.xmax, false);
    expand_y(g, b.ymin, true);
    expand_y(g, b.ymax, false);
    return g;
}

} // namespace

std::vector<std::array<Vec3d, 3>> bathymetry_surface(const std::string& points, const DrawBathymetry& b,
                                                     const SourceLocation& where) {
    const HeightGrid g = make_grid(read_places(points, b, where), b, where);
    const auto node = [&](std::size_t i, std::size_t j) {
        const float z = float(g.z[j][i]) + float(b.final_move.z);
        return Vec3d{b.final_move.x + g.x[i], b.final_move.y + g.y[j], z};
    };
    std::vector<std::array<Vec3d, 3>> out;
    for (std::size_t j = 0; j + 1 < g.y.size(); ++j)
        for (std::size_t i = 0; i + 1 < g.x.size(); ++i) {
            out.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
            out.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
        }
    return out;
}

} // namespace sluice
