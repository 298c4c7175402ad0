// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/compare.h"
#include "model/mechanism_builder.h"
#include "scheme/moorings/line_arrays.h"
#include "scheme/moorings/statics.h"

// Walls that move, for every backend: clouds with them, and what must hold.

namespace sluice::moving {

using clouds::Choice;
using clouds::Cloud;

/// Adds an object with one piece to the motions; returns its index.
inline int add_object(Motions& motions, MotionPath path, const MotionPiece& piece, const Vec3d& pivot = {}) {
    MotionSegment segment;
    segment.path = path;
    segment.first_piece = static_cast<int>(motions.pieces.size());
    segment.piece_count = 1;
    motions.pieces.push_back(piece);
    motions.segments.push_back(segment);
    motions.objects.push_back({pivot, -1, static_cast<int>(motions.segments.size()) - 1, 1});
    return motions.object_count() - 1;
}

/// Says which particles move, and brings those of a cloud made for time 0 to another time.
inline void set_groups(Cloud& cloud, std::vector<ParticleGroup> groups, double time) {
    cloud.setup.groups = ParticleGroups(std::move(groups));
    cloud.setup.rigid = rigid_particles(cloud.setup.groups, cloud.setup.motions.object_count(), cloud.setup.bodies,
                                        [&](std::uint32_t id) { return cloud.state.position[id]; });
    oracle::State now = oracle::to_double(cloud.state);
    for (const Body& body : cloud.setup.bodies) now.bodies.push_back(initial_state(body));
    oracle::place_rigid(cloud.setup, now, time);
    cloud.state.position = now.position;
    cloud.state.time = time;
    for (std::size_t i = 0; i < cloud.state.size(); ++i) {
        cloud.state.velocity[i] = vec_cast<float>(now.velocity[i]);
        if (cloud.setup.rigid.object_of(cloud.state.id[i]) != RigidParticles::at_rest)
            cloud.state.velocity_previous[i] = cloud.state.velocity[i];
    }
}

/// A cloud of which half the floor rests, half slides along x, and the wall retreats and turns.
inline Cloud moving_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = clouds::make_cloud(choice, count);
    MotionPiece slide;
    slide.rate = {4, 0, 0};
    slide.amplitude = {0.004, 0, 0.001};
    slide.frequency = {1500, 0, 900};
    slide.phase = {0.3, 0, 1};
    slide.law = MotionLaw::sinusoid;
    MotionPiece turn;
    turn.kind = MotionKind::rotation;
    turn.axis = {0, 1, 0};
    turn.axis_point = {0.19, 0, 0.16};
    turn.rate = {-40, 0, 0};
    turn.acceleration = {3000, 0, 0};
    const int slides = add_object(cloud.setup.motions, MotionPath::translations, slide),
              turns = add_object(cloud.setup.motions, MotionPath::rotation, turn);
    const std::uint32_t layer = choice.two_d ? 1 : static_cast<std::uint32_t>(count.y),
                        floor = (static_cast<std::uint32_t>(count.x) + 1) * layer, resting = floor / 2,
                        walls = cloud.setup.groups.boundary_count(), fluid = cloud.setup.groups.fluid_count();
    set_groups(cloud,
               {{1, 0, ParticleType::fixed, 0, resting},
                {2, 1, ParticleType::moving, resting, floor - resting, slides},
                {3, 2, ParticleType::moving, floor, walls - floor, turns},
                {4, 0, ParticleType::fluid, walls, fluid}},
               0);
    return cloud;
}

/// Periodic along x, over a floor that has gone round many times and goes on doing so.
inline Cloud periodic_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = clouds::make_periodic_cloud(choice, count, "x");
    MotionPiece slide;
    slide.rate = {-6, 0, 0};
    const int slides = add_object(cloud.setup.motions, MotionPath::translations, slide);
    const std::uint32_t walls = cloud.setup.groups.boundary_count(), fluid = cloud.setup.groups.fluid_count();
    set_groups(cloud, {{1, 0, ParticleType::moving, 0, walls, slides}, {2, 0, ParticleType::fluid, walls, fluid}}, 1.7);
    return cloud;
}

