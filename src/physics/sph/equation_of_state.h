// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "physics/math.h"

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Tait's equation of state (A.6; Batchelor 1974), P = B[(ρ/ρ0)^γ − 1], and what follows from it.
/// With ε = ρ/ρ0 − 1 and γ = 7 the bracket is the polynomial ε(7 + 21ε + 35ε² + …), which keeps the digits that
/// the difference of the power and 1 would lose in single precision.
template <class S>
struct EquationOfState {
    S b, rho0, inverse_rho0, gamma, c0;
    bool gamma_is_7;

    SLUICE_HD explicit EquationOfState(const Constants& c)
        : b(S(c.b)), rho0(S(c.rho0)), inverse_rho0(S(1 / c.rho0)), gamma(S(c.gamma)), c0(S(c.c0)),
          gamma_is_7(c.gamma == 7) {}

    /// Pressure (Pa) of a density (kg/m³).
    SLUICE_INLINE S pressure(S rho) const {
        const S e = (rho - rho0) * inverse_rho0;
        if (gamma_is_7) {
            const S e2 = e * e;
            return b * (e * ((S(7) + S(21) * e) + e2 * ((S(35) + S(35) * e) + e2 * ((S(21) + S(7) * e) + e2))));
        }
        return b * S(expm1(gamma * S(log1p(e))));
    }
    /// P/ρ², which the momentum equation (A.4) takes of each side of a pair.
    SLUICE_INLINE S pressure_term(S rho) const { return pressure_term(rho, rho); }
    /// The same with the pressure of another density (`damped_density`).
    SLUICE_INLINE S pressure_term(S rho, S pressure_density) const { return pressure(pressure_density) / (rho * rho); }
    /// Density (kg/m³) at a pressure (Pa) ≥ −B.
    SLUICE_INLINE S density(S pressure_value) const { return rho0 * S(pow(S(1) + pressure_value / b, S(1) / gamma)); }
    /// Speed of sound (m/s), c0·(ρ/ρ0)^((γ−1)/2).
    SLUICE_INLINE S sound_speed(S rho) const {
        return gamma_is_7 ? sound_speed_7(rho) : c0 * S(pow(rho * inverse_rho0, (gamma - S(1)) * S(0.5)));
    }
    /// The same for γ = 7, in any number type.
    template <class Real>
    SLUICE_INLINE Real sound_speed_7(Real rho) const {
        return (c0 * inverse_rho0 * inverse_rho0 * inverse_rho0) * (rho * (rho * rho));
    }
};

} // namespace SLUICE_ISA
} // namespace sluice::sph
