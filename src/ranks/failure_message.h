// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/message.h"
#include <exception>
#include <string>

namespace sluice {

/// Why a run of several processes cannot go on.
struct RankFailure {
    std::exception_ptr why; ///< elsewhere: InputError, or RunError with the outcome
    bool is_gone = false;   ///< a process is no more, or cannot be reached
};

/// For the other ranks. `name`: of the rank, with its host; errors of the input, which are not those of a rank, go
/// without.
Message packed_failure(const RankFailure& failure, const std::string& name);

RankFailure unpacked_failure(const Message& message);

} // namespace sluice
