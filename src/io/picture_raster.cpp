// SPDX-License-Identifier: Apache-2.0
#include "io/picture_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Particles are set as pixels here rather than as cairo paths: a million discs then take a second, not a minute.
// Everything is drawn at twice the size and averaged, which smooths the edges.

namespace sluice {
namespace {

constexpr int oversampling = 2;
constexpr float nothing = -std::numeric_limits<float>::infinity();

/// A pixel as cairo has it: alpha, red, green, blue, one byte each, premultiplied.
using Argb = std::uint32_t;
constexpr Argb opaque = 0xff000000;

} // namespace

/// Each of the three colours times a factor from 0 to 1.
std::uint32_t shaded(std::uint32_t colour, double light) {
    const auto factor = static_cast<std::uint32_t>(256 * std::min(light, 1.0));
    return (((colour & 0xff00ff) * factor >> 8) & 0xff00ff) | (((colour & 0xff00) * factor >> 8) & 0xff00);
}

struct Canvas {
    Canvas(const PageArea& area, bool with_depth)
        : left(area.left), top(area.top), width(oversampling * static_cast<int>(std::ceil(area.width))),
          height(oversampling * static_cast<int>(std::ceil(area.height))), argb(count(), 0),
          depth(with_depth ? count() : 0, nothing) {}

    std::size_t count() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    /// Page coordinates to pixels of this canvas.
    Vec3d place(const Vec3d& page) const {
        return {oversampling * (page.x - left), oversampling * (page.y - top), oversampling * page.z};
    }

    double left, top;
    int width, height;
    std::vector<Argb> argb;
    std::vector<float> depth; ///< of three dimensions: of what is nearest to the eye, in pixels
};

namespace {

/// The pixels of a disc around the corner of four pixels, with what a sphere adds to each. All particles of a picture
/// share one: each is put where the nearest corner is, half a pixel of the picture at most from where it belongs.
class Sprite {
public:
    explicit Sprite(double radius) : reach_(std::max(static_cast<int>(std::ceil(radius)), 1)) {
        const double r = std::max(radius, 0.71);
        for (int y = -reach_; y < reach_; ++y) {
            Row row{reach_, reach_, height_.size()};
            for (int x = -reach_; x < reach_; ++x) {
                const double nx = (x + 0.5) / r, ny = (y + 0.5) / r, inside = 1 - nx * nx - ny * ny;
                if (inside < 0) continue;
                row.begin = std::min(row.begin, x);
                row.end = x + 1;
                const double nz = std::sqrt(inside);
                height_.push_back(static_cast<float>(r * nz));
                light_.push_back(static_cast<std::uint16_t>(
                    256 * (0.62 + 0.38 * std::max(0.0, -0.40 * nx - 0.55 * ny + 0.73 * nz))));
            }
            rows_.push_back(row);
        }
    }

    /// Calls `use(first pixel, heights, lights, count)` for each row of the sprite at a place that lies on the canvas.
    template <class Use>
    void for_each_row(const Canvas& canvas, const Vec3d& place, Use&& use) const {
        if (!(std::abs(place.x) < 1e6 && std::abs(place.y) < 1e6)) return;
        const int x = static_cast<int>(std::lround(place.x)), y = static_cast<int>(std::lround(place.y));
        const int first = std::max(-reach_, -y), last = std::min(reach_, canvas.height - y);
        for (int dy = first; dy < last; ++dy) {
            const Row& row = rows_[static_cast<std::size_t>(dy + reach_)];
            const int from = std::max(row.begin, -x), to = std::min(row.end, canvas.width - x);
            if (from >= to) continue;
            const std::size_t k = row.offset + static_cast<std::size_t>(from - row.begin);
            use(canvas.index(x + from, y + dy), &height_[k], &light_[k], static_cast<std::size_t>(to - from));
        }
    }

private:
    struct Row {
        int begin, end; ///< of its pixels, from the middle
        std::size_t offset;
    };
    int reach_;
    std::vector<Row> rows_;
    std::vector<float> height_;        ///< above the middle of the sphere
    std::vector<std::uint16_t> light_; ///< 256: full
};

/// The mean of the four pixels that become one, byte by byte.
Argb mean(Argb a, Argb b, Argb c, Argb d) {
    constexpr Argb even = 0xff00ff, half = 0x020002;
    const Argb low = (a & even) + (b & even) + (c & even) + (d & even) + half;
    const Argb high = (a >> 8 & even) + (b >> 8 & even) + (c >> 8 & even) + (d >> 8 & even) + half;
    return (low >> 2 & even) | (high >> 2 & even) << 8;
}

Pixels averaged(const Canvas& canvas) {
    static_assert(oversampling == 2);
    Pixels pixels{canvas.width / 2, canvas.height / 2, {}};
    pixels.argb.reserve(canvas.count() / 4);
    for (int y = 0; y < canvas.height; y += 2) {
        const Argb *const upper = &canvas.argb[canvas.index(0, y)], *const lower = &canvas.argb[canvas.index(0, y + 1)];
        for (int x = 0; x < canvas.width; x += 2)
            pixels.argb.push_back(mean(upper[x], upper[x + 1], lower[x], lower[x + 1]));
    }
    return pixels;
}

void add_flat(Canvas& canvas, const Projection& projection, const Dots& dots, double radius) {
    const Sprite sprite(radius);
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Argb colour = opaque | dots.colour[i];
        sprite.for_each_row(canvas, canvas.place(projection(dots.position[i])),
                            [&](std::size_t at, const float*, const std::uint16_t*, std::size_t count) {
                                std::fill_n(&canvas.argb[at], count, colour);
                            });
    }
}

/// Spheres of which the nearest wins; lit from the upper left one by one, or each in its own even colour.
void add_spheres(Canvas& canvas, const Projection& projection, const Dots& dots, double radius, bool each_lit) {
    const Sprite sprite(radius);
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Vec3d place = canvas.place(projection(dots.position[i]));
        const auto middle = static_cast<float>(place.z);
        const Argb even = dots.colour[i] & 0xff00ff, green = dots.colour[i] & 0xff00;
        sprite.for_each_row(
            canvas, place, [&](std::size_t at, const float* height, const std::uint16_t* light, std::size_t count) {
                for (std::size_t k = 0; k < count; ++k) {
                    const float z = middle + height[k];
                    if (!(z > canvas.depth[at + k])) continue;
                    canvas.depth[at + k] = z;
                    const std::uint32_t factor = each_lit ? light[k] : 256;
                    canvas.argb[at + k] = opaque | (even * factor >> 8 & 0xff00ff) | (green * factor >> 8 & 0xff00);
                }
            });
    }
}