/// A body of particles first … first + count − 1 of a state, each with a mass of its own.
inline Body make_body(const ParticleState& state, std::uint32_t first, std::uint32_t count, double mass) {
    Body body;
    body.first_id = first;
    body.particles = count;
    body.mass = mass;
    for (std::uint32_t k = 0; k < count; ++k) body.centre = body.centre + (1.0 / count) * state.position[first + k];
    Vec3d inertia[3] = {};
    for (std::uint32_t k = 0; k < count; ++k) {
        const Vec3d r = state.position[first + k] - body.centre;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) inertia[i][j] += mass / count * ((i == j ? dot(r, r) + 1e-5 : 0) - r[i] * r[j]);
    }
    for (int i = 0; i < 3; ++i) body.inertia[i] = inertia[i];
    return body;
}

/// A cloud of which half the floor slides along x, and two bodies float: the other half and the wall.
inline Cloud floating_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = clouds::make_cloud(choice, count);
    MotionPiece slide;
    slide.rate = {4, 0, 0};
    const int slides = add_object(cloud.setup.motions, MotionPath::translations, slide);
    const std::uint32_t layer = choice.two_d ? 1 : static_cast<std::uint32_t>(count.y),
                        floor = (static_cast<std::uint32_t>(count.x) + 1) * layer, sliding = floor / 2,
                        walls = cloud.setup.groups.boundary_count(), fluid = cloud.setup.groups.fluid_count();
    const double particle = cloud.setup.constants.mass_bound;
    cloud.setup.bodies = {make_body(cloud.state, sliding, floor - sliding, 3 * particle * (floor - sliding)),
                          make_body(cloud.state, floor, walls - floor, 0.5 * particle * (walls - floor))};
    cloud.setup.bodies[0].velocity = {0.2, 0, 1};
    cloud.setup.bodies[1].angular_velocity = {choice.two_d ? 0.0 : 4.0, 30, 0};
    if (choice.two_d) cloud.setup.bodies[0].turns = cloud.setup.bodies[1].turns = {0, 1, 0};
    if (choice.two_d) cloud.setup.bodies[0].translates = cloud.setup.bodies[1].translates = {1, 0, 1};
    set_groups(cloud,
               {{1, 0, ParticleType::moving, 0, sliding, slides},
                {2, 1, ParticleType::floating, sliding, floor - sliding},
                {3, 2, ParticleType::floating, floor, walls - floor},
                {4, 0, ParticleType::fluid, walls, fluid}},
               0);
    return cloud;
}

/// The same with series: one body has a velocity along x until half of 45 steps and forces, the other is turned after
/// some steps.
inline Cloud driven_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = floating_cloud(choice, count);
    const sph::Constants& c = cloud.setup.constants;
    const double step = c.cfl * c.h / c.c0;
    cloud.setup.body_series = {{0, {0.2, 0, 0}, {0.4 / step, 0, 0}, {}, {1, 0, 0}},
                               {20 * step, {8.2, 0, 0}, {}, {84 * step, 0, 0}, {0, 0, 0}},
                               {0, {}, {}, {}, {0, 0, 0}},
                               {9.5 * step, {0, 20, 0}, {0, 3 / step, 0}, {}, {1, 1, 1}},
                               {0, {1, 0, 2}, {0, 0, 0.1 / step}, {}},
                               {0, {2e-4, 1e-4, 0}, {}, {}}};
    std::vector<Body>& bodies = cloud.setup.bodies;
    bodies[0].imposed_velocity = {0, 2};
    bodies[1].imposed_turning = {2, 2};
    bodies[0].outer_force = bodies[1].outer_force = {4, 1};
    bodies[0].outer_moment = {5, 1};
    return cloud;
}

