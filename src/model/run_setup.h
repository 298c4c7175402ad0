// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "core/host_device.h"
#include "model/bodies.h"
#include "model/collisions.h"
#include "model/constants.h"
#include "model/contact_parts.h"
#include "model/fluids.h"
#include "model/forcing.h"
#include "model/joints.h"
#include "model/method.h"
#include "model/moorings.h"
#include "model/motion_data.h"
#include "model/open_zones.h"
#include "model/particle_groups.h"
#include "model/period.h"
#include "model/rheology.h"
#include "model/rigid_particles.h"
#include "model/shift_zone.h"
#include "model/solid/flexible.h"
#include "model/viscosity_in_time.h"
#include <algorithm>

namespace sluice {

/// The box that particles must stay in.
using Domain = Box;

/// Whether a boundary particle that has this normal takes its density from the fluid, and does not integrate it.
SLUICE_HD inline bool is_extrapolated(const Vec3f& normal) { return normal.x != 0 || normal.y != 0 || normal.z != 0; }

/// What a backend needs to know of a run.
struct RunSetup {
    Method method = Method::sph;
    sph::Constants constants;               ///< with the greatest viscosity, if it changes
    std::vector<ViscositySample> viscosity; ///< in time; none: it is that of the constants
    std::vector<ShiftZone> shift_zones;     ///< in which particles are shifted; none: everywhere
    Domain domain;
    Period period; ///< which sides of the domain are periodic
    ParticleGroups groups;
    Forcing forcing;                       ///< of the fluid, from the domain's lower corner
    OpenZones open;                        ///< where fluid enters and leaves, from the domain's lower corner
    Motions motions;                       ///< prescribed, from the domain's lower corner
    std::vector<WaveAbsorber> absorbers;   ///< pistons that absorb waves
    std::vector<Body> bodies;              ///< that float
    std::vector<SeriesSample> body_series; ///< what bodies are made to do, forces on them, and constants of joints
    Mechanisms mechanisms;                 ///< bodies that joints connect, and each that collides
    Collisions collisions;                 ///< surfaces of bodies of mechanisms and of walls that touch one another
    Moorings moorings;                     ///< lines that hold bodies
    BodyContact contact = BodyContact::pair_formula;
    ContactParts contact_parts;
    RigidParticles rigid; ///< the particles of the groups that have a motion or are a body
    /// Modified dynamic boundaries: of every boundary particle by its id, the way from it to the surface of its wall at
    /// the start of the run, m; the ghost node is twice as far. Zero: none is known, the particle stays dynamic.
    std::vector<Vec3f> normals;
    FlexibleBodies flexible;
    Fluids fluids;         ///< of the fluid groups, where they differ; walls are what the constants say
    Rheologies rheologies; ///< of the fluid groups, with ViscosityModel::apparent

    /// Takes over the groups and gives them the masses of the constants and fluids, which are known already.
    void set_groups(ParticleGroups of_particles) {
        groups = std::move(of_particles);
        groups.set_masses([&](const ParticleGroup& group) {
            if (!group.is_fluid()) return constants.mass_bound;
            return constants.mass_fluid * (fluids.empty() || group.count == 0 ? 1 : density_ratio_of(group.begin));
        });
    }
    /// The constants at `time`, s.
    sph::Constants constants_at(double time) const { return sph::constants_at(constants, viscosity, time); }
    /// The phase (model/fluids.h) of the particle with this id.
    std::uint32_t phase_of(std::uint32_t id) const {
        return groups.is_fluid(id) ? static_cast<std::uint32_t>(groups.fluid_of(id)) + 1 : 0;
    }
    /// Density over relative density of the particle with this id.
    double density_ratio_of(std::uint32_t id) const {
        return !fluids.empty() && groups.is_fluid(id) ? density_ratio(constants, fluids[groups.fluid_of(id)]) : 1;
    }
    /// Whether backends keep where the fluid was at the begin of a step until its end: symplectic steps return to it,
    /// and open boundaries ask what has crossed their planes since.
    bool keeps_start() const {
        return constants.integrator == sph::Integrator::symplectic ||
               (constants.integrator == sph::Integrator::staggered && open.any());
    }
    /// Whether the particle with this id is one of the boundary whose density is extrapolated from the fluid.
    bool is_extrapolated(std::uint32_t id) const { return id < normals.size() && sluice::is_extrapolated(normals[id]); }
    /// Whether that holds for all boundary particles.
    bool extrapolates_everywhere() const {
        return !normals.empty() &&
               std::ranges::all_of(normals, [](const Vec3f& n) { return sluice::is_extrapolated(n); });
    }
};

} // namespace sluice
