// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/remote_interaction.h"
#include <cstdint>
#include <memory>

namespace sluice {

/// The interaction alone on a GPU, without any of the paper's optimisations, for up to `particle_count` particles.
/// InputError and RunError as make_cuda_backend.
std::unique_ptr<RemoteInteraction> make_gpu_interaction(const RunSetup& setup, std::uint32_t particle_count,
                                                        int device = 0);

} // namespace sluice
