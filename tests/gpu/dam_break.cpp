// SPDX-License-Identifier: Apache-2.0
#include "gpu/dam_break.h"

#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include <cmath>

namespace sluice {

namespace {

/// Index of the lattice plane nearest to x.
int plane(double x, double dp) { return static_cast<int>(std::lround((x + 0.05) / dp)); }

struct PlaneBox {
    int x0, x1, y0, y1, z0, z1; ///< lattice planes, both ends included

    bool holds(int x, int y, int z) const { return x >= x0 && x <= x1 && y >= y0 && y <= y1 && z >= z0 && z <= z1; }
    bool has_on_side(int x, int y, int z) const { return holds(x, y, z) && (x == x0 || x == x1 || y == y0 || y == y1); }
};

sph::Constants constants_for(double dp, double depth, sph::Integrator integrator) {
    sph::Constants c;
    c.kernel = sph::KernelType::cubic_spline;
    c.diffusion = sph::DensityDiffusion::fourtakas;
    c.integrator = integrator;
    c.dp = dp;
    c.h = sph::smoothing_length(1, dp, false);
    c.gravity = {0, 0, -9.81};
    c.c0 = 20 * std::sqrt(9.81 * depth);
    c.alpha = 0.1;
    c.delta = 0.1;
    sph::derive(c);
    return c;
}

/// Adds particles to a dam break: boundary particles first.
class Builder {
public:
    explicit Builder(DamBreak& target)
        : target_(target), eos_(target.setup.constants), dp_(target.setup.constants.dp) {}

    void add(int x, int y, int z, float density) {
        ParticleState& s = target_.state;
        s.id.push_back(static_cast<std::uint32_t>(s.id.size()));
        s.position.push_back(Vec3d{-0.05 + x * dp_, -0.05 + y * dp_, -0.05 + z * dp_} - target_.setup.domain.min);
        s.density.push_back(density);
    }
    float density_at(double depth) const { return static_cast<float>(eos_.density(1000 * 9.81 * depth)); }
    void boundary_ends() { boundary_ = static_cast<std::uint32_t>(target_.state.size()); }
    void finish() {
        ParticleState& s = target_.state;
        target_.setup.groups = ParticleGroups::of(boundary_, static_cast<std::uint32_t>(s.size()) - boundary_);
        s.velocity.resize(s.size());
        s.velocity_previous.resize(s.size());
        s.density_previous = s.density;
    }

private:
    DamBreak& target_;
    sph::EquationOfState<double> eos_;
    double dp_;
    std::uint32_t boundary_ = 0;
};

} // namespace

DamBreak make_dam_break(double dp, sph::Integrator integrator) {
    const PlaneBox tank{plane(0, dp), plane(1.6, dp), plane(0, dp), plane(0.67, dp), plane(0, dp), plane(0.4, dp)};
    const PlaneBox fluid{tank.x0 + 1, tank.x0 + static_cast<int>(0.4 / dp), tank.y0 + 1, tank.y1 - 1,
                         tank.z0 + 1, tank.z0 + static_cast<int>(0.3 / dp)};
    const PlaneBox column{plane(0.9, dp), plane(1.02, dp), plane(0.24, dp), plane(0.36, dp), tank.z0, plane(0.45, dp)};
    const double depth = (fluid.z1 - fluid.z0) * dp;
    DamBreak dam;
    dam.setup.constants = constants_for(dp, depth, integrator);
    const double margin = 0.05 * dam.setup.constants.h, top = -0.05 + column.z1 * dp, bottom = -0.05 + tank.z0 * dp;
    dam.setup.domain.min = {-0.05 + tank.x0 * dp - margin, -0.05 + tank.y0 * dp - margin, bottom - margin};
    dam.setup.domain.max = {-0.05 + tank.x1 * dp + margin, -0.05 + tank.y1 * dp + margin,
                            top + 0.5 * (top - bottom) + margin};
    Builder builder(dam);
    const auto for_each = [](const PlaneBox& box, auto&& use) {
        for (int z = box.z0; z <= box.z1; ++z)
            for (int y = box.y0; y <= box.y1; ++y)
                for (int x = box.x0; x <= box.x1; ++x) use(x, y, z);
    };
    for_each(tank, [&](int x, int y, int z) {
        const bool floor = z == tank.z0 && !column.holds(x, y, z);
        if (floor || tank.has_on_side(x, y, z)) builder.add(x, y, z, 1000);
    });
    for_each(column, [&](int x, int y, int z) {
        if (column.has_on_side(x, y, z)) builder.add(x, y, z, 1000);
    });
    builder.boundary_ends();
    for_each(fluid, [&](int x, int y, int z) { builder.add(x, y, z, builder.density_at((fluid.z1 - z) * dp)); });
    builder.finish();
    return dam;
}

DamBreak make_large_tank(double particles) {
    const int side = static_cast<int>(std::cbrt(particles / 2)), length = 2 * side;
    const double dp = 1.0 / side;
    DamBreak tank;
    tank.setup.constants = constants_for(dp, 1, sph::Integrator::verlet);
    const double margin = 2 * tank.setup.constants.h;
    tank.setup.domain.min = {-0.05 - margin, -0.05 - margin, -0.05 - margin};
    tank.setup.domain.max = {-0.05 + (length - 1) * dp + margin, -0.05 + (side - 1) * dp + margin,
                             -0.05 + (side - 1) * dp + margin};
    Builder builder(tank);
    const auto reserve = static_cast<std::size_t>(side) * side * length;
    tank.state.id.reserve(reserve);
    tank.state.position.reserve(reserve);
    tank.state.density.reserve(reserve);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < length; ++x) builder.add(x, y, 0, 1000);
    builder.boundary_ends();
    for (int z = 1; z < side; ++z) {
        const float density = builder.density_at((side - 1 - z) * dp);
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < length; ++x) builder.add(x, y, z, density);
    }
    builder.finish();
    return tank;
}

