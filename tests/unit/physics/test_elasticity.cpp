// SPDX-License-Identifier: Apache-2.0
#include "physics/solid/contact.h"
#include "physics/solid/elasticity.h"
#include "physics/solid/quadratic_fit.h"
#include "physics/solid/total_lagrangian.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::solid;
using Matrix = Tensor<double>;

namespace {

ElasticMaterial soft(StressState state) { return {1200, 1000, 0.25, 0, 0, state}; }

void expect_near(const Matrix& a, const Matrix& b, double tolerance) {
    for (const auto& [row_a, row_b] : {std::pair{a.x, b.x}, {a.y, b.y}, {a.z, b.z}})
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(row_a[k], row_b[k], tolerance);
}

/// A turn about the y axis by an angle whose cosine is 0.6, then one about z by the same.
Matrix turn() {
    const Matrix about_y{{0.6, 0, 0.8}, {0, 1, 0}, {-0.8, 0, 0.6}}, about_z{{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}};
    return about_z * about_y;
}

} // namespace

TEST(Tensor, product_inverse_and_determinant) {
    const Matrix a{{2, 1, 0}, {0, 3, 1}, {1, 0, 1}};
    EXPECT_DOUBLE_EQ(determinant(a), 7); // 2·3 + 1·1
    EXPECT_EQ(a * a, (Matrix{{4, 5, 1}, {1, 9, 4}, {3, 1, 1}}));
    EXPECT_EQ((a * Vec3d{1, 2, 3}), (Vec3d{4, 9, 4}));
    EXPECT_EQ(outer(Vec3d{1, 2, 3}, Vec3d{4, 5, 6}), (Matrix{{4, 5, 6}, {8, 10, 12}, {12, 15, 18}}));
    EXPECT_EQ(contracted(a, transposed(a)), 4 + 9 + 1); // the products of 1 and 0 across the diagonal are zero
    expect_near(a * inverse(a), Matrix::identity(), 1e-15);
}

TEST(Tensor, eigenvalues_in_order) {
    const Vec3d three = eigenvalues(Matrix{{2, 1, 0}, {1, 2, 0}, {0, 0, 5}});
    EXPECT_NEAR(three.x, 5, 1e-14);
    EXPECT_NEAR(three.y, 3, 1e-14);
    EXPECT_NEAR(three.z, 1, 1e-14);
    const Vec3d two_equal = eigenvalues(Matrix{{-1, 0, 0}, {0, 4, 0}, {0, 0, -1}});
    EXPECT_NEAR(two_equal.x, 4, 1e-14);
    EXPECT_NEAR(two_equal.y, -1, 1e-7);
    EXPECT_NEAR(two_equal.z, -1, 1e-7);
    EXPECT_EQ(eigenvalues(3.0 * Matrix::identity()), (Vec3d{3, 3, 3}));
}

