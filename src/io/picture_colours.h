// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "io/colour_map.h"
#include "io/layout.h"
#include "model/frame.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the colours of a picture say of the particles.

namespace sluice {

/// The values that can be shown: one of those that frames hold, or the mk that a particle belongs to.
enum class PictureValue {
    speed,
    vx,
    vy,
    vz,
    pressure,
    density,
    vorticity,
    velocity_divergence,
    position_divergence,
    mk
};

struct PictureValueInfo {
    PictureValue value;
    const char* option; ///< as the command line takes it
    const char* label;  ///< beside the colour scale
};

inline constexpr std::array<PictureValueInfo, 10> picture_values{{
    {PictureValue::speed, "speed", "speed (m/s)"},
    {PictureValue::vx, "vx", "velocity x (m/s)"},
    {PictureValue::vy, "vy", "velocity y (m/s)"},
    {PictureValue::vz, "vz", "velocity z (m/s)"},
    {PictureValue::pressure, "pressure", "pressure (Pa)"},
    {PictureValue::density, "density", "density (kg/m³)"},
    {PictureValue::vorticity, "vorticity", "vorticity (1/s)"},
    {PictureValue::velocity_divergence, "velocity_divergence", "div v (1/s)"},
    {PictureValue::position_divergence, "position_divergence", "div r"},
    {PictureValue::mk, "mk", "mk"},
}};

const PictureValueInfo& picture_value_info(PictureValue value);

/// Whether the frames of a run hold what the value needs.
bool is_stored(PictureValue value, const FieldSelection& fields);

/// Ends of a colour scale.
struct ValueRange {
    double low = 0, high = 1;
};

/// The scale for the fluid of a frame, with round ends: all but the lowest and the highest hundredth of the values, so
/// that one droplet does not take the colours from all the rest; speeds begin at 0. Of no value at all, 0 to 1.
/// `within`: of the fluid in this box only.
ValueRange value_range(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                       const std::optional<Box>& within = {});

/// The scale of several frames.
ValueRange joined(const ValueRange& a, const ValueRange& b);

/// Colours of particles as 0xRRGGBB: of the fluid (on a scale), or of all particles (by mk).
std::vector<std::uint32_t> fluid_colours(const Frame& frame, std::size_t fluid_begin, PictureValue value,
                                         const ValueRange& range);
std::vector<std::uint32_t> mk_colours(const Frame& frame, const ParticleLayout& layout);

/// The colour of an mk block, one that its neighbours in the list do not have: boundary in greys and browns, fluid in
/// bright ones.
std::uint32_t block_colour(const ParticleLayout& layout, std::size_t block);

/// "mkbound 0, fixed": what the legend says of a block.
std::string block_label(const ParticleBlock& block);

} // namespace sluice
