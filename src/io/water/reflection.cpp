// SPDX-License-Identifier: Apache-2.0
#include "io/water/reflection.h"
#include "core/error.h"
#include "core/vec.h"
#include "io/files/csv.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace sluice {
namespace {

namespace fs = std::filesystem;
using waves::PlacedSeries, waves::SeparatedWave;

/// Elevations at one place as a table has them.
struct RawSeries {
    std::string name; ///< for messages
    Vec3d place{std::nan(""), std::nan(""), 0};
    std::vector<double> time, elevation; ///< s, m
};

std::vector<RawSeries> read_series(const fs::path& path, const std::vector<int>& wanted) {
    const CsvTable table = read_csv(path);
    if (table.columns.empty()) throw InputError(fmt::format("{}: there is no table of elevations", path.string()));
    const std::vector<double> times = table.numbers("time [s]"), points = table.numbers("point");
    std::vector<double> heights = table.numbers("elevation [m]");
    if (heights.empty()) heights = table.numbers("z [m]");
    if (times.empty() || heights.empty())
        throw InputError(fmt::format("{}: the columns \"time [s]\" and \"elevation [m]\" or \"z [m]\" are wanted, with "
                                     "rows below them; give tables of swl gauges or of sluice measure --elevation",
                                     path.string()));
    const std::vector<double> x = table.numbers("x [m]"), y = table.numbers("y [m]");
    std::map<int, RawSeries> series;
    for (std::size_t k = 0; k < times.size(); ++k) {
        const int point = points.empty() ? 0 : static_cast<int>(points[k]);
        if (!points.empty() && !wanted.empty() && std::find(wanted.begin(), wanted.end(), point) == wanted.end())
            continue;
        RawSeries& one = series[point];
        if (one.time.empty()) {
            one.name = points.empty() ? path.string() : fmt::format("{}: point {}", path.string(), point);
            if (!x.empty()) one.place.x = x[k];
            one.place.y = y.empty() ? 0 : y[k];
        } else if (!(times[k] > one.time.back()))
            throw InputError(
                fmt::format("{}: its times do not go up ({} s after {} s)", one.name, times[k], one.time.back()));
        one.time.push_back(times[k]);
        one.elevation.push_back(heights[k]);
    }
    std::vector<RawSeries> found;
    for (auto& [point, one] : series) found.push_back(std::move(one));
    return found;
}

double median_interval(const RawSeries& series) {
    std::vector<double> intervals;
    for (std::size_t k = 1; k < series.time.size(); ++k) intervals.push_back(series.time[k] - series.time[k - 1]);
    const auto middle = intervals.begin() + std::ssize(intervals) / 2;
    std::nth_element(intervals.begin(), middle, intervals.end());
    return *middle;
}

/// The value at a time between those of the series, from the four values around it (Lagrange).
double value_at(const RawSeries& series, double time) {
    const std::ptrdiff_t count = std::ssize(series.time);
    const auto after = std::upper_bound(series.time.begin(), series.time.end(), time) - series.time.begin();
    const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(after - 2, 0, count - 4);
    double sum = 0;
    for (std::ptrdiff_t k = first; k < first + 4; ++k) {
        double weight = 1;
        for (std::ptrdiff_t other = first; other < first + 4; ++other) {
            const double there = series.time[static_cast<std::size_t>(other)];
            if (other != k) weight *= (time - there) / (series.time[static_cast<std::size_t>(k)] - there);
        }
        sum += weight * series.elevation[static_cast<std::size_t>(k)];
    }
    return sum;
}

/// Refuses what has no surface, or too few values, in the time that counts.
void require_water(const RawSeries& series, double begin, double end) {
    constexpr std::ptrdiff_t least = 16;
    const auto first = std::lower_bound(series.time.begin(), series.time.end(), begin);
    const auto last = std::upper_bound(series.time.begin(), series.time.end(), end);
    if (last - first < least)
        throw InputError(fmt::format("{}: only {} rows from {} to {} s; at least {} are wanted", series.name,
                                     last - first, begin, end, least));
    for (auto at = first; at != last; ++at)
        if (!std::isfinite(series.elevation[static_cast<std::size_t>(at - series.time.begin())]))
            throw InputError(fmt::format(
                "{}: there is no water at {} s; choose other places, or times by --from and --to", series.name, *at));
}

/// Series at one regular interval, without their means, and how long they are, s.
std::pair<std::vector<PlacedSeries>, double> regular(const std::vector<RawSeries>& raw, const ReflectionJob& job) {
    double begin = -std::numeric_limits<double>::infinity(), end = -begin;
    for (const RawSeries& one : raw) {
        begin = std::max(begin, one.time.front());
        end = std::min(end, one.time.back());
    }
    begin = std::max(begin, job.from.value_or(begin));
    end = std::min(end, job.to.value_or(end));
    if (!(begin < end))
        throw InputError(fmt::format(
            "reflection: the series have no time in common between --from and --to ({} to {} s)", begin, end));
    for (const RawSeries& one : raw) require_water(one, begin, end);
    constexpr double most = 8192;
    const double count = std::clamp(std::round((end - begin) / median_interval(raw.front())), 16.0, most);
    std::vector<PlacedSeries> series;
    for (const RawSeries& one : raw) {
        PlacedSeries placed;
        for (int k = 0; k < static_cast<int>(count); ++k)
            placed.elevation.push_back(value_at(one, begin + k * (end - begin) / count));
        const double mean = std::accumulate(placed.elevation.begin(), placed.elevation.end(), 0.0) / count;
        for (double& value : placed.elevation) value -= mean;
        series.push_back(std::move(placed));
    }
    return {std::move(series), end - begin};
}

void place_series(std::vector<PlacedSeries>& series, const std::vector<RawSeries>& raw, const ReflectionJob& job) {
    const double length = std::hypot(job.direction_x, job.direction_y);
    if (!(length > 0))
        throw InputError("reflection: --direction: it has no length; give the way of the incident waves");
    if (!job.positions.empty() && job.positions.size() != raw.size())
        throw InputError(fmt::format("reflection: --x: {} positions for {} series; give one for each",
                                     job.positions.size(), raw.size()));
    std::set<double> places;
    for (std::size_t k = 0; k < raw.size(); ++k) {
        const Vec3d& place = raw[k].place;
        series[k].x =
            job.positions.empty() ? (job.direction_x * place.x + job.direction_y * place.y) / length : job.positions[k];
        if (!std::isfinite(series[k].x))
            throw InputError(
                fmt::format("{}: the table does not say where it was measured; give positions by --x", raw[k].name));
        places.insert(series[k].x);
    }
    if (places.size() < 3)
        throw InputError(fmt::format(
            "reflection: three or more places along the way of the waves are wanted ({} given)", places.size()));
}

/// Means of spectra over so many frequencies, m² s.
void write_spectra(const ReflectionJob& job, const Reflection& found, const std::vector<SeparatedWave>& all) {
    const auto& [result, setting, series, uncertain] = found;
    CsvWriter csv(job.out, {"frequency [Hz]", "incident [m2 s]", "reflected [m2 s]", "coefficient", "certainty"},
                  {fmt::format("incident and reflected waves by least squares over {} places (Mansard & Funke 1980), "
                               "depth {} m",
                               series, setting.depth),
                   fmt::format("from {} to {} Hz: Hi {:.6g} m, Hr {:.6g} m (4 sqrt(m0)), coefficient {:.6g}, peak at "
                               "{:.6g} Hz",
                               setting.from, setting.to, result.incident_height, result.reflected_height,
                               result.coefficient, result.peak_frequency),
                   fmt::format("nan where the certainty is below {}: the places do not tell the waves apart",
                               setting.least_certainty)});
    const auto group = static_cast<std::size_t>(job.smoothing);
    for (std::size_t first = 0; first < all.size(); first += group) {
        const std::size_t last = std::min(first + group, all.size());
        double frequency = 0, incident = 0, reflected = 0, certainty = 0;
        int counting = 0;
        for (std::size_t k = first; k < last; ++k) {
            frequency += all[k].frequency / double(last - first);
            certainty += all[k].certainty / double(last - first);
            if (!all[k].counts) continue;
            ++counting;
            incident += std::norm(all[k].incident) / 2 * setting.duration;
            reflected += std::norm(all[k].reflected) / 2 * setting.duration;
        }
        const double none = std::numeric_limits<double>::quiet_NaN();
        csv.write_measured({frequency, counting ? incident / counting : none, counting ? reflected / counting : none,
                            incident > 0 ? std::sqrt(reflected / incident) : none, certainty});
    }
}

/// The part of the measured variance at frequencies that do not count.
double uncertain_part(const std::vector<PlacedSeries>& series, const std::vector<SeparatedWave>& all, double duration) {
    if (all.empty()) return 0;
    const int first = static_cast<int>(std::lround(all.front().frequency * duration));
    double sum = 0, uncertain = 0;
    for (const PlacedSeries& one : series) {
        const auto found = waves::amplitudes(one.elevation, first, first + static_cast<int>(all.size()) - 1);
        for (std::size_t k = 0; k < all.size(); ++k) {
            sum += std::norm(found[k]);
            if (!all[k].counts) uncertain += std::norm(found[k]);
        }
    }
    return sum > 0 ? uncertain / sum : 0;
}

} // namespace

