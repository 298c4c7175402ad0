// SPDX-License-Identifier: Apache-2.0
#include "io/report/report_player.h"
#include "core/error.h"
#include "io/frames/frame_reader.h"
#include "io/pictures/colour_map.h"
#include "io/pictures/picture_colours.h"
#include "io/pictures/picture_walls.h"
#include "io/report/shown_walls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

// What the player gets of a particle: its position as 16-bit fractions of a box (two of them in two dimensions), and
// one byte for each stored field (of vectors the length), which stands for one of 256 levels.

namespace sluice {
namespace {

constexpr double text_per_byte = 4.0 / 3; // base64
constexpr int most_frames = 120, fewest_frames = 20;
constexpr double comfortable_particles = 20000; // rather fewer frames than fewer particles than this

std::string base64(const std::vector<std::uint8_t>& bytes) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        const auto at = [&](std::size_t i) { return i < bytes.size() ? std::uint32_t{bytes[i]} : 0u; };
        const std::uint32_t word = at(k) << 16 | at(k + 1) << 8 | at(k + 2);
        for (int digit = 0; digit < 4; ++digit)
            text += k + static_cast<std::size_t>(digit) <= bytes.size() ? digits[word >> (18 - 6 * digit) & 63] : '=';
    }
    return text;
}

std::uint32_t stride_for(double count, double room) {
    return static_cast<std::uint32_t>(std::max(1.0, std::ceil(count / std::max(room, 1.0))));
}

/// How much of the run fits.
struct Plan {
    Plan(const std::vector<FrameEntry>& stored, const ParticleLayout& layout, std::size_t fluid_fields,
         std::size_t wall_fields, double bytes) {
        double most = 0;
        for (const FrameEntry& frame : stored) most = std::max(most, static_cast<double>(frame.fluid_count));
        const double position = layout.two_d ? 4 : 6;
        const double per_particle = (position + static_cast<double>(fluid_fields)) * text_per_byte;
        double moving = 0;
        for (const ParticleGroup& group : layout.groups.all())
            if (!group.is_fluid() && group.type != ParticleType::fixed) moving += group.count;
        const double solid_bytes = moving > 0 ? bytes / 8 : 0, wall_bytes = bytes / (wall_fields > 0 ? 4 : 8);
        const double room = (bytes - wall_bytes - solid_bytes) / per_particle; // particles, summed over the frames
        const double wanted = room / std::max(std::min(most, comfortable_particles), 1.0);
        const int available = static_cast<int>(stored.size());
        const int count = std::min(available, static_cast<int>(std::clamp<double>(wanted, fewest_frames, most_frames)));
        for (int k = 0; k < count; ++k) {
            const double place = count > 1 ? static_cast<double>(k) * (available - 1) / (count - 1) : 0;
            numbers.push_back(stored[static_cast<std::size_t>(std::lround(place))].number);
        }
        const double values = static_cast<double>(wall_fields) * count;
        fluid_stride = stride_for(most * count, room);
        boundary_stride =
            stride_for(layout.groups.boundary_count(), wall_bytes / ((position + values) * text_per_byte));
        solid_stride =
            stride_for(moving * count, solid_bytes / ((position + static_cast<double>(wall_fields)) * text_per_byte));
    }
    std::vector<int> numbers;
    std::uint32_t fluid_stride = 1, boundary_stride = 1, solid_stride = 1; ///< solid: boundary that moves
};

/// The chosen particles of one frame.
struct Sample {
    double time = 0;
    int number = 0;
    std::vector<Vec3d> position;
    std::vector<Vec3d> solids;             ///< boundary particles that move
    std::vector<Link> links;               ///< mooring lines and joints
    std::vector<std::vector<float>> field; // those shown
    std::vector<float> wall, solid_wall;   ///< pressure at the boundary that rests, and that moves; not a number: none
};

float magnitude(float value) { return value; }
float magnitude(const Vec3f& v) { return norm(v); }

Sample sample_fluid(const Frame& frame, const ParticleLayout& layout, const std::vector<const FieldInfo*>& shown,
                    std::uint32_t stride) {
    Sample sample;
    sample.field.resize(shown.size());
    sample.time = frame.time;
    for (std::size_t i = layout.groups.fluid_begin(frame.id); i < frame.size(); ++i) {
        const Vec3d& p = frame.position[i];
        if (!is_chosen(frame.id[i], stride) || !std::isfinite(p.x + p.y + p.z)) continue;
        sample.position.push_back(p);
        for (std::size_t f = 0; f < shown.size(); ++f)
            with_values(frame, *shown[f], [&](const auto& values) { sample.field[f].push_back(magnitude(values[i])); });
    }
    return sample;
}

