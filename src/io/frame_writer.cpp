// SPDX-License-Identifier: Apache-2.0
#include "io/frame_writer.h"
#include "core/error.h"
#include "core/log.h"
#include "io/file.h"
#include "io/frame_store.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace sluice {
namespace {

/// Rounding of single-precision positions that is still invisible, in particle spacings.
constexpr double allowed_blur = 1e-3;

/// The cost of the timeline grows with its length; up to here it is a few milliseconds.
constexpr std::size_t frames_with_immediate_timeline = 50;

template <class T>
std::vector<T> slice(const std::vector<T>& values, std::size_t begin, std::size_t end) {
    return {values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)};
}

bool single_precision_blurs(const ParticleSet& particles) {
    double largest = 0;
    for (const Vec3d& p : particles.position)
        largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    return largest * std::numeric_limits<float>::epsilon() / 2 > allowed_blur * particles.dp;
}

/// Calls `use(block)` for each id; both go up, so that one pass over the blocks is enough.
template <class Use>
void for_each_block(const std::vector<ParticleBlock>& blocks, const std::vector<std::uint32_t>& ids, Use&& use) {
    auto block = blocks.begin();
    for (const std::uint32_t id : ids) {
        while (block != blocks.end() && id >= block->begin + block->count) ++block;
        if (block == blocks.end() || id < block->begin)
            throw RunError(fmt::format("frame: particle {} belongs to no mk block", id));
        use(*block);
    }
}

void write_kinds(h5::MemoryFile& file, const std::string& group, const std::vector<ParticleBlock>& blocks,
                 const std::vector<std::uint32_t>& ids, h5::Storage storage) {
    std::vector<std::uint16_t> mk;
    std::vector<std::uint8_t> type;
    mk.reserve(ids.size());
    type.reserve(ids.size());
    for_each_block(blocks, ids, [&](const ParticleBlock& block) {
        mk.push_back(static_cast<std::uint16_t>(block.mk));
        type.push_back(static_cast<std::uint8_t>(block.type));
    });
    file.write(group + "/id", ids, storage);
    file.write(group + "/mk", mk, storage);
    file.write(group + "/type", type, storage);
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
    file.write_table("blocks/kind", kinds, 3);
    file.write_table("blocks/range", ranges, 2);
    file.write("blocks/bounds", bounds);
}

void check_order(const Frame& frame, const ParticleLayout& layout, std::size_t boundary) {
    const std::size_t n = frame.size();
    if (frame.position.size() != n || frame.velocity.size() != n || frame.density.size() != n ||
        frame.pressure.size() != n)
        throw RunError(fmt::format("frame {}: its arrays differ in length", frame.number));
    if (!std::is_sorted(frame.id.begin(), frame.id.end()))
        throw RunError(fmt::format("frame {}: particles are not in the order of their ids", frame.number));
    if (boundary != layout.boundary_count)
        throw RunError(fmt::format("frame {}: {} boundary particles instead of {}", frame.number, boundary,
                                   layout.boundary_count));
}

/// The boundary, and one in `every` of the fluid particles.
Frame thin_out(const Frame& frame, std::size_t begin, std::uint32_t every) {
    Frame kept{frame.number, frame.step, frame.time, {}, {}, {}, {}, {}};
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (i >= begin && !is_chosen(frame.id[i], every)) continue;
        kept.id.push_back(frame.id[i]);
        kept.position.push_back(frame.position[i]);
        kept.velocity.push_back(frame.velocity[i]);
        kept.density.push_back(frame.density[i]);
        kept.pressure.push_back(frame.pressure[i]);
    }
    return kept;
}

} // namespace

bool is_chosen(std::uint32_t id, std::uint32_t stride) {
    const std::uint32_t group = id / stride;
    const std::uint32_t mixed = (group * 2654435761u) >> 7;
    return id % stride == mixed % stride;
}

std::size_t fluid_begin(const Frame& frame, std::uint32_t boundary_count) {
    return static_cast<std::size_t>(std::lower_bound(frame.id.begin(), frame.id.end(), boundary_count) -
                                    frame.id.begin());
}

bool ParticleLayout::boundary_moves() const {
    return std::any_of(blocks.begin(), blocks.end(), [](const ParticleBlock& block) {
        return block.type == ParticleType::moving || block.type == ParticleType::floating;
    });
}

ParticleLayout layout_of(const ParticleSet& particles) {
    return {particles.dp, particles.two_d, particles.boundary_count, particles.size(), particles.blocks, {}, 1};
}

