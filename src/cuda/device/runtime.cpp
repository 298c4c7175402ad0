// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/runtime.h"

#include <cuda_runtime.h>

namespace sluice::cuda {

void use_device(int device) { check(cudaSetDevice(device), "selecting the device"); }

void wait_for(cudaStream_t stream, const char* what) { check(cudaStreamSynchronize(stream), what); }

void wait_for_device(const char* what) { check(cudaDeviceSynchronize(), what); }

void finish_work(std::initializer_list<cudaStream_t> streams) noexcept {
    for (const cudaStream_t stream : streams) cudaStreamSynchronize(stream);
}

void copy_on_device(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), what);
}

void copy_to_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), what);
}

void copy_from_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), what);
}

void copy_between_devices(int to_device, void* to, int from_device, const void* from, std::size_t bytes,
                          cudaStream_t stream, const char* what) {
    if (from_device == to_device) return copy_on_device(to, from, bytes, stream, what);
    check(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream), what);
}

void fill(void* to, int value, std::size_t bytes, cudaStream_t stream, const char* what) {
    check(cudaMemsetAsync(to, value, bytes, stream), what);
}

std::size_t free_device_memory() {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for free memory");
    return free;
}

bool give_access(int device, int other) {
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, device, other), "asking whether GPUs see each other");
    if (!can) return false;
    use_device(device);
    const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
    cudaGetLastError();
    if (status != cudaErrorPeerAccessAlreadyEnabled) check(status, "connecting GPUs");
    return true;
}

std::string bus_place_of(int device) {
    char bus[32] = {};
    check(cudaDeviceGetPCIBusId(bus, sizeof bus, device), "asking for the place of a GPU");
    return bus;
}

Event::Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event"); }

PageLockedBytes::PageLockedBytes(std::size_t bytes) : bytes_(bytes) {
    check(cudaHostAlloc(&data_, bytes, cudaHostAllocPortable | cudaHostAllocMapped), "page-locked memory");
}

PageLockedBytes PageLockedBytes::if_possible(std::size_t bytes) {
    PageLockedBytes memory;
    if (cudaMallocHost(&memory.data_, bytes) == cudaSuccess)
        memory.bytes_ = bytes;
    else
        cudaGetLastError();
    return memory;
}

void PageLockedBytes::swap(PageLockedBytes& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
}

} // namespace sluice::cuda
