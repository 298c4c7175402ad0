// SPDX-License-Identifier: Apache-2.0
#include "io/surfaces/scene.h"

#include "core/error.h"
#include "core/log.h"
#include "io/files/file.h"
#include "io/files/vtp.h"
#include "io/frames/frame_reader.h"
#include "io/records/run_json.h"
#include "io/surfaces/slice.h"
#include "io/surfaces/surface.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace sluice {

namespace {

/// What all objects of a scene are made from.
struct SceneRun {
    const SceneJob& job;
    const ParticleLayout& layout;
    const RunSetup& setup;
    bool has_velocities() const { return layout.fields.has(Field::velocity); }
};

/// The surface of the fluid as an object.
class FluidObject {
public:
    FluidObject(const SceneRun& run, AlembicWriter& file)
        : run_(run), file_(file), object_(file.add_mesh("fluid", run.has_velocities())) {}

    void add(int number) {
        const double spacing = run_.job.spacing > 0 ? run_.job.spacing : run_.layout.dp;
        const Frame frame = frame_for_surfaces(run_.job.dir, number, run_.setup, spacing);
        const TriangleMesh mesh = surface_in(frame, spacing);
        std::vector<VtpArray> values;
        if (run_.has_velocities()) {
            const FluidInterpolator fluid(frame, run_.setup.groups, run_.setup.constants, boxes_at(mesh.points));
            values = values_at(mesh.points, fluid, {Field::velocity}, 0);
        }
        file_.set(object_, MeshSample{mesh.points, mesh.triangles,
                                      values.empty() ? std::span<const Vec3f>()
                                                     : std::get<std::vector<Vec3f>>(values.front().values)});
    }

private:
    TriangleMesh surface_in(const Frame& frame, double spacing) const {
        if (run_.setup.groups.fluid_begin(frame.id) == frame.size()) return {};
        SurfaceMesh mesh;
        if (run_.layout.two_d) {
            const FluidInterpolator fluid(frame, run_.setup.groups, run_.setup.constants);
            mesh = fluid_area(fluid, {frame.position[fluid.fluid_begin()], {0, -1, 0}}, spacing);
        } else {
            const LatticeField fraction = fluid_fraction_field(frame, run_.setup.groups, run_.setup.constants, spacing);
            mesh = fluid_surface(fraction, run_.job.level, false);
        }
        return std::get<TriangleMesh>(between_periodic_faces(std::move(mesh), run_.setup));
    }

    const SceneRun& run_;
    AlembicWriter& file_;
    int object_;
};

/// Walls and bodies as objects.
class WallObjects {
public:
    WallObjects(const SceneRun& run, AlembicWriter& file) : file_(file) {
        WallSurfaceJob job;
        job.dir = run.job.dir;
        job.shape = run.job.shape;
        job.drawn = run.job.drawn;
        job.mk_bound = run.job.mk_bound;
        walls_ = moved_walls(job, run.layout, run.setup);
        for (const MovedWall& wall : walls_) objects_.push_back(file.add_mesh(wall.name(), false));
    }

    void add(const Frame& frame) {
        for (std::size_t k = 0; k < walls_.size(); ++k) {
            const TriangleMesh mesh = std::get<TriangleMesh>(walls_[k].in(frame));
            file_.set(objects_[k], MeshSample{mesh.points, mesh.triangles, {}});
        }
    }

private:
    AlembicWriter& file_;
    std::vector<MovedWall> walls_;
    std::vector<int> objects_;
};

/// The fluid particles of a frame as a sample.
void add_points(AlembicWriter& file, int object, const Frame& frame, const SceneRun& run) {
    const auto begin = static_cast<std::ptrdiff_t>(run.setup.groups.fluid_begin(frame.id));
    const auto tail = [begin]<class T>(const std::vector<T>& values) {
        return std::span<const T>(values.begin() + begin, values.end());
    };
    file.set(object, PointsSample{tail(frame.position), tail(frame.id),
                                  run.has_velocities() ? tail(frame.velocity) : std::span<const Vec3f>()});
}

/// The parts that a run can have.
std::vector<ScenePart> possible_parts(const SceneJob& job, const ParticleLayout& layout) {
    std::vector<ScenePart> parts = job.parts;
    const bool has_walls = job.has(ScenePart::walls);
    if (has_walls && layout.two_d) spdlog::info("walls of a two-dimensional run are lines, which are left out");
    if (layout.two_d || layout.groups.boundary_count() == 0) std::erase(parts, ScenePart::walls);
    return parts;
}

} // namespace

bool SceneJob::has(ScenePart part) const { return std::ranges::find(parts, part) != parts.end(); }

int write_scene(const SceneJob& wanted) {
    if (wanted.out.extension() != ".abc")
        throw InputError(fmt::format("{}: unknown suffix; a scene is written as .abc", wanted.out.string()));
    const std::vector<FrameEntry> frames = choose_frames(wanted.dir, wanted.first, wanted.last, wanted.every);
    const ParticleLayout layout = read_layout(wanted.dir);
    SceneJob job = wanted;
    job.parts = possible_parts(wanted, layout);
    if (job.has(ScenePart::surface)) {
        require_stored(job.dir, layout, {Field::density});
        warn_of_left_out(job.dir, layout, frames);
    }
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    const SceneRun run{job, layout, setup};
    std::vector<double> times;
    for (const FrameEntry& entry : frames) times.push_back(entry.sampling_time);
    if (job.out.has_parent_path()) make_folder(job.out.parent_path());
    AlembicWriter file(job.out, times, job.up);
    std::optional<FluidObject> fluid;
    std::optional<WallObjects> walls;
    std::optional<int> points;
    if (job.has(ScenePart::surface)) fluid.emplace(run, file);
    if (job.has(ScenePart::walls)) walls.emplace(run, file);
    if (job.has(ScenePart::points)) points = file.add_points("points", run.has_velocities(), layout.dp);
    for (const FrameEntry& entry : frames) {
        if (fluid) fluid->add(entry.number);
        if (!walls && !points) continue;
        const Frame frame = read_frame(job.dir, entry.number);
        if (walls) walls->add(frame);
        if (points) add_points(file, *points, frame, run);
    }
    file.finish();
    return static_cast<int>(frames.size());
}

} // namespace sluice