/// Layers of boundary particles over a pixel, and what they add up to in each colour.
struct Layers {
    float amount = 0, red = 0, green = 0, blue = 0;

    void add(float more, Argb colour) {
        amount += more;
        red += more * static_cast<float>(colour >> 16 & 255);
        green += more * static_cast<float>(colour >> 8 & 255);
        blue += more * static_cast<float>(colour & 255);
    }
};

/// How many pixels of the canvas, either way, share one value of the mist: it is soft.
constexpr int coarse = 4;

float opacity(float layers, float per_layer, float most) { return most * (1 - std::exp(-layers * per_layer / most)); }

/// Puts the mean colour of some layers over a pixel.
void cover(Argb& pixel, const Layers& layers, float per_layer, float most) {
    const float alpha = opacity(layers.amount, per_layer, most);
    const auto blend = [&](int shift, float over) {
        const float under = static_cast<float>(pixel >> shift & 255);
        return static_cast<Argb>((1 - alpha) * under + alpha * over + 0.5f) << shift;
    };
    pixel = blend(24, 255) | blend(16, layers.red / layers.amount) | blend(8, layers.green / layers.amount) |
            blend(0, layers.blue / layers.amount);
}

/// Translucent dots that lie before what is drawn. Soft ones add up to an even mist, in any order.
void add_mist(Canvas& canvas, const Projection& projection, const Dots& dots, double spacing) {
    if (dots.position.empty()) return;
    const int width = canvas.width / coarse + 1, height = canvas.height / coarse + 1;
    std::vector<Layers> layers(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const double radius = std::max(1.6 * spacing / coarse, 1.0);
    // A layer of dots one spacing apart, seen face on, adds up to 1.
    const double peak = 2 * spacing * spacing / (3.14159265358979 * radius * radius * coarse * coarse);
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Vec3d place = canvas.place(projection(dots.position[i]));
        const double px = place.x / coarse, py = place.y / coarse;
        if (!(std::abs(px) < 1e6 && std::abs(py) < 1e6)) continue;
        const auto low = [&](double at) { return std::max(static_cast<int>(std::floor(at - radius)), 0); };
        const auto high = [&](double at, int end) { return std::min(static_cast<int>(std::ceil(at + radius)), end); };
        for (int y = low(py); y < high(py, height); ++y)
            for (int x = low(px); x < high(px, width); ++x) {
                const double dx = x + 0.5 - px, dy = y + 0.5 - py, part = 1 - (dx * dx + dy * dy) / (radius * radius);
                const int cx = std::min(coarse * x + coarse / 2, canvas.width - 1);
                const int cy = std::min(coarse * y + coarse / 2, canvas.height - 1);
                if (part <= 0 || static_cast<float>(place.z) <= canvas.depth[canvas.index(cx, cy)]) continue;
                layers[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)].add(
                    static_cast<float>(peak * part), dots.colour[i]);
            }
    }
    for (int y = 0; y < canvas.height; ++y)
        for (int x = 0; x < canvas.width; ++x) {
            const Layers& over = layers[static_cast<std::size_t>(y / coarse) * static_cast<std::size_t>(width) +
                                        static_cast<std::size_t>(x / coarse)];
            Argb& pixel = canvas.argb[canvas.index(x, y)];
            if (!(over.amount > 0)) continue;
            if (pixel == 0)
                cover(pixel, over, 0.14f, 0.8f);
            else
                cover(pixel, over, 0.07f, 0.6f);
        }
}

} // namespace

std::shared_ptr<const Canvas> draw_boundary(const Projection& projection, const PageArea& area, const Dots& boundary,
                                            double dp, bool two_d) {
    const auto canvas = std::make_shared<Canvas>(area, !two_d);
    const double spacing = oversampling * dp * projection.scale();
    if (two_d)
        add_flat(*canvas, projection, boundary, 0.56 * spacing);
    else
        add_spheres(*canvas, projection, boundary, 0.8 * spacing, false);
    return canvas;
}

Pixels draw_particles(const Canvas& background, const Projection& projection, const Dots& fluid, const Dots& mist,
                      double dp, bool two_d) {
    Canvas canvas(background);
    const double spacing = oversampling * dp * projection.scale();
    if (two_d) {
        add_flat(canvas, projection, fluid, 0.65 * spacing);
    } else {
        add_spheres(canvas, projection, fluid, 0.62 * spacing, true);
        add_mist(canvas, projection, mist, spacing);
    }
    return averaged(canvas);
}

} // namespace sluice
