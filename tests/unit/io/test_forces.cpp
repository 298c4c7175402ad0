// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/frames/frame_writer.h"
#include "io/measures/forces.h"
#include "io/records/run_json.h"
#include "model/derive.h"
#include "physics/sph/equation_of_state.h"
#include "sample.h"
#include "temporary_folder.h"

#include <algorithm>
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

/// Frames of the layer, whose floor is mkbound 0 at x < 1 m (fixed) and mkbound 1 beyond, which in frame 1 has moved by
/// 0.3 mm and turned by 1e-3 about y.
struct LayerRun {
    LayerRun() {
        ParticleSet set;
        set.dp = dp;
        set.two_d = true;
        set.boundary_count = layer.boundary;
        // ids go up along x first, so that the two halves of a row take turns: sort the floor by x
        std::stable_sort(layer.frame.position.begin(), layer.frame.position.begin() + layer.boundary,
                         [](const Vec3d& a, const Vec3d& b) { return a.x < b.x; });
        for (std::uint32_t i = 0; i < layer.boundary; ++i) {
            const sph::EquationOfState<double> eos(constants());
            layer.frame.density[i] = static_cast<float>(eos.density(9810 * (0.41 - layer.frame.position[i].z)));
        }
        set.position = layer.frame.position;
        set.velocity = layer.frame.velocity;
        const std::uint32_t half = layer.boundary / 2, all = set.size();
        set.blocks = {{{11, 0, ParticleType::fixed, 0, half}, {}, {}, {}},
                      {{12, 1, ParticleType::moving, half, layer.boundary - half}, {}, {}, {}},
                      {{1, 0, ParticleType::fluid, layer.boundary, all - layer.boundary}, {}, {}, {}}};
        FrameWriter writer(folder.path(), set, {.positions_double = true});
        Frame frame = layer.frame;
        writer.write(frame);
        for (std::uint32_t i = half; i < layer.boundary; ++i) frame.position[i] = moved(frame.position[i]);
        frame.number = 1;
        frame.time = 0.5;
        writer.write(frame);
        RunSummary summary;
        summary.constants = constants();
        write_run_json(folder.path() / "run.json", summary);
        job.dir = folder.path();
        job.out = folder.path() / "forces.csv";
    }
    static Vec3d moved(const Vec3d& p) {
        const double angle = 1e-3, c = std::cos(angle), s = std::sin(angle);
        return {c * (p.x - 1.5) + s * p.z + 1.5003, p.y, -s * (p.x - 1.5) + c * p.z};
    }
    CsvTable table(const ForcedParticles& particles) {
        job.particles = particles;
        write_forces(job);
        return read_csv(job.out);
    }
    Layer layer;
    TemporaryFolder folder;
    ForcesJob job;
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

TEST(forces, of_boxes_and_ids_add_up_to_those_of_the_mk) {
    LayerRun run;
    const auto force = [&](const ForcedParticles& particles, std::size_t frame) {
        return run.table(particles).numbers("fz [N/m]").at(frame);
    };
    const Box left{{-1, 5, -1}, {1.5, 6, 1}}, right{{1.5001, 5, -1}, {9, 6, 1}}; // in 2-D y does not count
    const double whole = force({.mk_bound = 1}, 1);
    EXPECT_NEAR(force({.mk_bound = 1, .box = left}, 1) + force({.mk_bound = 1, .box = right}, 1), whole, 1e-3);
    EXPECT_NEAR(force({.box = left}, 0), -9810 * 0.4 * 1.51, 0.03 * 9810 * 0.4 * 1.51) << "of both mks";
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = run.layer.boundary / 2; id < run.layer.boundary; ++id) ids.push_back(id);
    EXPECT_EQ(force({.ids = ids}, 1), whole);
    EXPECT_EQ(force({.mk_bound = 1, .ids = {0, ids[0]}}, 1), force({.ids = {ids[0]}}, 1));
    const std::vector<std::string> usual{"time [s]", "frame",  "fx [N/m]", "fy [N/m]",
                                         "fz [N/m]", "mx [N]", "my [N]",   "mz [N]"};
    EXPECT_EQ(run.table({.mk_bound = 1}).columns, usual);
}

TEST(forces, that_name_no_particles_are_refused) {
    LayerRun run;
    EXPECT_THROW(run.table({}), InputError);
    EXPECT_THROW(run.table({.mk_bound = 5}), InputError);
    EXPECT_THROW(run.table({.box = Box{{5, 0, 5}, {6, 1, 6}}}), InputError);
    EXPECT_THROW(run.table({.ids = {run.layer.boundary}}), InputError) << "fluid";
    EXPECT_THROW(run.table({.mk_bound = 1, .ids = {0}}), InputError);
    run.job.moves_with = 0;
    EXPECT_THROW(run.table({.mk_bound = 1}), InputError) << "mkbound 0 is fixed";
    run.job.moves_with.reset();
    run.job.axis = MomentAxis{{0, 0, 0}, {0, 0, 0}};
    EXPECT_THROW(run.table({.mk_bound = 1}), InputError);
    EXPECT_FALSE(std::filesystem::exists(run.job.out));
}

TEST(forces, have_moments_about_axes_and_points_that_move) {
    LayerRun run;
    run.job.about = {0.5, 0, 0.2};
    run.job.axis = MomentAxis{{1.5, 3, 0}, {0, -2, 0}};
    CsvTable table = run.table({.mk_bound = 1});
    const auto at = [&](const char* column, std::size_t frame) { return table.numbers(column).at(frame); };
    for (std::size_t frame : {0u, 1u}) { // M + (x_0 − x_1) × F along −y
        const double about = at("my [N]", frame) + 0.2 * at("fx [N/m]", frame) + 1.0 * at("fz [N/m]", frame);
        EXPECT_NEAR(at("m_axis [N]", frame), -about, 1e-5 * std::abs(at("my [N]", frame))) << frame;
    }
    const double fixed_my = at("my [N]", 1), fixed_axis = at("m_axis [N]", 1);
    const double fx = at("fx [N/m]", 1), fz = at("fz [N/m]", 1);
    run.job.moves_with = 1;
    table = run.table({.mk_bound = 1});
    const Vec3d about = LayerRun::moved({0.5, 0, 0.2}), axis = LayerRun::moved({1.5, 3, 0});
    EXPECT_NEAR(at("about_x [m]", 0), 0.5, 1e-6);
    EXPECT_NEAR(at("about_x [m]", 1), about.x, 1e-6);
    EXPECT_NEAR(at("about_z [m]", 1), about.z, 1e-6);
    EXPECT_NEAR(at("my [N]", 1), fixed_my + (0.2 - about.z) * fx - (0.5 - about.x) * fz, 1e-5 * std::abs(fixed_my));
    EXPECT_NEAR(at("m_axis [N]", 1), fixed_axis - ((0 - axis.z) * fx - (1.5 - axis.x) * fz), 1e-5 * std::abs(fixed_my));
}
