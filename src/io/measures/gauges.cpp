// SPDX-License-Identifier: Apache-2.0
#include "io/measures/gauges.h"
#include "core/error.h"
#include "io/fluid/interpolator.h"
#include "io/fluid/layout.h"
#include "io/measures/forces.h"
#include "io/measures/riding.h"
#include "io/measures/riding_series.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sluice {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr const char* mean_formula =
    "f(x) = sum f_b (m/rho_b) W / fraction, fraction = sum (m/rho_b) W, over the fluid; nan where fraction < 0.1";

using Row = std::vector<CsvValue>;
using Rows = std::vector<Row>;

std::string place_text(const Vec3d& p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); }

std::vector<std::string> position_columns() { return {"x [m]", "y [m]", "z [m]"}; }

/// In which a flow counts as positive, unit, in a few digits.
Vec3d direction_of(const FlowRectangle& flow) {
    Vec3d n = flow.direction;
    if (!(dot(n, n) > 0)) n = cross(flow.point1 - flow.point0, flow.point2 - flow.point0);
    n = normalized(n);
    for (int axis = 0; axis < 3; ++axis) n[axis] = std::round(1e6 * n[axis]) / 1e6 + 0.0; // and no -0
    return n;
}

/// How far from its line a zmax gauge looks, m.
double reach_of(const HighestFluid& gauge, const sph::Constants& c) { return gauge.distance + gauge.distance_h * c.h; }

/// The box around all that a zmax gauge looks at.
Box box_of(const HighestFluid& gauge, double distance) {
    const Vec3d round{distance, distance, 0};
    return {gauge.point0 - round, gauge.point0 + round + Vec3d{0, 0, gauge.height}};
}

Box grown(const Box& box, double distance) {
    const Vec3d more{distance, distance, distance};
    return {box.min - more, box.max + more};
}

/// Turns the description of a gauge into what measures it.
struct SeriesOf {
    const RunSetup& setup;
    const std::vector<ParticleBlock>& blocks;
    const Gauge& gauge;
    const RigidMotion& motion; ///< of what it rides on
    using List = std::vector<MeasuredSeries>;

    std::string title(const std::string& what) const { return fmt::format("gauge {}: {}", gauge.name, what); }

