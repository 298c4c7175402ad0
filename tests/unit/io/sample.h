// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/particle_set.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include <filesystem>

// A small run for the tests, every value of which follows from particle id and frame number (read_with_vtk.py knows
// the same formulas): 12 boundary particles in two blocks, 20 fluid particles in two blocks.

namespace sluice::sample {

constexpr std::uint32_t boundary_count = 12, total = 32;

/// `moving`: the second boundary block moves.
ParticleSet particles(bool moving = false);

/// Fluid particle `boundary_count + k` is missing in frame k + 1 and after; all fluid is missing in frame 4 only.
Frame frame(int number, bool moving = false);

/// What its fluid is and what pulls it, for those who ask.
RunSetup setup();

/// A dam-break column of the given spacing, 1 m wide and 2 m high, without walls; ids from 0.
ParticleSet column(double dp);

/// The still frame of any set, with density and pressure constant.
Frame still_frame(const ParticleSet& set);

/// All bytes of a file.
std::string content_of(const std::filesystem::path& path);

} // namespace sluice::sample
