// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/bodies/mooring_lines.h"
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/neighbour_lists.h"
#include "cuda/passes/update.h"
#include "model/rigid_motion.h"
#include "model/run_setup.h"
#include "scheme/body_motion.h"
#include "scheme/stage.h"
#include <memory>

namespace sluice::cuda {

/// What the kernels read and write of the rigid objects.
struct RigidView {
    MotionView motions;
    const Body* bodies = nullptr;
    const double* radius = nullptr; ///< of each body: its furthest particle from the centre, m
    int body_count = 0;
    std::uint32_t body_particles = 0;                 ///< of all bodies
    BodyState *body = nullptr, *body_start = nullptr; ///< now, and at the start of a symplectic step
    const SeriesSample* series = nullptr;             ///< RunSetup::body_series
    BodyLoads* load = nullptr;                        ///< what acted on each body in the last interaction
    Vec3f* acceleration = nullptr;                    ///< by the fluid, of the ids from `begin` on, m/s²
    ContactForce* contact = nullptr;                  ///< by elastic contacts, of the same; null without them
    const ContactPart* parts = nullptr;               ///< ContactParts
    const std::uint32_t* part_of_id = nullptr;
    RigidMotion* now = nullptr;   ///< of all objects, bodies last, as they take part in the next interaction
    const Vec3d* start = nullptr; ///< RigidParticles
    const std::int32_t* object = nullptr;
    std::uint32_t begin = 0, particles = 0;
    const WaveAbsorber* absorbers = nullptr;
    AbsorberState* absorber = nullptr; ///< of each, now; MotionView has them, too
    int absorber_count = 0, most_check_points = 0;
    double* fractions = nullptr; ///< of fluid: `most_check_points` for each gauge before a piston
    bool lags =
        false; ///< bodies take part in what follows a step with the velocities of half a step before (staggered)
    bool in_contact = false;          ///< bodies are kept out of walls and of one another
    std::uint32_t* seeking = nullptr; ///< boundary particles that search cells for the particles that push them
    std::uint32_t* touched = nullptr; ///< those that elastic contacts may push: of bodies; null without them
    unsigned *seeking_count = nullptr, *touched_count = nullptr;
    unsigned* has_company = nullptr; ///< of each body: whether boundary particles of others may be near it

    SLUICE_HD std::int32_t object_of(std::uint32_t id) const {
        return id - begin < particles ? object[id - begin] : RigidParticles::at_rest;
    }
    SLUICE_HD bool is_body(std::int32_t of_object) const { return of_object >= motions.object_count; }
};

/// Forces of the fluid, of walls and of other bodies on the particles of bodies that this device steps; the fluid's
/// forces are the reactions to those on the fluid. First the forces found through `lists`, and elastic contacts, which
/// do not depend on the interaction of other particles. For elastic contacts `args.view` has coarse positions.
/// `one_cell_travel`: once particles have moved further than this since their cells were made, those two cells away are
/// searched, too, m.
void begin_reactions(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                     const BodyLists& lists, float one_cell_travel, cudaStream_t stream);
/// Then the forces found through cells, and what contacts add to dρ/dt of boundary particles, which the interaction has
/// written.
void end_reactions(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid, const BodyLists& lists,
                   float one_cell_travel, cudaStream_t stream);
/// After end_reactions(), where no loads are summed up (staggered steps, densities alone): the next begin_reactions()
/// begins anew.
void forget_meetings(const InteractionArgs& args, const RigidView& rigid, cudaStream_t stream);
/// The forces that another device has computed for the boundary particles `walls`: by id, where this device can read
/// them.
struct FoundReactions {
    Range walls;
    const Vec3f* acceleration;
    const ContactForce* contact; ///< null without elastic contacts
};
void take_reactions(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                    const FoundReactions& found, cudaStream_t stream);
/// Sums it up for every body, in the order of the ids.
void sum_body_loads(const InteractionArgs& args, const RigidView& rigid, cudaStream_t stream);
/// The work of moving walls on the fluid, in steps that look at it (scheme/outer_work.h): of those of their particles
/// that this device steps. After the time step is known, and before anything of the step moves.
void add_work_of_walls(const InteractionArgs& args, const std::uint32_t* id, const RigidView& rigid,
                       float one_cell_travel, cudaStream_t stream);
/// Brings the objects to the end of a stage. It reads and writes nothing of particles. `counts`: whether this is the
/// device that counts the work of what drives bodies, which all devices move.
void move_objects(const UpdateArgs& args, const RigidView& rigid, Stage stage, bool counts, cudaStream_t stream);
/// Sets place and velocity of their particles. A particle that leaves the domain ends the run (Control::left_id).
void place_objects(const UpdateArgs& args, const RigidView& rigid, Stage stage, cudaStream_t stream);

/// Where all objects are at the time of a control, worked out on the device as a step does it, to the last digit.
void find_motions(const Control* control, const RigidView& rigid, cudaStream_t stream);

class HostMechanisms;

/// The rigid objects of a run on the device, moving walls and floating bodies.
class RigidObjects {
public:
    RigidObjects(const RunSetup& setup, DeviceMemory& memory);
    ~RigidObjects();
    RigidObjects(const RigidObjects&) = delete;
    RigidObjects& operator=(const RigidObjects&) = delete;

