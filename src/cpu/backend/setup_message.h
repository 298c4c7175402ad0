// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/backend/cpu_options.h"
#include "model/run_setup.h"
#include "ranks/message.h"

namespace sluice::cpu {

/// The set-up of a run for another process, without the particles.
void put_setup(MessageWriter& message, const RunSetup& setup, const Choice& choice);
/// The same back.
void get_setup(const Message& message, RunSetup& setup, Choice& choice);

} // namespace sluice::cpu
