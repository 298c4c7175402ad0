// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/kernel_resources.h"
#include "methods/mps/evaluate.h"
#include <memory>
#include <vector>

namespace sluice::cuda {

/// Which kernels evaluate an operator.
enum class MpsKernels {
    paper, ///< those of Murotani et al. (2015): a thread a particle, an array a number, the library's roots and
           ///< quotients
    ours   ///< two numbers at a load, roots and reciprocals without branches
};

/// What is evaluated on the device and how; see mps::Evaluation.
struct DeviceEvaluation {
    mps::DifferentialOperator which = mps::DifferentialOperator::lsmps;
    mps::DomainShape shape = mps::DomainShape::sphere;
    mps::Visit visit = mps::Visit::runs; ///< our kernels take runs or reached_runs only
    MpsKernels kernels = MpsKernels::ours;
};

/// Mean times on the device, s.
struct DeviceSeconds {
    double search = 0, evaluate = 0;
};

/// The MPS operators on a GPU, for one cloud of particles.
class MpsOperators {
public:
    /// InputError as mps::make_bucket_grid, RunError as make_cuda_backend.
    MpsOperators(const mps::Cloud& cloud, const mps::Reach& reach, int device = 0);
    ~MpsOperators();

    /// Sorts the particles and evaluates, so many times, and waits. InputError: a visit that the kernels do not take.
    DeviceSeconds run(const DeviceEvaluation& evaluation, const mps::OperatorScale& scale, int times);
    /// The derivatives of the last run, in the order of the cloud.
    mps::Derivatives results() const;
    std::size_t memory_bytes() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// The kernels of an evaluation as a GPU runs them.
GpuKernel mps_kernel_resources(const DeviceEvaluation& evaluation, const char* name, int device = 0);

} // namespace sluice::cuda
