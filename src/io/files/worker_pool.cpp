// SPDX-License-Identifier: Apache-2.0
#include "io/files/worker_pool.h"

#include <algorithm>
#include <utility>

namespace sluice {

WorkerPool::WorkerPool(int threads) {
    for (int k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::start(std::packaged_task<std::vector<std::byte>()> work) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(work));
    }
    changed_.notify_one();
}

void WorkerPool::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        auto piece = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        piece();
        lock.lock();
    }
}

int output_threads(int backend_threads) {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(cores - backend_threads, 1, 32);
}

} // namespace sluice
