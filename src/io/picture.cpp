// SPDX-License-Identifier: Apache-2.0
#include "io/picture.h"
#include "core/error.h"
#include "io/file.h"
#include "io/picture_scene.h"

#include <algorithm>
#include <cairo-svg.h>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <memory>

namespace sluice {
namespace {

constexpr double margin_left = 130, margin_right = 170, margin_top = 76, margin_bottom = 84;
constexpr double scale_width = 24, tallest = 1.1; // of a picture, in widths

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Page = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

Vec3d add_margin(const Vec3d& corner, double by, bool two_d) {
    return {corner.x + by, two_d ? corner.y : corner.y + by, corner.z + by};
}

/// Speeds of the fluid as fractions of the top of the scale.
struct Speeds {
    Speeds(const Frame& frame, std::size_t begin, double given_top) {
        double largest = 0;
        for (std::size_t i = begin; i < frame.size(); ++i) {
            fraction.push_back(std::sqrt(dot(frame.velocity[i], frame.velocity[i])));
            if (std::isfinite(fraction.back())) largest = std::max(largest, double(fraction.back()));
        }
        // The fastest droplet must not darken all the rest: one particle in a hundred may be off the scale.
        top = given_top > 0 ? given_top : rounded_up(typical_largest(largest));
        for (float& value : fraction) value = static_cast<float>(value / top);
    }

    double typical_largest(double largest) const {
        std::vector<float> sorted;
        std::copy_if(fraction.begin(), fraction.end(), std::back_inserter(sorted),
                     [](float speed) { return std::isfinite(speed); });
        if (sorted.size() < 100) return largest;
        const auto place = sorted.end() - static_cast<std::ptrdiff_t>(sorted.size() / 100) - 1;
        std::nth_element(sorted.begin(), place, sorted.end());
        return *place;
    }
    static double rounded_up(double value) {
        if (value < 1e-6) return 1;
        const double step = round_step(value, 5);
        return step * std::ceil(value / step - 1e-9);
    }

    double top = 1;
    std::vector<float> fraction;
};

cairo_status_t append_bytes(void* text, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void paint(cairo_t* page, Pixels& pixels, const PageArea& area) {
    const int stride = pixels.width * 4;
    const Surface image(cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels.argb.data()),
                                                            CAIRO_FORMAT_ARGB32, pixels.width, pixels.height, stride),
                        cairo_surface_destroy);
    cairo_save(page);
    cairo_rectangle(page, area.left, area.top, area.width, area.height);
    cairo_clip(page);
    cairo_set_source_surface(page, image.get(), area.left, area.top);
    cairo_paint(page);
    cairo_restore(page);
}

/// Everything that is decided before drawing.
struct Scene {
    Scene(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options)
        : projection(layout.two_d ? Projection::side() : Projection::oblique(options.azimuth, options.elevation)),
          box(options.view.value_or(bounding_box(frame))) {
        if (!options.view) {
            box.min = add_margin(box.min, -layout.dp, layout.two_d);
            box.max = add_margin(box.max, layout.dp, layout.two_d);
        }
        area = {margin_left, margin_top, std::max(options.width - margin_left - margin_right, 64.0), 0};
        area.height = projection.fit(box, area.left, area.top, area.width, tallest * options.width);
        if (layout.two_d) area.width = std::min(area.width, projection.scale() * (box.max.x - box.min.x));
        width = static_cast<int>(margin_left + area.width + margin_right);
        height = static_cast<int>(std::ceil(margin_top + area.height + margin_bottom));
    }
    Projection projection;
    Box box;
    PageArea area;
    int width = 0, height = 0;
};

void draw_page(cairo_t* page, Scene& scene, const Frame& frame, const ParticleLayout& layout,
               const PictureOptions& options) {
    const std::size_t begin = layout.groups.fluid_begin(frame.id);
    const Speeds speeds(frame, begin, options.speed_max);
    const std::span<const Vec3d> positions(frame.position);
    const Dots boundary{positions.first(begin), {}}, fluid{positions.subspan(begin), speeds.fraction};

    cairo_set_source_rgb(page, 1, 1, 1);
    cairo_paint(page);
    if (!layout.two_d) draw_solid_axes(page, scene.projection, scene.box, false);
    Pixels pixels = layout.two_d ? draw_flat(scene.projection, scene.area, boundary, fluid, layout.dp)
                                 : draw_solid(scene.projection, scene.area, boundary, fluid, layout.dp);
    paint(page, pixels, scene.area);
    if (layout.two_d)
        draw_flat_axes(page, scene.projection, scene.area, scene.box);
    else
        draw_solid_axes(page, scene.projection, scene.box, true);

    const double right = scene.area.left + scene.area.width;
    const double scale_height = std::min(scene.area.height - 30, 420.0);
    if (layout.fields.velocity)
        draw_scale(page, {right + 34, scene.area.top + scene.area.height - scale_height, scale_width, scale_height},
                   speeds.top, "speed (m/s)");
    draw_text(page, scene.area.left, margin_top / 2, options.title, 0, 26, true);
    draw_text(page, right, margin_top / 2, fmt::format("t = {:.3f} s", frame.time), 1, 24);
}

std::string as_png(Scene& scene, const Frame& frame, const ParticleLayout& layout, const PictureOptions& options) {
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, scene.width, scene.height),
                          cairo_surface_destroy);
    const Page page(cairo_create(surface.get()), cairo_destroy);
    draw_page(page.get(), scene, frame, layout, options);
    std::string bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
    if (status != CAIRO_STATUS_SUCCESS) throw RunError(fmt::format("picture: {}", cairo_status_to_string(status)));
    return bytes;
}

