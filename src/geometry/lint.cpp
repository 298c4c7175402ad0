// SPDX-License-Identifier: Apache-2.0
#include "geometry/lint.h"

#include "case/domain.h"
#include "core/extent.h"
#include "geometry/lint_crest.h"
#include "geometry/lint_floor.h"
#include "model/choices.h"
#include "model/derive.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <set>
#include <unordered_set>

namespace sluice {

namespace {

using Level = Diagnostic::Level;

/// Whether an open boundary stands on these particles; it widens the domain by its layers.
bool is_open_zone(const Case& the_case, const ParticleBlock& block) {
    return block.type == ParticleType::fluid && std::ranges::any_of(the_case.open.zones, [&](const OpenZoneDef& zone) {
               return zone.shape.kind == ZoneShape::Kind::particles && zone.shape.mkfluid == block.mk_type;
           });
}

// A fluid particle at the very edge is outside after its first step, unless it comes back in on the other side.
void check_domain_edge(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& out) {
    Extent all;
    for (const ParticleBlock& b : set.blocks) {
        all.add(b.min);
        all.add(b.max);
    }
    const Box domain = resolve_domain(the_case.parameters, all.min, all.max);
    for (const ParticleBlock& b : set.blocks)
        for (int axis = 0; axis < 3 && !is_open_zone(the_case, b); ++axis) {
            if ((axis == 1 && set.two_d) || the_case.parameters.periodic[axis]) continue;
            const double low = b.min[axis] - domain.min[axis], high = domain.max[axis] - b.max[axis];
            const char name = "xyz"[axis];
            if (low < 0 || high < 0)
                out.push_back(
                    {Level::warning, the_case.definition.where,
                     fmt::format("particles of {} lie outside the simulation domain on axis {}, widen simulationdomain",
                                 b.name(), name)});
            else if (b.type == ParticleType::fluid && std::min(low, high) < 0.5 * set.dp)
                out.push_back(
                    {Level::warning, the_case.definition.where,
                     fmt::format("fluid of {} touches the edge of the simulation domain on axis {} ({:.6g} m): its "
                                 "outermost particles are excluded as soon as they move, add a wall or widen "
                                 "simulationdomain",
                                 b.name(), name, low < high ? domain.min[axis] : domain.max[axis])});
        }
}

/// Of more boundary particles no cells are made: they would take too long.
constexpr std::uint32_t most_walls = 20'000'000;

/// Cells of dp that hold particles of the ids from `begin` to `end`.
class OccupiedCells {
public:
    OccupiedCells(const ParticleSet& set, std::uint32_t begin, std::uint32_t end)
        : dp_(set.dp), origin_(set.position[0]) {
        cells_.reserve(end - begin);
        for (std::uint32_t n = begin; n < end; ++n) cells_.insert(key(cell(set.position[n])));
    }
    bool holds(const Vec3<std::int64_t>& at) const { return cells_.contains(key(at)); }
    Vec3<std::int64_t> cell(const Vec3d& p) const {
        return {std::llround((p.x - origin_.x) / dp_), std::llround((p.y - origin_.y) / dp_),
                std::llround((p.z - origin_.z) / dp_)};
    }
    /// Number of such cells in a row from the one beside `at`, at most `most`.
    int layers(Vec3<std::int64_t> at, int axis, int sign, int most) const {
        int n = 0;
        for (at[axis] += sign; n < most && cells_.contains(key(at)); at[axis] += sign) ++n;
        return n;
    }

private:
    static std::uint64_t key(const Vec3<std::int64_t>& c) {
        const auto part = [](std::int64_t v) { return std::uint64_t(v + (1 << 20)) & 0x1fffff; };
        return part(c.x) << 42 | part(c.y) << 21 | part(c.z);
    }
    double dp_;
    Vec3d origin_;
    std::unordered_set<std::uint64_t> cells_;
};

OccupiedCells wall_cells(const ParticleSet& set) { return {set, 0, set.boundary_count}; }

/// Fluid that sees fluid through a wall: the fewest spacings between two such particles in a row across it, 0 for none.
int fluid_through_walls(const ParticleSet& set, const OccupiedCells& walls, double h) {
    constexpr std::uint32_t most_fluid = 5'000'000, samples = 200'000;
    const std::uint32_t fluid = set.size() - set.boundary_count;
    if (fluid > most_fluid) return 0;
    const OccupiedCells water(set, set.boundary_count, set.size());
    const std::uint32_t stride = std::max<std::uint32_t>(1, fluid / samples);
    int fewest = 0;
    for (std::uint32_t n = set.boundary_count; n < set.size(); n += stride)
        for (int axis = 0; axis < 3; ++axis) {
            Vec3<std::int64_t> at = walls.cell(set.position[n]);
            bool wall = false;
            for (int k = 1; k * set.dp < 2 * h && (fewest == 0 || k < fewest); ++k) {
                ++at[axis];
                if (water.holds(at) && wall) fewest = k;
                if (water.holds(at)) break;
                wall = wall || walls.holds(at);
            }
        }
    return fewest;
}

/// A flow so viscous that friction shapes it, over dynamic walls: they push the water off, and what lies half a spacing
/// further away feels less of them (docs/validation.md, A viscous fluid over dynamic walls). Not where gravity only
/// drives a flow along periodic sides, which presses nothing against a wall.
void check_friction(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& out) {
    constexpr double viscous = 100; // friction then reaches a tenth of the depth while the flow passes it
    const ExecutionParameters& p = the_case.parameters;
    if (p.boundary != sph::BoundaryCondition::dynamic || p.viscosity == sph::ViscosityModel::artificial) return;
    Vec3d pressing = the_case.constants.gravity;
    for (int axis = 0; axis < 3; ++axis)
        if (p.periodic[axis]) pressing[axis] = 0;
    const double depth = set.still_water_depth, speed = std::sqrt(norm(pressing) * depth);
    if (!(p.visco > 0) || !(speed > 0) || !(speed * depth < viscous * p.visco)) return;
    out.push_back(
        {Level::warning, the_case.definition.where,
         fmt::format("the fluid is viscous (Reynolds number {:.2g} of its depth), and dynamic walls exert a part of "
                     "their friction only, however many layers they have: a column of such a fluid ran 14 % further "
                     "over them; take walls from ghost nodes without slip (Boundary 2, SlipMode 2, with normals)",
                     speed * depth / p.visco)});
}

void check_wall_layers(const Case& the_case, const ParticleSet& set, double h, std::vector<Diagnostic>& out) {
    constexpr std::uint32_t samples = 200000;
    const std::uint32_t fluid = set.size() - set.boundary_count;
    if (!fluid || !set.boundary_count || set.boundary_count > most_walls) return;
    check_friction(the_case, set, out);
    const double reach = 2 * h / set.dp;
    // those nearer than 2h to fluid that touches the surface, half a spacing before the first layer
    const int needed = std::max(1, static_cast<int>(std::ceil(reach - 0.5 - 1e-9)));
    const OccupiedCells walls = wall_cells(set);
    if (const int between = fluid_through_walls(set, walls, h); between > 0)
        out.push_back(
            {Level::warning, the_case.definition.where,
             fmt::format("fluid stands on both sides of a wall or body, {} dp apart, and the kernel reaches {:.3g} dp: "
                         "it acts through it; draw it so that {} dp lie between",
                         between, reach, static_cast<int>(std::ceil(reach - 1e-9)))});
    const std::uint32_t stride = std::max<std::uint32_t>(1, fluid / samples);
    std::vector<std::size_t> by_layers(std::size_t(needed) + 1);
    for (std::uint32_t n = set.boundary_count; n < set.size(); n += stride)
        for (int axis = 0; axis < 3; ++axis)
            for (int sign : {-1, 1}) {
                if ((axis == 1 && set.two_d) || the_case.parameters.periodic[axis]) continue;
                Vec3<std::int64_t> at = walls.cell(set.position[n]);
                int layers = walls.layers(at, axis, sign, needed);
                at[axis] += sign; // drawn with a spacing between, it will lie on the wall
                if (layers == 0) layers = walls.layers(at, axis, sign, needed);
                if (layers > 0) ++by_layers[std::size_t(layers)];
            }
    const std::size_t touched = std::accumulate(by_layers.begin(), by_layers.end(), std::size_t(0));
    const std::size_t thin = touched - by_layers.back();
    if (thin * 10 < touched || touched == 0) return;
    int common = 0; // so thick, or thinner, in a tenth of the places: edges may be thinner
    for (std::size_t so_far = 0; so_far * 10 < touched; so_far += by_layers[std::size_t(common)]) ++common;
    const sph::DensityDiffusion diffusion = the_case.parameters.diffusion;
    if (common == 1 &&
        (diffusion == sph::DensityDiffusion::fourtakas_full || diffusion == sph::DensityDiffusion::renormalised))
        out.push_back({Level::warning, the_case.definition.where,
                       fmt::format("walls are one layer thick, and DensityDT {} smooths the densities at walls: the "
                                   "water can go through them; use DensityDT 2, or draw the walls with two layers or "
                                   "more",
                                   word_of(diffusion))});
    const bool dynamic = the_case.parameters.boundary == sph::BoundaryCondition::dynamic;
    out.push_back(
        {Level::info, the_case.definition.where,
         fmt::format("walls are {} layer(s) thick where the kernel reaches {} (2h = {:.3g} dp): {}pressures "
                     "near the walls are better with more layers",
                     common, needed, 2 * h / set.dp, dynamic ? "usual with dynamic boundary particles, but " : "")});
}

/// A point gauge with wall all around it: no fluid comes near.
void check_gauges(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& out) {
    if (the_case.gauges.empty() || !set.boundary_count || set.boundary_count > most_walls) return;
    const OccupiedCells walls = wall_cells(set);
    const auto warn_inside = [&](const Gauge& gauge, const Vec3d& point) {
        Vec3<std::int64_t> at = walls.cell(point);
        if (set.two_d) at.y = walls.cell(set.position[0]).y;
        for (int axis = 0; axis < 3; ++axis)
            for (int sign : {-1, 1})
                if (!(axis == 1 && set.two_d) && walls.layers(at, axis, sign, 1) == 0) return;
        out.push_back({Level::warning, gauge.where,
                       fmt::format("the gauge \"{}\" lies inside a wall or body, at ({:.6g}, {:.6g}, {:.6g}) m: no "
                                   "fluid comes near to it; move it",
                                   gauge.name, point.x, point.y, point.z)});
    };
    for (const Gauge& gauge : the_case.gauges) {
        if (const auto* velocity = std::get_if<VelocityPoint>(&gauge.kind)) warn_inside(gauge, velocity->point);
        if (const auto* pressure = std::get_if<PressurePoint>(&gauge.kind)) warn_inside(gauge, pressure->point);
    }
}

/// A free surface is sought from inside the fluid outwards: a line that runs down with gravity begins in the air.
void check_surface_lines(const Case& the_case, std::vector<Diagnostic>& out) {
    for (const Gauge& gauge : the_case.gauges) {
        const auto* line = std::get_if<SurfaceLine>(&gauge.kind);
        if (!line || !(dot(line->point2 - line->point0, the_case.constants.gravity) > 0)) continue;
        out.push_back(
            {Level::warning, gauge.where,
             fmt::format("the line of the gauge \"{}\" runs downwards: from point0 it looks for the end of the "
                         "water that it meets first, which is then the lower one; swap point0 and point2",
                         gauge.name)});
    }
}

/// A 3-D case that is hardly thicker than a particle is most often a 2-D one with different y of pointmin and pointmax.
/// Bodies without fluid may be thin.
void check_thickness(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& out) {
    if (set.two_d || the_case.parameters.periodic[1] || set.size() == set.boundary_count) return;
    double low = set.blocks.front().min.y, high = set.blocks.front().max.y;
    for (const ParticleBlock& block : set.blocks) {
        low = std::min(low, block.min.y);
        high = std::max(high, block.max.y);
    }
    if (high - low > 2.5 * set.dp) return;
    out.push_back({Level::warning, the_case.definition.where,
                   fmt::format("the case is 3-D and its particles take {:.4g} dp along y: for a 2-D case in x-z give "
                               "pointmin and pointmax the same y",
                               (high - low) / set.dp)});
}

/// The scheme takes walls of ghost nodes only where the case says normals.
void note_walls_of_scheme(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& out) {
    const auto boundary = std::ranges::find(the_case.effective, "Boundary", &EffectiveValue::name);
    const bool chose_dynamic = boundary != the_case.effective.end() && boundary->where.file == scheme_place &&
                               the_case.parameters.boundary == sph::BoundaryCondition::dynamic;
    if (!chose_dynamic || std::ranges::all_of(set.blocks, &ParticleBlock::is_fluid)) return;
    out.push_back(
        {Level::warning, the_case.definition.where,
         "the scheme takes dynamic boundary particles (Boundary=1), as the case has no normals of "
         "walls. With normals it takes walls of ghost nodes (Boundary=2), which were found better: give them in "
         "casedef/normals by norplane, norsphere, norcylinder or geometryfile (docs/case-format.md, Normals of "
         "walls), or say Boundary=1 if that is meant"});
}

/// What to do where a case names an mkbound without particles, with those that have some.
std::string where_drawn(const std::set<int>& drawn) {
    constexpr std::size_t most = 10;
    if (drawn.empty()) return "draw it after <setmkbound>, inside the box of the definition";
    const std::vector<int> some(drawn.begin(), std::next(drawn.begin(), std::ptrdiff_t(std::min(most, drawn.size()))));
    return fmt::format("draw it after <setmkbound>, inside the box of the definition, or name one that is drawn ({}{})",
                       fmt::join(some, ", "), drawn.size() > most ? ", …" : "");
}

void check_bodies(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& out) {
    // One element may name thousands of bodies: one message each.
    std::set<int> drawn;
    for (const ParticleBlock& b : set.blocks)
        if (b.type != ParticleType::fluid) drawn.insert(b.mk_type);
    for (std::size_t i = 0; i < the_case.floatings.size();) {
        const SourceLocation where = the_case.floatings[i].where;
        std::vector<int> empty;
        for (; i < the_case.floatings.size() && the_case.floatings[i].where.line == where.line; ++i)
            if (!drawn.contains(the_case.floatings[i].mkbound)) empty.push_back(the_case.floatings[i].mkbound);
        if (empty.size() == 1)
            out.push_back({Level::warning, where,
                           fmt::format("the floating mkbound {} has no particles: {}", empty[0], where_drawn(drawn))});
        else if (!empty.empty())
            out.push_back({Level::warning, where,
                           fmt::format("{} floating mkbound, from {} to {}, have no particles", empty.size(),
                                       empty.front(), empty.back())});
    }
    for (const MotionObject& m : the_case.motion)
        if (m.mkbound >= 0 && !drawn.contains(m.mkbound))
            out.push_back({Level::warning, m.where,
                           fmt::format("the moving mkbound {} has no particles: {}", m.mkbound, where_drawn(drawn))});
}

/// Particles lie on nodes counted from pointmin (or pointref): what is drawn between two planes moves to one of them.
void note_lattice(const Case& the_case, std::vector<Diagnostic>& out) {
    const CaseDefinition& d = the_case.definition;
    const Vec3d origin = d.point_ref.value_or(d.point_min);
    std::string axes;
    double shift = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == 1 && d.two_d) continue;
        const double off = origin[axis] - d.dp * std::round(origin[axis] / d.dp);
        if (std::abs(off) < 1e-6 * d.dp) continue;
        // chosen so that surfaces drawn at multiples of dp lie between particles
        if (d.point_ref && std::abs(std::abs(off) - 0.5 * d.dp) < 1e-6 * d.dp) continue;
        axes += fmt::format("{}{}", axes.empty() ? "" : ", ", "xyz"[axis]);
        shift = off;
    }
    if (axes.empty()) return;
    out.push_back(
        {Level::info, d.where,
         fmt::format("the lattice of particles does not go through 0 on {}: it is counted from {}, which is no "
                     "multiple of dp there, and a wall drawn at 0 stands at {:.4g} m; move pointmin to a "
                     "multiple of dp, or set <pointref x=\"0\" y=\"0\" z=\"0\"/>",
                     axes, d.point_ref ? "pointref" : "pointmin", shift)});
}

