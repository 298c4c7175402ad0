// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/gpu_devices.h"

#include "core/error.h"
#include "cuda/device/check.h"

#include <cuda_runtime_api.h>
#include <utility>

namespace sluice {

namespace {

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string reason_for(cudaError_t status) {
    if (status == cudaErrorInsufficientDriver) {
        int driver = 0, runtime = 0;
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        return driver == 0 ? "no NVIDIA driver is installed"
                           : "the NVIDIA driver supports CUDA " + version_text(driver) +
                                 ", but this build needs CUDA " + version_text(runtime) + ": update the driver";
    }
    if (status == cudaErrorNoDevice) return "no CUDA device was found";
    return std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ")";
}

} // namespace

int count_gpus(std::string* why_none) {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count > 0) return count;
    cudaGetLastError();
    if (why_none) *why_none = status == cudaSuccess ? "no CUDA device was found" : reason_for(status);
    return 0;
}

GpuDevice describe_gpu(int index) {
    GpuDevice device;
    device.index = index;
    int driver = 0;
    cudaDriverGetVersion(&driver);
    device.driver = "CUDA " + version_text(driver);
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, index) == cudaSuccess) {
        device.name = properties.name;
        device.compute_major = properties.major;
        device.compute_minor = properties.minor;
        device.total_memory = properties.totalGlobalMem;
    }
    std::size_t free = 0, total = 0;
    if (cudaSetDevice(index) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) device.free_memory = free;
    return device;
}

std::vector<GpuDevice> list_gpus(std::string* why_none) {
    std::vector<GpuDevice> devices;
    const int count = count_gpus(why_none);
    for (int index = 0; index < count; ++index) devices.push_back(describe_gpu(index));
    return devices;
}

double double_precision_peak(int device) {
    int processors = 0, kilohertz = 0, major = 0, minor = 0;
    const std::pair<int*, cudaDeviceAttr> wanted[] = {{&processors, cudaDevAttrMultiProcessorCount},
                                                      {&kilohertz, cudaDevAttrClockRate},
                                                      {&major, cudaDevAttrComputeCapabilityMajor},
                                                      {&minor, cudaDevAttrComputeCapabilityMinor}};
    for (const auto& [value, attribute] : wanted)
        if (cudaDeviceGetAttribute(value, attribute, device) != cudaSuccess) {
            cudaGetLastError();
            return 0;
        }
    // multiply-adds of a multiprocessor in a clock: NVIDIA's CUDA programming guide, throughput of arithmetic
    // instructions
    const int capability = 10 * major + minor;
    const int multiply_adds = capability == 35 || capability == 90 || capability == 100  ? 64
                              : capability == 60 || capability == 70 || capability == 80 ? 32
                                                                                         : 0;
    return 2.0 * multiply_adds * processors * 1e3 * kilohertz;
}

std::vector<int> alike_gpus(int first) {
    const auto name_of = [](int index) {
        cudaDeviceProp properties{};
        return cudaGetDeviceProperties(&properties, index) == cudaSuccess ? std::string(properties.name)
                                                                          : std::string();
    };
    std::vector<int> alike;
    const int count = count_gpus();
    const std::string name = first < count ? name_of(first) : std::string();
    for (int index = first; index < count; ++index)
        if (name_of(index) == name) alike.push_back(index);
    return alike;
}

namespace cuda {

GpuDevice select_gpu(int index) {
    std::string why;
    const int count = count_gpus(&why);
    if (count == 0) throw RunError("GPU: " + why);
    if (index < 0 || index >= count)
        throw InputError(
            "GPU " + std::to_string(index) + " does not exist: there " +
            (count == 1 ? "is one (0)" : "are " + std::to_string(count) + " (0 to " + std::to_string(count - 1) + ")"));
    check(cudaSetDevice(index), "selecting the device");
    return describe_gpu(index);
}

std::uint32_t multiprocessors() {
    int count = 0, device = 0;
    check(cudaGetDevice(&device), "reading the device's properties");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "reading the device's properties");
    return static_cast<std::uint32_t>(count);
}

} // namespace cuda
} // namespace sluice
