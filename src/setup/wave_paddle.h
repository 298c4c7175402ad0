// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "setup/solitary_waves.h"
#include "setup/wave_spectrum.h"

namespace sluice {

/// Elevation of first order and up to the second, m; velocity of first order along the waves and upwards, m/s.
struct ExpectedWater {
    double first_order = 0, second_order = 0, along = 0, up = 0;
};

/// η, ∂η/∂x and ∂²η/∂x² of a surface with their rates, m, 1 and 1/m.
struct ProgressiveElevation {
    waves::ValueAndRate elevation, slope, curvature;
};

/// What a paddle makes and how it moves for that. Times are from the paddle's start, s.
struct PaddleWaves {
    std::vector<waves::Component> spectrum;     ///< of spectrum and focused waves
    std::vector<waves::Line> paddle;            ///< displacement at the still water level, m, without the ramps,
    std::vector<waves::Line> bound;             ///< and what slow waves bound to groups add to it
    std::vector<waves::Line> elevation[2];      ///< of first order, and what the second order adds
    std::vector<waves::Soliton> solitons;       ///< of solitary waves; then there are no lines
    double depth = 0, below = 0;                ///< of the water, and of that below a piston, m
    double ramp_in = 0, end = -1, ramp_out = 0; ///< s; end < 0: it goes on
    double wave_number = 0, transfer = 0;       ///< of the (peak) frequency: 1/m, and height over stroke
    double focus_time = 0;                      ///< s
    double focus_height = 0;                    ///< twice the crest of the focused wave, m

    /// Factor on displacement and elevation, and its derivative.
    waves::ValueAndRate ramp(double t) const;
    /// What of displacement or elevation the ramps leave at a time.
    waves::ValueAndRate ramped(const waves::ValueAndRate& whole, double t) const;
    /// What is expected x m from the paddle at rest, z m above still water, at the times begin, begin + step, …
    std::vector<ExpectedWater> expected(double x, double z, double begin, double step, int count) const;
    /// Displacement at the times 0, step, 2·step …, m and m/s; zero at 0.
    std::vector<waves::ValueAndRate> displacements(double step, int count) const;
    /// What belongs to the waves x m before the face of a moving piston, at the times 0, step, 2·step …, m and m/s: the
    /// progressive wave and, near the face, the modes that die away from it. Up to order 2 (of the piston's motion)
    /// with what the second order adds, and with the piston's displacement on the slope of the surface.
    std::vector<waves::ValueAndRate> elevations(double x, int order, double step, int count) const;
    /// What the progressive waves alone have at x m from the paddle at rest, up to an order, and its first and second
    /// derivative by x, at the times 0, step, 2·step …
    std::vector<ProgressiveElevation> progressive(double x, int order, double step, int count) const;
    /// A time in which nothing of the displacement changes much, s: 1/128 of the shortest period.
    double step() const;
};

/// `g`: m/s².
PaddleWaves make_paddle_waves(const WavePaddle& paddle, double g);

/// Magnitude of the gravity of a case. Throws InputError at a paddle's place where there is none.
double gravity_of(const Case& definition);

/// The motion of a paddle from its start to `horizon`, s, for MotionLaw::smooth. Throws InputError where memory would
/// not suffice.
std::vector<MotionSample> paddle_samples(const WavePaddle& paddle, double g, double horizon);

/// The paddles of a case, in the order of its motion.
std::vector<WavePaddle> paddles_of(const Case& definition);

/// What there is to know of a paddle's waves, for the log: length, depth regime, stroke …; warnings where they break or
/// the theory does not hold.
std::vector<Diagnostic> wave_notes(const Case& definition);

/// Warns where the water at a paddle is not as deep as the paddle's `depth` says.
void lint_paddles(const Case& definition, const ParticleSet& particles, std::vector<Diagnostic>& out);

} // namespace sluice
