// SPDX-License-Identifier: Apache-2.0
// Particles placed where the fast paths could go wrong. What every backend must do is in tests/backends.
#include "backends/compare.h"
#include "core/error.h"
#include "cpu/backend/cpu_backend.h"
#include "cpu/particles/particles.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

/// Calls `use(backend, name)` with a backend for every mode, cell size and instruction set.
template <class Use>
void for_each_way(const clouds::Cloud& cloud, const Use& use) {
    for (const auto& mode : cpu_modes)
        for (const auto& cells : cell_sizes)
            for (const SimdLevel& level : simd_levels()) {
                if (!level.available) continue;
                CpuOptions options;
                options.mode = mode.mode;
                options.cells = cells.mode;
                options.simd = level.name;
                options.threads = 2;
                use(*make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options),
                    std::string(mode.name) + " " + std::string(cells.name) + " " + level.name);
            }
}

void expect_oracle_rates(const clouds::Cloud& cloud) {
    for_each_way(cloud, [&](Backend& backend, const std::string& name) {
        const RateErrors errors = rate_errors(backend, cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << name;
        EXPECT_LT(errors.density, 1e-5) << name;
    });
}

/// Moves fluid particle n of a cloud.
void move_to(clouds::Cloud& cloud, std::uint32_t n, Vec3d position) {
    cloud.state.position[cloud.setup.groups.boundary_count() + n] = position;
}

} // namespace

TEST(CpuParticles, MoreNeighboursThanAHitListHolds) {
    auto cloud = clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}, {13, 12, 12});
    const Vec3d centre = cloud.state.position.back();
    std::mt19937 random(11);
    std::uniform_real_distribution<double> offset(-0.02, 0.02);
    for (std::uint32_t n = 0; n < 1700; ++n)
        move_to(cloud, n, centre + Vec3d{offset(random), offset(random), offset(random)});
    expect_oracle_rates(cloud);
}

TEST(CpuParticles, LonelyOnesAndGaps) {
    auto cloud = clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::molteni}, {5, 4, 3});
    const double h = cloud.setup.constants.h;
    const Vec3d base = cloud.state.position.back();
    // far apart in one row of cells, so that neighbours in the list are no neighbours in space
    for (std::uint32_t n = 0; n < 8; ++n) move_to(cloud, n, {0.005 + 0.05 * n, base.y, base.z + 0.1});
    move_to(cloud, 8, {0.005 + 1.9 * h, base.y, base.z + 0.1}); // just in reach of the first
    move_to(cloud, 9, {0.005 - 0.004, base.y, base.z + 0.1});
    expect_oracle_rates(cloud);
}

TEST(CpuParticles, CornersOfTheDomain) {
    auto cloud = clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas}, {5, 4, 3});
    const Vec3d size = cloud.setup.domain.max - cloud.setup.domain.min;
    std::uint32_t n = 0;
    for (const double x : {0.0, size.x})
        for (const double y : {0.0, size.y})
            for (const double z : {0.0, size.z}) {
                move_to(cloud, n++, {x, y, z});
                move_to(cloud, n++, {std::abs(x - 0.004), std::abs(y - 0.003), std::abs(z - 0.006)});
            }
    expect_oracle_rates(cloud);
}

TEST(CpuParticles, TwoAtTheSamePlace) {
    auto cloud = clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas}, {6, 5, 4});
    move_to(cloud, 17, cloud.state.position[cloud.setup.groups.boundary_count() + 16]);
    expect_oracle_rates(cloud);
}