/// A part for each group of walls and bodies.
inline void set_parts(Cloud& cloud, const ContactMaterial& material) {
    ContactParts& made = cloud.setup.contact_parts;
    for (const ParticleGroup& group : cloud.setup.groups.all()) {
        if (group.is_fluid()) continue;
        ContactPart part{material};
        for (const Body& body : cloud.setup.bodies)
            if (body.first_id == group.begin && group.type == ParticleType::floating) part.mass = body.mass;
        made.of_id.insert(made.of_id.end(), group.count, static_cast<std::uint32_t>(made.parts.size()));
        made.parts.push_back(part);
    }
    cloud.setup.contact = BodyContact::elastic;
}

/// Bodies that are elastic to one another and to the walls.
inline Cloud touching_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = floating_cloud(choice, count);
    set_parts(cloud, {2e5, 0.2, 0.7, 0.3});
    return cloud;
}

/// Periodic along x: the floor is one body, long enough to see itself across the faces.
inline Cloud periodic_floating_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = clouds::make_periodic_cloud(choice, count, "x");
    const std::uint32_t walls = cloud.setup.groups.boundary_count(), fluid = cloud.setup.groups.fluid_count();
    cloud.setup.bodies = {make_body(cloud.state, 0, walls, 2 * cloud.setup.constants.mass_bound * walls)};
    cloud.setup.bodies[0].velocity = {5, 0, 0.5};
    cloud.setup.bodies[0].turns = {0, 0, 0};
    set_groups(cloud, {{1, 0, ParticleType::floating, 0, walls}, {2, 0, ParticleType::fluid, walls, fluid}}, 0);
    return cloud;
}

/// A cloud over a floor that moves as a piston does which absorbs waves, and comes back when it has drifted. With
/// `periodic`, along x, the gauge looks across a periodic side.
inline Cloud absorbing_cloud(const Choice& choice, Vec3i count, bool periodic) {
    Cloud cloud = periodic ? clouds::make_periodic_cloud(choice, count, "x") : clouds::make_cloud(choice, count);
    const sph::Constants& c = cloud.setup.constants;
    const double step = c.cfl * c.h / c.c0;
    const std::uint32_t walls = cloud.setup.groups.boundary_count(), fluid = cloud.setup.groups.fluid_count();
    Vec3d low = cloud.state.position[walls], high = low;
    for (std::uint32_t i = walls; i < walls + fluid; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], cloud.state.position[i][axis]);
            high[axis] = std::max(high[axis], cloud.state.position[i][axis]);
        }
    MotionPiece push;
    push.law = MotionLaw::smooth;
    push.sample_count = 12;
    Motions& motions = cloud.setup.motions;
    for (const double size : {0.02 * c.dp, 0.1 * c.dp})
        for (int k = 0; k < 12; ++k)
            motions.samples.push_back(
                {10 * step * k, {size * std::sin(k), 0, 0}, {0.1 / step * size * std::cos(k), 0, 0}});
    const int piston = add_object(motions, MotionPath::translations, push);
    motions.objects.back().absorber = 0;
    WaveAbsorber absorber;
    absorber.object = piston;
    absorber.gauge_x = 2 * c.dp;
    absorber.front = (periodic ? 0.2 * c.dp : 0.5 * (low.x + high.x)) - absorber.gauge_x;
    absorber.gauge_y = 0.5 * (low.y + high.y);
    absorber.low = 0.5 * (low.z + high.z);
    absorber.height = high.z + 3 * c.dp - absorber.low;
    absorber.spacing = 0.1 * c.dp;
    absorber.limit = 0.4;
    absorber.still = high.z + 0.3 * c.dp;
    absorber.response = 0.02 / step;
    absorber.lag = 0.5 * step;
    absorber.start = 3 * step;
    absorber.end = 1;
    absorber.most_acceleration = 0.002 * c.dp / (step * step);
    absorber.most_drift = 0.02 * c.dp;
    absorber.return_time = 20 * step;
    absorber.return_power = 3;
    absorber.motion_count = absorber.elevation_count = absorber.first_elevation = 12;
    cloud.setup.absorbers = {absorber};
    const std::uint32_t moving = walls / 2;
    set_groups(cloud,
               {{1, 0, ParticleType::moving, 0, moving, piston},
                {2, 1, ParticleType::fixed, moving, walls - moving},
                {3, 0, ParticleType::fluid, walls, fluid}},
               0);
    return cloud;
}
inline Cloud open_absorbing_cloud(const Choice& choice, Vec3i count) { return absorbing_cloud(choice, count, false); }
inline Cloud periodic_absorbing_cloud(const Choice& choice, Vec3i count) {
    return absorbing_cloud(choice, count, true);
}

