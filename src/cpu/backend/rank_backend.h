// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cpu/backend/other_ranks.h"
#include <atomic>
#include <memory>

namespace sluice::cpu {

/// A run of several ranks as one backend: the caller's thread is rank 0, broadcasts the calls to the others, and
/// gathers what each of them has, in the order of a run of one rank. InputError for what several ranks cannot compute.
/// `stop`: where the signal goes by which another process was asked to stop; null: nowhere.
std::unique_ptr<Backend> make_rank_backend(const RunSetup& setup, const Choice& choice,
                                           std::unique_ptr<OtherRanks> others, std::atomic<int>* stop);

} // namespace sluice::cpu
