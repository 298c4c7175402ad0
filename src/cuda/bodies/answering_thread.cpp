// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/answering_thread.h"

#include <chrono>

namespace sluice::cuda {

namespace {

constexpr int looks_without_rest = 20000, looks_with_a_yield = 40000; ///< about a millisecond, and a few more

} // namespace

AnsweringThread::AnsweringThread(MailTickets& tickets, std::function<void()> answer)
    : tickets_(tickets), answer_(std::move(answer)), thread_([this] { run(); }) {}

AnsweringThread::~AnsweringThread() {
    stops_ = true;
    thread_.join();
}

void AnsweringThread::run() {
    const std::atomic_ref asked(tickets_.asked);
    const std::atomic_ref answered(tickets_.answered);
    int looks = 0;
    while (!stops_) {
        const unsigned long long question = asked.load(std::memory_order_acquire);
        if (question == answered.load(std::memory_order_relaxed)) {
            wait_a_little(looks++);
            continue;
        }
        looks = 0;
        try {
            if (!failure_) answer_();
        } catch (...) { // the caller of the steps finds it
            failure_ = std::current_exception();
        }
        answered.store(question, std::memory_order_release);
    }
}

void AnsweringThread::wait_a_little(int looks) const {
    if (looks < looks_without_rest) return;
    if (looks < looks_with_a_yield) return std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void AnsweringThread::require_success() const {
    std::atomic_ref(tickets_.answered).load(std::memory_order_acquire); // behind which the failure is to be seen
    if (failure_) std::rethrow_exception(failure_);
}

} // namespace sluice::cuda
