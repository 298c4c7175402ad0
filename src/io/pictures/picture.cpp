// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/pictures/picture_surface.h"
#include "io/pictures/picture_walls.h"

#include <algorithm>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cmath>
#include <fmt/format.h>
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

} // namespace

/// The boundary, drawn, and what of it is translucent.
struct PictureBackground {
    std::shared_ptr<const PixelCanvas> canvas;
    Dots mist;
};

namespace {

/// The list of mks beside a picture: the height of a row, pixels, and how many there are at most.
constexpr double swatch_row = 28;
std::size_t swatch_rows(const ParticleLayout& layout) { return std::min<std::size_t>(layout.blocks.size(), 40); }

/// Everything that is decided before drawing.
struct Scene {
    Scene(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options)
        : projection(layout.two_d ? Projection::side() : Projection::oblique(options.azimuth, options.elevation)),
          box(options.crop   ? *options.crop
              : options.view ? *options.view
                             : bounding_box(frame)) {
        if (!options.view && !options.crop && !options.page) {
            box.min = add_margin(box.min, -layout.dp, layout.two_d);
            box.max = add_margin(box.max, layout.dp, layout.two_d);
        }
        fit(options, 0);
        if (options.page)
            box = layout.two_d ? shown_box() : box;
        else if (layout.two_d)
            area.width = std::min(area.width, projection.scale() * (box.max.x - box.min.x));
        else if (const double beyond = scales_beyond(projection, box, area.left + area.width); beyond > key_gap)
            fit(options, beyond);
        key_left = area.left + area.width + key_gap + key_shift;
        width = static_cast<int>(margin_left + area.width + key_shift + margin_right);
        height = static_cast<int>(std::ceil(margin_top + area.height + margin_bottom));
        if (options.value != PictureValue::mk) return;
        double widest = 0;
        for (std::size_t k = 0; k < swatch_rows(layout); ++k)
            widest = std::max(widest, swatch_width(block_label(layout.blocks[k])));
        width = std::max(width, static_cast<int>(std::ceil(key_left + widest + 10)));
        height = std::max(height, static_cast<int>(margin_top + swatch_row * double(swatch_rows(layout)) + 10));
    }
    /// Lays out the scene with some more room between it and the key.
    void fit(const PictureOptions& options, double room) {
        key_shift = room;
        area = page_area(options);
        area.width = std::max(area.width - room, 64.0);
        if (options.page) {
            area.height = options.page->height;
            projection.centre(options.page->middle.value_or(0.5 * (box.min + box.max)), area,
                              options.page->pixels_per_metre);
        } else {
            area.height = projection.fit(box, area.left, area.top, area.width, area.height);
        }
    }
    /// What a fixed page shows of a side view.
    Box shown_box() const {
        const Vec3d middle = 0.5 * (box.min + box.max),
                    half = (0.5 / projection.scale()) * Vec3d{area.width, 0, area.height};
        return {{middle.x - half.x, box.min.y, middle.z - half.z}, {middle.x + half.x, box.max.y, middle.z + half.z}};
    }
    static constexpr double key_gap = 20;
    Projection projection;
    Box box;
    PageArea area;
    double key_shift = 0, key_left = 0;
    int width = 0, height = 0;
};

ValueRange shown_range(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options) {
    if (options.range || options.value == PictureValue::mk) return options.range.value_or(ValueRange{});
    return value_range(frame, layout, options.value, options.crop);
}

/// The fluid in its colours. Where the colours are of the boundary: plain in two dimensions, and left out in three,
/// where it would hide them.
SurfaceLook choose_fluid(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                         const ValueRange& range) {
    constexpr std::uint32_t plain = 0xd3dde6;
    if (is_of_boundary(options.value) && !layout.two_d) return {};
    if (options.fluid == FluidLook::surface) return surface_look(frame, layout, options, range);
    const std::vector<std::uint32_t> colours = fluid_colours(frame, layout, options.value, range);
    SurfaceLook look;
    const std::size_t begin = layout.groups.fluid_begin(frame.id);
    for (std::size_t i = begin; i < frame.size(); ++i)
        if (!options.crop || in_crop(*options.crop, frame.position[i], layout.two_d))
            look.drops.add(frame.position[i], colours.empty() ? plain : colours[i - begin]);
    return look;
}

/// What a picture shows of the boundary: solid and translucent.
void choose_boundary(Dots& solid, Dots& mist, const Frame& frame, const ParticleLayout& layout,
                     const Projection& projection, const PictureOptions& options) {
    constexpr std::uint32_t grey = 0x5c616b;
    const std::size_t count = layout.groups.fluid_begin(frame.id);
    std::vector<std::uint32_t> colours;
    if (is_of_boundary(options.value) || options.value == PictureValue::mk)
        colours = boundary_colours(frame, layout, options.value, shown_range(frame, layout, options));
    WallLooks looks;
    if (!layout.two_d) looks = wall_looks(frame, layout, projection, colours);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d& p = frame.position[i];
        if (options.crop && !in_crop(*options.crop, p, layout.two_d)) continue;
        if (layout.two_d)
            solid.add(p, colours.empty() ? grey : colours[i]);
        else if (looks.look[i] == WallLook::solid)
            solid.add(p, looks.colour[i]);
        else if (looks.look[i] == WallLook::mist)
            mist.add(p, colours.empty() ? grey : colours[i]);
    }
}

