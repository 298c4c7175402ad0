// SPDX-License-Identifier: Apache-2.0
#include "setup/wave_lines.h"

#include "model/motion.h"
#include "physics/waves.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::waves {

namespace {

/// Times after which the turning pointers are set anew, and lines that stay in the cache together.
constexpr int stretch = 128;
constexpr std::size_t block = 256;

/// Pointers of some lines: A·(sin, cos) of their phases, and the turn of a step.
struct Pointers {
    double sine[block], cosine[block], turn_sine[block], turn_cosine[block], frequency[block];

    void set(const Line* lines, std::size_t n, double time, double step) {
        for (std::size_t i = 0; i < n; ++i) {
            const double angle = lines[i].frequency * time + lines[i].phase;
            sine[i] = lines[i].amplitude * std::sin(angle);
            cosine[i] = lines[i].amplitude * std::cos(angle);
            turn_sine[i] = std::sin(lines[i].frequency * step);
            turn_cosine[i] = std::cos(lines[i].frequency * step);
            frequency[i] = lines[i].frequency;
        }
        for (std::size_t i = n; i < block; ++i) sine[i] = cosine[i] = turn_sine[i] = turn_cosine[i] = frequency[i] = 0;
    }

    /// The sum at this time; then turns on by a step. Four sums side by side, so that the compiler may use lanes.
    ValueAndRate sum_and_turn() {
        double value[4] = {}, rate[4] = {};
        for (std::size_t i = 0; i < block; i += 4)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const std::size_t k = i + lane;
                value[lane] += sine[k];
                rate[lane] += frequency[k] * cosine[k];
                const double turned = sine[k] * turn_cosine[k] + cosine[k] * turn_sine[k];
                cosine[k] = cosine[k] * turn_cosine[k] - sine[k] * turn_sine[k];
                sine[k] = turned;
            }
        return {(value[0] + value[1]) + (value[2] + value[3]), (rate[0] + rate[1]) + (rate[2] + rate[3])};
    }
};

} // namespace

std::vector<ValueAndRate> sums(const std::vector<Line>& lines, double step, int count) {
    std::vector<ValueAndRate> result(static_cast<std::size_t>(count));
    Pointers pointers;
    for (std::size_t first = 0; first < lines.size(); first += block)
        for (int begin = 0; begin < count; begin += stretch) {
            pointers.set(&lines[first], std::min(block, lines.size() - first), begin * step, step);
            for (int i = begin; i < std::min(begin + stretch, count); ++i) {
                const ValueAndRate sum = pointers.sum_and_turn();
                result[static_cast<std::size_t>(i)].value += sum.value;
                result[static_cast<std::size_t>(i)].rate += sum.rate;
            }
        }
    return result;
}

std::vector<ValueAndRate> coarse_sums(const std::vector<Line>& lines, double step, int count, int every) {
    const double long_step = every * step;
    const std::vector<ValueAndRate> coarse = sums(lines, long_step, (count - 1) / every + 2);
    std::vector<ValueAndRate> result;
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i / every);
        const double s = double(i % every) / every;
        const ValueAndRate &a = coarse[k], &b = coarse[k + 1];
        const double da = long_step * a.rate, db = long_step * b.rate;
        result.push_back({motion::hermite(s, a.value, da, b.value, db),
                          motion::hermite_slope(s, a.value, da, b.value, db) / long_step});
    }
    return result;
}

std::vector<Line> begun_at(std::vector<Line> lines, double time) {
    for (Line& line : lines) line.phase = std::remainder(line.phase + line.frequency * time, 2 * std::numbers::pi);
    return lines;
}

ValueAndRate ramp(double s) {
    if (!(s > 0)) return {0, 0};
    if (s >= 1) return {1, 0};
    const double r = 1 - s;
    return {ramp_up(s), 12 * s * r * r};
}

} // namespace sluice::waves
