// SPDX-License-Identifier: Apache-2.0
#include "ranks/failure_message.h"
#include "ranks/lifeline.h"
#include "ranks/thread_transport.h"
#include "unit/ranks/transport_contract.h"
#include <functional>
#include <thread>

using namespace sluice;
using namespace sluice::transport_contract;

namespace {

/// Runs `work` on every rank at once.
void on_all(int count, const std::function<void(Transport&)>& work) {
    auto ends = make_thread_transports(count);
    std::vector<std::thread> threads;
    for (auto& end : ends) threads.emplace_back([&work, &end] { work(*end); });
    for (std::thread& thread : threads) thread.join();
}

} // namespace

TEST(Messages, ReadBackWhatWasWrittenAndNoMore) {
    MessageWriter writer;
    writer.put(3.5);
    writer.put_all(std::vector<int>{1, 2, 3});
    writer.put_all(std::vector<float>{});
    writer.put_all(std::string("text"));
    const Message message = writer.take();
    MessageReader reader(message);
    EXPECT_EQ(reader.get<double>(), 3.5);
    EXPECT_EQ(reader.get_all<int>(), (std::vector<int>{1, 2, 3}));
    EXPECT_FALSE(reader.at_end());
    EXPECT_TRUE(reader.get_all<float>().empty());
    EXPECT_EQ(reader.get_text(), "text");
    EXPECT_TRUE(reader.at_end());
    EXPECT_THROW(reader.get<char>(), RunError);
}

TEST(ThreadTransport, BringsEveryoneWhatWasSentToHimInTheOrderOfTheRanks) {
    for (const int count : {1, 2, 5}) on_all(count, brings_everyone_what_was_sent_in_the_order_of_the_ranks);
    on_all(3, [](Transport& transport) { brings_messages_of_any_length(transport, 64); });
}

TEST(ThreadTransport, CombinesInTheOrderOfTheRanksOnAll) { on_all(4, combines_in_the_order_of_the_ranks_on_all); }

TEST(ThreadTransport, NobodyWaitsForOneThatHasFailed) {
    const auto why = std::make_exception_ptr(RunError("disk full", Outcome::output_failed));
    on_all(4, [&](Transport& transport) {
        nobody_waits_for_one_that_has_failed(transport, why);
        EXPECT_EQ(transport.failure(), why);
    });
}

TEST(Lifeline, TellsTheEndOfARunFromTheEndOfARank) {
    for (const bool is_lost : {false, true})
        on_all(3, [&](Transport& transport) {
            const std::vector<std::string> names{"first", "second", "third"};
            auto lifeline = std::make_unique<Lifeline>(transport, names, true);
            EXPECT_TRUE(lifeline->missing().empty());
            EXPECT_FALSE(lifeline->look());
            all_gather(transport, {});
            if (transport.rank() == 0 && is_lost) lifeline.reset();
            if (transport.rank() == 0 && !is_lost) lifeline->wait_for_end();
            all_gather(transport, {});
            if (transport.rank() == 0) return;
            const auto message = lifeline->look();
            ASSERT_EQ(bool(message), is_lost);
            if (is_lost) {
                EXPECT_TRUE(unpacked_failure(*message).is_gone);
            }
            EXPECT_FALSE(lifeline->look()); // once is enough
            lifeline->wait_for_end();       // at once
        });
}