    List operator()(const SurfaceLine& line) const {
        return {
            {"",
             position_columns(),
             {title(fmt::format("free surface on the line from {} to {} m, checked every {} m", place_text(line.point0),
                                place_text(line.point2), line.point_spacing)),
              fmt::format("first place at which sum over fluid of (m/rho) W falls below {}; nan: no fluid on the line",
                          line.mass_limit)},
             {box_around({line.point0, line.point2})},
             [line](const FluidInterpolator& fluid) {
                 const Vec3d p = find_surface(line, fluid).value_or(Vec3d{no_value, no_value, no_value});
                 return Rows{{p.x, p.y, p.z}};
             }}};
    }
    List operator()(const VelocityPoint& at) const {
        return {{"",
                 {"vx [m/s]", "vy [m/s]", "vz [m/s]", "fraction"},
                 {title(fmt::format("velocity of the fluid at {} m", place_text(at.point))), mean_formula},
                 {{at.point, at.point}},
                 [at](const FluidInterpolator& fluid) {
                     const Measurement m = fluid.at(at.point);
                     return Rows{{m.velocity.x, m.velocity.y, m.velocity.z, m.fraction}};
                 }}};
    }
    List operator()(const PressurePoint& at) const {
        return {{"",
                 {"pressure [Pa]", "density [kg/m3]", "fraction"},
                 {title(fmt::format("pressure of the fluid at {} m", place_text(at.point))), mean_formula},
                 {{at.point, at.point}},
                 [at](const FluidInterpolator& fluid) {
                     const Measurement m = fluid.at(at.point);
                     return Rows{{m.pressure, m.density, m.fraction}};
                 }}};
    }
    List operator()(const HighestFluid& line) const {
        const double distance = reach_of(line, setup.constants);
        return {
            {"",
             {"zmax [m]"},
             {title(fmt::format("largest z of the fluid particles less than {} m from the vertical line of {} m "
                                "above {} m; nan: there are none",
                                distance, line.height, place_text(line.point0)))},
             {box_of(line, distance)},
             [line](const FluidInterpolator& fluid) { return Rows{{highest_fluid(line, fluid).value_or(no_value)}}; }}};
    }
    List operator()(const BoundaryForce& target) const {
        const std::vector<ParticleBlock> wanted = boundary_blocks(blocks, target.mk_bound);
        const char* unit = setup.constants.two_d ? "N/m" : "N";
        std::vector<Box> regions;
        for (const ParticleBlock& block : wanted)
            regions.push_back(block.type == ParticleType::fixed ? Box{block.min, block.max} : setup.domain);
        return {{"",
                 {fmt::format("fx [{}]", unit), fmt::format("fy [{}]", unit), fmt::format("fz [{}]", unit)},
                 {title(fmt::format("force of the fluid on the boundary particles of mkbound {}", target.mk_bound)),
                  "-sum of m_a (dv_a/dt)_ab over the pairs of fluid a and boundary b (momentum equation, no gravity)"},
                 regions,
                 [wanted](const FluidInterpolator& fluid) {
                     const Vec3d f = load_on_boundary(fluid, wanted).force;
                     return Rows{{f.x, f.y, f.z}};
                 }}};
    }
    List operator()(const FlowRectangle& flow) const {
        const bool whole = flow.support > 0;
        const double across = flow.spacing2 > 0 ? flow.spacing2 : flow.spacing;
        return {{"",
                 {fmt::format("flow [{}]", per_width(flow) ? "m2/s" : "m3/s")},
                 {title(fmt::format(
                      "flow through the rectangle with the corners {}, {} and {} m, sampled every {} m by {} m",
                      place_text(flow.point0), place_text(flow.point1), place_text(flow.point2), flow.spacing, across)),
                  fmt::format("sum of {} u.n dA{}; positive with the fluid going along n = {}, negative against it",
                              whole ? fmt::format("(1 where fraction >= {}, else 0)", flow.support) : "fraction",
                              per_width(flow) ? " for a metre of width" : "", place_text(direction_of(flow))),
                  mean_formula},
                 {grown(box_around({flow.point0, flow.point1, flow.point2, flow.point1 + flow.point2 - flow.point0}),
                        2 * setup.constants.h + std::max(flow.spacing, across))},
                 [flow, motion = motion](const FluidInterpolator& fluid) {
                     return Rows{{flow_rate(flow, fluid, motion)}};
                 }}};
    }
    List operator()(const MaterialPlace& at) const {
        return {{"",
                 {"ux [m]", "uy [m]", "uz [m]", "vx [m/s]", "vy [m/s]", "vz [m/s]"},
                 {title(fmt::format("displacement and velocity of the point that is at {} m at the start",
                                    place_text(at.point)))},
                 {},
                 [at, motion = motion](const FluidInterpolator&) {
                     const Vec3d &u = at.displacement, v = motion.velocity_at(at.point);
                     return Rows{{u.x, u.y, u.z, v.x, v.y, v.z}};
                 }}};
    }
    List operator()(const MeasuringMesh& mesh) const {
        List list;
        if (mesh.velocity || mesh.along || mesh.density) list.push_back(mesh_values(mesh));
        if (mesh.surface) list.push_back(mesh_surface(mesh, list.empty() ? "" : "-zsurf"));
        return list;
    }

    /// Whether a flow is that through a metre of width of a case in two dimensions.
    bool per_width(const FlowRectangle& flow) const {
        const auto is_metre = [](const Vec3d& side) { return side.x == 0 && side.z == 0 && std::abs(side.y) == 1; };
        return setup.constants.two_d && (is_metre(flow.point1 - flow.point0) || is_metre(flow.point2 - flow.point0));
    }

    std::string mesh_title(const MeasuringMesh& mesh, const char* what) const {
        return title(fmt::format("{} on a mesh of {} x {} x {} points from {} m, {}, {} and {} m apart", what,
                                 mesh.count.x, mesh.count.y, mesh.count.z, place_text(mesh.origin),
                                 place_text(mesh.step[0]), place_text(mesh.step[1]), place_text(mesh.step[2])));
    }
    MeasuredSeries mesh_values(const MeasuringMesh& mesh) const;
    MeasuredSeries mesh_surface(const MeasuringMesh& mesh, const std::string& suffix) const;
};