/// Where every inlet imposes the velocity and every outlet follows that of the fluid, nothing holds the depth of a
/// stream slower than its waves: what comes in may not go out.
void check_outlets(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& out) {
    const double waves = std::sqrt(norm(the_case.constants.gravity) * set.still_water_depth);
    double fastest = 0;
    const OpenZoneDef* follower = nullptr;
    for (const OpenZoneDef& zone : the_case.open.zones) {
        if (!zone.velocity_file.empty() || !zone.grid_file.empty()) return;
        for (const ZoneVelocity& v : zone.velocities)
            for (int k = 0; k < zone.profile; ++k) {
                if (v.speed[k] < 0) return;
                fastest = std::max(fastest, v.speed[k]);
            }
        if (zone.profile == 0) follower = &zone;
    }
    if (!follower || fastest == 0 || follower->surfaces.empty() || fastest >= waves) return;
    out.push_back(
        {Level::warning, follower->where,
         fmt::format("an inlet imposes {:g} m/s and this outlet follows the velocity of the fluid: a stream slower "
                     "than its waves ({:.3g} m/s) may fill up or run dry, as nothing holds its depth; impose the "
                     "outlet's velocity, too (imposevelocity 0, negative), or watch the depth with a swl gauge",
                     fastest, waves)});
}

} // namespace

void lint_particles(const Case& the_case, const ParticleSet& set, double h, std::vector<Diagnostic>& diagnostics) {
    if (set.blocks.empty()) return;
    try {
        check_domain_edge(the_case, set, diagnostics);
    } catch (const InputError& e) {
        diagnostics.push_back({Level::error, the_case.definition.where, e.what()});
    }
    note_lattice(the_case, diagnostics);
    check_wall_layers(the_case, set, h, diagnostics);
    check_floor(the_case, set, diagnostics);
    check_crests(the_case, set, h, diagnostics);
    check_gauges(the_case, set, diagnostics);
    check_surface_lines(the_case, diagnostics);
    check_thickness(the_case, set, diagnostics);
    note_walls_of_scheme(the_case, set, diagnostics);
    check_bodies(the_case, set, diagnostics);
    check_outlets(the_case, set, diagnostics);
}

} // namespace sluice