std::string as_svg(Scene& scene, const Frame& frame, const ParticleLayout& layout, const PictureOptions& options) {
    std::string bytes;
    const Surface surface(cairo_svg_surface_create_for_stream(append_bytes, &bytes, scene.width, scene.height),
                          cairo_surface_destroy);
    {
        const Page page(cairo_create(surface.get()), cairo_destroy);
        draw_page(page.get(), scene, frame, layout, options);
    }
    cairo_surface_finish(surface.get());
    const cairo_status_t status = cairo_surface_status(surface.get());
    if (status != CAIRO_STATUS_SUCCESS) throw RunError(fmt::format("picture: {}", cairo_status_to_string(status)));
    return bytes;
}

} // namespace

double speed_scale_top(const Frame& frame, const ParticleGroups& groups) {
    return Speeds(frame, groups.fluid_begin(frame.id), 0).top;
}

Projection Projection::side() { return Projection({1, 0, 0}, {0, 0, 1}, {0, -1, 0}); }

Projection Projection::oblique(double azimuth, double elevation) {
    constexpr double degree = 3.14159265358979323846 / 180;
    const double ca = std::cos(azimuth * degree), sa = std::sin(azimuth * degree);
    const double ce = std::cos(elevation * degree), se = std::sin(elevation * degree);
    return Projection({-sa, ca, 0}, {-ca * se, -sa * se, ce}, {ca * ce, sa * ce, se});
}

double Projection::fit(const Box& box, double left, double top, double width, double height_max) {
    double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
    for (int c = 0; c < 8; ++c) {
        const Vec3d p{c & 1 ? box.max.x : box.min.x, c & 2 ? box.max.y : box.min.y, c & 4 ? box.max.z : box.min.z};
        x0 = std::min(x0, dot(right_, p));
        x1 = std::max(x1, dot(right_, p));
        y0 = std::min(y0, dot(up_, p));
        y1 = std::max(y1, dot(up_, p));
    }
    scale_ = std::min(width / std::max(x1 - x0, 1e-12), height_max / std::max(y1 - y0, 1e-12));
    shift_x_ = left - scale_ * x0;
    shift_y_ = top + scale_ * y1;
    return scale_ * (y1 - y0);
}

Box bounding_box(const Frame& frame) {
    if (frame.position.empty()) return {{0, 0, 0}, {1, 1, 1}};
    constexpr double huge = std::numeric_limits<double>::max();
    Box box{{huge, huge, huge}, {-huge, -huge, -huge}};
    for (const Vec3d& p : frame.position)
        for (int axis = 0; axis < 3; ++axis) {
            box.min[axis] = std::min(box.min[axis], p[axis]);
            box.max[axis] = std::max(box.max[axis], p[axis]);
        }
    return box;
}

std::string picture_png(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options) {
    Scene scene(frame, layout, options);
    return as_png(scene, frame, layout, options);
}

void draw_picture(const std::filesystem::path& path, const Frame& frame, const ParticleLayout& layout,
                  const PictureOptions& options) {
    Scene scene(frame, layout, options);
    const bool svg = path.extension() == ".svg";
    if (path.has_parent_path()) make_folder(path.parent_path());
    write_file_atomically(path, svg ? as_svg(scene, frame, layout, options) : as_png(scene, frame, layout, options));
}

} // namespace sluice
