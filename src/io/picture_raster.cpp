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
constexpr Argb boundary_grey = 0x5c616b;

/// The colour of one of the dots, without alpha.
Argb colour_of(const Dots& dots, std::size_t i) { return dots.colour.empty() ? boundary_grey : dots.colour[i]; }

/// Each of the three colours times a factor from 0 to 1.
Argb shaded(Argb colour, double light) {
    const auto factor = static_cast<std::uint32_t>(256 * light);
    return (((colour & 0xff00ff) * factor >> 8) & 0xff00ff) | (((colour & 0xff00) * factor >> 8) & 0xff00);
}

/// What is drawn, at the finer size.
struct Canvas {
    Canvas(const PageArea& area)
        : left(area.left), top(area.top), width(oversampling * static_cast<int>(std::ceil(area.width))),
          height(oversampling * static_cast<int>(std::ceil(area.height))), argb(count(), 0) {}

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
};

/// Calls `use(pixel index, dx, dy)` for the pixels whose centres lie within `radius` of the place; at least one.
template <class Use>
void for_each_pixel(const Canvas& canvas, const Vec3d& place, double radius, Use&& use) {
    if (!(std::abs(place.x) < 1e6 && std::abs(place.y) < 1e6)) return;
    const double r = std::max(radius, 0.71);
    const int x0 = std::max(static_cast<int>(std::floor(place.x - r)), 0);
    const int x1 = std::min(static_cast<int>(std::ceil(place.x + r)), canvas.width);
    const int y0 = std::max(static_cast<int>(std::floor(place.y - r)), 0);
    const int y1 = std::min(static_cast<int>(std::ceil(place.y + r)), canvas.height);
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            const double dx = x + 0.5 - place.x, dy = y + 0.5 - place.y;
            if (dx * dx + dy * dy <= r * r) use(canvas.index(x, y), dx, dy);
        }
}

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
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Argb colour = opaque | colour_of(dots, i);
        for_each_pixel(canvas, canvas.place(projection(dots.position[i])), radius,
                       [&](std::size_t k, double, double) { canvas.argb[k] = colour; });
    }
}

/// Spheres lit from the upper left; the nearest wins. Fills `depth`.
void add_spheres(Canvas& canvas, const Projection& projection, const Dots& dots, double radius,
                 std::vector<float>& depth) {
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Argb colour = colour_of(dots, i);
        const Vec3d place = canvas.place(projection(dots.position[i]));
        const double r = std::max(radius, 0.71);
        for_each_pixel(canvas, place, radius, [&](std::size_t k, double dx, double dy) {
            const double nx = dx / r, ny = dy / r, nz = std::sqrt(std::max(0.0, 1 - nx * nx - ny * ny));
            const float z = static_cast<float>(place.z + r * nz);
            if (z <= depth[k]) return;
            depth[k] = z;
            const double light = 0.62 + 0.38 * std::max(0.0, -0.40 * nx - 0.55 * ny + 0.73 * nz);
            canvas.argb[k] = opaque | shaded(colour, light);
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

/// The boundary before and behind the fluid on each pixel. Soft dots add up to an even mist, in any order.
struct Mist {
    std::vector<Layers> before, behind;
};

Mist gather_mist(const Canvas& canvas, const Projection& projection, const Dots& boundary, double spacing,
                 const std::vector<float>& depth) {
    Mist mist{std::vector<Layers>(canvas.count()), std::vector<Layers>(canvas.count())};
    const double radius = std::max(1.6 * spacing, 2.0);
    // A layer of dots one spacing apart, seen face on, adds up to 1.
    const double peak = 2 * spacing * spacing / (3.14159265358979 * radius * radius);
    for (std::size_t i = 0; i < boundary.position.size(); ++i) {
        const Argb colour = colour_of(boundary, i);
        const Vec3d place = canvas.place(projection(boundary.position[i]));
        for_each_pixel(canvas, place, radius, [&](std::size_t k, double dx, double dy) {
            const float amount = static_cast<float>(peak * (1 - (dx * dx + dy * dy) / (radius * radius)));
            (static_cast<float>(place.z) > depth[k] ? mist.before : mist.behind)[k].add(amount, colour);
        });
    }
    return mist;
}

float opacity(float layers, float per_layer, float most) { return most * (1 - std::exp(-layers * per_layer / most)); }

/// Puts the mean colour of some layers over a pixel.
void cover(Argb& pixel, const Layers& layers, float per_layer, float most) {
    if (!(layers.amount > 0)) return;
    const float alpha = opacity(layers.amount, per_layer, most);
    const auto blend = [&](int shift, float over) {
        const float under = static_cast<float>(pixel >> shift & 255);
        return static_cast<Argb>((1 - alpha) * under + alpha * over + 0.5f) << shift;
    };
    pixel = blend(24, 255) | blend(16, layers.red / layers.amount) | blend(8, layers.green / layers.amount) |
            blend(0, layers.blue / layers.amount);
}

} // namespace

Pixels draw_flat(const Projection& projection, const PageArea& area, const Dots& boundary, const Dots& fluid,
                 double dp) {
    Canvas canvas(area);
    const double spacing = oversampling * dp * projection.scale();
    add_flat(canvas, projection, boundary, 0.56 * spacing);
    add_flat(canvas, projection, fluid, 0.65 * spacing);
    return averaged(canvas);
}

Pixels draw_solid(const Projection& projection, const PageArea& area, const Dots& boundary, const Dots& fluid,
                  double dp) {
    Canvas canvas(area);
    const double spacing = oversampling * dp * projection.scale();
    std::vector<float> depth(canvas.count(), nothing);
    add_spheres(canvas, projection, fluid, 0.62 * spacing, depth);
    Mist mist = gather_mist(canvas, projection, boundary, spacing, depth);
    for (std::size_t k = 0; k < canvas.count(); ++k) {
        const bool behind_shows = canvas.argb[k] == 0; // no fluid hides it
        if (behind_shows) {
            mist.behind[k].amount += mist.before[k].amount;
            mist.behind[k].red += mist.before[k].red;
            mist.behind[k].green += mist.before[k].green;
            mist.behind[k].blue += mist.before[k].blue;
            cover(canvas.argb[k], mist.behind[k], 0.14f, 0.8f);
        } else {
            cover(canvas.argb[k], mist.before[k], 0.07f, 0.6f);
        }
    }
    return averaged(canvas);
}

} // namespace sluice
