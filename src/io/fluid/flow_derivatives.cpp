// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/flow_derivatives.h"

#include "io/fluid/particle_cells.h"
#include "io/fluid/periodic_images.h"
#include "methods/mps/operators.h"
#include <array>
#include <limits>
#include <utility>

namespace sluice {
namespace {

using Gradient = mps::Lsmps<mps::Sphere>;

/// The values whose gradients there are, of one particle.
using FlowValues = std::array<double, 4>;

FlowValues values_of(const Frame& frame, std::size_t i) {
    const Vec3f& v = frame.velocity[i];
    return {double(frame.pressure[i]), double(v.x), double(v.y), double(v.z)};
}

/// The field of the gradient of each of them.
constexpr std::array<Field, 4> gradient_fields{Field::pressure_gradient, Field::vx_gradient, Field::vy_gradient,
                                               Field::vz_gradient};

/// Places in frames are rounded by up to a thousandth of a spacing. What looks like a plane thinner than 3e-3 radii may
/// be one.
constexpr double least_determinant = 1e-5;

struct FlowGradients {
    std::array<Vec3f, 4> of;
};

/// The gradients at particle `i`, from the fluid in `cells`.
FlowGradients gradients_at(const Frame& fluid, std::size_t i, const ParticleCells& cells,
                           const mps::OperatorScale& scale) {
    double sums[4][Gradient::sum_count]{};
    const FlowValues own = values_of(fluid, i);
    cells.for_each_near(fluid.position[i], [&](std::uint32_t j, double, const Vec3d& r) {
        const mps::Separation<double> d{-r.x * scale.lsmps, -r.y * scale.lsmps, -r.z * scale.lsmps};
        const FlowValues other = values_of(fluid, j);
        for (std::size_t k = 0; k < own.size(); ++k) Gradient::add(d, other[k] - own[k], sums[k]);
    });
    FlowGradients gradients;
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t k = 0; k < own.size(); ++k) {
        double g[Gradient::result_count];
        const bool exists = Gradient::finish(scale, sums[k], g);
        gradients.of[k] = exists ? Vec3f{float(g[0]), float(g[1]), float(g[2])} : Vec3f{none, none, none};
    }
    return gradients;
}

} // namespace

Frame flow_derivatives(const Frame& frame, const RunSetup& setup, const FieldSelection& wanted, int threads) {
    Frame result;
    std::array<std::vector<Vec3f>*, 4> arrays{};
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        if (!wanted.has(gradient_fields[k])) continue;
        arrays[k] = &(result.*std::get<std::vector<Vec3f> Frame::*>(field_info(gradient_fields[k]).member));
        arrays[k]->assign(frame.size(), {none, none, none});
    }
    const double radius = 2 * setup.constants.h;
    Frame with_images;
    if (setup.period.any()) {
        with_images = frame;
        add_fluid_images(with_images, setup, radius);
    }
    const Frame& fluid = setup.period.any() ? with_images : frame;
    const std::size_t begin = setup.groups.fluid_begin(frame.id);
    const ParticleCells cells(fluid.position, begin, fluid.size(), radius, setup.constants.two_d);
    mps::OperatorScale scale;
    scale.lsmps = 1 / radius;
    scale.flat = setup.constants.two_d;
    scale.least_determinant = least_determinant;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int64_t i = std::int64_t(begin); i < std::int64_t(frame.size()); ++i) {
        const FlowGradients gradients = gradients_at(fluid, std::size_t(i), cells, scale);
        for (std::size_t k = 0; k < arrays.size(); ++k)
            if (arrays[k]) (*arrays[k])[std::size_t(i)] = gradients.of[k];
    }
    return result;
}

void add_flow_derivatives(Frame& frame, const RunSetup& setup, const FieldSelection& wanted, int threads) {
    Frame found = flow_derivatives(frame, setup, wanted, threads);
    for_each_selected(wanted.from(FieldSource::least_squares), [&](const FieldInfo& info) {
        std::visit([&](auto member) { frame.*member = std::move(found.*member); }, info.member);
    });
}

} // namespace sluice
