// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/file.h"
#include "sample.h"
#include "temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;

TEST(write_file_atomically, replaces_the_whole_content) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.txt";
    write_file_atomically(path, "a long first content");
    write_file_atomically(path, "second");
    EXPECT_EQ(sample::content_of(path), "second");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.txt.tmp"));
}

TEST(write_file_atomically, says_what_failed) {
    try {
        write_file_atomically("/nonexistent-folder/a.txt", "x");
        FAIL();
    } catch (const RunError& error) {
        EXPECT_STREQ(error.what(), "/nonexistent-folder/a.txt.tmp: cannot create: No such file or directory");
    }
}

TEST(write_file_atomically, leaves_the_old_content_when_it_fails) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a";
    std::filesystem::create_directory(path); // a folder in the way: the rename cannot succeed
    EXPECT_THROW(write_file_atomically(path, "x"), RunError);
    EXPECT_TRUE(std::filesystem::is_directory(path));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.tmp"));
}