/// The values of a mesh gauge at one point.
Row mesh_row(const MeasuringMesh& mesh, const Vec3d& point, const Measurement& m) {
    const double least = mesh.support.value_or(0), otherwise = mesh.support ? mesh.dummy.value_or(no_value) : 0;
    const double weight = mesh.support ? 1 : m.fraction; // uncorrected sums are the means times the fraction
    const bool counts = m.fraction >= least && m.fraction > 0;
    const auto value = [&](double mean) { return counts ? weight * mean : otherwise; };
    Row row{point.x, point.y, point.z, m.fraction};
    if (mesh.velocity) row.insert(row.end(), {value(m.velocity.x), value(m.velocity.y), value(m.velocity.z)});
    if (mesh.along) row.emplace_back(value(dot(m.velocity, mesh.direction)));
    if (mesh.density) row.emplace_back(value(m.density));
    return row;
}

MeasuredSeries SeriesOf::mesh_values(const MeasuringMesh& mesh) const {
    std::vector<std::string> columns{"point"};
    for (const std::string& column : position_columns()) columns.push_back(column);
    columns.emplace_back("fraction");
    if (mesh.velocity) columns.insert(columns.end(), {"vx [m/s]", "vy [m/s]", "vz [m/s]"});
    if (mesh.along) columns.push_back(fmt::format("v along {} [m/s]", place_text(mesh.direction)));
    if (mesh.density) columns.emplace_back("density [kg/m3]");
    const std::string rule =
        !mesh.support
            ? "f(x) = sum f_b (m/rho_b) W over the fluid, not corrected"
            : fmt::format("f(x) = sum f_b (m/rho_b) W / fraction, fraction = sum (m/rho_b) W, over the fluid; "
                          "{} where fraction < {}",
                          mesh.dummy.value_or(no_value), *mesh.support);
    const std::vector<Vec3d> points = mesh_points(mesh);
    return {"",
            columns,
            {mesh_title(mesh, "values of the fluid"), rule},
            boxes_at(points),
            [mesh, points](const FluidInterpolator& fluid) {
                Rows rows;
                rows.reserve(points.size());
                for (std::size_t k = 0; k < points.size(); ++k) {
                    rows.push_back(mesh_row(mesh, points[k], fluid.at(points[k], mesh.support.value_or(0))));
                    rows.back().insert(rows.back().begin(), static_cast<std::int64_t>(k));
                }
                return rows;
            }};
}

MeasuredSeries SeriesOf::mesh_surface(const MeasuringMesh& mesh, const std::string& suffix) const {
    std::vector<SurfaceLine> lines;
    std::vector<Box> regions;
    MeasuringMesh floor = mesh;
    floor.count.z = 1;
    const double spacing = norm(mesh.step[2]);
    for (const Vec3d& foot : mesh_points(floor)) {
        lines.push_back({foot, foot + double(mesh.count.z - 1) * mesh.step[2], spacing, mesh.mass_limit});
        regions.push_back(box_around({lines.back().point0, lines.back().point2}));
    }
    return {suffix,
            {"point", "x0 [m]", "y0 [m]", "z0 [m]", "x [m]", "y [m]", "z [m]"},
            {mesh_title(mesh, "free surface along the third direction"),
             fmt::format("x, y, z: first place above x0, y0, z0 at which sum over fluid of (m/rho) W falls below {}; "
                         "nan: no fluid there",
                         mesh.mass_limit)},
            regions,
            [lines](const FluidInterpolator& fluid) {
                Rows rows;
                for (std::size_t k = 0; k < lines.size(); ++k) {
                    const Vec3d& foot = lines[k].point0;
                    const Vec3d p = find_surface(lines[k], fluid).value_or(Vec3d{no_value, no_value, no_value});
                    rows.push_back({static_cast<std::int64_t>(k), foot.x, foot.y, foot.z, p.x, p.y, p.z});
                }
                return rows;
            }};
}

