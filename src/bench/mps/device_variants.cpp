// SPDX-License-Identifier: Apache-2.0
#include "bench/mps/device_variants.h"

#if SLUICE_HAVE_CUDA
#include "cuda/device/gpu_devices.h"
#include "cuda/mps/mps_operators.h"
#include "methods/mps/normalisation.h"
#include <fmt/format.h>
#endif

namespace sluice::bench {

#if SLUICE_HAVE_CUDA

namespace {

using namespace mps;
using cuda::DeviceEvaluation;
using cuda::MpsKernels;

class GpuOperators final : public OperatorRunner {
public:
    GpuOperators(const ParticleLattice& lattice, const DeviceEvaluation& evaluation, int divisions)
        : operators_(lattice.cloud(), {paper_radius, divisions, 1}),
          scale_(operator_scale(evaluation.shape, paper_radius, 1, 3)), evaluation_(evaluation) {}

    OperatorSeconds run(DifferentialOperator which, int evaluations) override {
        evaluation_.which = which;
        const cuda::DeviceSeconds mean = operators_.run(evaluation_, scale_, evaluations);
        return {mean.search, mean.evaluate};
    }
    std::size_t memory_bytes() const override { return operators_.memory_bytes(); }

private:
    cuda::MpsOperators operators_;
    OperatorScale scale_;
    DeviceEvaluation evaluation_;
};

/// A version on the device: its name, what it evaluates, its divisions, and the paper's version that it stands for.
struct DeviceVersion {
    const char* name;
    DomainShape shape;
    Visit visit;
    MpsKernels kernels;
    int divisions;
    const char* paper;
};

constexpr auto sphere = DomainShape::sphere, cube = DomainShape::cube;
constexpr DeviceVersion device_versions[] = {
    {"linked list", sphere, Visit::linked_list, MpsKernels::paper, 1, "linked list"},
    {"buckets of a forward star", sphere, Visit::forward_star, MpsKernels::paper, 1, ""},
    {"forward star", sphere, Visit::runs, MpsKernels::paper, 1, "forward star"},
    {"n_div 2", sphere, Visit::runs, MpsKernels::paper, 2, ""},
    {"n_div 3", sphere, Visit::runs, MpsKernels::paper, 3, "n_div 3"},
    {"n_div 3, cube", cube, Visit::runs, MpsKernels::paper, 3, "n_div 3, cube"},
    {"n_div 3, ours", sphere, Visit::runs, MpsKernels::ours, 3, ""},
    {"n_div 3, reached rows, ours", sphere, Visit::reached_runs, MpsKernels::ours, 3, ""},
    {"n_div 3, cube, ours", cube, Visit::runs, MpsKernels::ours, 3, ""}};

DeviceEvaluation evaluation_of(const DeviceVersion& version) {
    return {DifferentialOperator::lsmps, version.shape, version.visit, version.kernels};
}

} // namespace

std::vector<OperatorVariant> device_operator_variants() {
    std::vector<OperatorVariant> variants;
    if (!gpu_present(nullptr)) return variants;
    const std::string architecture = fmt::format("sm_{}", gpu_capability());
    for (const DeviceVersion& version : device_versions) {
        variants.push_back({fmt::format("GPU: {}", version.name),
                            true,
                            version.shape,
                            version.visit,
                            version.divisions,
                            architecture,
                            0,
                            version.paper,
                            {}});
        variants.back().make = [&version](const ParticleLattice& lattice) -> std::unique_ptr<OperatorRunner> {
            return std::make_unique<GpuOperators>(lattice, evaluation_of(version), version.divisions);
        };
    }
    return variants;
}

std::vector<KernelUse> device_operator_kernels() {
    std::vector<KernelUse> kernels;
    if (!gpu_present(nullptr)) return kernels;
    for (const DeviceVersion& version : device_versions)
        for (const DifferentialOperator which : all_operators) {
            DeviceEvaluation evaluation = evaluation_of(version);
            evaluation.which = which;
            const GpuKernel k = cuda::mps_kernel_resources(evaluation, version.name);
            kernels.push_back({fmt::format("{}; {}", version.name, operator_name(which)), k.registers, k.block,
                               k.occupancy, k.occupancy_256});
        }
    return kernels;
}

double gpu_peak() { return gpu_present(nullptr) ? double_precision_peak(0) : 0; }

#else

std::vector<OperatorVariant> device_operator_variants() { return {}; }
std::vector<KernelUse> device_operator_kernels() { return {}; }
double gpu_peak() { return 0; }

#endif

} // namespace sluice::bench
