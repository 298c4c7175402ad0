// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_colours.h"
#include "io/pictures/picture_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {
namespace {

constexpr std::uint32_t fluid_palette[] = {0x1f6fb4, 0x18a5a0, 0x6fb52c, 0x7b4fb0, 0xd04a8a};
constexpr std::uint32_t boundary_palette[] = {0x8a909a, 0xb5651d, 0xd9a441, 0x5b4636, 0xc0392b, 0x4d5560};

const std::array<std::uint32_t, 257>& colour_table() {
    static const auto table = [] {
        std::array<std::uint32_t, 257> made{};
        for (int k = 0; k < 256; ++k) made[static_cast<std::size_t>(k)] = packed(map_colour(k / 255.0));
        made[256] = packed(map_colour(std::nan("")));
        return made;
    }();
    return table;
}

/// Some of the particles of a frame.
struct Span {
    std::size_t begin = 0, end = 0;
};

Span fluid_of(const Frame& frame, const ParticleLayout& layout) {
    return {layout.groups.fluid_begin(frame.id), frame.size()};
}
Span boundary_of(const Frame& frame, const ParticleLayout& layout) { return {0, layout.groups.fluid_begin(frame.id)}; }

double component(float value, int) { return value; }
double component(const Vec3f& value, int k) { return k == PictureValueInfo::length ? norm(value) : value[k]; }

/// The values of some particles; not a number where a particle has none.
std::vector<double> values_of(const Frame& frame, const Span& particles, PictureValue value) {
    const PictureValueInfo& shown = picture_value_info(value);
    const FieldInfo& field = field_info(*shown.field);
    const bool is_carried = is_of_boundary(field); // 0: from nowhere, or of what is rigid
    std::vector<double> values(particles.end - particles.begin, std::nan(""));
    with_values(frame, field, [&](const auto& stored) {
        for (std::size_t k = 0; k < values.size() && !stored.empty(); ++k)
            if (const double v = component(stored[particles.begin + k], shown.component); v != 0 || !is_carried)
                values[k] = v;
    });
    return values;
}

double quantile(std::vector<double>& values, double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

bool is_constant(double low, double high) {
    const double size = std::max(std::abs(low), std::abs(high));
    return !(high - low > 1e-6 * size) || high - low < 1e-12;
}

ValueRange rounded(double low, double high, int most_steps = 5) {
    if (is_constant(low, high)) { // around it
        const double size = std::max(std::abs(low), std::abs(high)), half = size > 0 ? 0.01 * size : 0.5;
        low -= half;
        high += half;
    }
    const double step = round_step(high - low, most_steps);
    return {step * std::floor(low / step + 1e-6), step * std::ceil(high / step - 1e-6)};
}

} // namespace

const PictureValueInfo& picture_value_info(PictureValue value) {
    return *std::find_if(picture_values.begin(), picture_values.end(),
                         [&](const PictureValueInfo& info) { return info.value == value; });
}

bool is_stored(PictureValue value, const FieldSelection& fields) {
    const std::optional<Field> field = picture_value_info(value).field;
    return !field || fields.has(*field);
}

bool is_of_boundary(PictureValue value) {
    const std::optional<Field> field = picture_value_info(value).field;
    return field && is_of_boundary(field_info(*field));
}

namespace {

bool has_long_tails(Field field) {
    return field == Field::pressure || field == Field::density || field == Field::wall_pressure;
}
bool has_long_tails(PictureValue value) {
    const std::optional<Field> field = picture_value_info(value).field;
    return field && has_long_tails(*field);
}

} // namespace

ScaleTails scale_tails(Field field) { return has_long_tails(field) ? ScaleTails{0.1, 0.05} : ScaleTails{}; }

namespace {

/// The finite values of the particles that have the value and lie in the box.
std::vector<double> values_within(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                  const std::optional<Box>& within) {
    const Span particles = is_of_boundary(value) ? boundary_of(frame, layout) : fluid_of(frame, layout);
    const std::vector<double> all = values_of(frame, particles, value);
    std::vector<double> values;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (within && !in_crop(*within, frame.position[particles.begin + k], layout.two_d)) continue;
        if (std::isfinite(all[k])) values.push_back(all[k]);
    }
    return values;
}

} // namespace

std::optional<ValueRange> value_extremes(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                         const std::optional<Box>& within) {
    const std::vector<double> values = values_within(frame, layout, value, within);
    if (values.empty()) return std::nullopt;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return ValueRange{*low, *high};
}