int parts_of(const Vec3d& side, double spacing) {
    return std::max(1, static_cast<int>(std::ceil(norm(side) / spacing - 1e-9)));
}

/// The middles of equal parts of a rectangle, and of parts as large beside it.
struct RectangleParts {
    const FlowRectangle& flow;
    int n0, n1; ///< parts along the sides to point1 and to point2

    Vec3d side0() const { return flow.point1 - flow.point0; }
    Vec3d side1() const { return flow.point2 - flow.point0; }
    /// i and j may lie beyond 0 … n0 − 1 and 0 … n1 − 1; half-integers are edges.
    Vec3d middle(double i, double j) const {
        return flow.point0 + ((i + 0.5) / n0) * side0() + ((j + 0.5) / n1) * side1();
    }
};

/// Which edges of a rectangle lie at a wall, at the parts along them: a boundary particle is within a spacing.
class WallEdges {
public:
    WallEdges(const RectangleParts& parts, bool along0, bool along1, const FluidInterpolator& fluid) {
        const FlowRectangle& flow = parts.flow;
        const ParticleCells walls(
            fluid.frame().position, 0, fluid.fluid_begin(), fluid.constants().dp * (1 + 1e-6), fluid.constants().two_d,
            {box_around({flow.point0, flow.point1, flow.point2, flow.point0 + parts.side0() + parts.side1()})});
        const auto at_wall = [&](double i, double j) {
            bool found = false;
            walls.for_each_near(parts.middle(i, j), [&](std::uint32_t, double, const Vec3d&) { found = true; });
            return found;
        };
        for (int j = 0; j < parts.n1; ++j) {
            edges_[0][0].push_back(along0 && at_wall(-0.5, j));
            edges_[0][1].push_back(along0 && at_wall(parts.n0 - 0.5, j));
        }
        for (int i = 0; i < parts.n0; ++i) {
            edges_[1][0].push_back(along1 && at_wall(i, -0.5));
            edges_[1][1].push_back(along1 && at_wall(i, parts.n1 - 0.5));
        }
    }
    /// Of the edge at the lower or upper end of a side, beside the part number `part` of the other side or the last
    /// one.
    bool is_wall(int side, bool upper, int part) const {
        const std::vector<bool>& edge = edges_[side][upper];
        return edge[static_cast<std::size_t>(std::clamp(part, 0, static_cast<int>(edge.size()) - 1))];
    }

private:
    std::vector<bool> edges_[2][2];
};

/// The flow by the fraction of fluid. Beyond an edge at a wall there is nothing that would make up for what kernels of
/// the fluid before it carry over it: parts beside the rectangle count there, too, with the particles that are before
/// the edge alone, since there may be other fluid behind a thin wall.
double smeared_flow(const RectangleParts& parts, const Vec3d& area, bool along0, bool along1,
                    const FluidInterpolator& fluid, const RigidMotion& motion) {
    const WallEdges edges(parts, along0, along1, fluid);
    const double reach = 2 * fluid.constants().h;
    const Vec3d sides[2] = {parts.side0(), parts.side1()};
    const int n[2] = {parts.n0, parts.n1};
    const auto more = [&](bool along, int side) {
        return along ? static_cast<int>(std::ceil(reach / (norm(sides[side]) / n[side]))) : 0;
    };
    const int m0 = more(along0, 0), m1 = more(along1, 1);
    double sum = 0;
    for (int j = -m1; j < n[1] + m1; ++j)
        for (int i = -m0; i < n[0] + m0; ++i) {
            const int part[2] = {i, j};
            bool counts = true, walled[2][2];
            for (int side = 0; side < 2; ++side)
                for (const bool upper : {false, true}) {
                    walled[side][upper] = edges.is_wall(side, upper, part[1 - side]);
                    if (upper ? part[side] >= n[side] : part[side] < 0) counts = counts && walled[side][upper];
                }
            if (!counts) continue;
            const Vec3d middle = parts.middle(i, j);
            const bool is_beside = i < 0 || i >= n[0] || j < 0 || j >= n[1];
            if (!is_beside && fluid.fraction_at(middle) < least_fraction) continue;
            const auto is_before_walls = [&](std::uint32_t particle) {
                const Vec3d r = fluid.frame().position[particle] - parts.flow.point0;
                for (int side = 0; side < 2; ++side) {
                    const double at = dot(r, sides[side]) / dot(sides[side], sides[side]);
                    if ((walled[side][0] && at < 0) || (walled[side][1] && at > 1)) return false;
                }
                return true;
            };
            sum += dot(fluid.flux_at(middle, is_before_walls, motion.velocity_at(middle)), area);
        }
    return sum;
}

