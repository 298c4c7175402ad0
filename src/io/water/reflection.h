// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/water/wave_separation.h"
#include <filesystem>
#include <optional>
#include <vector>

namespace sluice {

struct ReflectionJob {
    /// Tables of elevations: of `swl` gauges, of `measure_elevation`, or others with the columns "time [s]" and
    /// "elevation [m]" or "z [m]"; a column "point" tells several series of one table apart.
    std::vector<std::filesystem::path> tables;
    std::vector<int> points;                 ///< only those of the tables' points; none: all
    std::vector<double> positions;           ///< along the way of the incident waves, m; none: by the tables' x and y
    double direction_x = 1, direction_y = 0; ///< the way of the incident waves, of any length
    double depth = 0, g = 9.81;              ///< m, m/s²
    std::optional<double> from, to;          ///< s; none: as far as all series have values
    std::optional<double> least_frequency, largest_frequency; ///< Hz; none: half and three times the peak frequency
    int smoothing = 1;                                        ///< of so many frequencies the spectra are means
    std::filesystem::path out;                                ///< table of the spectra, .csv; empty: none
};

/// What was found, and from what.
struct Reflection {
    waves::SeparationResult result;
    waves::SeparationSetting setting; ///< with the range of frequencies
    std::size_t series = 0;           ///< how many
    double uncertain_part = 0;        ///< of the elevation's variance in the range, at frequencies that do not count
};

/// Separates incident and reflected waves of three or more elevation series, and writes their spectra. Series are
/// brought to one regular interval (that of the first, but at most 8192 of them) by cubic interpolation, and lose their
/// means. Throws InputError (fewer than three series or places, dry places, no common time, an unknown column).
Reflection find_reflection(const ReflectionJob& job);

} // namespace sluice
