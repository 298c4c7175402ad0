// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"
#include "core/nearest_word.h"
#include "model/particle_groups.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <utility>

namespace sluice {

namespace {

/// Groups may stand in groups so often, as in the field's own program.
constexpr int deepest_group = 7;

/// Which of some words an attribute is.
template <class Choice>
Choice choice_in(const XmlElement& e, const char* attribute,
                 const std::vector<std::pair<std::string, Choice>>& choices) {
    const std::string given = to_lower(e.required_attribute(attribute));
    std::vector<std::string> words;
    for (const auto& [word, choice] : choices) {
        if (given == word) return choice;
        words.push_back(word);
    }
    e.fail(fmt::format("<{}> {} \"{}\" is none of {}", e.name(), attribute, given, fmt::join(words, ", ")));
}

bool read_preselection(const XmlElement& e) {
    return choice_in<bool>(e, "preselection", {{"all", true}, {"none", false}});
}

/// The single number v of a child; `absent` where it may be left out.
double filter_length(const XmlElement& e, const char* name, std::optional<double> absent = {}) {
    const auto child = e.child(name);
    if (!child && absent) return *absent;
    const XmlElement given = e.required_child(name);
    require_attributes(given, {"v"});
    const double v = given.number("v");
    if (!(v >= 0)) given.fail(fmt::format("<{}> v is {}, it must be 0 at least", name, v));
    return v;
}

/// The coordinates that a corner gives.
void read_filter_corner(const XmlElement& e, const char* name, Vec3d& corner) {
    const auto child = e.child(name);
    if (!child) return;
    require_attributes(*child, {"x", "y", "z"});
    corner = child->vector(corner);
}

BoxFilter read_filter_box(const XmlElement& e) {
    BoxFilter box;
    read_filter_corner(e, "posmin", box.min);
    read_filter_corner(e, "posmax", box.max);
    for (int axis = 0; axis < 3; ++axis)
        if (box.min[axis] > box.max[axis])
            e.fail(fmt::format("<filterpos> {} of posmin ({}) is above that of posmax ({}): swap them", "xyz"[axis],
                               box.min[axis], box.max[axis]));
    return box;
}

PlaneFilter read_filter_plane(const XmlElement& e) {
    PlaneFilter plane;
    plane.point = child_vector(e, "point");
    plane.vector = child_vector(e, "vector");
    if (!(norm(plane.vector) > 0)) e.fail("<filterplane> vector has no length; give the direction across the plane");
    plane.vector = normalized(plane.vector);
    plane.distance = filter_length(e, "distance", BoxFilter::none);
    return plane;
}

SphereFilter read_filter_sphere(const XmlElement& e) {
    SphereFilter sphere;
    if (e.child("centre") || !e.child("ftfollow")) sphere.centre = child_vector(e, "centre");
    sphere.radius = filter_length(e, "radius");
    return sphere;
}

CylinderFilter read_filter_cylinder(const XmlElement& e) {
    CylinderFilter cylinder;
    cylinder.point1 = child_vector(e, "point1");
    cylinder.point2 = child_vector(e, "point2");
    if (cylinder.point1 == cylinder.point2) e.fail("<filtercylinder> point1 and point2 are the same place");
    cylinder.radius = filter_length(e, "radius", BoxFilter::none);
    return cylinder;
}

TypeFilter read_filter_types(const XmlElement& e) {
    const XmlElement type = e.required_child("type");
    require_attributes(type, {"v"});
    TypeFilter filter;
    const auto take = [&](ParticleType t) { filter.types[static_cast<std::size_t>(t)] = true; };
    for (const std::string& word : split_words(type.required_attribute("v"), ",")) {
        const bool bound = word == "bound";
        if (!bound && word != "fixed" && word != "moving" && word != "floating" && word != "fluid")
            type.fail(fmt::format("<type> \"{}\" is none of bound, fixed, moving, floating, fluid", word));
        if (bound || word == "fixed") take(ParticleType::fixed);
        if (bound || word == "moving") take(ParticleType::moving);
        if (bound || word == "floating") take(ParticleType::floating);
        if (word == "fluid") take(ParticleType::fluid);
    }
    return filter;
}

MkFilter read_filter_mks(const CaseReader& reader, const XmlElement& e) {
    MkFilter filter;
    std::optional<XmlElement> given;
    for (const char* word : {"mk", "mkbound", "mkfluid"})
        if (const auto child = e.child(word)) {
            if (given) child->fail(fmt::format("<filtermk> has both <{}> and <{}>, take one", given->name(), word));
            given = child;
            filter.word = word;
        }
    if (!given) e.fail("<filtermk> has neither <mk> nor <mkbound> nor <mkfluid>");
    require_attributes(*given, {"v"});
    const std::string text = given->required_attribute("v");
    const auto dash = text.find('-', 1);
    const auto number = [&](const std::string& part) {
        const double v = given->evaluate(part, "v");
        if (v != std::floor(v) || v < 0 || v > 65535) given->fail(fmt::format("<{}> v is {}: no mk", filter.word, v));
        return static_cast<int>(v);
    };
    filter.first = number(text.substr(0, dash));
    filter.last = dash == std::string::npos ? filter.first : number(text.substr(dash + 1));
    if (filter.first > filter.last)
        given->fail(
            fmt::format("<{}> the range {}-{} goes down: swap its ends", filter.word, filter.first, filter.last));
    const auto stored = [&](int mk) {
        if (given->name() == "mkbound") return reader.out.mk.stored_bound(mk);
        return given->name() == "mkfluid" ? reader.out.mk.stored_fluid(mk) : mk;
    };
    filter.stored_first = stored(filter.first);
    filter.stored_last = stored(filter.last);
    return filter;
}

/// The mkbound of the floating body that a filter goes with.
std::optional<int> read_followed(const CaseReader& reader, const XmlElement& e) {
    const auto follow = e.child("ftfollow");
    if (!follow) return std::nullopt;
    require_attributes(*follow, {"mk", "mkbound"});
    if (follow->attribute("mk").has_value() == follow->attribute("mkbound").has_value())
        follow->fail("<ftfollow> needs either mkbound or mk of a floating body");
    const int mkbound = follow->attribute("mkbound") ? follow->integer("mkbound")
                                                     : follow->integer("mk") - reader.out.mk.stored_bound(0);
    for (const FloatingBody& body : reader.out.floatings)
        if (body.mkbound == mkbound) return mkbound;
    follow->fail(fmt::format("<ftfollow> mkbound {} is no floating body of the case", mkbound));
}

FilterGroup read_filter_group(const CaseReader& reader, const XmlElement& e, int depth);

/// How a filter is read, and what it has besides <ftfollow>.
struct FilterWord {
    const char* name;
    std::vector<std::string> children;
    bool has_places; ///< it can follow a body
    std::function<void(const CaseReader&, const XmlElement&, OutputFilter&)> read;
};

const std::vector<FilterWord>& filter_words() {
    static const std::vector<FilterWord> words{
        {"filterpos",
         {"posmin", "posmax"},
         true,
         [](const CaseReader&, const XmlElement& e, OutputFilter& f) { f.rule = read_filter_box(e); }},
        {"filterplane",
         {"point", "vector", "distance"},
         true,
         [](const CaseReader&, const XmlElement& e, OutputFilter& f) { f.rule = read_filter_plane(e); }},
        {"filtersphere",
         {"centre", "radius"},
         true,
         [](const CaseReader&, const XmlElement& e, OutputFilter& f) { f.rule = read_filter_sphere(e); }},
        {"filtercylinder",
         {"point1", "point2", "radius"},
         true,
         [](const CaseReader&, const XmlElement& e, OutputFilter& f) { f.rule = read_filter_cylinder(e); }},
        {"filtertype",
         {"type"},
         false,
         [](const CaseReader&, const XmlElement& e, OutputFilter& f) { f.rule = read_filter_types(e); }},
        {"filtermk",
         {"mk", "mkbound", "mkfluid"},
         false,
         [](const CaseReader& reader, const XmlElement& e, OutputFilter& f) { f.rule = read_filter_mks(reader, e); }},
    };
    return words;
}

OutputFilter read_filter(const CaseReader& reader, const XmlElement& e, int depth) {
    OutputFilter filter;
    filter.where = e.where();
    const bool is_group = e.name() == "filtergroup";
    require_attributes(e, is_group ? std::vector<std::string>{"preselection", "operation", "inverse", "active"}
                                   : std::vector<std::string>{"operation", "inverse", "active"});
    filter.operation = choice_in<FilterOperation>(
        e, "operation",
        {{"add", FilterOperation::add}, {"del", FilterOperation::del}, {"confirm", FilterOperation::confirm}});
    filter.inverse = e.boolean("inverse", false);
    if (is_group) {
        if (depth == deepest_group)
            e.fail(fmt::format("<filtergroup> stands in {} others, which are all that there may be", depth));
        filter.rule = read_filter_group(reader, e, depth + 1);
        return filter;
    }
    std::vector<std::string> names{"filtergroup"};
    for (const FilterWord& word : filter_words()) {
        names.emplace_back(word.name);
        if (e.name() != word.name) continue;
        std::vector<std::string> children = word.children;
        if (word.has_places) children.emplace_back("ftfollow");
        expect_children(e, children);
        if (word.has_places) filter.follow = read_followed(reader, e);
        word.read(reader, e, filter);
        return filter;
    }
    e.fail(fmt::format("<{}> is no filter of <outputparts>{}; there are {}", e.name(), suggest_nearest(e.name(), names),
                       fmt::join(names, ", ")));
}

FilterGroup read_filter_group(const CaseReader& reader, const XmlElement& e, int depth) {
    FilterGroup group;
    group.all = read_preselection(e);
    for (const XmlElement& child : e.children())
        if (depth > 0 || child.name() != "ignore") group.filters.push_back(read_filter(reader, child, depth));
    return group;
}

} // namespace

void read_output_parts(CaseReader& reader, const XmlElement& outputparts) {
    require_attributes(outputparts, {"preselection", "active"});
    if (reader.out.output_parts)
        outputparts.fail(fmt::format("<outputparts> stands beside that of line {}, leave one of them out",
                                     reader.out.output_parts->where.line));
    OutputParts parts;
    parts.where = outputparts.where();
    if (const auto ignore = outputparts.child("ignore")) {
        require_attributes(*ignore, {"nparts"});
        parts.whole_every = ignore->integer("nparts");
        if (parts.whole_every < 0)
            ignore->fail(
                fmt::format("<ignore> nparts is {}, it must be 0 at least (0: no frame holds all)", parts.whole_every));
    }
    parts.selection = read_filter_group(reader, outputparts, 0);
    const bool selects = !parts.selection.all || !parts.selection.filters.empty();
    if (selects) reader.out.output_parts = std::move(parts);
}

} // namespace sluice