/// Colour scale or list of mks, to the right of the scene; no scale where nothing that is shown has the value.
void draw_key(cairo_t* page, const Scene& scene, const Frame& frame, const ParticleLayout& layout,
              const PictureOptions& options, const ValueRange& range) {
    if (options.value == PictureValue::mk) {
        const std::size_t count = layout.blocks.size(), rows = swatch_rows(layout),
                          named = rows < count ? rows - 1 : count;
        const auto row = [&](std::size_t k) { return scene.area.top + swatch_row * (double(k) + 0.5); };
        for (std::size_t k = 0; k < named; ++k)
            draw_swatch(page, scene.key_left, row(k), block_colour(layout, k), block_label(layout.blocks[k]));
        if (named < count)
            draw_text(page, scene.key_left, row(named), fmt::format("and {} more", count - named), 0, 18);
        return;
    }
    if (!is_stored(options.value, layout.fields)) return;
    constexpr double lowest = 64, highest = 420; // beside a long flat tank it stands higher than that
    const double height = std::clamp(scene.area.height - 30, lowest, highest);
    if (const auto shown = value_extremes(frame, layout, options.value, options.crop))
        draw_scale(page, {scene.key_left + 14, scene.area.top + scene.area.height - height, scale_width, height}, range,
                   *shown, picture_value_info(options.value).label, scene.width);
}

PictureBackground draw_background(const Scene& scene, const Frame& frame, const ParticleLayout& layout,
                                  const PictureOptions& options) {
    PictureBackground background;
    Dots solid;
    choose_boundary(solid, background.mist, frame, layout, scene.projection, options);
    background.canvas = draw_boundary(scene.projection, scene.area, solid, layout.dp, layout.two_d);
    return background;
}

/// The axes of three dimensions; on a fixed page, which may show a part of them, not over the title and the key.
void draw_box_axes(cairo_t* page, const Scene& scene, const PictureOptions& options, bool front) {
    cairo_save(page);
    if (options.page) {
        cairo_rectangle(page, 0, scene.area.top, scene.area.left + scene.area.width, scene.height - scene.area.top);
        cairo_clip(page);
    }
    draw_solid_axes(page, scene.projection, scene.box, front);
    cairo_restore(page);
}

void draw_page(cairo_t* page, Scene& scene, const Frame& frame, const ParticleLayout& layout,
               const PictureOptions& options, const PictureBackground& background) {
    const ValueRange range = shown_range(frame, layout, options);
    cairo_set_source_rgb(page, 1, 1, 1);
    cairo_paint(page);
    if (!layout.two_d) draw_box_axes(page, scene, options, false);
    const SurfaceLook fluid = choose_fluid(frame, layout, options, range);
    Pixels pixels = draw_fluid(*background.canvas, scene.projection, fluid.drops, fluid.surface, background.mist,
                               layout.dp, layout.two_d);
    paint(page, pixels, scene.area);
    if (layout.two_d)
        draw_flat_axes(page, scene.projection, scene.area, scene.box);
    else
        draw_box_axes(page, scene, options, true);

    draw_links(page, scene.projection, scene.area, frame.links);
    draw_marks(page, scene.projection, scene.area, options.marks);
    draw_key(page, scene, frame, layout, options, range);
    constexpr double title_size = 26, room_for_time = 190, room_for_letter = 13;
    const double room =
        scene.area.width - (options.show_time ? room_for_time + room_for_letter * double(options.time_note.size()) : 0);
    draw_text(page, scene.area.left, margin_top / 2,
              fitting_text(page, options.title.value_or(""), title_size, true, room), 0, title_size, true);
    if (options.show_time)
        draw_text(page, scene.area.left + scene.area.width, margin_top / 2,
                  fmt::format("t = {:.3f} s{}", frame.time, options.time_note), 1, 24);
}

