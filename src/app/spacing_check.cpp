// SPDX-License-Identifier: Apache-2.0
#include "app/spacing_check.h"

#include "core/error.h"
#include "core/extent.h"
#include "geometry/generate.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace sluice {

namespace {

/// Nodes of a lattice that is drawn only to compare: a second, some hundred megabytes.
constexpr double most_nodes = 5e7;

/// What a size may change by before it is worth a word.
constexpr double slight = 0.015;

double lattice_nodes(const CaseDefinition& d, double dp) {
    double nodes = 1;
    for (int axis = 0; axis < 3; ++axis) nodes *= (d.point_max[axis] - d.point_min[axis]) / dp + 1;
    return nodes;
}

/// The nodes next to the particles as numbers that can be sorted.
class NodeKeys {
public:
    explicit NodeKeys(const ParticleSet& set) : dp_(set.dp), origin_(set.position.front()) {
        keys_.reserve(set.size());
        for (const Vec3d& p : set.position) keys_.push_back(key(node(p)));
        std::sort(keys_.begin(), keys_.end());
    }
    Vec3i node(const Vec3d& p) const {
        Vec3i n;
        for (int axis = 0; axis < 3; ++axis) n[axis] = static_cast<int>(std::lround((p[axis] - origin_[axis]) / dp_));
        return n;
    }
    bool taken(const Vec3i& node) const { return std::binary_search(keys_.begin(), keys_.end(), key(node)); }

private:
    static std::uint64_t key(const Vec3i& n) {
        constexpr int bits = 21, middle = 1 << (bits - 1);
        const auto part = [](int i) { return std::uint64_t(i + middle) & ((std::uint64_t(1) << bits) - 1); };
        return (part(n.z) << (2 * bits)) | (part(n.y) << bits) | part(n.x);
    }
    double dp_;
    Vec3d origin_;
    std::vector<std::uint64_t> keys_;
};

std::optional<DrawnSizes> sizes_with(const std::filesystem::path& case_file, CaseOverrides overrides,
                                     std::optional<double> dp) {
    overrides.dp = dp;
    overrides.allow_unsupported = true;
    try {
        Case definition = read_case(case_file, overrides);
        if (lattice_nodes(definition.definition, definition.definition.dp) > most_nodes) return std::nullopt;
        return sizes_of(definition, generate_particles(definition, definition.diagnostics));
    } catch (const InputError&) { // of a spacing that the user did not ask for
        return std::nullopt;
    }
}

/// The spacing nearest to the asked one that draws the same sizes: a fraction of the case's own, as those are whole
/// multiples of it.
std::optional<double> nearest_faithful(const std::filesystem::path& case_file, const CaseOverrides& overrides,
                                       const Case& definition, const DrawnSizes& own) {
    constexpr int most = 6;
    constexpr std::size_t tries = 10;
    const double asked = *overrides.dp;
    std::vector<double> spacings;
    for (int p = 1; p <= most; ++p)
        for (int q = 1; q <= most; ++q) {
            const double dp = std::stod(fmt::format("{:.8g}", own.dp * p / q));
            if (dp < asked / 2 || dp > asked * 2 || std::abs(dp - asked) < 1e-6 * asked) continue;
            if (std::find(spacings.begin(), spacings.end(), dp) == spacings.end()) spacings.push_back(dp);
        }
    std::sort(spacings.begin(), spacings.end(),
              [&](double a, double b) { return std::abs(std::log(a / asked)) < std::abs(std::log(b / asked)); });
    if (spacings.size() > tries) spacings.resize(tries);
    for (const double dp : spacings) {
        const auto sizes = sizes_with(case_file, overrides, dp);
        if (sizes && size_changes(own, *sizes, definition.constants.gravity, definition.definition.two_d).empty())
            return dp;
    }
    return std::nullopt;
}

std::string change_text(const char* what, double own, double now, const char* unit) {
    return fmt::format("{} {:.4g} {} for {:.4g} {} ({:+.1f} %)", what, now, unit, own, unit, 100 * (now / own - 1));
}

bool differs(double own, double now) { return own > 0 && std::abs(now / own - 1) > slight; }

/// The floating body whose size changes most, and how many others change; a case may have thousands.
std::string body_changes(const DrawnSizes& own, const DrawnSizes& now, bool two_d) {
    int worst = 0, changed = 0;
    double most = 0;
    for (const auto& [mkbound, volume] : own.bodies) {
        const auto same = now.bodies.find(mkbound);
        if (same == now.bodies.end() || !differs(volume, same->second)) continue;
        ++changed;
        const double change = std::abs(same->second / volume - 1);
        if (change <= most) continue;
        most = change;
        worst = mkbound;
    }
    if (!changed) return "";
    return change_text(fmt::format("floating mkbound {}", worst).c_str(), own.bodies.at(worst), now.bodies.at(worst),
                       two_d ? "m2" : "m3") +
           (changed > 1 ? fmt::format(" and {} other bodies", changed - 1) : "");
}

} // namespace

