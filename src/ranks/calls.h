// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/message.h"
#include <chrono>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <vector>

// How the ranks of a run come by the TCP connections of their Lifeline. All that is ever listened on is here.

namespace sluice {

/// By when all ranks must be connected. One time for all of them: a foreign connection that sends nothing, little or
/// nonsense does not use it up.
using CallDeadline = std::chrono::steady_clock::time_point;

/// Where rank 0 is called by the others, for as long as this lives. It listens on the loopback interface alone where
/// all ranks are on one host; else on the interface that the launcher was told to use, or that has the address which
/// the host's name stands for, or, where neither can be found out, on all but the loopback.
class Door {
public:
    /// An address of this host and the port on it.
    struct Address {
        in_addr host;
        in_port_t port; ///< in the order of the network's bytes
    };

    explicit Door(bool one_host);
    Door(const Door&) = delete;
    Door& operator=(const Door&) = delete;
    ~Door();

    /// What the others have to know, the secret included by which they are recognised.
    Message invitation() const;
    const std::vector<Address>& addresses() const { return addresses_; }
    /// The connection of each of `ranks` ranks, once all but this one, which is 0, have called or the time is up; −1:
    /// there is none.
    std::vector<int> take_calls(int ranks, CallDeadline deadline);

private:
    struct Caller;
    void listen_on(const in_addr& host);

    std::vector<int> listening_;
    std::vector<Address> addresses_;
    std::uint64_t token_[2] = {};
};

/// Another rank calls rank 0. Returns the connection; −1: there is none by then.
int call(const Message& invitation, int rank, CallDeadline deadline);

/// Where addresses of the loopback interface mean the same: this boot of this machine, and its name space of networks.
std::string network_space();

} // namespace sluice