constexpr int level_count = 256;

/// Finite values, in ascending order.
std::vector<float> sorted_values(const std::vector<const std::vector<float>*>& parts) {
    std::vector<float> all;
    for (const std::vector<float>* part : parts)
        std::copy_if(part->begin(), part->end(), std::back_inserter(all), [](float v) { return std::isfinite(v); });
    if (all.empty()) all = {0, 1};
    std::sort(all.begin(), all.end());
    return all;
}

/// The values that the 256 bytes of a field stand for: half of them follow how often values occur, half are evenly
/// spaced, so that any stretch of the scale has colours enough, whatever single spikes there are. The first one stands
/// for no value.
class Levels {
public:
    Levels(const std::vector<float>& sorted, const ScaleTails& tails, bool from_zero) {
        const auto quantile = [&](double share) {
            return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
        };
        low_ = from_zero ? 0 : quantile(tails.low);
        high_ = quantile(1 - tails.high);
        if (!(high_ > low_)) high_ = low_ + std::max(1e-6f, std::abs(low_) * 1e-6f);
        constexpr int half = level_count / 2;
        for (int k = 0; k < half; ++k) {
            values_.push_back(quantile(k / (half - 1.0)));
            values_.push_back(low_ + static_cast<float>(k) / (half - 1) * (high_ - low_));
        }
        std::sort(values_.begin(), values_.end());
        values_.front() = std::numeric_limits<float>::quiet_NaN();
    }
    /// The level nearest to a value.
    std::uint8_t byte(float value) const {
        if (!std::isfinite(value)) return 0;
        const auto above = std::lower_bound(values_.begin() + 1, values_.end(), value);
        if (above == values_.begin() + 1) return 1;
        if (above == values_.end()) return level_count - 1;
        const bool upper = *above - value < value - *(above - 1);
        return static_cast<std::uint8_t>(above - values_.begin() - (upper ? 0 : 1));
    }
    /// As JSON; the first one is null.
    const std::vector<float>& values() const { return values_; }
    float low() const { return low_; }
    float high() const { return high_; }

private:
    std::vector<float> values_;
    float low_ = 0, high_ = 1;
};

void add(Box& box, const std::vector<Vec3d>& points) {
    for (const Vec3d& p : points)
        for (int axis = 0; axis < 3; ++axis) {
            box.min[axis] = std::min(box.min[axis], p[axis]);
            box.max[axis] = std::max(box.max[axis], p[axis]);
        }
}

Box empty_box() {
    constexpr double huge = std::numeric_limits<double>::max();
    return {{huge, huge, huge}, {-huge, -huge, -huge}};
}

void append_position(std::vector<std::uint8_t>& bytes, const Vec3d& p, const Box& box, bool two_d) {
    for (int axis = 0; axis < 3; ++axis) {
        if (two_d && axis == 1) continue;
        const double extent = box.max[axis] - box.min[axis];
        const double part = extent > 0 ? (p[axis] - box.min[axis]) / extent : 0;
        const auto value = static_cast<std::uint16_t>(std::lround(65535 * std::clamp(part, 0.0, 1.0)));
        bytes.push_back(static_cast<std::uint8_t>(value & 255));
        bytes.push_back(static_cast<std::uint8_t>(value >> 8));
    }
}

std::string positions_text(const std::vector<Vec3d>& points, const Box& box, bool two_d) {
    std::vector<std::uint8_t> bytes;
    for (const Vec3d& p : points) append_position(bytes, p, box, two_d);
    return base64(bytes);
}

/// Whether all of a link belongs into view: what a spring or a line of travel leads to may be far away.
bool stays_near(const Link& link) {
    return link.kind != LinkKind::linear_spring && link.kind != LinkKind::coulomb_damping &&
           link.kind != LinkKind::point_line;
}

/// The part of a joint that lies in a box. No points where none does.
std::vector<Vec3d> part_in_box(const Link& joint, const Box& box, bool two_d) {
    const Vec3d from = joint.points.front(), way = joint.points.back() - from;
    double first = 0, last = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (two_d && axis == 1) continue;
        const double low = box.min[axis] - from[axis], high = box.max[axis] - from[axis];
        if (way[axis] == 0) {
            if (low > 0 || high < 0) return {};
            continue;
        }
        first = std::max(first, std::min(low / way[axis], high / way[axis]));
        last = std::min(last, std::max(low / way[axis], high / way[axis]));
    }
    if (first > last) return {};
    return {from + first * way, from + last * way};
}

