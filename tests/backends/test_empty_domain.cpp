// SPDX-License-Identifier: Apache-2.0
#include "backends/moving_walls.h"
#include "backends/rank_looks.h"
#include "cpu/backend/cpu_options.h"
#include "cpu/backend/make_backend.h"

// Cells are walked where particles are: what is empty around them changes no bit and takes no memory.

using namespace sluice;
using namespace sluice::rank_looks;

namespace {

/// Water at the floor of a domain which is high, and wide, and empty, but for some drops: fast ones, which leave the
/// cells that were walked at the start, and slow ones, which stay in them.
Cloud in_empty_domain(sph::Integrator integrator) {
    Cloud cloud = clouds::make_cloud(choice_of(integrator), {10, 5, 5});
    Domain& domain = cloud.setup.domain;
    domain.max = domain.max + Vec3d{0.6, 0.8, 1.6};
    for (std::uint32_t k = 0; k < 10; ++k) {
        const std::uint32_t i = cloud.setup.groups.boundary_count() + 20 * k;
        cloud.state.position[i] = {0.2 + 0.02 * k, 0.2 + 0.005 * k, 0.5};
        cloud.state.velocity[i] = {float(10 * k), float(6 * k), float(20 * k)};
    }
    cloud.state.velocity_previous = cloud.state.velocity;
    return cloud;
}

std::unique_ptr<cpu::Schedule> schedule_of(CpuMode mode, const cpu::ThreadCount& threads) {
    switch (mode) {
    case CpuMode::symmetric: return cpu::make_symmetric_schedule(threads);
    case CpuMode::slices: return cpu::make_slices_schedule(threads.now());
    case CpuMode::asymmetric: break;
    }
    return cpu::make_asymmetric_schedule(threads);
}

} // namespace

TEST(EmptyDomain, ChangesNoBitInAnyModeAndTakesNoMemory) {
    const cpu::ThreadCount threads(2);
    const Cloud cloud = in_empty_domain(sph::Integrator::verlet);
    for (const auto& mode : cpu_modes)
        for (const auto& cells : cell_sizes) {
            // a schedule from outside has all cells, in layers along z, the longest side
            const auto all = cpu::make_cpu_backend_with(cloud.setup, cells.mode, 2, schedule_of(mode.mode, threads));
            CpuOptions options;
            options.mode = mode.mode;
            options.cells = cells.mode;
            options.threads = 2;
            options.simd = cpu::Choice().simd; // that of schedules from outside
            const auto few = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
            for (Backend* backend : {all.get(), few.get()}) backend->set_state(cloud.state);
            EXPECT_LT(4 * few->memory_bytes(), all->memory_bytes());
            for (Backend* backend : {all.get(), few.get()}) take_steps(*backend, 150);
            const Look one = look(*all);
            EXPECT_GT(one.excluded.size(), 3u) << "no drop has come far";
            expect_same(one, look(*few), std::string(mode.name) + ", cells " + std::string(cells.name));
        }
}

TEST(EmptyDomain, ChangesNoBitOfRanks) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const Cloud cloud = in_empty_domain(integrator);
        const Look one = run(cloud, 1, 150, options_for(1));
        for (const int ranks : {2, 5})
            expect_same(one, run(cloud, ranks, 150, options_for(ranks)), std::to_string(ranks) + " ranks");
    }
}
