// SPDX-License-Identifier: Apache-2.0
#include "geometry/bathymetry.h"

#include "core/table_rows.h"
#include "geometry/mesh_file.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

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

/// Heights from scattered points, found through square cells, as the reference generator finds them. In single
/// precision, as rounding decides which plane of the lattice a height between two takes.
class ScatteredHeights {
public:
    /// `nodes`: of the grid whose spacing is `dp`.
    ScatteredHeights(const std::vector<Vec3d>& places, double corner_x, double corner_y, double dp, double nodes)
        : corner_x_(corner_x), corner_y_(corner_y), visible_(std::sqrt(2.0) * dp) {
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
        // On average a cell holds a point; they begin, and end, a tenth of a cell beyond the points.
        constexpr double most = 4000;
        size_ = dp * std::sqrt(nodes / double(places.size()));
        size_ = std::max({size_, (double(high_x) - low_x_) / most, (double(high_y) - low_y_) / most});
        columns_ = std::max(static_cast<int>(std::ceil((double(high_x) - low_x_) / size_ + 2 * margin)), 1);
        rows_ = std::max(static_cast<int>(std::ceil((double(high_y) - low_y_) / size_ + 2 * margin)), 1);
        cells_.assign(std::size_t(columns_) * std::size_t(rows_), {});
        for (std::uint32_t n = 0; n < places_.size(); ++n)
            cells_[cell(std::clamp(cell_of(places_[n].x, low_x_), 0, columns_ - 1),
                        std::clamp(cell_of(places_[n].y, low_y_), 0, rows_ - 1))]
                .push_back(n);
    }

    /// Height between the nearest points of the four quadrants around (x, y): along x between the two below and between
    /// the two above, then along y between these. Where a quadrant has none, that of the nearest point within √2 grid
    /// spacings; nothing if there is none.
    std::optional<double> at(double global_x, double global_y) const {
        const auto x = float(global_x - corner_x_), y = float(global_y - corner_y_);
        const Quadrants found = nearest(x, y);
        if (found.all()) {
            const LocalPlace low = between(*found.place[0], *found.place[1], x),
                             high = between(*found.place[2], *found.place[3], x);
            return low.z + (y - low.y) / (high.y - low.y) * (high.z - low.z);
        }
        std::optional<double> height;
        double best = visible_ * visible_ * (1 + 1e-6);
        for (std::size_t q = 0; q < 4; ++q)
            if (found.place[q] && found.distance2[q] <= best) {
                if (height && found.distance2[q] == best) continue;
                best = found.distance2[q];
                height = found.place[q]->z;
            }
        return height;
    }

private:
    static constexpr double margin = 0.1; ///< of a cell

    struct Quadrants {
        const LocalPlace* place[4] = {}; ///< left below, right below, left above, right above
        float distance2[4] = {};
        bool all() const { return place[0] && place[1] && place[2] && place[3]; }
        /// How many rings of cells reach as far as the farthest of them, and one more.
        int rings(double cell) const {
            const float far = std::max({distance2[0], distance2[1], distance2[2], distance2[3]});
            return static_cast<int>(std::sqrt(double(far)) / cell) + 2;
        }
    };

    int cell_of(float at, float low) const { return static_cast<int>(std::floor((double(at) - low) / size_ + margin)); }
    std::size_t cell(int i, int j) const { return std::size_t(j) * std::size_t(columns_) + std::size_t(i); }

    static LocalPlace between(const LocalPlace& a, const LocalPlace& b, float x) {
        const float t = (x - a.x) / (b.x - a.x);
        return {x, a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
    }

    void look(int i, int j, float x, float y, Quadrants& found) const {
        if (i < 0 || i >= columns_ || j < 0 || j >= rows_) return;
        for (const std::uint32_t n : cells_[cell(i, j)]) {
            const LocalPlace& p = places_[n];
            const float dx = p.x - x, dy = p.y - y, d = dx * dx + dy * dy;
            const std::size_t q = std::size_t(dx > 0) + 2 * std::size_t(dy > 0);
            if (found.place[q] && d > found.distance2[q]) continue;
            if (found.place[q] && d == found.distance2[q] && found.place[q] < &p) continue;
            found.place[q] = &p;
            found.distance2[q] = d;
        }
    }

    /// The nearest point of each quadrant, the first of equals. Rings of cells are searched, one more than those that
    /// reach as far as the four. Of a ring, the rows at its lower and upper end count where they are rows of the cells,
    /// the columns at its sides strictly between these and the first and the last row: so near those, less is seen.
    Quadrants nearest(float x, float y) const {
        const int cx = cell_of(x, low_x_), cy = cell_of(y, low_y_);
        const int far = std::max({cx, columns_ - 1 - cx, cy, rows_ - 1 - cy, 0});
        Quadrants found;
        look(cx, cy, x, y, found);
        int last = found.all() ? found.rings(size_) : far;
        for (int ring = 1; ring <= std::min(last, far); ++ring) {
            const int low = cy - ring, high = cy + ring;
            for (const int row : {low, high})
                for (int i = std::max(cx - ring, 0); i <= std::min(cx + ring, columns_ - 1); ++i)
                    look(i, row, x, y, found);
            for (int j = std::max(low, 0) + 1; j < std::min(high, rows_ - 1); ++j)
                for (const int column : {cx - ring, cx + ring}) look(column, j, x, y, found);
            if (found.all()) last = std::min(last, found.rings(size_));
        }
        return found;
    }

    std::vector<LocalPlace> places_;
    double corner_x_, corner_y_, visible_;
    float low_x_ = 0, low_y_ = 0;
    int columns_ = 1, rows_ = 1;
    double size_ = 1;
    std::vector<std::vector<std::uint32_t>> cells_;
};

/// Heights of the nodes of a grid, nan where they are not known, grow: a node takes the mean of its known neighbours,
/// weighted with their distance, all nodes of a round at once. First those with two such neighbours along the axes, as
/// long as there are any, then those with three in all.
void grow_heights(std::vector<std::vector<double>>& z) {
    const int rows = static_cast<int>(z.size()), columns = static_cast<int>(z[0].size());
    std::vector<std::pair<int, int>> missing;
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i)
            if (std::isnan(z[std::size_t(j)][std::size_t(i)])) missing.emplace_back(i, j);
    const auto round = [&](int least_straight, int least) {
        std::vector<std::pair<std::pair<int, int>, double>> found;
        for (const auto& [i, j] : missing) {
            int straight = 0, all = 0;
            double weight = 0, sum = 0;
            for (int b = std::max(j - 1, 0); b <= std::min(j + 1, rows - 1); ++b)
                for (int a = std::max(i - 1, 0); a <= std::min(i + 1, columns - 1); ++a) {
                    const double height = z[std::size_t(b)][std::size_t(a)];
                    if (std::isnan(height)) continue;
                    const bool diagonal = a != i && b != j;
                    const double distance = diagonal ? std::sqrt(2.0) : 1.0;
                    straight += !diagonal;
                    ++all;
                    weight += distance;
                    sum += distance * height;
                }
            if (straight >= least_straight && all >= least) found.push_back({{i, j}, float(sum / weight)});
        }
        for (const auto& [node, height] : found) z[std::size_t(node.second)][std::size_t(node.first)] = height;
        std::erase_if(missing, [&](const auto& node) {
            return !std::isnan(z[std::size_t(node.second)][std::size_t(node.first)]);
        });
        return !found.empty();
    };
    while (round(2, 2)) {
    }
    while (round(0, 3)) {
    }
}

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

