// SPDX-License-Identifier: Apache-2.0
#include "gpu/require_gpu.h"
#include "validation/case_run.h"

// The whole 3-D dam break against the reference solver's series: what takes minutes on a processor.

using namespace sluice;
using namespace sluice::validation;

namespace {

/// The set-up of the reference solver's series, with another choice of parameters.
std::vector<FlowStatistics> run_reference_case(const std::function<void(ExecutionParameters&)>& change,
                                               double time_max) {
    Case definition =
        read_case(std::string(SLUICE_SOURCE_DIR) + "/tests/validation/data/dam_break_3d_reference.xml", {});
    change(definition.parameters);
    const ParticleSet particles = generate_particles(definition, definition.diagnostics);
    const RunSetup setup = make_run_setup(definition, particles);
    const auto backend = make_cuda_backend(setup, static_cast<std::uint32_t>(particles.size()), {});
    backend->set_state(make_initial_state(definition, particles, setup));
    std::vector<FlowStatistics> series;
    for (int k = 0; 0.02 * k < time_max + 0.01; ++k) {
        while (backend->advance({0.02 * k, 1LL << 60, 1e9}).time < 0.02 * k) {
        }
        series.push_back(flow_statistics(backend->snapshot({})->get(), setup.constants, setup.groups, setup.normals));
    }
    return series;
}

class DamBreak3D : public GpuTest {};

} // namespace

TEST_F(DamBreak3D, FollowsTheReferenceSolverToTheEnd) {
    const auto series = run_reference_case([](auto&) {}, 1.6);
    expect_follows_reference(series, "dam_break_3d_reference_solver.csv", 0.6, 0.02);
    expect_follows_reference(series, "dam_break_3d_reference_solver.csv", 1.6, 0.10);
}

TEST_F(DamBreak3D, WithoutDiffusionFollowsTheReferenceSolverToo) {
    const auto series = run_reference_case(
        [](ExecutionParameters& p) {
            p.diffusion = sph::DensityDiffusion::none;
            p.tensile_spacing = 1 / 1.5; // the reference solver's, see docs/validation.md
        },
        1.6);
    expect_follows_reference(series, "dam_break_3d_reference_solver_no_diffusion.csv", 0.6, 0.02);
    expect_follows_reference(series, "dam_break_3d_reference_solver_no_diffusion.csv", 1.6, 0.10);
}

TEST_F(DamBreak3D, WithoutDiffusionMonaghansTensileCorrectionIsWithinFourPerCent) {
    // W(dp) where the reference solver takes W(h/1.5): another formulation, not another solution of the same
    const auto series =
        run_reference_case([](ExecutionParameters& p) { p.diffusion = sph::DensityDiffusion::none; }, 0.6);
    expect_follows_reference(series, "dam_break_3d_reference_solver_no_diffusion.csv", 0.6, 0.04);
}
