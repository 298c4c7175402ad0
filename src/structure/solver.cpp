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

/// Half the sum of force times way: with the forces before and after a step of velocity Verlet their work in it.
double half_work(const std::vector<Vec3d>& forces, const Vec3d* ways) {
    double work = 0;
    for (std::size_t k = 0; k < forces.size(); ++k) work += 0.5 * dot(forces[k], ways[k]);
    return work;
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

Vec3d StructureSolver::stress_force_on(std::uint32_t a) const {
    Vec3d force{};
    for (std::uint32_t k = reference_.first[a]; k < reference_.first[a + 1]; ++k)
        force = force + solid::stress_force(stress_[a], stress_[reference_.neighbour[k]], reference_.gradient[k]);
    return force;
}

template <class Kernel>
Vec3d StructureSolver::hourglass_force_of(std::uint32_t a, std::uint32_t b) const {
    return solid::hourglass_force<Kernel>(constants_, hourglass_stiffness(), position_[a] - position_[b],
                                          reference_.start[a] - reference_.start[b], deformation_[a], deformation_[b]);
}

template <class Kernel>
Vec3d StructureSolver::hourglass_force_on(std::uint32_t a) const {
    Vec3d force{};
    for (const std::uint32_t b : reference_.neighbours_of(a)) force = force + hourglass_force_of<Kernel>(a, b);
    return force;
}

/// Over V, N/m³; of the flexible particles.
std::vector<Vec3d> StructureSolver::hourglass_forces(int threads) const {
    std::vector<Vec3d> result(has_hourglass() ? reference_.flexible : 0);
    sph::with_kernel(constants_.kernel, [&]<class Kernel>(Kernel) {
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.flexible))
        for (std::uint32_t a = 0; a < result.size(); ++a) result[a] = hourglass_force_on<Kernel>(a);
    });
    return result;
}

std::vector<Vec3d> StructureSolver::own_acceleration(int threads) const {
    std::vector<Vec3d> result = hourglass_forces(threads);
    result.resize(reference_.flexible);
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.flexible))
    for (std::uint32_t a = 0; a < reference_.flexible; ++a)
        result[a] = 1 / material_.density * (stress_force_on(a) + result[a]);
    return result;
}

/// Of stresses on the particles of clamps, N: −∂/∂x of Σ V w.
std::vector<Vec3d> StructureSolver::forces_on_clamps() const {
    std::vector<Vec3d> forces(clamp_end_.size());
    const std::uint32_t first_clamp = reference_.flexible;
    const auto add = [&](std::uint32_t node, const Vec3d& force) {
        if (node >= first_clamp) forces[node - first_clamp] = forces[node - first_clamp] + constants_.volume * force;
    };
    for (std::uint32_t a = 0; a < reference_.stressed; ++a)
        for (std::uint32_t k = reference_.first[a]; k < reference_.first[a + 1]; ++k) {
            const Vec3d force = stress_[a] * reference_.gradient[k];
            add(a, force);
            add(reference_.neighbour[k], -1.0 * force);
        }
    return forces;
}

void StructureSolver::kick(double dt, std::span<const Vec3d> acceleration, int threads) {
    hourglass_ = hourglass_forces(threads);
#pragma omp parallel for schedule(static) num_threads(useful_threads(threads, reference_.flexible))
    for (std::uint32_t a = 0; a < reference_.flexible; ++a) {
        const Vec3d against_modes = has_hourglass() ? hourglass_[a] : Vec3d{};
        const Vec3d own = 1 / material_.density * (stress_force_on(a) + against_modes);
        velocity_[a] = velocity_[a] + dt * (own + acceleration[a]);
    }
}

void StructureSolver::damp(double kept, StructureWork& work) {
    for (Vec3d& velocity : velocity_) {
        work.damping -= 0.5 * particle_mass() * (1 - kept * kept) * dot(velocity, velocity);
        velocity = kept * velocity;
    }
}

StructureWork StructureSolver::advance_to_clamps(double duration, int steps, std::span<const Vec3d> acceleration,
                                                 int threads) {
    const double dt = duration / steps, kept = std::exp(-material_.damping * dt);
    clamp_start_.assign(position_.begin() + reference_.flexible, position_.end());
    const bool clamps_move = clamp_start_ != clamp_end_;
    StructureWork work;
    std::vector<Vec3d> way(has_hourglass() ? reference_.flexible : 0), clamp_way(clamp_end_.size());
    for (std::size_t k = 0; k < clamp_way.size(); ++k) clamp_way[k] = 1.0 / steps * (clamp_end_[k] - clamp_start_[k]);
    const auto work_of_clamps = [&] { return clamps_move ? -half_work(forces_on_clamps(), clamp_way.data()) : 0; };
    kick(0.5 * dt, acceleration, threads);
    work.clamps += work_of_clamps();
    for (int step = 1; step <= steps; ++step) {
        for (std::uint32_t a = 0; a < reference_.flexible; ++a) position_[a] = position_[a] + dt * velocity_[a];
        for (std::size_t a = 0; a < way.size(); ++a) way[a] = constants_.volume * dt * velocity_[a];
        const double part = double(step) / steps;
        for (std::size_t k = 0; k < clamp_end_.size(); ++k)
            position_[reference_.flexible + k] =
                step == steps ? clamp_end_[k] : clamp_start_[k] + part * (clamp_end_[k] - clamp_start_[k]);
        work.hourglass += half_work(hourglass_, way.data());
        find_stresses(threads);
        const bool is_last = step == steps;
        kick(is_last ? 0.5 * dt : dt, acceleration, threads); // the last half and the first of the next step
        work.hourglass += half_work(hourglass_, way.data());
        work.clamps += (is_last ? 1 : 2) * work_of_clamps();
        if (material_.damping > 0) damp(kept, work);
    }
    return work;
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
