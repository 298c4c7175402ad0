// SPDX-License-Identifier: Apache-2.0
#include "ranks/lifeline.h"

#include "ranks/calls.h"
#include "ranks/failure_message.h"

#include <cerrno>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice {

namespace {

constexpr std::chrono::seconds time_to_connect{10};
constexpr std::uint64_t end_of_run = 0; ///< in the place of the length of a message: there will be none

void close_socket(int& socket) {
    if (socket >= 0) ::close(socket);
    socket = -1;
}

void set_option(int socket, int level, int name, int value) { ::setsockopt(socket, level, name, &value, sizeof value); }

/// A read of a message that the other end has begun times out; the system checks now and then whether that end is
/// there.
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

} // namespace

Lifeline::Lifeline(Transport& transport, std::vector<std::string> names, bool one_host)
    : rank_(transport.rank()), names_(std::move(names)), peers_(is_first() ? names_.size() : 1, -1) {
    const auto deadline = [] { return std::chrono::steady_clock::now() + time_to_connect; };
    if (is_first()) {
        Door door(one_host);
        all_gather(transport, door.invitation());
        peers_ = door.take_calls(static_cast<int>(names_.size()), deadline());
    } else {
        const Message invitation = all_gather(transport, Message())[0];
        peers_[0] = call(invitation, rank_, deadline());
    }
    for (const int peer : peers_)
        if (peer >= 0) watch(peer);
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
