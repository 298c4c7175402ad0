// SPDX-License-Identifier: Apache-2.0
#include "ranks/lifeline.h"

#include "ranks/failure_message.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice {

namespace {

using Clock = std::chrono::steady_clock;
using Token = std::array<std::uint64_t, 2>;

/// What a rank says when it calls, so that nobody else is taken for one.
struct Greeting {
    Token token;
    int rank;
};

constexpr std::chrono::seconds time_to_connect{10};
constexpr int milliseconds_for_an_address = 2000;
constexpr std::uint64_t end_of_run = 0; ///< in the place of the length of a message: there will be none

int milliseconds_left(Clock::time_point end) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    return left > 0 ? static_cast<int>(left) : 0;
}

void close_socket(int& socket) {
    if (socket >= 0) ::close(socket);
    socket = -1;
}

void set_option(int socket, int level, int name, int value) { ::setsockopt(socket, level, name, &value, sizeof value); }

/// Nobody waits for ever for what the other end has begun to say; the system asks now and then whether it is there.
void watch(int socket) {
    timeval patience{};
    patience.tv_sec = 5;
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    constexpr int first = 10, interval = 5;
    constexpr int silence = static_cast<int>(Lifeline::silence.count());
    set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, first);
    set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, interval);
    set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, (silence - first) / interval);
    set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 1000 * silence);
    set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
}

bool send_all(int socket, const void* bytes, std::size_t count) {
    const auto* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t sent = ::send(socket, at, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        count -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int socket, void* bytes, std::size_t count) {
    auto* at = static_cast<char*>(bytes);
    while (count > 0) {
        const ssize_t got = ::recv(socket, at, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

bool is_ready(int socket, short what, int milliseconds) {
    pollfd look{socket, what, 0};
    return ::poll(&look, 1, milliseconds) == 1;
}

/// The IPv4 addresses of this host, the loopback's last: on another host it leads elsewhere.
std::vector<in_addr> own_addresses() {
    std::vector<in_addr> outside, inside;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return {};
    for (const ifaddrs* one = all; one; one = one->ifa_next) {
        if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || !(one->ifa_flags & IFF_UP)) continue;
        const in_addr address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr;
        (one->ifa_flags & IFF_LOOPBACK ? inside : outside).push_back(address);
    }
    ::freeifaddrs(all);
    outside.insert(outside.end(), inside.begin(), inside.end());
    return outside;
}

/// A connection to an address on which rank 0 answers; −1: there is none.
int connected_to(const in_addr& address, in_port_t port, const Greeting& greeting) {
    int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return -1;
    watch(socket);
    timeval patience{};
    patience.tv_sec = milliseconds_for_an_address / 1000;
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); // of connect, too
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr = address;
    to.sin_port = port;
    Token answer{};
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 ||
        !send_all(socket, &greeting, sizeof greeting) || !is_ready(socket, POLLIN, milliseconds_for_an_address) ||
        !receive_all(socket, &answer, sizeof answer) || answer != greeting.token)
        close_socket(socket);
    return socket;
}

} // namespace

