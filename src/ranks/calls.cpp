// SPDX-License-Identifier: Apache-2.0
#include "ranks/calls.h"

#include "core/host.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice {

namespace {

using Clock = std::chrono::steady_clock;
using Token = std::array<std::uint64_t, 2>;

/// What a rank sends when it connects, so that no other program is taken for a rank.
struct Greeting {
    Token token;
    std::int32_t rank, unused;
};

int milliseconds_to(CallDeadline end) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000000));
}

/// An interface that is up, by one of its IPv4 addresses.
struct Interface {
    std::string name;
    in_addr address;
    bool loopback;
};

std::vector<Interface> own_interfaces() {
    std::vector<Interface> found;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return found;
    for (const ifaddrs* one = all; one; one = one->ifa_next)
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & IFF_UP))
            found.push_back({one->ifa_name, reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr,
                             (one->ifa_flags & IFF_LOOPBACK) != 0});
    ::freeifaddrs(all);
    return found;
}

/// Whether the launcher was told to use an interface, in one of the ways of Open MPI, MPICH and Intel MPI: by names, or
/// as Open MPI also has it by networks, "10.0.0.0/8", with commas between.
bool is_named(const Interface& one, const std::string& list) {
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        const std::string word = list.substr(at, end - at);
        at = end + 1;
        if (word == one.name) return true;
        const std::size_t slash = word.find('/');
        in_addr network{};
        if (slash == std::string::npos || ::inet_pton(AF_INET, word.substr(0, slash).c_str(), &network) != 1) continue;
        const int bits = std::clamp(std::atoi(word.c_str() + slash + 1), 0, 32);
        const std::uint32_t mask = bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
        if ((ntohl(one.address.s_addr) & mask) == (ntohl(network.s_addr) & mask)) return true;
    }
    return false;
}

bool is_launchers(const Interface& one) {
    for (const char* variable : {"OMPI_MCA_oob_tcp_if_include", "PRTE_MCA_prte_if_include",
                                 "OMPI_MCA_btl_tcp_if_include", "HYDRA_IFACE", "MPIEXEC_IFACE", "I_MPI_HYDRA_IFACE"})
        if (const char* list = std::getenv(variable); list && is_named(one, list)) return true;
    return false;
}

/// The addresses that the name of this host stands for.
std::vector<in_addr> addresses_of_name() {
    std::vector<in_addr> found;
    addrinfo wanted{}, *all = nullptr;
    wanted.ai_family = AF_INET;
    wanted.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(host_name().c_str(), nullptr, &wanted, &all) != 0) return found;
    for (const addrinfo* one = all; one; one = one->ai_next)
        found.push_back(reinterpret_cast<const sockaddr_in*>(one->ai_addr)->sin_addr);
    ::freeaddrinfo(all);
    return found;
}

std::vector<in_addr> addresses_to_listen_on(bool one_host) {
    std::vector<Interface> all = own_interfaces();
    std::erase_if(all, [&](const Interface& one) { return one.loopback != one_host; });
    const auto those = [&](const auto& wanted) {
        std::vector<in_addr> addresses;
        for (const Interface& one : all)
            if (wanted(one)) addresses.push_back(one.address);
        return addresses;
    };
    const auto any = [](const Interface&) { return true; };
    if (one_host) return those(any);
    std::vector<in_addr> found = those(is_launchers);
    if (found.empty()) {
        const std::vector<in_addr> named = addresses_of_name();
        found = those([&](const Interface& one) {
            return std::ranges::any_of(named, [&](const in_addr& a) { return a.s_addr == one.address.s_addr; });
        });
    }
    return found.empty() ? those(any) : found;
}

sockaddr_in socket_address(const in_addr& host, in_port_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr = host;
    address.sin_port = port;
    return address;
}

void set_waiting(int socket, bool waits) {
    const int flags = ::fcntl(socket, F_GETFL);
    ::fcntl(socket, F_SETFL, waits ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

/// Reads on without waiting. True once all is there, or the other end has gone.
bool receive_more(int socket, void* bytes, std::size_t& have, std::size_t count) {
    while (have < count) {
        const ssize_t got = ::recv(socket, static_cast<char*>(bytes) + have, count - have, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
        if (got <= 0) return true;
        have += static_cast<std::size_t>(got);
    }
    return true;
}

/// A few bytes, which a new connection always has room for.
bool send_now(int socket, const void* bytes, std::size_t count) {
    return ::send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(count);
}

} // namespace

/// A connection that has not yet sent its greeting.
struct Door::Caller {
    int socket;
    Greeting greeting{};
    std::size_t have = 0;
};

Door::Door(bool one_host) {
    std::random_device random;
    for (std::uint64_t& word : token_) word = std::uint64_t(random()) << 32 | random();
    for (const in_addr& host : addresses_to_listen_on(one_host)) listen_on(host);
}

Door::~Door() {
    for (const int socket : listening_) ::close(socket);
}

void Door::listen_on(const in_addr& host) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return;
    sockaddr_in at = socket_address(host, 0);
    socklen_t size = sizeof at;
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&at), size) != 0 || ::listen(socket, SOMAXCONN) != 0 ||
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
        ::close(socket);
        return;
    }
    listening_.push_back(socket);
    addresses_.push_back({host, at.sin_port});
}

