// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/interpolator.h"
#include "core/error.h"
#include "io/fluid/layout.h"
#include "io/fluid/periodic_images.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sluice {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

void add_components(double* sums, double weight, float value) { sums[0] += weight * static_cast<double>(value); }
void add_components(double* sums, double weight, const Vec3f& value) {
    for (int axis = 0; axis < 3; ++axis) sums[axis] += weight * static_cast<double>(value[axis]);
}

} // namespace

void require_volumes(const Frame& frame, const ParticleGroups& groups, const std::filesystem::path& file) {
    for (std::size_t i = groups.fluid_begin(frame.id); i < frame.size(); ++i) {
        const Vec3d& p = frame.position[i];
        const float density = frame.density[i];
        if (!(density > 0) || !std::isfinite(density) || !std::isfinite(p.x + p.y + p.z))
            throw RunError(fmt::format(
                "{}: particle {} is at {:.10g}, {:.10g}, {:.10g} m with a density of {:g} kg/m^3: the frame "
                "is damaged, or the run had blown up; choose others with --first and --last",
                file.string(), frame.id[i], p.x, p.y, p.z, density));
    }
}

FluidInterpolator::FluidInterpolator(const Frame& frame, const ParticleGroups& groups, const sph::Constants& constants,
                                     const std::vector<Box>& regions)
    : frame_(frame), groups_(groups), constants_(constants), fluid_begin_(groups.fluid_begin(frame.id)),
      cells_(frame.position, fluid_begin_, frame.size(), 2 * constants.h, constants.two_d, regions) {}

Measurement FluidInterpolator::at(const Vec3d& point, double least) const {
    Measurement m;
    m.fraction = weigh(point, [&](std::uint32_t i, double weight) {
        m.pressure += weight * static_cast<double>(frame_.pressure[i]);
        m.density += weight * static_cast<double>(frame_.density[i]);
        m.velocity = m.velocity + weight * vec_cast<double>(frame_.velocity[i]);
    });
    const double correction = m.fraction >= least && m.fraction > 0 ? 1 / m.fraction : undefined;
    m.velocity = correction * m.velocity;
    m.pressure *= correction;
    m.density *= correction;
    return m;
}

FieldMeasurement FluidInterpolator::at(const Vec3d& point, const FieldSelection& fields, double least) const {
    FieldMeasurement m;
    std::size_t count = 0;
    for_each_selected(fields, [&](const FieldInfo& info) { count += static_cast<std::size_t>(components_of(info)); });
    m.components.resize(count);
    m.fraction = weigh(point, [&](std::uint32_t i, double weight) {
        double* sums = m.components.data();
        for_each_selected(fields, [&](const FieldInfo& info) {
            with_values(frame_, info, [&](const auto& values) { add_components(sums, weight, values[i]); });
            sums += components_of(info);
        });
    });
    for (double& component : m.components)
        component *= m.fraction >= least && m.fraction > 0 ? 1 / m.fraction : undefined;
    return m;
}

std::vector<Measurement> FluidInterpolator::at(const std::vector<Vec3d>& points, double least) const {
    std::vector<Measurement> values(points.size());
    std::transform(points.begin(), points.end(), values.begin(), [&](const Vec3d& p) { return at(p, least); });
    return values;
}

double FluidInterpolator::fraction_at(const Vec3d& point) const {
    return weigh(point, [](std::uint32_t, double) {});
}

const FluidInterpolator& SharedFluid::of(const Frame& frame) {
    if (fluid_ && step_ == frame.step && frame_ == &frame) return *fluid_;
    fluid_.reset();
    const bool periodic = setup_.period.any();
    if (periodic) {
        with_images_ = frame;
        add_fluid_images(with_images_, setup_, 2 * setup_.constants.h);
    }
    std::vector<Box> regions = regions_;
    for (const auto& regions_at : moving_regions_) {
        const std::vector<Box> now = regions_at(frame);
        regions.insert(regions.end(), now.begin(), now.end());
    }
    fluid_.emplace(periodic ? with_images_ : frame, setup_.groups, setup_.constants_at(frame.time), regions);
    frame_ = &frame;
    step_ = frame.step;
    return *fluid_;
}

} // namespace sluice
