// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace sluice {

struct Series {
    std::string name;
    std::vector<double> y; ///< NaN: a gap
};

/// Lines over one x axis.
struct Plot {
    std::string title, x_label, y_label;
    std::vector<double> x;
    std::vector<Series> series;
    bool from_zero = false; ///< the y axis starts at 0
};

/// The plot as an inline SVG element; nothing if there is nothing to draw.
std::string plot_svg(const Plot& plot);

/// Horizontal bars with names and values, as an inline SVG element.
std::string bars_svg(const std::string& title, const std::vector<std::pair<std::string, double>>& bars,
                     const std::string& unit);

/// Text made safe for HTML.
std::string html_text(const std::string& text);

} // namespace sluice
