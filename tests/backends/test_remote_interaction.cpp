// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "core/error.h"
#include "cpu/cpu_backend.h"

// A CPU run whose interaction is carried out elsewhere: here by the oracle, which checks what it is handed.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

class RemoteOracle final : public RemoteInteraction {
public:
    explicit RemoteOracle(const RunSetup& setup) : setup_(setup) {}

    std::string device() const override { return "oracle"; }
    void begin(const HostCells& cells, const SortedParticles& boundary) override {
        cells_ = cells;
        check(boundary, 0);
    }
    RemoteResult interact(const SortedParticles& boundary, const SortedParticles& fluid, float* rates) override {
        check(boundary, 0);
        check(fluid, boundary.count);
        oracle::State state;
        add(boundary, state);
        add(fluid, state);
        const oracle::Rates found = oracle::rates(setup_, state);
        for (std::size_t i = 0; i < state.id.size(); ++i) {
            const bool moves = i >= boundary.count;
            const Vec3d a = moves ? found.acceleration[i] - setup_.constants.gravity : Vec3d{};
            for (const double value : {a.x, a.y, a.z, found.density[i]}) *rates++ = static_cast<float>(value);
        }
        return {static_cast<float>(found.limits.speed), 1e-9};
    }
    std::size_t memory_bytes() const override { return 12345; }

private:
    void check(const SortedParticles& particles, std::uint32_t first) const {
        ASSERT_EQ(particles.begin[0], first);
        ASSERT_EQ(particles.begin[cells_.size()], first + particles.count);
        for (std::uint32_t i = 0; i < particles.count; ++i) {
            ASSERT_LT(particles.cell[i], cells_.size());
            ASSERT_GE(first + i, particles.begin[particles.cell[i]]);
            ASSERT_LT(first + i, particles.begin[particles.cell[i] + 1]);
        }
    }
    static void add(const SortedParticles& particles, oracle::State& to) {
        for (std::uint32_t i = 0; i < particles.count; ++i) {
            const float* f = particles.flow + 4 * i;
            to.id.push_back(static_cast<std::uint32_t>(to.id.size()));
            to.position.push_back(particles.position[i]);
            to.velocity.push_back({f[0], f[1], f[2]});
            to.density.push_back(f[3]);
        }
    }

    RunSetup setup_;
    HostCells cells_;
};

std::unique_ptr<Backend> make(const Cloud& cloud, CellSize cells) {
    CpuOptions options;
    options.cells = cells;
    options.threads = 2;
    options.remote = std::make_shared<RemoteOracle>(cloud.setup);
    return make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
}

} // namespace

TEST(RemoteInteraction, RatesComeBackToTheirParticles) {
    for (const Choice& choice : {Choice{}, Choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}})
        for (const CellSize cells : {CellSize::two_h, CellSize::h}) {
            const Cloud cloud = clouds::make_cloud(choice, {10, 7, 8});
            const RateErrors errors = rate_errors(*make(cloud, cells), cloud);
            EXPECT_LT(errors.acceleration, 1e-6) << choice.name();
            EXPECT_LT(errors.density, 1e-6) << choice.name();
        }
}

TEST(RemoteInteraction, StepsFollowTheOracle) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Cloud cloud =
            clouds::make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator}, {6, 5, 6});
        oracle::State expected = oracle::to_double(cloud.state);
        for (int n = 0; n < 20; ++n) oracle::step(cloud.setup, expected);
        const auto backend = make(cloud, CellSize::two_h);
        backend->set_state(cloud.state);
        take_steps(*backend, 20);
        const StateErrors errors = state_errors(expected, backend->state(), cloud.setup.constants.dp);
        EXPECT_LT(errors.position, 1e-5);
        EXPECT_LT(errors.velocity, 1e-4);
        EXPECT_GT(backend->phase_seconds().transfer, 0);
        EXPECT_GT(backend->memory_bytes(), 12345u);
        EXPECT_EQ(backend->info().device, "oracle");
    }
}

TEST(RemoteInteraction, TakesNoCpuModeAndNoSimd) {
    const Cloud cloud = clouds::make_cloud({}, {6, 5, 6});
    CpuOptions options;
    options.remote = std::make_shared<RemoteOracle>(cloud.setup);
    options.simd = "off";
    EXPECT_THROW(make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options), InputError);
    options.simd.reset();
    options.mode = CpuMode::slices;
    EXPECT_THROW(make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options), InputError);
}
