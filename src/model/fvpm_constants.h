// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

namespace sluice {

/// Constants of a run with the finite volume particle method (Jahanbakhsh et al. 2016, 2017; Alimirzazadeh et al.
/// 2018).
struct FvpmConstants {
    int dimensions = 3;           ///< 3, or 2 in the plane x–z
    double rho0 = 1000;           ///< reference density, kg/m³
    double sound_speed = 0;       ///< a of the equation of state, m/s; at least 10 times the largest velocity
    double viscosity = 0;         ///< dynamic viscosity μ, Pa s
    Vec3d gravity;                ///< m/s²
    double cfl = 0.5;             ///< of the time step
    double correction = 0.1;      ///< share of a particle's speed with which it moves towards where coverage is thin
    double mass_smoothing = 0.25; ///< K of the smoothing of masses, G in the paper
    bool free_surface = true;     ///< whether the fluid has a surface: no pressure is below 0
    double uncovered_from = 0.2;  ///< of |B|/h^(d−1): from here on a particle counts in part as one of the surface,
                                  ///< which moves with its fluid
    double uncovered_to = 0.5;    ///< from here on it does wholly
};

} // namespace sluice