/// A block of fluid with a body inside, far from everything, without gravity.
inline Cloud body_in_a_blob(const Choice& choice, int diameter) {
    Cloud cloud = clouds::make_blob(choice, diameter);
    ParticleState& s = cloud.state;
    std::vector<std::size_t> order, fluid;
    const double dp = cloud.setup.constants.dp, middle = 0.2 + 0.5 * (diameter - 1) * dp;
    for (std::size_t i = 0; i < s.size(); ++i) {
        const Vec3d r = s.position[i] - Vec3d{middle, middle, middle};
        (dot(r, r) < 4.5 * dp * dp ? order : fluid).push_back(i);
    }
    const auto solid = static_cast<std::uint32_t>(order.size());
    order.insert(order.end(), fluid.begin(), fluid.end());
    const ParticleState old = s;
    for (std::size_t k = 0; k < order.size(); ++k) {
        s.position[k] = old.position[order[k]];
        s.velocity[k] = s.velocity_previous[k] = old.velocity[order[k]];
        s.density[k] = s.density_previous[k] = old.density[order[k]];
    }
    cloud.setup.bodies = {make_body(s, 0, solid, 0.7 * solid * cloud.setup.constants.mass_bound)};
    cloud.setup.bodies[0].velocity = {0.3, -0.2, 0.5};
    cloud.setup.bodies[0].angular_velocity = {10, -20, 5};
    set_groups(cloud,
               {{1, 0, ParticleType::floating, 0, solid},
                {2, 0, ParticleType::fluid, solid, static_cast<std::uint32_t>(fluid.size())}},
               0);
    return cloud;
}

/// A ball joint in which two bodies turn, and a spring and a damper of turning. Place at time 0.
inline void join_bodies(Cloud& cloud, const Vec3d& place, double stiffness, double damping) {
    std::vector<SeriesSample>& samples = cloud.setup.body_series;
    const int first = static_cast<int>(samples.size());
    samples.push_back({0, {stiffness, 0, 0}, {}, {}});
    samples.push_back({0, {damping, 0, 0}, {}, {}});
    JointRequest request;
    request.joint.kind = JointKind::spheric;
    request.joint.end[0] = {0, -1, place};
    request.joint.end[1] = {1, -1, place};
    request.joint.stiffness = {first, 1};
    request.joint.damping = {first + 1, 1};
    cloud.setup.mechanisms = make_mechanisms(cloud.setup.bodies.size(), {request}, {});
    for (Body& body : cloud.setup.bodies) body.mechanism = 0;
    cloud.setup.contact = BodyContact::none;
}

/// The bodies of floating_cloud, joined.
inline Cloud joined_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = floating_cloud(choice, count);
    const std::vector<Body>& bodies = cloud.setup.bodies;
    join_bodies(cloud, 0.5 * (bodies[0].centre + bodies[1].centre), 0.1, 1e-3);
    return cloud;
}

