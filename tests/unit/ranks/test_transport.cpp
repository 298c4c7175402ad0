// SPDX-License-Identifier: Apache-2.0
#include "ranks/thread_transport.h"
#include <algorithm>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <thread>

using namespace sluice;

namespace {

/// Runs `work` on every rank at once.
void on_all(int count, const std::function<void(Transport&)>& work) {
    auto ends = make_thread_transports(count);
    std::vector<std::thread> threads;
    for (auto& end : ends) threads.emplace_back([&work, &end] { work(*end); });
    for (std::thread& thread : threads) thread.join();
}

Message text(const std::string& words) {
    MessageWriter message;
    message.put(words.data(), words.size());
    return message.take();
}

} // namespace

TEST(Messages, ReadBackWhatWasWrittenAndNoMore) {
    MessageWriter writer;
    writer.put(3.5);
    writer.put_all(std::vector<int>{1, 2, 3});
    writer.put_all(std::vector<float>{});
    const Message message = writer.take();
    MessageReader reader(message);
    EXPECT_EQ(reader.get<double>(), 3.5);
    EXPECT_EQ(reader.get_all<int>(), (std::vector<int>{1, 2, 3}));
    EXPECT_FALSE(reader.at_end());
    EXPECT_TRUE(reader.get_all<float>().empty());
    EXPECT_TRUE(reader.at_end());
    EXPECT_THROW(reader.get<char>(), RunError);
}

TEST(ThreadTransport, BringsEveryoneWhatWasSentToHimInTheOrderOfTheRanks) {
    for (const int count : {1, 2, 5})
        on_all(count, [count](Transport& transport) {
            for (int round = 0; round < 200; ++round) { // some run ahead of others
                std::vector<Message> out;
                for (int r = 0; r < count; ++r)
                    out.push_back(text(std::to_string(transport.rank()) + "to" + std::to_string(r) + "in" +
                                       std::to_string(round)));
                const std::vector<Message> in = transport.exchange(std::move(out));
                for (int r = 0; r < count; ++r)
                    ASSERT_EQ(in[std::size_t(r)], text(std::to_string(r) + "to" + std::to_string(transport.rank()) +
                                                       "in" + std::to_string(round)));
            }
        });
}

TEST(ThreadTransport, CombinesInTheOrderOfTheRanksOnAll) {
    on_all(4, [](Transport& transport) {
        const int digits = combined(transport, transport.rank() + 1, [](int a, int b) { return 10 * a + b; });
        EXPECT_EQ(digits, 1234);
    });
}

TEST(ThreadTransport, NobodyWaitsForOneThatHasFailed) {
    std::atomic<int> lost = 0, told = 0;
    on_all(4, [&](Transport& transport) {
        try {
            if (transport.rank() == 2) throw RunError("disk full");
            share(transport, {});
        } catch (const RankLost&) {
            ++lost;
            try {
                std::rethrow_exception(transport.failure());
            } catch (const RunError& error) {
                told += error.what() == std::string("disk full");
            }
        } catch (...) {
            transport.abandon(std::current_exception());
        }
    });
    EXPECT_EQ(lost, 3);
    EXPECT_EQ(told, 3);
}
