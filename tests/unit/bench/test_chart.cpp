// SPDX-License-Identifier: Apache-2.0
#include "bench/chart.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace sluice::bench;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

Chart two_lines() {
    Chart chart;
    chart.title = "a < b & c";
    chart.series.push_back({"first", {1, 2, 3}, {1, 4, 9}, {0.5, 3, 8}, {1.5, 5, 10}, false, false, -1});
    chart.series.push_back(
        {"second", {1, 2, 3}, {2, std::numeric_limits<double>::quiet_NaN(), 3}, {}, {}, true, false, -1});
    return chart;
}

} // namespace

TEST(ChartAxis, LinearAxisCoversTheDataWithRoundEnds) {
    const ChartAxis axis = make_axis(0.3, 9.7, false, true);
    EXPECT_EQ(axis.low, 0);
    EXPECT_EQ(axis.high, 10);
    EXPECT_EQ(axis.ticks.front(), 0);
    EXPECT_EQ(axis.ticks.back(), 10);
    EXPECT_DOUBLE_EQ(axis.place(5), 0.5);
}

TEST(ChartAxis, NegativeValuesMoveTheEndOfAnAxisFromZero) { EXPECT_LE(make_axis(-3, 5, false, true).low, -3); }

TEST(ChartAxis, LogAxisPlacesPowersEvenly) {
    const ChartAxis axis = make_axis(10, 1000, true, false);
    EXPECT_NEAR(axis.place(100) - axis.place(10), axis.place(1000) - axis.place(100), 1e-12);
    EXPECT_GT(axis.place(10), 0);
    EXPECT_LT(axis.place(1000), 1);
}

TEST(ChartAxis, OneValueOrNoneStillMakesAnAxis) {
    for (const double value : {0.0, 5.0, -2.0}) {
        const ChartAxis axis = make_axis(value, value, false, true);
        EXPECT_LT(axis.low, axis.high) << value;
        EXPECT_GE(axis.ticks.size(), 2u) << value;
    }
    const ChartAxis none =
        make_axis(std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), false, true);
    EXPECT_LT(none.low, none.high);
}

TEST(Chart, DrawsEverySeriesItsGapsAndItsSpread) {
    const std::string svg = chart_svg(two_lines());
    EXPECT_NE(svg.find("xmlns=\"http://www.w3.org/2000/svg\""), std::string::npos);
    EXPECT_NE(svg.find("first"), std::string::npos);
    EXPECT_NE(svg.find("second"), std::string::npos);
    EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(count(svg, "<circle"), 4u);                   // three points and the legend
    EXPECT_EQ(count(svg, "stroke-width=\"1.2\" fill"), 3u); // whiskers
    EXPECT_EQ(count(svg, "stroke-dasharray"), 2u);          // the second line and its legend
}

TEST(Chart, PointsHaveMarkersAndWordsButNoLine) {
    Chart chart = two_lines();
    chart.series.resize(1);
    chart.series[0].points = true;
    chart.series[0].labels = {"here & there", "", ""};
    const std::string svg = chart_svg(chart);
    EXPECT_EQ(count(svg, "<circle"), 4u);
    EXPECT_EQ(count(svg, "stroke-width=\"2\""), 0u);
    EXPECT_NE(svg.find("here &amp; there"), std::string::npos);
}

TEST(Chart, BarsOneForEachNumber) {
    Chart chart;
    chart.kind = ChartKind::bars;
    chart.categories = {"one", "two words", "three"};
    chart.series.push_back({"ours", {}, {1, 2, 3}, {}, {}, false, false, -1});
    chart.series.push_back({"theirs", {}, {2, std::nan(""), 1}, {}, {}, true, false, -1});
    EXPECT_EQ(count(chart_svg(chart), "<rect"), 1u + 2u + 5u); // background, legend, bars
}

TEST(Chart, WithoutNumbersItSaysSo) {
    EXPECT_NE(chart_svg({}).find("nothing was measured"), std::string::npos);
    Chart zeros = two_lines();
    zeros.log_y = true;
    for (auto& s : zeros.series) s.y = {0, 0, 0}, s.low = s.high = {};
    EXPECT_NE(chart_svg(zeros).find("nothing was measured"), std::string::npos);
}