/// A mooring line of ten nodes between two ends, in water without weight, drag and inertia: all its momentum is in what
/// holds it. Its nodes have a mass of 1e-6 of a body's.
inline void add_line(Cloud& cloud, const LineEnd& first, const LineEnd& last, double stiffness) {
    Moorings& all = cloud.setup.moorings;
    MooringLine line;
    line.end[0] = first;
    line.end[1] = last;
    line.length = 0.8 * norm(last.place - first.place);
    line.segments = 9;
    line.stiffness = stiffness;
    line.diameter = 1e-6;
    line.mass = 1e-6 * cloud.setup.bodies[0].mass / line.length;
    line.damping = 0.5 * line.length / line.segments * std::sqrt(stiffness * line.mass);
    line.bed = -1e3;
    line.first_node = all.first_connect();
    all.lines.push_back(line);
    all.water.density = 1e-6;
    all.water.gravity = cloud.setup.constants.gravity;
    all.step = line_step_limit(all).step;
    all.at_start.lines.resize(all.lines.size());
    bool rests = false;
    for (const Vec3d& place : mooring::nodes_at_rest(line, all.water, first.place, last.place, rests))
        all.at_start.nodes.push_back({place, {}});
    for (const LineEnd& end : {first, last})
        if (end.hold == LineHold::body) cloud.setup.bodies[std::size_t(end.index)].moored = true;
}

/// The bodies of floating_cloud, one of them moored, and both by a line between them that breaks on the way.
inline Cloud moored_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = floating_cloud(choice, count);
    const std::vector<Body>& bodies = cloud.setup.bodies;
    const double dp = cloud.setup.constants.dp;
    const LineEnd ends[2] = {{LineHold::body, 0, bodies[0].centre + Vec3d{0, 0, dp}},
                             {LineHold::body, 1, bodies[1].centre}};
    add_line(cloud, {LineHold::anchor, -1, bodies[0].centre - Vec3d{3 * dp, 0, 2 * dp}}, ends[0], 20);
    add_line(cloud, ends[0], ends[1], 10);
    cloud.setup.moorings.lines[1].most_tension = 2.55; // N, from 2.5
    return cloud;
}

/// body_in_a_blob, its body cut into two, which move and turn; a ball joint or a mooring line holds them together.
inline Cloud joined_bodies_in_a_blob(const Choice& choice, int diameter, bool moored = false) {
    Cloud cloud = body_in_a_blob(choice, diameter);
    ParticleState& s = cloud.state;
    const std::uint32_t solid = cloud.setup.bodies[0].particles;
    const double dp = cloud.setup.constants.dp, cut = cloud.setup.bodies[0].centre.x - 0.5 * dp;
    const auto middle = std::partition(s.position.begin(), s.position.begin() + solid,
                                       [&](const Vec3d& p) { return p.x < cut; }); // all rest alike
    const auto left = static_cast<std::uint32_t>(middle - s.position.begin());
    Vec3d joint = cloud.setup.bodies[0].centre;
    joint.x = cut;
    const double particle = cloud.setup.constants.mass_bound;
    cloud.setup.bodies = {make_body(s, 0, left, 0.7 * left * particle),
                          make_body(s, left, solid - left, 1.4 * (solid - left) * particle)};
    const Vec3d turning{10, -20, 5};
    for (Body& body : cloud.setup.bodies) { // about the joint, which goes with the first
        body.angular_velocity = body.first_id == 0 ? turning : Vec3d{};
        body.velocity = Vec3d{0.3, -0.2, 0.5} + cross(body.angular_velocity, body.centre - joint);
    }
    if (moored)
        add_line(cloud, {LineHold::body, 0, cloud.setup.bodies[0].centre},
                 {LineHold::body, 1, cloud.setup.bodies[1].centre}, 30);
    else
        join_bodies(cloud, joint, 0.1, 1e-3);
    cloud.setup.contact = BodyContact::none;
    set_groups(cloud,
               {{1, 0, ParticleType::floating, 0, left},
                {2, 1, ParticleType::floating, left, solid - left},
                {3, 0, ParticleType::fluid, solid, static_cast<std::uint32_t>(s.size()) - solid}},
               0);
    return cloud;
}

