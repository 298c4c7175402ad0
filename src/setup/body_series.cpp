// SPDX-License-Identifier: Apache-2.0
#include "setup/body_series.h"

#include "core/error.h"
#include "setup/number_rows.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

using Row = BodySeries::Row;

std::vector<Row> rows_of(const Case& definition, const BodySeries& given) {
    if (given.file.empty()) return given.rows;
    constexpr int fields = 4; // time, x, y, z
    constexpr double none = std::numeric_limits<double>::infinity();
    std::vector<Row> rows;
    for (const auto& [where, numbers] :
         read_number_rows(definition.data_folder / given.file, given.where, {.least = fields, .none = none})) {
        Row row{numbers[0], {}};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (numbers[axis + 1] != none) row.value[axis] = numbers[axis + 1];
        if (!std::isfinite(row.time)) throw InputError(where, "the time is not finite");
        if (!rows.empty() && row.time < rows.back().time)
            throw InputError(
                where, fmt::format("the time {} comes before that of the row before, {}", row.time, rows.back().time));
        rows.push_back(row);
    }
    if (rows.empty()) throw InputError(given.where, fmt::format("the file {} has no rows of numbers", given.file));
    return rows;
}

/// In the plane of a 2-D case what leads out of it has no meaning.
void check_plane(const BodySeries& given, const std::vector<Row>& rows, bool about_y) {
    for (const Row& row : rows)
        for (std::size_t axis = 0; axis < 3; ++axis)
            if ((axis == 1) != about_y && row.value[axis].value_or(0) != 0)
                throw InputError(given.where,
                                 fmt::format("the series has {} = {} at {} s, but the case is 2-D in x–z: set it to 0",
                                             "xyz"[axis], *row.value[axis], row.time));
}

std::vector<SeriesSample> samples_of(const std::vector<Row>& rows) {
    std::vector<SeriesSample> samples(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const double before = k > 0 ? rows[k].time - rows[k - 1].time : 0;
        samples[k].time = rows[k].time;
        for (int axis = 0; axis < 3; ++axis) {
            const std::optional<double>& value = rows[k].value[std::size_t(axis)];
            samples[k].given[axis] = value ? 1 : 0;
            const double slope = k > 0 ? samples[k - 1].slope[axis] : 0, start = k > 0 ? samples[k - 1].value[axis] : 0;
            samples[k].value[axis] = value.value_or(start + before * slope);
            if (k > 0)
                samples[k].integral[axis] = samples[k - 1].integral[axis] + before * (start + 0.5 * before * slope);
            if (k + 1 == rows.size()) continue;
            const std::optional<double>& next = rows[k + 1].value[std::size_t(axis)];
            const double after = rows[k + 1].time - rows[k].time;
            if (value && next && after > 0) samples[k].slope[axis] = (*next - *value) / after;
        }
    }
    return samples;
}

SeriesRange add(const std::vector<Row>& rows, std::vector<SeriesSample>& samples) {
    const std::vector<SeriesSample> added = samples_of(rows);
    const SeriesRange range{static_cast<int>(samples.size()), static_cast<int>(added.size())};
    samples.insert(samples.end(), added.begin(), added.end());
    return range;
}

} // namespace

SeriesRange add_body_series(const Case& definition, const std::optional<BodySeries>& given, bool about_y,
                            std::vector<SeriesSample>& samples) {
    if (!given) return {};
    const std::vector<Row> rows = rows_of(definition, *given);
    if (definition.definition.two_d) check_plane(*given, rows, about_y);
    return add(rows, samples);
}

SeriesRange add_joint_series(const Case& definition, const JointCoefficient& given,
                             std::vector<SeriesSample>& samples) {
    std::vector<Row> rows;
    for (const JointCoefficient::Row& row : given.rows) rows.push_back({row.time, {row.value, 0, 0}});
    if (!given.file.empty())
        for (const auto& [where, numbers] :
             read_number_rows(definition.data_folder / given.file, given.where, {.least = 2})) {
            if (!rows.empty() && numbers[0] < rows.back().time)
                throw InputError(where, fmt::format("the time {} comes before that of the row before, {}", numbers[0],
                                                    rows.back().time));
            if (numbers[1] < 0)
                throw InputError(where, fmt::format("the value {} is negative, a joint has none below 0", numbers[1]));
            rows.push_back({numbers[0], {numbers[1], 0, 0}});
        }
    if (!given.file.empty() && rows.empty())
        throw InputError(given.where, fmt::format("the file {} has no rows of numbers", given.file));
    if (rows.empty() || (rows.size() == 1 && rows[0].value[0] == 0.0)) return {};
    return add(rows, samples);
}

SeriesRange add_factors(const Case& definition, const BodySeries& given, std::vector<SeriesSample>& samples) {
    return add(rows_of(definition, given), samples);
}

} // namespace sluice
