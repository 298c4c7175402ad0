// SPDX-License-Identifier: Apache-2.0
#include "unit/geometry/geometry_case.h"

#include "core/error.h"
#include "cpu/backend/cpu_backend.h"
#include "model/fields.h"
#include "setup/flexible.h"
#include "setup/setup.h"
#include "structure/flexible_bodies.h"
#include "structure/structures_in_frames.h"
#include <cmath>

// Flexible structures of special/flexstrucs, from the case to a run on processors.

using namespace sluice;
using namespace sluice::test;

namespace {

constexpr double dp = 0.02;

/// A plate of mkbound 2, `layers` thick, upright on a block of mkbound 1, and fluid to its left.
struct Plate {
    int layers = 4;
    double bottom = -0.1; ///< of the block, m
    std::string clamp = R"(mkclamp="1")";
    std::string gravity = "-9.81";
    std::string initials;                        ///< velocity of the fluid
    std::string motion = R"(<mvnull id="1"/>)";  ///< of the clamp
    std::string algorithm = "2";                 ///< StepAlgorithm
    std::string young = "1e6", density = "1100"; ///< of the plate, Pa and kg/m³
    std::string viscosity = "0.01";              ///< Visco
    double fluid_width = 0.2401;                 ///< from x = 0.22 m
    bool fluid = true;
    std::string floating;   ///< attributes of the clamp as a floating body
    bool neighbour = false; ///< a free block, mkbound 3, that touches the plate
    bool ghosts = false;    ///< Boundary 2, with normals of block and plate
    Case definition;
    ParticleSet set;
    RunSetup setup;
    ParticleState initial;

    std::string text() const {
        const auto box = [](double x, double z, double width, double height) {
            return "<drawbox><boxfill>solid</boxfill><point x=\"" + std::to_string(x) + "\" y=\"-1\" z=\"" +
                   std::to_string(z) + "\"/><size x=\"" + std::to_string(width) + "\" y=\"2\" z=\"" +
                   std::to_string(height) + "\"/></drawbox>";
        };
        CaseText t;
        t.constants = "<gravity x=\"0\" y=\"0\" z=\"" + gravity +
                      R"("/><coefh value="1"/><speedsound value="30" auto="false"/><hswl value="0.4"/>)";
        t.definition =
            R"(<definition dp="0.02"><pointmin x="-1" y="0" z="-1"/><pointmax x="2" y="0" z="2"/></definition>)";
        t.commands = R"(<setmkbound mk="1"/>)" + box(0.4, bottom, 0.3, 0.0801) + R"(<setmkbound mk="2"/>)" +
                     box(0.5, 0, (layers - 1) * dp + 1e-4, 0.3001);
        if (neighbour) t.commands += R"(<setmkbound mk="3"/>)" + box(0.5 + layers * dp, 0.1, 0.0801, 0.0801);
        if (fluid) t.commands += R"(<setmkfluid mk="0"/>)" + box(0.22, 0.06, fluid_width, 0.2001);
        const std::string body_words = R"(><density value=")" + density + R"("/><youngmod value=")" + young +
                                       R"("/><poissratio value="0.4"/><hgfactor value="0.1"/></flexstrucbody>)";
        const std::string third = R"(<objreal ref="3"><begin mov="1" start="0"/><mvnull id="1"/></objreal>)";
        if (!floating.empty()) t.casedef = "<floatings><floating mkbound=\"1\" " + floating + "/></floatings>";
        t.casedef += initials + "<motion>" + (neighbour ? third : "") +
                     R"(<objreal ref="2"><begin mov="1" start="0"/><mvnull id="1"/></objreal>
)" + (floating.empty() ? R"(<objreal ref="1"><begin mov="1" start="0"/>)" + motion + "</objreal>" : "") +
                     "</motion>";
        const auto upward = [](const std::string& mk) {
            return "<norplane mkbound=\"" + mk +
                   R"("><point x="0" y="0" z="0.31"/><normal x="0" y="0" z="1"/><maxdisth v="0"/></norplane>)";
        };
        if (ghosts) t.casedef += "<normals>" + upward("1") + upward("2") + "</normals>";
        t.special = "<flexstrucs>\n<flexstrucbody mkbound=\"2\" " + clamp + body_words +
                    (neighbour ? R"(<flexstrucbody mkbound="3")" + body_words : "") + "</flexstrucs>";
        t.parameters = (ghosts ? R"(<parameter key="Boundary" value="2"/>)" : "") +
                       ("<parameter key=\"StepAlgorithm\" value=\"" + algorithm) +
                       R"("/><parameter key="Visco" value=")" + viscosity + R"("/><parameter key="TimeMax" value="0.1"/>
