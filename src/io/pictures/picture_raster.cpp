// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Particles are set as pixels here rather than as cairo paths: a million discs then take a second, not a minute.
// Everything is drawn at twice the size and averaged, which smooths the edges.

namespace sluice {

/// Each of the three colours times a factor from 0 to 1.
std::uint32_t shaded(std::uint32_t colour, double light) {
    const auto factor = static_cast<std::uint32_t>(256 * std::min(light, 1.0));
    return (((colour & 0xff00ff) * factor >> 8) & 0xff00ff) | (((colour & 0xff00) * factor >> 8) & 0xff00);
}

namespace {

/// A rectangle of a canvas, pixels.
struct Tile {
    int left, top, right, bottom;
};
Tile whole(const PixelCanvas& canvas) { return {0, 0, canvas.width, canvas.height}; }

/// Whether a place can be a number of a pixel at all.
bool is_near(const Vec3d& place) { return std::abs(place.x) < 1e6 && std::abs(place.y) < 1e6; }

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

    int reach() const { return reach_; }

    /// Calls `use(first pixel, heights, lights, count)` for each row of the sprite at a place that lies in a part of
    /// the canvas.
    template <class Use>
    void for_each_row(const PixelCanvas& canvas, const Tile& part, const Vec3d& place, Use&& use) const {
        if (!is_near(place)) return;
        const int x = static_cast<int>(std::lround(place.x)), y = static_cast<int>(std::lround(place.y));
        const int first = std::max(-reach_, part.top - y), last = std::min(reach_, part.bottom - y);
        for (int dy = first; dy < last; ++dy) {
            const Row& row = rows_[static_cast<std::size_t>(dy + reach_)];
            const int from = std::max(row.begin, part.left - x), to = std::min(row.end, part.right - x);
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

Pixels averaged(const PixelCanvas& canvas) {
    static_assert(oversampling == 2);
    Pixels pixels{canvas.width / 2, canvas.height / 2, std::vector<Argb>(canvas.count() / 4)};
    Argb* out = pixels.argb.data();
    for (int y = 0; y < canvas.height; y += 2) {
        const Argb *const upper = &canvas.argb[canvas.index(0, y)], *const lower = &canvas.argb[canvas.index(0, y + 1)];
        for (int x = 0; x < canvas.width; x += 2) *out++ = mean(upper[x], upper[x + 1], lower[x], lower[x + 1]);
    }
    return pixels;
}

void add_flat(PixelCanvas& canvas, const Projection& projection, const Dots& dots, double radius) {
    const Sprite sprite(radius);
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Argb colour = opaque | dots.colour[i];
        sprite.for_each_row(canvas, whole(canvas), canvas.place(projection(dots.position[i])),
                            [&](std::size_t at, const float*, const std::uint16_t*, std::size_t count) {
                                std::fill_n(&canvas.argb[at], count, colour);
                            });
    }
}

/// A row of a sphere: pixels at which it is nearer than what is there. Without a branch, so that several go at once.
template <bool each_lit>
void put_row(Argb* __restrict argb, float* __restrict depth, const float* __restrict height,
             const std::uint16_t* __restrict light, std::size_t count, float middle, Argb colour) {
    int shows = 0;
    for (std::size_t k = 0; k < count; ++k) shows |= middle + height[k] > depth[k] ? 1 : 0;
    if (shows == 0) return;
    const Argb even = colour & 0xff00ff, green = colour & 0xff00;
    for (std::size_t k = 0; k < count; ++k) {
        const float z = middle + height[k], before = depth[k];
        const Argb under = argb[k], nearer = z > before ? 0xffffffff : 0;
        const std::uint32_t factor = each_lit ? light[k] : 256;
        const Argb lit = opaque | (even * factor >> 8 & 0xff00ff) | (green * factor >> 8 & 0xff00);
        depth[k] = z > before ? z : before;
        argb[k] = (lit & nearer) | (under & ~nearer);
    }
}

/// The tiles of a canvas, and which spheres reach into each: drawn tile by tile they stay in the processor's cache, and
/// from the front to the back most of those inside the fluid are hidden before they are drawn.
class Tiles {
public:
    Tiles(const PixelCanvas& canvas, const std::vector<Vec3d>& places, int reach)
        : canvas_(canvas), across_((canvas.width + width - 1) / width), sprites_(tile_count()) {
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (!is_near(places[i])) continue;
            const int x = static_cast<int>(std::lround(places[i].x)), y = static_cast<int>(std::lround(places[i].y));
            const int right = std::min(x + reach, canvas.width), bottom = std::min(y + reach, canvas.height);
            for (int v = std::max(y - reach, 0) / height; v * height < bottom; ++v)
                for (int u = std::max(x - reach, 0) / width; u * width < right; ++u)
                    sprites_[static_cast<std::size_t>(v * across_ + u)].push_back(i);
        }
        for (std::vector<std::size_t>& sprites : sprites_)
            std::stable_sort(sprites.begin(), sprites.end(),
                             [&](std::size_t a, std::size_t b) { return places[a].z > places[b].z; });
    }
    /// Calls `draw(part of the canvas, sphere)` for all of them, in a tile the nearest first.
    template <class Draw>
    void for_each(Draw&& draw) const {
        for (std::size_t t = 0; t < sprites_.size(); ++t) {
            const int left = static_cast<int>(t) % across_ * width, top = static_cast<int>(t) / across_ * height;
            const Tile part{left, top, std::min(left + width, canvas_.width), std::min(top + height, canvas_.height)};
            for (const std::size_t i : sprites_[t]) draw(part, i);
        }
    }

private:
    static constexpr int width = 256, height = 128; ///< a quarter of a megabyte with the depth
    std::size_t tile_count() const {
        return static_cast<std::size_t>(across_) * static_cast<std::size_t>((canvas_.height + height - 1) / height);
    }

    const PixelCanvas& canvas_;
    int across_;
    std::vector<std::vector<std::size_t>> sprites_;
};

/// Spheres of which the nearest wins; lit from the upper left one by one, or each in its own even colour.
void add_spheres(PixelCanvas& canvas, const Projection& projection, const Dots& dots, double radius, bool each_lit) {
    const Sprite sprite(radius);
    const auto put = each_lit ? put_row<true> : put_row<false>;
    std::vector<Vec3d> places;
    for (const Vec3d& p : dots.position) places.push_back(canvas.place(projection(p)));
    Tiles(canvas, places, sprite.reach()).for_each([&](const Tile& part, std::size_t i) {
        const auto middle = static_cast<float>(places[i].z);
        sprite.for_each_row(canvas, part, places[i],
                            [&](std::size_t at, const float* height, const std::uint16_t* light, std::size_t count) {
                                put(&canvas.argb[at], &canvas.depth[at], height, light, count, middle, dots.colour[i]);
                            });
    });
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
void add_mist(PixelCanvas& canvas, const Projection& projection, const Dots& dots, double spacing) {
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

std::shared_ptr<const PixelCanvas> draw_boundary(const Projection& projection, const PageArea& area,
                                                 const Dots& boundary, double dp, bool two_d) {
    const auto canvas = std::make_shared<PixelCanvas>(area, !two_d);
    const double spacing = oversampling * dp * projection.scale();
    if (two_d)
        add_flat(*canvas, projection, boundary, 0.56 * spacing);
    else
        add_spheres(*canvas, projection, boundary, 0.8 * spacing, false);
    return canvas;
}

namespace {

/// Radius of a disc in the plane, pixels, for particles so many pixels apart: single ones where they can be told apart,
/// else without the gaps between four of them that would show as a pattern.
double flat_radius(double spacing) {
    constexpr double told_apart = 10, to_the_middle_of_four = 0.71, rounding = 0.71;
    return spacing < told_apart ? to_the_middle_of_four * spacing + rounding : 0.65 * spacing;
}

} // namespace

Pixels draw_fluid(const PixelCanvas& background, const Projection& projection, const Dots& fluid,
                  const ColouredMesh& surface, const Dots& mist, double dp, bool two_d) {
    PixelCanvas canvas(&background);
    const double spacing = oversampling * dp * projection.scale();
    add_triangles(canvas, projection, surface);
    if (two_d) {
        add_flat(canvas, projection, fluid, flat_radius(spacing));
    } else {
        add_spheres(canvas, projection, fluid, 0.62 * spacing, true);
        add_mist(canvas, projection, mist, spacing);
    }
    Pixels pixels = averaged(canvas);
    canvas.release(background);
    return pixels;
}

} // namespace sluice
