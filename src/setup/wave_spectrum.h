// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/waves.h"
#include <functional>
#include <vector>

namespace sluice::waves {

/// One wave of a sea state.
struct Component {
    double frequency = 0; ///< Hz
    double density = 0;   ///< of the spectrum there, m²s
    double band = 0;      ///< width of the frequencies that it stands for, Hz

    double variance() const { return density * band; } ///< m²
};

/// Variance density of the elevation at a frequency (Hz), m²s, for the significant height, the peak period and the
/// spectrum of the paddle: JONSWAP as normalised by Goda (2000), or Pierson & Moskowitz (1964).
double density(const WavePaddle& paddle, double frequency);

/// The components of the paddle's spectrum, by ascending frequency. They lie where the density is above a hundredth of
/// that of the peak.
std::vector<Component> components(const WavePaddle& paddle);

/// Lowest and highest frequency of the components, Hz, rounded down to two digits.
struct FrequencyRange {
    double lowest = 0, highest = 0;
};
FrequencyRange frequency_range(const WavePaddle& paddle);

/// Significant height 4 √m0 of all above the lowest frequency, m: near the height of the paddle, as its normalisation
/// is a fit.
double significant_height(const WavePaddle& paddle);

/// Random numbers in [0, 1) of a seed, the same everywhere (SplitMix64, Steele et al. 2014).
class UniformNumbers {
public:
    explicit UniformNumbers(std::uint64_t seed) : state_(seed) {}
    double next();

private:
    std::uint64_t state_;
};

} // namespace sluice::waves
