// SPDX-License-Identifier: Apache-2.0
#include "io/surfaces/surface.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/files/vtp.h"
#include "io/fluid/clip.h"
#include "io/fluid/periodic_images.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_store.h"
#include "io/frames/numbered_files.h"
#include "io/records/run_json.h"
#include "physics/sph/kernels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
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
            const double weight = normalisation * groups.mass_of(frame.id[i]) / static_cast<double>(frame.density[i]);
            for_each_node_near(field, frame.position[i], reach, [&](float& value, double r2) {
                value += static_cast<float>(weight * kernel.value(std::sqrt(r2) / h));
            });
        }
    });
    return field;
}

LatticeField fluid_value_field(const LatticeField& fraction, const FluidInterpolator& fluid, const FluidValue& value) {
    LatticeField field = fraction;
    const FieldSelection wanted{value.field};
    for (int z = 0; z < field.nodes.z; ++z)
        for (int y = 0; y < field.nodes.y; ++y)
            for (int x = 0; x < field.nodes.x; ++x) {
                float& at = field.value[field.index(x, y, z)];
                at = at < static_cast<float>(least_fraction)
                         ? std::numeric_limits<float>::quiet_NaN()
                         : static_cast<float>(value.of(fluid.at(field.position(x, y, z), wanted).components));
            }
    return field;
}

SurfaceMesh fluid_surface(const LatticeField& fraction, double level, bool two_d) {
    if (two_d) return isoline(fraction, level);
    return isosurface(fraction, level);
}

SurfaceMesh value_surface(const LatticeField& fraction, const FluidInterpolator& fluid, const FluidValue& value,
                          double level, double rim) {
    const LatticeField field = fluid_value_field(fraction, fluid, value);
    return std::visit(
        [&](const auto& mesh) -> SurfaceMesh {
            std::vector<double> outside;
            outside.reserve(mesh.points.size());
            for (const Vec3d& p : mesh.points) outside.push_back(rim - fluid.fraction_at(p));
            return clipped_by(mesh, outside);
        },
        fluid_surface(field, level, fluid.constants().two_d));
}

SurfaceMesh between_periodic_faces(SurfaceMesh mesh, const RunSetup& setup) {
    return std::visit([&](auto& m) -> SurfaceMesh { return between_faces(std::move(m), setup); }, mesh);
}

void add_images_for_surfaces(Frame& frame, const RunSetup& setup, double spacing) {
    add_fluid_images(frame, setup, image_reach(setup, spacing));
}

Frame frame_for_surfaces(const fs::path& dir, int number, const RunSetup& setup, double spacing) {
    Frame frame = read_frame(dir, number);
    require_volumes(frame, setup.groups, frame_path(dir, number));
    add_images_for_surfaces(frame, setup, spacing);
    return frame;
}

FieldSelection carried_fields(const fs::path& dir, const ParticleLayout& layout,
                              const std::optional<FieldSelection>& named, const FieldSelection& usual) {
    if (named) {
        require_stored(dir, layout, *named);
        return *named;
    }
    FieldSelection held;
    for_each_selected(usual.of_fluid(), [&](const FieldInfo& info) {
        if (layout.fields.has(info.field)) held.add(info.field);
    });
    return held;
}

int write_surfaces(const SurfaceJob& job) {
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    require_format(job.dir, job.format, layout.two_d);
    require_stored(job.dir, layout, {Field::density});
    warn_of_left_out(job.dir, layout, frames);
    if (job.value) require_stored(job.dir, layout, {job.value->field});
    const FieldSelection fields = carried_fields(job.dir, layout, job.fields, {Field::velocity});
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    const double spacing = job.spacing > 0 ? job.spacing : layout.dp;
    const bool vtp = job.format == SurfaceFormat::vtp;
    const std::string suffix = suffix_of(job.format);
    const EarlierFiles earlier(job.out, {"surface"}, suffix, frames, job.overwrite);
    make_folder(job.out);
    std::vector<TimedFile> files;
    for (const FrameEntry& entry : frames) {
        const Frame frame = frame_for_surfaces(job.dir, entry.number, setup, spacing);
        const LatticeField fraction = fluid_fraction_field(frame, setup.groups, setup.constants, spacing);
        std::optional<FluidInterpolator> fluid;
        if (job.value) fluid.emplace(frame, setup.groups, setup.constants);
        const SurfaceMesh mesh =
            between_periodic_faces(job.value ? value_surface(fraction, *fluid, *job.value, job.value_level, job.level)
                                             : fluid_surface(fraction, job.level, layout.two_d),
                                   setup);
        const std::vector<Vec3d>& points = std::visit(
            [](const auto& m) -> const auto& { return m.points; }, mesh);
        if (!fluid) fluid.emplace(frame, setup.groups, setup.constants, boxes_at(points));
        const fs::path path = job.out / numbered_file("surface", entry.number, suffix);
        files.push_back({entry.sampling_time, path.filename().string()});
        write_surface_file(path, job.format, mesh, values_at(points, *fluid, fields, 0));
    }
    earlier.remove();
    if (vtp) write_pvd(job.out / "surface.pvd", files);
    return static_cast<int>(frames.size());
}

} // namespace sluice
