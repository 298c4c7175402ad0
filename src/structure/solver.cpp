// SPDX-License-Identifier: Apache-2.0
#include "structure/solver.h"

#include <algorithm>
#include <cmath>

namespace sluice {

namespace {
constexpr std::uint32_t nodes_worth_a_thread = 256; ///< for fewer, starting one takes longer than it saves

int useful_threads(int threads, std::uint32_t nodes) {
    return std::clamp(static_cast<int>(nodes / nodes_worth_a_thread), 1, std::max(threads, 1));
}

/// A displacement without symmetry, between −1 and 1 along each axis, the same in each run.
Vec3d uneven(std::uint32_t i, bool two_d) {
    const auto along = [&](std::uint32_t axis) {
        const std::uint32_t mixed = (3 * i + axis + 1) * 2654435761u; // golden ratio times 2³²
        return (mixed >> 8) / double(1u << 23) - 1;
    };
    return {along(0), two_d ? 0 : along(1), along(2)};
}

/// The greatest component.
double size_of(const std::vector<Vec3d>& values) {
    double greatest = 0;
    for (const Vec3d& v : values) greatest = std::max({greatest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return greatest;
}
} // namespace

StructureSolver::StructureSolver(const StructureParticles& particles, const solid::LagrangianConstants& constants)
    : constants_(constants), material_(particles.material), elastic_(particles.material),
      reference_(reference_state(particles, constants)), position_(reference_.start),
      clamp_end_(reference_.size() - reference_.flexible), deformation_(reference_.size()), stress_(reference_.size()),
      bond_energy_(reference_.size()) {
    take_state({}, 1);
}

void StructureSolver::take_state(const StructureState& state, int threads) {
    if (state.position.empty()) {
        std::copy_n(reference_.start.begin(), reference_.flexible, position_.begin());
        velocity_.assign(reference_.flexible, Vec3d{});
    } else {
        std::copy(state.position.begin(), state.position.end(), position_.begin());
        velocity_ = state.velocity;
    }
    find_stresses(threads);
}

void StructureSolver::round_velocities() {
    for (Vec3d& velocity : velocity_) velocity = vec_cast<double>(vec_cast<float>(velocity));
}

/// By the power method: displaces the particles a little from the start by their own accelerations, again and again.
/// The Rayleigh quotient is a few per cent too small at most, for which the time step has room.
double StructureSolver::highest_frequency(int threads) {
    constexpr int iterations = 50;
    const double amplitude = 1e-6 * constants_.dp;
    const std::vector<Vec3d> places = position_;
    position_ = reference_.start;
    std::vector<Vec3d> way(reference_.flexible);
    for (std::uint32_t a = 0; a < reference_.flexible; ++a) way[a] = amplitude * uneven(a, constants_.two_d);
    double square = 0;
    for (int n = 0; n < iterations; ++n) {
        for (std::uint32_t a = 0; a < reference_.flexible; ++a) position_[a] = reference_.start[a] + way[a];
        find_stresses(threads);
        std::vector<Vec3d> acceleration = own_acceleration(threads);
        double stiffness = 0, inertia = 0;
        for (std::uint32_t a = 0; a < reference_.flexible; ++a) {
            stiffness -= mass(a) * dot(way[a], acceleration[a]);
            inertia += mass(a) * dot(way[a], way[a]);
        }
        square = stiffness / inertia;
        const double scale = -amplitude / size_of(acceleration);
        for (std::uint32_t a = 0; a < reference_.flexible; ++a) way[a] = scale * acceleration[a];
    }
    position_ = places;
    find_stresses(threads);
    return std::sqrt(square);
}

double StructureSolver::longest_step(double cfl, int threads) {
    if (frequency_ == 0) frequency_ = highest_frequency(threads);
    return solid::structure_time_step(material_, cfl, constants_.h, frequency_, fastest_);
}

void StructureSolver::find_stresses(int threads) {
    double fastest = 1;
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.size())) reduction(max        \
                                                                                                            : fastest)
    for (std::uint32_t a = 0; a < reference_.size(); ++a) {
        const Vec3d here = position_[a];
        solid::Tensor<double> sum{};
        for (std::uint32_t k = reference_.first[a]; k < reference_.first[a + 1]; ++k)
            sum = sum + solid::gradient_term(here - position_[reference_.neighbour[k]], reference_.gradient[k]);
        const solid::Tensor<double> f = solid::closed_deformation(sum, constants_.two_d);
        deformation_[a] = f;
        stress_[a] = reference_.volume[a] * solid::nominal_stress(elastic_, f);
        fastest = std::max(fastest, solid::stretched_wave_factor(f));
    }
    fastest_ = fastest;
    if (material_.hourglass > 0) add_bond_stresses(threads);
}

Vec3d StructureSolver::unseen_way_of(std::uint32_t a, std::uint32_t b) const {
    return solid::unseen_way(position_[a] - position_[b], reference_.start[a] - reference_.start[b], deformation_[a],
                             deformation_[b]);
}

void StructureSolver::add_bond_stresses(int threads) {
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.size()))
    for (std::uint32_t a = 0; a < reference_.size(); ++a) {
        solid::Tensor<double> sum{};
        double energy = 0;
        for (std::uint32_t k = reference_.first[a]; k < reference_.first[a + 1]; ++k) {
            const std::uint32_t b = reference_.neighbour[k];
            const Vec3d way = unseen_way_of(a, b), pull = hourglass_stiffness() * reference_.bond[k] * way;
            sum = sum + solid::bond_stress(pull, reference_.start[a] - reference_.start[b]);
            energy += 0.25 * dot(pull, way);
        }
        stress_[a] = stress_[a] + sum;
        bond_energy_[a] = energy;
    }
}

