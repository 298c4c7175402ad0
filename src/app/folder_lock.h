// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace sluice {

/// Throws InputError, naming the owner, if a run is alive in the folder. Changes nothing.
void refuse_if_locked(const std::filesystem::path& folder);

/// "process 123 on host, since …" of a run that is alive in the folder; nothing if none is. Changes nothing.
std::optional<std::string> live_owner(const std::filesystem::path& folder);

/// A folder that one run alone may write to, by the file DIR/run.lock: its owner (host, process), renewed every few
/// seconds. Works where processes of several machines share the folder. The lock of an owner that is dead (no such
/// process on this machine, or a heartbeat that stopped on another) is taken over, and the log says so.
class FolderLock {
public:
    /// Throws InputError that names the owner, RunError (no permission, …).
    explicit FolderLock(const std::filesystem::path& folder);
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    /// Gives the folder back.
    ~FolderLock();

    /// Throws RunError if the folder was removed or another run has taken it over; nothing may be written to it then.
    void require() const;
    bool held() const { return !lost_; }

private:
    void take();
    void take_over(const std::string& dead);
    void beat();

    std::filesystem::path path_;
    std::string mine_;
    mutable std::atomic<bool> lost_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    std::thread thread_;
};

} // namespace sluice
