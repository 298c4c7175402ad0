// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "core/box.h"
#include "geometry/particle_set.h"
#include <array>
#include <cstdint>
#include <set>

namespace sluice {

/// How far the kernels reach, over h.
inline constexpr double kernel_reach_h = 2;

/// Why a particle has no normal: by the surface of geometryfile, or by a rule that has come after it.
enum class NormalFate : std::uint8_t {
    none_asked,
    found,
    no_surface,
    too_far,
    in_front,
    on_surface,
    too_long,
    beyond_rule ///< farther than maxdisth from the surface of a rule
};

/// Makes `ParticleSet::normals` as the case asks. Does nothing if it says nothing of normals.
class NormalsMaker {
public:
    NormalsMaker(const Case& the_case, ParticleSet& set, std::vector<Diagnostic>& diagnostics)
        : case_(the_case), set_(set), diagnostics_(diagnostics) {}

    /// casedef/normals, for the particles where they are drawn. Throws InputError for a surface that is not there.
    void make();
    /// The boundnormal_… of special/initialize, which follow the initials; then warns of particles without a normal and
    /// of normals that cannot be meant.
    void finish();

private:
    void find_by_surface(const NormalsGeometry& geometry);
    void apply_rules(bool after_initials);
    void warn_of_turned(const ParticleBlock& block, const NormalsGeometry& geometry);
    void note_before_mesh(const ParticleBlock& block, const NormalsGeometry& geometry, std::size_t count);
    void warn_of_missing(const ParticleBlock& block);
    void warn_of_doubtful(const ParticleBlock& block, const Box& all, const Box& fluid);
    SourceLocation where() const;

    const Case& case_;
    ParticleSet& set_;
    std::vector<Diagnostic>& diagnostics_;
    std::vector<NormalFate> fate_;     ///< of each boundary particle
    std::set<int> of_meshes_;          ///< the mkbounds whose surface is all of meshes
    bool rules_stop_in_reach_ = false; ///< a rule's maxdisth is below the reach of the kernel
};

/// The boundary particles of an mkbound, or null.
const ParticleBlock* boundary_block(const ParticleSet& set, int mkbound);

/// Boundary particles of a block that have a normal.
std::uint32_t count_normals(const ParticleSet& set, const ParticleBlock& block);

} // namespace sluice
