// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "run/sampler.h"
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice {

/// Lets samplers look at frames on a thread of its own, while the run steps on. At most two frames wait; a third makes
/// `hand_over` wait, which bounds the memory. After a failure nothing more is sampled (a row or frame after a gap is
/// worth nothing), and every call but the destructor throws it.
class OutputThread {
public:
    /// `complete` adds to a frame what samplers expect beside what the backend gives.
    explicit OutputThread(std::function<void(Frame&)> complete = {});
    OutputThread(const OutputThread&) = delete;
    OutputThread& operator=(const OutputThread&) = delete;
    /// Waits for the frames handed over. A failure that no call has thrown is logged.
    ~OutputThread();

    /// The samplers will see the frame in this order, after all frames before.
    void hand_over(std::unique_ptr<PendingFrame> frame, std::vector<Sampler*> samplers);
    /// Returns when all samplers have seen all frames.
    void drain();
    /// Throws the failure if there was one; waits for nothing.
    void check();

private:
    struct Job {
        std::unique_ptr<PendingFrame> frame;
        std::vector<Sampler*> samplers;
    };
    void work();
    void throw_failure();

    std::function<void(Frame&)> complete_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> waiting_;
    bool busy_ = false, stopping_ = false;
    std::exception_ptr failure_;
    bool failure_was_thrown_ = false;
    std::thread thread_; // last: starts when everything else stands
};

} // namespace sluice
