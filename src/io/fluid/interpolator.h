// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/particle_cells.h"
#include "model/fields.h"
#include "model/run_setup.h"
#include "physics/sph/free_surface.h"
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
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

/// Throws RunError, naming the file, if a fluid particle of a stored frame has no place or no volume: it is damaged, or
/// the run had blown up.
void require_volumes(const Frame& frame, const ParticleGroups& groups, const std::filesystem::path& file);

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
    /// The sum of (m/ρ) W (u − v) over those fluid particles near a point of which `counts(index)` is true, m/s; v is
    /// the velocity of the point, m/s.
    template <class Counts>
    Vec3d flux_at(const Vec3d& point, const Counts& counts, const Vec3d& velocity = {}) const;
    /// φ alone.
    double fraction_at(const Vec3d& point) const;

    const Frame& frame() const { return frame_; }
    const sph::Constants& constants() const { return constants_; }
    /// The fluid particles, for searches within the kernel's reach.
    const ParticleCells& cells() const { return cells_; }
    /// Index of the first fluid particle in the frame: boundary particles come before it.
    std::size_t fluid_begin() const { return fluid_begin_; }
    /// Mass of a fluid particle of the frame, kg (kg/m in 2-D).
    double mass_of(std::size_t i) const { return groups_.mass_of(frame_.id[i]); }

private:
    /// Calls `use(i, weight)` with the weight (m/ρ_i) W of each fluid particle in reach; returns their sum, φ.
    template <class Use>
    double weigh(const Vec3d& point, const Use& use) const;

    const Frame& frame_;
    ParticleGroups groups_;
    sph::Constants constants_;
    std::size_t fluid_begin_;
    ParticleCells cells_;
};

template <class Use>
double FluidInterpolator::weigh(const Vec3d& point, const Use& use) const {
    const double h = constants_.h;
    return sph::with_kernel(constants_.kernel, [&](auto kernel) {
        const double normalisation = kernel.normalisation(h, constants_.two_d);
        double sum = 0;
        cells_.for_each_near(point, [&](std::uint32_t i, double r2, const Vec3d&) {
            const double weight = sph::fluid_fraction<decltype(kernel)>(normalisation * mass_of(i),
                                                                        static_cast<double>(frame_.density[i]), r2, h);
            sum += weight;
            use(i, weight);
        });
        return sum;
    });
}

template <class Counts>
Vec3d FluidInterpolator::flux_at(const Vec3d& point, const Counts& counts, const Vec3d& velocity) const {
    Vec3d flux;
    weigh(point, [&](std::uint32_t i, double weight) {
        if (counts(i)) flux = flux + weight * (vec_cast<double>(frame_.velocity[i]) - velocity);
    });
    return flux;
}

/// The fluid of the frame at hand, sorted once for all samplers of a run, and only where they need it.
class SharedFluid {
public:
    explicit SharedFluid(const RunSetup& setup) : setup_(setup) {}

    /// A sampler will also need the fluid there.
    void add_regions(const std::vector<Box>& regions) {
        regions_.insert(regions_.end(), regions.begin(), regions.end());
    }
    /// A sampler will also need the fluid where this says, of each frame.
    void add_regions(std::function<std::vector<Box>(const Frame&)> regions_at) {
        moving_regions_.push_back(std::move(regions_at));
    }
    /// The fluid of a frame; good until the next one is asked for. A run has one frame for a step.
    const FluidInterpolator& of(const Frame& frame);

private:
    RunSetup setup_;
    std::vector<Box> regions_;
    std::vector<std::function<std::vector<Box>(const Frame&)>> moving_regions_;
    Frame with_images_; ///< of a periodic run: the frame at hand, with what is seen across the periodic sides
    const Frame* frame_ = nullptr;
    std::int64_t step_ = 0;
    std::optional<FluidInterpolator> fluid_;
};

} // namespace sluice
