// SPDX-License-Identifier: Apache-2.0
#include "io/picture_colours.h"
#include "io/picture_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {
namespace {

constexpr std::uint32_t fluid_palette[] = {0x1f6fb4, 0x18a5a0, 0x6fb52c, 0x7b4fb0, 0xd04a8a};
constexpr std::uint32_t boundary_palette[] = {0x8a909a, 0xb5651d, 0xd9a441, 0x5b4636, 0xc0392b, 0x4d5560};

std::uint32_t packed(Colour c) {
    return static_cast<std::uint32_t>(c.red) << 16 | static_cast<std::uint32_t>(c.green) << 8 | c.blue;
}

const std::array<std::uint32_t, 257>& colour_table() {
    static const auto table = [] {
        std::array<std::uint32_t, 257> made{};
        for (int k = 0; k < 256; ++k) made[static_cast<std::size_t>(k)] = packed(map_colour(k / 255.0));
        made[256] = packed(map_colour(std::nan("")));
        return made;
    }();
    return table;
}

double at(const std::vector<float>& values, std::size_t i) { return values.empty() ? std::nan("") : values[i]; }

double value_of(const Frame& frame, std::size_t i, PictureValue value) {
    const Vec3f& v = frame.velocity[i];
    switch (value) {
    case PictureValue::speed: return std::sqrt(dot(v, v));
    case PictureValue::vx: return v.x;
    case PictureValue::vy: return v.y;
    case PictureValue::vz: return v.z;
    case PictureValue::pressure: return frame.pressure[i];
    case PictureValue::density: return frame.density[i];
    case PictureValue::vorticity: {
        if (frame.vorticity.empty()) break;
        const Vec3f& w = frame.vorticity[i];
        return std::sqrt(dot(w, w));
    }
    case PictureValue::velocity_divergence: return at(frame.velocity_divergence, i);
    case PictureValue::position_divergence: return at(frame.position_divergence, i);
    case PictureValue::mk: break;
    }
    return std::nan("");
}

double quantile(std::vector<double>& values, double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

ValueRange rounded(double low, double high) {
    const double size = std::max(std::abs(low), std::abs(high));
    if (!(high - low > 1e-6 * size) || high - low < 1e-12) { // constant: around it
        const double half = size > 0 ? 0.01 * size : 0.5;
        low -= half;
        high += half;
    }
    const double step = round_step(high - low, 5);
    return {step * std::floor(low / step + 1e-6), step * std::ceil(high / step - 1e-6)};
}

} // namespace

const PictureValueInfo& picture_value_info(PictureValue value) {
    return *std::find_if(picture_values.begin(), picture_values.end(),
                         [&](const PictureValueInfo& info) { return info.value == value; });
}

bool is_stored(PictureValue value, const FieldSelection& fields) {
    switch (value) {
    case PictureValue::pressure: return fields.has(Field::pressure);
    case PictureValue::density: return fields.has(Field::density);
    case PictureValue::vorticity: return fields.has(Field::vorticity);
    case PictureValue::velocity_divergence: return fields.has(Field::velocity_divergence);
    case PictureValue::position_divergence: return fields.has(Field::position_divergence);
    case PictureValue::mk: return true;
    default: return fields.has(Field::velocity);
    }
}

ValueRange value_range(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                       const std::optional<Box>& within) {
    std::vector<double> values;
    for (std::size_t i = layout.groups.fluid_begin(frame.id); i < frame.size(); ++i) {
        if (within && !in_crop(*within, frame.position[i], layout.two_d)) continue;
        if (const double v = value_of(frame, i, value); std::isfinite(v)) values.push_back(v);
    }
    if (values.empty()) return {};
    const double tail = values.size() < 100 ? 0 : 0.01;
    const double high = quantile(values, 1 - tail);
    if (value == PictureValue::speed) return high < 1e-6 ? ValueRange{} : rounded(0, high);
    return rounded(quantile(values, tail), high);
}

ValueRange joined(const ValueRange& a, const ValueRange& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

std::vector<std::uint32_t> fluid_colours(const Frame& frame, std::size_t fluid_begin, PictureValue value,
                                         const ValueRange& range) {
    std::vector<std::uint32_t> colours;
    colours.reserve(frame.size() - fluid_begin);
    for (std::size_t i = fluid_begin; i < frame.size(); ++i) {
        const double part = (value_of(frame, i, value) - range.low) / (range.high - range.low);
        const std::size_t k = std::isnan(part) ? 256 : static_cast<std::size_t>(255 * std::clamp(part, 0.0, 1.0) + 0.5);
        colours.push_back(colour_table()[k]);
    }
    return colours;
}

std::uint32_t block_colour(const ParticleLayout& layout, std::size_t block) {
    const bool fluid = layout.blocks[block].type == ParticleType::fluid;
    const auto before = static_cast<std::size_t>(
        std::count_if(layout.blocks.begin(), layout.blocks.begin() + static_cast<std::ptrdiff_t>(block),
                      [&](const ParticleBlock& b) { return (b.type == ParticleType::fluid) == fluid; }));
    return fluid ? fluid_palette[before % std::size(fluid_palette)]
                 : boundary_palette[before % std::size(boundary_palette)];
}

std::vector<std::uint32_t> mk_colours(const Frame& frame, const ParticleLayout& layout) {
    std::vector<std::uint32_t> colours;
    colours.reserve(frame.size());
    BlockOfIds block_of(layout);
    for (const std::uint32_t id : frame.id) {
        const std::size_t block = block_of(id);
        colours.push_back(block < layout.blocks.size() ? block_colour(layout, block) : colour_table()[256]);
    }
    return colours;
}

std::string block_label(const ParticleBlock& block) {
    if (block.type == ParticleType::fluid) return fmt::format("mkfluid {}", block.mk_type);
    return fmt::format("mkbound {}", block.mk_type) +
           (block.type == ParticleType::fixed ? "" : fmt::format(", {}", particle_type_name(block.type)));
}

} // namespace sluice
