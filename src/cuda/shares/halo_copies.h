// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/shares/device_share.h"
#include <vector>

namespace sluice::cuda {

/// Enqueues a copy from device `from` to device `to`, on a stream of that: direct where the devices see each other,
/// else through the host's memory, as the driver does.
void copy_between(int from, const void* source, int to, void* target, std::size_t bytes, cudaStream_t stream);

/// Copies of records of 16, 8 or 4 bytes to one device from others, all done at once: by a kernel, which reads the
/// others' memory, where the device sees it; else by the driver, one after the other.
class HaloCopies {
public:
    HaloCopies(const DeviceShare& to, bool sees_others) : to_(to), sees_others_(sees_others) {}

    template <class Record>
    void add(const DeviceShare& from, const Record* source, Record* target, std::size_t count) {
        static_assert(sizeof(Record) == 16 || sizeof(Record) == 8 || sizeof(Record) == 4);
        std::vector<Piece>& of_size = sizeof(Record) == 16 ? long_ : sizeof(Record) == 8 ? short_ : words_;
        if (count > 0) of_size.push_back({from.device(), source, target, count});
    }
    /// Enqueues them on a stream of the receiver, which is the current device.
    void enqueue(cudaStream_t stream);

private:
    struct Piece {
        int device;
        const void* source;
        void* target;
        std::size_t count;
    };
    template <class Record>
    void enqueue(const std::vector<Piece>& pieces, cudaStream_t stream);

    const DeviceShare& to_;
    bool sees_others_;
    std::vector<Piece> long_, short_, words_;
};

/// Lets kernels of one device read arrays of others: in place where the device sees them, else in copies.
class PeerReader {
public:
    /// `most_bytes`: of what is read at the same time.
    PeerReader(DeviceShare& to, bool sees_others, std::size_t most_bytes)
        : to_(to), next_(sees_others ? nullptr : to.room_for_copies(most_bytes)) {}

    /// The first `count` elements of an array of `from`; null for null.
    template <class T>
    const T* read(const DeviceShare& from, const T* array, std::size_t count) {
        if (!next_ || !array) return array;
        T* const copy = reinterpret_cast<T*>(next_);
        copy_between(from.device(), array, to_.device(), copy, count * sizeof(T), to_.stream());
        next_ += (count * sizeof(T) + 15) / 16 * 16;
        return copy;
    }

private:
    DeviceShare& to_;
    std::byte* next_; ///< null: they are read in place
};

} // namespace sluice::cuda
