// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

// Charts as plain SVG: lines over a numeric axis, or groups of bars. Readable on a page and in print: dark text, thin
// grid, series told apart by colour and by marker or dash.

namespace sluice::bench {

struct ChartSeries {
    std::string name;
    std::vector<double> x;             ///< lines only
    std::vector<double> y;             ///< NaN: a gap
    std::vector<double> low, high;     ///< spread of each y; empty: none is drawn
    bool dashed = false;               ///< for numbers that were not measured here
    bool steps = false;                ///< lines only: y holds until the next x; no markers
    int hue = -1;                      ///< number of its colour; -1: its place among the series
    bool points = false;               ///< lines only: markers without a line
    std::vector<std::string> labels{}; ///< lines only: words beside each point
};

enum class ChartKind { lines, bars, stacked_bars };

struct Chart {
    ChartKind kind = ChartKind::lines;
    std::string title, x_label, y_label;
    bool log_x = false, log_y = false;
    bool y_from_zero = true;             ///< linear y axis
    std::vector<std::string> categories; ///< bars: one group each
    std::vector<ChartSeries> series;
};

/// The chart as an SVG element with its own namespace: a file of its own, or part of a page. A chart without a
/// finite number says so.
std::string chart_svg(const Chart& chart);

/// One axis: a range, ticks with labels, and the mapping to 0 … 1.
struct ChartAxis {
    double low = 0, high = 1;
    bool log = false;
    std::vector<double> ticks, minor_ticks;
    double place(double value) const;
};

/// An axis that covers [low, high] with round ends.
ChartAxis make_axis(double low, double high, bool log, bool from_zero);

} // namespace sluice::bench
