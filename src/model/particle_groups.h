// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// What a particle is. The numbers are those of the field's own files.
enum class ParticleType : std::uint8_t { fixed = 0, moving = 1, floating = 2, fluid = 3 };

/// Particles of one mk: consecutive ids, one type.
struct ParticleGroup {
    int mk = 0;      ///< as stored: mkfluid + 1, or mkbound + 1 + fluidcount
    int mk_type = 0; ///< as written in the case: the mkfluid or mkbound
    ParticleType type = ParticleType::fixed;
    std::uint32_t begin = 0; ///< first id
    std::uint32_t count = 0; ///< ids that the group has been given
    int motion = -1;         ///< of a moving group: index of its object in RunSetup::motions; -1: it stands still
    double mass = 0;         ///< of each of its particles, kg (kg/m in 2-D); 0: not known yet

    bool is_fluid() const { return type == ParticleType::fluid; }
    /// "mkfluid 0", "mkbound 2": what the case calls it.
    std::string name() const { return (is_fluid() ? "mkfluid " : "mkbound ") + std::to_string(mk_type); }
};

/// The groups of a run by ascending ids, without gaps; all boundary groups (fixed, moving, floating) come before the
/// fluid ones, as in the field's own files. Other code asks here what a particle is, and does not compare ids.
class ParticleGroups {
public:
    ParticleGroups() = default;
    /// Throws std::invalid_argument if the ids do not follow one another or a boundary group follows a fluid one.
    explicit ParticleGroups(std::vector<ParticleGroup> groups) : groups_(std::move(groups)) {
        for (const ParticleGroup& group : groups_) {
            if (group.begin != particles_ || (!group.is_fluid() && particles_ > boundary_))
                throw std::invalid_argument("groups of particles: ids must follow one another, boundary before fluid");
            particles_ += group.count;
            if (!group.is_fluid()) boundary_ += group.count;
        }
    }
    /// One group of fixed particles and one of fluid, for particles that no case has made, of one mass.
    static ParticleGroups of(std::uint32_t fixed, std::uint32_t fluid, double mass = 0) {
        ParticleGroups groups({{1, 0, ParticleType::fixed, 0, fixed}, {2, 0, ParticleType::fluid, fixed, fluid}});
        groups.set_masses([mass](const ParticleGroup&) { return mass; });
        return groups;
    }

    const std::vector<ParticleGroup>& all() const { return groups_; }
    /// Particles at the start of the run: of all groups, of the boundary groups, of the fluid groups.
    std::uint32_t particle_count() const { return particles_; }
    std::uint32_t boundary_count() const { return boundary_; }
    std::uint32_t fluid_count() const { return particles_ - boundary_; }

    bool is_fluid(std::uint32_t id) const { return id >= boundary_; }
    /// Which of the fluid groups a fluid particle of the start of the run belongs to, counted from 0.
    std::size_t fluid_of(std::uint32_t id) const {
        std::size_t fluids = 0;
        for (const ParticleGroup& group : groups_)
            if (group.is_fluid() && group.begin <= id) ++fluids;
        return fluids - 1;
    }
    /// The mass of a particle, kg (kg/m in 2-D). Of one that open boundaries have created: that of the first fluid.
    double mass_of(std::uint32_t id) const {
        if (id >= particles_) id = boundary_;
        const auto next = std::upper_bound(groups_.begin(), groups_.end(), id,
                                           [](std::uint32_t i, const ParticleGroup& group) { return i < group.begin; });
        return next == groups_.begin() ? 0 : std::prev(next)->mass;
    }
    /// Of ascending ids, where the group of the particle at `from` ends. What open boundaries have created is one
    /// group.
    std::size_t end_of_group(const std::vector<std::uint32_t>& ascending_ids, std::size_t from) const {
        const auto begin = ascending_ids.begin() + static_cast<std::ptrdiff_t>(from);
        for (const ParticleGroup& group : groups_)
            if (*begin < group.begin + group.count)
                return static_cast<std::size_t>(
                    std::lower_bound(begin, ascending_ids.end(), group.begin + group.count) - ascending_ids.begin());
        return ascending_ids.size();
    }
    /// Gives each group the mass that `mass(group)` says.
    template <class Mass>
    void set_masses(const Mass& mass) {
        for (ParticleGroup& group : groups_) group.mass = mass(group);
    }
    /// Index of the first fluid particle among ids in ascending order, their number if there is none.
    std::size_t fluid_begin(const std::vector<std::uint32_t>& ascending_ids) const {
        return static_cast<std::size_t>(std::lower_bound(ascending_ids.begin(), ascending_ids.end(), boundary_) -
                                        ascending_ids.begin());
    }

private:
    std::vector<ParticleGroup> groups_;
    std::uint32_t particles_ = 0, boundary_ = 0;
};

} // namespace sluice
