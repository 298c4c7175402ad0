// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "io/fluid/layout.h"
#include "io/pictures/picture_colours.h"
#include "model/run_setup.h"
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// The box of all particles of a frame; of none, a unit box.
Box bounding_box(const Frame& frame);

/// Something with a name that is drawn as lines over the particles: a single point as a cross.
struct PictureMark {
    std::string name;
    std::vector<Vec3d> points; ///< m
    bool is_closed = false;    ///< the last point is joined to the first
};

/// A page that stays as large as it is while the view changes.
struct FixedPage {
    double height = 0; ///< of the scene, pixels
    double pixels_per_metre = 0;
    std::optional<Vec3d> middle{}; ///< of the page, m; none: that of what is shown
};

/// How the fluid is drawn.
enum class FluidLook {
    particles, ///< discs, in three dimensions spheres
    surface    ///< its area, in three dimensions its shaded surface; drops that are too small to have one as particles
};

struct PictureOptions {
    int width = 1600;                   ///< pixels; the height follows from the scene
    int height_max = 0;                 ///< pixels; a tall scene gets narrower instead; 0: 1.1 widths and the margins
    std::optional<std::string> title{}; ///< e.g. the case's name
    bool show_time = true;              ///< t = …, in the upper right corner
    std::optional<Box> view{};          ///< what to show; by default all particles of the frame
    std::optional<Box> crop{};          ///< leave out the particles that are not in it, and show just it
    PictureValue value = PictureValue::speed; ///< that the colours show
    std::optional<ValueRange> range{};        ///< of the colour scale; by default `value_range` of the frame
    double azimuth = -58;                     ///< 3-D: from where one looks, degrees; −90 is from −y
    double elevation = 22;                    ///< 3-D: degrees above the horizon
    std::vector<PictureMark> marks{};         ///< such as the places of gauges
    FluidLook fluid = FluidLook::particles;
    std::shared_ptr<const RunSetup> run{}; ///< for a surface: the kernel, the masses and the periods of the run
    std::optional<FixedPage> page{};       ///< by default what is shown fills the width
    std::string time_note{};               ///< after the time
};

/// The pixels of a picture, row by row from the top, four bytes each: blue, green, red, nothing.
struct PictureBytes {
    int width = 0, height = 0;
    std::string bgrx;
};

/// Whether a point lies in a box that is shown, in two dimensions whatever its y is.
bool in_crop(const Box& box, const Vec3d& point, bool two_d);

/// The boundary as drawn in one view, for pictures of several frames.
struct PictureBackground;
using SharedBackground = std::shared_ptr<const PictureBackground>;

/// Drawn once for all frames of a run, if its boundary stands still in colours that stay and `options` say what to
/// show; else null.
SharedBackground shared_background(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options);

PictureBytes picture_pixels(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                            const SharedBackground& background = nullptr);

/// A picture as the bytes of a PNG file.
std::string picture_png(const Frame& frame, const ParticleLayout& layout, const PictureOptions& options,
                        const SharedBackground& background = nullptr);

/// Throws InputError unless the suffix of a picture's file is one that can be drawn: .png, .svg or .pdf.
void check_picture_suffix(const std::filesystem::path& path);

/// Draws a frame as PNG, SVG or PDF (by the suffix of `path`): fluid coloured by a value with its scale and boundary
/// grey, the boundary by a value of its own, or both by mk; axes in metres, title and time. Two-dimensional cases show
/// x–z, others an oblique parallel projection with a solid boundary, the walls of the tank towards the eye left out.
/// Throws InputError for another suffix, RunError if the file cannot be written.
void draw_picture(const std::filesystem::path& path, const Frame& frame, const ParticleLayout& layout,
                  const PictureOptions& options = {}, const SharedBackground& background = nullptr);

} // namespace sluice
