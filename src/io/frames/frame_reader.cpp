// SPDX-License-Identifier: Apache-2.0
#include "io/frames/frame_reader.h"
#include "core/error.h"
#include "core/log.h"
#include "io/files/hdf5.h"
#include "io/frames/frame_store.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sluice {
namespace {

template <class T>
void append(std::vector<T>& values, const std::vector<T>& more) {
    values.insert(values.end(), more.begin(), more.end());
}

template <class T>
bool is_finite(const Vec3<T>& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool is_finite(float value) { return std::isfinite(value); }

/// Values of the boundary and of the fluid are each stored for all, or for none, which then have NaN; those of least
/// squares do not exist for each particle.
template <class T>
void check_values(const FieldInfo& info, const std::vector<T>& values, std::size_t boundary) {
    if (info.source == FieldSource::least_squares) return;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(boundary);
    for (const auto& [first, last] : {std::pair(values.begin(), middle), std::pair(middle, values.end())}) {
        const auto count = std::count_if(first, last, [](const T& value) { return is_finite(value); });
        if (count != 0 && count != last - first)
            throw RunError(
                fmt::format("{} of {} values of {} are not finite", last - first - count, last - first, info.name));
    }
}

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
void append_absent(std::vector<float>& values, std::size_t count) { values.insert(values.end(), count, no_number); }
void append_absent(std::vector<Vec3f>& values, std::size_t count) {
    values.insert(values.end(), count, {no_number, no_number, no_number});
}

/// Appends a dataset, or `count` times NaN if it is not stored.
template <class T>
void append_stored(std::vector<T>& values, const h5::File& file, const std::string& path, std::size_t count) {
    if (file.has(path))
        append(values, file.read<T>(path));
    else
        append_absent(values, count);
}

/// The number in "frame_000012.h5"; −1 for any other name.
int number_in_name(const std::string& name) {
    constexpr std::string_view before = "frame_", after = ".h5";
    if (!name.starts_with(before) || !name.ends_with(after)) return -1;
    const char* last = name.data() + name.size() - after.size();
    int number = -1;
    const auto [end, error] = std::from_chars(name.data() + before.size(), last, number);
    return error == std::errc() && end == last ? number : -1;
}

FrameEntry entry_of(const h5::File& file) {
    // frames of older versions do not say when they were due
    const char* due = file.has_attribute("/", "sampling_time") ? "sampling_time" : "time";
    FrameEntry entry{file.get<std::int32_t>("/", "number"), file.get<std::int64_t>("/", "step"),
                     file.get<double>("/", "time"), file.row_count("fluid/id"), file.get<double>("/", due)};
    if (!file.has("boundary/id")) return entry;
    entry.boundary_count = file.row_count("boundary/id");
    entry.left_out = {file.get<std::uint32_t>("/", "left_out_boundary"),
                      file.get<std::uint32_t>("/", "left_out_fluid")};
    return entry;
}

/// Whether a run is marked as such (`ParticleLayout`); frames of older versions know nothing of marks that came later.
bool is_marked(const h5::File& geometry, const char* mark) {
    return geometry.has_attribute("/", mark) && geometry.get<std::uint8_t>("/", mark) != 0;
}

/// Whether the frames of a run hold a field; frames of older versions know nothing of fields that came later.
bool holds_field(const h5::File& geometry, const FieldInfo& info) {
    return is_marked(geometry, stored_attribute(info).c_str());
}

/// What was read may be damaged, and later code relies on it: arrays of one length, ids in ascending order, finite
/// places, and values that are finite or not stored at all. Throws RunError.
void check_frame(const Frame& frame, std::size_t boundary, const h5::File& geometry) {
    const std::size_t n = frame.id.size();
    const auto total = is_marked(geometry, "open") ? UINT32_MAX : geometry.get<std::uint32_t>("/", "total");
    if (frame.position.size() != n) throw RunError("its arrays differ in length");
    const auto walls = geometry.get<std::uint32_t>("/", "boundary_count");
    if ((is_marked(geometry, "selected") ? boundary > walls : boundary != walls) || n > total)
        throw RunError("it has particles that the run has not");
    for (std::size_t i = 0; i < n; ++i) {
        const bool ascends = i == 0 || frame.id[i] > frame.id[i - 1];
        if (!ascends || frame.id[i] >= total || (frame.id[i] < walls) != (i < boundary))
            throw RunError(fmt::format("particle {} is not in its place", frame.id[i]));
        if (!is_finite(frame.position[i])) throw RunError(fmt::format("particle {} has no place", frame.id[i]));
    }
    for (const FieldInfo& info : particle_fields)
        with_values(frame, info, [&](const auto& values) {
            if (info.source != FieldSource::state && values.empty() && !holds_field(geometry, info)) return;
            if (values.size() != n) throw RunError("its arrays differ in length");
            check_values(info, values, boundary);
        });
}

/// Mooring lines and joints of a frame; none where it has none. Throws RunError for those that cannot be.
std::vector<Link> read_links(const h5::File& file) {
    std::vector<Link> links;
    if (!file.has("links/kind")) return links;
    const auto kinds = file.read<std::uint8_t>("links/kind");
    const auto ranges = file.read_table<std::int32_t>("links/range", 2);
    const auto points = file.read<Vec3d>("links/position");
    const auto loads = file.read<float>("links/load");
    if (ranges.size() != 2 * kinds.size() || loads.size() != points.size())
        throw RunError("its lines and joints differ in length");
    std::size_t next = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const std::int32_t count = ranges[2 * k + 1];
        if (kinds[k] >= link_kind_count || count < 0 || static_cast<std::size_t>(count) > points.size() - next)
            throw RunError(fmt::format("its line or joint {} is not one", k));
        Link& link = links.emplace_back();
        link.kind = static_cast<LinkKind>(kinds[k]);
        link.index = ranges[2 * k];
        for (const std::size_t end = next + static_cast<std::size_t>(count); next < end; ++next) {
            if (!is_finite(points[next])) throw RunError(fmt::format("its line or joint {} has no place", k));
            link.points.push_back(points[next]);
            link.load.push_back(loads[next]);
        }
    }
    if (next != points.size()) throw RunError("its lines and joints differ in length");
    return links;
}

/// 0 if the timeline is missing, cannot be read, or is one of an older version, without XDMF.
std::size_t steps_in_timeline(const std::filesystem::path& dir, const std::vector<FrameEntry>& frames) {
    if (has_xdmf(frames) && !std::filesystem::exists(dir / "fluid.xdmf")) return 0;
    try {
        return h5::File(dir / "fluid.vtkhdf").row_count("VTKHDF/Steps/Values");
    } catch (const RunError&) {
        return 0;
    }
}

} // namespace