/// The points of all links, and of each the first, their number, and whether it is a joint.
void add_links(nlohmann::ordered_json& frame, const std::vector<Link>& links, const Box& box, bool two_d) {
    std::vector<Vec3d> points;
    nlohmann::ordered_json ranges = nlohmann::ordered_json::array();
    for (const Link& link : links) {
        const bool is_joint = link.kind != LinkKind::mooring_line;
        if (link.points.empty()) continue;
        const std::vector<Vec3d> shown = is_joint ? part_in_box(link, box, two_d) : link.points;
        if (shown.empty()) continue;
        ranges.push_back({points.size(), shown.size(), is_joint ? 1 : 0});
        points.insert(points.end(), shown.begin(), shown.end());
    }
    if (points.empty()) return;
    frame["links"] = positions_text(points, box, two_d);
    frame["link_ranges"] = std::move(ranges);
}

std::string field_text(const std::vector<float>& values, const Levels& levels) {
    std::vector<std::uint8_t> bytes;
    for (const float value : values) bytes.push_back(levels.byte(value));
    return base64(bytes);
}

std::string colours_text() {
    std::vector<std::uint8_t> bytes;
    for (int k = 0; k < 256; ++k) {
        const Colour c = map_colour(k / 255.0);
        bytes.insert(bytes.end(), {c.red, c.green, c.blue});
    }
    return base64(bytes);
}

/// What of the particles the frames themselves lack.
std::string selection_note(const std::vector<FrameEntry>& frames) {
    std::uint32_t most = 0;
    for (const FrameEntry& frame : frames) most = std::max(most, frame.left_out.total());
    if (most == 0) return "";
    return fmt::format(" The frames hold what outputparts of the case selects: up to {} particles are left out.", most);
}

std::string describe(const Plan& plan, std::size_t shown, std::size_t stored, const Box& box) {
    double extent = 0;
    for (int axis = 0; axis < 3; ++axis) extent = std::max(extent, box.max[axis] - box.min[axis]);
    const auto share = [](std::uint32_t stride) {
        return stride == 1 ? std::string("all") : fmt::format("1 of {}", stride);
    };
    return fmt::format("To keep this page small, the player shows {} of {} frames, {} fluid particles and {} boundary "
                       "particles, with positions rounded to {:.2g} mm and fields to 256 levels.",
                       shown, stored, share(plan.fluid_stride), share(plan.boundary_stride), extent / 65535 * 1000);
}

nlohmann::ordered_json field_json(const FieldInfo& info, const Levels& levels) {
    const ScaleTails tails = scale_tails(info.field);
    return {{"name", info.magnitude},   {"unit", info.unit},     {"of_walls", is_of_boundary(info)},
            {"low", levels.low()},      {"high", levels.high()}, {"tails", {tails.low, tails.high}},
            {"levels", levels.values()}};
}

/// Those that are stored. The player colours by something: without any, by the speed, which is then zero.
std::vector<const FieldInfo*> shown_fields(const FieldSelection& stored) {
    std::vector<const FieldInfo*> shown;
    for_each_selected(stored, [&](const FieldInfo& info) { shown.push_back(&info); });
    if (shown.empty()) shown.push_back(&field_info(Field::velocity));
    return shown;
}

/// What the player gets of the frames, before it is written down.
struct Content {
    Content(const std::filesystem::path& dir, const ParticleLayout& layout, const Plan& plan,
            const std::vector<const FieldInfo*>& shown, std::vector<std::string>& damaged) {
        for (const int number : plan.numbers) {
            try {
                add(read_frame(dir, number), layout, plan, shown);
            } catch (const RunError& error) {
                damaged.emplace_back(error.what());
            }
        }
    }
    void add(const Frame& frame, const ParticleLayout& layout, const Plan& plan,
             const std::vector<const FieldInfo*>& shown) {
        if (!resting) {
            const std::vector<std::uint8_t> sides =
                layout.two_d ? std::vector<std::uint8_t>(layout.groups.boundary_count()) : wall_sides(frame, layout);
            resting.emplace(frame, layout, sides, plan.boundary_stride, false);
            moving.emplace(frame, layout, sides, plan.solid_stride, true);
            boundary = resting->positions(frame);
        }
        Sample& sample = samples.emplace_back(sample_fluid(frame, layout, shown, plan.fluid_stride));
        sample.number = frame.number;
        sample.solids = moving->positions(frame);
        sample.links = frame.links;
        if (!layout.fields.has(Field::wall_pressure)) return;
        sample.wall = resting->pressures(frame);
        sample.solid_wall = moving->pressures(frame);
    }
    std::vector<const std::vector<float>*> wall_values() const {
        std::vector<const std::vector<float>*> parts;
        for (const Sample& sample : samples) parts.insert(parts.end(), {&sample.wall, &sample.solid_wall});
        return parts;
    }
    std::vector<const std::vector<float>*> values(std::size_t field) const {
        std::vector<const std::vector<float>*> parts;
        for (const Sample& sample : samples) parts.push_back(&sample.field[field]);
        return parts;
    }

