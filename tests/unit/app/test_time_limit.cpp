// SPDX-License-Identifier: Apache-2.0
#include "app/time_limit.h"

#include "core/error.h"
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

/// Sets a variable of the environment, or none, until the end of its scope.
class EndOfJob {
public:
    explicit EndOfJob(const std::string& value) { ::setenv(name, value.c_str(), 1); }
    ~EndOfJob() { ::unsetenv(name); }

private:
    static constexpr const char* name = "SLURM_JOB_END_TIME";
};

double left(std::optional<double> seconds) { return TimeLimit(TimeLimit::Clock::now(), seconds).left(); }

} // namespace

TEST(TimeLimit, TimesAreWrittenAsInBatchSystems) {
    EXPECT_EQ(parse_duration("90"), 90);
    EXPECT_EQ(parse_duration("0.5"), 0.5);
    EXPECT_EQ(parse_duration("15:00"), 900);
    EXPECT_EQ(parse_duration("0:06"), 6);
    EXPECT_EQ(parse_duration("2:30:00"), 9000);
    EXPECT_EQ(parse_duration("100:00:01"), 360001);
    EXPECT_EQ(parse_duration("1-12:00:00"), 129600);
    EXPECT_EQ(parse_duration("10-0:0:5"), 864005);
    EXPECT_EQ(parse_duration("2-0"), 172800);
    EXPECT_EQ(parse_duration("0-0:0:1"), 1);
}

TEST(TimeLimit, AnythingElseIsRefused) {
    for (const char* text :
         {"",        "0",    "0:00", "0-0:00:00", "-5", "1:-5", "-1-12:00:00", "x",   "5 ",  " 5",  "1h",
          "1:2:3:4", "1::2", ":5",   "5:",        "1-", "a-5",  "1-2-3",       "nan", "inf", "1e11"})
        EXPECT_THROW(parse_duration(text), InputError) << text;
}

TEST(TimeLimit, IsThatOfTheUserOrOfTheBatchJobWhicheverComesFirst) {
    ::unsetenv("SLURM_JOB_END_TIME");
    EXPECT_TRUE(std::isinf(left({})));
    EXPECT_LE(left(3600), 3600);
    EXPECT_GT(left(3600), 3000);
    const double now = double(std::time(nullptr));
    {
        const EndOfJob job(std::to_string(static_cast<long>(now + 7200)));
        EXPECT_LE(left({}), 7200);
        EXPECT_GT(left({}), 6600);
        EXPECT_LE(left(3600), 3600);
        EXPECT_GT(left(1e6), 6600);
        EXPECT_LE(left(1e6), 7200);
    }
    {
        const EndOfJob job(std::to_string(static_cast<long>(now - 60)));
        EXPECT_LT(left(3600), 0) << "it should have ended";
    }
    for (const char* nonsense : {"", "soon", "-1", "99999999999"}) {
        const EndOfJob job(nonsense);
        EXPECT_TRUE(std::isinf(left({}))) << nonsense;
    }
}
