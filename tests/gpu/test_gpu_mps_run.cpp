// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/mps/gpu_flow.h"
#include "gpu/require_gpu.h"
#include "methods/mps/flow/step.h"
#include "unit/methods/mps/tank.h"
#include <cmath>
#include <gtest/gtest.h>

// Runs by MPS on a GPU: those of the processor but for rounding, the same bits in each run and after a resume, and what
// leaves.

namespace sluice::mps {
namespace {

class GpuMpsRun : public GpuTest {};

std::unique_ptr<Backend> gpu_backend(const Tank& tank) {
    Device device;
    device.backend = "cuda";
    device.make_flow = [](const sph::Constants& constants, std::uint32_t walls) {
        return cuda::make_mps_flow(constants, walls);
    };
    auto backend = make_backend(tank.setup, device);
    backend->set_state(tank.state);
    return backend;
}

FlowParticles start_of(const Tank& tank) {
    FlowParticles p;
    for (std::size_t i = 0; i < tank.state.size(); ++i) {
        const Vec3d& x = tank.state.position[i];
        const bool wall = i < tank.walls();
        p.id.push_back(tank.state.id[i]);
        p.x.push_back(x.x);
        p.y.push_back(x.y);
        p.z.push_back(x.z);
        p.vx.push_back(wall ? 0 : std::sin(7 * x.z));
        p.vy.push_back(wall || tank.two_d ? 0 : std::sin(5 * x.x));
        p.vz.push_back(wall ? 0 : std::cos(3 * x.x + x.z));
        p.rho.push_back(tank.state.density[i] * (1 + 0.002 * std::sin(11 * x.x)));
    }
    return p;
}

/// The largest difference of two arrays, as a part of the largest of the one.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0, size = 1e-300;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
        size = std::max(size, std::abs(a[i]));
    }
    return most / size;
}

} // namespace

TEST_F(GpuMpsRun, EveryPassGivesWhatTheProcessorDoes) {
    for (const bool two_d : {true, false}) {
        const Tank tank = dam(0.5, two_d);
        const auto walls = static_cast<std::uint32_t>(tank.walls());
        CpuFlow cpu(tank.setup.constants, walls, {widest_lanes(), 2});
        const std::unique_ptr<Flow> gpu = cuda::make_mps_flow(tank.setup.constants, walls);
        begin_flow(cpu, start_of(tank));
        begin_flow(*gpu, start_of(tank));
        EXPECT_EQ(gpu->walls(), walls);
        EXPECT_EQ(gpu->size(), tank.state.size());
        EXPECT_LT(difference(cpu.pressures(), gpu->pressures()), 1e-11); // of the fluid and of walls
        const FlowLimits a = cpu.accelerate(), b = gpu->accelerate();
        EXPECT_NEAR(b.acceleration2, a.acceleration2, 1e-11 * a.acceleration2);
        EXPECT_DOUBLE_EQ(b.speed, a.speed);
        EXPECT_TRUE(a.finite && b.finite);
        cpu.find_density_rates();
        gpu->find_density_rates();
        std::vector<Vec3d> cpu_acceleration, gpu_acceleration;
        std::vector<double> cpu_rate, gpu_rate;
        cpu.rates(cpu_acceleration, cpu_rate);
        gpu->rates(gpu_acceleration, gpu_rate);
        EXPECT_LT(difference(cpu_rate, gpu_rate), 1e-11);
        for (std::size_t i = 0; i < tank.state.size(); ++i)
            ASSERT_LT(norm(cpu_acceleration[i] - gpu_acceleration[i]), 1e-11 * std::sqrt(a.acceleration2)) << i;
        for (Flow* flow : {static_cast<Flow*>(&cpu), gpu.get()}) {
            flow->move(1e-3);
            flow->find_neighbours();
            flow->find_density_rates();
            flow->compress(1e-3);
            flow->find_pressures();
        }
        const FlowParticles p = cpu.particles(), q = gpu->particles();
        EXPECT_EQ(p.id, q.id);
        for_each_flow_array([](const std::vector<double>& of_cpu,
                               const std::vector<double>& of_gpu) { EXPECT_LT(difference(of_cpu, of_gpu), 1e-11); },
                            p, q);
        EXPECT_LT(difference(cpu.pressures(), gpu->pressures()), 1e-9); // a digit of the densities
    }
}

TEST_F(GpuMpsRun, StaysWithThatOfTheProcessorOverSteps) {
    for (const bool two_d : {true, false}) {
        const Tank tank = dam(0.5, two_d);
        const auto cpu = backend_of(tank, 2), gpu = gpu_backend(tank);
        EXPECT_EQ(gpu->info().backend, "cuda");
        EXPECT_DOUBLE_EQ(gpu->next_time_step(), cpu->next_time_step());
        cpu->advance(until(1, 50));
        EXPECT_EQ(gpu->advance(until(1, 50)).step, 50);
        const Frame a = cpu->snapshot(state_fields)->get(), b = gpu->snapshot(state_fields)->get();
        ASSERT_EQ(a.id, b.id);
        EXPECT_NEAR(a.time, b.time, 1e-12);
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_LT(norm(a.position[i] - b.position[i]), 1e-10) << i;
            ASSERT_LT(norm(a.velocity[i] - b.velocity[i]), 1e-6) << i;
            ASSERT_NEAR(a.pressure[i], b.pressure[i], 1) << i; // a digit of the density
        }
    }
}

