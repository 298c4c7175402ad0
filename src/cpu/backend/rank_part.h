// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/calls.h"
#include "backend/state_message.h"
#include "cpu/backend/engine.h"
#include "ranks/timed_transport.h"
#include <atomic>
#include <cstdint>
#include <memory>

namespace sluice::cpu {

/// A rank with its share of a run.
class RankPart {
public:
    /// `stop`: once it is not 0, the run is to stop as by that signal; null: there is no such request.
    RankPart(const RunSetup& setup, const Choice& choice, Transport& transport, const std::atomic<int>* stop)
        : transport_(transport), timed_(transport), stop_(stop), engine_(make_engine(setup, choice, nullptr, &timed_)) {
    }

    /// Makes a call with the arguments that a message holds, and returns the result for rank 0. All ranks at once.
    Message perform(Call call, MessageReader& in);
    /// Makes the calls that rank 0 broadcasts until that is `leave`. Where it fails it tells all ranks and returns,
    /// too.
    void serve();

    Engine& engine() { return *engine_; }
    const Engine& engine() const { return *engine_; }
    Transport& transport() const { return transport_; }

private:
    Message state(bool with_gradients);
    Message rates();
    RankShare share(std::uint32_t particles) const;

    Transport& transport_;
    TimedTransport timed_; ///< for what the engine exchanges
    const std::atomic<int>* stop_;
    std::unique_ptr<Engine> engine_;
};

/// Sends rank 0 what it is to know; there, returns what every rank has sent.
std::vector<Message> report(Transport& transport, Message mine);

/// Whether an error is one that the fluid causes, so that all ranks throw it at once and can go on.
bool is_of_all_ranks(const std::exception& error);

} // namespace sluice::cpu
