// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device_share.h"
#include <vector>

namespace sluice::cuda {

/// Enqueues a copy from device `from` on the receiver's stream: direct where the devices see each other, else through
/// the host's memory, as the driver does.
void copy_between(int from, const void* source, const DeviceShare& to, void* target, std::size_t bytes);

/// Copies of records of 16 bytes to one device from others, all done at once: by one kernel, which reads the others'
/// memory, where the device sees it; else by the driver, one after the other.
class HaloCopies {
public:
    HaloCopies(const DeviceShare& to, bool sees_others) : to_(to), sees_others_(sees_others) {}

    template <class Record>
    void add(const DeviceShare& from, const Record* source, Record* target, std::size_t count) {
        static_assert(sizeof(Record) == 16);
        if (count > 0) pieces_.push_back({from.device(), source, target, count});
    }
    /// Enqueues them; the current device is the receiver.
    void enqueue();

private:
    struct Piece {
        int device;
        const void* source;
        void* target;
        std::size_t count;
    };
    const DeviceShare& to_;
    bool sees_others_;
    std::vector<Piece> pieces_;
};

} // namespace sluice::cuda
