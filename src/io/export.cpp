// SPDX-License-Identifier: Apache-2.0
#include "io/export.h"
#include "core/error.h"
#include "io/file.h"
#include "io/frame_reader.h"
#include "io/vtp.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace sluice {
namespace {

namespace fs = std::filesystem;

/// Boundary or fluid of a frame.
struct Part {
    const char* name;
    std::size_t begin, end;
};

template <class T>
std::vector<T> slice(const std::vector<T>& values, const Part& part) {
    return {values.begin() + static_cast<std::ptrdiff_t>(part.begin),
            values.begin() + static_cast<std::ptrdiff_t>(part.end)};
}

struct Kinds {
    std::vector<std::uint16_t> mk;
    std::vector<std::uint8_t> type;
};

Kinds kinds_of(const Frame& frame, const Part& part, const ParticleLayout& layout) {
    Kinds kinds;
    auto block = layout.blocks.begin();
    for (std::size_t i = part.begin; i < part.end; ++i) {
        while (block != layout.blocks.end() && frame.id[i] >= block->begin + block->count) ++block;
        const bool known = block != layout.blocks.end();
        kinds.mk.push_back(known ? static_cast<std::uint16_t>(block->mk) : std::uint16_t{0});
        kinds.type.push_back(known ? static_cast<std::uint8_t>(block->type) : std::uint8_t{0});
    }
    return kinds;
}

void write_part_vtp(const fs::path& path, const Frame& frame, const Part& part, const ParticleLayout& layout) {
    const Kinds kinds = kinds_of(frame, part, layout);
    std::vector<VtpArray> arrays{{"id", slice(frame.id, part)}, {"mk", kinds.mk}, {"type", kinds.type}};
    if (layout.fields.velocity) arrays.push_back({"velocity", slice(frame.velocity, part)});
    if (layout.fields.density) arrays.push_back({"density", slice(frame.density, part)});
    if (layout.fields.pressure) arrays.push_back({"pressure", slice(frame.pressure, part)});
    write_vtp(path, {"position", slice(frame.position, part)}, arrays);
}

void write_part_csv(const fs::path& path, const Frame& frame, const Part& part, const ParticleLayout& layout) {
    const Kinds kinds = kinds_of(frame, part, layout);
    std::string text = fmt::format("# frame {}, step {}, time {} s\n", frame.number, frame.step, frame.time);
    text += "id,mk,type,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s],density [kg/m3],pressure [Pa]\n";
    for (std::size_t i = part.begin; i < part.end; ++i) {
        const Vec3d& p = frame.position[i];
        const Vec3f& v = frame.velocity[i];
        const std::size_t k = i - part.begin;
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{}\n", frame.id[i], kinds.mk[k],
                       kinds.type[k], p.x, p.y, p.z, v.x, v.y, v.z, frame.density[i], frame.pressure[i]);
    }
    write_file_atomically(path, text);
}

std::string file_name(const char* part, int number, const char* suffix) {
    return fmt::format("{}_{:06}.{}", part, number, suffix);
}

void write_collection(const fs::path& out, const char* part, const std::vector<FrameEntry>& frames) {
    std::vector<TimedFile> files;
    for (const FrameEntry& frame : frames) files.push_back({frame.time, file_name(part, frame.number, "vtp")});
    write_pvd(out / fmt::format("{}.pvd", part), files);
}

} // namespace

void write_particles_vtp(const fs::path& path, const Frame& frame, const ParticleLayout& layout) {
    write_part_vtp(path, frame, {"particles", 0, frame.size()}, layout);
}

int export_frames(const ExportJob& job) {
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    make_folder(job.out);
    const bool vtp = job.format == ExportFormat::vtp;
    for (const FrameEntry& entry : frames) {
        const Frame frame = read_frame(job.dir, entry.number);
        const std::size_t begin = layout.groups.fluid_begin(frame.id);
        std::vector<Part> parts{{"fluid", begin, frame.size()}};
        if (job.boundary) parts.push_back({"boundary", 0, begin});
        for (const Part& part : parts) {
            const fs::path path = job.out / file_name(part.name, entry.number, vtp ? "vtp" : "csv");
            vtp ? write_part_vtp(path, frame, part, layout) : write_part_csv(path, frame, part, layout);
        }
    }
    if (vtp) write_collection(job.out, "fluid", frames);
    if (vtp && job.boundary) write_collection(job.out, "boundary", frames);
    return static_cast<int>(frames.size());
}

} // namespace sluice
