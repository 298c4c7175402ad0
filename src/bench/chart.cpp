// SPDX-License-Identifier: Apache-2.0
#include "bench/chart.h"

#include "core/numbers.h"
#include "io/report/report_plot.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sluice::bench {

namespace {

// Colours that stay apart for readers who see colours differently, and in grey.
constexpr const char* colours[] = {"#1f4e79", "#d1642e", "#2a8a6d", "#8a3a75", "#b8860b",
                                   "#4d4d4d", "#5b9bd5", "#a52a2a", "#6b8e23"};
constexpr int width = 720, height = 430;
constexpr int left = 76, right = 20, top = 44, bottom = 58;
constexpr int legend_line = 18;

/// What the data need, before axes are made round.
struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

    void add(double value, bool log) {
        if (!std::isfinite(value) || (log && value <= 0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return high < low; }
};

Range y_range(const Chart& chart) {
    Range range;
    for (const ChartSeries& s : chart.series)
        for (const auto* values : {&s.y, &s.low, &s.high})
            for (const double y : *values) range.add(y, chart.log_y);
    if (chart.kind != ChartKind::stacked_bars) return range;
    for (std::size_t n = 0; n < chart.categories.size(); ++n) {
        double sum = 0;
        for (const ChartSeries& s : chart.series)
            if (n < s.y.size() && std::isfinite(s.y[n])) sum += s.y[n];
        range.add(sum, chart.log_y);
    }
    return range;
}

Range x_range(const Chart& chart) {
    Range range;
    for (const ChartSeries& s : chart.series)
        for (const double x : s.x) range.add(x, chart.log_x);
    return range;
}

/// Draws one chart; the plotting area shrinks by the lines of the legend above it.
class Drawing {
public:
    explicit Drawing(const Chart& chart) : chart_(chart) {
        Range y = y_range(chart);
        empty_ = y.empty() || (chart.kind == ChartKind::lines && x_range(chart).empty());
        if (empty_) return;
        if (chart.log_y && chart.kind != ChartKind::lines)
            y.low /= 2, y.high *= 1.5; // the smallest bar still shows, the largest has its number
        y_ = make_axis(y.low, y.high, chart.log_y, chart.y_from_zero || chart.kind != ChartKind::lines);
        if (chart.kind == ChartKind::lines) {
            const Range x = x_range(chart);
            x_ = make_axis(x.low, x.high, chart.log_x, false);
        }
        place_legend();
    }

    std::string svg() {
        head();
        if (empty_) {
            text(width / 2.0, height / 2.0, "nothing was measured", "middle");
        } else {
            legend();
            grid();
            if (chart_.kind == ChartKind::lines)
                lines();
            else
                bars();
            labels();
        }
        return out_ + "</svg>\n";
    }

private:
    const char* colour(std::size_t n) const {
        const int hue = chart_.series[n].hue;
        return colours[(hue >= 0 ? static_cast<std::size_t>(hue) : n) % std::size(colours)];
    }
    double px(double x) const { return left + x_.place(x) * (width - left - right); }
    double py(double y) const { return height - bottom - y_.place(y) * (height - bottom - area_top_); }

    void head() {
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" "
            "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#1a1a1a\">\n"
            "<title>{}</title>\n<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n",
            width, height, width, height, html_text(chart_.title), width, height);
        out_ += fmt::format("<text x=\"{}\" y=\"24\" font-size=\"16\" font-weight=\"600\">{}</text>\n", left,
                            html_text(chart_.title));
    }

    void text(double x, double y, const std::string& words, const char* anchor, const char* more = "") {
        out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                            html_text(words));
    }

    void line(double x1, double y1, double x2, double y2, const char* stroke, double thickness) {
        out_ += fmt::format(
            "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", x1,
            y1, x2, y2, stroke, thickness);
    }

    /// Entries from left to right, a new line where one is full.
    void place_legend() {
        double x = left;
        int row = 0;
        for (const ChartSeries& s : chart_.series) {
            const double wide = 52 + 7.3 * double(s.name.size());
            if (x > left && x + wide > width - right) {
                x = left;
                ++row;
            }
            legend_.push_back({x, top + row * legend_line + 4.0});
            x += wide;
        }
        area_top_ = top + (row + 1) * legend_line + 6;
    }

