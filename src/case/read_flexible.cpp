// SPDX-License-Identifier: Apache-2.0
#include "case/element_values.h"

namespace sluice {

namespace {

constexpr int plane_strain = 1, full = 3; // constitmodel; 2: plane stress

StressState read_stress_state(const ElementValues& values, bool two_d) {
    const int model = values.whole("constitmodel", two_d ? plane_strain : full, plane_strain, full);
    if (two_d == (model == full))
        values.element().fail(
            two_d ? fmt::format(
                        "constitmodel {} is for 3-D, and the case is 2-D: take 1, plane strain, or 2, plane stress",
                        model)
                  : fmt::format("constitmodel {} is for 2-D, and the case is 3-D: take 3", model));
    return model == full           ? StressState::full
           : model == plane_strain ? StressState::plane_strain
                                   : StressState::plane_stress;
}

ElasticMaterial read_material(CaseReader& reader, const XmlElement& e) {
    const ElementValues values(reader, e, {"density", "youngmod", "poissratio", "constitmodel", "hgfactor", "damping"});
    values.expect_known();
    ElasticMaterial m;
    m.density = values.positive("density");
    m.young = values.positive("youngmod");
    m.poisson = values.value_of("poissratio").number("value");
    m.state = read_stress_state(values, reader.out.definition.two_d);
    const bool fits = m.state == StressState::plane_stress ? m.poisson <= 0.5 : m.poisson < 0.5;
    if (!(m.poisson > -1) || !fits)
        e.fail(fmt::format("<flexstrucbody> poissratio is {}, it must be above -1 and {} 0.5", m.poisson,
                           m.state == StressState::plane_stress ? "at most" : "below"));
    m.hourglass = values.at_least("hgfactor", 0.1, 0);
    m.damping = values.at_least("damping", 0, 0);
    return m;
}

/// Whether the case names the mk in `floatings`.
bool floats(const Case& c, int mk) {
    return std::ranges::any_of(c.floatings, [&](const FloatingBody& body) { return body.mkbound == mk; });
}

void require_flexible(const CaseReader& reader, const XmlElement& e, int mk) {
    const Case& c = reader.out;
    if (floats(c, mk))
        e.fail(
            fmt::format("<flexstrucbody> mkbound {} is named in <floatings>: it is rigid or flexible, not both", mk));
    const auto motion =
        std::ranges::find_if(c.motion, [&](const MotionObject& object) { return object.mkbound == mk; });
    if (motion == c.motion.end())
        e.fail(fmt::format(
            "<flexstrucbody> mkbound {} is not named in <motion>: add <objreal ref=\"{}\"> with <mvnull>", mk, mk));
    if (motion->acts() || motion->parent || motion->is_layered)
        e.fail(fmt::format("<flexstrucbody> mkbound {} is moved by line {}: leave nothing there but <mvnull>, or move "
                           "its clamp",
                           mk, motion->where.line));
}

void read_body(CaseReader& reader, const XmlElement& e, std::vector<FlexibleDef>& out) {
    require_attributes(e, {"mkbound", "mkclamp", "active"});
    FlexibleDef body;
    body.where = e.where();
    body.material = read_material(reader, e);
    if (e.attribute("mkclamp")) body.clamps = read_mk_list(reader, e, "mkclamp");
    for (const int mk : read_mk_list(reader, e, "mkbound")) {
        require_flexible(reader, e, mk);
        for (const FlexibleDef& other : out)
            if (other.mkbound == mk)
                e.fail(fmt::format("<flexstrucbody> mkbound {} is that of line {} already", mk, other.where.line));
        body.mkbound = mk;
        out.push_back(body);
    }
}

/// Once all bodies are known.
void check_clamps(CaseReader& reader, const FlexibleDef& body) {
    for (const int mk : body.clamps) {
        if (std::ranges::any_of(reader.out.flexible, [&](const FlexibleDef& other) { return other.mkbound == mk; }))
            throw InputError(body.where, fmt::format("<flexstrucbody> mkclamp {} is flexible itself: name a wall", mk));
        if (!floats(reader.out, mk)) continue;
        const std::string what = fmt::format("<flexstrucbody> mkclamp {} (a clamp that floats)", mk);
        constexpr int of_joints = 3; // RigidAlgorithm
        if (reader.out.parameters.integrator != sph::Integrator::symplectic)
            reader.unsupported(body.where, what + " with Verlet steps", "set StepAlgorithm to 2");
        if (reader.out.parameters.rigid_algorithm == of_joints)
            reader.unsupported(body.where, what + " with RigidAlgorithm 3", "set RigidAlgorithm to 1, without joints");
    }
}

} // namespace

void read_flexible_structures(CaseReader& reader, const XmlElement& flexstrucs) {
    require_attributes(flexstrucs, {"active"});
    std::vector<FlexibleDef>& out = reader.out.flexible;
    for (const XmlElement& e : flexstrucs.children())
        reader.collect([&] {
            if (e.name() != "flexstrucbody")
                e.fail(fmt::format("<flexstrucs> has no <{}>, it knows <flexstrucbody>", e.name()));
            read_body(reader, e, out);
        });
    for (const FlexibleDef& body : out) reader.collect([&] { check_clamps(reader, body); });
    if (out.empty()) return;
    if (reader.out.parameters.integrator == sph::Integrator::staggered)
        reader.unsupported(flexstrucs.where(), "<flexstrucs> with StepAlgorithm 3 (staggered steps)",
                           "set StepAlgorithm to 2");
    for (const bool periodic : reader.out.parameters.periodic)
        if (periodic) {
            reader.unsupported(flexstrucs.where(), "<flexstrucs> with periodic sides", "close the domain with walls");
            break;
        }
}

} // namespace sluice
