// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/backend_choice.h"
#include "model/method.h"

// What runs with another method than SPH are computed on. Their backends have neither modes nor ranks.

namespace sluice {

/// Throws InputError for options of the modes and of several ranks or GPUs, which belong to SPH.
void require_options_without_modes(Method method, const BackendOptions& options);

/// The backend of a run by MPS, on the processor or on one GPU. Small runs take fewer threads than there are.
std::unique_ptr<Backend> make_mps(const RunSetup& setup, BackendKind kind, std::uint32_t particles,
                                  const BackendOptions& options);
/// The backend of a run with finite volume particles, likewise.
std::unique_ptr<Backend> make_fvpm(const RunSetup& setup, BackendKind kind, std::uint32_t particles,
                                   const BackendOptions& options);

/// Memory that runs with such a method take, on the processor and on a GPU.
std::vector<MemoryModel> memory_models_of(const RunSetup& setup);

} // namespace sluice
