// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>
#include <string>

namespace sluice {

/// What a server answers.
struct Response {
    int status = 200;
    std::string type = "text/html; charset=utf-8";
    std::string body;
};

/// Answers browsers of this machine: HTTP/1.1 on the loopback address alone, GET and HEAD, one request at a time. A
/// request that names another host than this machine is refused, so that no page from elsewhere can read the answers.
class LocalServer {
public:
    /// `port`: 0: any that is free. Throws InputError if it is taken, RunError.
    explicit LocalServer(int port);
    ~LocalServer();
    LocalServer(const LocalServer&) = delete;
    LocalServer& operator=(const LocalServer&) = delete;

    int port() const { return port_; }
    /// Answers until `stop` is not 0. `answer(path)`: of the path without what follows a question mark.
    void serve(const std::atomic<int>& stop, const std::function<Response(const std::string&)>& answer) const;

private:
    int socket_ = -1, port_ = 0;
};

} // namespace sluice
