// SPDX-License-Identifier: Apache-2.0
#include "app/local_server.h"

#include "core/error.h"
#include "core/log.h"
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace sluice {

namespace {

constexpr std::size_t most_bytes = 16 << 10; ///< of a request
constexpr timeval patience{2, 0};            ///< with a browser that sends or reads nothing

/// A connection, which it closes.
class Connection {
public:
    explicit Connection(int socket) : socket_(socket) {
        for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO})
            ::setsockopt(socket_, SOL_SOCKET, option, &patience, sizeof patience);
    }
    ~Connection() { ::close(socket_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// What comes up to the empty line behind the headers; less if the browser gives up.
    std::string request() const {
        std::string text;
        std::array<char, 4096> part{};
        while (text.size() < most_bytes && text.find("\r\n\r\n") == std::string::npos) {
            const ssize_t got = ::recv(socket_, part.data(), part.size(), 0);
            if (got <= 0) break;
            text.append(part.data(), static_cast<std::size_t>(got));
        }
        return text;
    }
    void send(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (sent <= 0) return; // the browser has gone
            text.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

private:
    int socket_;
};

/// The value of a header, without spaces around it.
std::string_view header(std::string_view request, std::string_view name) {
    for (std::size_t at = request.find("\r\n"); at != std::string_view::npos; at = request.find("\r\n", at + 2)) {
        const std::string_view line = request.substr(at + 2, request.find("\r\n", at + 2) - at - 2);
        if (line.size() <= name.size() || line[name.size()] != ':') continue;
        if (::strncasecmp(line.data(), name.data(), name.size()) != 0) continue;
        const std::string_view value = line.substr(name.size() + 1);
        const std::size_t first = value.find_first_not_of(' ');
        return first == std::string_view::npos ? "" : value.substr(first);
    }
    return "";
}

bool is_this_machine(std::string_view host, int port) {
    for (const char* name : {"localhost", "127.0.0.1"})
        if (host == name || host == fmt::format("{}:{}", name, port)) return true;
    return false;
}

const char* meaning_of(int status) {
    switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    default: return "Internal Server Error";
    }
}

Response answer_to(std::string_view request, int port, const std::function<Response(const std::string&)>& answer) {
    const Response plain{200, "text/plain; charset=utf-8", ""};
    const auto refused = [&](int status, const char* why) {
        Response response = plain;
        response.status = status;
        response.body = std::string(why) + "\n";
        return response;
    };
    const std::string_view line = request.substr(0, request.find("\r\n"));
    const std::size_t method_end = line.find(' '), path_end = line.find(' ', method_end + 1);
    if (method_end == std::string_view::npos || path_end == std::string_view::npos)
        return refused(400, "this is no HTTP request");
    const std::string_view method = line.substr(0, method_end);
    if (method != "GET" && method != "HEAD") return refused(405, "only GET and HEAD are answered");
    if (!is_this_machine(header(request, "Host"), port)) return refused(403, "only this machine is answered");
    const std::string_view path = line.substr(method_end + 1, path_end - method_end - 1);
    try {
        return answer(std::string(path.substr(0, path.find('?'))));
    } catch (const std::exception& error) {
        return refused(500, error.what());
    }
}

} // namespace

LocalServer::LocalServer(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const auto fail = [&](const char* what) {
        const int reason = errno;
        if (socket_ >= 0) ::close(socket_);
        const std::string text = fmt::format("port {}: {}: {}", port, what, std::strerror(reason));
        if (reason == EADDRINUSE || reason == EACCES)
            throw InputError(text + "; choose another with --port, or leave it out");
        throw RunError(text);
    };
    if (socket_ < 0) fail("no socket");
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("cannot be used");
    if (::listen(socket_, 16) != 0) fail("cannot be listened to");
    socklen_t size = sizeof address;
    if (::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) fail("has no number");
    port_ = ntohs(address.sin_port);
}

LocalServer::~LocalServer() { ::close(socket_); }

void LocalServer::serve(const std::atomic<int>& stop, const std::function<Response(const std::string&)>& answer) const {
    constexpr int look_every = 200; // ms
    while (stop.load() == 0) {
        pollfd waiting{socket_, POLLIN, 0};
        if (::poll(&waiting, 1, look_every) <= 0) continue;
        const int accepted = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (accepted < 0) continue;
        const Connection connection(accepted);
        const std::string request = connection.request();
        if (request.empty()) continue;
        const Response response = answer_to(request, port_, answer);
        connection.send(fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
                                    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                                    "Connection: close\r\n\r\n",
                                    response.status, meaning_of(response.status), response.type, response.body.size()));
        if (!request.starts_with("HEAD")) connection.send(response.body);
    }
}

} // namespace sluice
