// SPDX-License-Identifier: Apache-2.0
#include "core/numbers.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sluice {

std::string short_number(double value) {
    if (!std::isfinite(value)) return "–";
    const double size = std::abs(value);
    for (const auto& [scale, unit] :
         {std::pair{1e12, " T"}, std::pair{1e9, " G"}, std::pair{1e6, " M"}, std::pair{1e3, " k"}})
        if (size >= 0.9995 * scale) return fmt::format("{:.3g}{}", value / scale, unit);
    return size < 1e-12 ? "0" : fmt::format("{:.3g}", value);
}

std::string bytes_text(double bytes) { return short_number(bytes) + (std::abs(bytes) < 999.5 ? " B" : "B"); }

BytesTexts bytes_texts(double needed, double available) {
    BytesTexts texts{bytes_text(needed), bytes_text(available)};
    if (texts.needed != texts.available || needed == available) return texts;
    return {fmt::format("{:.0f} B", std::ceil(needed)), fmt::format("{:.0f} B", std::floor(available))};
}

std::string counted(int count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string threads_text(int ranks, int threads) {
    const std::string text = counted(threads, "thread");
    return ranks > 1 ? fmt::format("{} ranks of {}", ranks, text) : text;
}

} // namespace sluice