std::vector<Vec3d> part_middles(const RectangleParts& parts) {
    std::vector<Vec3d> points;
    for (int j = 0; j < parts.n1; ++j)
        for (int i = 0; i < parts.n0; ++i) points.push_back(parts.middle(i, j));
    return points;
}

} // namespace

std::optional<double> highest_fluid(const HighestFluid& gauge, const FluidInterpolator& fluid) {
    const sph::Constants& c = fluid.constants();
    const double distance = reach_of(gauge, c);
    std::optional<double> highest;
    fluid.cells().for_each_in(box_of(gauge, distance), [&](std::uint32_t i) {
        const double z = fluid.frame().position[i].z;
        Vec3d r = fluid.frame().position[i] - gauge.point0;
        if (c.two_d) r.y = 0;
        if (r.z < 0 || r.z > gauge.height || r.x * r.x + r.y * r.y >= distance * distance) return;
        highest = std::max(highest.value_or(z), z);
    });
    return highest;
}

double flow_rate(const FlowRectangle& flow, const FluidInterpolator& fluid, const RigidMotion& motion) {
    const sph::Constants& c = fluid.constants();
    const Vec3d side0 = flow.point1 - flow.point0, side1 = flow.point2 - flow.point0;
    const double spacing = flow.spacing > 0 ? flow.spacing : c.dp;
    const double spacing1 = flow.spacing2 > 0 ? flow.spacing2 : spacing;
    // In two dimensions nothing changes across the plane x-z.
    const bool across0 = c.two_d && side0.x == 0 && side0.z == 0;
    const bool across1 = c.two_d && side1.x == 0 && side1.z == 0;
    const int n0 = across0 ? 1 : parts_of(side0, spacing), n1 = across1 ? 1 : parts_of(side1, spacing1);
    Vec3d area = (1.0 / (static_cast<double>(n0) * n1)) * cross(side0, side1);
    if (dot(flow.direction, flow.direction) > 0) area = norm(area) * flow.direction;
    const RectangleParts parts{flow, n0, n1};
    if (flow.support == 0) return smeared_flow(parts, area, !across0, !across1, fluid, motion);
    double sum = 0;
    for (const Vec3d& middle : part_middles(parts)) {
        const Vec3d velocity = fluid.at(middle, flow.support).velocity;
        if (std::isfinite(velocity.x)) sum += dot(velocity - motion.velocity_at(middle), area);
    }
    return sum;
}

std::vector<Vec3d> mesh_points(const MeasuringMesh& mesh) {
    std::vector<Vec3d> points;
    for (int k = 0; k < mesh.count.z; ++k)
        for (int j = 0; j < mesh.count.y; ++j)
            for (int i = 0; i < mesh.count.x; ++i)
                points.push_back(mesh.origin + double(i) * mesh.step[0] + double(j) * mesh.step[1] +
                                 double(k) * mesh.step[2]);
    return points;
}

void check_gauge(const Gauge& gauge, const std::vector<ParticleBlock>& blocks) {
    const auto* target = std::get_if<BoundaryForce>(&gauge.kind);
    if (target && boundary_blocks(blocks, target->mk_bound).empty())
        throw InputError(gauge.where,
                         fmt::format("gauge \"{}\": the case has no boundary particles of mkbound {}; it has {}",
                                     gauge.name, target->mk_bound, list_of_mks(blocks, false)));
}

