// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "ranks/transport.h"
#include <gtest/gtest.h>
#include <string>

// What every transport does. Each function is one rank's part: all ranks call it at once.

namespace sluice::transport_contract {

inline Message text(const std::string& words) {
    MessageWriter message;
    message.put(words.data(), words.size());
    return message.take();
}

/// Some ranks run ahead of others.
inline void brings_everyone_what_was_sent_in_the_order_of_the_ranks(Transport& transport) {
    for (int round = 0; round < 200; ++round) {
        const auto words = [round](int from, int to) {
            return text(std::to_string(from) + "to" + std::to_string(to) + "in" + std::to_string(round));
        };
        std::vector<Message> out;
        for (int r = 0; r < transport.count(); ++r) out.push_back(words(transport.rank(), r));
        const std::vector<Message> in = transport.exchange(std::move(out));
        ASSERT_EQ(in.size(), std::size_t(transport.count()));
        for (int r = 0; r < transport.count(); ++r) ASSERT_EQ(in[std::size_t(r)], words(r, transport.rank()));
    }
}

/// Of every length about a multiple of `part`, and none; those to one rank are not those to another.
inline void brings_messages_of_any_length(Transport& transport, std::size_t part) {
    const auto of = [](int from, int to, std::size_t bytes) {
        Message message(bytes);
        for (std::size_t k = 0; k < bytes; ++k)
            message[k] = std::byte(k * 7 + std::size_t(from) * 31 + std::size_t(to) * 17);
        return message;
    };
    for (const std::size_t bytes :
         {std::size_t(0), std::size_t(1), part - 1, part, part + 1, 5 * part, 5 * part + 3, std::size_t(3000000)}) {
        std::vector<Message> out;
        for (int r = 0; r < transport.count(); ++r) out.push_back(of(transport.rank(), r, r % 2 ? bytes : bytes / 2));
        const std::vector<Message> in = transport.exchange(std::move(out));
        for (int r = 0; r < transport.count(); ++r)
            ASSERT_EQ(in[std::size_t(r)], of(r, transport.rank(), transport.rank() % 2 ? bytes : bytes / 2)) << bytes;
    }
}

inline void combines_in_the_order_of_the_ranks_on_all(Transport& transport) {
    const int digits = combined(transport, transport.rank() + 1, [](int a, int b) { return 10 * a + b; });
    int expected = 0;
    for (int r = 1; r <= transport.count(); ++r) expected = 10 * expected + r;
    EXPECT_EQ(digits, expected);
}

/// The second rank fails, without the others in this exchange. `told`: what failure() says there must end with this.
inline void nobody_waits_for_one_that_has_failed(Transport& transport, const std::exception_ptr& why) {
    if (transport.rank() == 1) {
        transport.abandon(why);
        EXPECT_THROW(all_gather(transport, {}), RankLost);
        return;
    }
    EXPECT_THROW(all_gather(transport, {}), RankLost);
    EXPECT_THROW(all_gather(transport, {}), RankLost); // for ever
    ASSERT_TRUE(transport.failure());
}

} // namespace sluice::transport_contract
