// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/frame_writer.h"
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace sluice {

/// Writes frames on a thread of its own, so that the run goes on meanwhile. At most two frames wait; a third makes
/// `write` wait, which bounds the memory. A failure is thrown by the next call of `write` or `finish`.
class AsyncFrameWriter {
public:
    AsyncFrameWriter(const std::filesystem::path& dir, const ParticleSet& particles, FrameOptions options = {});
    AsyncFrameWriter(const AsyncFrameWriter&) = delete;
    AsyncFrameWriter& operator=(const AsyncFrameWriter&) = delete;
    /// Waits for the frames handed over; a failure is logged.
    ~AsyncFrameWriter();

    /// Hands over a frame. Throws RunError if one before could not be written.
    void write(Frame frame);

    /// Returns when all frames and the timeline are on disk: before a checkpoint, and at the end. Throws RunError.
    void finish();

    /// Bytes written for frames so far.
    std::uint64_t bytes_written();

    /// Seconds that `write` and `finish` have waited: what the output cost the run.
    double seconds_waited() const { return seconds_waited_; }

private:
    void work();
    void throw_failure();
    template <class Condition>
    void wait_until(std::unique_lock<std::mutex>& lock, Condition&& condition);

    FrameWriter writer_; // touched by the worker only, but for bytes_written when it is idle
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Frame> waiting_;
    bool busy_ = false, stopping_ = false;
    std::exception_ptr failure_;
    double seconds_waited_ = 0;
    std::thread worker_; // last: starts when everything else stands
};

} // namespace sluice
