// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cpu/cpu_options.h"
#include <memory>

namespace sluice::cpu {

/// A run of several ranks that are threads of this process, as one backend: the caller's thread is rank 0, tells the
/// others what to do, and puts together what each of them has, in the order of a run of one rank. InputError for what
/// several ranks cannot compute.
std::unique_ptr<Backend> make_rank_backend(const RunSetup& setup, const Choice& choice);

} // namespace sluice::cpu
