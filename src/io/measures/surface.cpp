// SPDX-License-Identifier: Apache-2.0
#include "io/measures/surface.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/files/vtp.h"
#include "io/fluid/clip.h"
#include "io/fluid/interpolator.h"
#include "io/fluid/periodic_images.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/frames/numbered_files.h"
#include "io/records/run_json.h"
#include "physics/sph/kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace sluice {
namespace {

namespace fs = std::filesystem;

/// A lattice around the fluid, all zero; in two dimensions one layer of it.
LatticeField empty_field(const Frame& frame, std::size_t begin, double reach, double spacing, bool two_d) {
    LatticeField field;
    field.spacing = spacing;
    if (begin == frame.size()) return field;
    const Box box = box_around({frame.position.begin() + static_cast<std::ptrdiff_t>(begin), frame.position.end()});
    double count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (two_d && axis == 1) {
            field.origin.y = frame.position[begin].y;
            field.nodes.y = 1;
            continue;
        }
        const double first = std::floor((box.min[axis] - reach) / spacing) - 1;
        const double last = std::ceil((box.max[axis] + reach) / spacing) + 1;
        field.origin[axis] = spacing * first;
        count *= last - first + 1;
        field.nodes[axis] = static_cast<int>(std::min(last - first + 1, 1e9));
    }
    if (!(count <= 2.5e8))
        throw InputError(fmt::format("surface: the lattice would have {:.2g} nodes; choose a larger --spacing", count));
    field.value.assign(static_cast<std::size_t>(count), 0.0f);
    return field;
}

/// Calls `use(value, r2)` for each node closer to a point than `reach`.
template <class Use>
void for_each_node_near(LatticeField& field, const Vec3d& point, double reach, Use&& use) {
    Vec3i low, high;
    for (int axis = 0; axis < 3; ++axis) {
        if (field.nodes[axis] == 1) continue; // all in one layer
        low[axis] = static_cast<int>(std::ceil((point[axis] - reach - field.origin[axis]) / field.spacing));
        high[axis] = static_cast<int>(std::floor((point[axis] + reach - field.origin[axis]) / field.spacing));
    }
    for (int z = low.z; z <= high.z; ++z)
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x) {
                Vec3d r = field.position(x, y, z) - point;
                if (field.nodes.y == 1) r.y = 0;
                const double r2 = dot(r, r);
                if (r2 < reach * reach) use(field.value[field.index(x, y, z)], r2);
            }
}

void append_floats(std::string& bytes, const Vec3d& v) {
    const Vec3f rounded = vec_cast<float>(v);
    bytes.append(reinterpret_cast<const char*>(&rounded), sizeof rounded);
}

/// Binary STL: 80 bytes of title, the count, and for each triangle normal, corners and two spare bytes. The zero normal
/// lets the reader take the one that follows from the corners.
std::string stl_bytes(const std::vector<Vec3d>& points, const std::vector<Vec3i>& triangles) {
    std::string bytes("Sluice: surface of the fluid, m");
    bytes.resize(80, ' ');
    const auto count = static_cast<std::uint32_t>(triangles.size());
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    for (const Vec3i& t : triangles) {
        append_floats(bytes, {});
        for (int k = 0; k < 3; ++k) append_floats(bytes, points[static_cast<std::size_t>(t[k])]);
        bytes.append(2, '\0');
    }
    return bytes;
}

/// The velocity of the fluid at the points of a surface.
std::vector<VtpArray> surface_values(const std::vector<Vec3d>& points, const Frame& frame, const ParticleGroups& groups,
                                     const sph::Constants& constants) {
    const FluidInterpolator fluid(frame, groups, constants, boxes_at(points));
    std::vector<Vec3f> velocity;
    for (const Measurement& m : fluid.at(points)) velocity.push_back(vec_cast<float>(m.velocity));
    return {{"velocity", velocity}};
}

/// The surface of one frame as a mesh with shared points.
struct SurfaceMesh {
    std::vector<Vec3d> points;
    VtpCells cells;
};

