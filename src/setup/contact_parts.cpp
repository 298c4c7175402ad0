// SPDX-License-Identifier: Apache-2.0
#include "setup/contact_parts.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace sluice {

namespace {

/// All properties of a case by name.
class PropertyBook {
public:
    explicit PropertyBook(const Case& definition) {
        for (const PropertyFile& file : definition.properties.files)
            add(read_property_file(definition.data_folder / file.file, file.path, file.where));
        add(definition.properties.given);
    }

    /// The material of "a + b", asked for at `where`.
    ContactMaterial material(const std::string& names, const SourceLocation& where) const {
        std::vector<const MaterialProperty*> used;
        std::istringstream words(names);
        for (std::string name; std::getline(words, name, '+');) {
            name.erase(0, name.find_first_not_of(" \t"));
            name.erase(name.find_last_not_of(" \t") + 1);
            const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& p) { return p.name == name; });
            if (found == all_.end())
                throw InputError(where, fmt::format("there is no property \"{}\": write it into <properties>, or into "
                                                    "a propertyfile",
                                                    name));
            used.push_back(&*found);
        }
        ContactMaterial m;
        m.young = value_of("Young_Modulus", used, names, where);
        m.poisson = value_of("PoissonRatio", used, names, where);
        m.restitution = value_of("Restitution_Coefficient", used, names, where);
        m.friction = value_of("Kfric", used, names, where);
        check(m, names, where);
        return m;
    }

private:
    void add(const std::vector<MaterialProperty>& properties) {
        for (const MaterialProperty& p : properties) {
            for (const MaterialProperty& other : all_)
                if (other.name == p.name)
                    throw InputError(p.where, fmt::format("the property \"{}\" is given in {}:{} too, keep one", p.name,
                                                          other.where.file, other.where.line));
            all_.push_back(p);
        }
    }

    /// NAME_User stands above NAME.
    static double value_of(const std::string& name, const std::vector<const MaterialProperty*>& used,
                           const std::string& names, const SourceLocation& where) {
        for (const std::string& word : {name + "_User", name}) {
            std::optional<double> value;
            for (const MaterialProperty* p : used) {
                const auto found = p->values.find(word);
                if (found == p->values.end()) continue;
                if (value && *value != found->second)
                    throw InputError(where, fmt::format("the properties \"{}\" give {} twice, {} and {}: keep one, or "
                                                        "write {}_User",
                                                        names, word, *value, found->second, name));
                value = found->second;
            }
            if (value) return *value;
        }
        throw InputError(where, fmt::format("the property \"{}\" has no {}: contacts by RigidAlgorithm 2 need "
                                            "Young_Modulus, PoissonRatio, Restitution_Coefficient and Kfric",
                                            names, name));
    }

    static void check(const ContactMaterial& m, const std::string& names, const SourceLocation& where) {
        const auto require = [&](bool holds, const char* what, double value) {
            if (!holds || !std::isfinite(value))
                throw InputError(where, fmt::format("the property \"{}\": {} ({})", names, what, value));
        };
        require(m.young > 0, "Young_Modulus is not above 0", m.young);
        require(m.poisson >= 0 && m.poisson <= 0.5, "PoissonRatio is outside 0…0.5", m.poisson);
        require(m.restitution > 0 && m.restitution <= 1, "Restitution_Coefficient is not above 0 and at most 1",
                m.restitution);
        require(m.friction >= 0, "Kfric is negative", m.friction);
    }

    std::vector<MaterialProperty> all_;
};

/// The property of a boundary, and where the case says so.
struct Named {
    std::string property;
    SourceLocation where;
};

Named property_of(const Case& definition, const ParticleGroup& group) {
    Named named{"", {definition.file.string(), 0}};
    const auto take = [&](const std::string& property, const SourceLocation& where) {
        if (!named.property.empty() && named.property != property)
            throw InputError(where, fmt::format("mkbound {} has the properties \"{}\" and \"{}\", keep one",
                                                group.mk_type, named.property, property));
        named = {property, where};
    };
    for (const FloatingBody& body : definition.floatings)
        if (body.mkbound == group.mk_type) {
            named.where = body.where;
            if (!body.property.empty()) take(body.property, body.where);
        }
    for (const PropertyLink& link : definition.properties.links)
        if (std::count(link.mkbound.begin(), link.mkbound.end(), group.mk_type) > 0) take(link.property, link.where);
    if (named.property.empty())
        throw InputError(named.where,
                         fmt::format("RigidAlgorithm 2 needs to know what mkbound {} is made of: {}", group.mk_type,
                                     group.type == ParticleType::floating
                                         ? "give its <floating> a property, or take RigidAlgorithm 1"
                                         : "name it in a <link> of <properties>, or take RigidAlgorithm 1"));
    return named;
}

/// A place on a lattice of the particle spacing about another place, as one number. Places off it are rounded.
using Node = std::uint64_t;
constexpr int node_bits = 21;

Node node_at(const Vec3d& from_node, double dp) {
    constexpr Node middle = Node(1) << (node_bits - 1);
    Node node = 0;
    for (int axis = 0; axis < 3; ++axis)
        node =
            node << node_bits | ((static_cast<Node>(std::llround(from_node[axis] / dp)) + middle) & (2 * middle - 1));
    return node;
}

/// Marks the particles that have one of their part on every side: what came to touch them would have gone through
/// those. Where more than one stand on a node of the lattice all stay as they are.
void mark_inside(const ParticleSet& particles, const ParticleGroup& group, std::vector<std::uint32_t>& of_id) {
    if (group.count == 0) return;
    const Vec3d corner = particles.position[group.begin];
    std::vector<Node> nodes;
    for (std::uint32_t id = group.begin; id < group.begin + group.count; ++id)
        nodes.push_back(node_at(particles.position[id] - corner, particles.dp));
    std::sort(nodes.begin(), nodes.end());
    if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) return; // more than one on a node
    const auto taken = [&](Node node) { return std::binary_search(nodes.begin(), nodes.end(), node); };
    for (std::uint32_t id = group.begin; id < group.begin + group.count; ++id) {
        const Node node = node_at(particles.position[id] - corner, particles.dp);
        bool enclosed = true;
        for (int axis = 0; axis < 3; ++axis) {
            const Node step = Node(1) << (node_bits * (2 - axis));
            if (axis == 1 && particles.two_d) continue;
            enclosed = enclosed && taken(node + step) && taken(node - step);
        }
        if (enclosed) of_id[id] = ContactParts::inside;
    }
}

} // namespace

ContactParts make_contact_parts(const Case& definition, const ParticleSet& particles, const RunSetup& setup) {
    const PropertyBook book(definition);
    ContactParts made;
    made.of_id.resize(setup.groups.boundary_count());
    for (const ParticleGroup& group : setup.groups.all()) {
        if (group.is_fluid()) continue;
        const Named named = property_of(definition, group);
        ContactPart part;
        part.material = book.material(named.property, named.where);
        for (const Body& body : setup.bodies)
            if (body.mk_bound == group.mk_type) part.mass = body.mass;
        std::fill_n(made.of_id.begin() + group.begin, group.count, static_cast<std::uint32_t>(made.parts.size()));
        made.parts.push_back(part);
        mark_inside(particles, group, made.of_id);
    }
    return made;
}

} // namespace sluice
