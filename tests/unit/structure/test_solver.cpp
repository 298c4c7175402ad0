// SPDX-License-Identifier: Apache-2.0
#include "unit/structure/lattice.h"

#include <numbers>
#include <random>

using namespace sluice;
using Matrix = solid::Tensor<double>;

namespace {

ElasticMaterial beam_material(double hourglass = 0) {
    return {1000, 1.4e6, 0.4, hourglass, 0, StressState::plane_strain};
}

/// Places as they are at the start, which rest.
auto resting(const StructureParticles& particles) {
    return [&particles](std::uint32_t i) { return particles.start[i]; };
}

std::vector<Vec3d> everywhere(const StructureSolver& solver, Vec3d value) {
    return std::vector<Vec3d>(solver.reference().flexible, value);
}

/// A solver whose particles all lie where `place(X)` says.
StructureSolver placed(const StructureParticles& particles, const solid::LagrangianConstants& c, auto&& place) {
    StructureSolver solver(particles, c);
    StructureState state = solver.state();
    for (Vec3d& x : state.position) x = place(x);
    solver.set_state(state, [&](std::uint32_t i) { return place(particles.start[i]); });
    return solver;
}

} // namespace

// Whatever the corners and clamps: an affine map has one F everywhere.
TEST(StructureSolver, affine_maps_are_exact) {
    const Matrix map{{1.1, 0.2, 0.05}, {-0.1, 0.95, 0.3}, {0.02, -0.2, 1.05}};
    const auto particles = lattice_bar({1000, 1e6, 0.3}, 0.1, {1, 2, 3}, {8, 4, 3}, 1.25);
    const StructureSolver solver = placed(particles, lagrangian(0.1, false), [&](Vec3d x) {
        return map * x + Vec3d{7, -5, 1};
    });
    for (std::uint32_t a = 0; a < solver.reference().size(); ++a) {
        const Matrix error = solver.deformation(a) - map;
        EXPECT_LT(std::sqrt(contracted(error, error)), 1e-12) << a;
    }
}

TEST(StructureSolver, affine_maps_in_the_plane_are_exact) {
    const Matrix map{{1.1, 0, 0.05}, {0, 1, 0}, {0.02, 0, 1.05}};
    const auto particles = lattice_bar(beam_material(), 0.1, {}, {8, 1, 3}, 0.25);
    const StructureSolver solver = placed(particles, lagrangian(0.1, true), [&](Vec3d x) { return map * x; });
    for (std::uint32_t a = 0; a < solver.reference().size(); ++a) {
        const Matrix error = solver.deformation(a) - map;
        EXPECT_LT(std::sqrt(contracted(error, error)), 1e-12) << a;
    }
}

TEST(StructureSolver, turning_costs_nothing) {
    const Matrix turn{{0.6, 0, 0.8}, {0, 1, 0}, {-0.8, 0, 0.6}};
    const auto particles = lattice_bar(beam_material(0.1), 0.1, {}, {8, 1, 3}, 0.25);
    const StructureSolver solver = placed(particles, lagrangian(0.1, true), [&](Vec3d x) { return turn * x; });
    for (const Vec3d& a : solver.own_acceleration()) EXPECT_LT(norm(a), 1e-10 * 1.4e6 / 1000 / 0.1);
    EXPECT_LT(solver.energy().strain, 1e-20 * 1.4e6);
    EXPECT_NEAR(solver.point(0).von_mises, 0, 1e-6);
}

// The force is the slope of the energy, whatever the place of a particle, clamps beside it and how they moved.
TEST(StructureSolver, forces_are_the_slope_of_the_energy) {
    for (const bool two_d : {true, false}) {
        const ElasticMaterial material{1100, 2e6, 0.35, 0.1, 0, two_d ? StressState::plane_strain : StressState::full};
        const auto particles = lattice_bar(material, 0.1, {}, {9, two_d ? 1 : 3, 4}, 0.35);
        StructureSolver solver(particles, lagrangian(0.1, two_d));
        std::mt19937 random(7);
        std::uniform_real_distribution<double> shift(-0.01, 0.01);
        std::vector<Vec3d> places = particles.start;
        for (Vec3d& x : places) x = x + Vec3d{shift(random), two_d ? 0 : shift(random), shift(random)};
        const auto clamps = [&](std::uint32_t i) { return places[i]; };
        StructureState state = solver.state();
        std::copy_n(places.begin(), particles.flexible, state.position.begin());
        const auto energy_with = [&](std::uint32_t a, int axis, double way) {
            StructureState moved = state;
            moved.position[a][axis] += way;
            solver.set_state(moved, clamps);
            return solver.energy().strain + solver.hourglass_energy();
        };
        solver.set_state(state, clamps);
        EXPECT_GT(solver.hourglass_energy(), 0.005 * solver.energy().strain);
        const std::vector<Vec3d> found = solver.own_acceleration();
        double largest = 0;
        for (const Vec3d& a : found) largest = std::max(largest, norm(a));
        constexpr double small = 1e-6;
        for (std::uint32_t a = 0; a < particles.flexible; a += two_d ? 1 : 5)
            for (const int axis : {0, 2}) {
                const double slope = (energy_with(a, axis, small) - energy_with(a, axis, -small)) / (2 * small);
                EXPECT_NEAR(solver.mass(a) * found[a][axis], -slope, 1e-6 * largest * solver.mass(a)) << a;
            }
    }
}

