// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/read_case.h"
#include "geometry/particle_set.h"
#include <map>
#include <vector>

namespace sluice {

/// What another spacing (--dp) changes in the particles beside their number: shapes take the nodes nearest to them, so
/// water gets deeper or shallower and walls may no longer meet. Compares with the case as its own spacing draws it, and
/// names the spacing nearest to the asked one that keeps the sizes.
std::vector<Diagnostic> compare_with_own_spacing(const std::filesystem::path& case_file, const CaseOverrides& overrides,
                                                 const Case& definition, const ParticleSet& particles);

/// Sizes of what is drawn, to compare two spacings by.
struct DrawnSizes {
    double dp = 0;          ///< m
    double volume = 0;      ///< of the fluid: particles times dp³, m³ (m² in 2-D)
    Vec3d extent;           ///< of the fluid, with half a spacing on either side, m
    double depth = 0;       ///< of still water, m
    double open[3][2] = {}; ///< faces between fluid and nodes without a particle, by axis, low and high, m² (m in 2-D)
    std::map<int, double> bodies; ///< of each floating mkbound: particles times dp³, m³ (m² in 2-D)
};
DrawnSizes sizes_of(const Case& definition, const ParticleSet& particles);

/// What differs between two drawings of one case, in words; empty if it keeps its sizes.
std::vector<std::string> size_changes(const DrawnSizes& own, const DrawnSizes& now, const Vec3d& gravity, bool two_d);

} // namespace sluice
