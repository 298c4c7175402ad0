// SPDX-License-Identifier: Apache-2.0
#include "io/frames/frame_writer.h"
#include "core/error.h"
#include "core/log.h"
#include "io/files/file.h"
#include "io/fluid/flow_derivatives.h"
#include "io/fluid/wall_pressure.h"
#include "io/frames/frame_store.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace sluice {
namespace {

/// Rounding of single-precision positions that is still invisible, in particle spacings.
constexpr double allowed_blur = 1e-3;

/// The cost of the timeline grows with its length; up to here it is a few milliseconds.
constexpr std::size_t frames_with_immediate_timeline = 50;

bool single_precision_blurs(const ParticleSet& particles) {
    double largest = 0;
    for (const Vec3d& p : particles.position)
        largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return largest * std::numeric_limits<float>::epsilon() / 2 > allowed_blur * particles.dp;
}

/// Calls `use(k, block)` for each id; both go up, so that one pass over the blocks is enough.
template <class Use>
void for_each_block(const ParticleLayout& layout, std::span<const std::uint32_t> ids, Use&& use) {
    BlockOfIds block_of(layout);
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const std::size_t block = block_of(ids[k]);
        if (block == layout.blocks.size())
            throw RunError(fmt::format("frame: particle {} belongs to no mk block", ids[k]));
        use(k, layout.blocks[block]);
    }
}

/// One number for each particle that follows from its mk block.
template <class T, class Property>
void write_kind(h5::MemoryFile& file, const std::string& path, std::size_t count, int level,
                const ParticleLayout& layout, const h5::RowSource<std::uint32_t>& ids, Property property) {
    file.write_compressed<T>(path, count, level, [&layout, ids, property](std::size_t first, std::span<T> out) {
        std::vector<std::uint32_t> wanted(out.size());
        ids(first, wanted);
        for_each_block(layout, wanted,
                       [&](std::size_t k, const ParticleBlock& block) { out[k] = static_cast<T>(property(block)); });
    });
}

void write_kinds(h5::MemoryFile& file, const std::string& group, std::size_t count, int level,
                 const ParticleLayout& layout, const h5::RowSource<std::uint32_t>& ids) {
    file.write_compressed<std::uint32_t>(group + "/id", count, level, ids);
    write_kind<std::uint16_t>(file, group + "/mk", count, level, layout, ids,
                              [](const auto& block) { return block.mk; });
    write_kind<std::uint8_t>(file, group + "/type", count, level, layout, ids,
                             [](const auto& block) { return block.type; });
}

void write_blocks(h5::MemoryFile& file, const std::vector<ParticleBlock>& blocks) {
    std::vector<std::int32_t> kinds;
    std::vector<std::uint32_t> ranges;
    std::vector<Vec3d> bounds;
    for (const ParticleBlock& block : blocks) {
        kinds.insert(kinds.end(), {block.mk, block.mk_type, static_cast<std::int32_t>(block.type)});
        ranges.insert(ranges.end(), {block.begin, block.count});
        bounds.insert(bounds.end(), {block.min, block.max, block.mean});
    }
    file.write_table("blocks/kind", kinds, 3, true);
    file.write_table("blocks/range", ranges, 2, true);
    file.write("blocks/bounds", bounds, true);
}

/// 0, 1, …, enough to number the cells of so many particles.
void write_count_up(h5::MemoryFile& file, std::size_t particles, int level) {
    file.write_compressed<std::int64_t>(count_up_dataset, particles + 2, std::max(level, 1),
                                        [](std::size_t first, std::span<std::int64_t> out) {
                                            std::iota(out.begin(), out.end(), static_cast<std::int64_t>(first));
                                        });
}

