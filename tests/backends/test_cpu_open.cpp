// SPDX-License-Identifier: Apache-2.0
#include "backends/open_channels.h"
#include "backends/way_test.h"

// Open boundaries, on the CPU in every way of running.

using namespace sluice;
using cpu_ways::Way;
using namespace sluice::open_channels;

namespace {

class OpenWays : public testing::TestWithParam<Way> {
protected:
    static std::unique_ptr<Backend> make(const Cloud& cloud, int threads = 2) {
        auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        return backend;
    }
};

class OpenOrderedWays : public OpenWays {};

std::unique_ptr<Backend> simplest(const Cloud& cloud) {
    CpuOptions options;
    options.mode = CpuMode::asymmetric;
    options.cells = CellSize::two_h;
    options.threads = 1;
    auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    backend->set_state(cloud.state);
    return backend;
}

double largest_speed(const ParticleState& state, const RunSetup& setup) {
    double largest = 0;
    for (std::size_t i = 0; i < state.size(); ++i)
        if (setup.groups.is_fluid(state.id[i]))
            largest = std::max(largest, std::sqrt(double(dot(state.velocity[i], state.velocity[i]))));
    return largest;
}

} // namespace

TEST_P(OpenWays, APlugFlowsThroughUnchanged) {
    const Cloud cloud = plug(2);
    const auto backend = make(cloud);
    advance_to(*backend, 1);
    const ParticleState state = backend->state();
    EXPECT_EQ(state.size(), cloud.state.size());
    EXPECT_EQ(state.created, cloud.state.created + 10 * 10); // ten columns of ten
    for (std::size_t i = 0; i < state.size(); ++i) {
        EXPECT_NEAR(state.velocity[i].x, 1, 1e-4);
        EXPECT_NEAR(state.velocity[i].z, 0, 1e-4);
        EXPECT_NEAR(state.density[i], 1000, 1e-2);
    }
}

