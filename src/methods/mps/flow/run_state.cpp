// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/run_state.h"

#include "core/error.h"
#include <algorithm>
#include <cstring>
#include <numeric>

namespace sluice::mps {

namespace {

constexpr const char* section_owner = "mps 1";

/// Calls `use(array)` with what a section holds, one array after the other.
template <class AnyParticles, class Use>
void for_each_section_array(AnyParticles& particles, const Use& use) {
    for (auto* array : {&particles.vx, &particles.vy, &particles.vz, &particles.rho}) use(*array);
}

/// Takes what the section has in place of the single precision of the state; in the order of the state.
void take_section(const BackendSection& section, FlowParticles& particles) {
    if (section.owner != section_owner) return;
    if (section.bytes.size() != 4 * sizeof(double) * particles.size())
        throw RunError("the velocities and densities of MPS in the state are damaged: they are of other particles");
    const std::byte* from = section.bytes.data();
    for_each_section_array(particles, [&](std::vector<double>& array) {
        std::memcpy(array.data(), from, sizeof(double) * array.size());
        from += sizeof(double) * array.size();
    });
}

} // namespace

FlowParticles particles_of(const ParticleState& state) {
    FlowParticles p;
    p.id = state.id;
    for (std::size_t i = 0; i < state.size(); ++i) {
        p.x.push_back(state.position[i].x);
        p.y.push_back(state.position[i].y);
        p.z.push_back(state.position[i].z);
        p.vx.push_back(state.velocity[i].x);
        p.vy.push_back(state.velocity[i].y);
        p.vz.push_back(state.velocity[i].z);
        p.rho.push_back(state.density[i]);
    }
    take_section(state.section, p);
    if (std::ranges::is_sorted(p.id)) return p;
    std::vector<std::uint32_t> order(p.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return p.id[i]; });
    const FlowParticles unsorted = p;
    for (std::size_t k = 0; k < order.size(); ++k) {
        p.id[k] = unsorted.id[order[k]];
        for_each_flow_array([&](std::vector<double>& to, const std::vector<double>& from) { to[k] = from[order[k]]; },
                            p, unsorted);
    }
    return p;
}

void store_particles(Flow& flow, const sph::Constants& constants, ParticleState& state) {
    const FlowParticles p = flow.particles();
    const std::vector<double> pressures = flow.pressures();
    const sph::EquationOfState<double> eos(constants);
    state.id = p.id;
    for (std::size_t i = 0; i < p.size(); ++i) {
        state.position.push_back({p.x[i], p.y[i], p.z[i]});
        state.velocity.push_back({float(p.vx[i]), float(p.vy[i]), float(p.vz[i])});
        state.density.push_back(float(i < flow.walls() ? eos.density(pressures[i]) : p.rho[i]));
    }
    state.velocity_previous = state.velocity;
    state.density_previous = state.density;
    state.section.owner = section_owner;
    state.section.bytes.resize(4 * sizeof(double) * p.size());
    std::byte* to = state.section.bytes.data();
    for_each_section_array(p, [&](const std::vector<double>& array) {
        std::memcpy(to, array.data(), sizeof(double) * array.size());
        to += sizeof(double) * array.size();
    });
}

} // namespace sluice::mps
