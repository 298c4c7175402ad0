// SPDX-License-Identifier: Apache-2.0
#include "ranks/thread_transport.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace sluice {

namespace {

/// What is on its way: one queue for each pair of ranks, one lock for each that receives.
class Post {
public:
    explicit Post(int count) : boxes_(static_cast<std::size_t>(count)) {
        for (Box& box : boxes_) box.from.resize(static_cast<std::size_t>(count));
    }

    std::size_t count() const { return boxes_.size(); }

    void send(std::size_t from, std::size_t to, Message message) {
        {
            const std::lock_guard lock(boxes_[to].mutex);
            boxes_[to].from[from].push_back(std::move(message));
        }
        boxes_[to].arrived.notify_one();
    }

    Message receive(std::size_t from, std::size_t to) {
        Box& box = boxes_[to];
        std::unique_lock lock(box.mutex);
        box.arrived.wait(lock, [&] { return box.closed || !box.from[from].empty(); });
        if (box.closed) throw RankLost();
        Message message = std::move(box.from[from].front());
        box.from[from].pop_front();
        return message;
    }

    void close(std::exception_ptr why) {
        {
            const std::lock_guard lock(failure_mutex_);
            if (!failure_) failure_ = std::move(why);
        }
        for (Box& box : boxes_) {
            {
                const std::lock_guard lock(box.mutex);
                box.closed = true;
            }
            box.arrived.notify_one();
        }
    }

    std::exception_ptr failure() {
        const std::lock_guard lock(failure_mutex_);
        return failure_;
    }

private:
    struct Box {
        std::mutex mutex;
        std::condition_variable arrived; ///< only the rank that the box belongs to waits
        std::vector<std::deque<Message>> from;
        bool closed = false;
    };

    std::deque<Box> boxes_;
    std::mutex failure_mutex_;
    std::exception_ptr failure_;
};

class ThreadTransport final : public Transport {
public:
    ThreadTransport(std::shared_ptr<Post> post, int rank) : post_(std::move(post)), rank_(rank) {}

    int rank() const override { return rank_; }
    int count() const override { return static_cast<int>(post_->count()); }

    std::vector<Message> exchange(std::vector<Message> messages) override {
        const auto self = static_cast<std::size_t>(rank_);
        std::vector<Message> received(messages.size());
        for (std::size_t r = 0; r < messages.size(); ++r)
            if (r != self) post_->send(self, r, std::move(messages[r]));
        received[self] = std::move(messages[self]);
        for (std::size_t r = 0; r < messages.size(); ++r)
            if (r != self) received[r] = post_->receive(r, self);
        return received;
    }

    void abandon(std::exception_ptr why) override { post_->close(std::move(why)); }
    std::exception_ptr failure() const override { return post_->failure(); }
    std::string description() const override { return thread_transport_description(); }
    int ranks_on_cores() const override { return count(); }

private:
    std::shared_ptr<Post> post_;
    int rank_;
};

} // namespace

std::string thread_transport_description() {
    return "threads of this process, which talk through its memory (no launcher has started others)";
}

std::vector<std::unique_ptr<Transport>> make_thread_transports(int count) {
    const auto post = std::make_shared<Post>(count);
    std::vector<std::unique_ptr<Transport>> ends;
    for (int rank = 0; rank < count; ++rank) ends.push_back(std::make_unique<ThreadTransport>(post, rank));
    return ends;
}

} // namespace sluice
