// SPDX-License-Identifier: Apache-2.0
#include "setup/motion.h"
#include "setup/number_rows.h"
#include <fmt/format.h>

namespace sluice {

std::vector<MotionSample> read_motion_series(const Case& definition, const MotionStep& step) {
    const SeriesFile& file = *step.file;
    std::vector<MotionSample> samples;
    for (const auto& [where, row] :
         read_number_rows(definition.data_folder / file.name, step.where, {.least = file.fields})) {
        MotionSample sample;
        sample.time = row[static_cast<std::size_t>(file.time)];
        for (int a = 0; a < 3; ++a)
            if (const int at = file.value[static_cast<std::size_t>(a)]; at >= 0)
                sample.value[a] = file.unit * row[static_cast<std::size_t>(at)];
        if (!samples.empty() && sample == samples.back()) continue; // the same row twice
        if (!samples.empty() && sample.time <= samples.back().time)
            throw InputError(where, fmt::format("the time {} does not come after that of the row before ({})",
                                                sample.time, samples.back().time));
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
