// SPDX-License-Identifier: Apache-2.0
#include "geometry/lint.h"
#include "geometry/normals.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

// What the user should know of the normals that a case has and has not.

namespace sluice {

namespace {

std::string place_text(const Vec3d& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z); }

/// Whether any of a box lies on the side of `place` that `direction` points to.
bool reaches_ahead(const Box& box, const Vec3d& place, const Vec3d& direction) {
    double most = 0;
    for (int axis = 0; axis < 3; ++axis)
        most += direction[axis] * ((direction[axis] > 0 ? box.max : box.min)[axis] - place[axis]);
    return most > 0;
}

bool holds(const Box& box, const Vec3d& p) {
    for (int axis = 0; axis < 3; ++axis)
        if (p[axis] < box.min[axis] || p[axis] > box.max[axis]) return false;
    return true;
}

const char* fate_text(NormalFate fate) {
    switch (fate) {
    case NormalFate::no_surface: return "have no surface in geometryfile for their mk";
    case NormalFate::too_far: return "are too far from their surface";
    case NormalFate::in_front: return "stand on the fluid's side of their surface";
    case NormalFate::on_surface: return "stand on their surface itself";
    case NormalFate::too_long: return "have a normal above maxsizeh";
    case NormalFate::beyond_rule: return "are farther than maxdisth from the surface of their rule";
    case NormalFate::found:
    case NormalFate::none_asked: break;
    }
    return "have none by the rules";
}

const char* fate_advice(NormalFate fate, bool of_mesh) {
    const bool beside = fate == NormalFate::in_front || fate == NormalFate::on_surface;
    if (of_mesh && beside)
        return "draw the particles inside their mesh alone (advanced=\"true\" with a depthmin of half a dp), or close "
               "its holes";
    switch (fate) {
    case NormalFate::no_surface: return "draw its shapes before shapeout, or add a norplane or the like for it";
    case NormalFate::too_far: return "draw the shapes of the surface near it, or raise distanceh";
    case NormalFate::in_front:
        return "put <setnormalinvert invert=\"true\"/> before the shapes if their normals point to the wall";
    case NormalFate::on_surface: return "draw the shapes of the surface half a dp before the particles (layers vdp)";
    case NormalFate::too_long: return "raise maxsizeh";
    case NormalFate::beyond_rule: return "raise maxdisth, or set it to 0, which is no limit";
    case NormalFate::found:
    case NormalFate::none_asked: break;
    }
    return "add a norplane or the like for it, or raise maxdisth";
}

} // namespace

SourceLocation NormalsMaker::where() const {
    return case_.normals.geometry ? case_.normals.geometry->where : case_.normals.rules.front().where;
}

void NormalsMaker::warn_of_missing(const ParticleBlock& block) {
    const auto is_this = [&](const FlexibleDef& body) { return body.mkbound == block.mk_type; };
    if (std::ranges::any_of(case_.flexible, is_this)) return; // flexible bodies have none
    std::array<std::uint32_t, std::size_t(NormalFate::beyond_rule) + 1> count{};
    std::uint32_t missing = 0, first = 0;
    for (std::uint32_t id = block.begin; id < block.begin + block.count; ++id) {
        if (set_.normals[id] != Vec3f{}) continue;
        if (!missing++) first = id;
        ++count[std::size_t(fate_[id])];
    }
    if (!missing) return;
    std::vector<std::string> reasons;
    for (std::size_t f = 0; f < count.size(); ++f)
        if (count[f]) reasons.push_back(fmt::format("{} {}", count[f], fate_text(NormalFate(f))));
    // Where the limit is not below the reach of the kernel, what is beyond it meets no fluid.
    const auto all_are = [&](NormalFate fate) { return missing == count[std::size_t(fate)]; };
    const bool harmless = (all_are(NormalFate::too_far) && case_.normals.geometry->max_distance_h >= kernel_reach_h) ||
                          (all_are(NormalFate::beyond_rule) && !rules_stop_in_reach_);
    const auto main = NormalFate(std::max_element(count.begin(), count.end()) - count.begin());
    diagnostics_.push_back(
        {harmless ? Diagnostic::Level::info : Diagnostic::Level::warning, where(),
         fmt::format("{} of {} particles of mkbound {} have no normal ({}; the first is at {}): with Boundary=2 they "
                     "stay dynamic boundary particles; {}",
                     missing, block.count, block.mk_type, fmt::join(reasons, ", "), place_text(set_.position[first]),
                     harmless ? fmt::format("no fluid is in their reach ({} 0 gives them one all the same)",
                                            all_are(NormalFate::too_far) ? "distanceh" : "maxdisth")
                              : fate_advice(main, of_meshes_.contains(block.mk_type)))});
}

/// A ghost node that lies outside of everything, with no fluid on the side that the normal points to. Of a floating
/// body the sides in the air may become wet.
void NormalsMaker::warn_of_doubtful(const ParticleBlock& block, const Box& all, const Box& fluid) {
    if (block.type == ParticleType::floating) return;
    std::uint32_t doubtful = 0, first = 0;
    for (std::uint32_t id = block.begin; id < block.begin + block.count; ++id) {
        const Vec3d n = vec_cast<double>(set_.normals[id]), ghost = set_.position[id] + 2.0 * n;
        if (set_.normals[id] == Vec3f{} || holds(all, ghost) || reaches_ahead(fluid, set_.position[id], n)) continue;
        if (!doubtful++) first = id;
    }
    if (!doubtful) return;
    const Vec3f n = set_.normals[first];
    diagnostics_.push_back(
        {Diagnostic::Level::warning, where(),
         fmt::format("{} of {} particles of mkbound {} have normals that point away from all fluid and out of the case "
                     "(the first, at {}, has {}): turn the surface, or leave out its far side",
                     doubtful, block.count, block.mk_type, place_text(set_.position[first]),
                     place_text(vec_cast<double>(n)))});
}

} // namespace sluice
