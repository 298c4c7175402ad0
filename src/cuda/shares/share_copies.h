// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/shares/halo_copies.h"
#include "cuda/shares/remote_copies.h"
#include <memory>
#include <vector>

namespace sluice::cuda {

/// The devices of a run, by number; null: that of another process.
using SharedDevices = std::vector<std::unique_ptr<DeviceShare>>;

/// Copies between the devices of a run, whichever process has them, all of one kind of stream. Every process adds the
/// same copies in the same order.
class ShareCopies {
public:
    using StreamOf = cudaStream_t (DeviceShare::*)() const;

    /// `all_connected`: whether the devices of a process see each other's memory.
    ShareCopies(const SharedDevices& devices, const ProcessGroup& group, bool all_connected, RemoteCopies& remote,
                StreamOf stream);

    /// Adds a copy of records of 16, 8 or 4 bytes. `source` and `target` are read only where the device is this
    /// process's.
    template <class Record>
    void add(std::size_t from, const Record* source, std::size_t to, Record* target, std::size_t count) {
        if (count == 0) return;
        if (devices_[from] && devices_[to])
            local_[to].add(*devices_[from], source, target, count);
        else
            add_remote(from, source, to, target, count * sizeof(Record));
    }
    /// Adds a copy of an array of any type, or none where the run has no such array.
    template <class T>
    void add_array(std::size_t from, const T* source, std::size_t to, T* target, std::size_t count) {
        if (count == 0 || (!source && !target)) return;
        if (devices_[from] && devices_[to])
            arrays_.push_back({from, source, to, target, count * sizeof(T)});
        else
            add_remote(from, source, to, target, count * sizeof(T));
    }
    /// Enqueues them, arrays of any type first; those of other processes are there when it returns.
    void enqueue();

private:
    struct Array {
        std::size_t from;
        const void* source;
        std::size_t to;
        void* target;
        std::size_t bytes;
    };
    void add_remote(std::size_t from, const void* source, std::size_t to, void* target, std::size_t bytes);

    const SharedDevices& devices_;
    const ProcessGroup& group_;
    RemoteCopies& remote_;
    StreamOf stream_;
    std::vector<HaloCopies> local_; ///< to each device
    std::vector<Array> arrays_;
};

} // namespace sluice::cuda
