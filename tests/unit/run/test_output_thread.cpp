// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "run/output_thread.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace sluice;

namespace {

/// A frame of one step that says when it has been got and when it is gone.
class Pending final : public PendingFrame {
public:
    Pending(std::int64_t step, std::atomic<int>& alive) : step_(step), alive_(alive) { ++alive_; }
    ~Pending() override { --alive_; }
    Frame get() override {
        Frame frame;
        frame.step = step_;
        return frame;
    }

private:
    std::int64_t step_;
    std::atomic<int>& alive_;
};

class ThreadRecorder final : public Sampler {
public:
    explicit ThreadRecorder(std::int64_t fails_at = -1) : Sampler(SampleClock(1)), fails_at_(fails_at) {}
    void sample(const Frame& frame) override {
        while (held) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (frame.step == fails_at_) throw RunError("the disk is full");
        steps.push_back(frame.step);
    }
    std::vector<std::int64_t> steps;
    std::atomic<bool> held{false};

private:
    std::int64_t fails_at_;
};

} // namespace

TEST(output_thread, completes_frames_before_samplers_see_them) {
    class Links final : public Sampler {
    public:
        Links() : Sampler(SampleClock(1)) {}
        void sample(const Frame& frame) override { seen.push_back(frame.links.size()); }
        std::vector<std::size_t> seen;
    } sampler;
    std::atomic<int> alive{0};
    OutputThread output([](Frame& frame) { frame.links.resize(static_cast<std::size_t>(frame.step)); });
    for (int step = 1; step < 3; ++step) output.hand_over(std::make_unique<Pending>(step, alive), {&sampler});
    output.drain();
    EXPECT_EQ(sampler.seen, (std::vector<std::size_t>{1, 2}));
}

TEST(output_thread, shows_every_frame_to_its_samplers_in_order) {
    std::atomic<int> alive{0};
    ThreadRecorder all, even;
    {
        OutputThread output;
        for (int step = 0; step < 100; ++step) {
            std::vector<Sampler*> samplers{&all};
            if (step % 2 == 0) samplers.push_back(&even);
            output.hand_over(std::make_unique<Pending>(step, alive), samplers);
            EXPECT_LE(alive, 4) << "the number of frames in memory is bounded";
        }
        output.drain();
        EXPECT_EQ(all.steps.size(), 100u);
        output.hand_over(std::make_unique<Pending>(100, alive), {&all});
    }
    EXPECT_EQ(alive, 0);
    ASSERT_EQ(all.steps.size(), 101u) << "what was handed over is seen, even without a drain";
    for (int step = 0; step <= 100; ++step) EXPECT_EQ(all.steps[std::size_t(step)], step);
    EXPECT_EQ(even.steps.size(), 50u);
}

TEST(output_thread, does_not_hold_up_who_hands_over_until_two_wait) {
    std::atomic<int> alive{0};
    ThreadRecorder slow;
    slow.held = true;
    OutputThread output;
    for (int step = 0; step < 3; ++step) output.hand_over(std::make_unique<Pending>(step, alive), {&slow}); // or hangs
    std::atomic<bool> fourth{false};
    std::thread stepping([&] {
        output.hand_over(std::make_unique<Pending>(3, alive), {&slow});
        fourth = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(fourth);
    slow.held = false;
    stepping.join();
    output.drain();
    EXPECT_EQ(slow.steps.size(), 4u);
}

TEST(output_thread, a_failure_ends_the_sampling_and_is_thrown_to_the_run) {
    std::atomic<int> alive{0};
    ThreadRecorder failing(2), other;
    OutputThread output;
    EXPECT_THROW(
        for (int step = 0; step < 1000; ++step) {
            output.check();
            output.hand_over(std::make_unique<Pending>(step, alive), {&failing, &other});
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        },
        RunError);
    EXPECT_THROW(output.drain(), RunError) << "there is no way back";
    EXPECT_THROW(output.hand_over(std::make_unique<Pending>(9, alive), {&other}), RunError);
    EXPECT_EQ(failing.steps.size(), 2u);
    EXPECT_EQ(other.steps.size(), 2u) << "nothing is seen after a gap";
    EXPECT_EQ(alive, 0) << "frames that nobody will see are given back";
}
