// SPDX-License-Identifier: Apache-2.0
#include "setup/solitary_waves.h"

#include <algorithm>
#include <cmath>

namespace sluice::waves {

namespace {

double sech2(double x) {
    const double c = std::cosh(std::min(std::abs(x), 300.0));
    return 1 / (c * c);
}

/// θ with ct κ = θ + H/d tanh θ.
double theta_at(double ct_kappa, double ratio) {
    double theta = ct_kappa;
    for (int i = 0; i < 100; ++i) {
        const double off = theta + ratio * std::tanh(theta) - ct_kappa, step = off / (1 + ratio * sech2(theta));
        theta -= step;
        if (std::abs(step) < 1e-15 * std::max(1.0, std::abs(theta))) break;
    }
    return theta;
}

} // namespace

ValueAndRate Soliton::displacement(double t) const {
    const double since = t - start, ratio = height / depth, half = 0.5 * kappa * celerity * duration;
    const double theta = theta_at(std::clamp(kappa * celerity * since - half, -half, half), ratio);
    const double eta = height * sech2(theta), begin = std::tanh(theta_at(-half, ratio));
    const bool moves = since >= 0 && since < duration;
    return {ratio / kappa * (std::tanh(theta) - begin), moves ? celerity * eta / (depth + eta) : 0};
}

double Soliton::elevation(double x, double t) const {
    return height * sech2(kappa * (celerity * (t - start - 0.5 * duration) - x));
}

std::vector<Soliton> solitons(const WavePaddle& paddle, double g) {
    std::vector<Soliton> made;
    const double d = paddle.depth;
    for (const SolitaryWave& wave : paddle.solitary) {
        const double h = wave.height;
        const bool rayleigh = paddle.theory == SolitaryTheory::rayleigh, kdv = paddle.theory == SolitaryTheory::kdv;
        Soliton s{h, d, std::sqrt(0.75 * h / (d * d * (rayleigh ? d + h : d))),
                  kdv ? std::sqrt(g * d) * (1 + 0.5 * h / d) : std::sqrt(g * (d + h))};
        s.duration = wave.duration_coef * 2 * (3.8 + h / d) / (s.kappa * s.celerity);
        if (!made.empty()) s.start = made.back().start + wave.start_coef * made.back().duration;
        made.push_back(s);
    }
    return made;
}

} // namespace sluice::waves
