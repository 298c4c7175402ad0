// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "ranks/message.h"
#include <exception>
#include <string>
#include <vector>

namespace sluice {

/// Another rank has failed, so that this one cannot go on. `Transport::failure` says what went wrong there.
class RankLost : public RunError {
public:
    RankLost() : RunError("another rank has failed") {}
};

/// How the ranks of a run exchange messages: each rank has one end. Ranks share no memory. All
/// ranks make the same calls in the same order; each call returns when what it waits for has come. To be used from one
/// thread.
class Transport {
public:
    virtual ~Transport() = default;
    virtual int rank() const = 0;
    virtual int count() const = 0;
    /// Sends messages[r] to rank r, and returns what each rank has sent to this one, in their order. What a rank sends
    /// to itself comes back. Throws RankLost once a rank has called `abandon`.
    virtual std::vector<Message> exchange(std::vector<Message> messages) = 0;
    /// This rank cannot go on: from now on every call throws RankLost, on every rank.
    virtual void abandon(std::exception_ptr why) = 0;
    /// Why the first rank that could not go on could not; null: all can.
    virtual std::exception_ptr failure() const = 0;
    /// Where the ranks are and what goes between them, for the log.
    virtual std::string description() const = 0;
    /// Ranks that compute on the cores of this one, itself among them.
    virtual int ranks_on_cores() const = 0;
};

/// Sends the same message to every rank, this one too; returns everyone's, in the order of the ranks.
inline std::vector<Message> all_gather(Transport& transport, const Message& message) {
    return transport.exchange(std::vector<Message>(static_cast<std::size_t>(transport.count()), message));
}

/// Every rank's value, combined in the order of the ranks: the same on all of them.
template <class T, class Combine>
T combined(Transport& transport, const T& value, const Combine& combine) {
    MessageWriter mine;
    mine.put(value);
    const std::vector<Message> all = all_gather(transport, mine.take());
    T result = MessageReader(all[0]).get<T>();
    for (std::size_t r = 1; r < all.size(); ++r) result = combine(result, MessageReader(all[r]).get<T>());
    return result;
}

} // namespace sluice
