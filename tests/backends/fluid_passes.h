// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/extrapolated_walls.h"

// What needs a further pass over the fluid, for every backend: the sub-particle-scale model, particle shifting and the
// density diffusion of renormalised gradients; and what changes the terms of the pass that there is, a viscosity in
// time and the acoustic damper.

namespace sluice::passes {

using clouds::Choice;
using clouds::Cloud;

/// Turns on the sub-particle-scale model and makes the flow so fast that its stresses count.
inline Cloud turbulent(Cloud cloud) {
    cloud.setup.constants.viscosity = sph::ViscosityModel::laminar_sps;
    cloud.setup.constants.nu = 1e-3;
    cloud.setup.constants.rho_out_min = 10;
    cloud.setup.constants.rho_out_max = 1e5;
    for (std::size_t i = 0; i < cloud.state.size(); ++i)
        if (cloud.setup.groups.is_fluid(cloud.state.id[i]))
            cloud.state.velocity[i] = cloud.state.velocity_previous[i] = 12.0f * cloud.state.velocity[i];
    return cloud;
}

/// The fluid becomes two generalised Newtonian ones, half of its particles each.
/// `times`: as thick as they are usually.
inline Cloud thick(Cloud cloud, double times = 1) {
    std::vector<ParticleGroup> groups = cloud.setup.groups.all();
    ParticleGroup rest = groups.back();
    groups.back().count /= 2;
    rest.begin += groups.back().count;
    rest.count -= groups.back().count;
    ++rest.mk, ++rest.mk_type;
    groups.push_back(rest);
    cloud.setup.groups = ParticleGroups(groups);
    Rheology mud, melt;
    mud.consistency = 1e-3;
    mud.exponent = 0.6;
    mud.yield = 1e-2;
    mud.regularisation = 0.5;
    melt.law = RheologyLaw::carreau_yasuda;
    melt.consistency = 8e-3;
    melt.fast = 5e-4;
    melt.relaxation = 0.2;
    melt.exponent = 0.4;
    cloud.setup.rheologies = {mud, melt};
    for (Rheology& fluid : cloud.setup.rheologies)
        fluid.consistency *= times, fluid.yield *= times, fluid.fast *= times;
    sph::Constants& c = cloud.setup.constants;
    c.viscosity = sph::ViscosityModel::apparent;
    for (const Rheology& fluid : cloud.setup.rheologies)
        c.nu = std::max(c.nu, sph::greatest_viscosity(fluid, sph::greatest_rate(c)));
    return cloud;
}

/// The fluid becomes two of different density, speed of sound, exponent and viscosity.
inline Cloud layered(Cloud cloud, bool is_thick = false) {
    cloud = thick(cloud);
    if (!is_thick) cloud.setup.rheologies.clear(), cloud.setup.constants.viscosity = sph::ViscosityModel::artificial;
    sph::Constants& c = cloud.setup.constants;
    c.pressure_form = sph::PressureForm::product;
    const double slow = c.viscosity == sph::ViscosityModel::artificial ? 0.3 : 1e-3;
    cloud.setup.fluids = {{c.rho0, c.c0, c.gamma, 0.1}, {0.2 * c.rho0, 1.5 * c.c0, 1.4, slow, 5}};
    return cloud;
}

/// Two such fluids with surface tension.
inline Cloud tense(Cloud cloud, double tension) {
    cloud.setup.fluids[0].tension = tension;
    cloud.setup.fluids[1].tension = 0.5 * tension;
    return cloud;
}

inline Cloud shifting(Cloud cloud, sph::Shifting which, double threshold) {
    cloud.setup.constants.shifting = which;
    cloud.setup.constants.shift_coefficient = -20;
    cloud.setup.constants.shift_threshold = threshold;
    return cloud;
}

/// Advanced shifting, which goes with the speed of sound; `follows`: densities follow it.
inline Cloud shifting_along_surfaces(Cloud cloud, bool follows = true) {
    cloud.setup.constants.shift_follows = follows;
    cloud.setup.constants.shifting = sph::Shifting::along_surfaces;
    cloud.setup.constants.shift_coefficient = -0.2;
    return cloud;
}

/// Shifts in a box that is not upright and holds a part of the fluid only.
inline Cloud zoned(Cloud cloud) {
    cloud = shifting(cloud, sph::Shifting::everywhere, 0);
    const Vec3d size = cloud.setup.domain.max - cloud.setup.domain.min;
    const double share = 1 / (0.5 * size.x);
    cloud.setup.shift_zones = {{{}, {{share, 0, 0.1 * share}, {}, {-0.03 * share, 0, share}}}};
    return cloud;
}

/// A viscosity that rises a hundredfold while the steps are taken, and falls.
inline Cloud thickening(Cloud cloud) {
    cloud.setup.viscosity = {{1e-4, 0.01}, {7e-4, 1}, {1.2e-3, 0.1}};
    cloud.setup.constants = sph::with_viscosity(cloud.setup.constants, 1);
    return cloud;
}

/// Turns on the density diffusion of renormalised gradients.
inline Cloud renormalised(Cloud cloud) {
    cloud.setup.constants.diffusion = sph::DensityDiffusion::renormalised;
    cloud.setup.constants.delta = 0.2;
    return cloud;
}

/// Turns on the acoustic damper.
inline Cloud damped(Cloud cloud) {
    cloud.setup.constants.acoustic_damping = 0.8;
    return cloud;
}

/// A cloud and what the oracle makes of it in 12 steps.
struct Course {
    std::string name;
    Cloud cloud;
    oracle::State end;
};

inline std::vector<std::pair<std::string, Cloud>> all_clouds(Vec3i count) {
    std::vector<std::pair<std::string, Cloud>> all;
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const bool two_d = integrator == sph::Integrator::verlet;
        const std::string how = two_d ? "verlet_2d" : "symplectic_3d";
        Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator, two_d};
        all.emplace_back("turbulent_" + how, turbulent(moving::floating_cloud(choice, count)));
        all.emplace_back("off_resting_walls_" + how,
                         shifting(moving::moving_cloud(choice, count), sph::Shifting::off_resting_walls, 0));
        all.emplace_back("along_surfaces_" + how, shifting_along_surfaces(clouds::make_cloud(choice, count)));
        all.emplace_back("zoned_" + how, zoned(clouds::make_cloud(choice, count)));
        all.emplace_back("thickening_" + how, thickening(moving::floating_cloud(choice, count)));
        all.emplace_back("renormalised_" + how, renormalised(moving::floating_cloud(choice, count)));
        choice.viscosity = sph::ViscosityModel::laminar;
        all.emplace_back("thickening_laminar_" + how, thickening(clouds::make_cloud(choice, count)));
        choice.viscosity = sph::ViscosityModel::artificial;
        choice.kernel = sph::KernelType::cubic_spline;
        all.emplace_back("turbulent_periodic_" + how,
                         turbulent(clouds::make_periodic_cloud(choice, count, "x", {0, 0, 0.002})));
        all.emplace_back("everywhere_" + how, shifting(clouds::make_periodic_cloud(choice, count, "x"),
                                                       sph::Shifting::everywhere, two_d ? 1.5 : 2));
        if (!two_d) {
            all.emplace_back("along_surfaces_alone_" + how,
                             shifting_along_surfaces(clouds::make_cloud(choice, count), false));
            all.emplace_back("damped_periodic_" + how,
                             damped(clouds::make_periodic_cloud(choice, count, "x", {0, 0, 0.002})));
            all.emplace_back("damped_floating_" + how, damped(moving::floating_cloud(choice, count)));
            Cloud walls = damped(turbulent(moving::moving_cloud(choice, count)));
            extrapolated::add_normals(walls, sph::SlipMode::wall, 5);
            all.emplace_back("damped_walls_" + how, walls);
        }
        all.emplace_back("renormalised_periodic_" + how,
                         renormalised(clouds::make_periodic_cloud(choice, count, "x", {0, 0, 0.002})));
        all.emplace_back("along_surfaces_periodic_" + how,
                         shifting_along_surfaces(clouds::make_periodic_cloud(choice, count, "x")));
        choice.two_d = !two_d;
        if (!two_d) all.emplace_back("damped_symplectic_2d", damped(clouds::make_cloud(choice, count)));
        all.emplace_back("off_walls_" + how,
                         shifting(turbulent(clouds::make_cloud(choice, count)), sph::Shifting::off_walls, 0.5));
    }
    return all;
}

