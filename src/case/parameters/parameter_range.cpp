// SPDX-License-Identifier: Apache-2.0
#include "case/parameters/parameter_range.h"

#include "case/expression.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice {

bool ParameterRange::contains(double value) const {
    switch (kind) {
    case Kind::any: return true;
    case Kind::least: return value >= least;
    case Kind::most: return value <= most;
    case Kind::above_zero: return value > 0;
    case Kind::fraction: return value >= least && value <= most;
    case Kind::whole: return value == std::floor(value) && value >= least && value <= most;
    }
    return false;
}

std::string ParameterRange::text() const {
    switch (kind) {
    case Kind::any: return "";
    case Kind::least: return fmt::format("{} or more", least);
    case Kind::most: return fmt::format("{} or less", most);
    case Kind::above_zero: return "above 0";
    case Kind::fraction: return "0 to 1";
    case Kind::whole: return fmt::format("whole number from {} to {}", least, most);
    }
    return "";
}

std::string ParameterRange::complaint(double value) const {
    const std::string given = format_number(value);
    switch (kind) {
    case Kind::any: return "";
    case Kind::least: return fmt::format("must not be below {} ({})", least, given);
    case Kind::most: return fmt::format("must not be above {} ({})", most, given);
    case Kind::above_zero: return fmt::format("must be positive ({})", given);
    case Kind::fraction: return fmt::format("is a fraction from 0 to 1 ({})", given);
    case Kind::whole: return fmt::format("must be a {} ({})", text(), given);
    }
    return "";
}

} // namespace sluice
