// SPDX-License-Identifier: Apache-2.0
#include "bench/dam_break.h"

#include "case/read_case.h"
#include "geometry/generate.h"
#include "model/derive.h"
#include "setup/setup.h"
#include <cmath>

namespace sluice::bench {

namespace {

struct Generated {
    Case definition;
    ParticleSet particles;
};

Generated generate(double dp) {
    CaseOverrides overrides;
    overrides.dp = dp;
    Generated made;
    made.definition = read_case_text(dam_break_case, "dam-break-3d.xml", overrides);
    made.particles = generate_particles(made.definition, made.definition.diagnostics);
    return made;
}

/// Particles as a sum of volumes and surfaces: N = volume / dp³ + surface / dp².
struct CountLaw {
    double volume = 0, surface = 0; ///< m³, m²
    double boundary = 0;            ///< m²: surface that is wall

    double at(double dp) const { return volume / (dp * dp * dp) + surface / (dp * dp); }
};

/// From two coarse lattices: cheap, and it follows the case if that changes.
const CountLaw& count_law() {
    static const CountLaw law = [] {
        const double a = 0.04, b = 0.016;
        const Generated coarse = generate(a), fine = generate(b);
        const double na = double(coarse.particles.size()) * a * a, nb = double(fine.particles.size()) * b * b;
        CountLaw l;
        l.volume = (nb - na) / (1 / b - 1 / a);
        l.surface = na - l.volume / a;
        l.boundary = double(fine.particles.boundary_count) * b * b;
        return l;
    }();
    return law;
}

} // namespace

double spacing_for(double particles) {
    double low = 1e-5, high = 0.2; // N falls with dp: halve the interval, in the logarithm
    for (int n = 0; n < 60; ++n) {
        const double middle = std::sqrt(low * high);
        (count_law().at(middle) > particles ? low : high) = middle;
    }
    return low;
}

DamBreak make_dam_break(double dp) {
    Generated made = generate(dp);
    DamBreak dam;
    dam.dp = dp;
    dam.setup = make_run_setup(made.definition, made.particles);
    dam.state = make_initial_state(made.definition, made.particles, dam.setup);
    return dam;
}

DamBreak make_dam_break_of(std::uint64_t particles) {
    const double wanted = double(particles);
    const double dp = spacing_for(wanted);
    DamBreak dam = make_dam_break(dp);
    const double ratio = double(dam.particles()) / wanted;
    if (std::abs(ratio - 1) < 0.01) return dam;
    DamBreak corrected = make_dam_break(dp * std::cbrt(ratio)); // one correction; layers come and go as wholes
    return std::abs(double(corrected.particles()) / wanted - 1) < std::abs(ratio - 1) ? corrected : dam;
}

RunSetup make_setup_of(double particles) {
    // Constants and domain scale with dp alone: those of a coarse lattice, with dp's own h.
    static const DamBreak coarse = make_dam_break(0.016);
    const double dp = spacing_for(particles);
    RunSetup setup = coarse.setup;
    setup.constants.h *= dp / coarse.dp;
    setup.constants.dp = dp;
    sph::derive(setup.constants);
    setup.groups = ParticleGroups::of(static_cast<std::uint32_t>(std::fmin(count_law().boundary / (dp * dp), 4e9)), 0);
    return setup;
}

} // namespace sluice::bench