<simulationdomain><posmin x="-0.5" y="default" z="-0.5"/><posmax x="1.5" y="default" z="1"/></simulationdomain>)";
        return t.text();
    }
    Plate& make() {
        definition = read_case_text(text(), "case.xml", {});
        set = generate_particles(definition, definition.diagnostics);
        setup = make_run_setup(definition, set);
        initial = make_initial_state(definition, set, setup);
        return *this;
    }
    std::unique_ptr<Backend> backend(CpuOptions options = {}) const {
        std::unique_ptr<Backend> made = make_cpu_backend(setup, static_cast<std::uint32_t>(initial.size()), options);
        made->set_state(initial);
        return made;
    }
    const FlexibleBody& body() const { return setup.flexible.all.at(0); }
};

std::string error_of(Plate plate) {
    try {
        plate.make();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

void step(Backend& backend, int steps) { backend.advance({1e9, steps, 1e9}); }

/// Of the particles of the plate, by their places in it, kg/m: those at its surfaces have half of what others have.
std::vector<double> masses(const Plate& plate) {
    std::vector<double> result =
        reference_state(plate.setup.flexible.structure_of(plate.body()), lagrangian_constants(plate.setup.constants))
            .share;
    for (double& mass : result) mass *= plate.body().material.density;
    return result;
}

/// Momentum of fluid and structure, kg/s in 2-D.
Vec3d momentum(const Plate& plate, const ParticleState& state) {
    const std::vector<double> of_particles = masses(plate);
    Vec3d sum;
    for (std::size_t i = 0; i < state.size(); ++i) {
        const bool of_plate =
            state.id[i] >= plate.body().first_id && state.id[i] < plate.body().first_id + plate.body().particles;
        if (!of_plate && !plate.setup.groups.is_fluid(state.id[i])) continue;
        const double mass =
            of_plate ? of_particles[state.id[i] - plate.body().first_id] : plate.setup.constants.mass_fluid;
        sum = sum + mass * vec_cast<double>(state.velocity[i]);
    }
    return sum;
}

double furthest_right(const Plate& plate, const ParticleState& state) {
    double x = -1e9;
    for (std::size_t i = 0; i < state.size(); ++i)
        if (state.id[i] >= plate.body().first_id && state.id[i] < plate.body().first_id + plate.body().particles)
            x = std::max(x, state.position[i].x);
    return x;
}

constexpr const char* flowing = R"(<initials><velocity mkfluid="0" x="2" y="0" z="0.5"/></initials>)";

} // namespace

TEST(FlexibleBodies, TheirParticlesAndThoseOfClamps) {
    const Plate plate = Plate{}.make();
    ASSERT_EQ(plate.setup.flexible.all.size(), 1u);
    const FlexibleBody& body = plate.body();
    EXPECT_EQ(body.mk_bound, 2);
    EXPECT_EQ(body.particles, 4 * 16u);
    EXPECT_EQ(body.clamps, 16 * 5u);
    const StructureParticles structure = plate.setup.flexible.structure_of(body);
    ASSERT_EQ(structure.start.size(), 4 * 16u + 16 * 5u);
    for (std::uint32_t i = 0; i < structure.start.size(); ++i)
        EXPECT_LT(norm(structure.start[i] - plate.initial.position[plate.setup.flexible.id_of(body, i)]), 1e-12);
}

TEST(FlexibleBodies, ASingleLayerIsRefusedWithItsNumber) {
    Plate thin;
    thin.layers = 1;
    const std::string error = error_of(thin);
    EXPECT_NE(error.find("the flexible body of mkbound 2 is 1 layer of particles thick"), std::string::npos) << error;
    EXPECT_NE(error.find("draw 3 layers at least"), std::string::npos) << error;
    EXPECT_NE(error.find("case.xml:"), std::string::npos) << error;
}

// Two spacings below the plate, the block holds nothing.
TEST(FlexibleBodies, AClampThatDoesNotTouchIsRefused) {
    Plate plate;
    plate.bottom = -0.12;
    EXPECT_NE(error_of(plate).find("no clamp touches the flexible body of mkbound 2: draw them one spacing from its "
                                   "particles (0.02 m), or leave out mkclamp"),
              std::string::npos)
        << error_of(plate);
}

TEST(FlexibleBodies, WhatHasNoParticlesIsRefused) {
    Plate plate;
    plate.clamp = R"(mkclamp="9")";
    EXPECT_NE(error_of(plate).find("mkclamp 9 has no particles: draw it, or take it out"), std::string::npos);
}

// Waves of 1e6·0.6/(1100·1.4·0.2): 44.14 m/s. A step of 0.2 h/30 m/s takes 44.14/30 sub-steps: 2.
TEST(FlexibleBodies, CheckTellsLayersWavesAndSubSteps) {
    Plate two;
    two.layers = 2;
    two.make();
    std::vector<Diagnostic> told;
    lint_flexible_bodies(two.definition, two.setup, told);
    ASSERT_EQ(told.size(), 2u);
    EXPECT_NE(told[0].message.find("32 particles, 2 layers across (condition "), std::string::npos) << told[0].message;
    EXPECT_NE(told[0].message.find("), waves of 44.14 m/s, 2 sub-steps"), std::string::npos) << told[0].message;
    EXPECT_EQ(told[1].level, Diagnostic::Level::warning);
    EXPECT_NE(told[1].message.find("2 layers of particles thick"), std::string::npos);
    Plate verlet;
    verlet.algorithm = "1";
    verlet.make();
    told.clear();
    lint_flexible_bodies(verlet.definition, verlet.setup, told);
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[1].level, Diagnostic::Level::warning);
    EXPECT_NE(told[1].message.find("set StepAlgorithm to 2"), std::string::npos) << told[1].message;
}

