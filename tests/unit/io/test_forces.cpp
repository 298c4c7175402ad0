// SPDX-License-Identifier: Apache-2.0
#include "io/measures/forces.h"
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "sample.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr double dp = 0.02;

sph::Constants constants() {
    sph::Constants c;
    c.two_d = true;
    c.dp = dp;
    c.h = sph::smoothing_length(1.2, dp, true);
    c.gravity = {0, 0, -9.81};
    c.c0 = 60;
    sph::derive(c);
    return c;
}

/// A wide layer of water, 0.4 m deep, on a floor of four rows, with the densities of still water throughout.
struct Layer {
    Layer() {
        for (int k = -3; k <= 20; ++k) {
            if (k == 1) boundary = static_cast<std::uint32_t>(frame.size());
            for (int i = 0; i < 100; ++i) add({i * dp, 0, k * dp});
        }
    }
    void add(const Vec3d& p) {
        const sph::EquationOfState<double> eos(constants());
        const double depth = 0.41 - p.z;
        frame.id.push_back(static_cast<std::uint32_t>(frame.size()));
        frame.position.push_back(p);
        frame.velocity.push_back({});
        frame.density.push_back(static_cast<float>(eos.density(1000 * 9.81 * depth)));
        frame.pressure.push_back(static_cast<float>(1000 * 9.81 * depth));
    }
    Frame frame;
    std::uint32_t boundary = 0;

    ParticleGroups groups() const {
        return ParticleGroups::of(boundary, static_cast<std::uint32_t>(frame.size()) - boundary);
    }
};

} // namespace

TEST(forces, a_floor_carries_the_water_above_it) {
    const Layer layer;
    const std::vector<ParticleBlock> floor{{{11, 0, ParticleType::fixed, 0, layer.boundary}, {}, {}, {}}};
    const Vec3d force = load_on_boundary(FluidInterpolator(layer.frame, layer.groups(), constants()), floor).force;
    // ρ g × depth × width of the layer
    EXPECT_NEAR(force.z, -1000 * 9.81 * 0.4 * 2, 0.03 * 1000 * 9.81 * 0.4 * 2);
    EXPECT_NEAR(force.x, 0, 1e-3);
    EXPECT_EQ(force.y, 0);
}

TEST(forces, laminar_friction_is_part_of_it) {
    // Water that shears along its floor, v = rate z: on each metre of floor acts ρ ν rate. The particles of the floor
    // move as the water would below it, so that sums over pairs across the plane between both see an even shear.
    constexpr double rate = 10, nu = 0.01;
    Layer layer;
    for (std::size_t i = 0; i < layer.frame.size(); ++i)
        layer.frame.velocity[i] = {static_cast<float>(rate * (layer.frame.position[i].z - dp / 2)), 0, 0};
    // forces along lines of centres feel the square lattice: a shear along its rows is 8.5 % too weak
    for (const auto& [viscosity, error] :
         {std::pair(sph::ViscosityModel::laminar, 0.03), {sph::ViscosityModel::laminar_central, 0.1}}) {
        sph::Constants laminar = constants();
        laminar.viscosity = viscosity;
        laminar.nu = nu;
        sph::derive(laminar);
        const std::vector<ParticleBlock> floor{{{11, 0, ParticleType::fixed, 0, layer.boundary}, {}, {}, {}}};
        const auto force = [&](const sph::Constants& c) {
            return load_on_boundary(FluidInterpolator(layer.frame, layer.groups(), c), floor).force;
        };
        const double expected = 1000 * nu * rate * 2;
        EXPECT_NEAR(force(laminar).x, expected, error * expected);
        laminar.nu = 0;
        EXPECT_NEAR(force(laminar).x, 0, 1e-3);
        laminar.boundary_viscosity_factor = 2;
        laminar.nu = nu;
        EXPECT_NEAR(force(laminar).x, 2 * expected, error * 2 * expected);
    }
}

TEST(forces, blocks_add_up) {
    const Layer layer;
    const std::uint32_t half = layer.boundary / 2;
    const ParticleBlock low{{11, 0, ParticleType::fixed, 0, half}, {}, {}, {}};
    const ParticleBlock high{{12, 1, ParticleType::fixed, half, layer.boundary - half}, {}, {}, {}};
    const ParticleBlock both{{13, 2, ParticleType::fixed, 0, layer.boundary}, {}, {}, {}};
    const auto z = [&](const std::vector<ParticleBlock>& blocks) {
        return load_on_boundary(FluidInterpolator(layer.frame, layer.groups(), constants()), blocks).force.z;
    };
    EXPECT_NEAR(z({low}) + z({high}), z({both}), 1e-6);
    EXPECT_NEAR(z({low, high}), z({both}), 1e-6);
}

TEST(forces, the_moment_is_that_of_the_resultant) {
    const Layer layer;
    const std::vector<ParticleBlock> floor{{{11, 0, ParticleType::fixed, 0, layer.boundary}, {}, {}, {}}};
    const FluidInterpolator fluid(layer.frame, layer.groups(), constants());
    const double middle = 99 * dp / 2; // of the layer, where the resultant stands
    const auto [force, moment] = load_on_boundary(fluid, floor);
    EXPECT_NEAR(moment.y, -middle * force.z, 1e-3 * std::abs(middle * force.z));
    EXPECT_EQ(moment.x, 0);
    EXPECT_NEAR(load_on_boundary(fluid, floor, {middle, 0, 0}).moment.y, 0, 1e-3 * std::abs(middle * force.z));
    // M about another point: M + (x_0 − x_1) × F
    const Load other = load_on_boundary(fluid, floor, {0.5, 0, 2});
    EXPECT_NEAR(other.moment.y, moment.y + 0.5 * force.z - 2 * force.x, 1e-6 * std::abs(moment.y));
}
