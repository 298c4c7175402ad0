// SPDX-License-Identifier: Apache-2.0
#include "io/surfaces/slice.h"

#include "core/error.h"
#include "core/log.h"
#include "io/files/file.h"
#include "io/fluid/clip.h"
#include "io/frames/numbered_files.h"
#include "io/records/run_json.h"
#include "io/surfaces/surface.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace sluice {

namespace {

/// Directions in a plane: u × v is its normal.
struct PlaneAxes {
    Vec3d u, v;
};

PlaneAxes axes_of(const Vec3d& normal) {
    int least = 0;
    for (int axis = 1; axis < 3; ++axis)
        if (std::abs(normal[axis]) < std::abs(normal[least])) least = axis;
    Vec3d beside;
    beside[least] = 1;
    const Vec3d u = normalized(cross(beside, normal));
    return {u, cross(normal, u)};
}

/// Numbers of the nodes along a direction from a point that span a box.
struct NodeRange {
    double first, last;

    NodeRange(const Box& box, const Vec3d& point, const Vec3d& along, double spacing) : first(1e300), last(-1e300) {
        for (int c = 0; c < 8; ++c) {
            const Vec3d corner{(c & 1 ? box.max : box.min).x, (c & 2 ? box.max : box.min).y,
                               (c & 4 ? box.max : box.min).z};
            first = std::min(first, std::floor(dot(corner - point, along) / spacing));
            last = std::max(last, std::ceil(dot(corner - point, along) / spacing));
        }
    }
    double count() const { return last - first + 1; }
};

/// The part of a mesh where φ ≥ ½.
template <class Mesh>
Mesh inside_fluid(const Mesh& mesh, const FluidInterpolator& fluid) {
    std::vector<double> outside;
    outside.reserve(mesh.points.size());
    for (const Vec3d& p : mesh.points) outside.push_back(surface_level - fluid.fraction_at(p));
    return clipped_by(mesh, outside);
}

Box box_of_fluid(const FluidInterpolator& fluid) {
    const Frame& frame = fluid.frame();
    const auto begin = frame.position.begin() + static_cast<std::ptrdiff_t>(fluid.fluid_begin());
    Box box = box_around({begin, frame.position.end()});
    const double reach = 2 * fluid.constants().h;
    box.min = box.min - Vec3d{reach, reach, reach};
    box.max = box.max + Vec3d{reach, reach, reach};
    return box;
}

LineMesh line_slice(const FluidInterpolator& fluid, const SlicePlane& plane, double spacing) {
    const Vec3d across{plane.normal.x, 0, plane.normal.z};
    if (!(norm(across) > 1e-6))
        throw InputError("slice: a two-dimensional run lies in a plane across y itself: choose a plane that cuts it");
    const Vec3d along = normalized(cross(across, Vec3d{0, 1, 0}));
    const Vec3d point{plane.point.x, fluid.frame().position[fluid.fluid_begin()].y, plane.point.z};
    const NodeRange range(box_of_fluid(fluid), point, along, spacing);
    if (!(range.count() <= 1e7))
        throw InputError(
            fmt::format("slice: the line would have {:.2g} points; choose a larger --spacing", range.count()));
    LineMesh mesh;
    for (double k = range.first; k <= range.last; ++k) {
        if (const int at = static_cast<int>(mesh.points.size()); at > 0) mesh.lines.push_back({at - 1, at});
        mesh.points.push_back(point + spacing * k * along);
    }
    return inside_fluid(mesh, fluid);
}

/// The squares of a lattice in a plane that have a corner in the fluid, two triangles each.
class PlaneLattice {
public:
    PlaneLattice(const FluidInterpolator& fluid, const SlicePlane& plane, double spacing)
        : plane_(plane), axes_(axes_of(plane.normal)), spacing_(spacing),
          along_u_(box_of_fluid(fluid), plane.point, axes_.u, spacing),
          along_v_(box_of_fluid(fluid), plane.point, axes_.v, spacing) {
        if (!(along_u_.count() * along_v_.count() <= 2.5e8))
            throw InputError(fmt::format("slice: the lattice would have {:.2g} nodes; choose a larger --spacing",
                                         along_u_.count() * along_v_.count()));
        columns_ = static_cast<std::size_t>(along_u_.count());
        rows_ = static_cast<std::size_t>(along_v_.count());
        inside_.resize(columns_ * rows_);
        for (std::size_t at = 0; at < inside_.size(); ++at) inside_[at] = fluid.fraction_at(place(at)) >= surface_level;
    }