// With walls from ghost nodes the plate stays dynamic, whatever normals the case gives it; the block does not.
TEST(FlexibleBodies, StayDynamicBesideWallsFromGhostNodes) {
    Plate plate;
    plate.ghosts = true;
    plate.make();
    std::uint32_t extrapolated = 0;
    for (std::uint32_t id = 0; id < plate.setup.groups.boundary_count(); ++id) {
        const bool of_plate = id >= plate.body().first_id && id < plate.body().first_id + plate.body().particles;
        EXPECT_EQ(plate.setup.is_extrapolated(id), !of_plate) << id;
        extrapolated += plate.setup.is_extrapolated(id);
    }
    EXPECT_EQ(extrapolated, plate.body().clamps);
    step(*plate.backend(), 20);
}

// Without fluid the backend does what the solver does alone.
TEST(FlexibleBodies, WithoutFluidTheRunIsThatOfTheStructure) {
    Plate plate;
    plate.fluid = false;
    plate.make();
    const auto backend = plate.backend();
    const FlexibleBody& body = plate.body();
    const StructureParticles structure = plate.setup.flexible.structure_of(body);
    StructureSolver alone(structure, lagrangian_constants(plate.setup.constants));
    const std::vector<Vec3d> weight(body.particles, plate.setup.constants.gravity);
    for (int n = 0; n < 20; ++n) {
        const double dt = backend->advance({1e9, 1, 1e9}).dt;
        alone.advance(dt, structure_sub_steps(dt, alone.longest_step(plate.setup.constants.cfl)), weight,
                      [&](std::uint32_t i) { return structure.start[i]; });
        alone.round_velocities();
    }
    const ParticleState state = backend->state();
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (state.id[i] < body.first_id || state.id[i] >= body.first_id + body.particles) continue;
        EXPECT_EQ(state.position[i], alone.positions()[state.id[i] - body.first_id]) << state.id[i];
    }
    EXPECT_LT(alone.positions()[body.particles - 1].z, structure.start[body.particles - 1].z - 1e-6); // it sinks
}

// Fluid that hits a plate which nothing holds: what it loses the plate gains, in every mode.
TEST(FlexibleBodies, MomentumGoesFromTheFluidIntoThePlate) {
    for (const char* algorithm : {"1", "2"})
        for (const CpuMode mode : {CpuMode::symmetric, CpuMode::asymmetric, CpuMode::slices}) {
            Plate plate;
            plate.clamp = "";
            plate.bottom = -0.44; // out of reach
            plate.gravity = "0";
            plate.initials = flowing;
            plate.algorithm = algorithm;
            plate.make();
            CpuOptions options;
            options.mode = mode;
            const auto backend = plate.backend(options);
            const Vec3d before = momentum(plate, plate.initial);
            const double edge = furthest_right(plate, plate.initial);
            step(*backend, 200);
            const ParticleState state = backend->state();
            EXPECT_GT(furthest_right(plate, state), edge + 1e-3) << algorithm;
            const double allowed = algorithm[0] == '2' ? 1e-5 : 1e-2; // Verlet keeps it over pairs of steps
            EXPECT_LT(norm(momentum(plate, state) - before), allowed * norm(before)) << algorithm;
        }
}

