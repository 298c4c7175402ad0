// SPDX-License-Identifier: Apache-2.0
#include "setup/motion.h"
#include "setup/number_rows.h"
#include <fmt/format.h>

namespace sluice {

namespace {

/// The rows of a file of samples in the order of time, and those that are not.
struct SeriesRows {
    std::vector<MotionSample> samples; ///< as the file has them
    std::size_t left_out = 0;          ///< rows whose time comes before that of an earlier row
    SourceLocation first_left_out;
    double its_time = 0, latest_time = 0; ///< of the first row left out, and of the rows before it, s
};

MotionSample sample_of(const std::vector<double>& row, const SeriesFile& file) {
    MotionSample sample;
    sample.time = row[static_cast<std::size_t>(file.time)];
    for (int a = 0; a < 3; ++a)
        if (const int at = file.value[static_cast<std::size_t>(a)]; at >= 0)
            sample.value[a] = file.unit * row[static_cast<std::size_t>(at)];
    return sample;
}

SeriesRows read_rows(const Case& definition, const MotionStep& step) {
    SeriesRows read;
    bool is_back = false; // since the latest row that was kept
    for (const auto& [where, row] :
         read_number_rows(definition.data_folder / step.file->name, step.where, {.least = step.file->fields})) {
        const MotionSample sample = sample_of(row, *step.file);
        if (read.samples.empty() || sample.time > read.samples.back().time) {
            read.samples.push_back(sample);
            is_back = false;
            continue;
        }
        const MotionSample& latest = read.samples.back();
        if (sample == latest) continue; // the same row twice
        if (sample.time == latest.time && !is_back)
            throw InputError(where, fmt::format("the time {} is that of the row before, with another value: a wall "
                                                "cannot jump; take one of the rows out",
                                                sample.time));
        if (read.left_out++ == 0) {
            read.first_left_out = where;
            read.its_time = sample.time;
            read.latest_time = latest.time;
        }
        is_back = true;
    }
    return read;
}

} // namespace

std::vector<MotionSample> read_motion_series(const Case& definition, const MotionStep& step) {
    std::vector<MotionSample> samples = read_rows(definition, step).samples;
    if (samples.size() < 2)
        throw InputError(step.where, fmt::format("the file {} has {} rows of numbers in order of time: a motion needs "
                                                 "two at least",
                                                 step.file->name, samples.size()));
    const MotionSample first = samples[0];
    for (MotionSample& sample : samples) {
        sample.time -= first.time;
        sample.value = sample.value - first.value;
    }
    return samples;
}

void lint_motion_series(const Case& definition, std::vector<Diagnostic>& diagnostics) {
    for (const MotionObject& object : definition.motion)
        for (const MotionStep& step : object.steps) {
            if (!step.file) continue;
            const SeriesRows read = read_rows(definition, step);
            if (read.left_out == 0) continue;
            diagnostics.push_back(
                {Diagnostic::Level::warning, read.first_left_out,
                 fmt::format("the time {} comes before that of an earlier row ({}): {} such row{} left out; put the "
                             "rows in the order of time, or take these out",
                             read.its_time, read.latest_time, read.left_out, read.left_out == 1 ? " is" : "s are")});
        }
}

} // namespace sluice