    /// Whether begin_reactions() finds neighbours by coarse positions.
    bool wants_coarse_positions() const { return view_.contact; }
    void sum_loads(const InteractionArgs& args, cudaStream_t stream) const {
        if (view_.body_count > 0) sum_body_loads(args, view_, stream);
    }
    /// Whether a particle belongs to a body.
    bool is_of_body(std::uint32_t id) const { return setup_.rigid.object_of(id) >= setup_.motions.object_count(); }
    /// Whether anything moves.
    bool any() const { return view_.particles > 0; }
    void add_work_of_walls(const InteractionArgs& args, const std::uint32_t* id, float one_cell_travel,
                           cudaStream_t stream) const {
        if (view_.motions.object_count > 0) cuda::add_work_of_walls(args, id, view_, one_cell_travel, stream);
    }
    void move(const UpdateArgs& args, Stage stage, bool counts, cudaStream_t stream) const;
    void place(const UpdateArgs& args, Stage stage, cudaStream_t stream) const {
        place_objects(args, view_, stage, stream);
    }

    /// While no steps are under way. None: as they are at time 0.
    void set_state(const std::vector<BodyState>& bodies, const std::vector<AbsorberState>& absorbers,
                   const MooringState& moorings);
    /// After bodies and control were written from the host: where all objects are now.
    void adopt(const Control* control, cudaStream_t stream) const {
        if (any()) find_motions(control, view_, stream);
    }
    std::vector<BodyState> bodies() const;
    std::vector<AbsorberState> absorbers() const;
    const MooringLines& lines() const { return lines_; }
    /// While no steps are under way: throws what has gone wrong on the host in one.
    void require_success() const;
    /// With the loads of the last interaction.
    std::vector<BodyReport> reports() const;
    const RigidView& view() const { return view_; }

private:
    void make_mechanisms(DeviceMemory& memory);
    void make_absorbers(DeviceMemory& memory);

    const RunSetup& setup_;
    DeviceArray<MovingObject> objects_;
    DeviceArray<MotionSegment> segments_;
    DeviceArray<MotionPiece> pieces_;
    DeviceArray<MotionKnot> knots_;
    DeviceArray<MotionSample> samples_;
    DeviceArray<Body> bodies_;
    DeviceArray<double> radius_;
    DeviceArray<BodyState> body_, body_start_;
    DeviceArray<SeriesSample> series_;
    DeviceArray<int> mechanism_bodies_;
    DeviceArray<BodyLoads> load_;
    MooringLines lines_;
    std::unique_ptr<HostMechanisms> mechanisms_; ///< null: there are none
    DeviceArray<Vec3f> acceleration_;
    DeviceArray<ContactForce> contact_;
    DeviceArray<ContactPart> parts_;
    DeviceArray<std::uint32_t> part_of_id_;
    DeviceArray<RigidMotion> now_;
    DeviceArray<Vec3d> start_;
    DeviceArray<std::int32_t> object_;
    DeviceArray<WaveAbsorber> absorbers_;
    DeviceArray<AbsorberState> absorber_;
    DeviceArray<double> fractions_;
    DeviceArray<std::uint32_t> seeking_, touched_;
    DeviceArray<unsigned> met_counts_; ///< of the two, and has_company: zeros between interactions
    RigidView view_;
};

} // namespace sluice::cuda
