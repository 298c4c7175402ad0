// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/particle_cells.h"
#include "run/frame.h"
#include "sph/constants.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace sluice {

/// The fluid at a point. Where the kernel meets too little fluid (fraction < 0.1) the values are NaN.
struct Measurement {
    double fraction = 0; ///< φ = Σ_b (m/ρ_b) W: the part of the volume that is fluid
    Vec3d velocity;      ///< m/s
    double pressure = 0; ///< Pa
    double density = 0;  ///< kg/m³
};

/// Interpolates the fluid of one frame, kernel-corrected (Shepard): f(x) = Σ_b f_b (m/ρ_b) W / φ.
/// Boundary particles do not count. In two dimensions y does not count.
class FluidInterpolator {
public:
    /// With a `region`, the interpolator is good for points in it only, and made the faster.
    FluidInterpolator(const Frame& frame, std::uint32_t boundary_count, const sph::Constants& constants,
                      const std::optional<Box>& region = std::nullopt);

    Measurement at(const Vec3d& point) const;

private:
    const Frame& frame_;
    sph::Constants constants_;
    ParticleCells cells_;
};

/// The fluid at several points of a frame.
std::vector<Measurement> measure_points(const Frame& frame, std::uint32_t boundary_count,
                                        const sph::Constants& constants, const std::vector<Vec3d>& points);

} // namespace sluice