/// Takes out the lines of the slopes and gives what lies beyond them the mean height of where they begin. `lines`: of
/// the axis; `height(k, n)`: the height on line k of the axis and line n of the other one, of which there are `others`.
void make_periodic(const DrawBathymetry::Periodic& p, std::vector<double>& lines, std::size_t others, auto&& height,
                   auto&& take_out, auto&& add_flat) {
    const double slack = 1e-6 * (lines.back() - lines.front()), first = lines.front(), last = lines.back();
    for (std::size_t k = lines.size() - 1; k-- > 1;)
        if ((lines[k] > first + slack && lines[k] < first + p.ramp_width - slack) ||
            (lines[k] < last - slack && lines[k] > last - p.ramp_width + slack))
            take_out(k);
    const bool slopes = p.ramp_width > 0 && lines.size() > 2;
    const std::size_t begin = slopes ? 1 : 0, end = lines.size() - 1 - begin;
    for (std::size_t n = 0; n < others; ++n)
        height(0, n) = height(lines.size() - 1, n) = (float(height(begin, n)) + float(height(end, n))) / 2;
    if (p.flat_width > 0) add_flat();
}

void make_periodic_x(HeightGrid& g, const DrawBathymetry::Periodic& p) {
    make_periodic(
        p, g.x, g.y.size(), [&](std::size_t i, std::size_t j) -> double& { return g.z[j][i]; },
        [&](std::size_t i) {
            g.x.erase(g.x.begin() + static_cast<std::ptrdiff_t>(i));
            for (auto& row : g.z) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
        },
        [&] {
            expand_x(g, {p.flat_width, 0, {}, {}}, true);
            expand_x(g, {p.flat_width, 0, {}, {}}, false);
        });
}

void make_periodic_y(HeightGrid& g, const DrawBathymetry::Periodic& p) {
    make_periodic(
        p, g.y, g.x.size(), [&](std::size_t j, std::size_t i) -> double& { return g.z[j][i]; },
        [&](std::size_t j) {
            g.y.erase(g.y.begin() + static_cast<std::ptrdiff_t>(j));
            g.z.erase(g.z.begin() + static_cast<std::ptrdiff_t>(j));
        },
        [&] {
            expand_y(g, {p.flat_width, 0, {}, {}}, true);
            expand_y(g, {p.flat_width, 0, {}, {}}, false);
        });
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
    const ScatteredHeights heights(places, corner[0], corner[1], b.grid_dp, (columns + 1) * (rows + 1));
    HeightGrid g;
    for (int i = 0; i <= columns; ++i) g.x.push_back(domain[0] + i * b.grid_dp);
    for (int j = 0; j <= rows; ++j) {
        const double y = domain[1] + j * b.grid_dp;
        std::vector<double> row;
        for (double x : g.x) row.push_back(heights.at(x, y).value_or(std::numeric_limits<double>::quiet_NaN()));
        g.add_row(false, y, std::move(row));
    }
    grow_heights(g.z);
    for (const auto& row : g.z)
        if (std::any_of(row.begin(), row.end(), [](double z) { return std::isnan(z); }))
            throw InputError(where,
                             fmt::format("the {} points of the file {} are too few, or too far from each other, for "
                                         "a grid of dp {}: heights of nodes cannot be told; use a larger grid dp",
                                         places.size(), b.file, b.grid_dp));
    return g;
}

HeightGrid make_grid(const std::vector<Vec3d>& places, const DrawBathymetry& b, const SourceLocation& where) {
    HeightGrid g = b.file_is_grid ? grid_of_nodes(places, b, where) : interpolated_grid(places, b, where);
    expand_x(g, b.xmin, true);
    expand_x(g, b.xmax, false);
    expand_y(g, b.ymin, true);
    expand_y(g, b.ymax, false);
    if (b.periodic_x) make_periodic_x(g, *b.periodic_x);
    if (b.periodic_y) make_periodic_y(g, *b.periodic_y);
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