Message Door::invitation() const {
    MessageWriter message;
    message.put(Token{token_[0], token_[1]});
    message.put_all(addresses_);
    return message.take();
}

std::vector<int> Door::take_calls(int ranks, CallDeadline deadline) {
    constexpr std::size_t most_waiting = 256; // a silent connection is closed for a later one
    const Token token{token_[0], token_[1]};
    std::vector<int> connections(static_cast<std::size_t>(ranks), -1);
    std::vector<Caller> callers;
    const auto is_connected = [](int socket) { return socket >= 0; };
    while (!std::all_of(connections.begin() + 1, connections.end(), is_connected)) {
        std::vector<pollfd> look;
        for (const int socket : listening_) look.push_back({socket, POLLIN, 0});
        for (const Caller& caller : callers) look.push_back({caller.socket, POLLIN, 0});
        if (listening_.empty() || ::poll(look.data(), look.size(), milliseconds_to(deadline)) == 0) break;
        std::vector<Caller> waiting;
        for (Caller& caller : callers) {
            if (!receive_more(caller.socket, &caller.greeting, caller.have, sizeof caller.greeting)) {
                waiting.push_back(caller);
                continue;
            }
            const int rank = caller.greeting.rank;
            if (caller.have == sizeof caller.greeting && caller.greeting.token == token && rank > 0 && rank < ranks &&
                send_now(caller.socket, &token, sizeof token)) {
                int& connection = connections[static_cast<std::size_t>(rank)];
                if (connection >= 0) ::close(connection); // a call that its maker has given up
                connection = caller.socket;
                set_waiting(connection, true);
            } else {
                ::close(caller.socket);
            }
        }
        callers = std::move(waiting);
        for (const int socket : listening_) {
            const int caller = ::accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (caller >= 0) callers.push_back({caller});
        }
        if (callers.size() > most_waiting) {
            ::close(callers.front().socket);
            callers.erase(callers.begin());
        }
        if (Clock::now() >= deadline) break;
    }
    for (const Caller& caller : callers) ::close(caller.socket);
    return connections;
}

int call(const Message& invitation, int rank, CallDeadline deadline) {
    MessageReader in(invitation);
    Greeting greeting{in.get<Token>(), rank, 0};
    // an address may lead to another host, where no program or another one answers: all are tried at once, but only one
    // connection at a time is used, so that rank 0 and this rank use the same one
    std::vector<int> calling;
    for (const Door::Address& to : in.get_all<Door::Address>()) {
        const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (socket < 0) continue;
        const sockaddr_in at = socket_address(to.host, to.port);
        if (::connect(socket, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 || errno == EINPROGRESS)
            calling.push_back(socket);
        else
            ::close(socket);
    }
    constexpr std::chrono::seconds for_an_answer{2};
    int connection = -1;
    while (connection < 0 && !calling.empty() && Clock::now() < deadline) {
        std::vector<pollfd> look;
        for (const int socket : calling) look.push_back({socket, POLLOUT, 0});
        if (::poll(look.data(), look.size(), milliseconds_to(deadline)) <= 0) continue;
        const auto ready = std::ranges::find_if(look, [](const pollfd& one) { return one.revents != 0; });
        if (ready == look.end()) continue;
        const int socket = ready->fd;
        std::erase(calling, socket);
        int error = 0;
        socklen_t size = sizeof error;
        Token answer{};
        std::size_t have = 0;
        bool is_right = ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0 &&
                        send_now(socket, &greeting, sizeof greeting);
        const CallDeadline end = std::min(deadline, Clock::now() + for_an_answer);
        while (is_right && !receive_more(socket, &answer, have, sizeof answer)) {
            pollfd wait{socket, POLLIN, 0};
            is_right = ::poll(&wait, 1, milliseconds_to(end)) != 0;
        }
        if (is_right && have == sizeof answer && answer == greeting.token)
            connection = socket;
        else
            ::close(socket);
    }
    for (const int socket : calling) ::close(socket);
    if (connection >= 0) set_waiting(connection, true);
    return connection;
}

std::string network_space() {
    std::error_code error;
    return boot_id() + " " + std::filesystem::read_symlink("/proc/self/ns/net", error).string();
}

} // namespace sluice
