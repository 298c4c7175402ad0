// SPDX-License-Identifier: Apache-2.0
#include "case/element_values.h"
#include "core/nearest_word.h"

#include <set>

namespace sluice {

namespace {

/// Numbers over time: value="…", file="…", or rows <row_name time="…" value="…"/>. Absent: none.
JointCoefficient read_coefficient(CaseReader& reader, const XmlElement& parent, const char* name,
                                  const char* row_name) {
    JointCoefficient result;
    const std::optional<XmlElement> e = parent.child(name);
    if (!e) return result;
    require_attributes(*e, {"value", "file"});
    expect_children(*e, {row_name});
    result.where = e->where();
    const std::vector<XmlElement> rows = e->children();
    const int given = int(e->attribute("value").has_value()) + int(e->attribute("file").has_value()) + !rows.empty();
    if (given != 1)
        e->fail(fmt::format("<{}> of <{}> has {}: give one of value, file and rows <{}>", name, parent.name(),
                            given == 0 ? "no numbers" : "its numbers more than once", row_name));
    const auto check = [&](const XmlElement& where, double value) {
        if (value < 0)
            where.fail(fmt::format("<{}> of <{}> is {}, it must not be negative", name, parent.name(), value));
        return value;
    };
    if (e->attribute("value")) {
        result.rows = {{0, check(*e, e->number("value"))}};
    } else if (e->attribute("file")) {
        result.file = read_data_file(reader, *e, "file");
    } else {
        for (const XmlElement& row : rows) {
            require_attributes(row, {"time", "value"});
            const double time = row.number("time");
            if (!result.rows.empty() && time < result.rows.back().time)
                row.fail(fmt::format("<{}> time {} comes before that of the row before, {}: order the rows by time",
                                     row_name, time, result.rows.back().time));
            result.rows.push_back({time, check(row, row.number("value"))});
        }
    }
    return result;
}

double read_value(const XmlElement& parent, const char* name) {
    const XmlElement e = parent.required_child(name);
    require_attributes(e, {"value"});
    return e.number("value");
}

Vec3d read_direction(const XmlElement& parent, const char* name) {
    const XmlElement e = parent.required_child(name);
    require_attributes(e, {"x", "y", "z"});
    return normalized(read_nonzero_vector(e));
}

/// The same, of an element that may be left out or zero.
std::optional<Vec3d> read_direction_if_any(const XmlElement& parent, const char* name) {
    if (!parent.child(name)) return std::nullopt;
    const Vec3d v = child_vector(parent, name);
    if (v == Vec3d{}) return std::nullopt;
    return normalized(v);
}

/// Which file or drawing says what a body touches others with.
void read_model(const XmlElement& e, JointBody& body) {
    body.model = e.attribute("modelfile").value_or("");
    const std::string normal = e.attribute("modelnormal").value_or("original");
    if (normal != "original" && normal != "invert" && normal != "twoface")
        e.fail(fmt::format("<{}> modelnormal \"{}\": it is original, invert or twoface", e.name(), normal));
    body.inverted = normal == "invert";
    body.imposes_friction = e.boolean("imposefric", false);
}

/// Of bodies that collide: a file with what they touch others with.
void check_model(CaseReader& reader, const XmlElement& e) {
    JointBody body;
    body.model = e.attribute("modelfile").value_or("");
    if (body.model.empty() || body.model_is_drawn()) return;
    read_data_file(reader, e, "modelfile");
    const std::string kind = to_lower(std::filesystem::path(body.model).extension().string());
    if (kind != ".stl" && kind != ".ply" && kind != ".vtk" && kind != ".vtp" && kind != ".vtu")
        e.fail(
            fmt::format("<{}> modelfile \"{}\": a mesh is an .stl, .ply, .vtk, .vtp or .vtu file; or give AutoActual "
                        "for the shapes that the case draws",
                        e.name(), body.model));
}

void read_joint_body(CaseReader& reader, const XmlElement& e, MechanismsDef& out) {
    using Kind = JointBody::Kind;
    require_attributes(e, {"id", "mkbound", "modelfile", "modelnormal", "imposefric", "massbody", "active"});
    expect_children(e, {"values"}); // which nothing reads
    const Kind kind = e.name() == "bodyfloating" ? Kind::floating
                      : e.name() == "bodyfixed"  ? Kind::fixed
                                                 : Kind::moving;
    JointBody given;
    read_model(e, given);
    const std::string id = e.required_attribute("id");
    const std::vector<int> mks = read_mk_list(reader, e, "mkbound");
    for (const int mk : mks) {
        const std::string name = mks.size() > 1 ? fmt::format("{}{}", id, mk) : id;
        for (const JointBody& other : out.bodies)
            if (other.id == name || other.mkbound == mk)
                e.fail(fmt::format("<{}> {} is that of line {} already", e.name(),
                                   other.id == name ? fmt::format("id \"{}\"", name) : fmt::format("mkbound {}", mk),
                                   other.where.line));
        const bool floats = std::any_of(reader.out.floatings.begin(), reader.out.floatings.end(),
                                        [&](const FloatingBody& body) { return body.mkbound == mk; });
        const bool moves = std::any_of(reader.out.motion.begin(), reader.out.motion.end(),
                                       [&](const MotionObject& object) { return object.mkbound == mk; });
        if (floats != (kind == Kind::floating))
            e.fail(fmt::format("<{}> mkbound {} is {} in <floatings>: {}", e.name(), mk, floats ? "named" : "not named",
                               floats ? "write bodyfloating" : fmt::format("add <floating mkbound=\"{}\" …>", mk)));
        if (kind != Kind::floating && moves != (kind == Kind::moving))
            e.fail(fmt::format("<{}> mkbound {} is {} in <motion>: {}", e.name(), mk, moves ? "moved" : "not named",
                               moves ? "write bodymoving" : "write bodyfixed"));
        given.where = e.where();
        given.id = name;
        given.mkbound = mk;
        given.kind = kind;
        out.bodies.push_back(given);
    }
}

int find_body(const XmlElement& e, const char* attribute, const MechanismsDef& out) {
    const std::string id = e.required_attribute(attribute);
    std::vector<std::string> known;
    for (std::size_t b = 0; b < out.bodies.size(); ++b) {
        if (out.bodies[b].id == id) return static_cast<int>(b);
        known.push_back(out.bodies[b].id);
    }
    e.fail(fmt::format("<{}> {} \"{}\" is no body of <chrono>{}: name one of {}", e.name(), attribute, id,
                       suggest_nearest(id, known),
                       known.empty() ? "none, as there are none" : fmt::format("{}", fmt::join(known, ", "))));
}

/// As the reference names a joint that has no name.
std::string name_of(const XmlElement& e, const JointDef& joint, const MechanismsDef& out) {
    std::string name = e.attribute("name").value_or("");
    const auto id = [&](int end) { return out.bodies[std::size_t(joint.body[end])].id; };
    if (name.empty())
        name = joint.body[1] < 0 ? fmt::format("Link_{}", id(0)) : fmt::format("Link_{}_{}", id(0), id(1));
    const auto taken = [&](const std::string& wanted) {
        return std::any_of(out.joints.begin(), out.joints.end(),
                           [&](const JointDef& other) { return other.name == wanted; });
    };
    if (!taken(name)) return name;
    int n = 2;
    while (taken(fmt::format("{}_{}", name, n))) ++n;
    return fmt::format("{}_{}", name, n);
}

void read_torsion(CaseReader& reader, const XmlElement& e, JointDef& joint) {
    joint.stiffness = read_coefficient(reader, e, "stiffness", "k");
    joint.damping = read_coefficient(reader, e, "damping", "c");
}

void read_point(const XmlElement& e, JointDef& joint) { joint.point[0] = joint.point[1] = child_vector(e, "rotpoint"); }

void read_hinge(CaseReader& reader, const XmlElement& e, JointDef& joint) {
    expect_children(e, {"rotpoint", "rotvector", "stiffness", "damping", "friction", "values"});
    read_point(e, joint);
    joint.axis = read_direction(e, "rotvector");
    read_torsion(reader, e, joint);
    if (e.child("friction")) joint.friction = read_value(e, "friction");
}

void read_spheric(CaseReader& reader, const XmlElement& e, JointDef& joint) {
    expect_children(e, {"rotpoint", "stiffness", "damping", "values"});
    joint.kind = JointKind::spheric;
    read_point(e, joint);
    read_torsion(reader, e, joint);
}

void read_point_line(CaseReader& reader, const XmlElement& e, JointDef& joint) {
    expect_children(e, {"slidingvector", "rotpoint", "rotvector", "rotvector2", "stiffness", "damping", "values"});
    joint.kind = JointKind::point_line;
    joint.line = read_direction(e, "slidingvector");
    read_point(e, joint);
    joint.axis = read_direction_if_any(e, "rotvector");
    if (const std::optional<Vec3d> second = read_direction_if_any(e, "rotvector2")) {
        if (!joint.axis) e.fail("<link_pointline> has a rotvector2 without a rotvector: give both, or leave it out");
        if (norm(cross(*second, *joint.axis)) < 1e-6)
            e.fail("<link_pointline> rotvector2 is parallel to rotvector: give another direction, or leave it out");
        joint.turns = false;
    }
    read_torsion(reader, e, joint);
}

/// The points of a spring or a friction, and what draws it.
void read_reach(const XmlElement& e, JointDef& joint) {
    joint.point[0] = child_vector(e, "point_fb1");
    joint.point[1] = child_vector(e, "point_fb2");
    if (e.child("rest_length")) joint.rest_length = read_value(e, "rest_length");
    if (joint.rest_length < 0) e.fail(fmt::format("<{}> rest_length {} is negative", e.name(), joint.rest_length));
}

void read_spring(CaseReader& reader, const XmlElement& e, JointDef& joint) {
    expect_children(e, {"point_fb1", "point_fb2", "stiffness", "damping", "rest_length", "savevtk", "values"});
    joint.kind = JointKind::linear_spring;
    read_reach(e, joint);
    if (!e.child("rest_length")) e.required_child("rest_length");
    read_torsion(reader, e, joint);
}

void read_coulomb(const XmlElement& e, JointDef& joint) {
    expect_children(e, {"point_fb1", "point_fb2", "damping", "rest_length", "savevtk", "values"});
    joint.kind = JointKind::coulomb_damping;
    read_reach(e, joint);
    joint.friction = read_value(e, "damping");
}

void read_pulley(CaseReader& reader, const XmlElement& e, JointDef& joint) {
    expect_children(e, {"rotpoint", "rotvector", "radius", "radius2", "values"});
    joint.kind = JointKind::pulley;
    if (joint.body[1] < 0) e.fail("<link_pulley> has no idbody2: it turns two bodies");
    read_point(e, joint);
    joint.axis = read_direction(e, "rotvector");
    joint.radius[0] = read_value(e, "radius");
    joint.radius[1] = read_value(e, "radius2");
    for (const double radius : joint.radius)
        if (!(radius > 0)) e.fail(fmt::format("<link_pulley> has a radius of {} m, it must be above 0", radius));
    const auto hinged = [&](int body) {
        return std::any_of(
            reader.out.mechanisms.joints.begin(), reader.out.mechanisms.joints.end(), [&](const JointDef& other) {
                return other.kind == JointKind::hinge && (other.body[0] == body || other.body[1] == body);
            });
    };
    if (!hinged(joint.body[0]))
        reader.warn(e.where(), "the first body of this <link_pulley> has no link_hinge before it: nothing holds the "
                               "axis that it turns about");
}

void read_joint(CaseReader& reader, const XmlElement& e, MechanismsDef& out) {
    require_attributes(e, {"idbody1", "idbody2", "name", "active"});
    JointDef joint;
    joint.where = e.where();
    joint.body[0] = find_body(e, "idbody1", out);
    if (e.attribute("idbody2")) joint.body[1] = find_body(e, "idbody2", out);
    if (joint.body[0] == joint.body[1]) e.fail(fmt::format("<{}> joins a body to itself", e.name()));
    const auto floats = [&](int b) { return b >= 0 && out.bodies[std::size_t(b)].kind == JointBody::Kind::floating; };
    if (!floats(joint.body[0]) && !floats(joint.body[1]))
        e.fail(fmt::format("<{}> has no bodyfloating at either end: nothing can move", e.name()));
    const std::string kind = e.name().substr(5);
    if (kind == "hinge")
        read_hinge(reader, e, joint);
    else if (kind == "spheric")
        read_spheric(reader, e, joint);
    else if (kind == "pointline")
        read_point_line(reader, e, joint);
    else if (kind == "linearspring")
        read_spring(reader, e, joint);
    else if (kind == "coulombdamping")
        read_coulomb(e, joint);
    else
        read_pulley(reader, e, joint);
    if (joint.friction < 0)
        e.fail(fmt::format("<{}> has a friction of {}, it must not be negative", e.name(), joint.friction));
    joint.name = name_of(e, joint, out);
    out.joints.push_back(std::move(joint));
}

void read_factors(CaseReader& reader, const XmlElement& e, MechanismsDef& out) {
    require_attributes(e, {"active"});
    expect_children(e, {"body"});
    for (const XmlElement& body : e.children()) {
        require_attributes(body, {"mkbound", "x", "y", "z", "file", "active"});
        expect_children(body, {"scale"});
        ForceFactors factors;
        factors.where = factors.series.where = body.where();
        factors.mkbound = read_mk_list(reader, body, "mkbound");
        for (const int mk : factors.mkbound)
            if (std::none_of(out.bodies.begin(), out.bodies.end(), [&](const JointBody& known) {
                    return known.mkbound == mk && known.kind == JointBody::Kind::floating;
                }))
                body.fail(fmt::format("<scaleforce> mkbound {} is no bodyfloating of <chrono>", mk));
        const auto add = [&](const XmlElement& row, double time) {
            const Vec3d v = row.vector();
            factors.series.rows.push_back({time, {v.x, v.y, v.z}});
        };
        const std::vector<XmlElement> rows = body.children();
        const bool has_numbers = body.attribute("x") || body.attribute("y") || body.attribute("z");
        if (int(has_numbers) + int(body.attribute("file").has_value()) + int(!rows.empty()) > 1)
            body.fail("<body> of <scaleforce> has its factors more than once: give one of x, y and z, file and rows "
                      "<scale>");
        if (body.attribute("file"))
            factors.series.file = read_data_file(reader, body, "file");
        else if (rows.empty())
            add(body, 0);
        for (const XmlElement& row : rows) {
            require_attributes(row, {"time", "x", "y", "z"});
            const double time = row.number("time");
            if (!factors.series.rows.empty() && time < factors.series.rows.back().time)
                row.fail(fmt::format("<scale> time {} comes before that of the row before, {}: order the rows by time",
                                     time, factors.series.rows.back().time));
            add(row, time);
        }
        out.factors.push_back(std::move(factors));
    }
}

void read_collision(CaseReader& reader, const XmlElement& e, MechanismsDef& out) {
    require_attributes(e, {"activate", "active"});
    expect_children(e, {"distancedp", "contactmethod", "feacollision"});
    if (!e.attribute("activate"))
        reader.warn(e.where(), "<collision> has no activate: bodies do not touch one another nor walls");
    CollisionDef collision;
    collision.where = e.where();
    if (e.child("distancedp")) collision.overlap_dp = read_value(e, "distancedp");
    if (collision.overlap_dp < 0) e.fail(fmt::format("<collision> distancedp {} is negative", collision.overlap_dp));
    const double method = e.child("contactmethod") ? read_value(e, "contactmethod") : 0;
    if (!e.boolean("activate", false)) return;
    if (method != 0)
        reader.warn(e.where(), fmt::format("<collision> contactmethod {} (1: soft contacts by Young's modulus) is "
                                           "computed as 0: bodies are rigid, with the same restitution and friction",
                                           method));
    out.collision = collision;
}

bool is_body(const std::string& name) { return name == "bodyfloating" || name == "bodyfixed" || name == "bodymoving"; }

bool is_joint(const std::string& name) {
    static const std::set<std::string> known{"link_hinge",        "link_spheric",        "link_pointline",
                                             "link_linearspring", "link_coulombdamping", "link_pulley"};
    return known.contains(name);
}

void read_other(CaseReader& reader, const XmlElement& e, MechanismsDef& out) {
    const std::string name = e.name();
    if (name == "savedata") {
        require_attributes(e, {"value", "active"});
        out.save_interval = e.number("value");
    } else if (name == "scaleforce")
        read_factors(reader, e, out);
    else if (name == "collision")
        read_collision(reader, e, out);
    else if (name == "distancedp")
        reader.warn(e.where(), "<distancedp> of <chrono> does nothing outside of <collision>, without which bodies do "
                               "not touch one another nor walls");
    else if (name == "schemescale" || name == "ompthreads" || name == "timestepper")
        reader.ignore(e, name + " of chrono"); // drawings, threads and the steps of another solver
    else if (name == "configfea" || name == "feafloating" || name == "nodes" || name == "link_pointframe")
        reader.unsupported(e.where(), fmt::format("<{}> (beams of finite elements)", name),
                           "take it out, or join rigid bodies by hinges with stiffness");
    else
        reader.unknown(e.where(), fmt::format("<{}> in <chrono>", name),
                       suggest_nearest(name, {"bodyfloating", "bodyfixed", "bodymoving", "link_hinge", "link_spheric",
                                              "link_pointline", "link_linearspring", "link_coulombdamping",
                                              "link_pulley", "scaleforce", "collision", "savedata", "schemescale"}));
}

} // namespace

void read_chrono(CaseReader& reader, const XmlElement& chrono) {
    require_attributes(chrono, {"datadir", "active"});
    MechanismsDef& out = reader.out.mechanisms;
    out.where = chrono.where();
    constexpr int of_joints = Case::joints_algorithm;
    if (reader.out.parameters.rigid_algorithm == 0 && reader.out.flexible.empty()) {
        reader.inform(chrono.where(), fmt::format("<chrono> with RigidAlgorithm 0 is the same as with {}: what it says "
                                                  "of collisions holds",
                                                  of_joints));
        reader.out.parameters.rigid_algorithm = of_joints;
    }
    if (reader.out.parameters.rigid_algorithm != of_joints)
        chrono.fail(
            fmt::format("<chrono> with RigidAlgorithm {}: joints ask for RigidAlgorithm {}, or take <chrono> out",
                        reader.out.parameters.rigid_algorithm, of_joints));
    if (reader.out.parameters.integrator == sph::Integrator::staggered)
        reader.unsupported(chrono.where(), "<chrono> with StepAlgorithm 3 (staggered steps)", "set StepAlgorithm to 2");
    const std::vector<XmlElement> all = chrono.children();
    for (const XmlElement& e : all)
        if (is_body(e.name())) reader.collect([&] { read_joint_body(reader, e, out); });
    for (const XmlElement& e : all) {
        if (is_body(e.name())) continue;
        reader.collect([&] {
            if (is_joint(e.name()))
                read_joint(reader, e, out);
            else
                read_other(reader, e, out);
        });
    }
    if (!out.collision) return;
    for (const XmlElement& e : all)
        if (is_body(e.name())) reader.collect([&] { check_model(reader, e); });
    if (std::none_of(out.bodies.begin(), out.bodies.end(), [](const JointBody& body) {
            return body.kind == JointBody::Kind::floating && !body.model.empty();
        }))
        reader.warn(out.collision->where,
                    "<collision> is active, but no bodyfloating has a modelfile: nothing collides");
}

} // namespace sluice
