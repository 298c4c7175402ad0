// SPDX-License-Identifier: Apache-2.0
#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"
#include "setup/motion.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

/// The numbers of a row, separated by blanks, commas or semicolons; none of a row that holds a comment or nothing.
std::vector<double> numbers_of(std::string row) {
    std::vector<double> numbers;
    const std::size_t first = row.find_first_not_of(" \t");
    if (first == std::string::npos || row[first] == '#') return numbers;
    for (char& c : row)
        if (c == ',' || c == ';') c = ' ';
    row.erase(row.find_last_not_of(" \t") + 1);
    for (ByteReader words(row); !words.at_end();) numbers.push_back(words.number());
    return numbers;
}

} // namespace

std::vector<MotionSample> read_motion_series(const Case& definition, const MotionStep& step) {
    const SeriesFile& file = *step.file;
    const std::string text = read_data_text(definition.data_folder / file.name, step.where);
    std::vector<MotionSample> samples;
    ByteReader in(text);
    for (int line = 1; !in.at_end(); ++line) {
        const auto fail = [&](const std::string& what) {
            throw InputError(SourceLocation{(definition.data_folder / file.name).string(), line}, what);
        };
        std::vector<double> row;
        try {
            row = numbers_of(std::string(in.line()));
        } catch (const InputError& e) {
            fail(fmt::format("{}: a row of a motion is {} numbers; begin comments with #", e.what(), file.fields));
        }
        if (row.empty()) continue;
        if (row.size() < static_cast<std::size_t>(file.fields))
            fail(fmt::format("the row has {} numbers where the case asks for {}", row.size(), file.fields));
        MotionSample sample;
        sample.time = row[static_cast<std::size_t>(file.time)];
        for (int a = 0; a < 3; ++a)
            if (const int at = file.value[static_cast<std::size_t>(a)]; at >= 0)
                sample.value[a] = file.unit * row[static_cast<std::size_t>(at)];
        if (!std::isfinite(sample.time + sample.value.x + sample.value.y + sample.value.z))
            fail("a number is not finite");
        if (!samples.empty() && sample == samples.back()) continue; // the same row twice
        if (!samples.empty() && sample.time <= samples.back().time)
            fail(fmt::format("the time {} does not come after that of the row before ({})", sample.time,
                             samples.back().time));
        samples.push_back(sample);
    }
    if (samples.size() < 2)
        throw InputError(step.where, fmt::format("the file {} has {} rows of numbers: a motion needs two at least",
                                                 file.name, samples.size()));
    const MotionSample first = samples[0];
    for (MotionSample& sample : samples) {
        sample.time -= first.time;
        sample.value = sample.value - first.value;
    }
    return samples;
}

} // namespace sluice
