// SPDX-License-Identifier: Apache-2.0
#include "io/surfaces/wall_surfaces.h"

#include "core/error.h"
#include "core/extent.h"
#include "core/log.h"
#include "geometry/mesh_file.h"
#include "io/files/file.h"
#include "io/frames/frame_reader.h"
#include "io/frames/numbered_files.h"
#include "io/measures/forces.h"
#include "io/records/run_json.h"
#include "io/surfaces/surface.h"
#include "model/derive.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace sluice {

namespace {

std::vector<const ParticleBlock*> chosen_blocks(const ParticleLayout& layout, const std::vector<int>& mks) {
    std::vector<const ParticleBlock*> blocks;
    for (const ParticleBlock& block : layout.blocks)
        if (!block.is_fluid() && (mks.empty() || std::find(mks.begin(), mks.end(), block.mk_type) != mks.end()))
            blocks.push_back(&block);
    for (const int mk : mks)
        if (std::none_of(blocks.begin(), blocks.end(), [&](const ParticleBlock* b) { return b->mk_type == mk; }))
            throw InputError(fmt::format("walls: --mkbound: the run has no mkbound {}; it has {}", mk,
                                         list_of_mks(layout.blocks, false)));
    if (blocks.empty()) throw InputError("walls: the run has no boundary particles");
    return blocks;
}

/// The places of the particles of a block, by id.
std::vector<Vec3d> places_of(const Frame& frame, const ParticleBlock& block) {
    const auto begin = std::lower_bound(frame.id.begin(), frame.id.end(), block.begin);
    const auto end = std::lower_bound(begin, frame.id.end(), block.begin + block.count);
    return {frame.position.begin() + (begin - frame.id.begin()), frame.position.begin() + (end - frame.id.begin())};
}

/// A body that lies across a periodic side, whole again: its particles beside the first of them.
void join_across_sides(std::vector<Vec3d>& places, const ParticleBlock& block, const RunSetup& setup) {
    for (int axis = 0; axis < 3; ++axis) {
        const double period = setup.domain.max[axis] - setup.domain.min[axis];
        if (!setup.period.periodic[axis] || !(norm(block.max - block.min) < period / 2)) continue;
        for (Vec3d& p : places) p[axis] -= period * std::round((p[axis] - places.front()[axis]) / period);
    }
}

/// Warns where what was drawn and the particles do not fill the same box.
void compare(const ParticleBlock& block, const SurfaceMesh& mesh, const std::vector<Vec3d>& particles, double dp,
             bool two_d) {
    constexpr double usual = 2; // in dp: the particles lie on the lattice, some layers of them outside
    Extent drawn, there;
    std::visit(
        [&](const auto& m) {
            for (const Vec3d& p : m.points) drawn.add(p);
        },
        mesh);
    for (const Vec3d& p : particles) there.add(p);
    double most = 0;
    for (int axis = 0; axis < 3; ++axis)
        if (!(two_d && axis == 1))
            most = std::max(
                {most, std::abs(drawn.min[axis] - there.min[axis]), std::abs(drawn.max[axis] - there.max[axis])});
    if (most > usual * dp)
        spdlog::warn("warning: mkbound {}: what the case drew and the particles differ by up to {:.3g} m, as where a "
                     "drawing is partly erased or has layers; --shape particles follows the particles",
                     block.mk_type, most);
}

} // namespace

MovedWall::MovedWall(const WallSurfaceJob& job, const ParticleLayout& layout, const RunSetup& setup,
                     const ParticleBlock& block, const Frame& drawn)
    : setup_(setup), block_(block), selected_(layout.selected), start_(places_of(drawn, block)),
      surface_(mesh(job, layout), start_, layout.dp, layout.two_d) {}

std::string MovedWall::name() const { return fmt::format("mkbound_{}", block_.mk_type); }

bool MovedWall::stands_still_in(const Frame& frame) const {
    return block_.type == ParticleType::fixed && rests_in(frame);
}

/// Whether those of its particles that the frame holds are where they were drawn.
bool MovedWall::rests_in(const Frame& frame) const {
    // What was drawn and what was stored of it may differ by rounding.
    const double most = selected_ ? 1e-3 * setup_.constants.dp : 0;
    const std::vector<Vec3d> places = places_of(frame, block_);
    auto id = std::lower_bound(frame.id.begin(), frame.id.end(), block_.begin);
    return std::all_of(places.begin(), places.end(),
                       [&](const Vec3d& p) { return norm(p - start_[*id++ - block_.begin]) <= most; });
}

SurfaceMesh MovedWall::in(const Frame& frame) const {
    std::vector<Vec3d> places = places_of(frame, block_);
    if (places.size() != start_.size()) {
        const std::string what = fmt::format("walls: frame {} has {} of the {} particles of mkbound {}", frame.number,
                                             places.size(), start_.size(), block_.mk_type);
        if (!selected_) throw RunError(what + ": it is damaged");
        if (!stands_still_in(frame))
            throw InputError(what + ", as outputparts of the case leaves out the others; choose other frames or, with "
                                    "--mkbound, other walls");
        places = start_;
    }
    join_across_sides(places, block_, setup_);
    return surface_.at(places);
}

