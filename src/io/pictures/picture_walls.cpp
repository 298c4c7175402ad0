// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_walls.h"
#include "io/fluid/particle_cells.h"
#include "io/pictures/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sluice {
namespace {

constexpr std::uint32_t wall_colour = 0xd9dce1, body_colour = 0xa8937a;
constexpr double least_cover = 1 / 3.0; ///< of a face, by a wall of the tank
constexpr double same_layer = 0.8;      ///< of what the outermost layer covers, by a further one of the same wall
constexpr int most_layers = 8;          ///< of a wall; what goes on for longer is none

/// One of the six sides of a box.
struct Face {
    int axis;
    bool high;
    Vec3d outward() const {
        Vec3d n{0, 0, 0};
        n[axis] = high ? 1 : -1;
        return n;
    }
};
constexpr std::array<Face, 6> faces{{{0, false}, {0, true}, {1, false}, {1, true}, {2, false}, {2, true}}};

bool is_finite(const Vec3d& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// Where the particles of a block are in a frame.
struct WallNodes {
    WallNodes(const Frame& frame, const ParticleBlock& block) : begin(place(frame, block.begin)), end(begin) {
        end = place(frame, block.begin + block.count);
    }
    static std::size_t place(const Frame& frame, std::uint32_t id) {
        return static_cast<std::size_t>(std::lower_bound(frame.id.begin(), frame.id.end(), id) - frame.id.begin());
    }
    std::size_t begin, end;
};

/// Calls `use(particle)` for the boundary particles of a frame that can be part of a tank.
template <class Use>
void for_each_standing(const Frame& frame, const ParticleLayout& layout, Use&& use) {
    for (const ParticleBlock& block : layout.blocks) {
        if (block.type == ParticleType::floating || block.is_fluid()) continue;
        const WallNodes range(frame, block);
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (is_finite(frame.position[i])) use(i);
    }
}

/// The walls of a tank: which layers of particles on which face of the box around them.
class Tank {
public:
    Tank(const Frame& frame, const ParticleLayout& layout) : dp_(layout.dp) {
        constexpr double huge = std::numeric_limits<double>::max();
        box_ = {{huge, huge, huge}, {-huge, -huge, -huge}};
        for_each_standing(frame, layout, [&](std::size_t i) {
            for (int axis = 0; axis < 3; ++axis) {
                box_.min[axis] = std::min(box_.min[axis], frame.position[i][axis]);
                box_.max[axis] = std::max(box_.max[axis], frame.position[i][axis]);
            }
        });
        if (!(box_.min.x <= box_.max.x) || !(dp_ > 0)) return;
        for (std::size_t f = 0; f < faces.size(); ++f) layers_[f] = count_layers(frame, layout, faces[f]);
    }

    bool on_wall(const Vec3d& p, std::size_t face) const { return layer(p, faces[face]) < layers_[face]; }

private:
    /// Layers of particles between a point and a face.
    double layer(const Vec3d& p, const Face& face) const {
        const double away = face.high ? box_.max[face.axis] - p[face.axis] : p[face.axis] - box_.min[face.axis];
        return std::floor(away / dp_ + 0.5);
    }

    int count_layers(const Frame& frame, const ParticleLayout& layout, const Face& face) const {
        const int u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
        const auto cells = [&](int axis) {
            return static_cast<std::size_t>(std::min((box_.max[axis] - box_.min[axis]) / dp_ + 1.5, 4096.0));
        };
        const std::size_t across = cells(u), up = cells(v);
        std::vector<bool> taken(across * up * most_layers);
        std::array<double, most_layers> covered{};
        for_each_standing(frame, layout, [&](std::size_t i) {
            const Vec3d& p = frame.position[i];
            const double k = layer(p, face);
            if (k >= most_layers) return;
            const auto cell = [&](int axis, std::size_t count) {
                const double at = (p[axis] - box_.min[axis]) / dp_ + 0.5;
                return static_cast<std::size_t>(std::min(at, double(count - 1)));
            };
            const std::size_t place = (static_cast<std::size_t>(k) * up + cell(v, up)) * across + cell(u, across);
            if (!taken[place]) ++covered[static_cast<std::size_t>(k)];
            taken[place] = true;
        });
        if (covered[0] < least_cover * double(across * up)) return 0;
        for (int k = 1; k < most_layers; ++k)
            if (covered[static_cast<std::size_t>(k)] < same_layer * covered[0]) return k;
        return 0;
    }

    double dp_;
    Box box_{};
    std::array<int, 6> layers_{};
};

/// The direction of least spread: the limit of repeated products with what the covariance lacks to its trace.
Vec3d least_spread(const std::array<Vec3d, 3>& covariance) {
    const double trace = covariance[0].x + covariance[1].y + covariance[2].z;
    Vec3d n{0.48, 0.6, 0.64};
    for (int k = 0; k < 24; ++k) {
        n = trace * n - Vec3d{dot(covariance[0], n), dot(covariance[1], n), dot(covariance[2], n)};
        n = (1 / std::max(norm(n), 1e-300)) * n;
    }
    return n;
}

/// Across the surface that the particles around one make: away from them where they lie on one side, else across the
/// plane that they lie in.
Vec3d surface_normal(const std::vector<Vec3d>& position, std::size_t i, const ParticleCells& near, double reach) {
    Vec3d sum{0, 0, 0};
    std::array<Vec3d, 3> spread{};
    int count = 0;
    near.for_each_near(position[i], [&](std::uint32_t, double, const Vec3d& r) {
        ++count;
        sum = sum + r;
        for (int axis = 0; axis < 3; ++axis)
            spread[static_cast<std::size_t>(axis)] = spread[static_cast<std::size_t>(axis)] + r[axis] * r;
    });
    const double length = norm(sum);
    if (length > 0.15 * count * reach) return (1 / length) * sum;
    for (int axis = 0; axis < 3; ++axis)
        spread[static_cast<std::size_t>(axis)] =
            spread[static_cast<std::size_t>(axis)] - (sum[axis] / std::max(count, 1)) * sum;
    return least_spread(spread);
}

/// A colour in light from the upper left; surfaces are lit on the side that one sees.
std::uint32_t lit(std::uint32_t colour, const Vec3d& normal, const Projection& projection) {
    Vec3d n = projection.turned(normal);
    if (n.z < 0) n = -1.0 * n;
    return shaded(colour, 0.8 + 0.2 * (-0.40 * n.x + 0.55 * n.y + 0.73 * n.z));
}

/// Blocks that hide more than half of the fluid become mist.
void make_mist(WallLooks& looks, const Frame& frame, const ParticleLayout& layout, const Projection& projection,
               std::size_t boundary) {
    const double cell = 1.5 * layout.dp * projection.scale();
    const auto key = [&](const Vec3d& page) {
        const auto part = [&](double at) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(at / cell, -1e9, 1e9))) & 0xffffffff;
        };
        return part(page.x) << 32 | part(page.y);
    };
    for (const ParticleBlock& block : layout.blocks) {
        if (block.is_fluid()) continue;
        const WallNodes range(frame, block);
        std::unordered_map<std::uint64_t, double> nearest;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (looks.look[i] != WallLook::solid) continue;
            const Vec3d page = projection(frame.position[i]);
            double& depth = nearest.try_emplace(key(page), page.z).first->second;
            depth = std::max(depth, page.z);
        }
        std::size_t hidden = 0;
        for (std::size_t i = boundary; i < frame.size() && !nearest.empty(); ++i) {
            const Vec3d page = projection(frame.position[i]);
            const auto found = nearest.find(key(page));
            if (found != nearest.end() && found->second > page.z) ++hidden;
        }
        if (2 * hidden <= frame.size() - boundary) continue;
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (looks.look[i] == WallLook::solid) looks.look[i] = WallLook::mist;
    }
}