DrawnSizes sizes_of(const Case& definition, const ParticleSet& set) {
    DrawnSizes s;
    s.dp = set.dp;
    s.depth = set.still_water_depth;
    const std::uint32_t fluid = set.size() - set.boundary_count;
    const double face = std::pow(s.dp, set.two_d ? 1 : 2) / definition.lattice_fluid;
    s.volume = fluid * face * s.dp;
    for (const ParticleBlock& block : set.blocks)
        if (block.type == ParticleType::floating) s.bodies[block.mk_type] = block.count * face * s.dp;
    if (!fluid) return s;
    const NodeKeys nodes(set);
    Extent extent;
    for (std::uint32_t n = set.boundary_count; n < set.size(); ++n) {
        extent.add(set.position[n]);
        const Vec3i node = nodes.node(set.position[n]);
        for (int axis = 0; axis < 3; ++axis) {
            if (axis == 1 && set.two_d) continue;
            for (const int high : {0, 1}) {
                Vec3i beside = node;
                beside[axis] += high ? 1 : -1;
                if (!nodes.taken(beside)) s.open[axis][high] += face;
            }
        }
    }
    for (int axis = 0; axis < 3; ++axis)
        s.extent[axis] = axis == 1 && set.two_d ? 0 : extent.max[axis] - extent.min[axis] + s.dp;
    return s;
}

std::vector<std::string> size_changes(const DrawnSizes& own, const DrawnSizes& now, const Vec3d& gravity, bool two_d) {
    std::vector<std::string> changes;
    if (differs(own.volume, now.volume))
        changes.push_back(change_text("fluid", own.volume, now.volume, two_d ? "m2" : "m3"));
    for (int axis = 0; axis < 3; ++axis)
        if (differs(own.extent[axis], now.extent[axis]))
            changes.push_back(change_text(axis == 2   ? "its height"
                                          : axis == 0 ? "its length in x"
                                                      : "its width in y",
                                          own.extent[axis], now.extent[axis], "m"));
    if (const std::string bodies = body_changes(own, now, two_d); !bodies.empty()) changes.push_back(bodies);
    // Where the water is open on another side than its surface, walls no longer meet or do not touch it.
    const char* const sides[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
    for (int axis = 0; axis < 3; ++axis)
        for (const int high : {0, 1}) {
            const bool is_surface = gravity[axis] != 0 && (gravity[axis] < 0) == (high == 1);
            const double more = now.open[axis][high] - own.open[axis][high];
            const double least = two_d ? 0 : own.dp * now.extent[(axis + 1) % 3];
            if (!is_surface && more > std::max(least, slight * own.open[axis][high]) + 1e-9)
                changes.push_back(
                    fmt::format("the {} side of the fluid is open over {:.3g} {} more: a hole, or a gap to "
                                "the wall",
                                sides[axis][high], more, two_d ? "m" : "m2"));
        }
    return changes;
}

std::vector<Diagnostic> compare_with_own_spacing(const std::filesystem::path& case_file, const CaseOverrides& overrides,
                                                 const Case& definition, const ParticleSet& particles) {
    const auto own = sizes_with(case_file, overrides, std::nullopt);
    const SourceLocation& where = definition.definition.where;
    if (!own)
        return {{Diagnostic::Level::info, where,
                 fmt::format("--dp {:g}: not compared with the case as its own spacing draws it, which is too fine for "
                             "that or cannot be drawn",
                             particles.dp)}};
    if (std::abs(own->dp - particles.dp) < 1e-9 * own->dp || own->volume == 0) return {};
    const std::vector<std::string> changes =
        size_changes(*own, sizes_of(definition, particles), definition.constants.gravity, definition.definition.two_d);
    if (changes.empty()) return {};
    const auto faithful = nearest_faithful(case_file, overrides, definition, *own);
    return {
        {Diagnostic::Level::warning, where,
         fmt::format("--dp {:g} draws other sizes than the case's own spacing ({:g} m): {}; {}", particles.dp, own->dp,
                     fmt::join(changes, ", "),
                     faithful ? fmt::format("--dp {:g} is the nearest that keeps them", *faithful)
                              : "no spacing near it keeps them: write the sizes as multiples of Dp, or keep the case's "
                                "own spacing")}};
}

} // namespace sluice
