// SPDX-License-Identifier: Apache-2.0
#include "ranks/calls.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace sluice;

namespace {

CallDeadline in_seconds(double seconds) {
    return std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<int>(1000 * seconds));
}

/// Somebody who is no rank.
class Stranger {
public:
    explicit Stranger(const Door::Address& to) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr = to.host;
        at.sin_port = to.port;
        connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
    }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;
    ~Stranger() { ::close(socket_); }
    bool is_connected() const { return connected_; }
    void say(const std::string& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }

private:
    int socket_;
    bool connected_ = false;
};

/// Rank 0 takes the calls of two others, and each gets a connection of its own.
void expect_two_ranks_come_through(Door& door) {
    const Message invitation = door.invitation();
    int of[3] = {-1, -1, -1};
    std::vector<std::thread> others;
    for (const int rank : {1, 2}) others.emplace_back([&, rank] { of[rank] = call(invitation, rank, in_seconds(10)); });
    const std::vector<int> there = door.take_calls(3, in_seconds(10));
    for (std::thread& other : others) other.join();
    ASSERT_EQ(there.size(), 3u);
    EXPECT_EQ(there[0], -1);
    for (const int rank : {1, 2}) {
        const auto end = there[static_cast<std::size_t>(rank)];
        ASSERT_GE(of[rank], 0);
        ASSERT_GE(end, 0);
        const char said = static_cast<char>('0' + rank);
        char heard = 0;
        EXPECT_EQ(::send(of[rank], &said, 1, MSG_NOSIGNAL), 1);
        EXPECT_EQ(::recv(end, &heard, 1, 0), 1);
        EXPECT_EQ(heard, said);
        ::close(of[rank]);
        ::close(end);
    }
}

} // namespace

TEST(Calls, OfRanksComeThroughWhateverStrangersDoWhoCameBefore) {
    Door door(true);
    ASSERT_FALSE(door.addresses().empty());
    std::vector<std::unique_ptr<Stranger>> strangers;
    for (int n = 0; n < 100; ++n) {
        strangers.push_back(std::make_unique<Stranger>(door.addresses()[0]));
        if (n % 3 == 1) strangers.back()->say("G");
        if (n % 3 == 2) strangers.back()->say("GET / HTTP/1.1\r\nHost: somebody\r\n\r\n");
    }
    expect_two_ranks_come_through(door);
}

TEST(Calls, OfRanksComeThroughWhileAStrangerDripsBytes) {
    Door door(true);
    const Stranger stranger(door.addresses()[0]);
    std::atomic<bool> ends = false;
    std::thread drip([&] {
        while (!ends) {
            stranger.say("x");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    expect_two_ranks_come_through(door);
    ends = true;
    drip.join();
}

TEST(Calls, EndAtTheOneTimeForAll) {
    Door door(true);
    const Stranger silent(door.addresses()[0]);
    for (const int connection : door.take_calls(3, in_seconds(0.05))) EXPECT_EQ(connection, -1);
    Door other(true); // which knows another secret
    const Message given = other.invitation();
    MessageReader in(given);
    MessageWriter wrong;
    wrong.put(in.get<std::array<std::uint64_t, 2>>());
    wrong.put_all(door.addresses());
    const Message invitation = wrong.take();
    std::thread rank([&] { EXPECT_EQ(call(invitation, 1, in_seconds(0.2)), -1); });
    for (const int connection : door.take_calls(2, in_seconds(0.2))) EXPECT_EQ(connection, -1);
    rank.join();
}

TEST(Calls, OnOneHostNoInterfaceButTheLoopbackIsListenedOn) {
    const Door inside(true), outside(false);
    for (const Door::Address& address : inside.addresses())
        EXPECT_EQ(ntohl(address.host.s_addr) >> 24, 127u) << inet_ntoa(address.host);
    for (const Door::Address& address : outside.addresses()) {
        EXPECT_NE(ntohl(address.host.s_addr) >> 24, 127u) << inet_ntoa(address.host);
        EXPECT_FALSE(Stranger({address.host, inside.addresses()[0].port}).is_connected());
    }
}

TEST(Calls, UseTheInterfaceThatTheLauncherWasToldToUse) {
    const Door all(false);
    if (all.addresses().empty()) GTEST_SKIP() << "this host has no interface but the loopback";
    const std::string network = std::string(inet_ntoa(all.addresses()[0].host)) + "/32";
    ::setenv("OMPI_MCA_oob_tcp_if_include", ("none,192.0.2.0/24," + network).c_str(), 1);
    const Door named(false);
    ::unsetenv("OMPI_MCA_oob_tcp_if_include");
    ASSERT_EQ(named.addresses().size(), 1u);
    EXPECT_EQ(named.addresses()[0].host.s_addr, all.addresses()[0].host.s_addr);
}