/// N (N/m in 2-D), of any node: what a clamp's particle feels, too.
Vec3d StructureSolver::force_on(std::uint32_t a) const {
    Vec3d force{};
    for (std::uint32_t k = reference_.first[a]; k < reference_.first[a + 1]; ++k) {
        const std::uint32_t b = reference_.neighbour[k];
        force = force + solid::stress_force(stress_[a], reference_.gradient[k], stress_[b], reference_.reverse[k]);
        if (material_.hourglass > 0) force = force - hourglass_stiffness() * reference_.bond[k] * unseen_way_of(a, b);
    }
    return force;
}

std::vector<Vec3d> StructureSolver::own_acceleration(int threads) const {
    std::vector<Vec3d> result(reference_.flexible);
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.flexible))
    for (std::uint32_t a = 0; a < reference_.flexible; ++a) result[a] = 1 / mass(a) * force_on(a);
    return result;
}

void StructureSolver::kick(double dt, std::span<const Vec3d> acceleration, int threads) {
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.flexible))
    for (std::uint32_t a = 0; a < reference_.flexible; ++a)
        velocity_[a] = velocity_[a] + dt * (1 / mass(a) * force_on(a) + acceleration[a]);
}

void StructureSolver::bear_clamps(std::vector<bool> borne) {
    borne_ = std::move(borne);
    pushes_.resize(borne_.size());
}

void StructureSolver::push_clamps(double dt) {
    for (std::uint32_t k = 0; k < borne_.size(); ++k) {
        if (!borne_[k]) continue;
        const Vec3d push = dt * force_on_clamp(k);
        pushes_[k].momentum = pushes_[k].momentum + push;
        pushes_[k].turning = pushes_[k].turning + cross(clamp_place(k), push);
    }
}

void StructureSolver::damp(double kept, StructureWork& work) {
    for (std::uint32_t a = 0; a < reference_.flexible; ++a) {
        work.damping -= 0.5 * mass(a) * (1 - kept * kept) * dot(velocity_[a], velocity_[a]);
        velocity_[a] = kept * velocity_[a];
    }
}

StructureWork StructureSolver::advance_to_clamps(double duration, int steps, std::span<const Vec3d> acceleration,
                                                 int threads) {
    const double dt = duration / steps, kept = std::exp(-material_.damping * dt);
    clamp_start_.assign(position_.begin() + reference_.flexible, position_.end());
    const bool clamps_move = clamp_start_ != clamp_end_;
    StructureWork work;
    work.hourglass = hourglass_energy();
    const auto half_work_of_clamps = [&] { // with that after the step their work in it
        double sum = 0;
        for (std::uint32_t k = 0; clamps_move && k < clamp_end_.size(); ++k)
            if (borne_.empty() || !borne_[k])
                sum -= 0.5 / steps * dot(force_on(reference_.flexible + k), clamp_end_[k] - clamp_start_[k]);
        return sum;
    };
    std::fill(pushes_.begin(), pushes_.end(), ClampPush{});
    kick(0.5 * dt, acceleration, threads);
    push_clamps(0.5 * dt);
    work.clamps += half_work_of_clamps();
    for (int step = 1; step <= steps; ++step) {
        for (std::uint32_t a = 0; a < reference_.flexible; ++a) position_[a] = position_[a] + dt * velocity_[a];
        const double part = double(step) / steps;
        for (std::size_t k = 0; k < clamp_end_.size(); ++k)
            position_[reference_.flexible + k] =
                step == steps ? clamp_end_[k] : clamp_start_[k] + part * (clamp_end_[k] - clamp_start_[k]);
        find_stresses(threads);
        const bool is_last = step == steps;
        const double kicked = is_last ? 0.5 * dt : dt; // the last half and the first of the next step
        kick(kicked, acceleration, threads);
        push_clamps(kicked);
        work.clamps += (is_last ? 1 : 2) * half_work_of_clamps();
        if (material_.damping > 0) damp(kept, work);
    }
    work.hourglass -= hourglass_energy();
    return work;
}

StructureEnergy StructureSolver::energy() const {
    StructureEnergy energy;
    for (std::uint32_t a = 0; a < reference_.flexible; ++a)
        energy.kinetic += 0.5 * mass(a) * dot(velocity_[a], velocity_[a]);
    for (std::uint32_t a = 0; a < reference_.size(); ++a)
        energy.strain += reference_.volume[a] * solid::strain_energy_density(elastic_, deformation_[a]);
    return energy;
}

double StructureSolver::hourglass_energy() const {
    double energy = 0;
    for (const double of_node : bond_energy_) energy += of_node;
    return energy;
}

MaterialPoint StructureSolver::point(std::uint32_t node) const {
    const solid::Tensor<double> stress = solid::cauchy_stress(elastic_, deformation_[node]);
    return {position_[node] - reference_.start[node], solid::von_mises_stress(stress), solid::eigenvalues(stress),
            solid::strain_energy_density(elastic_, deformation_[node])};
}

} // namespace sluice