/// Mooring lines and joints; nothing where there are none.
void write_links(h5::MemoryFile& file, const std::vector<Link>& links) {
    if (links.empty()) return;
    std::vector<std::uint8_t> kinds;
    std::vector<std::int32_t> ranges;
    std::vector<Vec3d> points;
    std::vector<float> loads;
    for (const Link& link : links) {
        kinds.push_back(static_cast<std::uint8_t>(link.kind));
        ranges.insert(ranges.end(), {link.index, static_cast<std::int32_t>(link.points.size())});
        points.insert(points.end(), link.points.begin(), link.points.end());
        loads.insert(loads.end(), link.load.begin(), link.load.end());
    }
    file.write("links/kind", kinds, true);
    file.write_table("links/range", ranges, 2, true);
    file.write("links/position", points, true);
    file.write("links/load", loads, true);
}

void check_order(const Frame& frame, const ParticleLayout& layout, std::size_t boundary) {
    const std::size_t n = frame.size();
    bool complete = frame.position.size() == n;
    const FieldSelection held = layout.fields.from(FieldSource::state) | layout.fields.from(FieldSource::neighbours);
    for_each_selected(held, [&](const FieldInfo& info) {
        complete = complete && with_values(frame, info, [](const auto& values) { return values.size(); }) == n;
    });
    if (!complete) throw RunError(fmt::format("frame {}: its arrays differ in length", frame.number));
    if (!std::is_sorted(frame.id.begin(), frame.id.end()))
        throw RunError(fmt::format("frame {}: particles are not in the order of their ids", frame.number));
    if (boundary != layout.groups.boundary_count())
        throw RunError(fmt::format("frame {}: {} boundary particles instead of {}", frame.number, boundary,
                                   layout.groups.boundary_count()));
}

} // namespace

/// Particles of a frame that become the rows of an array: a stretch of them, or those at a stretch of some places.
struct FrameRows {
    std::size_t begin = 0, count = 0;
    const std::vector<std::uint32_t>* places = nullptr;

    std::size_t at(std::size_t row) const { return places ? (*places)[begin + row] : begin + row; }

    /// The rows of one of the frame's arrays, as numbers of type T.
    template <class T, class Value>
    h5::RowSource<T> of(const std::vector<Value>& values) const {
        return [rows = *this, &values](std::size_t first, std::span<T> out) {
            for (std::size_t k = 0; k < out.size(); ++k) out[k] = T(values[rows.at(first + k)]);
        };
    }
};

namespace {

/// The particles of a frame that are stored.
class StoredRows {
public:
    /// `begin`: place of the first fluid particle, of which one in `every` is stored. `selection`: of this frame, null
    /// for all particles.
    StoredRows(const Frame& frame, std::size_t begin, std::uint32_t every, const ParticleSelection* selection)
        : size_(frame.size()), begin_(begin), every_(every), selects_(selection != nullptr) {
        if (selects_) places_ = selection->places(frame);
        boundary_count_ = static_cast<std::size_t>(std::ranges::lower_bound(places_, begin) - places_.begin());
        left_out_ = selects_ ? LeftOut{static_cast<std::uint32_t>(begin - boundary_count_),
                                       static_cast<std::uint32_t>(size_ - begin - (places_.size() - boundary_count_))}
                             : LeftOut{};
        if (every == 1) return;
        std::vector<std::uint32_t> thinned(places_.begin(),
                                           places_.begin() + static_cast<std::ptrdiff_t>(boundary_count_));
        const auto take = [&](std::size_t i) {
            if (is_chosen(frame.id[i], every)) thinned.push_back(static_cast<std::uint32_t>(i));
        };
        for (std::size_t k = selects_ ? boundary_count_ : begin; k < (selects_ ? places_.size() : size_); ++k)
            take(selects_ ? places_[k] : k);
        places_ = std::move(thinned);
    }
    FrameRows boundary() const {
        return selects_ ? FrameRows{0, boundary_count_, &places_} : FrameRows{0, begin_, nullptr};
    }
    FrameRows fluid() const {
        if (!selects_ && every_ == 1) return {begin_, size_ - begin_, nullptr};
        return {boundary_count_, places_.size() - boundary_count_, &places_};
    }
    LeftOut left_out() const { return left_out_; }

private:
    std::size_t size_, begin_;
    std::uint32_t every_;
    bool selects_;
    std::vector<std::uint32_t> places_; ///< boundary, then fluid; of the former only with a selection
    std::size_t boundary_count_ = 0;    ///< among the places
    LeftOut left_out_;
};

} // namespace

