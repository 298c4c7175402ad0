// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/terminal.h"
#include "temporary_folder.h"
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <new>
#include <regex>
#include <sstream>
#include <string>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace sluice;

namespace {

/// The logger of other tests comes back in the end.
struct LoggerOfOthers {
    std::shared_ptr<spdlog::logger> before = spdlog::default_logger();
    ~LoggerOfOthers() { spdlog::set_default_logger(before); }
};

} // namespace

TEST(Log, APipeIsNoFileForALog) {
    const TemporaryFolder folder;
    const std::filesystem::path pipe = folder.path() / "run.log";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THROW(add_log_file(pipe), InputError) << "it would wait for a reader";
}

// On the terminal stands what is said, in a file also when, and how grave it is; a quiet terminal makes no quiet file.
TEST(Log, TerminalsMayBeQuietAndFilesAreNot) {
    const LoggerOfOthers keep;
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "run.log") << "of the run before\n";
    testing::internal::CaptureStderr();
    start_console_log();
    EXPECT_FALSE(console_is_quiet());
    spdlog::info("zero");
    add_log_file(folder.path() / "run.log");
    spdlog::info("one");
    quieten_console();
    EXPECT_TRUE(console_is_quiet());
    spdlog::info("two");
    spdlog::warn("three");
    spdlog::error("four");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "zero\none\nthree\nfour\n");

    std::vector<std::string> lines;
    std::ifstream file(folder.path() / "run.log");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[0], "of the run before");
    const char* const expected[] = {"I one", "I two", "W three", "E four"};
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_TRUE(std::regex_match(lines[k + 1],
                                     std::regex(std::string(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ )") + expected[k])))
            << lines[k + 1];
}

// In a terminal the lines of a message after the first stand four columns further in.
TEST(Log, MessagesAreBrokenInTheWidthOfTheirTerminal) {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) GTEST_SKIP() << "no terminals here";
    const int terminal = ::open(::ptsname(master), O_RDWR | O_NOCTTY); // NOLINT(concurrency-mt-unsafe)
    ASSERT_GE(terminal, 0);
    winsize size{};
    size.ws_col = 20;
    ASSERT_EQ(::ioctl(master, TIOCSWINSZ, &size), 0);
    EXPECT_EQ(columns_behind(terminal), 20u);
    EXPECT_EQ(message_for(terminal, "warning: this does not fit into one line\n  nor do these words do that"),
              "warning: this does\n    not fit into one\n    line\n  nor do these words\n      do that");
    EXPECT_EQ(message_for(terminal, "this one does"), "this one does");
    EXPECT_EQ(message_for(terminal, ""), "");
    size.ws_col = 0; // not known
    ASSERT_EQ(::ioctl(master, TIOCSWINSZ, &size), 0);
    EXPECT_EQ(columns_behind(terminal), 80u);
    ::close(terminal);
    ::close(master);
}

TEST(Outcomes, AreThoseOfTheErrors) {
    EXPECT_EQ(outcome_of(std::bad_alloc()), Outcome::out_of_memory);
    EXPECT_EQ(outcome_of(RunError("full", Outcome::output_failed)), Outcome::output_failed);
    EXPECT_EQ(outcome_of(InputError("wrong")), Outcome::bad_input);
    EXPECT_EQ(outcome_of(std::runtime_error("what")), Outcome::failed);
}

TEST(Memory, AProcessHasNoMoreThanItMayTake) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    double pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    ASSERT_GT(pages, 0);
    const double taken = pages * double(::sysconf(_SC_PAGESIZE)), free_before = available_memory();
    constexpr double more = 1 << 28;
    rlimit limit = before;
    limit.rlim_cur = static_cast<rlim_t>(taken + more);
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
    const double free_now = available_memory();
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
    EXPECT_NEAR(free_now, std::min(more, free_before), 0.1 * more);
    EXPECT_GT(free_before, 0);
}