// A light and stiff plate beside fluid, whose modes swing up to several times in a step of the fluid: friction takes
// their energy. With the velocities of an instant it gives as much as it takes, and nine tenths are left.
TEST(FlexibleBodies, FluidStillsFastModes) {
    Plate plate;
    plate.gravity = "0";
    plate.young = "3e7";
    plate.density = "300";
    plate.viscosity = "0.05";
    plate.fluid_width = 0.2601; // one spacing from the plate
    plate.make();
    for (std::uint32_t i = 0; i < plate.body().particles; ++i)
        plate.initial.velocity[plate.body().first_id + i] = {std::sin(11.0f * float(i * i)), 0,
                                                             std::cos(7.0f * float(i * i))};
    const auto backend = plate.backend();
    StructuresInFrames structures(plate.setup);
    const auto energy = [&] {
        structures.take(backend->snapshot(state_fields)->get());
        return total(structures.energy());
    };
    const double before = energy();
    step(*backend, 800);
    EXPECT_LT(energy(), 0.75 * before);
}

TEST(FlexibleBodies, BitsDoNotDependOnThreadsNorOnStopping) {
    Plate plate;
    plate.initials = flowing;
    plate.make();
    CpuOptions one, three;
    one.mode = three.mode = CpuMode::asymmetric;
    one.threads = 1;
    three.threads = 3;
    const auto through = plate.backend(one), other = plate.backend(three), first = plate.backend(one);
    step(*through, 60);
    step(*other, 60);
    EXPECT_EQ(through->state(), other->state());
    step(*first, 25);
    const auto second = plate.backend(three);
    second->set_state(first->state());
    step(*second, 35);
    EXPECT_EQ(through->state(), second->state());
    EXPECT_GT(furthest_right(plate, through->state()), furthest_right(plate, plate.initial) + 1e-5);
}

// Each rank moves the whole plate by the loads of all of them.
TEST(FlexibleBodies, BitsDoNotDependOnRanks) {
    Plate plate;
    plate.initials = flowing;
    plate.make();
    CpuOptions one, three;
    one.mode = three.mode = CpuMode::asymmetric;
    one.threads = three.threads = 1;
    three.ranks = 3;
    const auto alone = plate.backend(one), many = plate.backend(three), first = plate.backend(one);
    step(*alone, 60);
    step(*many, 60);
    EXPECT_EQ(alone->state(), many->state());
    step(*first, 25);
    many->set_state(first->state());
    step(*many, 35);
    EXPECT_EQ(alone->state(), many->state());
}

// A frame is enough to know how bodies are bent: their energy is that of the solver, and what is rigid shows nothing.
TEST(FlexibleBodies, FramesShowHowTheyAreBent) {
    Plate plate;
    plate.initials = flowing;
    plate.make();
    const auto backend = plate.backend();
    step(*backend, 100);
    const Frame frame = backend->snapshot(state_fields)->get();
    StructuresInFrames structures(plate.setup);
    structures.take(frame);
    const FlexibleBody& body = plate.body();
    const StructureParticles particles = plate.setup.flexible.structure_of(body);
    StructureSolver solver(particles, lagrangian_constants(plate.setup.constants));
    StructureState state;
    double potential = 0, mass = 0;
    for (std::uint32_t i = 0; i < body.particles; ++i) mass += masses(plate)[i];
    EXPECT_NEAR(mass, 1100 * 0.06 * 0.31, 1e-9); // half a spacing of the last belongs to the clamp's particles
    for (std::uint32_t i = 0; i < body.particles; ++i) {
        const std::size_t row = body.first_id + i; // nothing has left
        state.position.push_back(frame.position[row] - plate.setup.domain.min);
        state.velocity.push_back(vec_cast<double>(frame.velocity[row]));
        potential += 9.81 * masses(plate)[i] * frame.position[row].z;
    }
    solver.set_state(state, [&](std::uint32_t i) { return particles.start[i]; });
    EXPECT_GT(solver.energy().strain, 0.01);
    EXPECT_NEAR(structures.energy().strain, solver.energy().strain, 1e-9 * solver.energy().strain);
    EXPECT_NEAR(structures.energy().kinetic, solver.energy().kinetic, 1e-12);
    EXPECT_NEAR(structures.energy().potential, potential, 1e-9 * potential);
    const std::vector<Vec3f> moved = structures.vectors(Field::displacement);
    const std::vector<float> von_mises = structures.numbers(Field::von_mises);
    ASSERT_EQ(moved.size(), plate.setup.groups.boundary_count());
    for (std::uint32_t id = 0; id < moved.size(); ++id) {
        const bool bends = id >= body.first_id && id < body.first_id + body.particles;
        EXPECT_EQ(von_mises[id] > 0, bends) << id;
        const Vec3f way =
            bends ? vec_cast<float>(frame.position[id] - plate.setup.domain.min - particles.start[id - body.first_id])
                  : Vec3f{};
        EXPECT_LT(norm(moved[id] - way), 1e-9f) << id;
    }
}

