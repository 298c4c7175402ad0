// SPDX-License-Identifier: Apache-2.0
#include "io/colour_map.h"
#include "io/picture_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// Particles are set as pixels here rather than as cairo paths: a million discs then take a second, not a minute.
// Everything is drawn at twice the size and averaged, which smooths the edges.

namespace sluice {
namespace {

constexpr int oversampling = 2;
constexpr float nothing = -std::numeric_limits<float>::infinity();

struct Rgb {
    float r = 0, g = 0, b = 0;
};
Rgb operator+(Rgb a, Rgb b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
Rgb operator*(float s, Rgb a) { return {s * a.r, s * a.g, s * a.b}; }

constexpr Rgb boundary_grey{0.36f, 0.38f, 0.42f};

const std::array<Rgb, 256>& colour_table() {
    static const std::array<Rgb, 256> table = [] {
        std::array<Rgb, 256> made;
        for (int k = 0; k < 256; ++k) {
            const Colour c = map_colour(k / 255.0);
            made[static_cast<std::size_t>(k)] = {c.red / 255.f, c.green / 255.f, c.blue / 255.f};
        }
        return made;
    }();
    return table;
}

Rgb colour_of(const Dots& dots, std::size_t i) {
    if (dots.value.empty()) return boundary_grey;
    return colour_table()[static_cast<std::size_t>(255 * std::clamp(dots.value[i], 0.f, 1.f) + 0.5f)];
}

/// Colour with coverage per pixel, at the finer size.
struct Canvas {
    Canvas(const PageArea& area)
        : left(area.left), top(area.top), width(oversampling * static_cast<int>(std::ceil(area.width))),
          height(oversampling * static_cast<int>(std::ceil(area.height))), colour(count()), alpha(count(), 0.f) {}

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
    std::vector<Rgb> colour; // premultiplied
    std::vector<float> alpha;
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

Pixels averaged(const Canvas& canvas) {
    Pixels pixels{canvas.width / oversampling, canvas.height / oversampling, {}};
    pixels.argb.resize(canvas.count() / (oversampling * oversampling));
    const auto byte = [](float v) { return static_cast<std::uint32_t>(std::clamp(v, 0.f, 1.f) * 255.f + 0.5f); };
    constexpr float share = 1.f / (oversampling * oversampling);
    for (int y = 0; y < pixels.height; ++y)
        for (int x = 0; x < pixels.width; ++x) {
            Rgb sum;
            float alpha = 0;
            for (int k = 0; k < oversampling * oversampling; ++k) {
                const std::size_t i =
                    canvas.index(oversampling * x + k % oversampling, oversampling * y + k / oversampling);
                sum = sum + canvas.colour[i];
                alpha += canvas.alpha[i];
            }
            sum = share * sum;
            pixels.argb[static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels.width) +
                        static_cast<std::size_t>(x)] =
                byte(share * alpha) << 24 | byte(sum.r) << 16 | byte(sum.g) << 8 | byte(sum.b);
        }
    return pixels;
}

void add_flat(Canvas& canvas, const Projection& projection, const Dots& dots, double radius) {
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Rgb colour = colour_of(dots, i);
        for_each_pixel(canvas, canvas.place(projection(dots.position[i])), radius, [&](std::size_t k, double, double) {
            canvas.colour[k] = colour;
            canvas.alpha[k] = 1;
        });
    }
}

/// Spheres lit from the upper left; the nearest wins. Fills `depth`.
void add_spheres(Canvas& canvas, const Projection& projection, const Dots& dots, double radius,
                 std::vector<float>& depth) {
    for (std::size_t i = 0; i < dots.position.size(); ++i) {
        const Rgb colour = colour_of(dots, i);
        const Vec3d place = canvas.place(projection(dots.position[i]));
        const double r = std::max(radius, 0.71);
        for_each_pixel(canvas, place, radius, [&](std::size_t k, double dx, double dy) {
            const double nx = dx / r, ny = dy / r, nz = std::sqrt(std::max(0.0, 1 - nx * nx - ny * ny));
            const float z = static_cast<float>(place.z + r * nz);
            if (z <= depth[k]) return;
            depth[k] = z;
            const double light = 0.62 + 0.38 * std::max(0.0, -0.40 * nx - 0.55 * ny + 0.73 * nz);
            canvas.colour[k] = static_cast<float>(light) * colour;
            canvas.alpha[k] = 1;
        });
    }
}

/// How much boundary lies before and behind the fluid on each pixel, in layers of particles. Soft dots add up to
/// an even mist, in any order.
struct Mist {
    std::vector<float> before, behind;
};

Mist gather_mist(const Canvas& canvas, const Projection& projection, const Dots& boundary, double spacing,
                 const std::vector<float>& depth) {
    Mist mist{std::vector<float>(canvas.count(), 0.f), std::vector<float>(canvas.count(), 0.f)};
    const double radius = std::max(1.6 * spacing, 2.0);
    // A layer of dots one spacing apart, seen face on, adds up to 1.
    const double peak = 2 * spacing * spacing / (3.14159265358979 * radius * radius);
    for (const Vec3d& position : boundary.position) {
        const Vec3d place = canvas.place(projection(position));
        for_each_pixel(canvas, place, radius, [&](std::size_t k, double dx, double dy) {
            const float amount = static_cast<float>(peak * (1 - (dx * dx + dy * dy) / (radius * radius)));
            (static_cast<float>(place.z) > depth[k] ? mist.before : mist.behind)[k] += amount;
        });
    }
    return mist;
}

float opacity(float layers, float per_layer, float most) { return most * (1 - std::exp(-layers * per_layer / most)); }

void cover(Canvas& canvas, std::size_t k, float alpha) {
    canvas.colour[k] = (1 - alpha) * canvas.colour[k] + alpha * boundary_grey;
    canvas.alpha[k] = (1 - alpha) * canvas.alpha[k] + alpha;
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
    const Mist mist = gather_mist(canvas, projection, boundary, spacing, depth);
    for (std::size_t k = 0; k < canvas.count(); ++k) {
        if (canvas.alpha[k] == 0) {
            cover(canvas, k, opacity(mist.behind[k] + mist.before[k], 0.14f, 0.8f));
        } else {
            cover(canvas, k, opacity(mist.before[k], 0.07f, 0.6f));
        }
    }
    return averaged(canvas);
}

} // namespace sluice