FrameWriter::FrameWriter(const std::filesystem::path& dir, const ParticleSet& particles, FrameOptions options)
    : dir_(dir), layout_(layout_of(particles)), options_(options) {
    layout_.fields = options.fields;
    layout_.keep_every = options.keep_every;
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
    std::filesystem::remove(dir_ / "fluid.vtkhdf");
    std::filesystem::remove(dir_ / "boundary.vtkhdf");
}

void FrameWriter::write_geometry(const ParticleSet& particles) {
    h5::MemoryFile file;
    const h5::Storage storage{options_.compression};
    file.set("/", "dp", layout_.dp);
    file.set("/", "positions_double", std::uint8_t(options_.positions_double));
    file.set("/", "two_d", std::uint8_t(layout_.two_d));
    file.set("/", "boundary_count", layout_.boundary_count);
    file.set("/", "total", layout_.total);
    file.set("/", "has_velocity", std::uint8_t(layout_.fields.velocity));
    file.set("/", "has_density", std::uint8_t(layout_.fields.density));
    file.set("/", "has_pressure", std::uint8_t(layout_.fields.pressure));
    file.set("/", "keep_every", layout_.keep_every);
    write_blocks(file, layout_.blocks);

    std::vector<std::uint32_t> ids(layout_.boundary_count);
    std::iota(ids.begin(), ids.end(), 0u);
    write_kinds(file, "boundary", layout_.blocks, ids, storage);
    write_positions(file, "boundary/position", particles.position.data(), layout_.boundary_count);

    // Cells of ParaView: one vertex a particle, the same list for every frame.
    std::vector<std::int64_t> count_up(std::size_t{layout_.total} + 2);
    std::iota(count_up.begin(), count_up.end(), std::int64_t{0});
    file.write("topology/count_up", count_up, {std::max(options_.compression, 1)});
    write_file_atomically(geometry_path(dir_), file.take_bytes());
}

void FrameWriter::write(const Frame& whole) {
    const std::size_t begin = fluid_begin(whole, layout_.boundary_count);
    check_order(whole, layout_, begin);
    const Frame thinned = layout_.keep_every > 1 ? thin_out(whole, begin, layout_.keep_every) : Frame{};
    const Frame& frame = layout_.keep_every > 1 ? thinned : whole;
    if (!timeline_.empty() && frame.number <= timeline_.back().number)
        throw RunError(fmt::format("frame {}: written after frame {}", frame.number, timeline_.back().number));

    h5::MemoryFile file;
    file.set("/", "number", std::int32_t(frame.number));
    file.set("/", "step", frame.step);
    file.set("/", "time", frame.time);
    add_fluid(file, frame, begin);
    add_boundary(file, frame);
    const std::vector<std::byte> bytes = file.take_bytes();
    write_file_atomically(frame_path(dir_, frame.number), bytes);
    bytes_written_ += bytes.size();

    timeline_.push_back({frame.number, frame.step, frame.time, frame.size() - begin});
    timeline_is_old_ = true;
    if (timeline_is_cheap()) finish();
}

void FrameWriter::add_fluid(h5::MemoryFile& file, const Frame& frame, std::size_t begin) const {
    const h5::Storage storage{options_.compression};
    const std::size_t end = frame.size();
    write_kinds(file, "fluid", layout_.blocks, slice(frame.id, begin, end), storage);
    write_positions(file, "fluid/position", frame.position.data() + begin, end - begin);
    write_fields(file, "fluid", frame, begin, end, true);
}

void FrameWriter::add_boundary(h5::MemoryFile& file, const Frame& frame) const {
    const std::size_t count = layout_.boundary_count;
    const bool moves = layout_.boundary_moves();
    write_fields(file, "boundary", frame, 0, count, moves);
    if (moves) write_positions(file, "boundary/position", frame.position.data(), count);
}

void FrameWriter::write_fields(h5::MemoryFile& file, const std::string& group, const Frame& frame, std::size_t begin,
                               std::size_t end, bool velocity) const {
    const h5::Storage storage{options_.compression};
    const StoredFields& wanted = layout_.fields;
    if (wanted.velocity && velocity) file.write(group + "/velocity", slice(frame.velocity, begin, end), storage);
    if (wanted.density) file.write(group + "/density", slice(frame.density, begin, end), storage);
    if (wanted.pressure) file.write(group + "/pressure", slice(frame.pressure, begin, end), storage);
}

void FrameWriter::write_positions(h5::MemoryFile& file, const std::string& path, const Vec3d* first,
                                  std::size_t count) const {
    const h5::Storage storage{options_.compression};
    if (options_.positions_double) {
        file.write(path, std::vector<Vec3d>(first, first + count), storage);
        return;
    }
    std::vector<Vec3f> rounded(count);
    std::transform(first, first + count, rounded.begin(), [](const Vec3d& p) { return vec_cast<float>(p); });
    file.write(path, rounded, storage);
}

} // namespace sluice
