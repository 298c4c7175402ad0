// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_surface.h"

#include "io/fluid/clip.h"
#include "io/fluid/fluid_value.h"
#include "io/surfaces/slice.h"
#include "io/surfaces/surface.h"
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sluice {

namespace {

constexpr std::uint32_t plain_fluid = 0xd3dde6;

/// The colours of the fluid at places.
class ColoursAt {
public:
    ColoursAt(const Frame& frame, const ParticleLayout& layout, PictureValue value, const ValueRange& range)
        : info_(picture_value_info(value)), range_(range),
          of_particles_(value == PictureValue::mk ? fluid_colours(frame, layout, value, range)
                                                  : std::vector<std::uint32_t>{}),
          has_value_(info_.field && !is_of_boundary(value) && is_stored(value, layout.fields)) {}

    std::uint32_t at(const Vec3d& place, const FluidInterpolator& fluid) const {
        if (!of_particles_.empty()) return of_nearest(place, fluid);
        if (!has_value_) return plain_fluid;
        const FluidValue value{*info_.field, info_.component};
        const double v = value.of(fluid.at(place, FieldSelection{*info_.field}, 0).components);
        return packed(map_colour((v - range_.low) / (range_.high - range_.low)));
    }

private:
    /// Mks do not mix: the colour of the particle that is nearest. Images behind the particles have none of their own.
    std::uint32_t of_nearest(const Vec3d& place, const FluidInterpolator& fluid) const {
        double least = std::numeric_limits<double>::infinity();
        std::uint32_t colour = plain_fluid;
        fluid.cells().for_each_near(place, [&](std::uint32_t i, double r2, const Vec3d&) {
            const std::size_t k = i - fluid.fluid_begin();
            if (r2 >= least || k >= of_particles_.size()) return;
            least = r2;
            colour = of_particles_[k];
        });
        return colour;
    }

    const PictureValueInfo& info_;
    ValueRange range_;
    std::vector<std::uint32_t> of_particles_; ///< by mk
    bool has_value_;
};

TriangleMesh surface_of_fluid(const FluidInterpolator& fluid, const RunSetup& setup, double dp) {
    if (fluid.fluid_begin() == fluid.frame().size()) return {};
    if (setup.constants.two_d) {
        const SlicePlane plane{fluid.frame().position[fluid.fluid_begin()], {0, -1, 0}};
        return std::get<TriangleMesh>(between_periodic_faces(fluid_area(fluid, plane, dp), setup));
    }
    const LatticeField fraction = fluid_fraction_field(fluid.frame(), setup.groups, setup.constants, dp);
    return std::get<TriangleMesh>(between_periodic_faces(fluid_surface(fraction, surface_level, false), setup));
}

/// Which of the first `count` particles of a frame are neither inside of a surface nor beside a particle that is, as
/// those on the edges of a body of fluid are.
std::vector<bool> far_from_surface(std::size_t count, const FluidInterpolator& fluid, double dp) {
    const auto& position = fluid.frame().position;
    std::vector<bool> inside(position.size()), apart(count);
    for (std::size_t i = fluid.fluid_begin(); i < position.size(); ++i)
        inside[i] = fluid.fraction_at(position[i]) >= surface_level;
    constexpr double beside = 2; // in dp
    for (std::size_t i = fluid.fluid_begin(); i < count; ++i) {
        bool is_apart = true;
        fluid.cells().for_each_near(position[i], [&](std::uint32_t k, double r2, const Vec3d&) {
            is_apart = is_apart && !(inside[k] && r2 <= beside * dp * beside * dp);
        });
        apart[i] = is_apart;
    }
    return apart;
}

/// The part of a mesh in a box.
TriangleMesh cropped(TriangleMesh mesh, const Box& box, bool two_d) {
    for (int axis = 0; axis < 3; ++axis) {
        if (two_d && axis == 1) continue;
        mesh = clipped(mesh, HalfSpace{axis, box.min[axis], false});
        mesh = clipped(mesh, HalfSpace{axis, box.max[axis], true});
    }
    return mesh;
}

} // namespace

SurfaceLook surface_look(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                         const ValueRange& range) {
    RunSetup setup = *options.run;
    setup.set_groups(layout.groups);
    require_volumes(frame, setup.groups, fmt::format("frame {}", frame.number));
    Frame with_images = frame;
    add_images_for_surfaces(with_images, setup, layout.dp);
    const FluidInterpolator fluid(with_images, setup.groups, setup.constants);
    const ColoursAt colours(frame, layout, options.value, range);
    SurfaceLook look;
    const std::vector<bool> apart = far_from_surface(frame.size(), fluid, layout.dp);
    for (std::size_t i = fluid.fluid_begin(); i < frame.size(); ++i) {
        const Vec3d& p = frame.position[i];
        if (apart[i] && !(options.crop && !in_crop(*options.crop, p, layout.two_d)))
            look.drops.add(p, colours.at(p, fluid));
    }
    TriangleMesh mesh = surface_of_fluid(fluid, setup, layout.dp);
    if (options.crop) mesh = cropped(std::move(mesh), *options.crop, layout.two_d);
    if (!layout.two_d) look.surface.normals = normals_of(mesh);
    for (const Vec3d& p : mesh.points) look.surface.colour.push_back(colours.at(p, fluid));
    look.surface.points = std::move(mesh.points);
    look.surface.triangles = std::move(mesh.triangles);
    return look;
}

} // namespace sluice
