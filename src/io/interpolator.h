// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/particle_cells.h"
#include "model/fields.h"
#include "model/run_setup.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace sluice {

/// The fluid at a point. Where the kernel meets too little fluid the values are NaN.
struct Measurement {
    double fraction = 0; ///< φ = Σ_b (m/ρ_b) W: the part of the volume that is fluid
    Vec3d velocity;      ///< m/s
    double pressure = 0; ///< Pa
    double density = 0;  ///< kg/m³
};

/// Some fields of the fluid at a point: their components one after the other, in the order of the table of fields.
struct FieldMeasurement {
    double fraction = 0;
    std::vector<double> components; ///< NaN where the kernel meets too little fluid
};

/// Below this fraction of fluid, a handful of droplets at the rim of the kernel would pass for a measurement.
constexpr double least_fraction = 0.1;

/// Interpolates the fluid of one frame (which must stay), kernel-corrected (Shepard): f(x) = Σ_b f_b (m/ρ_b) W / φ.
/// Boundary particles do not count. In two dimensions y does not count.
class FluidInterpolator {
public:
    /// With `regions`, the interpolator is good for points in them only, and made the faster.
    FluidInterpolator(const Frame& frame, const ParticleGroups& groups, const sph::Constants& constants,
                      const std::vector<Box>& regions = {});

    /// The fluid at a point; NaN where φ < `least`.
    Measurement at(const Vec3d& point, double least = least_fraction) const;
    std::vector<Measurement> at(const std::vector<Vec3d>& points, double least = least_fraction) const;
    /// Any fields, which the frame must have.
    FieldMeasurement at(const Vec3d& point, const FieldSelection& fields, double least = least_fraction) const;
    /// φ alone.
    double fraction_at(const Vec3d& point) const;

    const Frame& frame() const { return frame_; }
    const sph::Constants& constants() const { return constants_; }
    /// The fluid particles, for searches within the kernel's reach.
    const ParticleCells& cells() const { return cells_; }

private:
    /// Calls `use(i, weight)` with the weight (m/ρ_i) W of each fluid particle in reach; returns their sum, φ.
    template <class Use>
    double weigh(const Vec3d& point, const Use& use) const;

    const Frame& frame_;
    sph::Constants constants_;
    ParticleCells cells_;
};

/// The fluid of the frame at hand, sorted once for all who look at it during a run, and only where they look.
class SharedFluid {
public:
    explicit SharedFluid(const RunSetup& setup) : setup_(setup) {}

    /// Somebody will look there, too.
    void add_regions(const std::vector<Box>& regions) {
        regions_.insert(regions_.end(), regions.begin(), regions.end());
    }
    /// The fluid of a frame; good until the next one is asked for. A run has one frame for a step.
    const FluidInterpolator& of(const Frame& frame);

private:
    RunSetup setup_;
    std::vector<Box> regions_;
    Frame with_images_; ///< of a periodic run: the frame at hand, with what is seen across the periodic sides
    const Frame* frame_ = nullptr;
    std::int64_t step_ = 0;
    std::optional<FluidInterpolator> fluid_;
};

} // namespace sluice