std::filesystem::path frame_path(const std::filesystem::path& dir, int number) {
    return dir / "frames" / fmt::format("frame_{:06}.h5", number);
}

std::filesystem::path geometry_path(const std::filesystem::path& dir) { return dir / "frames" / "geometry.h5"; }

std::string stored_attribute(const FieldInfo& info) { return fmt::format("has_{}", info.name); }

std::vector<int> stored_frame_numbers(const std::filesystem::path& dir) {
    std::vector<int> numbers;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(dir / "frames", error))
        if (const int number = number_in_name(file.path().filename().string()); number >= 0) numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

FrameEntry read_frame_entry(const std::filesystem::path& dir, int number) {
    const FrameEntry entry = entry_of(h5::File(frame_path(dir, number)));
    constexpr double latest = 1e9; // s: thirty years
    const auto is_time = [](double time) { return time >= 0 && time < latest; };
    if (entry.number != number || entry.step < 0 || !is_time(entry.time) || !is_time(entry.sampling_time))
        throw RunError(fmt::format("{}: damaged (it says that it is frame {} of step {} at {} s)",
                                   frame_path(dir, number).string(), entry.number, entry.step, entry.time));
    return entry;
}

std::vector<FrameEntry> list_frames(const std::filesystem::path& dir) {
    std::vector<FrameEntry> frames;
    for (const int number : stored_frame_numbers(dir)) frames.push_back(read_frame_entry(dir, number));
    return frames;
}

