// SPDX-License-Identifier: Apache-2.0
#include "case/expression.h"
#include "case/lattice_constants.h"
#include "geometry/flat_shapes.h"
#include "geometry/lattice.h"
#include "geometry/mesh_file.h"
#include "geometry/normals.h"
#include "geometry/shape_surface.h"
#include "geometry/wall_shapes.h"
#include "geometry/wall_surface.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <thread>

// Normals by the surface of geometryfile.

namespace sluice {

namespace {

/// How far before a mesh the particles may stand that are drawn with it, in dp: its corners go to the nearest nodes,
/// and its faces take the nodes around them.
const double before_mesh = std::sqrt(3.0) / 2 + surface_thickness;

/// Calls work(begin, end) for parts of [begin, end) on several threads, where that is worth it.
template <class Work>
void in_parallel(std::uint32_t begin, std::uint32_t end, Work&& work) {
    constexpr std::uint32_t worth_a_thread = 2000;
    const std::uint32_t count = end - begin;
    const std::uint32_t parts =
        std::clamp(count / worth_a_thread, 1u, std::max(std::thread::hardware_concurrency(), 1u));
    std::vector<std::jthread> threads;
    for (std::uint32_t part = 1; part < parts; ++part)
        threads.emplace_back(work, begin + std::uint32_t(std::uint64_t(count) * part / parts),
                             begin + std::uint32_t(std::uint64_t(count) * (part + 1) / parts));
    work(begin, begin + count / parts);
}

MeshFormat format_of(const NormalsGeometry& geometry) {
    const std::string suffix = to_lower(std::filesystem::path(geometry.file).extension().string());
    if (suffix == ".stl") return MeshFormat::stl;
    if (suffix == ".ply") return MeshFormat::ply;
    if (suffix == ".vtk" || suffix == ".vtp" || suffix == ".vtu") return MeshFormat::vtk;
    throw InputError(geometry.where,
                     fmt::format("<geometryfile> {}: the ending \"{}\" is unknown, use .vtk, .vtp, .vtu, "
                                 ".stl or .ply",
                                 geometry.file, suffix));
}

std::vector<Facet> facets_of_file(const Case& the_case, const NormalsGeometry& geometry) {
    const Mesh mesh = read_mesh_file(the_case.data_folder / geometry.file, format_of(geometry), geometry.where);
    std::vector<Facet> facets;
    for (const auto& t : mesh.triangles) facets.push_back({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]});
    const CaseDefinition& d = the_case.definition;
    if (d.two_d) facets = strips_across(facets, Lattice(d).coordinate(1, 0), d.dp);
    if (facets.empty())
        throw InputError(geometry.where, fmt::format("<geometryfile> {}: it has no triangles{}", geometry.file,
                                                     d.two_d ? " across the plane of the 2-D case" : ""));
    return facets;
}

/// Normals of a block, found by a surface.
class BlockNormals {
public:
    BlockNormals(ParticleSet& set, const ParticleBlock& block, std::vector<NormalFate>& fate)
        : set_(set), block_(block), fate_(fate) {}

    /// Returns the number of those found.
    std::size_t find(const WallSurface& surface) {
        in_parallel(block_.begin, block_.begin + block_.count, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t id = begin; id < end; ++id) {
                SurfaceNormal n = surface.normal_of(set_.position[id]);
                if (set_.two_d) n.normal.y = 0;
                set_.normals[id] = vec_cast<float>(n.normal);
                fate_[id] = n.fate;
            }
        });
        return count(NormalFate::found);
    }
    /// Of its normals, m.
    double longest() const {
        double most = 0;
        for (std::uint32_t id = block_.begin; id < block_.begin + block_.count; ++id)
            most = std::max(most, double(norm(set_.normals[id])));
        return most;
    }
    std::size_t count(NormalFate fate) const {
        const auto first = fate_.begin() + block_.begin;
        return std::size_t(std::count(first, first + block_.count, fate));
    }

