// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/run_state.h"

#include "core/error.h"
#include "methods/fvpm/neighbours.h"
#include "methods/fvpm/volumes.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace sluice::fvpm {

namespace {

constexpr const char* owner = "fvpm 1";

/// What the section holds of each particle, in the order of the state.
struct Stored {
    Vec3d velocity, motion;
    double mass, volume;
};

BackendSection section_of(const Particles& p) {
    BackendSection section{owner, std::vector<std::byte>(p.size() * sizeof(Stored))};
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Stored one{p.velocity[i], p.motion.empty() ? p.velocity[i] : p.motion[i], p.mass[i], p.volume[i]};
        std::memcpy(section.bytes.data() + i * sizeof one, &one, sizeof one);
    }
    return section;
}

bool is_finite(const Vec3d& v) { return std::isfinite(v.x + v.y + v.z); }

void take_section(const BackendSection& section, Particles& p) {
    const auto fail = [] { throw RunError("the state is not one of this run: the section of its method is damaged"); };
    if (section.bytes.size() != p.size() * sizeof(Stored)) fail();
    p.motion.resize(p.size());
    p.mass.resize(p.size());
    p.volume.resize(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
        Stored one;
        std::memcpy(&one, section.bytes.data() + i * sizeof one, sizeof one);
        if (!is_finite(one.velocity) || !is_finite(one.motion) || !(one.mass > 0) || !(one.volume > 0) ||
            !std::isfinite(one.mass + one.volume))
            fail();
        p.velocity[i] = one.velocity;
        p.motion[i] = one.motion;
        p.mass[i] = one.mass;
        p.volume[i] = one.volume;
    }
}

/// Volumes and masses of a beginning. The rows are those of the order that the search wants.
void begin_volumes(const ParticleState& state, const sph::Constants& c, Particles& p) {
    const int dimensions = c.two_d ? 2 : 3;
    const double lattice = std::pow(c.dp, dimensions);
    p.volume.assign(p.size(), lattice);
    p.mass.assign(p.size(), c.rho0 * lattice);
    if (p.size() == 0) return;
    const std::unique_ptr<NeighbourSearch> search = make_search(SearchKind::automatic, p);
    const std::vector<std::uint32_t> places = search->order(p);
    const Particles sorted = reordered(p, places);
    NeighbourRows rows;
    search->find(sorted, rows);
    const std::vector<double> volumes = exact_volumes(sorted, rows, dimensions);
    for (std::size_t k = 0; k < places.size(); ++k) {
        const std::size_t i = places[k];
        if (p.kind[i] == Kind::wall) continue; // which keep theirs
        p.volume[i] = volumes[k];
        p.mass[i] = double(state.density[i]) * std::min(volumes[k], lattice);
    }
}

} // namespace

FvpmConstants constants_of(const RunSetup& setup) {
    const sph::Constants& c = setup.constants;
    FvpmConstants constants;
    constants.dimensions = c.two_d ? 2 : 3;
    constants.rho0 = c.rho0;
    constants.sound_speed = c.c0;
    constants.viscosity = c.rho0 * c.nu;
    constants.gravity = c.gravity;
    constants.cfl = c.cfl;
    return constants;
}

Particles particles_of(const ParticleState& state, const RunSetup& setup) {
    const sph::Constants& c = setup.constants;
    Particles p;
    const std::size_t count = state.size();
    p.position = state.position;
    p.velocity.reserve(count);
    p.kind.reserve(count);
    p.id = state.id;
    p.radius.assign(count, c.h);
    for (std::size_t i = 0; i < count; ++i) {
        if (c.two_d) p.position[i].y = 0;
        p.velocity.push_back(vec_cast<double>(state.velocity[i]));
        p.kind.push_back(setup.groups.is_fluid(state.id[i]) ? Kind::fluid : Kind::wall);
    }
    if (state.section.owner == owner)
        take_section(state.section, p);
    else
        begin_volumes(state, c, p);
    return p;
}

double inner_density(double mass, double volume, const FvpmConstants& constants) {
    return constants.free_surface ? std::max(mass / volume, constants.rho0) : mass / volume;
}

void store_particles(const Particles& p, const RunSetup& setup, double height, ParticleState& state) {
    const FvpmConstants constants = constants_of(setup);
    state.id = p.id;
    state.position = p.position;
    state.velocity.clear();
    state.density.clear();
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (constants.dimensions == 2) state.position[i].y = height;
        state.velocity.push_back(vec_cast<float>(p.velocity[i]));
        state.density.push_back(static_cast<float>(inner_density(p.mass[i], p.volume[i], constants)));
    }
    state.velocity_previous = state.velocity;
    state.density_previous = state.density;
    state.section = section_of(p);
}

} // namespace sluice::fvpm
