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

/// The accelerations of flexible particles at `x` as sums over all pairs of particles, written as the paper has them,
/// with indices.
std::vector<Vec3d> oracle(const StructureParticles& p, const solid::LagrangianConstants& c,
                          const std::vector<Vec3d>& x) {
    const std::size_t n = p.start.size();
    const auto& m = p.material;
    const double alpha = sph::Wendland::normalisation(c.h, c.two_d),
                 pi_e = m.young / ((1 + m.poisson) * (1 - 2 * m.poisson));
    const double c1 = pi_e * (1 - m.poisson), c2 = pi_e * m.poisson, c3 = m.young / 2 / (1 + m.poisson);
    const auto wave = [&](double r) {
        return r < 2 * c.h ? alpha * std::pow(1 - r / 2 / c.h, 4) * (2 * r / c.h + 1) : 0;
    };
    const auto gradient = [&](std::size_t i, std::size_t j) {
        const Vec3d d = p.start[i] - p.start[j];
        const double r = norm(d);
        return i != j && r < 2 * c.h ? -5 * alpha / (c.h * c.h) * std::pow(1 - r / 2 / c.h, 3) * d : Vec3d{};
    };
    std::vector<Matrix> f(n), pk(n);
    for (std::size_t i = 0; i < n; ++i) {
        double moment[3][3]{}, sum[3][3]{}, k[3][3], deformation[3][3]{}, strain[3][3]{}, stress[3][3]{}, p1[3][3]{},
            t[3][3]{};
        for (std::size_t j = 0; j < n; ++j)
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) {
                    moment[a][b] -= c.volume * (p.start[i] - p.start[j])[a] * gradient(i, j)[b];
                    sum[a][b] -= c.volume * (x[i] - x[j])[a] * gradient(i, j)[b];
                }
        if (c.two_d) moment[1][1] = 1;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) { // by cofactors
                const int u = (a + 1) % 3, v = (a + 2) % 3, s = (b + 1) % 3, w = (b + 2) % 3;
                k[b][a] = moment[u][s] * moment[v][w] - moment[u][w] * moment[v][s];
            }
        const double det = moment[0][0] * k[0][0] + moment[0][1] * k[1][0] + moment[0][2] * k[2][0];
        for (auto& row : k)
            for (double& value : row) value /= det;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                for (int g = 0; g < 3; ++g) deformation[a][b] += sum[a][g] * k[g][b];
        if (c.two_d) deformation[1][1] = 1;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                for (int g = 0; g < 3; ++g) strain[a][b] += 0.5 * deformation[g][a] * deformation[g][b];
                strain[a][b] -= a == b ? 0.5 : 0;
            }
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                stress[a][b] = a != b ? 2 * c3 * strain[a][b]
                                      : c1 * strain[a][a] +
                                            c2 * (strain[(a + 1) % 3][(a + 1) % 3] + strain[(a + 2) % 3][(a + 2) % 3]);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                for (int g = 0; g < 3; ++g) p1[a][b] += deformation[a][g] * stress[g][b];
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                for (int g = 0; g < 3; ++g) t[a][b] += p1[a][g] * k[g][b];
        const auto tensor = [](const double(&v)[3][3]) {
            return Matrix{{v[0][0], v[0][1], v[0][2]}, {v[1][0], v[1][1], v[1][2]}, {v[2][0], v[2][1], v[2][2]}};
        };
        f[i] = tensor(deformation);
        pk[i] = tensor(t);
    }
    std::vector<Vec3d> result;
    const double mass = m.density * c.volume;
    for (std::size_t i = 0; i < p.flexible; ++i) {
        Vec3d a{};
        for (std::size_t j = 0; j < n; ++j) {
            const Vec3d big = p.start[i] - p.start[j], small = x[i] - x[j];
            if (i == j || norm(big) > 1.9999 * c.h) continue;
            a = a + c.volume / m.density * (pk[i] * gradient(i, j) + pk[j] * gradient(i, j));
            const double r = norm(small), r0 = norm(big);
            const double of_i = dot(small - f[i] * big, small) / r, of_j = dot(small - f[j] * big, small) / r;
            a = a - m.hourglass * c.volume * c.volume * wave(r) * m.young / (r0 * r0 * r * mass) * 0.5 * (of_i + of_j) *
                        small;
        }
        result.push_back(a);
    }
    return result;
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
    for (std::uint32_t a = 0; a < solver.reference().stressed; ++a) {
        const Matrix error = solver.deformation(a) - map;
        EXPECT_LT(std::sqrt(contracted(error, error)), 1e-12) << a;
    }
}

TEST(StructureSolver, affine_maps_in_the_plane_are_exact) {
    const Matrix map{{1.1, 0, 0.05}, {0, 1, 0}, {0.02, 0, 1.05}};
    const auto particles = lattice_bar(beam_material(), 0.1, {}, {8, 1, 3}, 0.25);
    const StructureSolver solver = placed(particles, lagrangian(0.1, true), [&](Vec3d x) { return map * x; });
    for (std::uint32_t a = 0; a < solver.reference().stressed; ++a) {
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

TEST(StructureSolver, accelerations_are_those_of_the_oracle) {
    for (const bool two_d : {true, false}) {
        const ElasticMaterial material{1100, 2e6, 0.35, 0.1, 0, two_d ? StressState::plane_strain : StressState::full};
        const auto particles = lattice_bar(material, 0.1, {}, {9, two_d ? 1 : 3, 4}, 0.35);
        const auto c = lagrangian(0.1, two_d);
        StructureSolver solver(particles, c);
        std::mt19937 random(7);
        std::uniform_real_distribution<double> shift(-0.01, 0.01);
        std::vector<Vec3d> places = particles.start;
        for (Vec3d& x : places) x = x + Vec3d{shift(random), two_d ? 0 : shift(random), shift(random)};
        StructureState state = solver.state();
        std::copy_n(places.begin(), particles.flexible, state.position.begin());
        solver.set_state(state, [&](std::uint32_t i) { return places[i]; });
        const std::vector<Vec3d> expected = oracle(particles, c, places), found = solver.own_acceleration();
        double largest = 0;
        for (const Vec3d& a : expected) largest = std::max(largest, norm(a));
        for (std::size_t a = 0; a < found.size(); ++a) EXPECT_LT(norm(found[a] - expected[a]), 1e-11 * largest) << a;
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
    const auto momentum = [&] {
        Vec3d sum{};
        for (const Vec3d& v : solver.velocities()) sum = sum + v;
        return sum;
    };
    const Vec3d before = momentum();
    const double strain_before = solver.energy().strain;
    solver.advance(0.02, 200, everywhere(solver, {}), resting(particles));
    EXPECT_LT(norm(momentum() - before), 1e-12 * norm(before));
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
            for (const Vec3d& x : solver.positions()) height += 2 * solver.particle_mass() * x.z;
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