// Particles of two bodies are never one another's neighbours, however near they are drawn: the block slides down, and
// hardly bends the plate.
TEST(FlexibleBodies, BodiesThatTouchDoNotStick) {
    Plate alone, beside;
    alone.fluid = beside.fluid = false;
    beside.neighbour = true;
    alone.make();
    beside.make();
    ASSERT_EQ(beside.setup.flexible.all.size(), 2u);
    const auto one = alone.backend(), two = beside.backend();
    step(*one, 50);
    step(*two, 50);
    const ParticleState bent = one->state(), both = two->state();
    const FlexibleBody& block = beside.setup.flexible.all[1];
    std::size_t compared = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
        const Vec3d& x = both.position[i];
        if (both.id[i] >= block.first_id) { // it falls
            EXPECT_LT(x.z, beside.initial.position[both.id[i]].z - 1e-6);
        }
        for (std::size_t k = 0; k < bent.size(); ++k)
            if (bent.id[k] == both.id[i]) {
                EXPECT_LT(norm(bent.position[k] - x), 1e-5) << bent.id[k];
                ++compared;
            }
    }
    EXPECT_EQ(compared, bent.size());
}

// A free block that flies against a free plate bounces off: momentum stays, energy too, and nothing goes through.
TEST(FlexibleBodies, BodiesThatCollideBounce) {
    Plate plate;
    plate.clamp = "";
    plate.bottom = -0.44; // out of reach
    plate.gravity = "0";
    plate.fluid = false;
    plate.neighbour = true;
    plate.make();
    const FlexibleBody& block = plate.setup.flexible.all.at(1);
    for (std::uint32_t i = 0; i < block.particles; ++i) plate.initial.velocity[block.first_id + i] = {-2, 0, 0};
    CpuOptions one, three;
    one.mode = three.mode = CpuMode::asymmetric;
    three.ranks = 3;
    const auto backend = plate.backend(one), ranks = plate.backend(three);
    StructuresInFrames structures(plate.setup);
    std::vector<StructureSolver> solvers;
    for (const FlexibleBody& body : plate.setup.flexible.all)
        solvers.emplace_back(plate.setup.flexible.structure_of(body), lagrangian_constants(plate.setup.constants));
    const auto look = [&](Vec3d& momentum, double& energy) { // and returns how near they are
        const Frame frame = backend->snapshot(state_fields)->get();
        structures.take(frame);
        energy = total(structures.energy());
        momentum = {};
        double nearest = 1e9;
        for (std::size_t b = 0; b < solvers.size(); ++b)
            for (std::uint32_t i = 0; i < plate.setup.flexible.all[b].particles; ++i) {
                const std::uint32_t id = plate.setup.flexible.all[b].first_id + i;
                momentum = momentum + solvers[b].mass(i) * vec_cast<double>(frame.velocity[id]);
                for (std::uint32_t k = 0; b == 0 && k < block.particles; ++k)
                    nearest = std::min(nearest, norm(frame.position[id] - frame.position[block.first_id + k]));
            }
        return nearest;
    };
    Vec3d momentum, momentum_before;
    double energy = 0, energy_before = 0, nearest = 1e9;
    look(momentum_before, energy_before);
    EXPECT_NEAR(momentum_before.x, -2 * 1100 * 0.08 * 0.08, 1e-4);
    for (int k = 0; k < 30; ++k) {
        step(*backend, 5);
        nearest = std::min(nearest, look(momentum, energy));
        EXPECT_LT(norm(momentum - momentum_before), 1e-5 * norm(momentum_before)) << k;
        EXPECT_NEAR(energy / energy_before, 1, 0.02) << k; // with what the springs between them hold
    }
    EXPECT_LT(nearest, 0.9 * dp); // they did touch
    EXPECT_GT(nearest, 0.3 * dp);
    EXPECT_GT(look(momentum, energy), dp); // and have parted
    EXPECT_NEAR(energy / energy_before, 1, 0.02);
    step(*ranks, 150);
    EXPECT_EQ(ranks->state(), backend->state());
}