/// A cloud whose floor and wall are a body that is held, along which the fluid passes at a quarter of the speed of
/// sound: it changes its neighbours among the body's particles much faster than among itself.
inline Cloud passing_cloud(const Choice& choice, Vec3i count) {
    Cloud cloud = clouds::make_cloud(choice, count);
    const std::uint32_t walls = cloud.setup.groups.boundary_count(), fluid = cloud.setup.groups.fluid_count();
    ParticleState& s = cloud.state;
    for (std::size_t i = walls; i < s.size(); ++i) {
        s.velocity[i] = s.velocity_previous[i] = {0, float(0.25 * cloud.setup.constants.c0), 0};
        s.density[i] = s.density_previous[i] = 1000;
    }
    cloud.setup.bodies = {make_body(s, 0, walls, walls * cloud.setup.constants.mass_bound)};
    cloud.setup.bodies[0].translates = cloud.setup.bodies[0].turns = {0, 0, 0};
    set_groups(cloud, {{1, 0, ParticleType::floating, 0, walls}, {2, 0, ParticleType::fluid, walls, fluid}}, 0);
    return cloud;
}

/// A cloud and what the oracle makes of it in 45 steps, past Verlet's second Euler step.
struct Course {
    std::string name;
    Cloud cloud;
    oracle::State end;
};

/// Moving walls and bodies, both integrators, 2-D and 3-D, with and without periodic sides.
inline const std::vector<Course>& oracle_courses() {
    static const std::vector<Course> all = [] {
        std::vector<Course> courses;
        const Vec3i count{8, 5, 4};
        const auto add = [&](const std::string& what, const Choice& choice, const Cloud& cloud) {
            Course course{what + "_" + choice.name(), cloud, oracle::to_double(cloud.state)};
            for (int n = 0; n < 45; ++n) oracle::step(course.cloud.setup, course.end);
            courses.push_back(course);
        };
        for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
            for (const bool two_d : {false, true}) {
                Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator, two_d};
                add("walls", choice, moving_cloud(choice, count));
                add("periodic_walls", choice, periodic_cloud(choice, count));
                add("absorbing", choice, open_absorbing_cloud(choice, count));
                if (!two_d) add("periodic_absorbing", choice, periodic_absorbing_cloud(choice, count));
                if (two_d) choice.viscosity = sph::ViscosityModel::laminar;
                add("bodies", choice, floating_cloud(choice, count));
                if (!two_d) add("driven_bodies", choice, driven_cloud(choice, count));
                add("touching_bodies", choice, touching_cloud(choice, count));
                add("periodic_bodies", choice, periodic_floating_cloud(choice, count));
            }
        return courses;
    }();
    return all;
}

/// Bodies are where the oracle has them.
inline void expect_same_bodies(const Backend& backend, const oracle::State& end, const RunSetup& setup,
                               const std::string& name) {
    const std::vector<BodyReport> bodies = backend.bodies();
    ASSERT_EQ(bodies.size(), setup.bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const BodyState &got = bodies[b].state, &expected = end.bodies[b];
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(got.centre[axis], expected.centre[axis], 5e-5 * setup.constants.dp) << name;
            EXPECT_NEAR(got.velocity[axis], expected.velocity[axis], 1e-4) << name;
            EXPECT_NEAR(got.angular_velocity[axis], expected.angular_velocity[axis], 2e-2) << name;
            EXPECT_NEAR(got.velocity_previous[axis], expected.velocity_previous[axis], 1e-4) << name;
            EXPECT_NEAR(got.angular_velocity_previous[axis], expected.angular_velocity_previous[axis], 2e-2) << name;
        }
    }
}