/// A cloud that has walls beyond the last fluid along every axis, too.
clouds::Cloud enclosed_cloud(const clouds::Choice& choice, Vec3i count) {
    const auto inside = clouds::make_cloud(choice, count);
    const double dp = inside.setup.constants.dp;
    const std::uint32_t walls = inside.setup.groups.boundary_count();
    Vec3d last = inside.state.position.back();
    for (const Vec3d& p : inside.state.position)
        for (int axis = 0; axis < 3; ++axis) last[axis] = std::max(last[axis], p[axis]);
    clouds::Cloud cloud = inside;
    ParticleState& s = cloud.state;
    const auto insert = [&](auto& values, const auto& value) { values.insert(values.begin() + walls, value); };
    std::uint32_t added = 0;
    for (std::uint32_t i = walls; i < inside.state.size(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d p = inside.state.position[i];
            if (p[axis] < last[axis] - 0.9 * dp) continue;
            p[axis] = last[axis] + dp;
            insert(s.position, p);
            insert(s.velocity, Vec3f{});
            insert(s.velocity_previous, Vec3f{});
            insert(s.density, 1001.5f);
            insert(s.density_previous, 1001.5f);
            ++added;
        }
    s.id.resize(s.position.size());
    std::iota(s.id.begin(), s.id.end(), 0u);
    cloud.setup.set_groups(ParticleGroups::of(walls + added, inside.setup.groups.fluid_count()));
    return cloud;
}

TEST(CpuParticles, WallsBeyondTheLastFluid) {
    // heights for which the walls lie in rows of cells that hold no fluid, and for which they do not
    for (const int count : {6, 7, 8, 9})
        expect_oracle_rates(
            enclosed_cloud({sph::KernelType::wendland, sph::DensityDiffusion::molteni}, {count, count, count}));
}

TEST(CpuParticles, TheFarCornerOfTheDomainIsInACell) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> length(0.01, 0.1);
    int rounded_up = 0;
    for (int n = 0; n < 2000; ++n) {
        RunSetup setup;
        setup.constants.h = length(random);
        const double cell = 2 * setup.constants.h, side = std::nextafter((1 + n % 7) * cell, 0.0);
        setup.domain.max = {side, side, side};
        const cpu::Space space(setup, 1, 2);
        EXPECT_LT(space.key(setup.domain.max), space.cell_count());
        rounded_up += static_cast<int>(side * (1 / cell)) >= space.inner.x;
    }
    EXPECT_GT(rounded_up, 0) << "no length of these rounds up: the test shows nothing";
}

TEST(CpuParticles, CellsOfABoxFollowOneAnotherAsInTheWholeGrid) {
    RunSetup setup;
    setup.constants.h = 0.5;
    setup.domain.max = {80.5, 13.5, 21.5};
    for (const int slowest : {0, 1, 2}) {
        cpu::Space space(setup, 1, slowest);
        const cpu::CellBox all = space.walked_box(), box = space.box_around({{35, 4, 6}, {40, 6, 9}}, all);
        EXPECT_TRUE(space.walks_all());
        // two cells to spare, and from below a whole number of pairs of tiles, of 16 cells along rows and 2 across them
        const bool rows_along_x = slowest != 0;
        EXPECT_EQ(box.first.x, 32);
        EXPECT_EQ(box.end.x, 42);
        EXPECT_EQ(box.first.z, rows_along_x ? 4 : 0);
        EXPECT_EQ(box.end.z, 11);
        EXPECT_EQ(space.box_around({{1, 1, 1}, {78, 12, 20}}, all), all) << "a few cells fewer are not worth it";
        const auto key_of = [&](int x, int y, int z) {
            return static_cast<std::uint32_t>(x * space.stride.x + y * space.stride.y + z * space.stride.z);
        };
        std::vector<std::uint32_t> inside;
        for (int z = 0; z < all.end.z; ++z)
            for (int y = 0; y < all.end.y; ++y)
                for (int x = 0; x < all.end.x; ++x) {
                    EXPECT_EQ(space.cell_with(key_of(x, y, z)), (Vec3i{x, y, z}));
                    if (box.has({{x, y, z}, {x + 1, y + 1, z + 1}})) inside.push_back(key_of(x, y, z));
                }
        std::sort(inside.begin(), inside.end());
        space.walk(box, nullptr);
        ASSERT_EQ(inside.size(), space.cell_count());
        const cpu::Space::WalkedCells walked(space);
        std::uint32_t next = 0, here = 0;
        for (std::uint32_t key = 0; key < space.no_cell(); ++key) {
            if (!walked.has(key)) continue;
            ++here;
            EXPECT_EQ(key, inside[next]);
            EXPECT_EQ(walked(key), next++);
        }
        EXPECT_EQ(here, inside.size());
        EXPECT_TRUE(walked.has(space.no_cell()));
        EXPECT_EQ(walked(space.no_cell()), space.cell_count());
    }
}

TEST(CpuParticles, WhereARunStopsAndLooksAtItChangeNothing) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        for (const CpuMode mode : {CpuMode::asymmetric, CpuMode::symmetric}) {
            const auto cloud = clouds::make_cloud(
                {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator}, {12, 9, 10});
            const auto run = [&](const std::vector<std::int64_t>& stops) {
                CpuOptions options;
                options.mode = mode;
                options.threads = 2;
                const auto backend =
                    make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
                backend->set_state(cloud.state);
                for (std::size_t k = 0; k < stops.size(); ++k) {
                    EXPECT_EQ(backend->advance({1e9, stops[k], 1e9}).dt > 0, true);
                    if (k + 1 == stops.size()) break;
                    std::vector<Vec3f> acceleration;
                    std::vector<float> density;
                    backend->rates(acceleration, density);
                    EXPECT_GT(backend->next_time_step(), 0);
                    EXPECT_EQ(backend->state().size(), cloud.state.size());
                    EXPECT_EQ(backend->snapshot({})->get().size(), cloud.state.size());
                }
                return backend->state();
            };
            const ParticleState whole = run({50});
            EXPECT_EQ(whole.step, 50);
            EXPECT_TRUE(bitwise_equal(whole, run({1, 16, 7, 26})));
        }
}