bool is_chosen(std::uint32_t id, std::uint32_t stride) {
    const std::uint32_t group = id / stride;
    const std::uint32_t mixed = (group * 2654435761u) >> 7;
    return id % stride == mixed % stride;
}

bool ParticleLayout::boundary_moves() const {
    return std::any_of(blocks.begin(), blocks.end(), [](const ParticleBlock& block) {
        return block.type == ParticleType::moving || block.type == ParticleType::floating;
    });
}

FieldSelection ParticleLayout::boundary_fields() const {
    FieldSelection stored;
    for_each_selected(fields.of_boundary(), [&](const FieldInfo& info) {
        if (info.field != Field::velocity || boundary_moves() || mirrors) stored.add(info.field);
    });
    return stored;
}

ParticleLayout layout_of(const ParticleSet& particles) {
    ParticleLayout layout;
    layout.dp = particles.dp;
    layout.two_d = particles.two_d;
    layout.groups = groups_of(particles.blocks);
    layout.blocks = particles.blocks;
    return layout;
}

FrameWriter::FrameWriter(const std::filesystem::path& dir, const ParticleSet& particles, FrameOptions options)
    : dir_(dir), layout_(layout_of(particles)), options_(options), next_number_(options.first_number),
      pool_(options.threads) {
    layout_.fields = options.fields;
    layout_.keep_every = options.keep_every;
    layout_.selected = options.selection.has_value();
    layout_.whole_every = options.selection ? options.selection->whole_every() : 0;
    layout_.open = options.setup && options.setup->open.any();
    layout_.mirrors = options.setup && options.setup->constants.mirrors_velocities();
    if (layout_.fields.has(Field::wall_pressure)) {
        if (!options.setup) throw std::invalid_argument("frames: pressures at walls need the set-up of the run");
        near_walls_.emplace(*options.setup);
    }
    if (!layout_.fields.from(FieldSource::structure).empty()) {
        if (!options.setup) throw std::invalid_argument("frames: fields of flexible bodies need the set-up of the run");
        structures_.emplace(*options.setup);
    }
    if (!layout_.fields.from(FieldSource::least_squares).empty() && !options.setup)
        throw std::invalid_argument("frames: gradients need the set-up of the run");
    options_.positions_double = options_.positions_double || single_precision_blurs(particles);
    make_folder(dir_ / "frames");
    adopt_stored_frames(options_.first_number);
    write_geometry(particles);
    timeline_is_old_ = !timeline_.empty();
    finish();
}

FrameWriter::~FrameWriter() {
    try {
        finish();
    } catch (const std::exception& error) {
        spdlog::error("{}", error.what());
    }
}

void FrameWriter::finish() {
    if (!timeline_is_old_) return;
    const auto start = std::chrono::steady_clock::now();
    write_timeline(dir_, layout_, options_.positions_double, timeline_);
    timeline_is_old_ = false;
    timeline_written_ = std::chrono::steady_clock::now();
    timeline_cost_ = timeline_written_ - start;
}

/// When a frame of `time` (s) was due; `time` itself for one taken between the times of the clock, as the last state
/// is.
double FrameWriter::sampling_time(double time) const {
    const double due = options_.times ? options_.times->last_time(time) : time;
    // A multiple of the period as one writes it: 0.15, not 0.15000000000000002.
    const double rounded = std::strtod(fmt::format("{:.12g}", due).c_str(), nullptr);
    const bool seen = !timeline_.empty() && rounded <= timeline_.back().time;
    return due < time && std::isfinite(due) && !seen ? rounded : time;
}