    TriangleMesh mesh() {
        for (std::size_t row = 0; row + 1 < rows_; ++row)
            for (std::size_t column = 0; column + 1 < columns_; ++column) {
                const std::size_t low = row * columns_ + column, high = low + columns_;
                if (inside_[low] || inside_[low + 1] || inside_[high] || inside_[high + 1]) add_square(low, high);
            }
        return std::move(mesh_);
    }

private:
    Vec3d place(std::size_t at) const {
        return plane_.point + spacing_ * (along_u_.first + double(at % columns_)) * axes_.u +
               spacing_ * (along_v_.first + double(at / columns_)) * axes_.v;
    }
    void add_square(std::size_t low, std::size_t high) {
        mesh_.triangles.push_back({point(low), point(low + 1), point(high + 1)});
        mesh_.triangles.push_back({point(low), point(high + 1), point(high)});
    }
    int point(std::size_t at) {
        const auto [found, is_new] = points_.try_emplace(at, static_cast<int>(mesh_.points.size()));
        if (is_new) mesh_.points.push_back(place(at));
        return found->second;
    }

    SlicePlane plane_;
    PlaneAxes axes_;
    double spacing_;
    NodeRange along_u_, along_v_;
    std::size_t columns_ = 0, rows_ = 0;
    std::vector<bool> inside_;
    std::map<std::size_t, int> points_;
    TriangleMesh mesh_;
};

} // namespace

SlicePlane plane_at(const Vec3d& point, const Vec3d& normal) {
    if (!(norm(normal) > 0) || !std::isfinite(norm(normal)))
        throw InputError(
            fmt::format("slice: --normal: has no direction ({} {} {}); give the direction across the plane", normal.x,
                        normal.y, normal.z));
    return {point, normalized(normal)};
}

SlicePlane plane_through(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d normal = cross(b - a, c - a);
    if (!(norm(normal) > 1e-9 * norm(b - a) * norm(c - a)))
        throw InputError("slice: --through: the three points lie on a line; choose others");
    return {a, normalized(normal)};
}

TriangleMesh fluid_area(const FluidInterpolator& fluid, const SlicePlane& plane, double spacing) {
    if (fluid.fluid_begin() == fluid.frame().size()) return {};
    return inside_fluid(PlaneLattice(fluid, plane, spacing).mesh(), fluid);
}

SurfaceMesh fluid_slice(const FluidInterpolator& fluid, const SlicePlane& plane, double spacing) {
    if (!fluid.constants().two_d) return fluid_area(fluid, plane, spacing);
    return fluid.fluid_begin() == fluid.frame().size() ? LineMesh{} : line_slice(fluid, plane, spacing);
}

int write_slices(const SliceJob& job) {
    const std::vector<FrameEntry> frames = choose_frames(job.dir, job.first, job.last, job.every);
    const ParticleLayout layout = read_layout(job.dir);
    require_stored(job.dir, layout, {Field::density});
    warn_of_left_out(job.dir, layout, frames);
    const FieldSelection fields = carried_fields(job.dir, layout, job.fields, layout.fields);
    RunSetup setup = read_run_setup(job.dir / "run.json");
    setup.set_groups(layout.groups);
    const double spacing = job.spacing > 0 ? job.spacing : layout.dp;
    const EarlierFiles earlier(job.out, {"slice"}, "vtp", frames, job.overwrite);
    make_folder(job.out);
    std::vector<TimedFile> files;
    bool any = false;
    for (const FrameEntry& entry : frames) {
        const Frame frame = frame_for_surfaces(job.dir, entry.number, setup, spacing);
        const FluidInterpolator fluid(frame, setup.groups, setup.constants);
        const SurfaceMesh mesh = between_periodic_faces(fluid_slice(fluid, job.plane, spacing), setup);
        const std::vector<Vec3d>& points = std::visit(
            [](const auto& m) -> const auto& { return m.points; }, mesh);
        any = any || !points.empty();
        files.push_back({entry.sampling_time, numbered_file("slice", entry.number, "vtp")});
        write_surface_file(job.out / files.back().name, SurfaceFormat::vtp, mesh, values_at(points, fluid, fields, 0));
    }
    if (!any) spdlog::warn("warning: the plane meets no fluid in any frame: all files are empty");
    earlier.remove();
    write_pvd(job.out / "slice.pvd", files);
    return static_cast<int>(frames.size());
}

} // namespace sluice
