// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "model/choices.h"
#include "model/derive.h"
#include <cmath>
#include <random>
#include <string>

// Random particles for comparing backends: a jittered lattice of fluid over a floor and beside a wall, with random
// velocities and densities, so that every term of every pair is at work.

namespace sluice::clouds {

/// A formulation to test.
struct Choice {
    sph::KernelType kernel = sph::KernelType::cubic_spline;
    sph::DensityDiffusion diffusion = sph::DensityDiffusion::none;
    sph::Integrator integrator = sph::Integrator::verlet;
    bool two_d = false;
    double gamma = 7;
    sph::ViscosityModel viscosity = sph::ViscosityModel::artificial;
    sph::PressureForm pressure_form = sph::PressureForm::squares;

    std::string name() const {
        return std::string(name_of(kernel)) + "_ddt" + std::to_string(int(diffusion)) +
               (integrator == sph::Integrator::verlet       ? "_verlet"
                : integrator == sph::Integrator::symplectic ? "_symplectic"
                                                            : "_staggered") +
               (two_d ? "_2d" : "_3d") + (gamma == 7 ? "" : "_gamma" + std::to_string(int(gamma * 10))) +
               (viscosity == sph::ViscosityModel::laminar           ? "_laminar"
                : viscosity == sph::ViscosityModel::laminar_central ? "_central"
                                                                    : "") +
               (pressure_form == sph::PressureForm::product ? "_product" : "");
    }
};

/// All kernels × density diffusions × dimensions, with γ = 7; laminar viscosities, and pressures over the product of
/// densities, once in every kernel and dimension. Of kernels of higher order two each.
inline std::vector<Choice> all_choices() {
    std::vector<Choice> all;
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
        for (int diffusion = 0; diffusion <= 3; ++diffusion)
            for (const bool two_d : {false, true})
                for (const auto viscosity : {sph::ViscosityModel::artificial, sph::ViscosityModel::laminar,
                                             sph::ViscosityModel::laminar_central})
                    for (const auto form : {sph::PressureForm::squares, sph::PressureForm::product})
                        if (diffusion == (two_d ? 0 : 2) ||
                            (viscosity == sph::ViscosityModel::artificial && form == sph::PressureForm::squares))
                            all.push_back({kernel, sph::DensityDiffusion(diffusion), sph::Integrator::verlet, two_d, 7,
                                           viscosity, form});
    for (const auto kernel : {sph::KernelType::wendland_c4, sph::KernelType::wendland_c6})
        for (const bool two_d : {false, true})
            all.push_back({kernel, two_d ? sph::DensityDiffusion::none : sph::DensityDiffusion::fourtakas,
                           sph::Integrator::verlet, two_d, 7,
                           two_d ? sph::ViscosityModel::laminar : sph::ViscosityModel::artificial});
    return all;
}

struct Cloud {
    RunSetup setup;
    ParticleState state;
};

inline sph::Constants make_constants(const Choice& choice, double dp) {
    sph::Constants c;
    c.kernel = choice.kernel;
    c.diffusion = choice.diffusion;
    c.integrator = choice.integrator;
    c.two_d = choice.two_d;
    c.gamma = choice.gamma;
    c.dp = dp;
    c.h = sph::smoothing_length(1, dp, choice.two_d);
    c.gravity = {0, 0, -9.81};
    c.c0 = 30;
    c.viscosity = choice.viscosity;
    c.pressure_form = choice.pressure_form;
    c.alpha = 0.1;
    c.nu = choice.viscosity == sph::ViscosityModel::artificial ? 0 : 0.02;
    c.boundary_viscosity_factor = 1.5;
    sph::derive(c);
    return c;
}

/// Fluid of nx×ny×nz particles over a floor and right of a wall; `offset` moves them all inside a domain that reaches
/// from the origin to past them.
inline Cloud make_cloud(const Choice& choice, Vec3i count, unsigned seed = 1, Vec3d offset = {}) {
    const double dp = 0.01;
    Cloud cloud;
    cloud.setup.constants = make_constants(choice, dp);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const int ny = choice.two_d ? 1 : count.y;
    const double margin = 0.2;
    const auto add = [&](int x, int y, int z, bool fluid) {
        const double jitter = fluid ? 0.2 * dp : 0;
        Vec3d r{margin + x * dp + jitter * unit(random), choice.two_d ? 0.01 : margin + y * dp + jitter * unit(random),
                margin + z * dp + jitter * unit(random)};
        cloud.state.id.push_back(static_cast<std::uint32_t>(cloud.state.id.size()));
        cloud.state.position.push_back(r + offset);
        const float v = fluid ? 0.5f : 0.0f;
        cloud.state.velocity.push_back(
            {v * float(unit(random)), choice.two_d ? 0 : v * float(unit(random)), v * float(unit(random))});
        cloud.state.density.push_back(float(1000 + (fluid ? 4 * unit(random) : 2 + 2 * unit(random))));
    };
    for (int x = -1; x < count.x; ++x)
        for (int y = 0; y < ny; ++y) add(x, y, -1, false);
    for (int z = 0; z < count.z; ++z)
        for (int y = 0; y < ny; ++y) add(-1, y, z, false);
    const auto walls = static_cast<std::uint32_t>(cloud.state.id.size());
    for (int z = 0; z < count.z; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < count.x; ++x) add(x, y, z, true);
    cloud.setup.groups = ParticleGroups::of(walls, static_cast<std::uint32_t>(cloud.state.id.size()) - walls);
    cloud.state.velocity_previous = cloud.state.velocity;
    cloud.state.density_previous = cloud.state.density;
    cloud.setup.domain.min = {-3, 5, 1};
    const Vec3d extent{count.x * dp + 2 * margin, choice.two_d ? 0.02 : count.y * dp + 2 * margin,
                       count.z * dp + 2 * margin};
    cloud.setup.domain.max = cloud.setup.domain.min + extent + offset;
    return cloud;
}

/// Fluid of nx×ny×nz particles in a domain that is periodic along the axes named in `axes` ("x", "yz" …), over a floor
/// unless z is one of them; `step`: added where a particle leaves through the upper face of x, m.
inline Cloud make_periodic_cloud(const Choice& choice, Vec3i count, const std::string& axes, Vec3d step = {},
                                 unsigned seed = 1) {
    const double dp = 0.01, margin = 0.2;
    Cloud cloud;
    cloud.setup.constants = make_constants(choice, dp);
    if (choice.two_d) count.y = 1;
    Vec3d size, corner;
    for (int axis = 0; axis < 3; ++axis) {
        const bool periodic = axes.find("xyz"[axis]) != std::string::npos;
        size[axis] = count[axis] * dp + (periodic ? 0 : 2 * margin);
        corner[axis] = periodic ? 0.5 * dp : margin;
        cloud.setup.period.periodic[axis] = periodic;
        if (periodic) cloud.setup.period.shift[axis][axis] = size[axis];
    }
    if (cloud.setup.period.periodic[0]) cloud.setup.period.shift[0] = cloud.setup.period.shift[0] - step;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto add = [&](int x, int y, int z, bool fluid) {
        const double jitter = fluid ? 0.2 * dp : 0;
        const Vec3d noise{jitter * unit(random), choice.two_d ? 0 : jitter * unit(random), jitter * unit(random)};
        const float v = fluid ? 0.5f : 0.0f;
        ParticleState& s = cloud.state;
        s.id.push_back(static_cast<std::uint32_t>(s.id.size()));
        s.position.push_back(corner + Vec3d{x * dp, y * dp, z * dp} + noise);
        s.velocity.push_back(
            {v * float(unit(random)), choice.two_d ? 0 : v * float(unit(random)), v * float(unit(random))});
        s.density.push_back(float(1000 + (fluid ? 4 * unit(random) : 2 + 2 * unit(random))));
    };
    if (!cloud.setup.period.periodic[2])
        for (int y = 0; y < count.y; ++y)
            for (int x = 0; x < count.x; ++x) add(x, y, -1, false);
    const auto walls = static_cast<std::uint32_t>(cloud.state.size());
    for (int z = 0; z < count.z; ++z)
        for (int y = 0; y < count.y; ++y)
            for (int x = 0; x < count.x; ++x) add(x, y, z, true);
    cloud.setup.groups = ParticleGroups::of(walls, static_cast<std::uint32_t>(cloud.state.size()) - walls);
    cloud.state.velocity_previous = cloud.state.velocity;
    cloud.state.density_previous = cloud.state.density;
    cloud.setup.domain.min = {-3, 5, 1};
    cloud.setup.domain.max = cloud.setup.domain.min + size;
    return cloud;
}

/// Which sides of a cloud are periodic.
struct Sides {
    const char* axes;
    bool two_d = false;
    Vec3d step = {};
};
/// Every way that a run can be periodic.
inline const std::vector<Sides> periodic_sides{{"x"},
                                               {"y"},
                                               {"z"},
                                               {"xy"},
                                               {"xz"},
                                               {"yz"},
                                               {"xyz"},
                                               {"x", true},
                                               {"xz", true},
                                               {"x", false, {0, 0, 0.013}},
                                               {"x", true, {0, 0, 0.013}}};

/// A drop of fluid alone: no walls, no gravity, no domain in reach.
inline Cloud make_blob(const Choice& choice, int diameter) {
    Cloud cloud = make_cloud(choice, {diameter, diameter, diameter}, 7);
    const std::uint32_t walls = cloud.setup.groups.boundary_count();
    const auto drop = [&](auto& values) { values.erase(values.begin(), values.begin() + walls); };
    drop(cloud.state.position);
    drop(cloud.state.velocity);
    drop(cloud.state.velocity_previous);
    drop(cloud.state.density);
    drop(cloud.state.density_previous);
    cloud.state.id.resize(cloud.state.position.size());
    cloud.setup.groups = ParticleGroups::of(0, static_cast<std::uint32_t>(cloud.state.id.size()));
    cloud.setup.constants.gravity = {};
    return cloud;
}

} // namespace sluice::clouds