/// Generalised Newtonian fluids, and several of different density.
inline std::vector<std::pair<std::string, Cloud>> thick_clouds(Vec3i count) {
    const Choice flat{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet, true},
        deep{sph::KernelType::cubic_spline, sph::DensityDiffusion::none, sph::Integrator::symplectic, false};
    Cloud walls = thick(moving::moving_cloud(deep, count));
    extrapolated::add_normals(walls, sph::SlipMode::no_slip, 5);
    return {{"so_thick_that_it_limits_steps", thick(clouds::make_cloud(flat, count), 1000)},
            {"thick_2d", thick(clouds::make_cloud(flat, count))},
            {"thick_periodic", thick(clouds::make_periodic_cloud(flat, count, "x", {0, 0, 0.002}))},
            {"thick_between_walls", walls},
            {"layered_2d", layered(clouds::make_cloud(flat, count))},
            {"layered_floating", layered(moving::floating_cloud(deep, count))},
            {"layered_turbulent", turbulent(layered(moving::moving_cloud(deep, count)))},
            {"layered_thick_periodic", layered(clouds::make_periodic_cloud(flat, count, "x", {0, 0, 0.002}), true)}};
}

/// Surface tension, which GPUs do not compute yet.
inline std::vector<std::pair<std::string, Cloud>> tense_clouds(Vec3i count) {
    const Choice flat{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet, true},
        deep{sph::KernelType::cubic_spline, sph::DensityDiffusion::none, sph::Integrator::symplectic, false};
    return {{"tense_2d", tense(layered(clouds::make_cloud(flat, count)), 20)},
            {"tense_turbulent", tense(turbulent(layered(moving::floating_cloud(deep, count))), 20)},
            {"tense_thick_periodic",
             tense(layered(clouds::make_periodic_cloud(flat, count, "x", {0, 0, 0.002}), true), 20)}};
}