/// The socket on which rank 0 is called, and what it tells the others about it.
struct Lifeline::Listener {
    Listener() {
        std::random_device random;
        for (std::uint64_t& word : token) word = std::uint64_t(random()) << 32 | random();
        socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in any{};
        any.sin_family = AF_INET;
        socklen_t size = sizeof any;
        if (socket < 0 || ::bind(socket, reinterpret_cast<const sockaddr*>(&any), size) != 0 ||
            ::listen(socket, SOMAXCONN) != 0 || ::getsockname(socket, reinterpret_cast<sockaddr*>(&any), &size) != 0)
            close_socket(socket);
        port = any.sin_port;
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() { close_socket(socket); }

    Message invitation() const {
        MessageWriter message;
        message.put(token);
        message.put(port);
        message.put_all(socket < 0 ? std::vector<in_addr>() : own_addresses());
        return message.take();
    }

    int socket = -1;
    in_port_t port = 0;
    Token token{};
};

Lifeline::Lifeline(Transport& transport, std::vector<std::string> names)
    : rank_(transport.rank()), names_(std::move(names)), peers_(is_first() ? names_.size() : 1, -1) {
    if (is_first()) {
        Listener listener;
        all_gather(transport, listener.invitation());
        accept_others(listener);
    } else {
        call_first(all_gather(transport, Message())[0]);
    }
    MessageWriter state;
    state.put_all(peers_);
    const std::vector<Message> all = all_gather(transport, state.take());
    const auto of_first = MessageReader(all[0]).get_all<int>();
    for (std::size_t r = 1; r < all.size(); ++r)
        if (of_first[r] < 0 || MessageReader(all[r]).get_all<int>()[0] < 0) missing_.push_back(static_cast<int>(r));
}

Lifeline::~Lifeline() {
    for (int& peer : peers_) close_socket(peer);
}

/// Rank 0: takes the calls of the others, until all are there or the time is up.
void Lifeline::accept_others(Listener& listener) {
    const auto end = Clock::now() + time_to_connect;
    for (std::size_t wanted = names_.size() - 1; wanted > 0;) {
        if (listener.socket < 0 || !is_ready(listener.socket, POLLIN, milliseconds_left(end))) return;
        int caller = ::accept4(listener.socket, nullptr, nullptr, SOCK_CLOEXEC);
        if (caller < 0) continue;
        watch(caller);
        Greeting greeting{};
        if (is_ready(caller, POLLIN, milliseconds_for_an_address) && receive_all(caller, &greeting, sizeof greeting) &&
            greeting.token == listener.token && greeting.rank > 0 && greeting.rank < static_cast<int>(names_.size()) &&
            send_all(caller, &listener.token, sizeof listener.token)) {
            int& peer = peers_[static_cast<std::size_t>(greeting.rank)];
            if (peer < 0) --wanted;
            close_socket(peer); // a call that its maker has given up
            peer = caller;
        } else {
            close_socket(caller);
        }
    }
}

/// Another rank: calls rank 0 on one address after the other.
void Lifeline::call_first(const Message& invitation) {
    MessageReader in(invitation);
    const auto token = in.get<Token>();
    const auto port = in.get<in_port_t>();
    const auto end = Clock::now() + time_to_connect;
    for (const in_addr& address : in.get_all<in_addr>()) {
        if (Clock::now() >= end) return;
        peers_[0] = connected_to(address, port, {token, rank_});
        if (peers_[0] >= 0) return;
    }
}

/// What a rank has to say, whose connection has something to read; or that it is gone. Nothing if rank 0 has come to
/// the end of the run, where this rank may still wait for what others have sent.
std::optional<Message> Lifeline::read(std::size_t peer) {
    std::uint64_t size = 0;
    Message message;
    bool is_there = receive_all(peers_[peer], &size, sizeof size) && size < (1u << 20);
    if (is_there && size == end_of_run) {
        close_socket(peers_[peer]);
        return std::nullopt;
    }
    if (is_there) {
        message.resize(size);
        is_there = receive_all(peers_[peer], message.data(), size);
    }
    if (is_there) return message;
    close_socket(peers_[peer]);
    ++lost_;
    const RunError gone("lost (its process was killed, or its host or the network between has failed); sluice run "
                        "--resume goes on from the last checkpoint");
    return packed_failure({std::make_exception_ptr(gone), true}, names_[peer]);
}

std::optional<Message> Lifeline::look() {
    for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
        if (peers_[peer] < 0 || !is_ready(peers_[peer], POLLIN, 0)) continue;
        std::optional<Message> message = read(peer);
        if (!message) continue;
        if (is_first()) tell(*message);
        return message;
    }
    return std::nullopt;
}

void Lifeline::tell(const Message& why) {
    const std::uint64_t size = why.size();
    for (const int peer : peers_)
        if (peer >= 0 && send_all(peer, &size, sizeof size)) send_all(peer, why.data(), why.size());
}

void Lifeline::wait_for_end() {
    if (is_first()) {
        for (int& peer : peers_) {
            if (peer >= 0) send_all(peer, &end_of_run, sizeof end_of_run);
            close_socket(peer);
        }
        return;
    }
    char ignored[256];
    while (peers_[0] >= 0) {
        if (!is_ready(peers_[0], POLLIN, -1)) continue;
        if (::recv(peers_[0], ignored, sizeof ignored, 0) <= 0) close_socket(peers_[0]);
    }
}

} // namespace sluice
