// SPDX-License-Identifier: Apache-2.0
#include "io/measures/export.h"
#include "core/error.h"
#include "core/log.h"
#include "core/numbers.h"
#include "io/files/file.h"
#include "io/files/vtp.h"
#include "io/fluid/followed.h"
#include "io/frames/frame_reader.h"
#include "io/frames/numbered_files.h"
#include "io/measures/forces.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>

namespace sluice {
namespace {

namespace fs = std::filesystem;

/// Particles of a frame that become one file.
struct Part {
    const char* name;
    FieldSelection fields;         ///< that its particles have
    std::vector<std::size_t> rows; ///< places in the frame
};

template <class T>
std::vector<T> taken(const std::vector<T>& values, const Part& part) {
    std::vector<T> rows;
    rows.reserve(part.rows.size());
    for (const std::size_t row : part.rows) rows.push_back(values[row]);
    return rows;
}

bool holds(const std::vector<int>& list, int value) { return std::find(list.begin(), list.end(), value) != list.end(); }

/// What of the run is asked for, block by block.
class Selection {
public:
    Selection(const ExportJob& job, const ParticleLayout& layout) : box_(job.selection.box), two_d_(layout.two_d) {
        const auto& [mk_fluid, mk_bound, box] = job.selection;
        const bool everything = mk_fluid.empty() && mk_bound.empty();
        for (const ParticleBlock& block : layout.blocks)
            wanted_.push_back(block.type == ParticleType::fluid ? everything || holds(mk_fluid, block.mk_type)
                                                                : job.boundary || holds(mk_bound, block.mk_type));
        require_blocks(layout, mk_fluid, true);
        require_blocks(layout, mk_bound, false);
        boundary_ = job.boundary || !mk_bound.empty();
        fluid_ = everything || !mk_fluid.empty();
    }

    std::vector<Part> parts(const Frame& frame, const ParticleLayout& layout) const {
        const std::size_t begin = layout.groups.fluid_begin(frame.id);
        std::vector<Part> parts;
        if (fluid_) parts.push_back({"fluid", layout.fields.of_fluid(), rows(frame, layout, begin, frame.size())});
        if (boundary_) parts.push_back({"boundary", layout.fields.of_boundary(), rows(frame, layout, 0, begin)});
        return parts;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        if (fluid_) names.push_back("fluid");
        if (boundary_) names.push_back("boundary");
        return names;
    }

private:
    static void require_blocks(const ParticleLayout& layout, const std::vector<int>& mks, bool fluid) {
        for (const int mk : mks)
            if (std::none_of(layout.blocks.begin(), layout.blocks.end(), [&](const ParticleBlock& block) {
                    return (block.type == ParticleType::fluid) == fluid && block.mk_type == mk;
                }))
                throw InputError(fmt::format("export: the run has no {} {}; it has {}", fluid ? "mkfluid" : "mkbound",
                                             mk, list_of_mks(layout.blocks, fluid)));
    }
    std::vector<std::size_t> rows(const Frame& frame, const ParticleLayout& layout, std::size_t begin,
                                  std::size_t end) const {
        std::vector<std::size_t> rows;
        BlockOfIds block_of(layout);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t block = block_of(frame.id[i]);
            if (block < layout.blocks.size() && wanted_[block] && is_inside(frame.position[i])) rows.push_back(i);
        }
        return rows;
    }
    bool is_inside(const Vec3d& p) const { return !box_ || in_box(*box_, p, two_d_); }

