// SPDX-License-Identifier: Apache-2.0
#include "app/folder_lock.h"

#include "core/error.h"
#include "core/host.h"
#include "core/input_file.h"
#include "core/log.h"
#include "io/records/run_json.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr auto beat_interval = std::chrono::seconds(5);
/// Silence after which an owner on another machine is dead: several beats, and what a network file system may cache.
constexpr double silence_of_the_dead = 90; // s

fs::path lock_path(const fs::path& folder) { return folder / "run.lock"; }

/// The file's content; empty if it is not there. Opened anew each time, so that a network file system looks. What is no
/// file names no owner.
std::optional<std::string> owner_in(const fs::path& path) {
    if (!not_a_file(path).empty()) return "";
    std::ifstream file(path);
    if (!file) return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string first_line(const char* path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// Where process numbers mean the same: this boot of this machine, and its name space of processes.
std::string process_space() {
    std::error_code error;
    return boot_id() + " " + fs::read_symlink("/proc/self/ns/pid", error).string();
}

/// When a process started, in clock ticks since the boot; empty if there is no such process, or a dead one whose parent
/// has not waited for it.
std::string start_of(long pid) {
    const std::string line = first_line(fmt::format("/proc/{}/stat", pid).c_str());
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) return "";
    std::istringstream fields(line.substr(name_end + 1));
    std::string state, field;
    fields >> state;
    if (state == "Z" || state == "X") return "";
    for (int n = 4; n <= 22; ++n) fields >> field;
    return field;
}

/// Seconds since the file was last touched, by the clock of the machine that keeps it.
double age_of(const fs::path& path) {
    const fs::path probe = path.string() + fmt::format(".{}.{}.probe", host_name(), getpid());
    struct stat now {
    }, then{};
    const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    const bool known = descriptor >= 0 && ::futimens(descriptor, nullptr) == 0 && ::fstat(descriptor, &now) == 0;
    if (descriptor >= 0) ::close(descriptor);
    ::unlink(probe.c_str());
    if (!known) now.st_mtim.tv_sec = std::time(nullptr);
    if (::stat(path.c_str(), &then) != 0) return 0;
    return double(now.st_mtim.tv_sec - then.st_mtim.tv_sec);
}

struct Owner {
    std::string host, space, start, since;
    long pid = 0;
    bool readable = false;

    explicit Owner(const std::string& text) {
        if (nests_too_deep(text)) return;
        const Json json = Json::parse(text, nullptr, false);
        if (!json.is_object()) return;
        host = json.value("host", "");
        space = json.value("process_space", "");
        start = json.value("process_start", "");
        since = json.value("since", "");
        pid = json.value("pid", 0L);
        readable = pid > 0;
    }

    std::string name() const {
        return readable ? fmt::format("process {} on {}, since {}", pid, host, since) : std::string("unknown owner");
    }
    /// The lock may be half written, or of another machine: then only the missing heartbeat shows it.
    bool is_dead(const fs::path& path) const {
        if (readable && space == process_space()) return start_of(pid) != start;
        return age_of(path) > silence_of_the_dead;
    }
};

[[noreturn]] void refuse(const fs::path& path, const Owner& owner) {
    throw InputError(
        fmt::format("{}: a run is alive in this folder ({}); wait for its end or stop it, or choose another "
                    "folder with -o",
                    path.parent_path().string(), owner.name()));
}

std::string my_lock() {
    std::random_device random;
    const Json json{{"host", host_name()},
                    {"pid", getpid()},
                    {"process_space", process_space()},
                    {"process_start", start_of(getpid())},
                    {"since", utc_now()},
                    {"token", fmt::format("{:08x}{:08x}", random(), random())}};
    return json.dump(2) + "\n";
}

} // namespace

std::optional<std::string> live_owner(const fs::path& folder) {
    const fs::path path = lock_path(folder);
    const std::optional<std::string> text = owner_in(path);
    if (!text) return std::nullopt;
    const Owner owner(*text);
    return owner.is_dead(path) ? std::nullopt : std::optional(owner.name());
}

