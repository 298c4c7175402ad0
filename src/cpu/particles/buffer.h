// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <type_traits>
#include <utility>

namespace sluice::cpu {

/// Array of plain data that starts at a cache line and is not initialised: the threads that fill it touch it first.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Buffer() = default;
    explicit Buffer(std::size_t size) { reserve(size); }
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() { std::free(data_); }

    /// Makes room for `size` elements; what was there is lost if the room grows.
    void reserve(std::size_t size) {
        if (size <= capacity_) return;
        std::free(data_);
        data_ = nullptr;
        capacity_ = 0;
        const std::size_t alignment = size * sizeof(T) < huge_page ? cache_line : huge_page;
        const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
        data_ = static_cast<T*>(std::aligned_alloc(alignment, bytes));
        if (!data_) throw std::bad_alloc();
#ifdef __linux__
        if (alignment == huge_page)
            madvise(data_, bytes, MADV_HUGEPAGE); // a hint: without it all works, a little slower
#endif
        capacity_ = size;
    }
    /// The same, but the first `used` elements are kept.
    void grow(std::size_t used, std::size_t size) {
        if (size <= capacity_) return;
        Buffer larger(size);
        if (used > 0) std::memcpy(larger.data_, data_, used * sizeof(T));
        swap(larger);
    }
    void swap(Buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    std::size_t bytes() const { return capacity_ * sizeof(T); }

private:
    static constexpr std::size_t cache_line = 64, huge_page = std::size_t(2) << 20;
    T* data_ = nullptr;
    std::size_t capacity_ = 0;
};

} // namespace sluice::cpu
