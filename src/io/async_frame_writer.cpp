// SPDX-License-Identifier: Apache-2.0
#include "io/async_frame_writer.h"
#include "core/log.h"

#include <chrono>
#include <utility>

namespace sluice {
namespace {
constexpr std::size_t most_waiting = 2;
} // namespace

AsyncFrameWriter::AsyncFrameWriter(const std::filesystem::path& dir, const ParticleSet& particles, FrameOptions options)
    : writer_(dir, particles, options), worker_([this] { work(); }) {}

AsyncFrameWriter::~AsyncFrameWriter() {
    try {
        finish();
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    worker_.join();
}

template <class Condition>
void AsyncFrameWriter::wait_until(std::unique_lock<std::mutex>& lock, Condition&& condition) {
    const auto start = std::chrono::steady_clock::now();
    changed_.wait(lock, condition);
    seconds_waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void AsyncFrameWriter::throw_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void AsyncFrameWriter::write(Frame frame) {
    {
        std::unique_lock lock(mutex_);
        wait_until(lock, [this] { return failure_ || waiting_.size() < most_waiting; });
        throw_failure();
        waiting_.push_back(std::move(frame));
    }
    changed_.notify_all();
}

void AsyncFrameWriter::finish() {
    std::unique_lock lock(mutex_);
    wait_until(lock, [this] { return failure_ || (waiting_.empty() && !busy_); });
    throw_failure();
    writer_.finish();
}

std::uint64_t AsyncFrameWriter::bytes_written() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !busy_; });
    return writer_.bytes_written();
}

void AsyncFrameWriter::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        const Frame frame = std::move(waiting_.front());
        waiting_.pop_front();
        busy_ = true;
        lock.unlock();
        std::exception_ptr failure;
        try {
            writer_.write(frame);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        busy_ = false;
        if (failure) {
            failure_ = failure;
            waiting_.clear(); // a frame after a gap is worth nothing
        }
        changed_.notify_all();
    }
}

} // namespace sluice
