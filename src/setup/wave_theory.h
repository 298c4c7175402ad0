// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/waves.h"

// Linear theory of waves over an even bottom, and what wave makers make of it. Depths and heights in m, angular
// frequencies ω in rad/s, wave numbers k in 1/m, g in m/s².

namespace sluice::waves {

/// The wave number k with ω² = g k tanh(k d), to rounding.
double wave_number(double frequency, double depth, double g);

/// dω/dk, m/s.
double group_velocity(double frequency, double wave_number, double depth);

/// Height of the progressive wave over the stroke of a piston that reaches from `below` above the bottom to above the
/// surface. Dean & Dalrymple (1991), ch. 6, with the integral over the piston alone.
double piston_transfer(double wave_number, double depth, double below);

/// The same of a flap with its hinge `draft` above (or, negative, below) the bottom; its stroke is that at the still
/// water level. Dean & Dalrymple (1991), ch. 6.
double flap_transfer(double wave_number, double depth, double draft);

/// Displacement of a flap at the still water level over its mean over the depth, which a piston with the same flow has.
double flap_surface_over_mean(double depth, double draft);

/// Amplitude of the second harmonic of the displacement of a piston, sin 2(ωt + φ), that keeps a regular wave of
/// second order free of a free second harmonic, m. Madsen (1971). With the `transfer` of a flap: that of its mean over
/// the depth.
double madsen_second_harmonic(double height, double wave_number, double depth, double transfer);

/// Amplitude of the second harmonic of a Stokes wave, m. Dean & Dalrymple (1991), ch. 11.
double stokes_second_harmonic(double height, double wave_number, double depth);

/// Horizontal velocity of the second harmonic of a Stokes wave over cosh 2k(z + d)/sinh 2kd, m/s. Dean & Dalrymple
/// (1991), ch. 11. `frequency`: of the wave.
double stokes_second_speed(double height, double frequency, double wave_number, double depth);

/// Elevation over the displacement of a piston that it has before it, x from its face, beside the progressive wave: of
/// the modes that die away from it. The piston reaches from `below` above the bottom to above the surface. Dean &
/// Dalrymple (1991), ch. 6.
double evanescent_elevation(double wave_number, double depth, double below, double x);

/// Two waves of different frequency, a the higher one.
struct WavePair {
    double frequency_a, number_a, frequency_b, number_b;
};

/// The set-down between the groups of two waves of amplitudes A and B is A·B times this times the cosine of the
/// difference of their phases, 1/m (negative). Sharma & Dean (1979), difference terms.
double bound_elevation(const WavePair& pair, double depth);

/// The slow displacement of a piston for that: A·B times this times the sine of the difference of phases, 1/m. The mean
/// of the piston's velocity over the depth is that of the bound wave, Δω/(Δk d) times its elevation, and that of what
/// the piston finds by being displaced in the first-order flow, −X ∂η/∂t /d. Barthel et al. (1983), whose terms with
/// evanescent modes are left out.
double bound_displacement(const WavePair& pair, double depth, double transfer_a, double transfer_b);

/// "shallow", "intermediate" or "deep" water: depth over wave length below 1/20, below 1/2, above.
const char* depth_regime(double depth_over_length);

} // namespace sluice::waves
