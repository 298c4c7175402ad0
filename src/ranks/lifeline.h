// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/transport.h"
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// TCP connections between rank 0 and each other rank, over which nothing goes as long as all is well. When a process
/// ends, in whatever way, the system closes its connection; when a host or a network is gone, the system notices after
/// `silence` at most. So waiting ranks notice it, however long the steps are and whatever MPI does. A rank that
/// cannot go on says so here, and rank 0 passes it on.
class Lifeline {
public:
    static constexpr std::chrono::seconds silence{40};

    /// Connects the ranks of a transport, which all make this call at once. `names`: of the ranks, for messages.
    /// `one_host`: they all have the same loopback interface; then nothing is opened to any other (ranks/calls.h).
    Lifeline(Transport& transport, std::vector<std::string> names, bool one_host);
    Lifeline(const Lifeline&) = delete;
    Lifeline& operator=(const Lifeline&) = delete;
    ~Lifeline();

    /// Ranks that rank 0 could not be connected with, on all ranks: nothing is known of them.
    const std::vector<int>& missing() const { return missing_; }
    /// Whether all connections that there were are still there.
    bool is_whole() const { return lost_ == 0; }
    /// What another rank has said, or that one is gone; nothing: all is well. Does not wait. On rank 0 it is passed on.
    std::optional<Message> look();
    /// Says why this rank cannot go on.
    void tell(const Message& why);
    /// At the end of a run. Waits until rank 0 has closed its ends; there, says so and closes them.
    void wait_for_end();

private:
    bool is_first() const { return rank_ == 0; }
    std::optional<Message> read(std::size_t peer);

    int rank_ = 0;
    std::vector<std::string> names_;
    std::vector<int> peers_; ///< connections: on rank 0 to each rank, elsewhere one to rank 0; −1: there is none
    std::vector<int> missing_;
    int lost_ = 0; ///< connections that have broken
};

} // namespace sluice