ReadableFrames readable_frames(const std::filesystem::path& dir) {
    ReadableFrames found;
    int next = 0;
    for (const int number : stored_frame_numbers(dir)) {
        for (; next < number; ++next) found.missing.push_back(next);
        next = number + 1;
        try {
            found.frames.push_back(read_frame_entry(dir, number));
        } catch (const RunError& error) {
            found.damaged.emplace_back(error.what());
        }
    }
    return found;
}

std::vector<FrameEntry> choose_frames(const std::filesystem::path& dir, int first, int last, int every) {
    std::vector<FrameEntry> chosen;
    int place = 0;
    const std::vector<int> stored = stored_frame_numbers(dir);
    if (stored.empty()) throw InputError(fmt::format("{}: no frames are stored there", dir.string()));
    for (const int number : stored)
        if (number >= first && number <= last && place++ % std::max(every, 1) == 0)
            chosen.push_back(read_frame_entry(dir, number));
    if (first > last)
        throw InputError(fmt::format("the first frame ({}) is behind the last ({}): swap them", first, last));
    if (chosen.empty())
        throw InputError(fmt::format("{}: no such frames are stored there ({}); there are frames {} to {}",
                                     dir.string(),
                                     first == last ? fmt::format("frame {}", first) : fmt::format("from {} on", first),
                                     stored.front(), stored.back()));
    return chosen;
}

Frame read_frame(const std::filesystem::path& dir, int number) {
    const h5::File file(frame_path(dir, number));
    const h5::File geometry(geometry_path(dir));
    const FrameEntry entry = read_frame_entry(dir, number);
    Frame frame;
    frame.number = entry.number;
    frame.step = entry.step;
    frame.time = entry.time;
    const bool selected = is_marked(geometry, "selected");
    frame.id = (selected ? file : geometry).read<std::uint32_t>("boundary/id");
    const bool moves = selected ? is_marked(geometry, "boundary_moves") : file.has("boundary/position");
    frame.position = (moves || selected ? file : geometry).read<Vec3d>("boundary/position");
    const std::size_t boundary = frame.id.size();
    append(frame.id, file.read<std::uint32_t>("fluid/id"));
    append(frame.position, file.read<Vec3d>("fluid/position"));
    for (const FieldInfo& info : particle_fields)
        with_values(frame, info, [&](auto& values) {
            const std::string of_fluid = fmt::format("fluid/{}", info.name),
                              of_boundary = fmt::format("boundary/{}", info.name);
            if (info.source != FieldSource::state && !file.has(of_fluid) && !file.has(of_boundary)) return;
            if (info.field == Field::velocity && !moves && !is_marked(geometry, "mirrors"))
                values.resize(boundary); // at rest
            else
                append_stored(values, file, of_boundary, boundary);
            append_stored(values, file, of_fluid, frame.id.size() - boundary);
        });
    try {
        frame.links = read_links(file);
        check_frame(frame, boundary, geometry);
    } catch (const RunError& error) {
        throw RunError(fmt::format("{}: damaged: {}", frame_path(dir, number).string(), error.what()));
    }
    return frame;
}

Frame read_drawn_boundary(const std::filesystem::path& dir) {
    const h5::File geometry(geometry_path(dir));
    Frame frame;
    frame.id = geometry.read<std::uint32_t>("boundary/id");
    frame.position = geometry.read<Vec3d>("boundary/position");
    if (frame.position.size() != frame.id.size())
        throw RunError(fmt::format("{}: damaged: its arrays differ in length", geometry_path(dir).string()));
    return frame;
}

void require_stored(const std::filesystem::path& dir, const ParticleLayout& layout, const FieldSelection& wanted) {
    const auto fail = [&](const std::string& what) {
        throw InputError(fmt::format("{}: its frames hold {} (options --fields, --every-nth-particle of the run); use "
                                     "gauges or --probes, which see everything during the run",
                                     dir.string(), what));
    };
    if (layout.keep_every > 1) fail(fmt::format("only one of {} fluid particles", layout.keep_every));
    for_each_selected(wanted, [&](const FieldInfo& info) {
        if (!layout.fields.has(info.field)) fail(fmt::format("no {}", info.name));
    });
}