TEST_F(GpuMpsRun, RunsHaveTheSameBits) {
    for (const bool two_d : {true, false}) {
        const Tank tank = dam(0.5, two_d);
        const auto first = gpu_backend(tank), second = gpu_backend(tank);
        for (const auto& backend : {first.get(), second.get()}) backend->advance(until(1, 200));
        EXPECT_TRUE(first->state() == second->state());
    }
}

TEST_F(GpuMpsRun, AStateGoesOnWithTheSameBits) {
    for (const bool two_d : {true, false}) {
        Tank tank = dam(0.5, two_d);
        const auto whole = gpu_backend(tank), first = gpu_backend(tank);
        whole->advance(until(1, 60));
        first->advance(until(1, 23));
        tank.state = first->state();
        const auto second = gpu_backend(tank), on_cpu = backend_of(tank, 2);
        second->advance(until(1, 37));
        EXPECT_TRUE(whole->state() == second->state());
        on_cpu->advance(until(1, 37)); // where a state goes on, too
        const ParticleState a = whole->state(), b = on_cpu->state();
        for (std::size_t i = 0; i < a.size(); ++i) ASSERT_LT(norm(a.position[i] - b.position[i]), 1e-10) << i;
    }
}

TEST_F(GpuMpsRun, WaterAtRestStaysSo) {
    Tank tank;
    tank.nu = 1e-3;
    tank.fill();
    const auto backend = gpu_backend(tank);
    backend->advance(until(1));
    const Frame frame = backend->snapshot(state_fields)->get();
    double speed2 = 0;
    for (const Vec3f& v : frame.velocity) speed2 += double(dot(v, v)) / double(frame.size() - tank.walls());
    EXPECT_LT(std::sqrt(speed2), 0.03 * std::sqrt(9.81 * tank.depth));
    EXPECT_NEAR(frame.pressure[5], 9810 * (tank.depth + tank.dp / 2), 0.1 * 9810) << "the floor";
    EXPECT_TRUE(backend->take_excluded().empty());
}

TEST_F(GpuMpsRun, TakesOutWhatLeavesAsTheProcessorDoes) {
    Tank tank = dam();
    tank.setup.domain.max.z = 0.78; // the surface of the water is at 1 m
    const auto cpu = backend_of(tank), gpu = gpu_backend(tank);
    std::size_t gone = 0;
    for (const std::int64_t steps : {1, 200}) { // those above at once, then what splashes out
        const AdvanceReport a = cpu->advance(until(1, steps)), b = gpu->advance(until(1, steps));
        EXPECT_EQ(a.particles, b.particles);
        const std::vector<ExcludedParticle> of_cpu = cpu->take_excluded(), of_gpu = gpu->take_excluded();
        ASSERT_EQ(of_cpu.size(), of_gpu.size());
        for (std::size_t k = 0; k < of_cpu.size(); ++k) {
            EXPECT_EQ(of_cpu[k].id, of_gpu[k].id);
            EXPECT_EQ(of_cpu[k].cause, of_gpu[k].cause);
            EXPECT_EQ(of_cpu[k].step, of_gpu[k].step);
            EXPECT_LT(norm(of_cpu[k].position - of_gpu[k].position), 1e-9);
        }
        gone += of_gpu.size();
    }
    EXPECT_GE(gone, 5u * 9u); // rows at 0.8, …, 1 m
}

TEST_F(GpuMpsRun, TakesOutFluidByItsDensity) {
    Tank tank = dam();
    tank.setup.constants.rho_out_max = 1001; // that at 0.39 m of depth
    const auto cpu = backend_of(tank), gpu = gpu_backend(tank);
    cpu->advance(until(1, 3));
    const AdvanceReport report = gpu->advance(until(1, 3));
    const std::vector<ExcludedParticle> of_cpu = cpu->take_excluded(), of_gpu = gpu->take_excluded();
    ASSERT_EQ(of_cpu.size(), of_gpu.size());
    ASSERT_GT(of_gpu.size(), 0u);
    EXPECT_EQ(report.particles + of_gpu.size(), tank.state.size());
    for (std::size_t k = 0; k < of_cpu.size(); ++k) {
        EXPECT_EQ(of_cpu[k].id, of_gpu[k].id);
        EXPECT_EQ(of_gpu[k].cause, sph::ExclusionCause::density);
    }
}

TEST_F(GpuMpsRun, ARunThatHasBlownUpEndsWithItsOutcome) {
    Tank tank = dam();
    tank.setup.constants.rho_out_min = 0;
    tank.state.velocity.back().x = std::nanf("");
    const auto backend = gpu_backend(tank);
    try {
        backend->advance(until(1, 5));
        FAIL() << "it has gone on";
    } catch (const RunError& error) {
        EXPECT_EQ(error.outcome(), Outcome::blown_up);
    }
}

TEST_F(GpuMpsRun, ARunWithoutFluidEndsWithItsOutcome) {
    Tank tank = dam();
    tank.setup.domain.max.z = 0.01; // below all fluid
    const auto backend = gpu_backend(tank);
    try {
        backend->advance(until(1, 5));
        FAIL() << "it has gone on";
    } catch (const RunError& error) {
        EXPECT_EQ(error.outcome(), Outcome::lost_fluid);
    }
}

TEST_F(GpuMpsRun, HoldsTheMemoryOfItsModel) {
    const Tank tank = dam(0.5, false);
    const auto backend = gpu_backend(tank);
    const MemoryModel model = memory_models().back();
    EXPECT_EQ(model.mode, "cuda mps");
    const double of_particles = model.total(double(tank.state.size()), 0);
    EXPECT_GE(double(backend->memory_bytes()), of_particles);
    EXPECT_LT(double(backend->memory_bytes()), 1.1 * of_particles); // the rest is of buckets
}

} // namespace sluice::mps
