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
} // namespace

StructureSolver::StructureSolver(const StructureParticles& particles, const solid::LagrangianConstants& constants)
    : constants_(constants), material_(particles.material), elastic_(particles.material),
      reference_(reference_state(particles, constants)), position_(reference_.start),
      clamp_end_(reference_.size() - reference_.flexible), deformation_(reference_.stressed),
      stress_(reference_.stressed) {
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

double StructureSolver::longest_step(double cfl) const {
    return solid::structure_time_step(material_, cfl, constants_.h, fastest_);
}

void StructureSolver::find_stresses(int threads) {
    double fastest = 1;
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.stressed))                    \
    reduction(max                                                                                                      \
              : fastest)
    for (std::uint32_t a = 0; a < reference_.stressed; ++a) {
        const Vec3d here = position_[a];
        solid::Tensor<double> sum{};
        for (std::uint32_t k = reference_.first[a]; k < reference_.first[a + 1]; ++k)
            sum = sum + solid::gradient_term(here - position_[reference_.neighbour[k]], reference_.gradient[k]);
        const solid::Tensor<double> f = solid::deformation_of(sum, reference_.correction[a], constants_.two_d);
        deformation_[a] = f;
        stress_[a] = solid::nominal_stress(elastic_, f) * reference_.correction[a];
        fastest = std::max(fastest, solid::stretched_wave_factor(f));
    }
    fastest_ = fastest;
}

template <class Kernel>
Vec3d StructureSolver::force_on(std::uint32_t a) const {
    const double stiffness = material_.hourglass * material_.young;
    Vec3d force{};
    for (std::uint32_t k = reference_.first[a]; k < reference_.first[a + 1]; ++k) {
        const std::uint32_t b = reference_.neighbour[k];
        force = force + solid::stress_force(stress_[a], stress_[b], reference_.gradient[k]);
        if (stiffness > 0)
            force = force + solid::hourglass_force<Kernel>(constants_, stiffness, position_[a] - position_[b],
                                                           reference_.start[a] - reference_.start[b], deformation_[a],
                                                           deformation_[b]);
    }
    return force;
}

std::vector<Vec3d> StructureSolver::own_acceleration(int threads) const {
    std::vector<Vec3d> result(reference_.flexible);
    sph::with_kernel(constants_.kernel, [&]<class Kernel>(Kernel) {
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.flexible))
        for (std::uint32_t a = 0; a < reference_.flexible; ++a) result[a] = 1 / material_.density * force_on<Kernel>(a);
    });
    return result;
}

void StructureSolver::kick(double dt, std::span<const Vec3d> acceleration, int threads) {
    const std::vector<Vec3d> own = own_acceleration(threads);
    for (std::uint32_t a = 0; a < reference_.flexible; ++a)
        velocity_[a] = velocity_[a] + dt * (own[a] + acceleration[a]);
}

void StructureSolver::advance_to_clamps(double duration, int steps, std::span<const Vec3d> acceleration, int threads) {
    const double dt = duration / steps, kept = std::exp(-material_.damping * dt);
    clamp_start_.assign(position_.begin() + reference_.flexible, position_.end());
    kick(0.5 * dt, acceleration, threads);
    for (int step = 1; step <= steps; ++step) {
        for (std::uint32_t a = 0; a < reference_.flexible; ++a) position_[a] = position_[a] + dt * velocity_[a];
        const double part = double(step) / steps;
        for (std::size_t k = 0; k < clamp_end_.size(); ++k)
            position_[reference_.flexible + k] =
                step == steps ? clamp_end_[k] : clamp_start_[k] + part * (clamp_end_[k] - clamp_start_[k]);
        find_stresses(threads);
        kick(step == steps ? 0.5 * dt : dt, acceleration, threads); // the last half and the first of the next step
        if (material_.damping > 0)
            for (Vec3d& velocity : velocity_) velocity = kept * velocity;
    }
}

StructureEnergy StructureSolver::energy() const {
    StructureEnergy energy;
    for (const Vec3d& v : velocity_) energy.kinetic += 0.5 * particle_mass() * dot(v, v);
    for (const solid::Tensor<double>& f : deformation_)
        energy.strain += constants_.volume * solid::strain_energy_density(elastic_, f);
    return energy;
}

MaterialPoint StructureSolver::point(std::uint32_t node) const {
    const solid::Tensor<double> stress = solid::cauchy_stress(elastic_, deformation_[node]);
    return {position_[node] - reference_.start[node], solid::von_mises_stress(stress), solid::eigenvalues(stress),
            solid::strain_energy_density(elastic_, deformation_[node])};
}

} // namespace sluice
