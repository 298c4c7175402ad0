// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/fluids.h"
#include "physics/sph/sub_particle_stress.h"
#include <vector>

// Surface tension as a stress along the surface of a fluid (continuum surface stress, Lafaurie et al. 1994; with SPH:
// Morris 2000, Hu & Adams 2006):
//
//   τ_a = σ_a (|n_a| I − n_a⊗n_a/|n_a|)        dv_a/dt += (1/ρ_a) Σ_b V_b (τ_a + τ_b)·∇_aW
//
//   n_a = Σ_b V_b ∇_aW over neighbours b of another fluid; where there is nothing beside the fluid,
//   n_a = 2 Σ_b V_b ∇_aW over all neighbours
//
// |n| summed up across the interface of two fluids is 1, half of it on either side: the tension is the mean of their
// σ. Volumes are the neighbours' own, and what one particle gives its neighbour gets. As with the stresses of
// sub_particle_stress.h the isotropic part acts like a pressure and goes into the pressure terms; the rest is a second
// pass. Boundary particles are of no fluid: a wall does not bend the interface that meets it.
//
// Sums over few neighbours are not integrals: the force across a cut through a flat surface of a lattice is a little
// less than σ, and much less where there is nothing on one side (`tension_shares`). σ is divided by that share.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Σ V ∇W over all neighbours, times h, means disorder below the first and a surface above the second; at a flat
/// surface it is about 0.7.
inline constexpr double least_surface = 0.1, sure_surface = 0.2;

/// What is the same for all pairs of ColourGradient.
template <class S>
struct ColourGradientConstants : FlowGradientConstants<S> {
    S fluid; ///< 1 for fluid neighbours, 0 for boundary particles

    ColourGradientConstants() = default;
    ColourGradientConstants(const Constants& c, PairKind kind, LengthUnit unit)
        : FlowGradientConstants<S>(c, kind, unit), fluid(S(kind == PairKind::fluid_fluid)) {}
};

/// The operator (see flow_gradients.h) that sums up V ∇W, 1/m, of neighbours of other fluids (three) and of all.
template <class KernelT>
struct ColourGradient {
    using Kernel = KernelT;
    template <class S>
    using Constants = ColourGradientConstants<S>;
    static constexpr int sum_count = 6;
    static constexpr bool sees_boundary = true;

    template <class Real>
    struct Side {
        Real rho;    ///< density, kg/m³
        Real colour; ///< the number of its fluid; of a boundary particle any number
    };
    /// Of anything that has the members of Side.
    template <class Real, class Loaded>
    SLUICE_INLINE static Side<Real> read(const Loaded& p) {
        return {Real(p.rho), Real(p.colour)};
    }

    template <class Real, class S>
    SLUICE_INLINE static void add(const Constants<S>& c, Real dx, Real dy, Real dz, Real r2, const Side<Real>& a,
                                  const Side<Real>& b, Real (&sums)[sum_count]) {
        const Real differs = c.fluid * minimum(absolute(a.colour - b.colour), Real(S(1)));
        const Real weight = gradient_factor<Kernel>(c, r2) * reciprocal(b.rho); // V_b F
        const Real x = weight * dx, y = weight * dy, z = weight * dz;
        sums[0] += differs * x;
        sums[1] += differs * y;
        sums[2] += differs * z;
        sums[3] += x;
        sums[4] += y;
        sums[5] += z;
    }
};

/// The part of σ that a flat surface of a lattice has.
struct TensionShares {
    double between = 1; ///< of two fluids
    double alone = 1;   ///< of one fluid and nothing
};

/// What multiplies 2 Σ V ∇W, whose length is `size`, of a particle beside nothing: 1, or 0 in the inside.
template <class S>
SLUICE_INLINE S surface_weight(const Constants& c, S size) {
    const S rise = (size * S(c.h) - S(least_surface)) * S(1 / (sure_surface - least_surface));
    return minimum(maximum(rise, S(0)), S(1));
}

