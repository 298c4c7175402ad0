// SPDX-License-Identifier: Apache-2.0
#include "setup/contact_parts.h"

#include "setup/property_book.h"
#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

/// The material of a property, asked for at `where`.
ContactMaterial material_of(const PropertyBook& book, const NamedProperty& named) {
    const PropertyChoice choice = book.choose(named.property, named.where);
    const char* const why =
        "contacts by RigidAlgorithm 2 need Young_Modulus, PoissonRatio, Restitution_Coefficient and "
        "Kfric";
    ContactMaterial m;
    m.young = choice.value("Young_Modulus", why);
    m.poisson = choice.value("PoissonRatio", why);
    m.restitution = choice.value("Restitution_Coefficient", why);
    m.friction = choice.value("Kfric", why);
    choice.require(m.young > 0, "Young_Modulus is not above 0", m.young);
    choice.require(m.poisson >= 0 && m.poisson <= 0.5, "PoissonRatio is outside 0…0.5", m.poisson);
    choice.require(m.restitution > 0 && m.restitution <= 1, "Restitution_Coefficient is not above 0 and at most 1",
                   m.restitution);
    choice.require(m.friction >= 0, "Kfric is negative", m.friction);
    return m;
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
        ContactPart part;
        part.material = material_of(book, property_of(definition, group, 2));
        for (const Body& body : setup.bodies)
            if (body.mk_bound == group.mk_type) part.mass = body.mass;
        std::fill_n(made.of_id.begin() + group.begin, group.count, static_cast<std::uint32_t>(made.parts.size()));
        made.parts.push_back(part);
        mark_inside(particles, group, made.of_id);
    }
    return made;
}

} // namespace sluice
