// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "core/vec.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// special/wavepaddles as plain data. Waves travel along the direction of a piston; a flap turns right-handed about its
// axis, and its waves travel along axis × up.

namespace sluice {

enum class WaveKind { regular, spectrum, focused, solitary };
enum class WaveSpectrum { jonswap, pierson_moskowitz };

/// Where in the range of frequencies the components of a spectrum are.
enum class WaveDiscretization {
    regular,         ///< at the middles of equal bands
    random,          ///< anywhere in equal bands, one in each
    stretched,       ///< in bands of equal energy
    cosine_stretched ///< dense at the peak, their distance from it as 1 − cos
};

/// The relation between the width of a solitary wave and its height.
enum class SolitaryTheory { rayleigh = 1, boussinesq = 2, kdv = 3 };

struct SolitaryWave {
    double height = 0;        ///< m
    double duration_coef = 1; ///< factor on the duration of the paddle's motion
    double start_coef = 1;    ///< start after the start of the wave before, in durations of that one
};

/// A table that the case asks for: what the paddle does and what is expected of the water.
struct WaveTable {
    enum class Content { motion, series, heights } content = Content::motion;
    double begin = 0, end = -1, step = -1; ///< s; negative: TimeMax, TimeOut
    double x = 0, z = 0;                   ///< from the paddle at rest, from still water, m
};

/// How an absorbing piston answers to the elevation that is not of its own waves: as water does under waves that are
/// long compared to the depth (Altomare et al. 2017), or tuned to the period of its own waves.
enum class AbsorptionResponse { long_waves, tuned };

/// awas_zsurf: active absorption of a piston, by the elevation at a gauge before it.
struct WaveAbsorption {
    SourceLocation where;
    std::optional<double> start; ///< s; empty: once the ramp of the waves is over
    double swl = 0;              ///< z of still water, m
    int order = 2;               ///< of the elevation that the piston's waves are expected to have
    AbsorptionResponse response = AbsorptionResponse::long_waves;
    double gauge = 0; ///< from the piston's face, in m or …
    enum class Unit { metre, h, dp } gauge_unit = Unit::dp;
    double gauge_y = 0;                 ///< m
    std::optional<double> z_min, z_max; ///< of the gauge, m; empty: those of the domain
    double spacing_dp = 0.1;            ///< between its check points, in dp
    std::optional<double> mass_limit;   ///< fraction of fluid at the surface; empty: 0.4 in 2-D, 0.5 in 3-D
    int save = 0;                       ///< table: 0 none, 1 and 2 at the times of frames, 3 every step
    double acceleration_factor = 2;     ///< greatest acceleration over that of the piston for its waves; 0: any
    double drift_strokes = 0; ///< correction: drift that calls the piston back, in strokes or amplitudes; 0: never
    double return_periods = 1, return_power = 3; ///< how long the way back takes, and how smoothly it goes
};

/// One wave maker. Angles in rad.
struct WavePaddle {
    SourceLocation where;
    std::string name; ///< of the element
    int mkbound = 0;
    WaveKind kind = WaveKind::regular;
    bool flap = false;
    double start = 0, duration = 0; ///< s; duration 0: to the end
    double depth = 0;               ///< of still water, m
    double fixed_depth = 0;         ///< piston: of the water below it, m
    double draft = 0;               ///< flap: height of its hinge above the bottom, m; negative: below
    Vec3d direction{1, 0, 0};       ///< piston: unit vector
    Vec3d axis_begin, axis_end;     ///< flap, m
    int order = 1;                  ///< of the wave generation
    double height = 0, period = 0;  ///< of a regular wave; significant height and peak period of a spectrum, m and s
    double gain_stroke = 1, phase = 0;
    double ramp = 0; ///< s
    WaveSpectrum spectrum = WaveSpectrum::jonswap;
    WaveDiscretization discretization = WaveDiscretization::stretched;
    double peak_coef = 3.3;
    int components = 50;
    std::uint64_t seed = 0;
    double series_start = 0; ///< where in the series of waves the run begins, s
    bool autofit = false;    ///< from there on to where the paddle passes its middle
    double focus_x = 0, focus_phase = 0, focus_pre_time = 5, motion_end = 0, motion_end_ramp = 0;
    double highest_of = 1000; ///< focused: the crest is that of the highest among so many waves
    SolitaryTheory theory = SolitaryTheory::boussinesq;
    std::vector<SolitaryWave> solitary;
    std::vector<WaveTable> tables;
    std::optional<WaveAbsorption> absorption;
};

} // namespace sluice
