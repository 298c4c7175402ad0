// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice {

/// Threads that take on pieces of work in the order in which they were handed over.
class WorkerPool {
public:
    explicit WorkerPool(int threads);
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;
    /// Finishes what was handed over.
    ~WorkerPool();

    void start(std::packaged_task<std::vector<std::byte>()> work);

private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::packaged_task<std::vector<std::byte>()>> waiting_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

/// Threads for the output of a run whose backend computes with `backend_threads`: the cores that it leaves, at least
/// one and at most 32.
int output_threads(int backend_threads);

} // namespace sluice