TEST_P(OpenWays, ZonesImposeWhatTheOracleFinds) {
    expect_oracle_flow([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(OpenWays, ZonesFollowAGridAndStayLevel) {
    expect_grid_flow([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(OpenWays, AZoneFindsTheSurfaceOfTheWater) {
    for (const int algorithm : {1, 2, 3}) {
        const auto highest = [&](const std::string& surface) {
            const Cloud cloud = rising(algorithm, surface);
            const auto backend = make(cloud);
            take_steps(*backend, 3);
            const ParticleState state = backend->state();
            double z = 0;
            for (const Vec3d& p : state.position)
                if (place_in(view_of(cloud.setup.open), p).zone == 0) z = std::max(z, p.z + cloud.setup.domain.min.z);
            return z;
        };
        EXPECT_NEAR(highest(found_surface), 0.9, 1e-6); // as the water: its columns are no longer dry
        EXPECT_NEAR(highest(R"(<imposezsurf mode="0"><zsurf value="0.55"/></imposezsurf>)"), 0.5, 1e-6);
    }
}

TEST_P(OpenOrderedWays, ThreadsAndResumesChangeNoBit) {
    for (const Cloud& cloud : {turning(1, true), turning(2, true), turning(3, true), rising(1, found_surface),
                               rising(2, found_surface), rising(3, found_surface), following(turning(1, true)),
                               following(rising(2, found_surface)), following(rising(3, found_surface))}) {
        const auto run = [&](int stop, int threads) {
            const auto first = make(cloud, threads);
            take_steps(*first, stop);
            Cloud later = cloud;
            later.state = first->state();
            const auto second = make(later, threads);
            take_steps(*second, 200 - stop);
            return second->state();
        };
        const ParticleState whole = run(0, 1);
        EXPECT_GT(whole.created, cloud.state.created + 10);
        EXPECT_TRUE(bitwise_equal(whole, run(67, 1)));
        EXPECT_TRUE(bitwise_equal(whole, run(0, 3)));
    }
}

TEST(OpenBoundaries, KeepTheMassOverTenFlowThroughs) {
    for (const int algorithm : {1, 2, 3}) {
        const Cloud cloud = plug(algorithm);
        const auto backend = simplest(cloud);
        for (int n = 1; n <= 10; ++n) {
            advance_to(*backend, 1.2 * n);
            EXPECT_EQ(backend->state().size(), cloud.state.size()) << n;
        }
        EXPECT_LT(std::abs(largest_speed(backend->state(), cloud.setup) - 1), 1e-3);
    }
}

TEST(OpenBoundaries, AnOutletTakesTheVelocityOfTheFluid) {
    const Cloud cloud = plug(2, extrapolated);
    const auto backend = simplest(cloud);
    advance_to(*backend, 3);
    const ParticleState state = backend->state();
    EXPECT_NEAR(double(state.size()), double(cloud.state.size()), 0.06 * double(cloud.state.size())); // a column or so
    EXPECT_NEAR(largest_speed(state, cloud.setup), 1, 1e-3);
}

TEST(OpenBoundaries, ShiftsThatDensitiesFollowKeepTheMassAndTheLevelOfAStream) {
    struct Inside {
        double particles = 0, height = 0; ///< their number and mean height, mean of five looks
    };
    const auto inside = [](const Cloud& cloud) {
        const auto backend = simplest(cloud);
        Inside mean;
        for (int n = 8; n <= 12; ++n) { // quarters of what the channel holds have flowed through it
            advance_to(*backend, 0.3 * n);
            const ParticleState state = backend->state();
            double count = 0, heights = 0;
            for (std::size_t i = 0; i < state.size(); ++i)
                if (cloud.setup.groups.is_fluid(state.id[i]) &&
                    place_in(view_of(cloud.setup.open), state.position[i]).zone < 0)
                    count += 1, heights += state.position[i].z;
            mean.particles += count / 5;
            mean.height += heights / count / 5;
        }
        std::int64_t change = 0;
        for (const ZonePassage& p : backend->take_passed()) change += p.entered ? 1 : -1;
        EXPECT_EQ(std::int64_t(backend->state().size()), std::int64_t(cloud.state.size()) + change);
        EXPECT_TRUE(backend->take_excluded().empty());
        return mean;
    };
    for (const int algorithm : {1, 2, 3}) {
        const Inside without = inside(stream(algorithm));
        for (const double coefficient : {-0.01, -0.1}) {
            const Inside with = inside(following(stream(algorithm), coefficient));
            std::printf("ShiftAdvCoef %g: %.1f particles, %.4f m high; without shifting %.1f, %.4f m\n", coefficient,
                        with.particles, with.height, without.particles, without.height);
            EXPECT_NEAR(with.particles, without.particles, 0.02 * without.particles) << coefficient;
            EXPECT_NEAR(with.height, without.height, 0.01) << coefficient; // a tenth of a spacing
        }
    }
}

TEST(OpenBoundaries, CountWhatComesAndGoes) {
    const Cloud cloud = turning(1, false);
    const auto backend = simplest(cloud);
    advance_to(*backend, 0.45);
    std::int64_t in = 0, out = 0;
    std::uint32_t next = cloud.setup.groups.particle_count() + cloud.state.created;
    for (const ZonePassage& p : backend->take_passed()) {
        (p.entered ? in : out) += 1;
        if (p.entered) {
            EXPECT_EQ(p.id, next);
            ++next;
        }
    }
    const ParticleState state = backend->state();
    EXPECT_GT(in, 10);
    EXPECT_GT(out, 10);
    EXPECT_EQ(std::int64_t(state.size()),
              std::int64_t(cloud.state.size()) + in - out - std::int64_t(backend->take_excluded().size()));
    EXPECT_EQ(state.created, cloud.state.created + static_cast<std::uint32_t>(in));
    EXPECT_TRUE(backend->take_passed().empty());
}

TEST(OpenBoundaries, StillWaterBesideAnOpenSideStaysStill) {
    const std::string walls = R"(<setmkbound mk="0"/><drawbox><boxfill>bottom | left</boxfill>
<point x="-0.1" y="-1" z="-0.1"/><size x="1.9" y="2" z="1.4"/></drawbox><setmkbound mk="1"/><drawbox><boxfill>bottom | left</boxfill>
<point x="-0.2" y="-1" z="-0.2"/><size x="2" y="2" z="1.4"/></drawbox>)";
    const std::string surface = R"(<imposerhop mode="1"/><imposezsurf mode="0"><zsurf value="0.95"/></imposezsurf>)";
    const auto speed = [&](const std::string& density) {
        const Cloud cloud = cloud_of(case_text(
            zone(false, uniform(0), density, 1, 1), "-9.81",
            parameter("StepAlgorithm", "2") + parameter("Visco", "0.1") + parameter("DensityDT", "2"), walls));
        const auto backend = simplest(cloud);
        advance_to(*backend, 2);
        const ParticleState state = backend->state();
        EXPECT_EQ(state.size(), cloud.state.size());
        return largest_speed(state, cloud.setup);
    };
    EXPECT_LT(speed(surface), 0.06); // waves run at 3 m/s
    EXPECT_GT(speed(""), 0.1);       // the pressure of the water misses
}

INSTANTIATE_TEST_SUITE_P(Cpu, OpenWays, testing::ValuesIn(cpu_ways::paired_ways()), cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, OpenOrderedWays,
                         testing::ValuesIn(cpu_ways::paired_ways({CpuMode::asymmetric, CpuMode::symmetric})),
                         cpu_ways::way_test_name);
