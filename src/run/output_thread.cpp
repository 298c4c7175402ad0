// SPDX-License-Identifier: Apache-2.0
#include "run/output_thread.h"

#include "core/log.h"
#include <utility>

namespace sluice {

namespace {
constexpr std::size_t most_waiting = 2;
} // namespace

OutputThread::OutputThread(std::function<void(Frame&)> complete)
    : complete_(std::move(complete)), thread_([this] { work(); }) {}

OutputThread::~OutputThread() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (!failure_ || failure_was_thrown_) return;
    try {
        std::rethrow_exception(failure_);
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
}

void OutputThread::throw_failure() {
    if (!failure_) return;
    failure_was_thrown_ = true;
    std::rethrow_exception(failure_);
}

void OutputThread::hand_over(std::unique_ptr<PendingFrame> frame, std::vector<Sampler*> samplers) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return failure_ || waiting_.size() < most_waiting; });
        throw_failure();
        waiting_.push_back({std::move(frame), std::move(samplers)});
    }
    changed_.notify_all();
}

void OutputThread::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return failure_ || (waiting_.empty() && !busy_); });
    throw_failure();
}

void OutputThread::check() {
    const std::lock_guard lock(mutex_);
    throw_failure();
}

void OutputThread::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        Job job = std::move(waiting_.front());
        waiting_.pop_front();
        busy_ = true;
        lock.unlock();
        changed_.notify_all(); // there is room for another
        std::exception_ptr failure;
        try {
            Frame frame = job.frame->get();
            if (complete_) complete_(frame);
            job.frame.reset(); // gives the backend its buffer back
            for (Sampler* sampler : job.samplers) sampler->sample(frame);
        } catch (...) {
            failure = std::current_exception();
        }
        job = {};
        lock.lock();
        busy_ = false;
        if (failure) {
            failure_ = failure;
            waiting_.clear();
        }
        changed_.notify_all();
    }
}

} // namespace sluice
