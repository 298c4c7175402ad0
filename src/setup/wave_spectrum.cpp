// SPDX-License-Identifier: Apache-2.0
#include "setup/wave_spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::waves {

namespace {

using Frequencies = std::vector<double>;

/// Integral of the density from `from` to `to`, by Simpson's rule.
double variance_between(const WavePaddle& paddle, double from, double to, int intervals) {
    const double step = (to - from) / (2 * intervals);
    double sum = 0;
    for (int i = 0; i < intervals; ++i)
        sum += density(paddle, from + 2 * i * step) + 4 * density(paddle, from + (2 * i + 1) * step) +
               density(paddle, from + (2 * i + 2) * step);
    return sum * step / 3;
}

/// Largest number of two digits that is not above `value`.
double two_digits(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
    return std::floor(value / unit + 1e-9) * unit;
}

/// Where the density is `share` of that of the peak, between `at_peak` and `outside`.
double crossing(const WavePaddle& paddle, double at_peak, double outside) {
    const double limit = 0.01 * density(paddle, 1 / paddle.period);
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (at_peak + outside);
        (density(paddle, middle) > limit ? at_peak : outside) = middle;
    }
    return at_peak;
}

/// Each component stands for the frequencies that are nearest to it.
std::vector<Component> with_bands(const WavePaddle& paddle, const Frequencies& frequencies, FrequencyRange range) {
    std::vector<Component> made;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double f = frequencies[i];
        const double below = i == 0 ? range.lowest : 0.5 * (frequencies[i - 1] + f);
        const double above = i + 1 == frequencies.size() ? range.highest : 0.5 * (f + frequencies[i + 1]);
        made.push_back({f, density(paddle, f), above - below});
    }
    return made;
}

Frequencies cosine_stretched(const WavePaddle& paddle, FrequencyRange range) {
    const double peak = 1 / paddle.period;
    const int all = paddle.components;
    const int left = std::clamp(int(all * (peak - range.lowest) / (range.highest - range.lowest)), 2, all - 2);
    Frequencies made;
    for (int j = left - 1; j >= 0; --j)
        made.push_back(peak - (peak - range.lowest) * (1 - std::cos(0.5 * std::numbers::pi * j / (left - 1))));
    for (int j = 1; j <= all - left; ++j)
        made.push_back(peak + (range.highest - peak) * (1 - std::cos(0.5 * std::numbers::pi * j / (all - left + 1))));
    return made;
}

/// Bands of equal energy, a component at the middle of each.
std::vector<Component> stretched(const WavePaddle& paddle, FrequencyRange range) {
    const int steps = 64 * paddle.components;
    const double step = (range.highest - range.lowest) / steps;
    std::vector<double> below{0}; // variance up to each step
    for (int i = 0; i < steps; ++i)
        below.push_back(below.back() +
                        variance_between(paddle, range.lowest + i * step, range.lowest + (i + 1) * step, 1));
    std::vector<Component> made;
    double begin = range.lowest;
    std::size_t i = 0;
    for (int n = 1; n <= paddle.components; ++n) {
        const double target = below.back() * n / paddle.components;
        while (i + 2 < below.size() && below[i + 1] < target) ++i;
        const double end = range.lowest + step * (double(i) + (target - below[i]) / (below[i + 1] - below[i]));
        made.push_back({0.5 * (begin + end), below.back() / paddle.components / (end - begin), end - begin});
        begin = end;
    }
    return made;
}

} // namespace

double density(const WavePaddle& paddle, double frequency) {
    const double peak = 1 / paddle.period, ratio4 = std::pow(peak / frequency, 4);
    const double shape = paddle.height * paddle.height * ratio4 / frequency * std::exp(-1.25 * ratio4);
    if (paddle.spectrum == WaveSpectrum::pierson_moskowitz) return 0.3125 * shape;
    const double gamma = paddle.peak_coef, sigma = frequency <= peak ? 0.07 : 0.09,
                 off = (frequency / peak - 1) / sigma;
    const double norm = 0.0624 / (0.230 + 0.0336 * gamma - 0.185 / (1.9 + gamma));
    return norm * shape * std::pow(gamma, std::exp(-0.5 * off * off));
}

FrequencyRange frequency_range(const WavePaddle& paddle) {
    const double peak = 1 / paddle.period;
    return {two_digits(crossing(paddle, peak, 0.1 * peak)), two_digits(crossing(paddle, peak, 20 * peak))};
}

std::vector<Component> components(const WavePaddle& paddle) {
    const FrequencyRange range = frequency_range(paddle);
    if (paddle.discretization == WaveDiscretization::stretched) return stretched(paddle, range);
    if (paddle.discretization == WaveDiscretization::cosine_stretched)
        return with_bands(paddle, cosine_stretched(paddle, range), range);
    UniformNumbers uniform(~paddle.seed); // another stream than that of the phases
    const bool random = paddle.discretization == WaveDiscretization::random;
    const double band = (range.highest - range.lowest) / paddle.components;
    std::vector<Component> made;
    for (int i = 0; i < paddle.components; ++i) {
        const double f = range.lowest + (i + (random ? uniform.next() : 0.5)) * band;
        made.push_back({f, density(paddle, f), band});
    }
    return made;
}

double significant_height(const WavePaddle& paddle) {
    return 4 * std::sqrt(variance_between(paddle, frequency_range(paddle).lowest, 30 / paddle.period, 20000));
}

double UniformNumbers::next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

} // namespace sluice::waves