/// Whether most of the fluid lies in the box around what of a block is no wall of the tank.
bool encloses_fluid(const Frame& frame, const WallNodes& range, const std::vector<std::uint8_t>& sides) {
    constexpr double huge = std::numeric_limits<double>::max();
    Box box{{huge, huge, huge}, {-huge, -huge, -huge}};
    for (std::size_t i = range.begin; i < range.end; ++i)
        for (int axis = 0; axis < 3 && sides[i] == 0; ++axis) {
            box.min[axis] = std::min(box.min[axis], frame.position[i][axis]);
            box.max[axis] = std::max(box.max[axis], frame.position[i][axis]);
        }
    std::size_t inside = 0;
    for (std::size_t i = sides.size(); i < frame.size(); ++i) inside += in_crop(box, frame.position[i], false);
    return 2 * inside > frame.size() - sides.size();
}

} // namespace

std::vector<std::uint8_t> wall_sides(const Frame& frame, const ParticleLayout& layout) {
    const Tank tank(frame, layout);
    std::vector<std::uint8_t> sides(layout.groups.fluid_begin(frame.id), 0);
    for (const ParticleBlock& block : layout.blocks) {
        const WallNodes range(frame, block);
        if (block.is_fluid() || block.type == ParticleType::floating || range.begin == range.end) continue;
        for (std::size_t i = range.begin; i < range.end; ++i)
            for (std::size_t f = 0; f < faces.size(); ++f)
                if (tank.on_wall(frame.position[i], f)) sides[i] |= static_cast<std::uint8_t>(1u << f);
        if (!encloses_fluid(frame, range, sides)) continue;
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (sides[i] == 0) sides[i] = around_fluid;
    }
    return sides;
}

WallLooks wall_looks(const Frame& frame, const ParticleLayout& layout, const Projection& projection,
                     std::span<const std::uint32_t> colour) {
    constexpr double face_on = 0.02; // cosine: faces seen edge on hide nothing
    const std::size_t boundary = layout.groups.fluid_begin(frame.id);
    const Tank tank(frame, layout);
    WallLooks looks;
    looks.look.assign(boundary, WallLook::solid);
    looks.colour.assign(boundary, 0);
    const double reach = 3.01 * layout.dp;
    for (const ParticleBlock& block : layout.blocks) {
        const WallNodes range(frame, block);
        if (block.is_fluid() || range.begin == range.end) continue;
        const ParticleCells near(frame.position, range.begin, range.end, reach, false);
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const Vec3d& p = frame.position[i];
            int wall = -1;
            for (std::size_t f = 0; f < faces.size() && block.type != ParticleType::floating; ++f) {
                if (!tank.on_wall(p, f)) continue;
                wall = static_cast<int>(f);
                if (projection.turned(faces[f].outward()).z > face_on) looks.look[i] = WallLook::left_out;
            }
            if (looks.look[i] == WallLook::left_out) continue;
            const Vec3d normal = wall >= 0 ? faces[static_cast<std::size_t>(wall)].outward()
                                           : surface_normal(frame.position, i, near, reach);
            looks.colour[i] = lit(!colour.empty() ? colour[i]
                                  : wall >= 0     ? wall_colour
                                                  : body_colour,
                                  normal, projection);
        }
    }
    make_mist(looks, frame, layout, projection, boundary);
    return looks;
}

} // namespace sluice
