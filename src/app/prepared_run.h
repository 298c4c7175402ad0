// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/backend_choice.h"
#include "backend/backend.h"
#include "case/read_case.h"
#include "geometry/particle_set.h"
#include <filesystem>
#include <memory>
#include <string>

namespace sluice {

/// A case, read and made into particles: nothing is written yet.
struct PreparedRun {
    Case definition;
    ParticleSet particles;
    RunSetup setup;
    std::unique_ptr<Backend> backend;
    std::uint32_t fluid_count = 0; ///< particles at the start, those in open boundaries among them
};

/// What is said where a case has particles, but neither fluid nor bodies in elastic contact.
std::string no_fluid_message(const Case& definition, const ParticleSet& particles);

/// Everything up to the first step. Throws InputError for whatever keeps the run from starting.
PreparedRun prepare_run(const std::filesystem::path& case_file, const CaseOverrides& overrides,
                        const BackendOptions& backend);

/// Tells in the log what is run, where and how. `name`: of the case, as the user gave it. `processes`: to the other
/// ranks, where each is a process of its own.
void log_start(const PreparedRun& run, const std::string& name, const std::filesystem::path& folder,
               const Transport* processes);

} // namespace sluice
