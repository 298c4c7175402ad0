// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <vector>

// Incident and reflected waves from elevations at several places along their way, by linear theory.

namespace sluice::waves {

/// Elevations at one place, at equal intervals.
struct PlacedSeries {
    double x = 0;                  ///< along the way of the incident waves, m
    std::vector<double> elevation; ///< m; as many as the others have
};

/// What is known of the waves besides.
struct SeparationSetting {
    double duration = 0;         ///< of the series, number of values times interval, s
    double depth = 0, g = 9.81;  ///< m, m/s²
    double from = 0, to = 0;     ///< frequencies that are separated, Hz, both included
    double least_certainty = .1; ///< of a frequency that counts, 0 to 1 (see `SeparatedWave::certainty`)
};

/// The waves of one frequency: η(x, t) = Re[(incident e^(−ikx) + reflected e^(ikx)) e^(iωt)].
struct SeparatedWave {
    double frequency = 0;                         ///< Hz
    double wave_number = 0;                       ///< 1/m
    std::complex<double> incident{}, reflected{}; ///< m
    double certainty = 0;                         ///< how well the places tell the two apart: 1 − |Σ e^(2ikx)|²/n²
    bool counts = false;                          ///< it is certain enough; else the amplitudes are 0
};

/// Complex amplitudes A of a series at the frequencies m/T with `from` ≤ m/T ≤ `to`: η = Σ Re[A e^(2πimt/T)] + mean.
std::vector<std::complex<double>> amplitudes(const std::vector<double>& series, int first, int last);

/// Separates the waves of each frequency m/T of the range by least squares over all places (Mansard & Funke 1980, Proc.
/// 17th Int. Conf. Coast. Eng., 154, for three; the same equations for more): with A_p of place p, the incident and
/// reflected amplitudes I and R make Σ_p |I e^(−ikx_p) + R e^(ikx_p) − A_p|² least, k by ω² = g k tanh(k d).
std::vector<SeparatedWave> separate_waves(const std::vector<PlacedSeries>& series, const SeparationSetting& setting);

/// Sums over the frequencies that count.
struct SeparationResult {
    double incident_height = 0, reflected_height = 0; ///< 4√m₀, m; a regular wave's is √2 times its height
    double coefficient = 0;                           ///< reflected over incident height; NaN without incident waves
    double peak_frequency = 0;                        ///< of the largest incident amplitude, Hz
};

SeparationResult sum_up(const std::vector<SeparatedWave>& waves);

/// The frequency m/T, m > 0, at which the squared amplitudes of all series have the largest sum, Hz.
double peak_frequency(const std::vector<PlacedSeries>& series, double duration);

} // namespace sluice::waves
