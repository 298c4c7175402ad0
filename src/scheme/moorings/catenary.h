// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>

namespace sluice::mooring {

/// A line at rest between two ends: an elastic catenary (Irvine 1981, Cable Structures), hanging freely or with its
/// lower part on a bottom without friction. Lengths in m, forces in N.
struct Catenary {
    double length = 0;                   ///< not stretched
    double weight = 0;                   ///< per length, above 0
    double stiffness = 0;                ///< EA
    double horizontal = 0, vertical = 0; ///< what pulls at the upper end, down and towards the other
    double on_bed = 0;                   ///< length that lies on the bottom

    /// Where the point is whose unstretched length from the lower end is `s`: along the horizontal and upwards.
    double along(double s) const {
        if (s <= on_bed) return s * (1 + horizontal / stiffness);
        const double v = vertical_at(s), low = vertical_at(on_bed);
        return on_bed + horizontal / weight * (std::asinh(v / horizontal) - std::asinh(low / horizontal)) +
               horizontal * s / stiffness;
    }
    double above(double s) const {
        if (s <= on_bed) return 0;
        const double v = vertical_at(s), low = vertical_at(on_bed);
        return horizontal / weight * (std::hypot(1, v / horizontal) - std::hypot(1, low / horizontal)) +
               (v * v - low * low) / (2 * weight * stiffness);
    }
    double vertical_at(double s) const { return vertical - weight * (length - s); }
    double tension() const { return std::hypot(horizontal, vertical); }

    /// That between ends so far apart along the horizontal and upwards, with the lower end on the bottom or not;
    /// nothing if there is none, as for a line that hangs down or lies slack.
    static std::optional<Catenary> between(double across, double up, double length, double weight, double stiffness,
                                           bool bed);

private:
    bool rests(bool bed) const { return bed && vertical < weight * length; }
};

/// Newton's method for the two forces, with steps that are halved until the ends come nearer.
inline std::optional<Catenary> Catenary::between(double across, double up, double length, double weight,
                                                 double stiffness, bool bed) {
    if (!(across > 0) || !(weight > 0)) return std::nullopt;
    const double slack = length * length - up * up;
    const double shape = slack > across * across ? std::sqrt(3 * (slack / (across * across) - 1)) : 0.2;
    Catenary c{length, weight, stiffness, std::max(0.5 * weight * across / shape, 1e-9 * weight * length), 0, 0};
    c.vertical = 0.5 * weight * (up / std::tanh(shape) + length);
    const auto lay = [&](Catenary& at) {
        at.on_bed = at.rests(bed) ? std::clamp(length - at.vertical / weight, 0.0, length) : 0;
    };
    const auto miss = [&](const Catenary& at) { return std::hypot(at.along(length) - across, at.above(length) - up); };
    lay(c);
    constexpr int most_steps = 200;
    for (int n = 0; n < most_steps; ++n) {
        const double error = miss(c);
        if (error <= 1e-13 * length) return c;
        const double a = c.vertical / c.horizontal, b = c.vertical_at(c.on_bed) / c.horizontal;
        const double ra = std::hypot(1, a), rb = std::hypot(1, b);
        const bool rests = c.rests(bed);
        const double xh = (std::asinh(a) - std::asinh(b) - a / ra + b / rb) / weight + length / stiffness;
        const double xv = (1 / ra - 1 / rb) / weight;
        const double zv = (a / ra - b / rb) / weight + (rests ? c.vertical / weight : length) / stiffness;
        const double x = across - c.along(length), z = up - c.above(length), det = xh * zv - xv * xv;
        const double dh = (x * zv - z * xv) / det, dv = (z * xh - x * xv) / det;
        double part = 1;
        Catenary next = c;
        for (; part > 1e-9; part *= 0.5) {
            next.horizontal = c.horizontal + part * dh;
            next.vertical = c.vertical + part * dv;
            if (!(next.horizontal > 0) || (bed && !(next.vertical > 0))) continue;
            lay(next);
            if (miss(next) < error) break;
        }
        if (part <= 1e-9) return error <= 1e-9 * length ? std::optional(c) : std::nullopt;
        c = next;
    }
    return std::nullopt;
}

} // namespace sluice::mooring