void check_ride(const Gauge& gauge, const RunSetup& setup) {
    const std::string why = gauge.follow ? why_no_ride(setup, *gauge.follow) : "";
    if (!why.empty())
        throw InputError(gauge.where, fmt::format("gauge \"{}\": {}; take <follow> out", gauge.name, why));
}

namespace {

/// The ends of where a gauge looks; none of a force, which is where its body is.
std::vector<Vec3d> ends_of(const SurfaceLine& line) { return {line.point0, line.point2}; }
std::vector<Vec3d> ends_of(const VelocityPoint& gauge) { return {gauge.point}; }
std::vector<Vec3d> ends_of(const PressurePoint& gauge) { return {gauge.point}; }
std::vector<Vec3d> ends_of(const MaterialPlace& gauge) { return {gauge.point}; }
std::vector<Vec3d> ends_of(const HighestFluid& gauge) {
    return {gauge.point0, gauge.point0 + Vec3d{0, 0, gauge.height}};
}
std::vector<Vec3d> ends_of(const BoundaryForce&) { return {}; }
std::vector<Vec3d> ends_of(const FlowRectangle& flow) {
    return {flow.point0, flow.point1, flow.point2, flow.point1 + flow.point2 - flow.point0};
}
std::vector<Vec3d> ends_of(const MeasuringMesh& mesh) {
    std::vector<Vec3d> ends{mesh.origin};
    for (int n = 0; n < 3; ++n)
        for (std::size_t k = ends.size(); k-- > 0;) ends.push_back(ends[k] + double(mesh.count[n] - 1) * mesh.step[n]);
    return ends;
}

} // namespace

namespace {

std::string note_outside(const Gauge& gauge, const Box& domain, bool two_d) {
    const std::vector<Vec3d> ends = std::visit([](const auto& kind) { return ends_of(kind); }, gauge.kind);
    if (ends.empty()) return "";
    const Box place = box_around(ends);
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == 1 && two_d) continue;
        if (place.max[axis] >= domain.min[axis] && place.min[axis] <= domain.max[axis]) continue;
        return fmt::format("lies outside the domain on {} (from {:.9g} to {:.9g} m, the domain from {:.9g} to {:.9g} "
                           "m): it measures nothing; move it",
                           "xyz"[axis], place.min[axis], place.max[axis], domain.min[axis], domain.max[axis]);
    }
    return "";
}

std::string note_times(const Gauge& gauge, double time_max) {
    if (gauge.end < 0) return fmt::format("ends at {:g} s, before the run begins: its table stays empty", gauge.end);
    if (gauge.start > time_max)
        return fmt::format("starts at {:g} s, and the run ends at {:g} s: its table stays empty", gauge.start,
                           time_max);
    return "";
}

std::string note_mass_limit(double limit) {
    if (limit > 0 && limit < 1) return "";
    return fmt::format("looks for the surface where {:g} of the volume is fluid, and all places have more than 0 and "
                       "less than 1 of it: it finds no surface (nan) or a wrong one; give masslimit as coef, 0.5 (in "
                       "2-D 0.4) as a rule, or as that share of the mass of a particle",
                       limit);
}

std::string note_place(const SurfaceLine& line) {
    const double length = norm(line.point2 - line.point0);
    if (line.point_spacing <= 0.5 * length) return "";
    return fmt::format("has a line of {:g} m and looks at places {:g} m apart, its ends: what is between it does not "
                       "see; choose a smaller pointdp, half a particle spacing as a rule",
                       length, line.point_spacing);
}
std::string note_place(const HighestFluid& line, const sph::Constants& c) {
    const double distance = reach_of(line, c);
    if (distance >= 0.5 * c.dp) return "";
    return fmt::format("looks no further than {:g} m from its line, less than half a particle spacing ({:g} m): most "
                       "often there is no particle; choose a larger distlimit",
                       distance, 0.5 * c.dp);
}

} // namespace

