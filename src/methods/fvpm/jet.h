// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/solver.h"
#include <functional>
#include <vector>

namespace sluice::fvpm {

/// A water jet that hits a plate at right angles (§IV of Alimirzazadeh et al. 2018): round in 3-D, plane in 2-D. The
/// plate is the plane z = 0, the jet falls along −z around the axis.
struct JetSettings {
    int dimensions = 2;
    double width = 0.03;  ///< diameter D, in 2-D the width b, m
    double speed = 19.81; ///< at the inlet, m/s
    double height = 2.5;  ///< of the inlet above the plate, over the width
    double plate = 3;     ///< half of the plate's side (in 2-D of its length), over the width
    int across = 20;      ///< particles across the jet
    double radius = 1;    ///< h over the spacing of the particles
    double gravity = 0;   ///< along −z, m/s²
    double mach = 0.1;    ///< speed over speed of sound
    double cfl = 0.5;
    double end = 0.05;           ///< s
    double average_from = 0.025; ///< s: pressure and force are averaged from here to the end
    double interval = 2e-5;      ///< at most so often the plate is looked at, s
};

/// The mean pressure at a place of the plate.
struct PlatePressure {
    double distance; ///< from the axis, over the width
    double value;    ///< C_p = p/(½ ρ0 U²)
};

/// What the jet did to the plate.
struct JetResult {
    std::vector<PlatePressure> pressures; ///< by place of the plate's upper layer of particles
    double force = 0;                     ///< mean, onto the plate, N (in 2-D N/m)
    double momentum = 0;                  ///< that the jet brings each second, ρ A U²: what the force should be
    std::int64_t samples = 0, steps = 0;
    std::size_t particles = 0; ///< at the end
};

/// Runs the jet with a solver that `make` makes for its constants. `watch` is called after each sample with the time.
JetResult run_jet(const JetSettings& settings, const std::function<std::unique_ptr<Solver>(const FvpmConstants&)>& make,
                  const std::function<void(double time, const Particles&)>& watch = {});

/// C_p beneath a plane jet without viscosity and gravity at a distance from its axis, over the width: 1 − u² where
/// x/b = [2 atan u + ln((1 + u)/(1 − u))]/π (Milne-Thomson 1968, by the hodograph of Michell 1890).
double plane_jet_pressure(double distance);

/// The mean of C_p between two distances from the axis; NaN where no particle of the plate is there.
double mean_pressure(const JetResult& result, double from, double to);

/// The root of the mean square of C_p − plane_jet_pressure over places up to `distance`.
double plane_jet_error(const JetResult& result, double distance);

} // namespace sluice::fvpm
