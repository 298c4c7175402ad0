// SPDX-License-Identifier: Apache-2.0
#include "io/water/wave_separation.h"

#include "setup/wave_theory.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sluice::waves {
namespace {

using Complex = std::complex<double>;

constexpr double two_pi = 2 * std::numbers::pi;

double variance_of(const Complex& amplitude) { return std::norm(amplitude) / 2; }

/// The least-squares solution of one frequency from the amplitudes at all places.
void solve(SeparatedWave& wave, const std::vector<PlacedSeries>& series, const std::vector<Complex>& measured,
           double least_certainty) {
    const auto count = static_cast<double>(series.size());
    Complex turn_sum, forward_sum, backward_sum; // Σ e^(2ikx), Σ A e^(ikx), Σ A e^(−ikx)
    for (std::size_t p = 0; p < series.size(); ++p) {
        const Complex turn = std::polar(1.0, wave.wave_number * series[p].x);
        turn_sum += turn * turn;
        forward_sum += measured[p] * turn;
        backward_sum += measured[p] * std::conj(turn);
    }
    // n I + S R = Σ A e^(ikx), S* I + n R = Σ A e^(−ikx)
    const double determinant = count * count - std::norm(turn_sum);
    wave.certainty = determinant / (count * count);
    wave.counts = wave.certainty >= least_certainty;
    if (!wave.counts) return;
    wave.incident = (count * forward_sum - turn_sum * backward_sum) / determinant;
    wave.reflected = (count * backward_sum - std::conj(turn_sum) * forward_sum) / determinant;
}

} // namespace

std::vector<Complex> amplitudes(const std::vector<double>& series, int first, int last) {
    std::vector<Complex> found;
    const std::size_t count = series.size();
    std::vector<Complex> turns(count); // e^(−2πik/N)
    for (std::size_t k = 0; k < count; ++k)
        turns[k] = std::polar(1.0, -two_pi * static_cast<double>(k) / static_cast<double>(count));
    for (int m = first; m <= last; ++m) {
        Complex sum;
        std::size_t turn = 0;
        for (const double value : series) {
            sum += value * turns[turn];
            turn = (turn + static_cast<std::size_t>(m)) % count;
        }
        found.push_back(2.0 / static_cast<double>(count) * sum);
    }
    return found;
}

std::vector<SeparatedWave> separate_waves(const std::vector<PlacedSeries>& series, const SeparationSetting& setting) {
    const auto half = static_cast<int>((series.front().elevation.size() - 1) / 2);
    constexpr double slack =
        0.01; // a limit at a frequency includes it, if the series is a little longer than meant, too
    const int first = std::max(1, static_cast<int>(std::ceil(setting.from * setting.duration - slack)));
    const int last = static_cast<int>(std::min<double>(half, std::floor(setting.to * setting.duration + slack)));
    std::vector<std::vector<Complex>> measured;
    for (const PlacedSeries& place : series) measured.push_back(amplitudes(place.elevation, first, last));
    std::vector<SeparatedWave> waves;
    for (int m = first; m <= last; ++m) {
        SeparatedWave wave;
        wave.frequency = m / setting.duration;
        wave.wave_number = wave_number(two_pi * wave.frequency, setting.depth, setting.g);
        std::vector<Complex> at_places;
        for (const auto& amplitude : measured) at_places.push_back(amplitude[static_cast<std::size_t>(m - first)]);
        solve(wave, series, at_places, setting.least_certainty);
        waves.push_back(wave);
    }
    return waves;
}

SeparationResult sum_up(const std::vector<SeparatedWave>& waves) {
    double incident = 0, reflected = 0, largest = 0;
    SeparationResult result;
    for (const SeparatedWave& wave : waves) {
        incident += variance_of(wave.incident);
        reflected += variance_of(wave.reflected);
        if (variance_of(wave.incident) <= largest) continue;
        largest = variance_of(wave.incident);
        result.peak_frequency = wave.frequency;
    }
    result.incident_height = 4 * std::sqrt(incident);
    result.reflected_height = 4 * std::sqrt(reflected);
    result.coefficient = incident > 0 ? std::sqrt(reflected / incident) : std::numeric_limits<double>::quiet_NaN();
    return result;
}

double peak_frequency(const std::vector<PlacedSeries>& series, double duration) {
    const auto last = static_cast<int>((series.front().elevation.size() - 1) / 2);
    std::vector<double> sums(static_cast<std::size_t>(last) + 1);
    for (const PlacedSeries& place : series) {
        const std::vector<Complex> found = amplitudes(place.elevation, 1, last);
        for (std::size_t k = 0; k < found.size(); ++k) sums[k + 1] += std::norm(found[k]);
    }
    std::size_t peak = 1;
    for (std::size_t k = 1; k < sums.size(); ++k)
        if (sums[k] > sums[peak]) peak = k;
    return static_cast<double>(peak) / duration;
}

} // namespace sluice::waves
