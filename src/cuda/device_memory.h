// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/check.h"
#include <cstddef>
#include <utility>

namespace sluice::cuda {

/// Counts what a run holds on the device, and says in clear words when there is not enough.
class DeviceMemory {
public:
    void* allocate(std::size_t bytes, const char* what);
    void release(void* pointer, std::size_t bytes) noexcept;
    std::size_t held() const { return held_; }

private:
    std::size_t held_ = 0;
};

/// An array on the device, zeroed when made. Belongs to the DeviceMemory that it came from, which must outlive it.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    DeviceArray(DeviceMemory& memory, std::size_t count, const char* what)
        : memory_(&memory), data_(static_cast<T*>(memory.allocate(count * sizeof(T), what))), count_(count) {}
    ~DeviceArray() {
        if (data_) memory_->release(data_, count_ * sizeof(T));
    }
    DeviceArray(DeviceArray&& other) noexcept
        : memory_(other.memory_), data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        return *this;
    }

    T* data() const { return data_; }
    std::size_t size() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

private:
    DeviceMemory* memory_ = nullptr;
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

} // namespace sluice::cuda
