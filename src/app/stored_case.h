// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/read_case.h"
#include "geometry/particle_set.h"
#include <filesystem>
#include <string>

// A run's folder keeps all that the run was made from: DIR/effective-case.xml, which gives the same run by itself, and
// DIR/inputs with the case as it was given and every file that it reads.

namespace sluice {

/// The case that a run in this folder goes on with.
std::filesystem::path stored_case(const std::filesystem::path& folder);

/// Writes the case and copies its data files. Throws RunError.
void store_case(const std::filesystem::path& folder, const Case& definition, const CaseOverrides& overrides,
                const ParticleSet& particles);

/// Gives the stored case another end (s). Throws RunError.
void set_stored_end(const std::filesystem::path& folder, double time_max);

/// What a run was made from, a line "NAME DIGEST" each: the stored case without its end, each data file, the options
/// that change what is computed or written. Throws InputError where a file is missing.
std::string inputs_fingerprint(const std::filesystem::path& folder, const ParticleSet& particles);

} // namespace sluice