std::vector<Diagnostic> gauge_notes(const Gauge& gauge, const RunSetup& setup, double time_max) {
    std::vector<Diagnostic> notes;
    const auto add = [&](const std::string& note) {
        if (!note.empty())
            notes.push_back(
                {Diagnostic::Level::warning, gauge.where, fmt::format("the gauge \"{}\" {}", gauge.name, note)});
    };
    add(note_outside(gauge, setup.domain, setup.constants.two_d));
    add(note_times(gauge, time_max));
    if (const auto* line = std::get_if<SurfaceLine>(&gauge.kind)) {
        add(note_mass_limit(line->mass_limit));
        add(note_place(*line));
    }
    if (const auto* mesh = std::get_if<MeasuringMesh>(&gauge.kind); mesh && mesh->surface)
        add(note_mass_limit(mesh->mass_limit));
    if (const auto* line = std::get_if<HighestFluid>(&gauge.kind)) add(note_place(*line, setup.constants));
    if (gauge.follow)
        notes.push_back({Diagnostic::Level::info, gauge.where,
                         fmt::format("the gauge \"{}\" rides on {}", gauge.name, carrier_name(setup, *gauge.follow))});
    return notes;
}

std::vector<MeasuredSeries> gauge_series(const Gauge& gauge, const RunSetup& setup,
                                         const std::vector<ParticleBlock>& blocks) {
    check_gauge(gauge, blocks);
    check_ride(gauge, setup);
    return gauge.follow ? riding_series(gauge, setup) : series_in_place(gauge, setup, blocks);
}

std::vector<MeasuredSeries> series_in_place(const Gauge& gauge, const RunSetup& setup,
                                            const std::vector<ParticleBlock>& blocks, const RigidMotion& motion) {
    return std::visit(SeriesOf{setup, blocks, gauge, motion}, gauge.kind);
}

std::vector<std::vector<CsvValue>> probe_rows(const std::vector<Vec3d>& points, const FluidInterpolator& fluid) {
    Rows rows;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Vec3d& p = points[k];
        const FieldMeasurement m = fluid.at(p, state_fields);
        Row& row = rows.emplace_back(Row{static_cast<std::int64_t>(k), p.x, p.y, p.z, m.fraction});
        row.insert(row.end(), m.components.begin(), m.components.end());
    }
    return rows;
}

MeasuredSeries probe_series(const std::vector<Vec3d>& points) {
    std::vector<std::string> columns{"probe"};
    for (const std::string& column : position_columns()) columns.push_back(column);
    columns.emplace_back("fraction");
    for_each_selected(state_fields, [&](const FieldInfo& info) {
        for (const std::string& title : column_titles(info)) columns.push_back(title);
    });
    return {"", columns, {mean_formula}, boxes_at(points), [points](const FluidInterpolator& fluid) {
                return probe_rows(points, fluid);
            }};
}

SeriesSampler::SeriesSampler(const std::filesystem::path& file, MeasuredSeries series, const SampleClock& clock,
                             SharedFluid& fluid, bool append)
    : Sampler(clock), series_(std::move(series)), fluid_(fluid),
      csv_(
          file,
          [this] {
              std::vector<std::string> columns{"time [s]"};
              columns.insert(columns.end(), series_.columns.begin(), series_.columns.end());
              return columns;
          }(),
          series_.comments, append) {
    fluid_.add_regions(series_.regions);
    if (series_.regions_at) fluid_.add_regions(series_.regions_at);
}

void SeriesSampler::sample(const Frame& frame) {
    for (const Row& values : series_.measure(fluid_.of(frame))) {
        Row row{frame.time};
        row.insert(row.end(), values.begin(), values.end());
        csv_.write_measured(row);
    }
}

std::vector<std::unique_ptr<SeriesSampler>> make_gauge_samplers(const std::filesystem::path& dir, const Gauge& gauge,
                                                                const RunSetup& setup,
                                                                const std::vector<ParticleBlock>& blocks,
                                                                SharedFluid& fluid, bool append) {
    std::vector<std::unique_ptr<SeriesSampler>> samplers;
    for (MeasuredSeries& series : gauge_series(gauge, setup, blocks)) {
        const std::filesystem::path file = dir / "gauges" / (gauge.name + series.suffix + ".csv");
        samplers.push_back(std::make_unique<SeriesSampler>(
            file, std::move(series), SampleClock(gauge.output_dt, gauge.start, gauge.end), fluid, append));
    }
    return samplers;
}

} // namespace sluice
