// SPDX-License-Identifier: Apache-2.0
#include "geometry/water_columns.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

/// The axis that gravity points along, or −1.
int gravity_axis(const Vec3d& gravity) {
    for (int axis = 0; axis < 3; ++axis)
        if (gravity[axis] != 0 && std::abs(gravity[axis]) == norm(gravity)) return axis;
    return -1;
}

enum class Content { none, fluid, floating, solid };

/// What the particles of each stored mk are in a column of water.
std::vector<Content> contents(const ParticleSet& set) {
    std::vector<Content> of(65536, Content::solid);
    of[0] = Content::none;
    for (const ParticleBlock& block : set.blocks) {
        if (block.type == ParticleType::fluid) of[std::size_t(block.mk)] = Content::fluid;
        if (block.type == ParticleType::floating) of[std::size_t(block.mk)] = Content::floating;
    }
    return of;
}

/// The runs of fluid along one axis, from the nodes in ascending order.
class WaterColumns {
public:
    WaterColumns(const Lattice& lattice, int axis, bool upward)
        : axis_(axis), u_((axis + 1) % 3), v_((axis + 2) % 3), upward_(upward), width_(lattice.count()[u_]) {
        const double columns = double(width_) * lattice.count()[v_];
        if (columns > 5e8)
            throw InputError(
                fmt::format("the lattice has {:.2g} columns of nodes, more than the depths of water can be "
                            "told for; use a larger dp or a smaller definition box",
                            columns));
        open_.resize(std::size_t(columns));
    }

    /// The run of a node, or −1 for what is no water.
    int visit(const Vec3i& node, Content content) {
        Open& column = open_[std::size_t(node[v_]) * std::size_t(width_) + std::size_t(node[u_])];
        const int k = node[axis_];
        const bool follows = column.end == k;
        if (!follows) column.run = -1;
        if (content == Content::solid) {
            if (column.run >= 0 && upward_) surface_[std::size_t(column.run)] = k;
            column.run = -1;
        } else {
            if (column.run < 0) {
                column.run = static_cast<int>(surface_.size());
                surface_.push_back(!upward_ && follows && column.solid ? k - 1 : k);
            }
            if (upward_) surface_[std::size_t(column.run)] = k;
        }
        column.end = k + 1;
        column.solid = content == Content::solid;
        return column.run;
    }

    /// Depth of a node below the surface of its run, in units of dp.
    int depth(int run, const Vec3i& node) const { return std::abs(surface_[std::size_t(run)] - node[axis_]); }

private:
    struct Open {
        int end = -1, run = -1;
        bool solid = false;
    };
    int axis_, u_, v_;
    bool upward_; ///< the surface is at the upper end of a run
    int width_;
    std::vector<Open> open_;
    std::vector<int> surface_;
};

/// Depths of the fluid particles below the surfaces of their runs; returns the greatest.
double column_depths(const Case& the_case, const Canvas& canvas, const ParticleSet& set, int axis,
                     std::vector<float>& depth) {
    const std::vector<Content> content = contents(set);
    WaterColumns columns(canvas.lattice(), axis, the_case.constants.gravity[axis] < 0);
    std::vector<int> runs;
    canvas.grid().for_each([&](int i, int j, int k, std::uint16_t mk) {
        const int run = columns.visit({i, j, k}, content[mk]);
        if (content[mk] == Content::fluid) runs.push_back(run);
    });
    std::vector<std::uint32_t> next(65536);
    for (const ParticleBlock& block : set.blocks) next[std::size_t(block.mk)] = block.begin;
    int greatest = 0;
    std::size_t visited = 0;
    canvas.grid().for_each([&](int i, int j, int k, std::uint16_t mk) {
        if (content[mk] != Content::fluid) return;
        const int below = columns.depth(runs[visited++], {i, j, k});
        greatest = std::max(greatest, below);
        for (int n = 0; n < the_case.lattice_fluid; ++n)
            depth[next[mk]++ - set.boundary_count] = static_cast<float>(below * set.dp);
    });
    return greatest * set.dp;
}

} // namespace

void measure_water(const Case& the_case, const Canvas& canvas, ParticleSet& set) {
    const Vec3d& g = the_case.constants.gravity;
    set.still_water_depth = 0;
    set.depth.assign(set.size() - set.boundary_count, 0);
    if (set.depth.empty() || norm(g) == 0) return;
    Vec3d low = set.position[set.boundary_count], high = low;
    for (std::uint32_t n = set.boundary_count; n < set.size(); ++n)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], set.position[n][axis]);
            high[axis] = std::max(high[axis], set.position[n][axis]);
        }
    const int axis = gravity_axis(g);
    const bool by_columns = the_case.constants.initial_density != sph::InitialDensity::max_water_level;
    if (axis >= 0 && by_columns) {
        set.still_water_depth = column_depths(the_case, canvas, set, axis, set.depth);
    } else if (axis >= 0) {
        set.still_water_depth = high[axis] - low[axis]; // of the water alone, whatever floats in it
    } else {
        Vec3d along;
        for (int a = 0; a < 3; ++a) along[a] = g[a] / norm(g) * (high[a] - low[a]);
        set.still_water_depth = norm(along);
    }
    if (axis >= 0 && the_case.constants.initial_density == sph::InitialDensity::water_column) return;
    Vec3d top;
    for (int a = 0; a < 3; ++a) top[a] = g[a] > 0 ? low[a] : high[a];
    for (std::uint32_t n = set.boundary_count; n < set.size(); ++n)
        set.depth[n - set.boundary_count] = static_cast<float>(dot(set.position[n] - top, g) / norm(g));
}

} // namespace sluice
