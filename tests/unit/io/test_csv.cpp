// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/files/file.h"
#include "sample.h"
#include "temporary_folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace sluice;

TEST(csv, writes_comments_header_and_rows_at_once) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "made" / "a.csv";
    CsvWriter csv(path, {"time [s]", "n", "what"}, {"first", "second"});
    csv.write_row({0.1, std::int64_t{12}, "plain"});
    csv.write_row({1.0f / 3, std::int64_t{-1}, "a \"b\", c"});
    EXPECT_EQ(sample::content_of(path),
              "# first\n# second\ntime [s],n,what\n0.1,12,plain\n0.33333334,-1,\"a \"\"b\"\", c\"\n");
}

TEST(csv, measured_values_have_the_digits_that_mean_something) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.csv";
    CsvWriter csv(path, {"time [s]", "frame", "z [m]", "vx [m/s]", "what"});
    csv.write_measured({0.1234567890123, std::int64_t{16777217}, 0.1234567891234, 1.0 / 3, "x"});
    EXPECT_EQ(sample::content_of(path), "time [s],frame,z [m],vx [m/s],what\n"
                                        "0.1234567890123,16777217,0.123456789,0.33333334,x\n");
}

TEST(csv, goes_on_without_a_second_header) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.csv";
    CsvWriter(path, {"n"}, {}, true).write_row({std::int64_t{1}});
    CsvWriter(path, {"n"}, {}, true).write_row({std::int64_t{2}});
    EXPECT_EQ(sample::content_of(path), "n\n1\n2\n");
    CsvWriter(path, {"n"});
    EXPECT_EQ(sample::content_of(path), "n\n");
}

TEST(csv, keeps_the_rows_up_to_a_checkpoint) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.csv";
    write_file_atomically(path, "# about\nid,\"a,b\",time [s]\n1,x,0.5\n2,\"y,z\",1\n3,x,1.5\n4,x,0.");
    keep_csv_rows(path, "time [s]", 1);
    EXPECT_EQ(sample::content_of(path), "# about\nid,\"a,b\",time [s]\n1,x,0.5\n2,\"y,z\",1\n");
    EXPECT_THROW(keep_csv_rows(path, "step", 1), InputError);
    EXPECT_THROW(count_csv_rows(path, "step", 1), InputError) << "before anything is changed";
    keep_csv_rows(folder.path() / "missing.csv", "step", 1);
}

TEST(csv, refuses_a_row_of_another_width) {
    const TemporaryFolder folder;
    CsvWriter csv(folder.path() / "a.csv", {"a", "b"});
    EXPECT_THROW(csv.write_row({1.0}), RunError);
}

TEST(csv, reports_a_full_disk) { EXPECT_THROW(CsvWriter("/dev/full", {"a"}).write_row({1.0}), RunError); }

TEST(csv, cells_in_quotes_may_hold_commas_and_quotes) {
    EXPECT_EQ(split_csv_line(R"(a,"b, c",d)"), (std::vector<std::string>{"a", "b, c", "d"}));
    EXPECT_EQ(split_csv_line(R"("the ""great"" one",2)"), (std::vector<std::string>{R"(the "great" one)", "2"}));
    EXPECT_EQ(split_csv_line(R"("",,x)"), (std::vector<std::string>{"", "", "x"}));
    EXPECT_EQ(split_csv_line(""), std::vector<std::string>{""});
}

TEST(csv, neither_reads_nor_writes_what_is_no_file) {
    const TemporaryFolder folder;
    const auto path = folder.path() / "a.csv";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_THROW(read_csv(path), InputError);
    EXPECT_THROW(keep_csv_rows(path, "n", 1), InputError);
    EXPECT_THROW(CsvWriter(path, {"n"}, {}, true), RunError);
    EXPECT_THROW(CsvWriter(path, {"n"}), RunError);
}