    std::vector<Sample> samples;
    std::optional<ShownWalls> resting, moving;
    std::vector<Vec3d> boundary; ///< that rests
};

} // namespace

PlayerData make_player_data(const std::filesystem::path& dir, double bytes) {
    ReadableFrames stored = readable_frames(dir);
    const std::size_t all = stored.frames.size() + stored.damaged.size();
    PlayerData made{"", "", std::move(stored.damaged)};
    if (stored.frames.empty()) return made;
    const ParticleLayout layout = read_layout(dir);
    const std::vector<const FieldInfo*> shown = shown_fields(layout.fields.of_fluid());
    const bool has_walls = layout.fields.has(Field::wall_pressure) && layout.groups.boundary_count() > 0;
    const Plan plan(stored.frames, layout, shown.size(), has_walls ? 1 : 0, bytes);
    const Content content(dir, layout, plan, shown, made.damaged);
    const std::vector<Sample>& samples = content.samples;
    if (samples.empty()) return made;
    // What to look at is the tank with the fluid at the start; what to be able to show is all of it.
    Box view = empty_box();
    add(view, content.boundary);
    add(view, samples.front().position);
    add(view, samples.front().solids);
    for (const Link& link : samples.front().links)
        if (stays_near(link)) add(view, link.points);
    Box box = view;
    for (const Sample& sample : samples) {
        add(box, sample.position);
        add(box, sample.solids);
        for (const Link& link : sample.links)
            if (stays_near(link)) add(box, link.points);
    }
    if (box.min.x > box.max.x) box = view = {{0, 0, 0}, {1, 1, 1}};

    nlohmann::ordered_json json;
    const auto list = [](const Vec3d& v) { return nlohmann::ordered_json{v.x, v.y, v.z}; };
    json["flat"] = layout.two_d;
    json["dp"] = layout.dp;
    json["fluid_stride"] = plan.fluid_stride;
    json["boundary_stride"] = plan.boundary_stride;
    json["solid_stride"] = plan.solid_stride;
    json["box"] = {list(box.min), list(box.max)};
    json["view"] = {list(view.min), list(view.max)};
    json["colours"] = colours_text();
    json["boundary"] = positions_text(content.boundary, box, layout.two_d);
    json["boundary_ranges"] = content.resting->ranges();
    json["solid_ranges"] = content.moving->ranges();
    std::vector<Levels> levels;
    for (std::size_t f = 0; f < shown.size(); ++f) {
        levels.emplace_back(sorted_values(content.values(f)), scale_tails(shown[f]->field),
                            components_of(*shown[f]) > 1);
        json["fields"].push_back(field_json(*shown[f], levels.back()));
    }
    const FieldInfo& wall_field = field_info(Field::wall_pressure);
    const Levels wall_levels(sorted_values(content.wall_values()), scale_tails(wall_field.field), false);
    if (has_walls) json["fields"].push_back(field_json(wall_field, wall_levels));
    json["frames"] = nlohmann::ordered_json::array();
    for (const Sample& sample : samples) {
        nlohmann::ordered_json frame{{"number", sample.number}, {"time", sample.time}};
        frame["position"] = positions_text(sample.position, box, layout.two_d);
        if (!sample.solids.empty()) frame["solids"] = positions_text(sample.solids, box, layout.two_d);
        add_links(frame, sample.links, box, layout.two_d);
        for (std::size_t f = 0; f < shown.size(); ++f)
            frame["fields"].push_back(field_text(sample.field[f], levels[f]));
        if (has_walls) {
            frame["wall"] = field_text(sample.wall, wall_levels);
            frame["solid_wall"] = field_text(sample.solid_wall, wall_levels);
        }
        json["frames"].push_back(std::move(frame));
    }
    made.json = json.dump();
    made.note = describe(plan, samples.size(), all, box) + selection_note(stored.frames);
    return made;
}

} // namespace sluice