private:
    ParticleSet& set_;
    const ParticleBlock& block_;
    std::vector<NormalFate>& fate_;
};

} // namespace

void NormalsMaker::find_by_surface(const NormalsGeometry& geometry) {
    WallSurfaces by_mk;
    std::vector<Facet> of_all;
    if (geometry.shapes)
        by_mk = shapes_of_walls(case_, geometry);
    else {
        of_all = facets_of_file(case_, geometry);
        set_.data_files.push_back(geometry.file);
        std::sort(set_.data_files.begin(), set_.data_files.end());
        set_.data_files.erase(std::unique(set_.data_files.begin(), set_.data_files.end()), set_.data_files.end());
    }
    const double h = smoothing_length_of(case_);
    const SurfaceReach reach{geometry.max_distance_h > 0 ? geometry.max_distance_h * h : 1e100, geometry.max_size_h * h,
                             set_.dp};
    Extent all;
    for (const Vec3d& p : set_.position) all.add(p);
    fate_.assign(set_.boundary_count, NormalFate::no_surface);
    for (const ParticleBlock& block : set_.blocks) {
        const bool has = !geometry.shapes || by_mk.contains(block.mk_type);
        if (block.type == ParticleType::fluid || !has) continue;
        std::vector<Facet> facets = geometry.shapes ? by_mk[block.mk_type].facets : of_all;
        const bool floats = block.type == ParticleType::floating;
        BlockNormals normals(set_, block, fate_);
        if (!normals.find(WallSurface(facets, reach, all, floats)) && normals.count(NormalFate::in_front)) {
            // No particle stands behind it: it is drawn inside out.
            std::vector<Facet> turned = facets;
            turn_over(turned);
            if (normals.find(WallSurface(turned, reach, all, floats))) {
                facets = std::move(turned);
                warn_of_turned(block, geometry);
            } else {
                normals.find(WallSurface(facets, reach, all, floats));
                continue;
            }
        }
        if (!geometry.shapes || !by_mk[block.mk_type].meshes) continue;
        of_meshes_.insert(block.mk_type);
        if (!by_mk[block.mk_type].closed) continue;
        const double limit = before_mesh * set_.dp;
        const auto find_up_to = [&](double before) {
            SurfaceReach further = reach;
            further.before = before;
            return normals.find(WallSurface(facets, further, all, floats));
        };
        std::size_t behind = normals.count(NormalFate::found), found = find_up_to(limit);
        if (normals.count(NormalFate::in_front) && normals.longest() <= limit) {
            // What stands behind it does so by rounding: it is drawn inside out.
            turn_over(facets);
            warn_of_turned(block, geometry);
            behind = find_up_to(0);
            found = find_up_to(limit);
        }
        if (found > behind) note_before_mesh(block, geometry, found - behind);
    }
}

void NormalsMaker::warn_of_turned(const ParticleBlock& block, const NormalsGeometry& geometry) {
    diagnostics_.push_back(
        {Diagnostic::Level::warning, geometry.where,
         fmt::format("the surface of mkbound {} faces its particles instead of the fluid: it is taken the other way "
                     "round; put <setnormalinvert invert=\"true\"/> before its shapes, or turn the mesh",
                     block.mk_type)});
}

void NormalsMaker::note_before_mesh(const ParticleBlock& block, const NormalsGeometry& geometry, std::size_t count) {
    diagnostics_.push_back(
        {Diagnostic::Level::info, geometry.where,
         fmt::format("{} of {} particles of mkbound {} stand on their mesh or before it, as the lattice has it: their "
                     "surface is taken half a dp before each; to have the mesh itself, draw them with "
                     "advanced=\"true\" and <depth depthmin=\"{:.6g}\"/> (half a dp)",
                     count, block.count, block.mk_type, 0.5 * set_.dp)});
}

} // namespace sluice
