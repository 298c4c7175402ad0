// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "io/pictures/picture.h"
#include <cairo.h>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// The parts of a picture: how space maps to the page, the particles as pixels, the axes as lines and text.

namespace sluice {

/// An area of the page, pixels.
struct PageArea {
    double left = 0, top = 0, width = 0, height = 0;
};

/// Where the scene is drawn, with the greatest height that it may take.
PageArea page_area(const PictureOptions& options);

/// A parallel projection of space onto the page. The page's x goes right, y down, in pixels; depth grows towards
/// the viewer, in the same unit.
class Projection {
public:
    /// From the side: x right, z up.
    static Projection side();
    /// From `azimuth` and `elevation`, in degrees.
    static Projection oblique(double azimuth, double elevation);

    /// Scales and shifts so that `box` just fits into a page area of the given width, whose corner is (left, top).
    /// Returns the height that it takes; not more than `height_max`.
    double fit(const Box& box, double left, double top, double width, double height_max);

    Vec3d operator()(const Vec3d& p) const {
        return {scale_ * dot(right_, p) + shift_x_, shift_y_ - scale_ * dot(up_, p), scale_ * dot(toward_, p)};
    }
    /// Shows `middle` in the middle of an area, at so many pixels per metre.
    void centre(const Vec3d& middle, const PageArea& area, double pixels_per_metre) {
        scale_ = pixels_per_metre;
        shift_x_ = area.left + area.width / 2 - scale_ * dot(right_, middle);
        shift_y_ = area.top + area.height / 2 + scale_ * dot(up_, middle);
    }
    double scale() const { return scale_; } ///< pixels per metre
    /// A direction as the viewer has it: x to the right, y up, z towards the eye.
    Vec3d turned(const Vec3d& direction) const {
        return {dot(right_, direction), dot(up_, direction), dot(toward_, direction)};
    }

private:
    Projection(Vec3d right, Vec3d up, Vec3d toward) : right_(right), up_(up), toward_(toward) {}

    Vec3d right_, up_, toward_;
    double scale_ = 1, shift_x_ = 0, shift_y_ = 0;
};

/// Some particles with the colour of each, 0xRRGGBB.
struct Dots {
    std::vector<Vec3d> position; ///< m
    std::vector<std::uint32_t> colour;

    void add(const Vec3d& p, std::uint32_t c) {
        position.push_back(p);
        colour.push_back(c);
    }
};

/// Triangles with a colour at each point, 0xRRGGBB, and in three dimensions a normal.
struct ColouredMesh {
    std::vector<Vec3d> points; ///< m
    std::vector<Vec3f> normals;
    std::vector<std::uint32_t> colour;
    std::vector<Vec3i> triangles;
};

/// Pixels of an area, premultiplied ARGB as cairo wants them.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint32_t> argb;
};

/// Each of the three colours times a factor from 0 to 1.
std::uint32_t shaded(std::uint32_t colour, double light);

/// The area with the boundary drawn, at the finer size.
struct PixelCanvas;

/// In two dimensions flat discs; in three, spheres of which the nearest wins, each in its own even colour.
std::shared_ptr<const PixelCanvas> draw_boundary(const Projection& projection, const PageArea& area,
                                                 const Dots& boundary, double dp, bool two_d);

/// Puts fluid on it: its surface, and particles, in two dimensions as flat discs as large as their spacing; in three,
/// as shaded spheres that hide each other, with translucent mist around them.
Pixels draw_fluid(const PixelCanvas& background, const Projection& projection, const Dots& fluid,
                  const ColouredMesh& surface, const Dots& mist, double dp, bool two_d);

/// A round step (1, 2 or 5 times a power of ten) that cuts `range` into at most `most` intervals.
double round_step(double range, int most);

/// The whole multiples of a step from one number to another, a little beyond both for rounding's sake. None where the
/// step is lost beside the numbers, which differ by their last digits only.
std::vector<double> multiples_of(double step, double from, double to);

/// Frame with ticks around a side view.
void draw_flat_axes(cairo_t* page, const Projection& projection, const PageArea& area, const Box& box);

/// Edges of the box, with ticks along the three that are in sight. Call once with `front` false before the
/// particles are drawn, and once with true after.
void draw_solid_axes(cairo_t* page, const Projection& projection, const Box& box, bool front);

/// How far the scales of such axes reach beyond `right` on the page, pixels; 0 if they do not.
double scales_beyond(const Projection& projection, const Box& box, double right);

/// Vertical colour scale, with ticks and the label above it, which ends before the page does. Where values `shown` lie
/// beyond the range, that end is a tip.
void draw_scale(cairo_t* page, const PageArea& area, const ValueRange& range, const ValueRange& shown,
                const char* label, double page_width);

/// Mooring lines and joints, as dark lines and dots.
void draw_links(cairo_t* page, const Projection& projection, const PageArea& area, const std::vector<Link>& links);

/// Marks with their names, which are left out where they would cover each other.
void draw_marks(cairo_t* page, const Projection& projection, const PageArea& area,
                const std::vector<PictureMark>& marks);

/// A square of a colour with its meaning beside it; (x, y) is the middle of its left edge.
void draw_swatch(cairo_t* page, double x, double y, std::uint32_t colour, const std::string& label);

/// How far a swatch with this label reaches from x on, pixels.
double swatch_width(const std::string& label);

/// Text whose anchor lies at (x, y): `across` 0 left, 0.5 centre, 1 right; y is the middle of the letters.
void draw_text(cairo_t* page, double x, double y, const std::string& text, double across, double size,
               bool bold = false);
/// The same text, cut short with an ellipsis where it is wider than `width`.
std::string fitting_text(cairo_t* page, const std::string& text, double size, bool bold, double width);

} // namespace sluice