namespace {

/// How a user comes by frames that hold all particles.
std::string whole_frames_text(const ParticleLayout& layout) {
    if (layout.whole_every > 0)
        return fmt::format("frames 0, {0}, {1}, … hold all: --first 0 --every {0}", layout.whole_every,
                           2 * layout.whole_every);
    return "take it out of the case, or gauges and --probes, which see everything during the run";
}

} // namespace

void warn_of_left_out(const std::filesystem::path& dir, const ParticleLayout& layout,
                      const std::vector<FrameEntry>& frames) {
    std::uint32_t most = 0;
    std::size_t count = 0;
    for (const FrameEntry& frame : frames) {
        if (frame.left_out.fluid > 0) ++count;
        most = std::max(most, frame.left_out.fluid);
    }
    if (count == 0) return;
    spdlog::warn("warning: {}: {} of {} frames lack fluid particles, up to {}, which outputparts of the case leaves "
                 "out: what follows from them is that of the others alone; {}",
                 dir.string(), count, frames.size(), most, whole_frames_text(layout));
}

void require_boundary(const std::filesystem::path& dir, const ParticleLayout& layout,
                      const std::vector<FrameEntry>& frames) {
    for (const FrameEntry& frame : frames)
        if (frame.left_out.boundary > 0)
            throw InputError(fmt::format("{}: frame {} lacks {} of {} boundary particles, which outputparts of the "
                                         "case leaves out; {}",
                                         dir.string(), frame.number, frame.left_out.boundary,
                                         layout.groups.boundary_count(), whole_frames_text(layout)));
}

void refresh_timeline(const std::filesystem::path& dir, const std::vector<FrameEntry>& frames) {
    if (frames.empty()) return;
    if (steps_in_timeline(dir, frames) == frames.size()) return;
    const bool positions_double = h5::File(geometry_path(dir)).get<std::uint8_t>("/", "positions_double") != 0;
    write_timeline(dir, read_layout(dir), positions_double, frames);
}

ParticleLayout read_layout(const std::filesystem::path& dir) {
    const h5::File file(geometry_path(dir));
    ParticleLayout layout;
    layout.dp = file.get<double>("/", "dp");
    layout.two_d = file.get<std::uint8_t>("/", "two_d") != 0;
    layout.fields = {};
    for (const FieldInfo& info : particle_fields)
        if (holds_field(file, info)) layout.fields.add(info.field);
    layout.keep_every = file.get<std::uint32_t>("/", "keep_every");
    layout.open = is_marked(file, "open");
    layout.mirrors = is_marked(file, "mirrors");
    layout.selected = is_marked(file, "selected");
    if (layout.selected) layout.whole_every = file.get<std::int32_t>("/", "whole_every");
    const auto kinds = file.read<Vec3i>("blocks/kind");
    const auto bounds = file.read<Vec3d>("blocks/bounds");
    const auto ranges = file.read_table<std::uint32_t>("blocks/range", 2);
    const auto fail = [&](const char* what) {
        throw RunError(fmt::format("{}: damaged: {}", geometry_path(dir).string(), what));
    };
    if (!(layout.dp > 0) || !std::isfinite(layout.dp) || layout.keep_every == 0) fail("its dp or keep_every is wrong");
    if (ranges.size() != 2 * kinds.size() || bounds.size() != 3 * kinds.size()) fail("its blocks differ in length");
    std::uint64_t particles = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (kinds[k].z < 0 || kinds[k].z > int(ParticleType::fluid)) fail("a block has a type that is unknown");
        particles += ranges[2 * k + 1];
    }
    if (particles != file.get<std::uint32_t>("/", "total")) fail("its blocks have not all particles of the run");
    for (std::size_t k = 0; k < kinds.size(); ++k)
        layout.blocks.push_back(
            {{kinds[k].x, kinds[k].y, static_cast<ParticleType>(kinds[k].z), ranges[2 * k], ranges[2 * k + 1]},
             bounds[3 * k],
             bounds[3 * k + 1],
             bounds[3 * k + 2]});
    try {
        layout.groups = groups_of(layout.blocks);
    } catch (const std::invalid_argument& error) {
        fail(error.what());
    }
    return layout;
}

} // namespace sluice