// Fields of second degree: F is exact at surfaces and clamps, and hourglass forces do not see them.
TEST(StructureSolver, bending_is_exact) {
    for (const bool two_d : {true, false}) {
        const ElasticMaterial material{1000, 1e6, 0.3, 0.1, 0, two_d ? StressState::plane_strain : StressState::full};
        const auto particles = lattice_bar(material, 0.1, {}, {12, two_d ? 1 : 3, 3}, 0.25);
        const auto bent = [&](Vec3d x) {
            const double y = two_d ? 0 : x.y;
            return x + Vec3d{0.3 * x.x * x.z - 0.1 * y * x.z, two_d ? 0 : 0.2 * x.x * y,
                             -0.15 * x.x * x.x + 0.05 * x.z * x.z + 0.1 * y * y};
        };
        const StructureSolver solver = placed(particles, lagrangian(0.1, two_d), bent);
        for (std::uint32_t a = 0; a < solver.reference().size(); ++a) {
            const Vec3d x = solver.reference().start[a];
            const double y = two_d ? 0 : x.y;
            Matrix expected{{1 + 0.3 * x.z, -0.1 * x.z, 0.3 * x.x - 0.1 * y},
                            {0.2 * y, 1 + 0.2 * x.x, 0},
                            {-0.3 * x.x, 0.2 * y, 1 + 0.1 * x.z}};
            if (two_d) expected.x.y = 0, expected.y = {0, 1, 0}, expected.z.y = 0;
            const Matrix error = solver.deformation(a) - expected;
            EXPECT_LT(std::sqrt(contracted(error, error)), 1e-12) << a;
        }
        EXPECT_LT(solver.hourglass_energy(), 1e-20 * solver.energy().strain);
    }
}

// A plate of thickness H that is bent a little by the curvature κ: ½ κ² H³/12 E/(1 − ν²) over its length, also of three
// layers.
TEST(StructureSolver, energy_of_bending_is_that_of_plate_theory) {
    constexpr double curvature = 1e-4, spacing = 0.1;
    for (const int layers : {3, 4, 5, 9}) {
        const ElasticMaterial material{1000, 1e6, 0.3, 0, 0, StressState::plane_strain};
        const double thickness = spacing * (layers - 1), shrink = 0.5 * 0.3 / 0.7;
        const auto particles = lattice_bar(material, spacing, {0, 0, -thickness / 2}, {21, 1, layers}, -1);
        const StructureSolver solver = placed(particles, lagrangian(spacing, true), [&](Vec3d x) {
            return x + curvature * Vec3d{x.x * x.z, 0, -0.5 * x.x * x.x - shrink * x.z * x.z};
        });
        const double stiffness = 1e6 / (1 - 0.09) * std::pow(thickness, 3) / 12;
        EXPECT_NEAR(solver.energy().strain / (0.5 * stiffness * curvature * curvature * 2.0), 1, 1e-3) << layers;
    }
}

// The step that is claimed to be stable is: the energy of a shaken bar stays, for thousands of them. Half as long
// again, and it flies apart.
TEST(StructureSolver, longest_step_is_stable_and_not_much_too_short) {
    for (const bool two_d : {true, false}) {
        const ElasticMaterial material{1000, 1e6, 0.4, 0.1, 0, two_d ? StressState::plane_strain : StressState::full};
        const auto particles = lattice_bar(material, 0.1, {}, {6, two_d ? 1 : 3, 4}, 0.15);
        const auto energy_after = [&](double factor) {
            StructureSolver solver(particles, lagrangian(0.1, two_d));
            StructureState state = solver.state();
            std::mt19937 random(3);
            std::uniform_real_distribution<double> shake(-0.01, 0.01); // m/s
            for (Vec3d& v : state.velocity) v = {shake(random), two_d ? 0 : shake(random), shake(random)};
            solver.set_state(state, resting(particles));
            const double before = total(solver.energy()), step = factor * solver.longest_step(1e9);
            solver.advance(3000 * step, 3000, everywhere(solver, {}), resting(particles));
            return (total(solver.energy()) + solver.hourglass_energy()) / before;
        };
        EXPECT_LT(energy_after(1), 3);
        EXPECT_GT(energy_after(1), 0.3);
        EXPECT_FALSE(energy_after(1.5) < 1e6);
    }
}

