// SPDX-License-Identifier: Apache-2.0
#include "setup/wave_theory.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::waves {

namespace {

/// Stands for every larger k·d: the hyperbolic functions must stay finite, and tanh is 1 to rounding long before.
constexpr double deepest = 50;

/// (4 sinh kd/(sinh 2kd + 2kd))·`moment`, where `moment` is k times the integral of the paddle's shape times cosh kz.
double transfer(double kd, double moment) { return 4 * std::sinh(kd) / (std::sinh(2 * kd) + 2 * kd) * moment; }

} // namespace

double wave_number(double frequency, double depth, double g) {
    const double deep = frequency * frequency / g, x = deep * depth; // x = kd tanh kd
    double kd = x > 1 ? x : std::sqrt(x);
    for (int i = 0; i < 50; ++i) { // Newton; the function is monotonic
        const double t = std::tanh(kd), step = (kd * t - x) / (t + kd * (1 - t * t));
        kd -= step;
        if (std::abs(step) < 1e-15 * kd) break;
    }
    return kd / depth;
}

double group_velocity(double frequency, double wave_number, double depth) {
    const double twice = std::min(2 * wave_number * depth, deepest);
    return 0.5 * frequency / wave_number * (1 + twice / std::sinh(twice));
}

double piston_transfer(double wave_number, double depth, double below) {
    const double kd = std::min(wave_number * depth, deepest);
    return transfer(kd, std::sinh(kd) - std::sinh(kd * below / depth));
}

double flap_transfer(double wave_number, double depth, double draft) {
    const double kd = std::min(wave_number * depth, deepest), length = kd * (depth - draft) / depth;
    const double lowest = kd * std::max(draft, 0.0) / depth; // of the part in the water
    return transfer(kd, std::sinh(kd) + (std::cosh(lowest) - std::cosh(kd)) / length);
}

double flap_surface_over_mean(double depth, double draft) {
    const double arm = depth - draft, dry = std::max(-draft, 0.0); // of the arm, below the bottom
    return 2 * depth * arm / (arm * arm - dry * dry);
}

double madsen_second_harmonic(double height, double wave_number, double depth, double transfer) {
    const double kd = std::min(wave_number * depth, deepest), sinh = std::sinh(kd);
    return height * height / (32 * depth) * (3 * std::cosh(kd) / (sinh * sinh * sinh) - 2 / transfer);
}

double stokes_second_harmonic(double height, double wave_number, double depth) {
    const double kd = std::min(wave_number * depth, deepest), sinh = std::sinh(kd);
    return height * height * wave_number / 16 * std::cosh(kd) * (2 + std::cosh(2 * kd)) / (sinh * sinh * sinh);
}

double stokes_second_speed(double height, double frequency, double wave_number, double depth) {
    const double kd = std::min(wave_number * depth, deepest), sinh = std::sinh(kd);
    return 3.0 / 16 * height * height * frequency * wave_number * std::sinh(2 * kd) / (sinh * sinh * sinh * sinh);
}

double evanescent_elevation(double wave_number, double depth, double below, double x) {
    constexpr double pi = std::numbers::pi;
    const double kd = wave_number * depth, deep = kd * std::tanh(kd); // ω²d/g
    double sum = 0;
    for (int n = 1; n <= 500; ++n) {
        double q = n * pi - std::atan(deep / (n * pi)); // k_n d: the root of q tan q = −ω²d/g next below nπ
        for (int i = 0; i < 50; ++i) q = n * pi - std::atan(deep / q);
        const double decay = std::exp(-q * x / depth);
        sum += 4 * std::sin(q) * (std::sin(q) - std::sin(q * below / depth)) / (2 * q + std::sin(2 * q)) * decay;
        if (decay < 1e-9) break;
    }
    return sum;
}

double bound_elevation(const WavePair& pair, double depth) {
    const double ka = pair.number_a, kb = pair.number_b;
    const double ra = ka * std::tanh(ka * depth), rb = kb * std::tanh(kb * depth); // ω²/g
    const double roots = std::sqrt(ra) - std::sqrt(rb), dk = ka - kb;
    const double d = (roots * (std::sqrt(rb) * (ka * ka - ra * ra) - std::sqrt(ra) * (kb * kb - rb * rb)) +
                      2 * roots * roots * (ka * kb + ra * rb)) /
                     (roots * roots - dk * std::tanh(dk * depth));
    return 0.5 * ((d - (ka * kb + ra * rb)) / std::sqrt(ra * rb) + ra + rb);
}

double bound_displacement(const WavePair& pair, double depth, double transfer_a, double transfer_b) {
    const double carried = bound_elevation(pair, depth) / (pair.number_a - pair.number_b);
    const double displaced =
        0.5 * (pair.frequency_b / transfer_a + pair.frequency_a / transfer_b) / (pair.frequency_a - pair.frequency_b);
    return (carried + displaced) / depth;
}

const char* depth_regime(double depth_over_length) {
    return depth_over_length < 0.05 ? "shallow" : depth_over_length < 0.5 ? "intermediate" : "deep";
}

} // namespace sluice::waves
