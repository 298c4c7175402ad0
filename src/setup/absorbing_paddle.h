// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"

namespace sluice {

/// Adds the pistons of a case that absorb waves to its run, whose motions, domain and constants are there. Throws
/// InputError at the place of one whose gauge is not in the domain.
void add_absorbers(const Case& definition, const ParticleSet& particles, RunSetup& setup);

/// The part of its own waves' height that a piston which absorbs by the form for long waves sends back when they come
/// back to it, by linear theory. `g`: m/s²; `gauge_x`: of the gauge from its face, m.
double long_wave_reflection(const WavePaddle& paddle, double g, double gauge_x);

/// Tells what pistons with the form for long waves send back, and warns of those whose gauge is too far away for them
/// to be tuned to their waves.
void lint_absorbers(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics);

} // namespace sluice
