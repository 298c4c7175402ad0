// SPDX-License-Identifier: Apache-2.0
#include "app/folder_lock.h"
#include "core/error.h"
#include "temporary_folder.h"
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sluice;
namespace fs = std::filesystem;

namespace {

class FolderLocks : public testing::Test {
protected:
    fs::path lock() const { return folder.path() / "run.lock"; }
    nlohmann::json owner() const { return nlohmann::json::parse(std::ifstream(lock())); }
    void write(const std::string& text) const { std::ofstream(lock()) << text; }
    /// As if nobody had touched the lock for so long.
    void age(std::time_t seconds) const {
        const std::timespec then{std::time(nullptr) - seconds, 0};
        const std::timespec both[]{then, then};
        ASSERT_EQ(utimensat(AT_FDCWD, lock().c_str(), both, 0), 0);
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
    }
    std::string refusal() const {
        try {
            const FolderLock second(folder.path());
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    TemporaryFolder folder;
};

} // namespace

TEST_F(FolderLocks, OneRunHasAFolderAndGivesItBack) {
    refuse_if_locked(folder.path());
    {
        const FolderLock mine(folder.path());
        EXPECT_EQ(owner()["pid"], getpid());
        EXPECT_EQ(files(), 1u); // nothing but the lock
        mine.require();
        EXPECT_TRUE(mine.held());
        EXPECT_THROW(refuse_if_locked(folder.path()), InputError);
        EXPECT_NE(refusal().find("a run is alive in this folder (process " + std::to_string(getpid()) + " on "),
                  std::string::npos);
        mine.require(); // which changes nothing
    }
    EXPECT_EQ(files(), 0u);
    refuse_if_locked(folder.path());
}

TEST_F(FolderLocks, TheLockOfADeadProcessIsTakenOver) {
    nlohmann::json dead;
    {
        const FolderLock mine(folder.path());
        dead = owner();
    }
    const pid_t child = fork();
    if (child == 0) _exit(0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    dead["pid"] = child;
    write(dead.dump());
    refuse_if_locked(folder.path());
    const FolderLock mine(folder.path());
    EXPECT_EQ(owner()["pid"], getpid());
    EXPECT_EQ(files(), 1u);
}

// The number of a process is given again: it is the same only if it has started at the same time.
TEST_F(FolderLocks, AProcessOfTheSameNumberIsNotTheOwner) {
    nlohmann::json other;
    {
        const FolderLock mine(folder.path());
        other = owner();
    }
    write(other.dump());
    EXPECT_NE(refusal(), "");
    other["process_start"] = "1";
    write(other.dump());
    EXPECT_EQ(refusal(), "");
}

// Of a process on another machine only silence tells, and so of a lock that is half written.
TEST_F(FolderLocks, ElsewhereAnOwnerIsDeadOnceItIsSilent) {
    for (const char* text :
         {R"({"host": "far", "pid": 7, "process_space": "of far", "since": "then"})", "{\"host\": "}) {
        SCOPED_TRACE(text);
        write(text);
        EXPECT_NE(refusal(), "");
        age(80);
        EXPECT_NE(refusal(), "");
        age(100);
        EXPECT_EQ(refusal(), "");
    }
    write(R"({"host": "far", "pid": 7, "process_space": "of far", "since": "then"})");
    EXPECT_NE(refusal().find("process 7 on far, since then"), std::string::npos);
    write("{");
    EXPECT_NE(refusal().find("unknown owner"), std::string::npos);
}

TEST_F(FolderLocks, WhoHasLostTheFolderIsTold) {
    for (const bool taken : {true, false}) {
        const FolderLock mine(folder.path());
        taken ? write("{\"pid\": 7}") : void(fs::remove(lock()));
        EXPECT_THROW(mine.require(), RunError);
        EXPECT_FALSE(mine.held());
        EXPECT_THROW(mine.require(), RunError);
        fs::remove(lock());
    }
    {
        const FolderLock mine(folder.path());
        write("{\"pid\": 7}");
    }
    EXPECT_EQ(files(), 1u); // another's lock stays
}

TEST_F(FolderLocks, AFolderThatIsNotThereCannotBeTaken) { EXPECT_THROW(FolderLock(folder.path() / "none"), RunError); }

// Every five seconds the owner shows that it is alive, and looks whether the folder is still its own.
TEST_F(FolderLocks, TheOwnerOfAFolderIsHeardOfAndLooksAfterIt) {
    const TemporaryFolder other;
    const FolderLock mine(folder.path()), stolen(other.path());
    const auto seconds_since_touched = [&] {
        struct stat entry {};
        stat(lock().c_str(), &entry);
        return std::time(nullptr) - entry.st_mtim.tv_sec;
    };
    age(1000);
    std::ofstream(other.path() / "run.lock") << "{\"pid\": 7}";
    EXPECT_GT(seconds_since_touched(), 900);
    for (int n = 0; n < 600 && (seconds_since_touched() > 900 || stolen.held()); ++n) usleep(100'000);
    EXPECT_LT(seconds_since_touched(), 100);
    EXPECT_TRUE(mine.held());
    EXPECT_FALSE(stolen.held());
}
