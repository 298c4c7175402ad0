// SPDX-License-Identifier: Apache-2.0
#include "backends/compare.h"
#include "cpu/backend/cpu_backend.h"
#include "gpu/dam_break.h"
#include "gpu/require_gpu.h"

// Every GPU mode against the CPU backend over a hundred steps of a dam break.
//
// Both compute the same formulas in single precision, with their sums in other orders: the rates differ by rounding,
// and the flow lets that grow. How far it grows in these hundred steps is measured, not guessed: two modes of the CPU,
// which differ in nothing but the order of their sums, are compared with one another first. The GPU must agree with the
// CPU as well as they do, but for a factor: it rounds its divisions and square roots to one unit in the last place
// more. On top of that it rounds positions to units of its own, 2h/2²², every step.

using namespace sluice;

namespace {

constexpr double spacing = 0.021; // 14 thousand particles
constexpr int steps = 100;

/// More than the order of sums: see above.
constexpr double factor = 8;
/// Rounding that does not grow, at most: 100 steps × half a unit of position (h = √3 dp), × 2⁻²⁴ of 1 m/s and of the
/// density.
constexpr StateErrors floor_of_rounding{steps * 1.7321 / (1 << 22), steps * 6e-8, steps * 6e-5};

struct Scene {
    sph::KernelType kernel;
    sph::DensityDiffusion diffusion;
    sph::Integrator integrator;
    friend void PrintTo(const Scene& scene, std::ostream* out) {
        *out << "kernel " << int(scene.kernel) << ", diffusion " << int(scene.diffusion) << ", integrator "
             << int(scene.integrator);
    }
};

std::vector<Scene> scenes() {
    std::vector<Scene> all;
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
        for (const auto diffusion : {sph::DensityDiffusion::none, sph::DensityDiffusion::molteni,
                                     sph::DensityDiffusion::fourtakas, sph::DensityDiffusion::fourtakas_full})
            for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
                all.push_back({kernel, diffusion, integrator});
    return all;
}

DamBreak dam_break(const Scene& scene) {
    DamBreak dam = make_dam_break(spacing, scene.integrator);
    dam.setup.constants.kernel = scene.kernel;
    dam.setup.constants.diffusion = scene.diffusion;
    return dam;
}

ParticleState run_on_cpu(const DamBreak& dam, CpuMode mode) {
    CpuOptions options;
    options.mode = mode;
    const auto backend = make_cpu_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), options);
    backend->set_state(dam.state);
    take_steps(*backend, steps);
    return backend->state();
}

class GpuAgreement : public GpuTest, public testing::WithParamInterface<Scene> {};

} // namespace

TEST_P(GpuAgreement, EveryModeFollowsTheCpu) {
    const DamBreak dam = dam_break(GetParam());
    const double dp = dam.setup.constants.dp;
    const ParticleState on_cpu = run_on_cpu(dam, CpuMode::asymmetric);
    const oracle::State expected = oracle::to_double(sorted_by_id(on_cpu));
    const StateErrors growth = state_errors(expected, run_on_cpu(dam, CpuMode::symmetric), dp);
    std::printf("cpu, other order of sums: %.1e dp, %.1e m/s, %.1e kg/m3\n", growth.position, growth.velocity,
                growth.density);
    for (const auto& mode : gpu_modes) {
        CudaOptions options;
        options.mode = mode.mode;
        const auto backend = make_cuda_backend(dam.setup, static_cast<std::uint32_t>(dam.state.size()), options);
        backend->set_state(dam.state);
        take_steps(*backend, steps);
        const ParticleState state = backend->state();
        const StateErrors errors = state_errors(expected, state, dp);
        std::printf("%-15s %.1e dp, %.1e m/s, %.1e kg/m3\n", std::string(mode.name).c_str(), errors.position,
                    errors.velocity, errors.density);
        EXPECT_EQ(state.step, steps);
        EXPECT_LT(errors.position, factor * growth.position + floor_of_rounding.position) << mode.name;
        EXPECT_LT(errors.velocity, factor * growth.velocity + floor_of_rounding.velocity) << mode.name;
        EXPECT_LT(errors.density, factor * growth.density + floor_of_rounding.density) << mode.name;
        EXPECT_NEAR(state.time, on_cpu.time, 1e-5 * on_cpu.time) << mode.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuAgreement, testing::ValuesIn(scenes()), [](const auto& entry) {
    return std::string(entry.param.kernel == sph::KernelType::wendland ? "wendland" : "cubic") + "_ddt" +
           std::to_string(int(entry.param.diffusion)) +
           (entry.param.integrator == sph::Integrator::verlet ? "_verlet" : "_symplectic");
});
