// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/read_turns.h"
#include "case/reader.h"

#include <fmt/format.h>

namespace sluice {

OnlyPositions read_only_positions(const XmlElement& e) {
    OnlyPositions only;
    const auto box = e.child("onlypos");
    if (!box) return only;
    const char* names[] = {"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (auto c = box->child("posmin")) only.min[axis] = c->number(names[axis], only.min[axis]);
        if (auto c = box->child("posmax")) only.max[axis] = c->number(names[axis], only.max[axis]);
    }
    return only;
}

namespace {

void read_velocity(const XmlElement& e, InitialState& state) {
    for (const char* profile : {"velocity2", "velocity3"})
        if (const auto c = e.child(profile); c && e.name() == "velocity")
            c->fail(fmt::format("<initials> has no <{}>, as in the field's generator: put <fluidvelocity> with it into "
                                "special/initialize",
                                profile));
    if (!e.child("direction") && !e.child("velocity") && e.name() == "velocity") {
        state.velocity = e.vector({0, 0, 0});
        return;
    }
    state.direction = read_nonzero_vector(e.required_child("direction"));
    if (auto c = e.child("velocity"))
        state.profile = {{0, c->number("v")}};
    else if (auto c2 = e.child("velocity2"))
        state.profile = {{c2->number("z"), c2->number("v")}, {c2->number("z2"), c2->number("v2")}};
    else if (auto c3 = e.child("velocity3"))
        state.profile = {{c3->number("z"), c3->number("v")},
                         {c3->number("z2"), c3->number("v2")},
                         {c3->number("z3"), c3->number("v3")}};
    else
        e.fail(fmt::format("<{}> with <direction> needs <velocity>{}", e.name(),
                           e.name() == "velocity" ? "" : ", <velocity2> or <velocity3>"));
    for (std::size_t i = 1; i < state.profile.size(); ++i)
        if (!(state.profile[i].z > state.profile[i - 1].z))
            e.fail(fmt::format("<{}>: the heights of the profile must ascend", e.name()));
}

void read_rotation(const XmlElement& e, InitialState& state) {
    const Vec3d a = e.required_child("axisp1").vector(), b = e.required_child("axisp2").vector();
    if (a == b) e.fail("<rotateaxis>: axisp1 and axisp2 are the same");
    state.displacement = rotation(-read_angle(e), b - a, a);
}

void read_random(const XmlElement& e, InitialState& state) {
    const double all = e.number("dpxyz", 0);
    state.random_offset = Vec3d{e.number("dpx", all), e.number("dpy", all), e.number("dpz", all)};
    state.random_seed = e.attribute("randomseed") ? static_cast<unsigned>(e.integer("randomseed")) : 0;
}

double read_density(const XmlElement& e, const char* attribute) {
    const double rho = e.number(attribute);
    if (!(rho > 0)) e.fail(fmt::format("<{}> {} must be positive ({})", e.name(), attribute, rho));
    return rho;
}

std::optional<double> positive_child(const XmlElement& e, const char* name) {
    const auto c = e.child(name);
    return c ? std::optional(read_density(*c, "value")) : std::nullopt;
}

InitialState::Density read_density_field(const XmlElement& e) {
    using Kind = InitialState::Density::Kind;
    InitialState::Density d;
    if (e.name() == "densityuniform") {
        d.first = read_density(e, "rhop");
    } else if (e.name() == "densitygradient") {
        d.kind = Kind::gradient;
        const XmlElement from = e.required_child("pos1"), to = e.required_child("pos2");
        d.from = from.vector();
        d.to = to.vector();
        d.first = read_density(from, "rhop");
        d.last = read_density(to, "rhop");
        if (d.from == d.to) e.fail("<densitygradient>: pos1 and pos2 are the same");
    } else {
        d.kind = Kind::depth;
        if (auto c = e.child("posswl")) d.surface = c->vector();
        if (auto c = e.child("gravity")) d.gravity = c->vector();
        d.rho0 = positive_child(e, "rhop0");
        d.gamma = positive_child(e, "gamma");
        d.b = positive_child(e, "b");
    }
    return d;
}

} // namespace

void read_initial(CaseReader& reader, const XmlElement& e) {
    const std::string name = e.name();
    InitialState state;
    state.where = e.where();
    const bool bound = e.attribute("mkbound").has_value();
    state.kind = bound ? MkKind::bound : MkKind::fluid;
    state.mk = read_mk_list(reader, e, bound ? "mkbound" : "mkfluid");
    state.only = read_only_positions(e);
    if (name == "velocity" || name == "fluidvelocity")
        read_velocity(e, state);
    else if (name == "move")
        state.displacement = translation(e.vector({0, 0, 0}));
    else if (name == "rotateaxis")
        read_rotation(e, state);
    else if (name == "moverandom")
        read_random(e, state);
    else if (name == "densityuniform" || name == "densitygradient" || name == "densitydepth")
        state.density = read_density_field(e);
    else if (name == "velwave" || name == "velmesh" || name == "densitymesh") {
        reader.unsupported(e.where(), fmt::format("<{}>", name),
                           name == "densitymesh" ? "use densityuniform, densitygradient or densitydepth"
                                                 : "use velocity, with a profile if need be");
        return;
    } else
        e.fail(fmt::format("<initials> has no <{}>, it knows velocity, densityuniform, densitygradient, densitydepth, "
                           "move, rotateaxis and moverandom",
                           name));
    reader.out.initials.push_back(std::move(state));
}

void read_initials(CaseReader& reader, const XmlElement& initials) {
    for (const XmlElement& e : initials.children()) reader.collect([&] { read_initial(reader, e); });
}

} // namespace sluice
