// SPDX-License-Identifier: Apache-2.0
#include "core/outcome.h"
#include "io/records/run_json.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace sluice;

// What batch scripts rely on is what docs/output.md tells them.
TEST(Outcome, IsWhatTheDocumentationSays) {
    std::ifstream page(SLUICE_SOURCE_DIR "/docs/output.md");
    ASSERT_TRUE(page);
    std::string line;
    while (std::getline(page, line) && line != "## Outcomes") {
    }
    std::size_t row = 0;
    while (std::getline(page, line) && !line.starts_with("## ")) {
        int code = 0;
        if (std::sscanf(line.c_str(), "| %d |", &code) != 1) continue;
        ASSERT_LT(row, outcomes.size());
        const OutcomeInfo& info = outcomes[row++];
        std::ostringstream told;
        told << "| " << info.exit_code << " | `" << info.name << "` | `" << run_status_name(info.status) << "` | "
             << info.meaning << " |";
        EXPECT_EQ(line, told.str());
    }
    EXPECT_EQ(row, outcomes.size());
}

TEST(Outcome, IsFoundByItself) {
    for (const OutcomeInfo& info : outcomes) EXPECT_EQ(&outcome_info(info.outcome), &info);
}
