// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/transport.h"
#include <cstdint>
#include <exception>
#include <functional>

// How the ranks or processes that share a run make the calls of a Backend together: rank 0 broadcasts each call and
// makes it, too.

namespace sluice {

/// The calls of a Backend that rank 0 broadcasts.
enum class Call : std::uint8_t {
    set_state,
    advance,
    next_time_step,
    state,
    frame, ///< the state and, if that is asked for, the sums of sph::FlowGradients
    rates,
    take_excluded,
    take_passed,
    leave ///< the run is over
};

/// The message of a call, which its arguments follow.
MessageWriter message_of(Call call);

/// Whether an error is one that all ranks throw at once, so that they can go on. Any other ends the run of all.
using IsOfAllRanks = bool (*)(const std::exception&);

/// Rank 0's end of the calls.
class Caller {
public:
    Caller(Transport& transport, IsOfAllRanks is_of_all) : transport_(transport), is_of_all_(is_of_all) {}
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    /// Ends the run of the others.
    ~Caller();

    /// Broadcasts a call and makes it by `work`, whose result it returns. An error of another rank is thrown here.
    template <class Work>
    auto operator()(const Message& call, Work&& work) const {
        try {
            all_gather(transport_, call);
            return work();
        } catch (const RankLost&) {
            std::rethrow_exception(transport_.failure());
        } catch (const std::exception& error) {
            if (!is_of_all_(error)) transport_.abandon(std::current_exception());
            throw;
        }
    }

private:
    Transport& transport_;
    IsOfAllRanks is_of_all_;
};

/// Another rank's end: makes the calls that rank 0 broadcasts until that is `leave`. `perform`: one call, with the
/// reader of its arguments.
void serve_calls(Transport& transport, IsOfAllRanks is_of_all,
                 const std::function<void(Call, MessageReader&)>& perform);

} // namespace sluice
