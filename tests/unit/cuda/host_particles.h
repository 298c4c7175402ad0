// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/particle_clouds.h"
#include "cuda/pairs/image_loops.h"
#include <algorithm>
#include <numeric>

// Particles on the host as the GPU's kernels see them.

namespace sluice::cuda {

/// A cloud as it lies on a device: boundary before fluid, each sorted by cell.
struct HostParticles {
    FixedGrid grid;
    std::vector<Position> position;
    std::vector<Flow> flow;
    std::vector<std::uint32_t> cell, fluid_begin, boundary_begin;
    std::vector<std::uint8_t> near;
    ParticleState state; ///< in the same order
    std::uint32_t boundary_count;

    /// In cells of the search radius over `divisions`; it is wider than the support by `skin` support radii.
    HostParticles(const clouds::Cloud& cloud, int divisions, double skin = 0);
    InteractionView view() const;
    /// Moves a particle, which keeps its cell, as between two builds of neighbour lists.
    void move(std::uint32_t i, const Vec3d& by);

private:
    std::vector<std::uint32_t> begins(std::uint32_t first, std::uint32_t end) const;
};

inline HostParticles::HostParticles(const clouds::Cloud& cloud, int divisions, double skin)
    : grid(make_fixed_grid(cloud.setup.domain, 2 * cloud.setup.constants.h * (1 + skin), divisions)),
      state(cloud.state), boundary_count(cloud.setup.groups.boundary_count()) {
    const sph::EquationOfState<float> eos(cloud.setup.constants);
    const auto n = static_cast<std::uint32_t>(cloud.state.size());
    std::vector<Units64> units(n);
    std::vector<std::uint32_t> order(n), cells(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const Vec3d& r = cloud.state.position[i];
        units[i] = {std::llround(r.x / grid.unit), std::llround(r.y / grid.unit), std::llround(r.z / grid.unit)};
        cells[i] = cell_of(grid, units[i]);
    }
    std::iota(order.begin(), order.end(), 0u);
    const auto by_cell = [&](std::uint32_t a, std::uint32_t b) { return cells[a] < cells[b]; };
    std::stable_sort(order.begin(), order.begin() + boundary_count, by_cell);
    std::stable_sort(order.begin() + boundary_count, order.end(), by_cell);
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t i = order[k];
        const float rho = cloud.state.density[i];
        const Vec3f v = cloud.state.velocity[i];
        position.push_back({std::int32_t(std::uint32_t(units[i].x)), std::int32_t(std::uint32_t(units[i].y)),
                            std::int32_t(std::uint32_t(units[i].z)), eos.pressure(rho) / (rho * rho)});
        flow.push_back({v.x, v.y, v.z, rho});
        cell.push_back(cells[i]);
        state.id[k] = i;
        state.velocity[k] = v;
        state.density[k] = rho;
        state.position[k] = double(grid.unit) * Vec3d{double(units[i].x), double(units[i].y), double(units[i].z)};
    }
    boundary_begin = begins(0, boundary_count);
    fluid_begin = begins(boundary_count, n);
    near.assign(grid.cells(), 1);
}

inline void HostParticles::move(std::uint32_t i, const Vec3d& by) {
    const double unit = grid.unit;
    const Units64 units{std::llround(by.x / unit), std::llround(by.y / unit), std::llround(by.z / unit)};
    position[i] = displaced(position[i], units);
    state.position[i] = state.position[i] + unit * Vec3d{double(units.x), double(units.y), double(units.z)};
}

inline std::vector<std::uint32_t> HostParticles::begins(std::uint32_t first, std::uint32_t end) const {
    std::vector<std::uint32_t> begin(grid.cells() + 2);
    for (std::uint32_t c = 0; c < begin.size(); ++c)
        begin[c] = static_cast<std::uint32_t>(std::lower_bound(cell.begin() + first, cell.begin() + end, c) -
                                              (cell.begin() + first));
    return begin;
}

inline InteractionView HostParticles::view() const {
    InteractionView v;
    v.grid = grid;
    v.position = position.data();
    v.flow = flow.data();
    v.cell = cell.data();
    v.fluid = {fluid_begin.data(), boundary_count};
    v.boundary = {boundary_begin.data(), 0};
    v.near_boundary = near.data();
    v.boundary_count = boundary_count;
    return v;
}

} // namespace sluice::cuda
