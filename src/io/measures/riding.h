// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/gauges.h"
#include "model/frame.h"
#include "model/rigid_motion.h"
#include "model/run_setup.h"
#include "physics/solid/tensor.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// Why nothing can ride on the boundary of an mk, with what could be done: it is not there, or it never moves. Empty if
/// something can.
std::string why_no_ride(const RunSetup& setup, int mk_bound);

/// "the moving wall of mkbound 1": what of a run has an mk that something rides on.
std::string carrier_name(const RunSetup& setup, int mk_bound);

/// How a place is carried along by a moving wall, a floating body or a flexible body. Of a piston of layers it is the
/// layer, and of a flexible body the material, of the particle that is nearest to the place at the start of the run.
class Ride {
public:
    /// `place`: at the start of the run, m. Looks at `setup`, which must stay. Throws InputError with `why_no_ride`.
    Ride(const RunSetup& setup, int mk_bound, const Vec3d& place);

    /// Where places near `place` are at the time of a frame, which must have all particles of the boundary, and how
    /// they move. Of a rigid object this is its motion. The material of a flexible body carries places by x = x_a + F_a
    /// (X − X_a) with the deformation gradient F_a of its particle a (physics/solid/total_lagrangian.h) as `rotation`,
    /// all with the velocity of a. In a periodic run `place` comes to lie in the domain, and what is near it goes
    /// along.
    RigidMotion at(const Frame& frame) const;

private:
    struct Neighbour {
        std::uint32_t id;
        Vec3d gradient; ///< g of physics/solid/total_lagrangian.h, 1/m
    };

    void settle_in_material(const FlexibleBody& body);
    RigidMotion of_object(const Frame& frame) const;
    RigidMotion of_material(const Frame& frame) const;

    const RunSetup& setup_;
    Vec3d place_;
    int object_ = RigidParticles::at_rest; ///< of RigidParticles::object; at_rest: it rides on material
    std::uint32_t particle_ = 0;           ///< id of the nearest one
    Vec3d start_;                          ///< its place at the start of the run, m
    std::vector<Neighbour> neighbours_;    ///< of the particle of the material
};

/// What a gauge measures once its places have moved, m. The line of a maxz gauge stays upright, and a force has no
/// place.
GaugeKind moved(const GaugeKind& kind, const RigidMotion& motion);

/// The place that decides on which part of an object a gauge rides: its point or the first of its points, m.
Vec3d first_place(const GaugeKind& kind);

} // namespace sluice