SurfaceMesh MovedWall::mesh(const WallSurfaceJob& job, const ParticleLayout& layout) const {
    const auto drawn = job.drawn.find(block_.mk_type);
    const bool is_drawn = drawn != job.drawn.end();
    if (job.shape == WallShape::particles || !is_drawn) {
        if (job.shape == WallShape::drawn)
            spdlog::info("mkbound {}: was not drawn by shapes with a surface; that around its particles is written",
                         block_.mk_type);
        return surface_around(start_, layout.dp, layout.two_d, job.spacing > 0 ? job.spacing : layout.dp / 2);
    }
    SurfaceMesh mesh = mesh_of(drawn->second, layout.two_d);
    compare(block_, mesh, start_, layout.dp, layout.two_d);
    return mesh;
}

std::vector<MovedWall> moved_walls(const WallSurfaceJob& job, const ParticleLayout& layout, const RunSetup& setup) {
    const std::vector<const ParticleBlock*> blocks = chosen_blocks(layout, job.mk_bound);
    const Frame drawn = layout.selected ? read_drawn_boundary(job.dir) : read_frame(job.dir, 0);
    std::vector<MovedWall> walls;
    for (const ParticleBlock* block : blocks) walls.emplace_back(job, layout, setup, *block, drawn);
    return walls;
}

SurfaceMesh mesh_of(const DrawnWall& wall, bool two_d) {
    Mesh welded;
    for (const Facet& f : wall.facets) {
        const auto first = static_cast<std::uint32_t>(welded.points.size());
        welded.points.insert(welded.points.end(), f.begin(), f.end());
        welded.triangles.push_back({first, first + 1, first + 2});
    }
    for (const auto& [a, b] : wall.lines) {
        const auto first = static_cast<std::uint32_t>(welded.points.size());
        welded.points.insert(welded.points.end(), {a, b});
        welded.lines.push_back({first, first + 1});
    }
    weld_vertices(welded);
    std::map<std::array<double, 3>, int> places; // welded points are equal
    std::vector<Vec3d> points;
    const auto at = [&](std::uint32_t point) {
        const Vec3d& p = welded.points[point];
        const auto [found, is_new] = places.try_emplace({p.x, p.y, p.z}, static_cast<int>(points.size()));
        if (is_new) points.push_back(p);
        return found->second;
    };
    if (two_d) {
        LineMesh mesh;
        for (const auto& [a, b] : welded.lines)
            if (const int from = at(b), to = at(a); from != to) // the body on the left, its normals on the right
                mesh.lines.push_back({from, to});
        mesh.points = std::move(points);
        return mesh;
    }
    TriangleMesh mesh;
    for (const auto& [a, b, c] : welded.triangles)
        if (const Vec3i t{at(a), at(b), at(c)}; t.x != t.y && t.y != t.z && t.z != t.x) mesh.triangles.push_back(t);
    mesh.points = std::move(points);
    return mesh;
}

SurfaceMesh surface_around(const std::vector<Vec3d>& particles, double dp, bool two_d, double spacing) {
    sph::Constants constants;
    constants.two_d = two_d;
    constants.dp = dp;
    constants.h = dp; // of a single layer, too, more than half counts
    constants.c0 = 1;
    sph::derive(constants);
    Frame frame;
    for (const Vec3d& p : particles) {
        frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
        frame.position.push_back(p);
    }
    frame.density.assign(frame.size(), static_cast<float>(constants.mass_fluid / (two_d ? dp * dp : dp * dp * dp)));
    const ParticleGroups groups = ParticleGroups::of(0, static_cast<std::uint32_t>(frame.size()), constants.mass_fluid);
    return fluid_surface(fluid_fraction_field(frame, groups, constants, spacing), surface_level, two_d);
}

int write_wall_surfaces(const WallSurfaceJob& job) {
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    require_format(job.dir, job.format, layout.two_d);
    const RunSetup setup = read_run_setup(job.dir / "run.json");
    const std::vector<MovedWall> walls = moved_walls(job, layout, setup);
    std::vector<std::string> names;
    for (const MovedWall& wall : walls) names.push_back(wall.name());
    const std::string suffix = suffix_of(job.format);
    const EarlierFiles earlier(job.out, names, suffix, frames, job.overwrite);
    make_folder(job.out);
    std::vector<std::vector<TimedFile>> files(walls.size());
    std::vector<char> stood(walls.size(), false); // in the frame before
    for (const FrameEntry& entry : frames) {
        const Frame frame = read_frame(job.dir, entry.number);
        for (std::size_t k = 0; k < walls.size(); ++k) {
            const std::string file = numbered_file(names[k], entry.number, suffix);
            const bool still = walls[k].stands_still_in(frame), written = std::exchange(stood[k], still) && still;
            if (written) {
                std::filesystem::remove(job.out / file); // of an earlier call
                continue;
            }
            files[k].push_back({entry.sampling_time, file});
            write_surface_file(job.out / file, job.format, walls[k].in(frame));
        }
    }
    earlier.remove();
    for (std::size_t k = 0; k < walls.size() && job.format == SurfaceFormat::vtp; ++k)
        write_pvd(job.out / fmt::format("{}.pvd", names[k]), files[k]);
    return static_cast<int>(frames.size());
}

} // namespace sluice