void refuse_if_locked(const fs::path& folder) {
    const fs::path path = lock_path(folder);
    const std::optional<std::string> text = owner_in(path);
    if (!text) return;
    if (const Owner owner(*text); !owner.is_dead(path)) refuse(path, owner);
}

FolderLock::FolderLock(const fs::path& folder) : path_(lock_path(folder)), mine_(my_lock()) {
    take();
    thread_ = std::thread([this] { beat(); });
}

FolderLock::~FolderLock() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (owner_in(path_) == mine_) ::unlink(path_.c_str());
}

/// The lock is written under a name of its own and linked to the common one, which succeeds for one process alone, on
/// network file systems too.
void FolderLock::take() {
    const fs::path own = path_.string() + fmt::format(".{}.{}", host_name(), getpid());
    struct Remove {
        const fs::path& path;
        ~Remove() { ::unlink(path.c_str()); }
    } const remove{own};
    {
        std::ofstream file(own, std::ios::trunc);
        file << mine_ << std::flush;
        if (!file)
            throw RunError(fmt::format("{}: cannot write: {}", own.string(), std::strerror(errno)),
                           Outcome::output_failed);
    }
    for (int attempt = 0; attempt < 10; ++attempt) {
        bool linked = ::link(own.c_str(), path_.c_str()) == 0;
        int error = errno;
        if (!linked && (error == EPERM || error == ENOTSUP || error == ENOSYS)) { // a file system without links
            const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
            error = errno;
            linked = descriptor >= 0 && ::write(descriptor, mine_.data(), mine_.size()) == ssize_t(mine_.size());
            if (descriptor >= 0) ::close(descriptor);
        }
        if (linked || owner_in(path_) == mine_) return; // the answer to a link that succeeded may be lost
        if (error != EEXIST)
            throw RunError(fmt::format("{}: cannot lock the folder: {}", path_.string(), std::strerror(error)));
        const std::optional<std::string> other = owner_in(path_);
        if (!other) continue;
        const Owner owner(*other);
        if (!owner.is_dead(path_)) refuse(path_, owner);
        take_over(*other);
    }
    throw RunError(fmt::format("{}: cannot lock the folder: others take it again and again", path_.string()));
}

/// Moves a dead owner's lock away. Another process may have taken the folder meanwhile: its lock is put back.
void FolderLock::take_over(const std::string& dead) {
    const fs::path aside = path_.string() + fmt::format(".{}.{}.dead", host_name(), getpid());
    if (::rename(path_.c_str(), aside.c_str()) != 0) return;
    if (owner_in(aside) != dead && ::link(aside.c_str(), path_.c_str()) == 0) {
        ::unlink(aside.c_str());
        return;
    }
    ::unlink(aside.c_str());
    spdlog::warn("warning: {}: the run that had this folder is dead ({}); its lock is taken over",
                 path_.parent_path().string(), Owner(dead).name());
}

void FolderLock::beat() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, beat_interval, [this] { return stopping_; })) {
        struct stat entry {};
        const bool gone = ::stat(path_.c_str(), &entry) != 0 && (errno == ENOENT || errno == ENOTDIR);
        const std::optional<std::string> text = owner_in(path_);
        if (gone || (text && !text->empty() && *text != mine_)) lost_ = true;
        if (!lost_) ::utimensat(AT_FDCWD, path_.c_str(), nullptr, 0);
    }
}

void FolderLock::require() const {
    if (!lost_) {
        const std::optional<std::string> text = owner_in(path_);
        if (!text || *text != mine_) lost_ = true;
    }
    if (lost_)
        throw RunError(fmt::format("{}: the folder was removed, or another run has taken it, while this run was going "
                                   "on; what this run had not written by then is lost",
                                   path_.parent_path().string()));
}

} // namespace sluice
