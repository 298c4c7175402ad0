// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/device_memory.h"

#include "core/error.h"
#include "core/numbers.h"

namespace sluice::cuda {

void* DeviceMemory::allocate(std::size_t bytes, const char* what) {
    if (bytes == 0) return nullptr;
    void* pointer = nullptr;
    const cudaError_t status = cudaMalloc(&pointer, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError(); // the failure is reported here, not by the next launch
        std::size_t free = 0, total = 0;
        cudaMemGetInfo(&free, &total);
        throw RunError(std::string("GPU memory: ") + what + " needs " + bytes_text(double(bytes)) + " more, but only " +
                       bytes_text(double(free)) + " of " + bytes_text(double(total)) + " are free (this run holds " +
                       bytes_text(double(held_)) + "): choose a mode that needs less, or a larger dp");
    }
    check(status, what);
    held_ += bytes;
    check(cudaMemset(pointer, 0, bytes), what);
    check(cudaStreamSynchronize(nullptr), what); // streams of their own do not wait for that one
    return pointer;
}

void DeviceMemory::release(void* pointer, std::size_t bytes) noexcept {
    cudaFree(pointer); // at the end of a run an error has no reader
    held_ -= bytes;
}

} // namespace sluice::cuda
