// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/compare.h"
#include "model/fields.h"
#include "physics/sph/kernels.h"
#include <array>
#include <cmath>

// The derivatives of the flow that a backend puts into frames, held against the definitions in double precision: every
// particle with every other and its images, nothing shared with the operator but the shape of the kernel.

namespace sluice {

inline constexpr FieldSelection derived_fields{Field::vorticity, Field::velocity_divergence,
                                               Field::position_divergence};

namespace oracle {

/// Sums of one particle, and of the absolute values of their terms, from which rounding errors grow.
struct FlowGradient {
    Vec3d vorticity;
    double velocity_divergence = 0, position_divergence = 0;
    double velocity_scale = 0, position_scale = 0;

    /// The largest error of computed values, in units of the scales; infinite if one is not a number.
    double error(const Vec3f& curl, float velocity_div, float position_div) const {
        const Vec3d d = vec_cast<double>(curl) - vorticity;
        double worst = 0;
        for (const double e : {std::sqrt(dot(d, d)) / (velocity_scale + 1e-3),
                               (velocity_div - velocity_divergence) / (velocity_scale + 1e-3),
                               (position_div - position_divergence) / (position_scale + 1e-3)})
            worst = std::isfinite(e) ? std::max(worst, std::abs(e)) : INFINITY;
        return worst;
    }
};

/// Of particle a of a state, positions from the corner of the domain.
inline FlowGradient flow_gradient(const RunSetup& setup, const State& s, std::size_t a) {
    const sph::Constants& c = setup.constants;
    const double alpha_d = sph::with_kernel(c.kernel, [&]<class K>(K) { return K::normalisation(c.h, c.two_d); });
    FlowGradient sum;
    detail::for_each_neighbour(setup, s, a, 4 * c.h * c.h, [&](std::size_t b, const Vec3d& r_ab) {
        const Vec3d to_b = Vec3d{} - r_ab;
        const double r = std::sqrt(dot(to_b, to_b));
        if (r == 0) return;
        const double slope = sph::with_kernel(c.kernel, [&]<class K>(K) { return K::derivative(r / c.h); });
        const double mass = setup.groups.is_fluid(s.id[b]) ? c.mass_fluid : c.mass_bound;
        // ∇_a W points to where W rises, which is towards b
        const Vec3d gradient = (-mass / s.density[b] * alpha_d / c.h * slope / r) * to_b;
        const Vec3d v = s.velocity[b] - s.velocity[a];
        sum.vorticity = sum.vorticity + cross(gradient, v);
        sum.velocity_divergence += dot(gradient, v);
        sum.position_divergence += dot(gradient, to_b);
        sum.velocity_scale += std::sqrt(dot(gradient, gradient) * dot(v, v));
        sum.position_scale += std::sqrt(dot(gradient, gradient)) * r;
    });
    return sum;
}

} // namespace oracle

/// Holds the derived fields of a backend's present state against the oracle.
inline void expect_oracle_flow_gradients_now(Backend& backend, const RunSetup& setup, const std::string& name) {
    const Frame frame = backend.snapshot(derived_fields)->get();
    const oracle::State s = oracle::to_double(sorted_by_id(backend.state()));
    ASSERT_EQ(frame.id, s.id) << name;
    ASSERT_EQ(frame.vorticity.size(), frame.size()) << name;
    ASSERT_EQ(frame.velocity_divergence.size(), frame.size()) << name;
    ASSERT_EQ(frame.position_divergence.size(), frame.size()) << name;
    double worst = 0;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (!setup.groups.is_fluid(frame.id[i])) {
            EXPECT_TRUE(std::isnan(frame.vorticity[i].x) && std::isnan(frame.velocity_divergence[i]) &&
                        std::isnan(frame.position_divergence[i]));
            continue;
        }
        worst =
            std::max(worst, oracle::flow_gradient(setup, s, i)
                                .error(frame.vorticity[i], frame.velocity_divergence[i], frame.position_divergence[i]));
    }
    EXPECT_LT(worst, 1e-5) << name;
}

/// The same of a cloud's state.
inline void expect_oracle_flow_gradients(Backend& backend, const clouds::Cloud& cloud, const std::string& name) {
    backend.set_state(cloud.state);
    expect_oracle_flow_gradients_now(backend, cloud.setup, name);
}

/// All kernels × dimensions.
inline std::vector<clouds::Choice> flow_gradient_choices() {
    std::vector<clouds::Choice> all;
    for (const auto kernel : {sph::KernelType::cubic_spline, sph::KernelType::wendland})
        for (const bool two_d : {false, true})
            all.push_back({kernel, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet, two_d});
    return all;
}

} // namespace sluice
