// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cstddef>
#include <cstdint>
#include <string>

// A CPU run whose interaction is carried out elsewhere: the particles travel there and the rates back in every step.
// This is the paper's partial GPU implementation (Fig. 4, left), kept for the benches.

namespace sluice {

/// The cells of a run on the host, along the host's own three axes: index x + count.x·(y + count.y·z), `reach` cells to
/// search on either side.
struct HostCells {
    Vec3i count;
    int reach = 1;
    std::uint32_t size() const { return static_cast<std::uint32_t>(count.x) * count.y * count.z; }
};

/// Boundary or fluid particles, sorted by cell; plain arrays that the host keeps.
struct SortedParticles {
    std::uint32_t count = 0;
    const Vec3d* position = nullptr;      ///< from the domain's lower corner, m
    const float* flow = nullptr;          ///< four each: velocity (m/s), density (kg/m³)
    const std::uint32_t* cell = nullptr;  ///< of each particle
    const std::uint32_t* begin = nullptr; ///< first particle of each cell among all (boundary first), and the end
};

/// What an interaction came to besides the rates.
struct RemoteResult {
    float largest_speed = 0;     ///< c_a + max_b|h v·r/(r²+η²)| over the fluid, m/s
    double transfer_seconds = 0; ///< that particles and rates were on their way
};

class RemoteInteraction {
public:
    virtual ~RemoteInteraction() = default;
    /// Name of the device.
    virtual std::string device() const = 0;
    /// Before the first step, and again when the boundary particles have another order.
    virtual void begin(const HostCells& cells, const SortedParticles& boundary) = 0;
    /// dv/dt without gravity and dρ/dt of all particles, boundary first, four numbers each. RunError if the device
    /// fails.
    virtual RemoteResult interact(const SortedParticles& boundary, const SortedParticles& fluid, float* rates) = 0;
    /// Bytes held there.
    virtual std::size_t memory_bytes() const = 0;
};

} // namespace sluice