inline TensionShares tension_shares(const Constants& c) {
    const FlowGradientConstants<double> pairs(c, PairKind::fluid_fluid, metre);
    const int reach = int(2 * c.h / c.dp) + 1, wide = c.two_d ? 0 : reach;
    const double volume = pow(c.dp, c.two_d ? 2 : 3);
    std::vector<double> along(2 * reach + 1), across(2 * reach + 1); // Σ V F x² and Σ V F z of a layer that is so far
    with_kernel(c.kernel, [&]<class K>(K) {
        for (int z = -reach; z <= reach; ++z)
            for (int y = -wide; y <= wide; ++y)
                for (int x = -reach; x <= reach; ++x) {
                    const double r2 = c.dp * c.dp * (x * x + y * y + z * z);
                    if (r2 == 0 || r2 >= pairs.support2) continue;
                    const double weight = volume / c.mass_fluid * gradient_factor<K>(pairs, r2);
                    along[z + reach] += weight * c.dp * c.dp * x * x;
                    across[z + reach] += weight * c.dp * z;
                }
    });
    // of one fluid, layers 0, 1, … below the surface; of the other −1, −2, …
    const auto stress = [&](int layer, bool alone) {
        const int depth = layer < 0 ? -1 - layer : layer;
        if (alone && layer < 0) return 0.0;
        double n = 0;
        for (int z = depth + 1; z <= reach; ++z) n -= across[z + reach];
        return alone ? 2 * n * surface_weight(c, n) : n;
    };
    const auto share = [&](bool alone) {
        double sum = 0;
        for (int a = alone ? 0 : -2 * reach; a < 2 * reach; ++a)
            for (int z = -reach; z <= reach; ++z)
                if (!alone || a - z >= 0)
                    sum -= 0.5 * c.dp * (stress(a, alone) + stress(a - z, alone)) * along[z + reach];
        return sum;
    };
    return {share(false), share(true)};
}

/// Adds what a surface with the normal n, 1/m, does: σ (|n| I − n⊗n/|n|)/ρ².
template <class S>
SLUICE_INLINE void add_surface(const Constants& c, S tension, const S* n, S rho, Stress<S>& stress) {
    const S size2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (!(size2 > S(0))) return;
    const S part = S(1) / S(c.two_d ? 2 : 3), scale = tension / (rho * rho * square_root(size2));
    stress.xx += scale * (part * size2 - n[0] * n[0]);
    stress.zz += scale * (part * size2 - n[2] * n[2]);
    stress.xy -= scale * n[0] * n[1];
    stress.xz -= scale * n[0] * n[2];
    stress.yz -= scale * n[1] * n[2];
    stress.pressure_term -= scale * (S(1) - part) * size2;
}

/// τ/ρ² of a particle from the sums of ColourGradient and its density; `tension`: σ of its fluid, N/m.
template <class S>
SLUICE_INLINE Stress<S> surface_stress(const Constants& c, const TensionShares& shares, double tension, const S* sums,
                                       S rho) {
    Stress<S> stress{};
    add_surface(c, S(tension / shares.between), sums, rho, stress);
    const S* const all = sums + 3;
    const S weight = surface_weight(c, square_root(all[0] * all[0] + all[1] * all[1] + all[2] * all[2]));
    if (weight > S(0)) add_surface(c, S(2 * tension / shares.alone) * weight, all, rho, stress);
    return stress;
}

/// How fast the shortest capillary waves are at a particle, by the sums of ColourGradient: σ over the mean density of
/// both sides of the surface, m³/s² (see tension_time_step).
template <class S>
inline double surface_pace(const Constants& c, const Fluids& fluids, std::size_t which, const S* sums) {
    const FluidProperties& a = fluids[which];
    double greatest = 0;
    if (surface_weight(c, square_root(sums[3] * sums[3] + sums[4] * sums[4] + sums[5] * sums[5])) > S(0))
        greatest = 2 * a.tension / a.rho0;
    if (sums[0] == S(0) && sums[1] == S(0) && sums[2] == S(0)) return greatest;
    for (const FluidProperties& b : fluids)
        if (&b != &a) greatest = maximum(greatest, (a.tension + b.tension) / (a.rho0 + b.rho0));
    return greatest;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
