// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// Regression tables: pages of lines, which are compared number by number.

namespace sluice::test {

/// Equal but for the rounding of numbers, to `relative` of themselves and to `absolute`.
inline bool alike(const std::string& a, const std::string& b, double relative, double absolute) {
    std::istringstream words_a(a), words_b(b);
    std::string x, y;
    while (words_a >> x) {
        if (!(words_b >> y)) return false;
        if (x == y) continue;
        char *end_x = nullptr, *end_y = nullptr;
        const double p = std::strtod(x.c_str(), &end_x), q = std::strtod(y.c_str(), &end_y);
        if (*end_x || *end_y || !std::isfinite(p) || !std::isfinite(q) ||
            !(std::abs(p - q) <= absolute + relative * std::max(std::abs(p), std::abs(q))))
            return false;
    }
    return !(words_b >> y);
}

using Page = std::pair<std::string, std::vector<std::string>>; ///< a title and what stands below it

inline std::vector<Page> read_pages(const std::filesystem::path& file) {
    std::vector<Page> pages;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("== "))
            pages.emplace_back(line.substr(3), std::vector<std::string>{});
        else if (!pages.empty())
            pages.back().second.push_back(line);
    }
    return pages;
}

/// Compares with what is written down; with SLUICE_WRITE_BOOKS in the environment writes it instead.
inline void expect_pages(const std::vector<Page>& made, const std::filesystem::path& file, double relative,
                         double absolute) {
    if (std::getenv("SLUICE_WRITE_BOOKS")) { // NOLINT(concurrency-mt-unsafe)
        std::ofstream out(file);
        for (const auto& [title, lines] : made) {
            out << "== " << title << "\n";
            for (const std::string& line : lines) out << line << "\n";
        }
        return;
    }
    const std::vector<Page> expected = read_pages(file);
    ASSERT_EQ(made.size(), expected.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
        SCOPED_TRACE(made[i].first);
        ASSERT_EQ(made[i].first, expected[i].first);
        const std::vector<std::string>&a = made[i].second, &b = expected[i].second;
        EXPECT_EQ(a.size(), b.size());
        int shown = 0;
        for (std::size_t k = 0; k < std::min(a.size(), b.size()) && shown < 5; ++k)
            if (!alike(a[k], b[k], relative, absolute)) {
                EXPECT_EQ(a[k], b[k]);
                ++shown;
            }
    }
}

} // namespace sluice::test
