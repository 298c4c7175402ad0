// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/appended_file.h"
#include "io/files/file.h"
#include "sample.h"
#include "temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/stat.h>

using namespace sluice;

namespace {
std::ptrdiff_t files_in(const std::filesystem::path& folder) {
    return std::distance(std::filesystem::directory_iterator(folder), {});
}
} // namespace

TEST(write_file_atomically, replaces_the_whole_content) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt";
    write_file_atomically(path, "a long first content");
    write_file_atomically(path, "second");
    EXPECT_EQ(sample::content_of(path), "second");
    EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(write_file_atomically, says_what_failed) {
    try {
        write_file_atomically("/nonexistent-folder/a.txt", "x");
        FAIL();
    } catch (const RunError& error) {
        EXPECT_EQ(error.outcome(), Outcome::output_failed);
        EXPECT_STREQ(error.what(), "/nonexistent-folder/a.txt: cannot create: No such file or directory");
    }
}

TEST(write_file_atomically, leaves_the_old_content_when_it_fails) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a";
    std::filesystem::create_directory(path);
    EXPECT_THROW(write_file_atomically(path, "x"), InputError);
    EXPECT_TRUE(std::filesystem::is_directory(path));
    EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(write_file_atomically, replaces_no_device) {
    EXPECT_THROW(write_file_atomically("/dev/full", "x"), InputError);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(write_file_on, replaces_a_file_on_the_room_of_another) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt", reserved = folder.path() / "room";
    write_file_atomically(path, "old");
    write_file_atomically(reserved, std::string(5000, ' '));
    struct stat before {
    }, after{};
    ASSERT_EQ(::stat(reserved.c_str(), &before), 0);
    write_file_on(reserved, path, "new");
    EXPECT_EQ(sample::content_of(path), "new");
    EXPECT_EQ(files_in(folder.path()), 1);
    ASSERT_EQ(::stat(path.c_str(), &after), 0);
    EXPECT_EQ(before.st_ino, after.st_ino); // not a new file, which a full disk would not have
    EXPECT_THROW(write_file_on(reserved, path, "again"), RunError);
    EXPECT_EQ(sample::content_of(path), "new");
    EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(remove_temporary_files, takes_what_a_kill_left_and_nothing_else) {
    const TemporaryFolder folder;
    for (const char* name : {"a.h5.123.tmp", "b.tmp", "c.h5"}) std::ofstream(folder.path() / name) << "x";
    std::filesystem::create_directory(folder.path() / "d.tmp");
    remove_temporary_files(folder.path());
    EXPECT_EQ(files_in(folder.path()), 2);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "c.h5"));
    remove_temporary_files(folder.path() / "nowhere");
}

TEST(appended_file, notices_that_it_was_removed) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a";
    AppendedFile file(path, false);
    file.write("one");
    file.require_in_place();
    std::filesystem::remove(path);
    EXPECT_THROW(file.require_in_place(), RunError);
    std::ofstream(path) << "another";
    EXPECT_THROW(file.require_in_place(), RunError);
}