/// Steps follow the oracle; `make_backend(cloud)` makes a backend that has taken over the cloud's state.
template <class MakeBackend>
void expect_oracle_steps(const MakeBackend& make_backend) {
    for (const Course& course : oracle_courses()) {
        const auto backend = make_backend(course.cloud);
        take_steps(*backend, 45);
        const RunSetup& setup = course.cloud.setup;
        const StateErrors errors = state_errors(course.end, backend->state(), setup.constants.dp, setup.period);
        EXPECT_LT(errors.position, 5e-5) << course.name;
        EXPECT_LT(errors.velocity, 5e-4) << course.name;
        EXPECT_LT(errors.density, 5e-2) << course.name;
        expect_same_work(course.end, backend->state(), setup, course.name);
        const std::vector<AbsorberState> absorbers = backend->state().absorbers;
        ASSERT_EQ(absorbers.size(), setup.absorbers.size());
        for (std::size_t k = 0; k < absorbers.size(); ++k) {
            const AbsorberState &got = absorbers[k], &expected = course.end.absorbers[k];
            EXPECT_GT(std::abs(got.offset), 0.01 * setup.constants.dp) << course.name;
            EXPECT_GT(got.return_start, 0) << course.name;
            EXPECT_NEAR(got.surface, expected.surface, 1e-3 * setup.constants.dp) << course.name;
            EXPECT_NEAR(got.offset, expected.offset, 1e-4 * setup.constants.dp) << course.name;
        }
        expect_same_bodies(*backend, course.end, setup, course.name);
    }
}

/// The angular momentum about the body's first place that fluid and body have by the velocities of half a step before,
/// and the sum of the sizes of its parts.
inline std::pair<Vec3d, double> lagging_angular_momentum(const Cloud& cloud, const ParticleState& state) {
    const Body& body = cloud.setup.bodies[0];
    const BodyState now = lagging(state.bodies.at(0));
    Vec3d inertia[3];
    body::turned_inertia(body.inertia, now.turning, inertia);
    Vec3d sum =
        body.mass * cross(now.centre - body.centre, now.velocity) + body::product(inertia, now.angular_velocity);
    double scale = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (!cloud.setup.groups.is_fluid(state.id[i])) continue;
        const Vec3d part = cloud.setup.constants.mass_fluid *
                           cross(state.position[i] - body.centre, vec_cast<double>(state.velocity_previous[i]));
        sum = sum + part;
        scale += std::sqrt(dot(part, part));
    }
    return {sum, scale};
}

/// What the fluid does to a body is what the body does to the fluid: together they keep their momentum.
template <class MakeBackend>
void expect_kept_momentum(const MakeBackend& make_backend, const Cloud& cloud) {
    const double particle = cloud.setup.constants.mass_fluid;
    const std::vector<Body>& bodies = cloud.setup.bodies;
    const auto backend = make_backend(cloud);
    double scale = 0;
    const auto momentum = [&] {
        const ParticleState state = backend->state();
        Vec3d sum;
        for (std::size_t b = 0; b < bodies.size(); ++b) sum = sum + bodies[b].mass * state.bodies.at(b).velocity;
        scale = 0;
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (!cloud.setup.groups.is_fluid(state.id[i])) continue;
            const Vec3d p = particle * vec_cast<double>(state.velocity[i]);
            sum = sum + p;
            scale += std::sqrt(dot(p, p));
        }
        return sum;
    };
    const Vec3d before = momentum(), velocity = backend->bodies()[0].state.velocity;
    const Vec3d turning = lagging_angular_momentum(cloud, backend->state()).first;
    take_steps(*backend, 50);
    const Vec3d change = momentum() - before;
    EXPECT_LT(std::sqrt(dot(change, change)), 2e-6 * scale);
    if (cloud.setup.constants.integrator == sph::Integrator::staggered) { // pair forces along lines of centres
        const auto [after, sizes] = lagging_angular_momentum(cloud, backend->state());
        const Vec3d turned = after - turning;
        EXPECT_LT(std::sqrt(dot(turned, turned)), 1e-5 * sizes);
    }
    const Vec3d pushed = backend->bodies()[0].state.velocity - velocity;
    EXPECT_GT(std::sqrt(dot(pushed, pushed)), 1e-2); // the fluid does move the body
}

template <class MakeBackend>
void expect_kept_momentum(const MakeBackend& make_backend) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic, sph::Integrator::staggered})
        expect_kept_momentum(
            make_backend, body_in_a_blob({sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator}, 9));
}

