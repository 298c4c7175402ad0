// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"
#include <algorithm>
#include <cstddef>
#include <type_traits>
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

/// An array whose memory several things hold in turn. Each is a role, a type that names its `Element`; taking up a role
/// gives up what the others had there.
template <class... Roles>
class SharedArray {
public:
    SharedArray() = default;
    SharedArray(DeviceMemory& memory, std::size_t count, const char* what)
        : memory_(memory, count * std::max({sizeof(typename Roles::Element)...}), what) {}

    template <class Role>
    typename Role::Element* as() const {
        static_assert((std::is_same_v<Role, Roles> || ...), "this array never holds that");
        return reinterpret_cast<typename Role::Element*>(memory_.data());
    }

private:
    DeviceArray<std::byte> memory_;
};

} // namespace sluice::cuda