// A plate that swings on a block that floats, and nothing else: what one gains the other loses.
TEST(FlexibleBodies, FloatingClampsBearThem) {
    Plate plate;
    plate.gravity = "0";
    plate.fluid = false;
    plate.floating = R"(relativeweight="1.5")";
    plate.make();
    ASSERT_EQ(plate.setup.bodies.size(), 1u);
    const Body& block = plate.setup.bodies[0];
    const FlexibleBody& body = plate.body();
    for (std::uint32_t i = 0; i < body.particles; ++i)
        plate.initial.velocity[body.first_id + i] = {
            2 * static_cast<float>(plate.setup.flexible.start[body.first_start + i].z), 0, 0.1f};
    const std::vector<double> of_particles = masses(plate);
    struct Sums {
        Vec3d momentum, turning;
        double energy = 0;
    };
    StructuresInFrames structures(plate.setup);
    const auto sums_of = [&](Backend& backend) {
        const Frame frame = backend.snapshot(state_fields)->get();
        structures.take(frame);
        const BodyState now = backend.state().bodies.at(0);
        Sums sums{block.mass * now.velocity, block.mass * cross(now.centre, now.velocity), total(structures.energy())};
        sums.turning.y += block.inertia[1].y * now.angular_velocity.y;
        sums.energy += 0.5 * block.mass * dot(now.velocity, now.velocity) +
                       0.5 * block.inertia[1].y * now.angular_velocity.y * now.angular_velocity.y;
        for (std::uint32_t i = 0; i < body.particles; ++i) {
            const std::uint32_t id = body.first_id + i;
            const Vec3d momentum = of_particles[i] * vec_cast<double>(frame.velocity[id]);
            sums.momentum = sums.momentum + momentum;
            sums.turning = sums.turning + cross(frame.position[id] - plate.setup.domain.min, momentum);
        }
        return sums;
    };
    const auto backend = plate.backend(), first = plate.backend(), second = plate.backend();
    const Sums before = sums_of(*backend);
    step(*backend, 150);
    const Sums after = sums_of(*backend);
    const BodyState moved = backend->state().bodies.at(0);
    EXPECT_GT(norm(moved.velocity), 0.02);
    EXPECT_GT(std::abs(moved.angular_velocity.y), 0.1);
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-6 * norm(before.momentum));
    EXPECT_LT(norm(after.turning - before.turning), 1e-3 * norm(before.turning));
    EXPECT_NEAR(after.energy / before.energy, 1, 0.02);
    step(*first, 70); // and it goes on with the same bits
    second->set_state(first->state());
    step(*second, 80);
    EXPECT_EQ(second->state(), backend->state());
}

// A wall bears what stands on it and is not clamped to it.
TEST(FlexibleBodies, WallsBearThem) {
    Plate plate;
    plate.clamp = "";
    plate.fluid = false;
    plate.make();
    const auto backend = plate.backend();
    backend->advance({0.1, 1000000, 1e9}); // falling freely it would be 0.05 m lower
    const ParticleState state = backend->state();
    for (std::size_t i = 0; i < state.size(); ++i)
        if (state.id[i] >= plate.body().first_id) {
            EXPECT_GT(state.position[i].z, plate.initial.position[state.id[i]].z - 0.5 * dp) << state.id[i];
        }
}

// A clamp that is moved takes the plate along.
TEST(FlexibleBodies, ClampsMoveThem) {
    Plate plate;
    plate.fluid = false;
    plate.gravity = "0";
    plate.motion = R"(<mvrect id="1" duration="1"><vel x="0.5" y="0" z="0"/></mvrect>)";
    plate.make();
    const auto backend = plate.backend();
    const AdvanceReport report = backend->advance({0.08, 1000000, 1e9});
    const ParticleState state = backend->state();
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (state.id[i] != plate.body().first_id) continue; // beside the clamp
        EXPECT_NEAR(state.position[i].x - plate.initial.position[state.id[i]].x, 0.5 * report.time, 0.005);
    }
}