namespace {

/// Between which values those of a frame lie but for the tails; nothing where no particle has one.
std::optional<ValueRange> most_of(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                  const std::optional<Box>& within) {
    std::vector<double> values = values_within(frame, layout, value, within);
    if (values.empty()) return std::nullopt;
    const ScaleTails tails = values.size() < 100 ? ScaleTails{0, 0} : scale_tails(*picture_value_info(value).field);
    const double high = quantile(values, 1 - tails.high);
    return ValueRange{value == PictureValue::speed ? 0 : quantile(values, tails.low), high};
}

/// Whether there is nothing to tell apart by colours.
bool is_flat(const ValueRange& most, PictureValue value) {
    return value == PictureValue::speed ? most.high < 1e-6 : is_constant(most.low, most.high);
}

ValueRange scale_of(const ValueRange& most, PictureValue value) {
    if (value == PictureValue::speed && is_flat(most, value)) return {};
    return rounded(most.low, most.high, has_long_tails(value) ? 8 : 5);
}

} // namespace

ValueRange value_range(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                       const std::optional<Box>& within) {
    const auto most = most_of(frame, layout, value, within);
    return most ? scale_of(*most, value) : ValueRange{};
}

std::optional<ValueRange> varied_range(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                       const std::optional<Box>& within) {
    const auto most = most_of(frame, layout, value, within);
    if (!most || is_flat(*most, value)) return std::nullopt;
    return scale_of(*most, value);
}

ValueRange joined(std::vector<ValueRange> ranges, PictureValue value) {
    if (ranges.empty()) return {};
    std::vector<double> low, high;
    for (const ValueRange& range : ranges) {
        low.push_back(range.low);
        high.push_back(range.high);
    }
    constexpr std::size_t many = 10; // a splash in a few of many frames is not to make all others dark
    const double left_out = has_long_tails(value) ? 0.25 : ranges.size() < many ? 0 : 0.1;
    return {quantile(low, left_out), quantile(high, 1 - left_out)};
}

std::uint32_t block_colour(const ParticleLayout& layout, std::size_t block) {
    const bool fluid = layout.blocks[block].type == ParticleType::fluid;
    const auto before = static_cast<std::size_t>(
        std::count_if(layout.blocks.begin(), layout.blocks.begin() + static_cast<std::ptrdiff_t>(block),
                      [&](const ParticleBlock& b) { return (b.type == ParticleType::fluid) == fluid; }));
    return fluid ? fluid_palette[before % std::size(fluid_palette)]
                 : boundary_palette[before % std::size(boundary_palette)];
}

namespace {

std::vector<std::uint32_t> scale_colours(const Frame& frame, const Span& particles, PictureValue value,
                                         const ValueRange& range) {
    std::vector<std::uint32_t> colours;
    for (const double v : values_of(frame, particles, value)) {
        const double part = (v - range.low) / (range.high - range.low);
        const std::size_t k = std::isnan(part) ? 256 : static_cast<std::size_t>(255 * std::clamp(part, 0.0, 1.0) + 0.5);
        colours.push_back(colour_table()[k]);
    }
    return colours;
}

std::vector<std::uint32_t> mk_colours(const Frame& frame, const Span& particles, const ParticleLayout& layout) {
    std::vector<std::uint32_t> colours;
    BlockOfIds block_of(layout);
    for (std::size_t i = particles.begin; i < particles.end; ++i) {
        const std::size_t block = block_of(frame.id[i]);
        colours.push_back(block < layout.blocks.size() ? block_colour(layout, block) : colour_table()[256]);
    }
    return colours;
}

} // namespace

std::vector<std::uint32_t> fluid_colours(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                         const ValueRange& range) {
    const Span fluid = fluid_of(frame, layout);
    if (value == PictureValue::mk) return mk_colours(frame, fluid, layout);
    if (is_of_boundary(value)) return {};
    return scale_colours(frame, fluid, value, range);
}

std::vector<std::uint32_t> boundary_colours(const Frame& frame, const ParticleLayout& layout, PictureValue value,
                                            const ValueRange& range) {
    const Span boundary = boundary_of(frame, layout);
    if (value == PictureValue::mk) return mk_colours(frame, boundary, layout);
    if (!is_of_boundary(value)) return {};
    return scale_colours(frame, boundary, value, range);
}

std::string block_label(const ParticleBlock& block) {
    const bool plain = block.is_fluid() || block.type == ParticleType::fixed;
    return block.name() + (plain ? "" : fmt::format(", {}", particle_type_name(block.type)));
}

} // namespace sluice
