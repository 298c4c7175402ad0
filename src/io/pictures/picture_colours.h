// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "io/fluid/layout.h"
#include "io/pictures/colour_map.h"
#include "model/fields.h"
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
    wall_pressure,
    displacement,
    ux,
    uy,
    uz,
    von_mises,
    stress_1,
    stress_3,
    strain_energy,
    pressure_gradient,
    vx_gradient,
    vy_gradient,
    vz_gradient,
    mk
};

struct PictureValueInfo {
    PictureValue value;
    const char* option; ///< as the command line takes it
    const char* label;  ///< beside the colour scale
    std::optional<Field> field{};
    int component = length; ///< of a vector, 0 to 2

    static constexpr int length = -1;
};

inline constexpr std::array<PictureValueInfo, 23> picture_values{{
    {PictureValue::speed, "speed", "speed (m/s)", Field::velocity},
    {PictureValue::vx, "vx", "velocity x (m/s)", Field::velocity, 0},
    {PictureValue::vy, "vy", "velocity y (m/s)", Field::velocity, 1},
    {PictureValue::vz, "vz", "velocity z (m/s)", Field::velocity, 2},
    {PictureValue::pressure, "pressure", "pressure (Pa)", Field::pressure},
    {PictureValue::density, "density", "density (kg/m³)", Field::density},
    {PictureValue::vorticity, "vorticity", "vorticity (1/s)", Field::vorticity},
    {PictureValue::velocity_divergence, "velocity_divergence", "div v (1/s)", Field::velocity_divergence},
    {PictureValue::position_divergence, "position_divergence", "div r", Field::position_divergence},
    {PictureValue::wall_pressure, "wall_pressure", "wall p (Pa)", Field::wall_pressure},
    {PictureValue::displacement, "displacement", "displacement (m)", Field::displacement},
    {PictureValue::ux, "ux", "displacement x (m)", Field::displacement, 0},
    {PictureValue::uy, "uy", "displacement y (m)", Field::displacement, 1},
    {PictureValue::uz, "uz", "displacement z (m)", Field::displacement, 2},
    {PictureValue::von_mises, "von_mises", "von Mises stress (Pa)", Field::von_mises},
    {PictureValue::stress_1, "stress_1", "greatest stress (Pa)", Field::principal_stress, 0},
    {PictureValue::stress_3, "stress_3", "least stress (Pa)", Field::principal_stress, 2},
    {PictureValue::strain_energy, "strain_energy", "elastic energy (J/m³)", Field::strain_energy},
    {PictureValue::pressure_gradient, "pressure_gradient", "|grad p| (Pa/m)", Field::pressure_gradient},
    {PictureValue::vx_gradient, "vx_gradient", "|grad vx| (1/s)", Field::vx_gradient},
    {PictureValue::vy_gradient, "vy_gradient", "|grad vy| (1/s)", Field::vy_gradient},
    {PictureValue::vz_gradient, "vz_gradient", "|grad vz| (1/s)", Field::vz_gradient},
    {PictureValue::mk, "mk", "mk"},
}};

const PictureValueInfo& picture_value_info(PictureValue value);

/// Whether the frames of a run hold what the value needs.
bool is_stored(PictureValue value, const FieldSelection& fields);

/// Whether it is the boundary that has the value: the fluid is then left plain.
bool is_of_boundary(PictureValue value);

/// Ends of a colour scale.
struct ValueRange {
    double low = 0, high = 1;
};

/// The shares of the values that a scale leaves out at its ends, so that a few do not take the colours from all the
/// rest.
struct ScaleTails {
    double low = 0.01, high = 0.01;
};

/// Those of a stored value. Pressure and density, which the sound in the fluid makes noisy, have long tails: of them a
/// tenth is left out below, most of it fluid that flies, and a twentieth above.
ScaleTails scale_tails(Field field);

/// The least and the greatest finite value of the particles of a frame that have the value; empty if none has.
/// `within`: of the particles in this box only.
std::optional<ValueRange> value_extremes(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                         const std::optional<Box>& within = {});

/// The scale for the particles of a frame that have the value, with round ends: all but the tails; speeds begin at 0.
/// Of no value at all, 0 to 1. `within`: of the particles in this box only.
ValueRange value_range(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                       const std::optional<Box>& within = {});

/// The same, or nothing where no particle has the value or it is the same for all, as the speed before anything moves.
std::optional<ValueRange> varied_range(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                       const std::optional<Box>& within = {});

/// One scale for several frames: what all of theirs cover; of pressure and density without the quarter of the frames
/// that goes lowest, and the one that goes highest, and of other values without a tenth where there are ten frames or
/// more.
ValueRange joined(std::vector<ValueRange> ranges, PictureValue value);

/// Colours as 0xRRGGBB, on a scale or by mk, of the fluid in the order of its frame, or of the boundary; empty where
/// the value does not colour them. Grey: a particle without the value, as a wall that no fluid reaches.
std::vector<std::uint32_t> fluid_colours(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                         const ValueRange& range);
std::vector<std::uint32_t> boundary_colours(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                            const ValueRange& range);

/// The colour of an mk block, one that its neighbours in the list do not have: boundary in greys and browns, fluid in
/// bright ones.
std::uint32_t block_colour(const ParticleLayout& layout, std::size_t block);

/// "mkbound 0, fixed": what the legend says of a block.
std::string block_label(const ParticleBlock& block);

} // namespace sluice
