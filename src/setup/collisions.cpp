// SPDX-License-Identifier: Apache-2.0
#include "setup/collisions.h"

#include "core/error.h"
#include "geometry/mesh_file.h"
#include "geometry/shape_surface.h"
#include "geometry/wall_shapes.h"
#include "model/collision_builder.h"
#include "setup/property_book.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

/// Corners and edges are rounded by this part of a particle spacing.
constexpr double rounding_dp = 0.5;

MeshFormat format_of(const std::string& file) {
    const std::string kind = std::filesystem::path(file).extension().string();
    return kind == ".stl" || kind == ".STL"   ? MeshFormat::stl
           : kind == ".ply" || kind == ".PLY" ? MeshFormat::ply
                                              : MeshFormat::vtk;
}

/// The drawn surfaces of a case, found where a body asks for them.
class Drawings {
public:
    explicit Drawings(const Case& definition) : case_(definition) {}

    std::vector<Facet> surface_of(const JointBody& body) {
        const bool on_lattice = body.model == "AutoDp";
        std::optional<WallSurfaces>& all = drawn_[on_lattice ? 1 : 0];
        if (!all) all = shapes_drawn(case_, on_lattice);
        const auto found = all->find(body.mkbound);
        if (found != all->end()) return found->second.facets;
        throw InputError(
            body.where,
            fmt::format("\"{}\" of <chrono> has modelfile {}, but the case draws no shape of mkbound {}: draw "
                        "it with <setactive drawshapes=\"1\"/> and <setshapemode>{} | bound</setshapemode>, "
                        "or give a mesh file",
                        body.id, body.model, body.mkbound, on_lattice ? "dp" : "actual"));
    }

private:
    const Case& case_;
    std::optional<WallSurfaces> drawn_[2];
};

std::vector<Facet> mesh_of(const Case& definition, const JointBody& body) {
    const Mesh mesh = read_mesh_file(definition.data_folder / body.model, format_of(body.model), body.where);
    std::vector<Facet> facets;
    for (const auto& t : mesh.triangles) facets.push_back({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]});
    return facets;
}

/// Six times what a surface encloses; negative where its normals point inside.
double volume_of(const std::vector<Facet>& facets) {
    double sum = 0;
    for (const Facet& f : facets) sum += dot(f[0] - facets[0][0], cross(f[1] - facets[0][0], f[2] - facets[0][0]));
    return sum;
}

CollisionMaterial material_of(const PropertyBook& book, const NamedProperty& named, bool imposes_friction) {
    const PropertyChoice choice = book.choose(named.property, named.where);
    const char* const why = "collisions of <chrono> need Restitution_Coefficient and Kfric";
    CollisionMaterial m;
    m.restitution = choice.value("Restitution_Coefficient", why);
    m.friction = choice.value("Kfric", why);
    m.static_friction = choice.find("Sfric").value_or(m.friction);
    m.imposes_friction = imposes_friction;
    choice.require(m.restitution >= 0 && m.restitution <= 1, "Restitution_Coefficient is outside 0…1", m.restitution);
    choice.require(m.friction >= 0, "Kfric is negative", m.friction);
    choice.require(m.static_friction >= m.friction, "Sfric is below Kfric", m.static_friction);
    return m;
}

const ParticleGroup& group_of_mk(const RunSetup& setup, int mkbound) {
    const std::vector<ParticleGroup>& all = setup.groups.all();
    return *std::find_if(all.begin(), all.end(),
                         [&](const ParticleGroup& g) { return !g.is_fluid() && g.mk_type == mkbound; });
}

} // namespace

std::vector<int> colliding_bodies(const Case& definition, const RunSetup& setup) {
    std::vector<int> found;
    if (!definition.mechanisms.collision) return found;
    for (const JointBody& given : definition.mechanisms.bodies)
        for (std::size_t b = 0; b < setup.bodies.size() && !given.model.empty(); ++b)
            if (given.kind == JointBody::Kind::floating && setup.bodies[b].mk_bound == given.mkbound)
                found.push_back(static_cast<int>(b));
    return found;
}

void add_collisions(const Case& definition, RunSetup& setup) {
    const std::vector<int> bodies = colliding_bodies(definition, setup);
    if (bodies.empty()) return;
    const double dp = definition.definition.dp;
    Collisions& all = setup.collisions;
    all.two_d = definition.definition.two_d;
    all.overlap = definition.mechanisms.collision->overlap_dp * dp;
    const PropertyBook book(definition);
    Drawings drawings(definition);
    for (const JointBody& given : definition.mechanisms.bodies) {
        if (given.model.empty()) continue;
        const ParticleGroup& group = group_of_mk(setup, given.mkbound);
        Collider collider;
        collider.mk_bound = given.mkbound;
        collider.material =
            material_of(book, property_of(definition, group, Case::joints_algorithm), given.imposes_friction);
        std::vector<Facet> facets = given.model_is_drawn() ? drawings.surface_of(given) : mesh_of(definition, given);
        if (all.two_d && !given.model_is_drawn())
            facets = strips_across(facets, setup.bodies.front().centre.y + setup.domain.min.y, dp);
        for (Facet& facet : facets)
            for (Vec3d& corner : facet) corner = corner - setup.domain.min;
        if (given.kind == JointBody::Kind::floating) {
            for (const int b : bodies)
                if (setup.bodies[std::size_t(b)].mk_bound == given.mkbound) collider.body = b;
            if (volume_of(facets) < 0) turn_over(facets); // what floats is solid
        } else {
            if (given.kind == JointBody::Kind::moving) collider.wall = group.motion;
            if (given.inverted) turn_over(facets);
        }
        add_collider(all, collider, facets, rounding_dp * dp, all.two_d ? 1e300 : dp);
    }
}

} // namespace sluice