    void legend() {
        for (std::size_t n = 0; n < chart_.series.size(); ++n) {
            const auto [x, y] = legend_[n];
            if (chart_.kind == ChartKind::lines) {
                if (!chart_.series[n].points) path(fmt::format("M{:.1f} {:.1f}h26", x, y - 4), n);
                if (!chart_.series[n].steps) marker(x + 13, y - 4, n);
            } else {
                out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"11\"{}/>\n", x + 8, y - 10,
                                    bar_style(n));
            }
            text(x + 31, y, chart_.series[n].name, "start");
        }
    }

    void grid() {
        for (const double tick : y_.minor_ticks) line(left, py(tick), width - right, py(tick), "#f0f0f0", 1);
        for (const double tick : y_.ticks) {
            line(left, py(tick), width - right, py(tick), "#d9d9d9", 1);
            text(left - 8, py(tick) + 4, short_number(tick), "end");
        }
        if (chart_.kind == ChartKind::lines) {
            for (const double tick : x_.minor_ticks)
                line(px(tick), height - bottom, px(tick), height - bottom + 3, "#333", 1);
            for (const double tick : x_.ticks) {
                line(px(tick), height - bottom, px(tick), height - bottom + 6, "#333", 1);
                text(px(tick), height - bottom + 20, short_number(tick), "middle");
            }
        }
        line(left, height - bottom, width - right, height - bottom, "#333", 1.2);
        line(left, height - bottom, left, area_top_, "#333", 1.2);
        if (!y_.log && y_.low < 0) line(left, py(0), width - right, py(0), "#333", 1.2);
    }

    void path(const std::string& d, std::size_t n) {
        out_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", d, colour(n),
                            chart_.series[n].dashed ? " stroke-dasharray=\"6 4\"" : "");
    }

    /// Circle, square, triangle, diamond: printed in grey, series stay apart.
    void marker(double x, double y, std::size_t n) {
        const char* fill = chart_.series[n].dashed ? "#fff" : colour(n);
        std::string shape;
        switch (n % 4) {
        case 0: shape = fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"", x, y); break;
        case 1:
            shape = fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7.4\" height=\"7.4\"", x - 3.7, y - 3.7);
            break;
        case 2: shape = fmt::format("<path d=\"M{:.1f} {:.1f}l4.6 8h-9.2z\"", x, y - 4.8); break;
        default: shape = fmt::format("<path d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\"", x, y - 5); break;
        }
        out_ += fmt::format("{} fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", shape, fill, colour(n));
    }

    void spread(double x, const ChartSeries& s, std::size_t i, const char* stroke) {
        if (i >= s.low.size() || i >= s.high.size() || !std::isfinite(s.low[i]) || !std::isfinite(s.high[i])) return;
        const double a = py(s.low[i]), b = py(s.high[i]);
        if (std::abs(a - b) < 3) return; // smaller than its marker
        out_ += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h8M{3:.1f} {2:.1f}h8\" stroke=\"{4}\" "
                            "stroke-width=\"1.2\" fill=\"none\"/>\n",
                            x, a, b, x - 4, stroke);
    }

    bool drawable(const ChartSeries& s, std::size_t i) const {
        return std::isfinite(s.y[i]) && (!chart_.log_y || s.y[i] > 0) && (!chart_.log_x || s.x[i] > 0);
    }

    void lines() {
        for (std::size_t n = 0; n < chart_.series.size(); ++n) {
            const ChartSeries& s = chart_.series[n];
            std::string d;
            bool pen_down = false;
            double last = 0;
            for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
                if (!drawable(s, i)) {
                    pen_down = false;
                    continue;
                }
                const double y = py(s.y[i]);
                if (s.steps && pen_down) d += fmt::format("L{:.1f} {:.1f}", px(s.x[i]), last);
                d += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", px(s.x[i]), y);
                last = y;
                pen_down = true;
            }
            if (!d.empty() && !s.points) path(d, n);
            if (s.steps) continue;
            for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
                if (!drawable(s, i)) continue;
                spread(px(s.x[i]), s, i, colour(n));
                marker(px(s.x[i]), py(s.y[i]), n);
                if (i < s.labels.size() && !s.labels[i].empty())
                    text(px(s.x[i]) + 8, py(s.y[i]) - 6, s.labels[i], "start", " font-size=\"12\"");
            }
        }
    }

    std::string bar_style(std::size_t n) const {
        if (!chart_.series[n].dashed) return fmt::format(" fill=\"{}\"", colour(n));
        return fmt::format(" fill=\"#fff\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"4 2\"", colour(n));
    }

    std::size_t bars_in(std::size_t category) const {
        return static_cast<std::size_t>(
            std::count_if(chart_.series.begin(), chart_.series.end(),
                          [&](const ChartSeries& s) { return category < s.y.size() && std::isfinite(s.y[category]); }));
    }

    void bars() {
        const double group = double(width - left - right) / double(std::max<std::size_t>(1, chart_.categories.size()));
        const bool stacked = chart_.kind == ChartKind::stacked_bars;
        std::size_t most = 1;
        for (std::size_t c = 0; c < chart_.categories.size(); ++c) most = std::max(most, bars_in(c));
        const double one = std::min(0.8 * group / double(stacked ? 1 : most), 80.0);
        for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
            const double room = stacked ? one : one * double(bars_in(c)); // centred, whatever is missing
            const double start = left + (double(c) + 0.5) * group - room / 2;
            double below = 0;
            std::size_t place = 0;
            for (std::size_t n = 0; n < chart_.series.size(); ++n) {
                const ChartSeries& s = chart_.series[n];
                if (c >= s.y.size() || !std::isfinite(s.y[c])) continue;
                const double x = stacked ? start : start + double(place++) * one;
                bar(x, one, below, s.y[c], n);
                if (!stacked) spread(x + one / 2, s, c, "#111");
                if (stacked) below += s.y[c];
            }
            if (stacked) text(start + room / 2, py(below) - 5, short_number(below), "middle", " font-size=\"12\"");
            category_label(left + (double(c) + 0.5) * group, group, chart_.categories[c]);
        }
    }

    void bar(double x, double wide, double below, double value, std::size_t n) {
        const bool stacked = chart_.kind == ChartKind::stacked_bars;
        const double base = chart_.log_y ? y_.low : below;
        const double y1 = py(base), y2 = py(stacked ? below + value : value);
        out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}/>\n", x + 0.5,
                            std::min(y1, y2), std::max(1.0, wide - 1), std::max(0.5, std::abs(y1 - y2)), bar_style(n));
        const double above = n < chart_.series.size() && !chart_.series[n].high.empty() ? 9 : 5; // clear of the spread
        if (!stacked && wide > 26)
            text(x + wide / 2, std::min(y1, y2) - above, short_number(value), "middle", " font-size=\"12\"");
    }

    /// Words of a category under its group, broken over up to three lines.
    void category_label(double x, double room, const std::string& label) {
        const std::size_t per_line = std::max<std::size_t>(6, static_cast<std::size_t>(room / 6.6));
        std::vector<std::string> rows{""};
        for (std::size_t at = 0; at < label.size();) {
            const std::size_t space = std::min(label.find(' ', at), label.size());
            const std::string word = label.substr(at, space - at);
            if (!rows.back().empty() && rows.back().size() + 1 + word.size() > per_line && rows.size() < 3)
                rows.emplace_back();
            rows.back() += (rows.back().empty() ? "" : " ") + word;
            at = space + 1;
        }
        std::size_t longest = 0;
        for (const std::string& row : rows) longest = std::max(longest, row.size());
        const std::string size =
            fmt::format(" font-size=\"{:.1f}\"", std::clamp(room / (0.58 * double(longest)), 8.0, 12.0));
        for (std::size_t n = 0; n < rows.size(); ++n)
            text(x, height - bottom + 16 + 14.0 * double(n), rows[n], "middle", size.c_str());
    }

    void labels() {
        if (chart_.kind == ChartKind::lines) text((left + width - right) / 2.0, height - 12, chart_.x_label, "middle");
        const double y = (area_top_ + height - bottom) / 2.0;
        out_ += fmt::format(
            "<text x=\"18\" y=\"{:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 18 {:.1f})\">{}</text>\n", y, y,
            html_text(chart_.y_label));
    }

    const Chart& chart_;
    bool empty_ = false;
    ChartAxis x_, y_;
    int area_top_ = top;
    std::vector<std::pair<double, double>> legend_;
    std::string out_;
};

} // namespace

std::string chart_svg(const Chart& chart) { return Drawing(chart).svg(); }

} // namespace sluice::bench