// Without clamps nothing from outside acts: momentum stays to rounding, and angular momentum, as σ is symmetric.
TEST(StructureSolver, momentum_is_conserved) {
    const auto particles = lattice_bar(beam_material(0.1), 0.1, {}, {9, 1, 4}, -1);
    StructureSolver solver(particles, lagrangian(0.1, true));
    StructureState state = solver.state();
    for (std::size_t i = 0; i < state.position.size(); ++i)
        state.velocity[i] = {std::sin(9 * state.position[i].z), 0, std::cos(5 * state.position[i].x)};
    solver.set_state(state, resting(particles));
    const auto momentum = [&](bool angular) {
        Vec3d sum{};
        for (std::uint32_t i = 0; i < particles.flexible; ++i)
            sum = sum + solver.mass(i) *
                            (angular ? cross(solver.positions()[i], solver.velocities()[i]) : solver.velocities()[i]);
        return sum;
    };
    const Vec3d before = momentum(false), turning = momentum(true);
    const double strain_before = solver.energy().strain;
    solver.advance(0.02, 200, everywhere(solver, {}), resting(particles));
    EXPECT_LT(norm(momentum(false) - before), 1e-12 * norm(before));
    EXPECT_LT(norm(momentum(true) - turning), 1e-12 * norm(turning));
    EXPECT_GT(solver.energy().strain, strain_before + 1); // something happened
}

// The force is the slope of Σ V w: energy stays but for what velocity Verlet swings by, which falls with the square of
// the step.
TEST(StructureSolver, energy_is_conserved) {
    const auto swing = [](int steps_per_limit) {
        const auto particles = lattice_bar(beam_material(), 0.02, {}, {20, 1, 5}, 0.07);
        StructureSolver solver(particles, lagrangian(0.02, true));
        const std::vector<Vec3d> weight = everywhere(solver, {0, 0, -2});
        const double step = solver.longest_step(0.3) / steps_per_limit;
        double least = 1e300, most = -1e300, kinetic = 0;
        for (int k = 0; k < 60; ++k) {
            solver.advance(20 * steps_per_limit * step, 20 * steps_per_limit, weight, resting(particles));
            double height = 0;
            for (std::uint32_t i = 0; i < particles.flexible; ++i)
                height += 2 * solver.mass(i) * solver.positions()[i].z;
            const StructureEnergy energy = solver.energy();
            const double total = energy.kinetic + energy.strain + height;
            least = std::min(least, total);
            most = std::max(most, total);
            kinetic = std::max(kinetic, energy.kinetic);
        }
        return (most - least) / kinetic;
    };
    const double coarse = swing(1), fine = swing(2);
    EXPECT_LT(coarse, 1e-4);
    EXPECT_LT(fine, 0.35 * coarse);
}

// Whatever a structure gains beside the work of the accelerations it is told of, it says where from.
TEST(StructureSolver, works_are_what_its_energy_changes_by) {
    struct Trial {
        double hourglass, damping, way;
    };
    for (const auto& [hourglass, damping, way] :
         {Trial{0, 0, 0.01}, Trial{0.1, 0, 0}, Trial{0, 8, 0}, Trial{0.1, 8, 0.01}}) {
        ElasticMaterial material = beam_material(hourglass);
        material.damping = damping;
        const auto particles = lattice_bar(material, 0.02, {}, {20, 1, 5}, 0.07);
        StructureSolver solver(particles, lagrangian(0.02, true));
        StructureState state = solver.state();
        for (std::size_t i = 0; i < state.position.size(); ++i)
            state.velocity[i] = {std::sin(9 * state.position[i].z), 0, std::cos(5 * state.position[i].x)};
        solver.set_state(state, resting(particles));
        const double step = solver.longest_step(0.1), before = total(solver.energy());
        StructureWork work;
        for (int k = 1; k <= 20; ++k) {
            const Vec3d moved{0, 0, 0.05 * k * way};
            const StructureWork more = solver.advance(25 * step, 25, everywhere(solver, {}),
                                                      [&](std::uint32_t i) { return particles.start[i] + moved; });
            work.clamps += more.clamps;
            work.damping += more.damping;
            work.hourglass += more.hourglass;
        }
        const double gained = total(solver.energy()) - before;
        EXPECT_NEAR(work.clamps + work.damping + work.hourglass, gained, 2e-4 * before);
        EXPECT_EQ(work.hourglass != 0, hourglass > 0);
        EXPECT_EQ(std::abs(work.clamps) > 0.02 * before, way > 0) << work.clamps / before;
        EXPECT_EQ(work.damping<-0.1 * before, damping> 0) << work.damping / before;
    }
}

