// SPDX-License-Identifier: Apache-2.0
#include "../case/case_text.h"
#include "case/read_case.h"
#include "io/files/csv.h"
#include "io/report/wave_page.h"
#include "temporary_folder.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace sluice;

namespace {

Case case_with(const std::string& paddle) {
    test::CaseText text;
    text.casedef = R"(<motion><objreal ref="10"><begin mov="1" start="0"/><mvnull id="1"/></objreal></motion>)";
    text.special = "<wavepaddles>" + paddle + "</wavepaddles>";
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return read_case_text(text.text(), "case.xml", overrides);
}

} // namespace

TEST(wave_page, heights_are_those_between_upward_crossings_of_the_series) {
    const TemporaryFolder folder;
    write_wave_tables(folder.path(), case_with(R"(<piston_spectrum><mkbound value="10"/><depth value="0.66"/>
<waveheight value="0.1"/><waveperiod value="2"/><spectrum value="jonswap"/><waves value="30"/><randomseed value="4"/>
<saveserie timemin="0" timemax="60" timedt="0.02" xpos="2"/>
<saveseriewaves timemin="0" timemax="60" xpos="2"/></piston_spectrum>)"));
    const CsvTable series = read_csv(folder.path() / "mkbound10_series_1.csv"),
                   heights = read_csv(folder.path() / "mkbound10_heights_1.csv");
    const std::vector<double> time = series.numbers("time [s]"), level = series.numbers("elevation [m]");
    const std::vector<double> begin = heights.numbers("time [s]"), period = heights.numbers("period [s]"),
                              height = heights.numbers("height [m]");
    ASSERT_GT(begin.size(), 15U);
    for (std::size_t n = 0; n < begin.size(); ++n) {
        double highest = 0, lowest = 0;
        for (std::size_t i = 0; i < time.size(); ++i)
            if (time[i] > begin[n] && time[i] < begin[n] + period[n]) {
                highest = std::max(highest, level[i]);
                lowest = std::min(lowest, level[i]);
            }
        // the two tables look at the water at different times
        EXPECT_NEAR(height[n], highest - lowest, 2e-3) << "from " << begin[n] << " s";
        if (n > 0) {
            EXPECT_NEAR(begin[n], begin[n - 1] + period[n - 1], 1e-5);
        }
    }
    EXPECT_GT(*std::ranges::max_element(height), 0.08);
}
