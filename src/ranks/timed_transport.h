// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/transport.h"
#include <chrono>
#include <utility>

namespace sluice {

/// Another transport, with the time that its rank spends in exchanges: on messages, and on waiting for the others.
class TimedTransport final : public Transport {
public:
    explicit TimedTransport(Transport& other) : other_(other) {}

    int rank() const override { return other_.rank(); }
    int count() const override { return other_.count(); }
    std::vector<Message> exchange(std::vector<Message> messages) override {
        const auto start = Clock::now();
        std::vector<Message> received = other_.exchange(std::move(messages));
        seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
        return received;
    }
    void abandon(std::exception_ptr why) override { other_.abandon(std::move(why)); }
    std::exception_ptr failure() const override { return other_.failure(); }
    std::string description() const override { return other_.description(); }
    int ranks_on_cores() const override { return other_.ranks_on_cores(); }

    /// In all exchanges that have ended, s.
    double seconds() const { return seconds_; }

private:
    using Clock = std::chrono::steady_clock;
    Transport& other_;
    double seconds_ = 0;
};

} // namespace sluice