bool FrameWriter::timeline_is_cheap() const {
    return timeline_.size() <= frames_with_immediate_timeline ||
           std::chrono::steady_clock::now() - timeline_written_ > 50 * timeline_cost_;
}

void FrameWriter::adopt_stored_frames(int first_number) {
    for (const int number : stored_frame_numbers(dir_)) {
        if (number < first_number)
            timeline_.push_back(read_frame_entry(dir_, number));
        else
            std::filesystem::remove(frame_path(dir_, number));
    }
    if (!timeline_.empty()) return;
    // A timeline of an earlier run would point to frames that are gone.
    for (const char* name : {"fluid.vtkhdf", "boundary.vtkhdf", "fluid.xdmf", "boundary.xdmf"})
        std::filesystem::remove(dir_ / name);
}

void FrameWriter::write_geometry(const ParticleSet& particles) {
    h5::MemoryFile file(0, &pool_);
    const int level = options_.compression;
    file.set("/", "dp", layout_.dp);
    file.set("/", "positions_double", std::uint8_t(options_.positions_double));
    file.set("/", "two_d", std::uint8_t(layout_.two_d));
    file.set("/", "boundary_count", layout_.groups.boundary_count());
    file.set("/", "total", layout_.groups.particle_count());
    for (const FieldInfo& info : particle_fields)
        file.set("/", stored_attribute(info), std::uint8_t(layout_.fields.has(info.field)));
    file.set("/", "keep_every", layout_.keep_every);
    file.set("/", "open", std::uint8_t(layout_.open));
    file.set("/", "mirrors", std::uint8_t(layout_.mirrors));
    if (layout_.selected) {
        file.set("/", "selected", std::uint8_t(1));
        file.set("/", "boundary_moves", std::uint8_t(layout_.boundary_moves()));
        file.set("/", "whole_every", std::int32_t(layout_.whole_every));
    }
    write_blocks(file, layout_.blocks);

    const std::size_t boundary = layout_.groups.boundary_count();
    write_kinds(file, "boundary", boundary, level, layout_, [](std::size_t first, std::span<std::uint32_t> out) {
        std::iota(out.begin(), out.end(), static_cast<std::uint32_t>(first));
    });
    add_positions(file, "boundary/position", particles.position, {0, boundary});

    // Cells of ParaView: one vertex a particle, the same list for every frame.
    write_count_up(file, layout_.groups.particle_count(), level);
    write_file_atomically(geometry_path(dir_), file.take_bytes());
}

void FrameWriter::write(const Frame& frame) {
    const std::size_t begin = layout_.groups.fluid_begin(frame.id);
    check_order(frame, layout_, begin);
    if (structures_) structures_->take(frame);
    const bool is_whole = !options_.selection || options_.selection->is_whole(next_number_);
    if (const FieldSelection wanted = layout_.fields.from(FieldSource::least_squares); !wanted.empty())
        derived_ = flow_derivatives(frame, *options_.setup, wanted, options_.threads);
    const StoredRows rows(frame, begin, layout_.keep_every, is_whole ? nullptr : &*options_.selection);
    const FrameRows boundary = rows.boundary(), fluid = rows.fluid();

    constexpr std::size_t bytes_a_particle = 36;
    h5::MemoryFile file(bytes_a_particle * (boundary.count + fluid.count), &pool_);
    file.set("/", "number", std::int32_t(next_number_));
    file.set("/", "step", frame.step);
    file.set("/", "time", frame.time);
    const double due = sampling_time(frame.time);
    file.set("/", "sampling_time", due);
    add_positions(file, "fluid/position", frame.position, fluid);
    add_fields(file, "fluid", frame, fluid, layout_.fields.of_fluid());
    write_kinds(file, "fluid", fluid.count, options_.compression, layout_, fluid.of<std::uint32_t>(frame.id));
    add_boundary(file, frame, boundary);
    if (has_own_count_up(layout_, fluid.count)) write_count_up(file, fluid.count, options_.compression);
    write_links(file, frame.links);
    if (layout_.selected) {
        file.set("/", "left_out_boundary", rows.left_out().boundary);
        file.set("/", "left_out_fluid", rows.left_out().fluid);
    }
    const std::vector<std::byte> bytes = file.take_bytes();
    write_file_atomically(frame_path(dir_, next_number_), bytes);
    bytes_written_ += bytes.size();

    timeline_.push_back({next_number_, frame.step, frame.time, fluid.count, due, boundary.count, rows.left_out()});
    ++next_number_;
    timeline_is_old_ = true;
    if (timeline_is_cheap()) finish();
}