/// Joints, or mooring lines, give the one body what they take from the other. Steps with them: Verlet and symplectic.
template <class MakeBackend>
void expect_kept_momentum_of_joined_bodies(const MakeBackend& make_backend, bool moored) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        expect_kept_momentum(make_backend,
                             joined_bodies_in_a_blob(
                                 {sph::KernelType::wendland, sph::DensityDiffusion::molteni, integrator}, 9, moored));
}

/// Neighbours are found wherever the walls have gone: the rates of the present state are the oracle's.
template <class MakeBackend>
void expect_oracle_rates_on_the_way(const MakeBackend& make_backend) {
    for (const bool periodic : {false, true}) {
        const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas};
        const Vec3i count{12, 8, 6};
        Cloud cloud = periodic ? periodic_cloud(choice, count) : moving_cloud(choice, count);
        const auto backend = make_backend(cloud);
        for (int n = 0; n < 4; ++n) {
            take_steps(*backend, 23);
            cloud.state = backend->state();
            const RateErrors errors = rate_errors(*backend, cloud);
            EXPECT_LT(errors.acceleration, 1e-5) << "after " << cloud.state.step << " steps" << periodic;
            EXPECT_LT(errors.density, 1e-5) << "after " << cloud.state.step << " steps" << periodic;
        }
    }
}

/// A body's neighbours are found however fast they change.
template <class MakeBackend>
void expect_oracle_rates_where_fluid_passes(const MakeBackend& make_backend) {
    Cloud cloud = passing_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas}, {12, 8, 6});
    const auto backend = make_backend(cloud);
    for (int n = 0; n < 12; ++n) {
        take_steps(*backend, 2);
        cloud.state = backend->state();
        const RateErrors errors = rate_errors(*backend, cloud);
        EXPECT_LT(errors.acceleration, 1e-5) << "after " << cloud.state.step << " steps";
        EXPECT_LT(errors.density, 1e-5) << "after " << cloud.state.step << " steps";
    }
}

/// The largest distance of a moving particle from where its motion has it, in particle spacings.
inline double distance_from_motion(const Cloud& cloud, const ParticleState& state) {
    const oracle::State now = oracle::to_double(state);
    oracle::State exact = now;
    oracle::place_rigid(cloud.setup, exact, state.time);
    double largest = 0;
    for (std::size_t i = 0; i < now.id.size(); ++i) {
        const Vec3d d = now.position[i] - exact.position[i];
        largest = std::max(largest, std::sqrt(dot(d, d)));
    }
    return largest / cloud.setup.constants.dp;
}

/// Many steps add up no error.
template <class MakeBackend>
void expect_walls_on_their_way(const MakeBackend& make_backend) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        Cloud cloud =
            moving_cloud({sph::KernelType::wendland, sph::DensityDiffusion::none, integrator, true}, {3, 1, 3});
        cloud.setup.motions.pieces[1].law = MotionLaw::sinusoid; // it must not leave the domain
        cloud.setup.motions.pieces[1].amplitude = {0.5, 0, 0};
        cloud.setup.motions.pieces[1].frequency = {17, 0, 0};
        cloud.setup.constants.dt_fixed = 1e-5;
        cloud.setup.constants.gravity = {};
        cloud.setup.constants.rho_out_max = 1e6;
        const auto backend = make_backend(cloud);
        take_steps(*backend, 100000);
        const ParticleState state = backend->state();
        EXPECT_EQ(state.step, 100000);
        EXPECT_LT(distance_from_motion(cloud, state), 1e-6);
    }
}

/// A wall that leaves the domain ends the run, and the message says which.
template <class MakeBackend>
void expect_leaving_walls_are_noticed(const MakeBackend& make_backend) {
    Cloud cloud = moving_cloud({}, {6, 5, 4});
    cloud.setup.motions.pieces[0] = {};
    cloud.setup.motions.pieces[0].rate = {-3000, 0, 0};
    const auto backend = make_backend(cloud);
    try {
        take_steps(*backend, 50);
        ADD_FAILURE() << "the run went on";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("moving wall of mkbound 1 leaves the domain"), std::string::npos)
            << error.what();
    }
}

} // namespace sluice::moving
