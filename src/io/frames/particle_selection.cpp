// SPDX-License-Identifier: Apache-2.0
#include "io/frames/particle_selection.h"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>
#include <utility>

namespace sluice {
namespace {

/// What filters ask of a particle.
struct Particle {
    Vec3d position; ///< m
    const ParticleBlock& block;
};

/// How far the body of each mkbound has moved since time 0, m.
class Ways {
public:
    void add(int mk_bound, const Vec3d& way) { ways_.emplace_back(mk_bound, way); }
    Vec3d of(int mk_bound) const {
        for (const auto& [mk, way] : ways_)
            if (mk == mk_bound) return way;
        return {};
    }

private:
    std::vector<std::pair<int, Vec3d>> ways_;
};

bool meets(const BoxFilter& f, const Vec3d& p) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(p[axis] >= f.min[axis] && p[axis] <= f.max[axis])) return false;
    return true;
}

bool meets(const PlaneFilter& f, const Vec3d& p) {
    const double away = dot(p - f.point, f.vector);
    return away >= 0 && away <= f.distance;
}

bool meets(const SphereFilter& f, const Vec3d& p) {
    const Vec3d from_centre = p - *f.centre;
    return dot(from_centre, from_centre) <= f.radius * f.radius;
}

bool meets(const CylinderFilter& f, const Vec3d& p) {
    const Vec3d axis = f.point2 - f.point1, from_end = p - f.point1;
    const double length = norm(axis), along = dot(from_end, axis) / length;
    return along >= 0 && along <= length && norm(cross(axis, from_end)) / length <= f.radius;
}

bool selects(const FilterGroup& group, const Particle& particle, const Ways& ways);

bool meets(const OutputFilter& filter, const Particle& particle, const Ways& ways) {
    // A filter that goes with a body meets what is there where it stood at time 0.
    const Vec3d place = filter.follow ? particle.position - ways.of(*filter.follow) : particle.position;
    return std::visit(
        [&]<class Rule>(const Rule& rule) {
            if constexpr (std::is_same_v<Rule, TypeFilter>)
                return rule.types[static_cast<std::size_t>(particle.block.type)];
            else if constexpr (std::is_same_v<Rule, MkFilter>)
                return particle.block.type == rule.type && particle.block.mk >= rule.stored_first &&
                       particle.block.mk <= rule.stored_last;
            else if constexpr (std::is_same_v<Rule, FilterGroup>)
                return selects(rule, particle, ways);
            else
                return meets(rule, place);
        },
        filter.rule);
}

bool selects(const FilterGroup& group, const Particle& particle, const Ways& ways) {
    bool selected = group.all;
    for (const OutputFilter& filter : group.filters) {
        const bool adds = filter.operation == FilterOperation::add;
        if (selected == adds) continue; // add has nothing to add, the others nothing to take away
        const bool met = meets(filter, particle, ways) != filter.inverse;
        selected = filter.operation == FilterOperation::del ? !met : met;
    }
    return selected;
}

/// The type of the particles of an mk. Throws InputError if there are none.
ParticleType type_of(const OutputFilter& filter, const MkFilter& mks, bool last,
                     const std::vector<ParticleBlock>& blocks) {
    const int stored = last ? mks.stored_last : mks.stored_first;
    std::string names;
    for (const ParticleBlock& block : blocks) {
        if (block.count == 0) continue;
        if (block.mk == stored) return block.type;
        names += fmt::format("{}{} (mk {})", names.empty() ? "" : ", ", block.name(), block.mk);
    }
    throw InputError(filter.where, fmt::format("<filtermk> {} {}: the case has no such particles; it has {}", mks.word,
                                               last ? mks.last : mks.first, names));
}

void settle(FilterGroup& group, const std::vector<ParticleBlock>& blocks, const Ways& centres) {
    for (OutputFilter& filter : group.filters) {
        if (auto* inner = std::get_if<FilterGroup>(&filter.rule)) settle(*inner, blocks, centres);
        if (auto* sphere = std::get_if<SphereFilter>(&filter.rule); sphere && !sphere->centre)
            sphere->centre = centres.of(*filter.follow);
        auto* mks = std::get_if<MkFilter>(&filter.rule);
        if (!mks) continue;
        mks->type = type_of(filter, *mks, false, blocks);
        if (mks->type != type_of(filter, *mks, true, blocks))
            throw InputError(filter.where, fmt::format("<filtermk> {} {}-{}: its ends are particles of several types, "
                                                       "take a filter for each",
                                                       mks->word, mks->first, mks->last));
    }
}

} // namespace

ParticleSelection::ParticleSelection(const OutputParts& parts, const ParticleSet& particles, const RunSetup& setup)
    : parts_(parts), layout_(layout_of(particles)) {
    layout_.open = setup.open.any();
    Ways centres;
    for (const Body& body : setup.bodies) {
        mk_of_body_.push_back(body.mk_bound);
        start_.push_back(body.centre + setup.domain.min);
        centres.add(body.mk_bound, start_.back());
    }
    settle(parts_.selection, layout_.blocks, centres);
}

std::vector<std::uint32_t> ParticleSelection::places(const Frame& frame) const {
    Ways ways;
    for (std::size_t k = 0; k < std::min(frame.bodies.size(), start_.size()); ++k)
        ways.add(mk_of_body_[k], frame.bodies[k].state.centre - start_[k]);
    std::vector<std::uint32_t> chosen;
    BlockOfIds block_of(layout_);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const std::size_t block = block_of(frame.id[i]);
        if (block < layout_.blocks.size() &&
            selects(parts_.selection, {frame.position[i], layout_.blocks[block]}, ways))
            chosen.push_back(static_cast<std::uint32_t>(i));
    }
    return chosen;
}

LeftOut ParticleSelection::left_out(const Frame& frame) const {
    const std::vector<std::uint32_t> chosen = places(frame);
    const std::size_t begin = layout_.groups.fluid_begin(frame.id);
    const auto boundary =
        static_cast<std::size_t>(std::ranges::lower_bound(chosen, begin) - chosen.begin()); // of those chosen
    return {static_cast<std::uint32_t>(begin - boundary),
            static_cast<std::uint32_t>(frame.size() - begin - (chosen.size() - boundary))};
}

} // namespace sluice