Reflection find_reflection(const ReflectionJob& job) {
    if (!job.out.empty() && job.out.extension() != ".csv")
        throw InputError(fmt::format("{}: unknown suffix; spectra are written as .csv", job.out.string()));
    std::vector<RawSeries> raw;
    for (const fs::path& table : job.tables) {
        auto more = read_series(table, job.points);
        std::move(more.begin(), more.end(), std::back_inserter(raw));
    }
    if (raw.size() < 3)
        throw InputError(
            fmt::format("reflection: three or more series of elevations are wanted ({} given)", raw.size()));
    for (const RawSeries& one : raw)
        if (one.time.size() < 4) throw InputError(fmt::format("{}: it has only {} rows", one.name, one.time.size()));
    auto [series, duration] = regular(raw, job);
    place_series(series, raw, job);
    Reflection found;
    found.series = series.size();
    found.setting.duration = duration;
    found.setting.depth = job.depth;
    found.setting.g = job.g;
    const double peak = waves::peak_frequency(series, duration);
    found.setting.from = job.least_frequency.value_or(peak / 2);
    found.setting.to = job.largest_frequency.value_or(3 * peak);
    const std::vector<SeparatedWave> all = waves::separate_waves(series, found.setting);
    if (all.empty())
        throw InputError(fmt::format("reflection: no frequency lies between --fmin and --fmax ({} to {} Hz); those of "
                                     "series of {} s are {} Hz apart",
                                     found.setting.from, found.setting.to, duration, 1 / duration));
    found.result = waves::sum_up(all);
    found.uncertain_part = uncertain_part(series, all, duration);
    if (!job.out.empty()) write_spectra(job, found, all);
    return found;
}

} // namespace sluice