DamBreak make_full_tank(double dp, int layers, double speed) {
    const Vec3i water{static_cast<int>(1.6 / dp) - 1, static_cast<int>(0.67 / dp) - 1, static_cast<int>(0.4 / dp) - 1};
    DamBreak tank;
    sph::Constants& c = tank.setup.constants = constants_for(dp, water.z * dp, sph::Integrator::verlet);
    c.kernel = sph::KernelType::wendland;
    c.h = sph::smoothing_length(1.2, dp, false);
    c.alpha = 0.02;
    sph::derive(c);
    const double half = 0.5 * dp, margin = (layers + 0.5) * dp;
    const Vec3d size = dp * Vec3d{double(water.x), double(water.y), double(water.z)};
    tank.setup.domain.min = {-margin, -margin, -margin}; // the corner of the water is the origin
    tank.setup.domain.max = size + Vec3d{margin, margin, margin};
    Builder builder(tank);
    const auto add = [&](int x, int y, int z, float density) {
        builder.add(x, y, z, density);
        tank.state.position.back() = Vec3d{half + x * dp, half + y * dp, half + z * dp} - tank.setup.domain.min;
    };
    const auto to_surface = [&](int at, int count) { // along one axis
        return static_cast<float>(at < 0 ? -half - at * dp : at >= count ? (count - at) * dp - half : 0);
    };
    for (int z = -layers; z < water.z + layers; ++z)
        for (int y = -layers; y < water.y + layers; ++y)
            for (int x = -layers; x < water.x + layers; ++x) {
                const Vec3f normal{to_surface(x, water.x), to_surface(y, water.y), to_surface(z, water.z)};
                if (!is_extrapolated(normal)) continue;
                add(x, y, z, builder.density_at(size.z - half - z * dp));
                tank.setup.normals.push_back(normal);
            }
    builder.boundary_ends();
    for (int z = 0; z < water.z; ++z)
        for (int y = 0; y < water.y; ++y)
            for (int x = 0; x < water.x; ++x) add(x, y, z, builder.density_at(size.z - half - z * dp));
    builder.finish();
    constexpr double pi = 3.14159265358979323846;
    ParticleState& s = tank.state;
    for (std::size_t i = tank.setup.groups.boundary_count(); i < s.size(); ++i) {
        const Vec3d at = s.position[i] + tank.setup.domain.min;
        const double x = pi * at.x / size.x, z = pi * at.z / size.z;
        s.velocity[i] = s.velocity_previous[i] =
            vec_cast<float>(speed * Vec3d{std::sin(x) * std::cos(z), 0, -size.z / size.x * std::cos(x) * std::sin(z)});
    }
    return tank;
}

} // namespace sluice
