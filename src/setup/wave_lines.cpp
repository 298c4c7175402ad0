// SPDX-License-Identifier: Apache-2.0
#include "setup/wave_lines.h"

#include "model/motion.h"
#include "physics/waves.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
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

/// Many lines, such as those that every two of a thousand components make: those of nearly the same frequency are
/// summed up as one, whose amplitude changes slowly. With Ω the middle of a band of frequencies and τ the time from the
/// middle of a span of times, Σ A e^{i(ωt+φ)} over the band is e^{iΩτ} Σ_n (iτ)ⁿ/n! Σ A e^{iφ'} (ω−Ω)ⁿ, φ' the phase at
/// τ = 0. With |ω−Ω|·|τ| ≤ ½ sixteen terms leave ½¹⁶/16! < 10⁻¹⁸.
class Bands {
public:
    Bands(const std::vector<Line>& lines, double step) : lines_(lines), step_(step), half_(0.5 * times * step) {
        const auto by_frequency = [](const Line& a, const Line& b) { return a.frequency < b.frequency; };
        const auto [low, high] = std::minmax_element(lines.begin(), lines.end(), by_frequency);
        width_ = 1 / half_;
        lowest_ = low->frequency + 0.5 * width_;
        const double bands = std::floor((high->frequency - low->frequency) / width_) + 1;
        pays_ = bands * terms < 0.25 * double(lines.size());
        if (pays_) moments_.resize(static_cast<std::size_t>(bands));
    }

    /// Whether there are so many more lines than bands. It does not depend on the count of times.
    bool pay() const { return pays_; }

    void add_to(std::vector<ValueAndRate>& result) {
        const int count = static_cast<int>(result.size());
        for (int begin = 0; begin < count; begin += times) {
            find_moments((begin + times / 2) * step_);
            for (int i = 0; i < std::min(times, count - begin); ++i)
                add(result[static_cast<std::size_t>(begin + i)], (i - times / 2) * step_);
        }
    }

private:
    using Complex = std::complex<double>;
    static constexpr int times = 2048, terms = 16;

    double middle(std::size_t band) const { return lowest_ + double(band) * width_; }

    /// Of the bands about a time: what stands before (τ/½span)ⁿ.
    void find_moments(double time) {
        for (auto& moments : moments_) moments.fill({});
        for (const Line& line : lines_) {
            const auto band =
                std::min(static_cast<std::size_t>((line.frequency - lowest_) / width_ + 0.5), moments_.size() - 1);
            const double angle = line.frequency * time + line.phase, off = (line.frequency - middle(band)) * half_;
            double sine = line.amplitude * std::sin(angle), cosine = line.amplitude * std::cos(angle);
            for (Complex& moment : moments_[band]) {
                moment += Complex(cosine, sine);
                cosine *= off;
                sine *= off;
            }
        }
        for (auto& moments : moments_) {
            Complex factor = 1; // iⁿ/n!
            for (int n = 1; n < terms; ++n) {
                factor *= Complex(0, 1.0 / n);
                moments[static_cast<std::size_t>(n)] = times_complex(moments[static_cast<std::size_t>(n)], factor);
            }
        }
    }

    /// Without the care that the library takes of what is infinite.
    static Complex times_complex(Complex a, Complex b) {
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }

    /// The sum at τ. The turns of the bands' middles are powers of one another, so that it is a polynomial of that.
    void add(ValueAndRate& sum, double tau) const {
        const double s = tau / half_;
        const Complex turn(std::cos(width_ * tau), std::sin(width_ * tau));
        Complex value = 0, rate = 0;
        for (std::size_t band = moments_.size(); band-- > 0;) {
            Complex p = 0, slope = 0; // the band's amplitude, and its derivative by s
            for (std::size_t n = terms; n-- > 0;) {
                slope = slope * s + p;
                p = p * s + moments_[band][n];
            }
            value = times_complex(value, turn) + p;
            rate = times_complex(rate, turn) + times_complex(p, {0, middle(band)}) + slope / half_;
        }
        const Complex first(std::cos(lowest_ * tau), std::sin(lowest_ * tau));
        sum.value += times_complex(value, first).imag();
        sum.rate += times_complex(rate, first).imag();
    }

    const std::vector<Line>& lines_;
    double step_, half_;            ///< half_: of a span of times
    double width_ = 0, lowest_ = 0; ///< of the bands, and the middle of the first, rad/s
    bool pays_ = false;
    std::vector<std::array<Complex, terms>> moments_; ///< of each band
};

} // namespace

std::vector<ValueAndRate> sums(const std::vector<Line>& lines, double step, int count) {
    std::vector<ValueAndRate> result(static_cast<std::size_t>(count));
    if (lines.empty()) return result;
    if (Bands bands(lines, step); bands.pay()) {
        bands.add_to(result);
        return result;
    }
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