    std::optional<Box> box_;
    bool two_d_, fluid_ = true, boundary_ = false;
    std::vector<bool> wanted_; ///< of each block
};

Part everything(const Frame& frame, const ParticleLayout& layout) {
    Part part{"particles", layout.fields, std::vector<std::size_t>(frame.size())};
    std::iota(part.rows.begin(), part.rows.end(), std::size_t{0});
    return part;
}

struct Kinds {
    std::vector<std::uint16_t> mk;
    std::vector<std::uint8_t> type;
};

Kinds kinds_of(const Frame& frame, const Part& part, const ParticleLayout& layout) {
    Kinds kinds;
    BlockOfIds block_of(layout);
    for (const std::size_t i : part.rows) {
        const std::size_t block = block_of(frame.id[i]);
        const bool known = block < layout.blocks.size();
        kinds.mk.push_back(known ? static_cast<std::uint16_t>(layout.blocks[block].mk) : std::uint16_t{0});
        kinds.type.push_back(known ? static_cast<std::uint8_t>(layout.blocks[block].type) : std::uint8_t{0});
    }
    return kinds;
}

void write_part_vtp(const fs::path& path, const Frame& frame, const Part& part, const ParticleLayout& layout,
                    std::vector<VtpArray> more = {}) {
    const Kinds kinds = kinds_of(frame, part, layout);
    std::vector<VtpArray> arrays{{"id", taken(frame.id, part)}, {"mk", kinds.mk}, {"type", kinds.type}};
    for_each_selected(part.fields, [&](const FieldInfo& info) {
        with_values(frame, info, [&](const auto& values) {
            arrays.push_back({std::string(info.name), taken(values, part)});
        });
    });
    std::move(more.begin(), more.end(), std::back_inserter(arrays));
    write_vtp(path, {"position", taken(frame.position, part)}, arrays);
}

void append_cells(std::string& text, float value) { fmt::format_to(std::back_inserter(text), ",{}", value); }
void append_cells(std::string& text, const Vec3f& v) {
    fmt::format_to(std::back_inserter(text), ",{},{},{}", v.x, v.y, v.z);
}

void write_part_csv(const fs::path& path, const Frame& frame, const Part& part, const ParticleLayout& layout) {
    const Kinds kinds = kinds_of(frame, part, layout);
    std::string text = fmt::format("# frame {}, step {}, time {} s\n", frame.number, frame.step, frame.time);
    const FieldSelection columns = state_fields | part.fields; // nan where not stored
    text += "id,mk,type,x [m],y [m],z [m]";
    for_each_selected(columns, [&](const FieldInfo& info) {
        for (const std::string& title : column_titles(info)) text += "," + title;
    });
    text += '\n';
    for (std::size_t k = 0; k < part.rows.size(); ++k) {
        const std::size_t i = part.rows[k];
        const Vec3d& p = frame.position[i];
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}", frame.id[i], kinds.mk[k], kinds.type[k], p.x, p.y,
                       p.z);
        for_each_selected(columns, [&](const FieldInfo& info) {
            with_values(frame, info, [&](const auto& values) { append_cells(text, values[i]); });
        });
        text += '\n';
    }
    write_file_atomically(path, text);
}

void write_collection(const fs::path& out, const std::string& part, const std::vector<FrameEntry>& frames) {
    std::vector<TimedFile> files;
    for (const FrameEntry& frame : frames)
        files.push_back({frame.sampling_time, numbered_file(part, frame.number, "vtp")});
    write_pvd(out / fmt::format("{}.pvd", part), files);
}

} // namespace

void write_particles_vtp(const fs::path& path, const Frame& frame, const ParticleLayout& layout,
                         const std::vector<Vec3f>& normals) {
    std::vector<VtpArray> more;
    if (!normals.empty()) {
        std::vector<Vec3f> values(frame.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            if (frame.id[i] < normals.size()) values[i] = normals[frame.id[i]];
        more.push_back({"normal", std::move(values)});
    }
    write_part_vtp(path, frame, everything(frame, layout), layout, std::move(more));
}

int export_frames(const ExportJob& job) {
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    const Selection selection(job, layout);
    const bool vtp = job.format == ExportFormat::vtp;
    const std::string suffix = vtp ? "vtp" : "csv";
    const EarlierFiles earlier(job.out, selection.names(), suffix, frames, job.overwrite);
    make_folder(job.out);
    std::size_t particles = 0;
    for (const FrameEntry& entry : frames) {
        const Frame frame = read_frame(job.dir, entry.number);
        for (const Part& part : selection.parts(frame, layout)) {
            particles += part.rows.size();
            const fs::path path = job.out / numbered_file(part.name, entry.number, suffix);
            vtp ? write_part_vtp(path, frame, part, layout) : write_part_csv(path, frame, part, layout);
        }
    }
    if (particles == 0) spdlog::warn("warning: none of the chosen particles lies in --box: all tables are empty");
    earlier.remove();
    if (vtp)
        for (const std::string& name : selection.names()) write_collection(job.out, name, frames);
    return static_cast<int>(frames.size());
}

} // namespace sluice
