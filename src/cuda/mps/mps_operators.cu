// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/event_timer.h"
#include "cuda/device/gpu_devices.h"
#include "cuda/device/host_copies.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include "cuda/mps/device_real.cuh"
#include "cuda/mps/device_search.h"
#include "cuda/mps/mps_operators.h"

namespace sluice::cuda {

namespace {

using mps::DomainShape;
using mps::OperatorScale;
using mps::SearchView;
using mps::Separation;
using mps::Visit;

constexpr int block = 128; // as in the paper

/// Where the derivatives go, in the order of the cloud; `singular` is 1 where they do not exist.
struct ResultArrays {
    double *x, *y, *z;
    std::uint8_t* singular;
};

template <class Op>
__device__ void store(const OperatorScale& scale, const double (&sums)[Op::sum_count], std::uint32_t place,
                      const ResultArrays& results) {
    double result[Op::result_count];
    results.singular[place] = !Op::finish(scale, sums, result);
    results.x[place] = result[0];
    if constexpr (Op::result_count == 3) {
        results.y[place] = result[1];
        results.z[place] = result[2];
    }
}

/// Programs 7 to 10 of the paper.
template <class Op, class Shape, class V>
__global__ void __launch_bounds__(block)
    paper_kernel(SearchView view, SortedCloud cloud, OperatorScale scale, ResultArrays results) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= cloud.size) return;
    const Separation<double> a{cloud.x[i], cloud.y[i], cloud.z[i]};
    const double phi = cloud.phi[i];
    double sums[Op::sum_count]{};
    V::template candidates<Shape>(view, a, [&](std::int32_t begin, std::int32_t end) {
        for (std::int32_t j = begin; j < end; ++j) {
            const Separation<double> d{cloud.x[j] - a.x, cloud.y[j] - a.y, cloud.z[j] - a.z};
            if (Shape::contains(d)) Op::add(d, cloud.phi[j] - phi, sums);
        }
    });
    store<Op>(scale, sums, cloud.order[i], results);
}

/// A cube has hardly a candidate outside, and its weight there is 0: no test.
template <class Op, class Shape, class V>
__global__ void __launch_bounds__(block)
    operator_kernel(SearchView view, SortedCloud cloud, OperatorScale scale, ResultArrays results) {
    constexpr bool test = std::is_same_v<Shape, mps::Sphere>;
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= cloud.size) return;
    const double2 xy = cloud.xy[i], z_phi = cloud.z_phi[i];
    DeviceReal sums[Op::sum_count];
    for (DeviceReal& sum : sums) sum = DeviceReal(0.0);
    V::template candidates<Shape>(view, {xy.x, xy.y, z_phi.x}, [&](std::int32_t begin, std::int32_t end) {
        for (std::int32_t j = begin; j < end; ++j) {
            const double2 b_xy = cloud.xy[j], b_z_phi = cloud.z_phi[j];
            const Separation<DeviceReal> d{DeviceReal(b_xy.x - xy.x), DeviceReal(b_xy.y - xy.y),
                                           DeviceReal(b_z_phi.x - z_phi.x)};
            if (!test || Shape::contains(d)) Op::add(d, DeviceReal(b_z_phi.y - z_phi.y), sums);
        }
    });
    double plain[Op::sum_count];
    for (int s = 0; s < Op::sum_count; ++s) plain[s] = sums[s].v;
    store<Op>(scale, plain, cloud.order[i], results);
}

using Kernel = void (*)(SearchView, SortedCloud, OperatorScale, ResultArrays);

Kernel kernel_of(const DeviceEvaluation& e) {
    return mps::with_operator_of(e.which, e.shape, [&]<class Op, class Shape>(Op, Shape) -> Kernel {
        if (e.kernels == MpsKernels::paper)
            return mps::with_visit(e.visit, [&]<class V>(V) -> Kernel { return paper_kernel<Op, Shape, V>; });
        if (e.visit == Visit::runs) return operator_kernel<Op, Shape, mps::RunVisit>;
        if (e.visit == Visit::reached_runs) return operator_kernel<Op, Shape, mps::ReachedRunVisit>;
        throw InputError("MPS operators: our kernels visit runs only");
    });
}

} // namespace

struct MpsOperators::Parts {
    Parts(const mps::Cloud& cloud, const mps::Reach& reach)
        : search(memory, cloud, reach), x(memory, cloud.size(), "derivatives"), y(memory, cloud.size(), "derivatives"),
          z(memory, cloud.size(), "derivatives"), singular(memory, cloud.size(), "marks of particles") {}

    DeviceMemory memory;
    DeviceSearch search;
    DeviceArray<double> x, y, z;
    DeviceArray<std::uint8_t> singular;
    Stream stream;
    EventTimer search_time, evaluate_time;
    mps::DifferentialOperator last = mps::DifferentialOperator::lsmps;
};

MpsOperators::MpsOperators(const mps::Cloud& cloud, const mps::Reach& reach, int device) {
    select_gpu(device);
    parts_ = std::make_unique<Parts>(cloud, reach);
}

MpsOperators::~MpsOperators() = default;

DeviceSeconds MpsOperators::run(const DeviceEvaluation& evaluation, const OperatorScale& scale, int times) {
    Parts& p = *parts_;
    const Kernel kernel = kernel_of(evaluation);
    const SortedCloud cloud = p.search.cloud();
    for (int n = 0; n < times; ++n) {
        p.search_time.begin(p.stream);
        p.search.build(evaluation.visit == Visit::linked_list, p.stream);
        p.search_time.end(p.stream);
        p.evaluate_time.begin(p.stream);
        kernel<<<blocks_for(cloud.size, block), block, 0, p.stream>>>(
            p.search.view(), cloud, scale, {p.x.data(), p.y.data(), p.z.data(), p.singular.data()});
        check_launch("MPS operators");
        p.evaluate_time.end(p.stream);
    }
    p.stream.wait();
    p.last = evaluation.which;
    return {p.search_time.take() / times, p.evaluate_time.take() / times};
}

mps::Derivatives MpsOperators::results() const {
    const Parts& p = *parts_;
    mps::Derivatives result;
    result.x = download(p.x.data(), p.x.size());
    if (mps::result_count(p.last) == 3) {
        result.y = download(p.y.data(), p.y.size());
        result.z = download(p.z.data(), p.z.size());
    }
    const std::vector<std::uint8_t> singular = download(p.singular.data(), p.singular.size());
    for (std::uint32_t i = 0; i < singular.size(); ++i)
        if (singular[i]) result.singular.push_back(i);
    return result;
}

std::size_t MpsOperators::memory_bytes() const { return parts_->memory.held(); }

GpuKernel mps_kernel_resources(const DeviceEvaluation& evaluation, const char* name, int device) {
    select_gpu(device);
    return describe_kernel(name, kernel_of(evaluation), block);
}

} // namespace sluice::cuda