/// Draws the scene of a frame onto the surface that `make_surface(width, height)` gives.
template <class MakeSurface>
Surface drawn(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
              const PictureBackground* shared, MakeSurface make_surface) {
    Scene scene(frame, layout, options);
    PictureBackground own;
    if (!shared) own = draw_background(scene, frame, layout, options);
    Surface surface(make_surface(scene.width, scene.height), cairo_surface_destroy);
    {
        const Page page(cairo_create(surface.get()), cairo_destroy);
        draw_page(page.get(), scene, frame, layout, options, shared ? *shared : own);
    }
    cairo_surface_flush(surface.get());
    return surface;
}

cairo_surface_t* pixel_surface(int width, int height) {
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
}

void require_success(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) throw RunError(fmt::format("picture: {}", cairo_status_to_string(status)));
}

/// `create`: cairo's function that makes a surface which writes SVG or PDF.
template <class Create>
std::string as_document(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                        const PictureBackground* background, Create create) {
    std::string bytes;
    const Surface surface = drawn(frame, layout, options, background,
                                  [&](int width, int height) { return create(append_bytes, &bytes, width, height); });
    cairo_surface_finish(surface.get());
    require_success(cairo_surface_status(surface.get()));
    return bytes;
}

} // namespace

PageArea page_area(const PictureOptions& options) {
    return {margin_left, margin_top, std::max(options.width - margin_left - margin_right, 64.0),
            options.height_max > 0 ? std::max(options.height_max - margin_top - margin_bottom, 64.0)
                                   : tallest * options.width};
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

bool in_crop(const Box& box, const Vec3d& p, bool two_d) {
    return p.x >= box.min.x && p.x <= box.max.x && p.z >= box.min.z && p.z <= box.max.z &&
           (two_d || (p.y >= box.min.y && p.y <= box.max.y));
}

SharedBackground shared_background(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options) {
    if (layout.boundary_moves() || layout.selected || is_of_boundary(options.value) || options.page ||
        !(options.view || options.crop))
        return nullptr;
    const Scene scene(frame, layout, options);
    return std::make_shared<PictureBackground>(draw_background(scene, frame, layout, options));
}

PictureBytes picture_pixels(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                            const SharedBackground& background) {
    const Surface surface = drawn(frame, layout, options, background.get(), pixel_surface);
    PictureBytes bytes{cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()), {}};
    const auto row = static_cast<std::size_t>(bytes.width) * 4;
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
    const unsigned char* data = cairo_image_surface_get_data(surface.get());
    if (!data) require_success(cairo_surface_status(surface.get()));
    bytes.bgrx.reserve(row * static_cast<std::size_t>(bytes.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(bytes.height); ++y)
        bytes.bgrx.append(reinterpret_cast<const char*>(data + y * stride), row);
    return bytes;
}

std::string picture_png(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                        const SharedBackground& background) {
    const Surface surface = drawn(frame, layout, options, background.get(), pixel_surface);
    std::string bytes;
    require_success(cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes));
    return bytes;
}

void check_picture_suffix(const std::filesystem::path& path) {
    const std::filesystem::path suffix = path.extension();
    if (suffix != ".png" && suffix != ".svg" && suffix != ".pdf")
        throw InputError(fmt::format("{}: unknown suffix; .png, .svg and .pdf can be drawn", path.string()));
}

void draw_picture(const std::filesystem::path& path, const Frame& frame, const ParticleLayout& layout,
                  const PictureOptions& options, const SharedBackground& background) {
    check_picture_suffix(path);
    if (path.has_parent_path()) make_folder(path.parent_path());
    const std::filesystem::path suffix = path.extension();
    const PictureBackground* shared = background.get();
    write_file_atomically(
        path, suffix == ".svg"   ? as_document(frame, layout, options, shared, cairo_svg_surface_create_for_stream)
              : suffix == ".pdf" ? as_document(frame, layout, options, shared, cairo_pdf_surface_create_for_stream)
                                 : picture_png(frame, layout, options, background));
}

} // namespace sluice