/// Of a run that selects particles each frame says which it holds, and where they are.
void FrameWriter::add_boundary(h5::MemoryFile& file, const Frame& frame, const FrameRows& rows) {
    add_fields(file, "boundary", frame, rows, layout_.boundary_fields());
    if (layout_.boundary_moves() || layout_.selected) add_positions(file, "boundary/position", frame.position, rows);
    if (layout_.selected)
        write_kinds(file, "boundary", rows.count, options_.compression, layout_, rows.of<std::uint32_t>(frame.id));
}

void FrameWriter::add_fields(h5::MemoryFile& file, const std::string& group, const Frame& frame, const FrameRows& rows,
                             const FieldSelection& wanted) {
    for_each_selected(wanted, [&](const FieldInfo& info) {
        const std::string path = fmt::format("{}/{}", group, info.name);
        if (info.field == Field::wall_pressure) return add_wall_pressure(file, path, frame, rows);
        if (info.source == FieldSource::structure) return add_of_structures(file, path, info, frame, rows);
        const Frame& held = info.source == FieldSource::least_squares ? derived_ : frame;
        with_values(held, info, [&]<class T>(const std::vector<T>& values) {
            file.write_compressed<T>(path, rows.count, options_.compression, rows.of<T>(values));
        });
    });
}

void FrameWriter::add_wall_pressure(h5::MemoryFile& file, const std::string& path, const Frame& frame,
                                    const FrameRows& rows) {
    const FluidInterpolator& fluid = near_walls_->of(frame); // stays until the bytes are taken
    file.write_compressed<float>(
        path, rows.count, options_.compression, [rows, &fluid, &frame](std::size_t first, std::span<float> out) {
            for (std::size_t k = 0; k < out.size(); ++k)
                out[k] = static_cast<float>(wall_pressure(fluid, frame.position[rows.at(first + k)]));
        });
}

void FrameWriter::add_of_structures(h5::MemoryFile& file, const std::string& path, const FieldInfo& info,
                                    const Frame& frame, const FrameRows& rows) {
    const auto add = [&]<class T>(std::vector<T> by_id) {
        file.write_compressed<T>(path, rows.count, options_.compression,
                                 [rows, &frame, values = std::move(by_id)](std::size_t first, std::span<T> out) {
                                     for (std::size_t k = 0; k < out.size(); ++k)
                                         out[k] = values[frame.id[rows.at(first + k)]];
                                 });
    };
    if (components_of(info) == 1)
        add(structures_->numbers(info.field));
    else
        add(structures_->vectors(info.field));
}

void FrameWriter::add_positions(h5::MemoryFile& file, const std::string& path, const std::vector<Vec3d>& positions,
                                const FrameRows& rows) const {
    if (options_.positions_double) {
        file.write_compressed<Vec3d>(path, rows.count, options_.compression, rows.of<Vec3d>(positions));
        return;
    }
    file.write_compressed<Vec3f>(path, rows.count, options_.compression,
                                 [rows, &positions](std::size_t first, std::span<Vec3f> out) {
                                     for (std::size_t k = 0; k < out.size(); ++k)
                                         out[k] = vec_cast<float>(positions[rows.at(first + k)]);
                                 });
}

} // namespace sluice
