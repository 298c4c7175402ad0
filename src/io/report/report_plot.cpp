// SPDX-License-Identifier: Apache-2.0
#include "io/report/report_plot.h"
#include "io/pictures/picture_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace sluice {
namespace {

constexpr double width = 560, height = 300, left = 70, right = 16, top = 44, bottom = 46;
constexpr std::size_t most_plotted_points = 800;

/// An axis: values to pixels, and round ticks.
struct Axis {
    Axis(double from, double to, double at_from, double at_to) : low(from), high(to), begin(at_from), end(at_to) {
        step = round_step(high - low, 6);
        decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    }
    double operator()(double value) const { return begin + (value - low) / (high - low) * (end - begin); }
    std::string label(double value) const {
        if (value == 0) return "0";
        if (decimals > 5 || std::abs(value) >= 1e6) return fmt::format("{:g}", value);
        return fmt::format("{:.{}f}", value, decimals);
    }
    std::vector<double> ticks() const { return multiples_of(step, low, high); }
    double low, high, begin, end, step;
    int decimals;
};

struct Range {
    void add(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return !(low <= high); }
    void widen(double share) {
        // values that differ by their last digits only are the same in a plot
        const double size = std::max(std::abs(low), std::abs(high));
        const double extra = high - low > 1e-9 * size ? share * (high - low) : std::max(size * 0.05, 1e-9);
        low -= extra;
        high += extra;
    }
    double low = 1e300, high = -1e300;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text, const char* type = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>", x, y, anchor, type,
                       html_text(text));
}

std::string grid(const Axis& x, const Axis& y, const Plot& plot) {
    std::string svg = "<g class=\"grid\">";
    for (const double v : y.ticks()) svg += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\"/>", x.begin, y(v), x.end);
    for (const double v : x.ticks()) svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x(v), y.begin, y.end);
    svg += "</g>";
    for (const double v : y.ticks()) svg += text_at(left - 8, y(v) + 4, "end", y.label(v));
    for (const double v : x.ticks()) svg += text_at(x(v), height - bottom + 18, "middle", x.label(v));
    svg += text_at((x.begin + x.end) / 2, height - 8, "middle", plot.x_label);
    svg += fmt::format("<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                       (y.begin + y.end) / 2, html_text(plot.y_label));
    return svg;
}

std::string line_path(const Plot& plot, const Series& series, const Axis& x, const Axis& y) {
    std::string path;
    bool pen_down = false;
    const std::size_t n = std::min(plot.x.size(), series.y.size());
    const std::size_t stride = std::max<std::size_t>(1, n / most_plotted_points);
    for (std::size_t k = 0; k < n; k += stride) {
        if (!std::isfinite(series.y[k])) {
            pen_down = false;
            continue;
        }
        fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", pen_down ? 'L' : 'M', x(plot.x[k]), y(series.y[k]));
        pen_down = true;
    }
    return path;
}

/// Names of the lines, in as many rows as they need.
struct Legend {
    explicit Legend(const Plot& plot) {
        if (plot.series.size() < 2) return;
        double x = left, y = 34;
        for (std::size_t k = 0; k < plot.series.size(); ++k) {
            const double wide = 24 + 7.5 * static_cast<double>(plot.series[k].name.size());
            if (x > left && x + wide > width - right) {
                x = left;
                y += row;
                more_rows += row;
            }
            svg += fmt::format("<path class=\"line c{}\" d=\"M{:.1f} {:g}h18\"/>", k % 6, x, y);
            svg += text_at(x + 24, y + 4, "start", plot.series[k].name);
            x += wide + 20;
        }
    }
    static constexpr double row = 16;
    std::string svg;
    double more_rows = 0; ///< height of those after the first
};

} // namespace

std::string html_text(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        default: safe += c;
        }
    }
    return safe;
}

std::string plot_svg(const Plot& plot) {
    Range across, up;
    for (const double v : plot.x) across.add(v);
    for (const Series& series : plot.series)
        for (const double v : series.y) up.add(v);
    if (plot.x.size() < 2 || across.empty() || up.empty() || across.low == across.high) return "";
    if (plot.from_zero) up.add(0);
    up.widen(0.04);
    if (plot.from_zero && up.low < 0) up.low = 0;
    const Legend legend(plot);
    const Axis x(across.low, across.high, left, width - right),
        y(up.low, up.high, height - bottom, top + legend.more_rows);

    const auto axis = [](const Axis& a) {
        return fmt::format("{:.9g} {:.9g} {:g} {:g}", a.low, a.high, a.begin, a.end);
    };
    std::string svg = fmt::format("<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" "
                                  "data-x=\"{}\" data-y=\"{}\" data-x-name=\"{}\">",
                                  width, height, html_text(plot.title), axis(x), axis(y), html_text(plot.x_label));
    svg += text_at(left, 18, "start", plot.title, " class=\"title\"");
    svg += grid(x, y, plot) + legend.svg;
    for (std::size_t k = 0; k < plot.series.size(); ++k)
        svg += fmt::format("<path class=\"line series c{}\" data-name=\"{}\" d=\"{}\"/>", k % 6,
                           html_text(plot.series.size() > 1 ? plot.series[k].name : plot.y_label),
                           line_path(plot, plot.series[k], x, y));
    return svg + "</svg>\n";
}

std::string bars_svg(const std::string& title, const std::vector<std::pair<std::string, double>>& bars,
                     const std::string& unit) {
    double sum = 0, longest = 0;
    for (const auto& [name, value] : bars) {
        sum += value;
        longest = std::max(longest, value);
    }
    if (!(longest > 0)) return "";
    const double row = 28, tall = row * static_cast<double>(bars.size()) + 6, room = width - 150 - 150;
    std::string svg = fmt::format("<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", width,
                                  tall, html_text(title));
    for (std::size_t k = 0; k < bars.size(); ++k) {
        const auto& [name, value] = bars[k];
        const double y = 4 + row * static_cast<double>(k);
        svg += text_at(140, y + 15, "end", name);
        svg += fmt::format("<rect class=\"bar c{}\" x=\"150\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"20\" rx=\"2\"/>",
                           k % 6, y, std::max(room * value / longest, 1.0));
        svg += text_at(158 + std::max(room * value / longest, 1.0), y + 15, "start",
                       fmt::format("{:.3g} {} ({:.1f} %)", value, unit, 100 * value / sum));
    }
    return svg + "</svg>\n";
}

} // namespace sluice
