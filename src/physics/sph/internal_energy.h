// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/sph/equation_of_state.h"

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// (eʸ − 1 − y)/y, also near y = 0, where the difference would lose its digits.
template <class S>
SLUICE_INLINE S exponential_remainder(S y) {
    if (!(absolute(y) < S(0.5))) return (S(expm1(y)) - y) / y;
    S series = 1;
    for (int n = 16; n > 2; --n) series = S(1) + y / S(n) * series; // y/2 (1 + y/3 (1 + y/4 (…)))
    return y / S(2) * series;
}

/// Internal energy (J/kg) of a fluid of Tait's equation of state at a density (kg/m³), 0 at ρ0: the work of the
/// pressure, e = ∫ P/ρ² dρ from ρ0. With ε = ρ/ρ0 − 1 and γ = 7
///   e = B/ρ0 ε² [1/(1+ε) + 5/2 + 10/3 ε + 5/2 ε² + ε³ + ε⁴/6],
/// and with l = ln(ρ/ρ0) and any γ
///   e = B/ρ0 ∫ e⁻ˢ(e^γs − 1) ds = B/ρ0 {[exp((γ−1)l) − 1]/(γ−1) + [exp(−l) − 1]},
/// whose parts that are linear in l cancel and are left out of both brackets. Neither form subtracts numbers that are
/// nearly the same, so the digits last in single precision.
template <class S>
SLUICE_INLINE S internal_energy(const EquationOfState<S>& state, S rho) {
    const S scale = state.b * state.inverse_rho0, e = (rho - state.rho0) * state.inverse_rho0;
    if (state.gamma_is_7) {
        const S e2 = e * e;
        const S polynomial = (S(2.5) + S(10.0 / 3) * e) + e2 * ((S(2.5) + e) + e2 * S(1.0 / 6));
        return scale * (e2 * (S(1) / (S(1) + e) + polynomial));
    }
    const S l = S(log1p(e));
    return scale * (l * (exponential_remainder((state.gamma - S(1)) * l) - exponential_remainder(-l)));
}

/// What a small change of the density, kg/m³, adds to it: P/ρ² dρ, J/kg.
template <class S>
SLUICE_INLINE S compression_work(const EquationOfState<S>& state, S rho, S change) {
    return state.pressure_term(rho) * change;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