TEST(CpuParticles, NoBoundaryAndNoFluid) {
    const auto blob = clouds::make_blob({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}, 6);
    expect_oracle_rates(blob);
    auto walls = clouds::make_cloud({}, {5, 4, 3});
    const auto keep = [&](auto& values) { values.resize(walls.setup.groups.boundary_count()); };
    keep(walls.state.id);
    keep(walls.state.position);
    keep(walls.state.velocity);
    keep(walls.state.velocity_previous);
    keep(walls.state.density);
    keep(walls.state.density_previous);
    for_each_way(walls, [&](Backend& backend, const std::string& name) {
        backend.set_state(walls.state);
        EXPECT_THROW(take_steps(backend, 1), RunError) << name;
    });
}

TEST(CpuParticles, FluidThatStartsOutsideIsListedAndBoundaryRefused) {
    auto cloud = clouds::make_cloud({}, {5, 4, 3});
    move_to(cloud, 3, {-0.01, 0.1, 0.1});
    for_each_way(cloud, [&](Backend& backend, const std::string& name) {
        backend.set_state(cloud.state);
        const auto excluded = backend.take_excluded();
        ASSERT_EQ(excluded.size(), 1u) << name;
        EXPECT_EQ(excluded[0].id, cloud.setup.groups.boundary_count() + 3);
        EXPECT_EQ(excluded[0].cause, sph::ExclusionCause::position);
        EXPECT_EQ(backend.state().size(), cloud.state.size() - 1);
    });
    cloud.state.position[2].z = 1e3;
    const auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), {});
    EXPECT_THROW(backend->set_state(cloud.state), InputError);
}

TEST(CpuParticles, SymmetricIsBitwiseTheSameForAnyNumberOfThreads) {
    const auto cloud =
        clouds::make_cloud({sph::KernelType::cubic_spline, sph::DensityDiffusion::fourtakas}, {40, 12, 12});
    for (const SimdLevel& level : simd_levels()) {
        if (!level.available) continue;
        const auto run = [&](int threads) {
            CpuOptions options;
            options.mode = CpuMode::symmetric;
            options.simd = level.name;
            options.threads = threads;
            const auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
            backend->set_state(cloud.state);
            take_steps(*backend, 20);
            return backend->state();
        };
        const ParticleState one = run(1);
        for (const int threads : {2, 3, 5})
            EXPECT_TRUE(bitwise_equal(one, run(threads))) << level.name << ", " << threads << " threads";
    }
}

TEST(CpuParticles, ImagesBesideAPeriodicFaceAreInTheCellsNextToIt) {
    clouds::Cloud cloud = clouds::make_periodic_cloud({}, {12, 10, 9}, "x");
    cloud.setup.period.shift[0].z = -0.013; // a step: images are below and above the domain, too
    for (const int divisions : {1, 2}) {
        const cpu::Space space(cloud.setup, divisions, 1);
        ASSERT_GT(space.layers.z, 0);
        const Vec3d size = space.size;
        for (double z = 1e-4; z < size.z; z += 0.3 * space.cell.z)
            for (const double y : {0.0, 0.4 * size.y, size.y}) {
                const std::int64_t first = space.key({0, y, z}), last = space.key({size.x * (1 - 1e-12), y, z});
                EXPECT_EQ(space.image_key({-1e-9, y, z}), first - space.stride.x) << y << " " << z;
                EXPECT_EQ(space.image_key({size.x, y, z}), last + space.stride.x) << y << " " << z;
            }
        const std::int64_t lowest = space.key({0, 0, 0}), highest = space.key({0, 0, size.z});
        EXPECT_EQ(space.image_key({-1e-9, 0, -1e-9}), lowest - space.stride.x - space.stride.z);
        EXPECT_EQ(space.image_key({-1e-9, 0, space.inner.z * space.cell.z + 1e-9}),
                  highest - space.stride.x + space.stride.z);
        EXPECT_EQ(space.image_key({-1e-9, 0, -space.layers.z * space.cell.z - 1e-9}), -1); // out of reach
    }
}
