// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "cuda/device/device_memory.h"
#include <cstdint>

namespace sluice::cuda {

/// Finds the box around places on the device.
class PlaceBounds {
public:
    explicit PlaceBounds(DeviceMemory& memory) : box_(memory, 6, "bounds of the particles") {}

    /// Least and largest coordinates of place(0) … place(count − 1), 0 of none; `place` is a function of the device
    /// that returns a Vec3d. Waits for the stream. Defined in place_bounds.cuh.
    template <class Place>
    Box find(const Place& place, std::uint32_t count, cudaStream_t stream);

private:
    DeviceArray<unsigned long long> box_; ///< as numbers in the order of the doubles
};

} // namespace sluice::cuda