TEST(StructureSolver, results_do_not_depend_on_threads) {
    const auto particles = lattice_bar(beam_material(0.1), 0.01, {}, {160, 1, 6}, 0.1);
    const auto run = [&](int threads) {
        StructureSolver solver(particles, lagrangian(0.01, true));
        solver.advance(40 * solver.longest_step(0.3), 40, everywhere(solver, {0, 0, -9.81}), resting(particles),
                       threads);
        return solver.state();
    };
    const StructureState one = run(1);
    EXPECT_EQ(one, run(3));
    EXPECT_NE(one.position.back().z, particles.start[particles.flexible - 1].z);
}

// What stopped and went on from its state is what went through.
TEST(StructureSolver, continues_from_its_state_with_the_same_bits) {
    const auto particles = lattice_bar(beam_material(0.1), 0.02, {}, {20, 1, 5}, 0.07);
    StructureSolver through(particles, lagrangian(0.02, true)), second(particles, lagrangian(0.02, true));
    const double step = through.longest_step(0.3);
    const auto weight = everywhere(through, {0, 0, -2});
    for (int k = 0; k < 2; ++k) through.advance(10 * step, 10, weight, resting(particles));
    StructureSolver first(particles, lagrangian(0.02, true));
    first.advance(10 * step, 10, weight, resting(particles));
    second.set_state(first.state(), resting(particles));
    second.advance(10 * step, 10, weight, resting(particles));
    EXPECT_EQ(second.state(), through.state());
}

// A clamp that is carried along evenly carries the bar with it once damping has stilled what the start stirred up.
TEST(StructureSolver, clamps_carry_what_they_hold) {
    ElasticMaterial material = beam_material();
    material.damping = 30;
    const auto particles = lattice_bar(material, 0.02, {}, {12, 1, 4}, 0.07);
    StructureSolver solver(particles, lagrangian(0.02, true));
    const double step = 10 * solver.longest_step(0.3);
    const int moving = static_cast<int>(0.2 / step);
    double moved = 0;
    for (int k = 0; k < 3 * moving; ++k) {
        if (k < moving) moved = 0.1 * (k + 1) / moving;
        solver.advance(step, 10, everywhere(solver, {}), [&](std::uint32_t i) {
            return particles.start[i] + Vec3d{moved, 0, 0};
        });
    }
    for (std::uint32_t a = 0; a < particles.flexible; ++a) EXPECT_NEAR(solver.point(a).displacement.x, 0.1, 1e-4) << a;
}

// Damping alone: a bar that moves as a whole slows down as exp(−c t).
TEST(StructureSolver, damping_slows_exponentially) {
    ElasticMaterial material = beam_material();
    material.damping = 5;
    const auto particles = lattice_bar(material, 0.02, {}, {6, 1, 4}, -1);
    StructureSolver solver(particles, lagrangian(0.02, true));
    StructureState state = solver.state();
    for (Vec3d& v : state.velocity) v = {2, 0, 0};
    solver.set_state(state, resting(particles));
    solver.advance(0.1, 500, everywhere(solver, {}), resting(particles));
    for (const Vec3d& v : solver.velocities()) EXPECT_NEAR(v.x, 2 * std::exp(-0.5), 1e-9);
}

// Hourglass modes: neighbours that swing against one another change F little. Without the correction nothing brings
// them back.
TEST(StructureSolver, hourglass_forces_oppose_what_strain_does_not_see) {
    const auto roughness = [](double factor) {
        const auto particles = lattice_bar(beam_material(factor), 0.02, {}, {17, 1, 17}, -1);
        StructureSolver solver(particles, lagrangian(0.02, true));
        StructureState state = solver.state();
        for (Vec3d& x : state.position) {
            const int parity = static_cast<int>(std::lround((x.x + x.z) / 0.02)) % 2;
            x.z += parity == 0 ? 1e-4 : -1e-4;
        }
        solver.set_state(state, resting(particles));
        const std::uint32_t inside = 8 * 17 + 8; // moved up
        return solver.own_acceleration()[inside].z;
    };
    EXPECT_LT(roughness(0.1), -10);
    EXPECT_NEAR(roughness(0), 0, 1e-6);
}