/// The part of a mesh between the periodic faces, beyond which the same surface goes on.
template <class Mesh>
Mesh between_faces(Mesh mesh, const RunSetup& setup) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!setup.period.periodic[axis]) continue;
        mesh = clipped(mesh, {axis, setup.domain.min[axis], false});
        mesh = clipped(mesh, {axis, setup.domain.max[axis], true});
    }
    return mesh;
}

SurfaceMesh surface_mesh(const LatticeField& field, double level, const RunSetup& setup) {
    if (setup.constants.two_d) {
        LineMesh mesh = between_faces(isoline(field, level), setup);
        return {std::move(mesh.points), std::move(mesh.lines)};
    }
    TriangleMesh mesh = between_faces(isosurface(field, level), setup);
    return {std::move(mesh.points), std::move(mesh.triangles)};
}

/// How far beyond periodic faces there must be images, so that the lattice cells that a face cuts are right.
double image_reach(const RunSetup& setup, double spacing) {
    const double reach = 2 * setup.constants.h + spacing;
    for (int axis = 0; axis < 3; ++axis)
        if (setup.period.periodic[axis] && setup.domain.max[axis] - setup.domain.min[axis] < reach)
            throw InputError(fmt::format("surface: --spacing: too large for a run that is periodic over {} m ({} m)",
                                         setup.domain.max[axis] - setup.domain.min[axis], spacing));
    return reach;
}

} // namespace

LatticeField fluid_fraction_field(const Frame& frame, const ParticleGroups& groups, const sph::Constants& constants,
                                  double spacing) {
    const std::size_t begin = groups.fluid_begin(frame.id);
    const double h = constants.h, reach = 2 * h;
    LatticeField field = empty_field(frame, begin, reach, spacing, constants.two_d);
    sph::with_kernel(constants.kernel, [&](auto kernel) {
        const double normalisation = kernel.normalisation(h, constants.two_d);
        for (std::size_t i = begin; i < frame.size(); ++i) {
            const double weight = normalisation * constants.mass_fluid / static_cast<double>(frame.density[i]);
            for_each_node_near(field, frame.position[i], reach, [&](float& value, double r2) {
                value += static_cast<float>(weight * kernel.value(std::sqrt(r2) / h));
            });
        }
    });
    return field;
}

int write_surfaces(const SurfaceJob& job) {
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    if (layout.two_d && job.format == SurfaceFormat::stl)
        throw InputError(
            fmt::format("{}: is a two-dimensional run, its surface is a line, which STL files cannot hold; "
                        "use --format vtp",
                        job.dir.string()));
    require_stored(job.dir, layout, {Field::density});
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.groups = layout.groups;
    const double spacing = job.spacing > 0 ? job.spacing : layout.dp;
    const double reach = image_reach(setup, spacing);
    const bool vtp = job.format == SurfaceFormat::vtp;
    const std::string suffix = vtp ? "vtp" : "stl";
    const EarlierFiles earlier(job.out, {"surface"}, suffix, frames, job.overwrite);
    make_folder(job.out);
    std::vector<TimedFile> files;
    for (const FrameEntry& entry : frames) {
        Frame frame = read_frame(job.dir, entry.number);
        require_volumes(frame, setup.groups, frame_path(job.dir, entry.number));
        add_fluid_images(frame, setup, reach);
        const LatticeField field = fluid_fraction_field(frame, setup.groups, setup.constants, spacing);
        const SurfaceMesh mesh = surface_mesh(field, job.level, setup);
        const fs::path path = job.out / numbered_file("surface", entry.number, suffix);
        files.push_back({entry.sampling_time, path.filename().string()});
        if (!vtp)
            write_file_atomically(path, stl_bytes(mesh.points, std::get<std::vector<Vec3i>>(mesh.cells)));
        else if (layout.fields.has(Field::velocity))
            write_vtp(path, {"points", mesh.points}, surface_values(mesh.points, frame, setup.groups, setup.constants),
                      mesh.cells);
        else
            write_vtp(path, {"points", mesh.points}, {}, mesh.cells);
    }
    earlier.remove();
    if (vtp) write_pvd(job.out / "surface.pvd", files);
    return static_cast<int>(frames.size());
}

} // namespace sluice
