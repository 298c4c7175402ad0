// SPDX-License-Identifier: Apache-2.0
#include "setup/moorings/moorings.h"

#include "core/error.h"
#include "model/rigid_motions.h"
#include "scheme/moorings/line_arrays.h"
#include "scheme/moorings/statics.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

LineEnd end_of(const LineEndDef& given, const MooringLineDef& line, RunSetup& setup) {
    LineEnd end{given.hold, given.connect, given.place - setup.domain.min};
    if (setup.constants.two_d && !setup.bodies.empty()) end.place.y = setup.bodies.front().centre.y;
    if (given.hold != LineHold::body) return end;
    for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
        if (setup.bodies[b].mk_bound != given.mkbound) continue;
        setup.bodies[b].moored = true;
        end.index = static_cast<int>(b);
        return end;
    }
    throw InputError(line.where, fmt::format("the line ends at mkbound {}, which has no particles: draw it, or take "
                                             "the line out",
                                             given.mkbound));
}

/// Where lines begin: each at rest between its ends, free nodes where the case puts them.
MooringState laid_out(const Moorings& moorings, bool& settled) {
    MooringState state;
    settled = true;
    for (const MooringLine& line : moorings.lines) {
        bool rests = false;
        for (const Vec3d& place :
             mooring::nodes_at_rest(line, moorings.water, line.end[0].place, line.end[1].place, rests))
            state.nodes.push_back({place, {}});
        settled = settled && rests;
    }
    for (const MooringConnect& connect : moorings.connects) state.nodes.push_back({connect.place, {}});
    state.lines.resize(moorings.lines.size());
    return state;
}

std::vector<double> tensions_of(const Moorings& moorings, LineArrays& arrays, const MooringState& state) {
    std::vector<double> all;
    for (std::size_t l = 0; l < moorings.lines.size(); ++l)
        for (const double tension : arrays.report(moorings, l, state.nodes).tension) all.push_back(tension);
    return all;
}

/// Lets lines move between bodies at rest, with more drag than they have, until their tensions stay what they are
/// (dynamic relaxation).
void relax(const MooringsDef& given, const RunSetup& setup, Moorings& moorings) {
    MooringState state = moorings.at_start;
    LineArrays arrays(moorings);
    std::vector<BodyState> bodies = initial_states(setup.bodies);
    for (BodyState& body : bodies) body.velocity = body.angular_velocity = {};
    std::vector<BodyLoads> loads(bodies.size());
    std::vector<MooringLine> unbroken = moorings.lines;
    for (MooringLine& line : unbroken) line.most_tension = 0;
    MooringView view = moorings.view();
    view.lines = unbroken.data();
    std::vector<double> before = tensions_of(moorings, arrays, state);
    for (double time = 0; time < given.relaxation;) {
        const double dt = std::min(given.relaxation_window, given.relaxation - time);
        const MooringDrive drive{setup.bodies.data(), bodies.data(), nullptr, 0, dt, given.relaxation_drag};
        const MooringFault fault = advance_lines(view, arrays.arrays(state), drive, loads.data());
        if (fault.any())
            throw InputError(*given.where,
                             fmt::format("mooring line {} does not come to rest: its node {} has lost its course after "
                                         "{:.3g} s; give a shorter dtM, or tmaxIC 0 to begin without",
                                         fault.line, fault.node, time + fault.time));
        time += dt;
        const std::vector<double> now = tensions_of(moorings, arrays, state);
        bool rests = true;
        for (std::size_t k = 0; k < now.size(); ++k)
            rests = rests && std::abs(now[k] - before[k]) <= given.relaxation_change * std::abs(before[k]);
        if (rests) break;
        before = now;
    }
    for (MooringNode& node : state.nodes) node.velocity = {};
    state.lines.assign(moorings.lines.size(), {});
    moorings.at_start = std::move(state);
}

} // namespace

void add_moorings(const Case& definition, RunSetup& setup) {
    const MooringsDef& given = definition.moorings;
    if (!given.where) return;
    const Vec3d& gravity = setup.constants.gravity;
    if (gravity.x != 0 || gravity.y != 0 || gravity.z > 0)
        throw InputError(*given.where, fmt::format("gravity is ({}, {}, {}) m/s^2: mooring lines lie on a level bottom "
                                                   "and ask for gravity along -z",
                                                   gravity.x, gravity.y, gravity.z));
    Moorings& out = setup.moorings;
    out.water = given.water;
    out.water.gravity = gravity;
    out.water.density = setup.constants.rho0;
    out.water.surface -= setup.domain.min.z;
    out.start = given.start;
    out.ramp = given.ramp;
    for (const MooringConnectDef& connect : given.connects) {
        out.connects.push_back(connect.values);
        Vec3d& place = out.connects.back().place;
        place = place - setup.domain.min;
        if (setup.constants.two_d && !setup.bodies.empty()) place.y = setup.bodies.front().centre.y;
    }
    for (const MooringLineDef& def : given.lines) {
        MooringLine line = def.values;
        for (int e = 0; e < 2; ++e) line.end[e] = end_of(def.end[e], def, setup);
        line.bed = out.water.surface - def.depth;
        line.first_node = out.first_connect();
        out.lines.push_back(line);
    }
    out.step = std::min(given.step, line_step_limit(out).step);
    bool settled = false;
    out.at_start = laid_out(out, settled);
    if (given.relaxation > 0 && (!settled || !out.connects.empty())) relax(given, setup, out);
}

