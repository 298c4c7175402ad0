// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

// Calls of the CUDA runtime that other folders need: this folder alone makes them. Copies and fills are enqueued on a
// stream. All throw RunError "GPU: <what>: <reason>" if a call fails.

namespace sluice::cuda {

/// Makes a device the calling thread's.
void use_device(int device);

/// Waits until all that has been enqueued on the stream (on the calling thread's device) is done.
void wait_for(cudaStream_t stream, const char* what);
void wait_for_device(const char* what);
/// The same of the streams of an object that goes away. Never throws.
void finish_work(std::initializer_list<cudaStream_t> streams) noexcept;

void copy_on_device(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what);
void copy_to_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what);
void copy_from_host(void* to, const void* from, std::size_t bytes, cudaStream_t stream, const char* what);
/// Between two devices, or within one.
void copy_between_devices(int to_device, void* to, int from_device, const void* from, std::size_t bytes,
                          cudaStream_t stream, const char* what);
/// Each byte becomes `value`.
void fill(void* to, int value, std::size_t bytes, cudaStream_t stream, const char* what);

/// Free memory of the calling thread's device, bytes.
std::size_t free_device_memory();

/// Whether a device may read and write another one's memory, and lets it if so.
bool give_access(int device, int other);

/// Place of a device on the bus of its host.
std::string bus_place_of(int device);

/// A point in a stream that others wait for.
class Event {
public:
    Event();
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    Event(Event&& other) noexcept : event_(other.event_) { other.event_ = nullptr; }

    void record(cudaStream_t stream, const char* what) { check(cudaEventRecord(event_, stream), what); }
    /// What is enqueued on the stream next waits for the point that was recorded last.
    void let_wait(cudaStream_t stream, const char* what) const { check(cudaStreamWaitEvent(stream, event_), what); }
    /// The calling thread waits for it.
    void wait(const char* what) const { check(cudaEventSynchronize(event_), what); }

private:
    cudaEvent_t event_ = nullptr;
};

/// Bytes of page-locked memory of the host, which all devices of the process copy to and from and whose kernels may
/// write to it.
class PageLockedBytes {
public:
    PageLockedBytes() = default;
    explicit PageLockedBytes(std::size_t bytes);
    ~PageLockedBytes() { cudaFreeHost(data_); }
    PageLockedBytes(PageLockedBytes&& other) noexcept { swap(other); }
    PageLockedBytes& operator=(PageLockedBytes&& other) noexcept {
        swap(other);
        return *this;
    }
    /// None where the host does not give so much.
    static PageLockedBytes if_possible(std::size_t bytes);

    void* data() const { return data_; }
    std::size_t size() const { return bytes_; }

private:
    void swap(PageLockedBytes& other) noexcept;

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Values in such memory.
template <class T>
class PageLocked {
public:
    PageLocked() = default;
    explicit PageLocked(std::size_t count) : bytes_(count * sizeof(T)) {}

    T* data() const { return static_cast<T*>(bytes_.data()); }
    std::size_t size() const { return bytes_.size() / sizeof(T); }
    T& operator[](std::size_t i) const { return data()[i]; }

private:
    PageLockedBytes bytes_;
};

} // namespace sluice::cuda
