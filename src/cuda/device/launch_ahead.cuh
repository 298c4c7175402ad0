// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"
#include "cuda/device/graph_recording.h"
#include <cuda_runtime.h>

namespace sluice::cuda {

/// First statement of a kernel that is launched ahead: the kernel behind it may take its place on the device from now
/// on, and this one goes on once all before it is done and can be seen.
__device__ inline void wait_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The same where nothing is to start beside the kernel: it takes so much shared memory that a kernel which starts
/// beside it gets little L1 cache, for as long as it runs.
__device__ inline void wait_alone_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Whether the work behind a condition of a graph (ConditionalWork) is done.
__device__ inline void set_condition(cudaGraphConditionalHandle handle, bool holds) {
    cudaGraphSetConditional(handle, holds);
}

/// Whether what is launched next on the stream may take its place before what is before it is done. In a graph that can
/// be said of a kernel behind a kernel alone; on a stream that works at once other things are waited for anyway.
inline bool may_launch_ahead(cudaStream_t stream) {
    if (recording_graph(stream) && !records_behind_kernel(stream)) return false;
    int device = 0, major = 0;
    check(cudaGetDevice(&device), "selecting the device");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "reading the device's properties");
    return major >= 9;
}

/// Launches a kernel that begins with wait_for_kernel_before(). Its blocks take their places while the kernel before it
/// still runs (programmatic dependent launch), which hides most of the time between the two; before compute capability
/// 9.0, and behind anything but a kernel, it is a launch like any other.
template <class... Parameters, class... Arguments>
void launch_ahead(void (*kernel)(Parameters...), const dim3& blocks, unsigned threads, cudaStream_t stream,
                  const char* what, const Arguments&... arguments) {
    cudaLaunchAttribute ahead{};
    ahead.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    ahead.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = dim3(threads);
    config.stream = stream;
    config.attrs = &ahead;
    config.numAttrs = may_launch_ahead(stream) ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), what);
}

} // namespace sluice::cuda