namespace {

using Diagnostics = std::vector<Diagnostic>;

void lint_start(const Case& definition, const RunSetup& setup, std::size_t l, Diagnostics& diagnostics) {
    const Moorings& moorings = setup.moorings;
    const MooringLine& line = moorings.lines[l];
    const SourceLocation& where = definition.moorings.lines[l].where;
    const auto tell = [&](Diagnostic::Level level, std::string message) {
        diagnostics.push_back({level, where, std::move(message)});
    };
    LineArrays arrays(moorings);
    const LineReport report = arrays.report(moorings, l, moorings.at_start.nodes);
    const auto place = [&](int e) {
        return moorings.at_start.nodes[static_cast<std::size_t>(mooring::end_node(line, e))].place;
    };
    const double chord = norm(place(1) - place(0));
    constexpr double rounding = 1e-9;
    if (chord > line.length * (1 + rounding))
        tell(Diagnostic::Level::warning,
             fmt::format("mooring line {} is taut at the start: its ends are {:.4g} m apart and it is {:.4g} m long "
                         "(strain {:.3g} %), it pulls with {:.6g} and {:.6g} N from the first step on",
                         l, chord, line.length, 100 * report.strain, report.tension[0], report.tension[1]));
    if (line.most_tension > 0 && line.stiffness * report.strain > line.most_tension)
        tell(Diagnostic::Level::warning,
             fmt::format("mooring line {} breaks in the first step: it bears {:.4g} N and is pulled with {:.4g} N", l,
                         line.most_tension, line.stiffness * report.strain));
    for (int e = 0; e < 2; ++e)
        if (place(e).z < line.bed - 0.01 * line.length)
            tell(Diagnostic::Level::warning,
                 fmt::format("end {} of mooring line {} is {:.4g} m below the bottom (freesurface less depth, z = "
                             "{:.4g}), which pushes the line up",
                             e, l, line.bed - place(e).z, line.bed + setup.domain.min.z));
    mooring::statics::Rest rest{line, moorings.water, {}};
    for (int k = 0; k <= line.segments; ++k)
        rest.place.push_back(moorings.at_start.nodes[static_cast<std::size_t>(line.first_node + k)].place);
    const double weight = line.mass * line.length * norm(moorings.water.gravity);
    const bool slack = rest.greatest_force() > 1e-2 * weight + 1e-6 * line.stiffness;
    const bool free = line.end[0].hold == LineHold::connect || line.end[1].hold == LineHold::connect;
    if (slack || (free && definition.moorings.relaxation == 0))
        tell(Diagnostic::Level::info,
             fmt::format("mooring line {} is not at rest at the start: {}", l,
                         slack ? "it is slack and falls" : "it ends at a free node, and tmaxIC is 0"));
}

void lint_water(const Case& definition, const ParticleSet& particles, const RunSetup& setup, Diagnostics& diagnostics) {
    double highest = -1e300;
    for (std::uint32_t i = particles.boundary_count; i < particles.size(); ++i)
        highest = std::max(highest, particles.position[i].z);
    const double surface = definition.moorings.water.surface;
    if (highest > -1e300 &&
        std::abs(highest - surface) > 3 * setup.constants.dp + 0.02 * definition.moorings.lines[0].depth)
        diagnostics.push_back({Diagnostic::Level::warning, *definition.moorings.where,
                               fmt::format("mooring lines take the surface of the water to be at z = {:.4g} m "
                                           "(freesurface), and the highest fluid particle is at {:.4g} m",
                                           surface, highest)});
}

} // namespace

void lint_moorings(const Case& definition, const ParticleSet& particles, const RunSetup& setup,
                   Diagnostics& diagnostics) {
    if (!setup.moorings.any()) return;
    for (std::size_t l = 0; l < setup.moorings.lines.size(); ++l) lint_start(definition, setup, l, diagnostics);
    lint_water(definition, particles, setup, diagnostics);
    const LineStepLimit limit = line_step_limit(setup.moorings);
    const double asked = definition.moorings.step;
    // sound crosses a smoothing length in a few steps
    const double dt = setup.constants.dt_fixed > 0 ? setup.constants.dt_fixed
                                                   : setup.constants.cfl * setup.constants.h / setup.constants.c0;
    const int steps = line_sub_steps(setup.moorings.view(), dt);
    std::string message = fmt::format("mooring lines take {} sub-step{} of at most {:.3g} s in a step of {:.3g} s",
                                      steps, steps == 1 ? "" : "s", setup.moorings.step, dt);
    if (asked > limit.step)
        message += fmt::format(": dtM, {:.3g} s, is {:.3g} times as long as the fastest vibration of line {} bears",
                               asked, asked / limit.step, limit.line);
    diagnostics.push_back({steps > 100 ? Diagnostic::Level::warning : Diagnostic::Level::info,
                           *definition.moorings.where, std::move(message)});
}

} // namespace sluice