// λ = 1000·0.25/(1.25·0.5) = 400 Pa, 2μ = 1000/1.25 = 800 Pa; E_xx = (1.1² − 1)/2 = 0.105.
TEST(Elasticity, a_stretch_worked_by_hand) {
    const ElasticConstants<double> c(soft(StressState::full));
    const Matrix f{{1.1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    expect_near(strain_of(f), Matrix{{0.105, 0, 0}, {}, {}}, 1e-15);
    expect_near(stress_of(c, strain_of(f)), Matrix{{126, 0, 0}, {0, 42, 0}, {0, 0, 42}}, 1e-12);
    expect_near(nominal_stress(c, f), Matrix{{138.6, 0, 0}, {0, 42, 0}, {0, 0, 42}}, 1e-12);
    EXPECT_NEAR(strain_energy_density(c, f), 6.615, 1e-13); // ½·126·0.105
    const Matrix cauchy = cauchy_stress(c, f);
    expect_near(cauchy, Matrix{{138.6, 0, 0}, {0, 42 / 1.1, 0}, {0, 0, 42 / 1.1}}, 1e-12);
    EXPECT_NEAR(von_mises_stress(cauchy), 138.6 - 42 / 1.1, 1e-12);
}

// F_xz = 0.2: E_xz = 0.1, E_zz = 0.02.
TEST(Elasticity, a_shear_worked_by_hand) {
    const ElasticConstants<double> c(soft(StressState::plane_strain));
    const Matrix f{{1, 0, 0.2}, {0, 1, 0}, {0, 0, 1}};
    expect_near(stress_of(c, strain_of(f)), Matrix{{8, 0, 80}, {0, 8, 0}, {80, 0, 24}}, 1e-12);
    EXPECT_NEAR(strain_energy_density(c, f), 0.5 * (2 * 80 * 0.1 + 24 * 0.02), 1e-13);
}

// λ' = 250/(1 − 1/16) = 266.67 Pa: a pull along x alone strains a sheet by S/E along x and −ν S/E along z.
TEST(Elasticity, plane_stress_has_none_across) {
    const ElasticConstants<double> c(soft(StressState::plane_stress));
    const Matrix stress = stress_of(c, Matrix{{0.01, 0, 0}, {}, {0, 0, -0.0025}});
    expect_near(stress, Matrix{{10, 0, 0}, {}, {}}, 1e-13);
    EXPECT_NEAR(von_mises_stress(stress), 10, 1e-13);
}

TEST(Elasticity, turns_cost_nothing) {
    const ElasticConstants<double> c(soft(StressState::full));
    expect_near(nominal_stress(c, turn()), Matrix{}, 1e-12);
    EXPECT_NEAR(strain_energy_density(c, turn()), 0, 1e-12);
    const Matrix f{{1.1, 0.05, 0}, {0, 0.9, 0.1}, {0, 0, 1}};
    EXPECT_NEAR(strain_energy_density(c, turn() * f), strain_energy_density(c, f), 1e-12);
    EXPECT_NEAR(von_mises_stress(cauchy_stress(c, turn() * f)), von_mises_stress(cauchy_stress(c, f)), 1e-11);
}

// P is the slope of the energy: what keeps it.
TEST(Elasticity, nominal_stress_is_the_slope_of_the_energy) {
    const Matrix f{{1.1, 0.05, 0.02}, {0, 0.9, 0.1}, {-0.1, 0, 1.05}},
        plane{{1.1, 0, 0.02}, {0, 1, 0}, {-0.1, 0, 1.05}};
    for (const StressState state : {StressState::full, StressState::plane_strain, StressState::plane_stress}) {
        const ElasticConstants<double> c(soft(state));
        const Matrix at = state == StressState::full ? f : plane, stress = nominal_stress(c, at);
        constexpr double small = 1e-5;
        for (const int axis : {0, 2}) {
            Matrix more = at, less = at;
            more.x[axis] += small;
            less.x[axis] -= small;
            const double slope = (strain_energy_density(c, more) - strain_energy_density(c, less)) / (2 * small);
            EXPECT_NEAR(slope, stress.x[axis], 1e-6 * norm(stress.x)) << axis;
        }
    }
}

// Full: √(1200/1200) = 1 m/s. Plane stress with ν = 0.49: √((1 − 2ν))/(1 − ν) of that of plane strain, 1/3.606.
TEST(Elasticity, waves_of_each_stress_state) {
    EXPECT_DOUBLE_EQ(wave_speed(soft(StressState::full)), 1);
    EXPECT_DOUBLE_EQ(wave_speed(soft(StressState::plane_strain)), 1);
    EXPECT_NEAR(wave_speed(soft(StressState::plane_stress)), std::sqrt(1000 / (1 - 0.0625) / 1200), 1e-15);
    ElasticMaterial rubber{1100, 6e6, 0.49, 0, 0, StressState::plane_strain};
    const double in_strain = wave_speed(rubber);
    rubber.state = StressState::plane_stress;
    EXPECT_NEAR(in_strain / wave_speed(rubber), 3.606, 0.0005);
    rubber.poisson = 0.5; // not compressible, and no wave of infinite speed in a sheet
    EXPECT_NEAR(wave_speed(rubber), std::sqrt(6e6 / 0.75 / 1100), 1e-10);
    const ElasticMaterial beam{1000, 1.4e6, 0.4, 0, 0, StressState::plane_strain}; // of Turek & Hron's CSM3
    EXPECT_NEAR(wave_speed(beam), std::sqrt(3000.0), 1e-10);
    const double h = std::sqrt(2.0) * 0.005;
    EXPECT_NEAR(structure_time_step(beam, 0.1, h, 1e4, 1), 1.291e-5, 0.5e-8);
    EXPECT_NEAR(structure_time_step(beam, 0.1, h, 1e4, 2), 0.6455e-5, 0.5e-8);
    EXPECT_NEAR(structure_time_step(beam, 0.1, h, 1e6, 1), 1.6e-6, 1e-18); // ⅘ of 2/ω
}

// Stretched to 1.2 along x: √((3·1.44 − 1)/2).
TEST(Elasticity, waves_are_faster_where_it_is_stretched) {
    EXPECT_NEAR(stretched_wave_factor(Matrix{{1.2, 0, 0}, {0, 1, 0}, {0, 0, 1}}), std::sqrt(1.66), 1e-14);
    EXPECT_NEAR(stretched_wave_factor(turn()), 1, 1e-7);
}

// Wendland in the plane with h = 2 m: α = 7/(16π), at q = ½ w = (3/4)⁴·2.
TEST(TotalLagrangian, bond_worked_by_hand) {
    const LagrangianConstants c{sph::KernelType::wendland, 2, 1, true};
    const double alpha = 7 / (16 * 3.14159265358979323846);
    EXPECT_NEAR(bond_of<sph::Wendland>(c, 1, 0.5, {0.6, 0, -0.8}), 0.5 * alpha * 81 / 128, 1e-15);
    EXPECT_EQ(c.volume(), 1);
    EXPECT_EQ((LagrangianConstants{sph::KernelType::wendland, 2, 0.5, false}.volume()), 0.125);
}

// X_ab = (1, 0, 0) stretched to 1.2 where F says 1.1 on one side and 1 on the other: 0.15 in the mean. What F describes
// fully is seen.
TEST(TotalLagrangian, unseen_way_worked_by_hand) {
    Matrix stretched = Matrix::identity();
    stretched.x.x = 1.1;
    const Vec3d way = unseen_way<double>({1.2, 0, 0.3}, {1, 0, 0}, stretched, Matrix::identity());
    EXPECT_NEAR(way.x, 0.15, 1e-15);
    EXPECT_NEAR(way.z, 0.3, 1e-15);
    const Matrix stress = bond_stress<double>(200.0 * way, {1, 0, 0});
    EXPECT_NEAR(stress.x.x, -15, 1e-13);
    EXPECT_NEAR(stress.z.x, -30, 1e-13);
    EXPECT_EQ(stress.x.z, 0);
    EXPECT_NEAR(norm(unseen_way(turn() * Vec3d{1, 0, 0}, {1, 0, 0}, turn(), turn())), 0, 1e-15);
}

// Points without order, all on one side: slopes of fields of second degree.
TEST(QuadraticFit, slopes_of_second_degree_are_exact) {
    for (const bool two_d : {true, false}) {
        const Matrix bend{{0.3, two_d ? 0 : 0.7, -0.4},
                          {two_d ? 0 : 0.7, two_d ? 0 : 1.1, two_d ? 0 : 0.2},
                          {-0.4, two_d ? 0 : 0.2, 0.9}};
        const Vec3d slope{2, two_d ? 0 : -1.0, 0.5};
        std::vector<Vec3d> points;
        for (int i = 1; i <= 14; ++i)
            points.push_back(
                {std::fmod(0.37 * i, 1.0), two_d ? 0 : std::fmod(0.61 * i, 1.0) - 0.5, std::fmod(0.83 * i, 1.0) - 0.2});
        QuadraticFit<double> fit(two_d);
        const auto weight = [](const Vec3d& xi) { return 1 / (1 + norm(xi)); };
        for (const Vec3d& xi : points) fit.add(xi, weight(xi));
        fit.solve();
        Vec3d sum{};
        for (const Vec3d& xi : points) sum = sum + (dot(slope, xi) + dot(xi, bend * xi)) * fit.gradient(xi, weight(xi));
        EXPECT_LT(norm(sum - slope), 1e-12) << two_d;
    }
}

// Two rows do not tell ξ_z² from ξ_z: it is left out, and what bends along x is exact all the same.
TEST(QuadraticFit, what_neighbours_do_not_tell_is_left_out) {
    QuadraticFit<double> fit(true);
    Vec3d sum{};
    const auto each = [](auto&& use) {
        for (const int x : {-2, -1, 0, 1, 2})
            for (const int z : {0, 1})
                if (x != 0 || z != 0) use(Vec3d{double(x), 0, double(z)});
    };
    each([&](const Vec3d& xi) { fit.add(xi, 1); });
    EXPECT_NEAR(fit.second_moments().x.x, 20, 1e-14);
    EXPECT_NEAR(fit.second_moments().z.z, 5, 1e-14);
    EXPECT_NEAR(fit.second_moments().x.z, 0, 1e-14);
    fit.solve();
    each([&](const Vec3d& xi) { sum = sum + (3 * xi.x + 2 * xi.z + xi.x * xi.z - xi.x * xi.x) * fit.gradient(xi, 1); });
    EXPECT_LT(norm(sum - Vec3d{3, 0, 2}), 1e-13);
}

TEST(TotalLagrangian, condition_of_neighbourhoods) {
    EXPECT_NEAR(condition_of(Matrix{{2, 0, 0}, {0, 1, 0}, {0, 0, 6}}, true), 3, 1e-12);
    EXPECT_NEAR(condition_of(Matrix{{2, 0, 0}, {0, 0.5, 0}, {0, 0, 6}}, false), 12, 1e-12);
    EXPECT_EQ(condition_of(Matrix{{2, 0, 0}, {0, 1, 0}, {0, 0, 0}}, true), HUGE_VAL); // all on a line
}

// Half as far as where they begin to touch: k L, along the line between them. k = ¼·8 kg·(10 m/s / 0.1 m)².
TEST(SolidContact, force_worked_by_hand) {
    EXPECT_DOUBLE_EQ(contact_stiffness(8, 10, 0.1), 20000);
    const Vec3d force = contact_force(20000.0, 0.1, Vec3d{0.03, 0, -0.04});
    EXPECT_NEAR(force.x, 2000 * 0.6, 1e-9);
    EXPECT_NEAR(force.z, -2000 * 0.8, 1e-9);
    EXPECT_EQ(contact_force(20000.0, 0.1, Vec3d{0.1, 0, 0}), Vec3d{});
}

// 20000·0.1 (0.1 ln 2 − 0.05) J at half the distance; its slope is the force.
TEST(SolidContact, energy_worked_by_hand) {
    EXPECT_NEAR(contact_energy(20000.0, 0.1, 0.05), 200 * std::log(2.0) - 100, 1e-9);
    EXPECT_EQ(contact_energy(20000.0, 0.1, 0.1), 0);
    const double apart = 1e-6,
                 slope = contact_energy(20000.0, 0.1, 0.05 + apart) - contact_energy(20000.0, 0.1, 0.05 - apart);
    EXPECT_NEAR(-slope / (2 * apart), norm(contact_force(20000.0, 0.1, Vec3d{0.05, 0, 0})), 1e-3);
}