inline std::vector<Course> courses_of(const std::vector<std::pair<std::string, Cloud>>& clouds) {
    std::vector<Course> courses;
    for (const auto& [name, cloud] : clouds) {
        Course course{name, cloud, oracle::to_double(cloud.state)};
        for (int n = 0; n < 12; ++n) oracle::step(course.cloud.setup, course.end);
        courses.push_back(course);
    }
    return courses;
}

inline const std::vector<Course>& oracle_courses() {
    static const std::vector<Course> all = courses_of(all_clouds({8, 5, 4}));
    return all;
}
inline const std::vector<Course>& thick_courses() {
    static const std::vector<Course> all = courses_of(thick_clouds({8, 5, 4}));
    return all;
}
inline const std::vector<Course>& tense_courses() {
    static const std::vector<Course> all = courses_of(tense_clouds({8, 5, 4}));
    return all;
}

/// Steps follow the oracle; `make_backend(cloud)` makes a backend that has taken over the cloud's state.
template <class MakeBackend>
void expect_oracle_steps(const MakeBackend& make_backend, const std::vector<Course>& courses = oracle_courses()) {
    for (const Course& course : courses) {
        const RunSetup& setup = course.cloud.setup;
        const auto backend = make_backend(course.cloud);
        take_steps(*backend, 12);
        const StateErrors errors = state_errors(course.end, backend->state(), setup.constants.dp, setup.period);
        EXPECT_LT(errors.position, 5e-5) << course.name;
        EXPECT_LT(errors.velocity, 1e-3) << course.name;
        EXPECT_LT(errors.density, 0.1) << course.name;
        expect_same_work(course.end, backend->state(), setup, course.name);
        // and what is tested has an effect that is far larger
        Cloud without = course.cloud;
        if (!setup.shift_zones.empty())
            without.setup.shift_zones.clear();
        else
            without.setup.constants.shifting = sph::Shifting::none, without.setup.constants.shift_follows = false;
        without.setup.viscosity.clear();
        without.setup.constants.acoustic_damping = 0;
        if (setup.constants.diffusion == sph::DensityDiffusion::renormalised)
            without.setup.constants.diffusion = sph::DensityDiffusion::none;
        if (setup.constants.viscosity == sph::ViscosityModel::laminar_sps)
            without.setup.constants.viscosity = sph::ViscosityModel::laminar;
        if (setup.fluids.empty() || setup.fluids[0].tension == 0)
            without.setup.fluids.clear();
        else
            for (FluidProperties& fluid : without.setup.fluids) fluid.tension = 0;
        for (Rheology& fluid : without.setup.rheologies) fluid.yield = 0, fluid.consistency = fluid.fast = 1e-6;
        const auto other = make_backend(without);
        take_steps(*other, 12);
        const StateErrors effect = state_errors(course.end, other->state(), setup.constants.dp, setup.period);
        EXPECT_GT(effect.position + effect.velocity, 4e-3) << course.name;
    }
}

/// The clouds that runs are repeated and resumed with.
inline std::vector<Cloud> clouds_to_resume(Vec3i count) {
    std::vector<Cloud> all;
    for (auto& [name, cloud] : all_clouds(count)) all.push_back(cloud);
    return all;
}

} // namespace sluice::passes
