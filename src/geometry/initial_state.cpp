// SPDX-License-Identifier: Apache-2.0
#include "geometry/initial_state.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace sluice {

namespace {

/// Speed at a height: uniform, linear or the parabola through three knots; level beyond the outer knots.
double profile_speed(const std::vector<InitialState::Knot>& k, double z) {
    if (k.size() == 1) return k[0].speed;
    z = std::clamp(z, k.front().z, k.back().z);
    if (k.size() == 2) return k[0].speed + (k[1].speed - k[0].speed) * (z - k[0].z) / (k[1].z - k[0].z);
    double speed = 0;
    for (int i = 0; i < 3; ++i) {
        double weight = 1;
        for (int j = 0; j < 3; ++j)
            if (j != i) weight *= (z - k[j].z) / (k[i].z - k[j].z);
        speed += weight * k[i].speed;
    }
    return speed;
}

void apply(const InitialState& state, ParticleSet& set, const ParticleBlock& block) {
    std::mt19937 random(state.random_seed);
    std::uniform_real_distribution<double> within_one(-1, 1);
    const Vec3d direction = state.direction ? normalized(*state.direction) : Vec3d{};
    for (std::uint32_t n = block.begin; n < block.begin + block.count; ++n) {
        Vec3d& p = set.position[n];
        if (!state.only.hold(p)) continue;
        if (state.velocity) set.velocity[n] = vec_cast<float>(*state.velocity);
        if (state.direction) set.velocity[n] = vec_cast<float>(profile_speed(state.profile, p.z) * direction);
        if (state.displacement) {
            p = (*state.displacement)(p);
            if (n < set.normals.size())
                set.normals[n] = vec_cast<float>(state.displacement->turned(vec_cast<double>(set.normals[n])));
        }
        if (state.random_offset)
            for (int axis = 0; axis < 3; ++axis) {
                const double shift = within_one(random);
                if (axis != 1 || !set.two_d) p[axis] += shift * (*state.random_offset)[axis] * set.dp / 2;
            }
    }
}

} // namespace

const ParticleBlock* block_of(const InitialState& state, int mk, const ParticleSet& set) {
    const auto block = std::find_if(set.blocks.begin(), set.blocks.end(), [&](const ParticleBlock& b) {
        return b.mk_type == mk && (b.type == ParticleType::fluid) == (state.kind == MkKind::fluid);
    });
    return block == set.blocks.end() ? nullptr : &*block;
}

void apply_initial_states(const Case& the_case, ParticleSet& set, std::vector<Diagnostic>& diagnostics) {
    for (const InitialState& state : the_case.initials)
        for (int mk : state.mk) {
            if (const ParticleBlock* block = block_of(state, mk, set))
                apply(state, set, *block);
            else
                diagnostics.push_back({Diagnostic::Level::warning, state.where,
                                       fmt::format("initials name the mk {}, which has no particles", mk)});
        }
}

} // namespace sluice
