// SPDX-License-Identifier: Apache-2.0
#include "io/measures/forces.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/pair_rates.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace sluice {
namespace {

using Side = sph::Side<double>;

Side side_of(const Frame& frame, std::size_t i, const sph::EquationOfState<double>& eos) {
    const Vec3d v = vec_cast<double>(frame.velocity[i]);
    const double density = frame.density[i];
    return {v.x, v.y, v.z, density, eos.pressure_term(density)};
}

/// Σ of dv_a/dt over the pairs of the fluid with the particles of some blocks, and of its moment.
Load acceleration_sum(const FluidInterpolator& fluid, const std::vector<ParticleBlock>& blocks, const Vec3d& about) {
    const sph::Constants& c = fluid.constants();
    const Frame& frame = fluid.frame();
    const sph::PairConstants<double> pair(c, sph::PairKind::fluid_boundary, sph::metre);
    const sph::EquationOfState<double> eos(c);
    return sph::with_formulation(c, [&](auto formulation) {
        using F = decltype(formulation);
        Load sum;
        for (const ParticleBlock& block : blocks)
            for (std::size_t b = block.begin; b < std::size_t{block.begin} + block.count; ++b) {
                const Side wall = side_of(frame, b, eos);
                Vec3d own;
                fluid.cells().for_each_near(frame.position[b], [&](std::uint32_t a, double r2, const Vec3d& to_b) {
                    const Vec3d r = Vec3d{} - to_b;
                    const Side fluid_side = side_of(frame, a, eos);
                    const auto rates = sph::pair_rates<typename F::AtWall>(pair, r.x, r.y, r.z, r2, fluid_side, wall);
                    const Vec3d v{fluid_side.vx - wall.vx, fluid_side.vy - wall.vy, fluid_side.vz - wall.vz};
                    own = own + rates.acceleration * r + rates.friction * v;
                });
                sum.force = sum.force + own;
                sum.moment = sum.moment + cross(frame.position[b] - about, own);
            }
        return sum;
    });
}

} // namespace

std::vector<ParticleBlock> boundary_blocks(const std::vector<ParticleBlock>& blocks, int mk_bound) {
    std::vector<ParticleBlock> found;
    std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(found), [&](const ParticleBlock& block) {
        return block.type != ParticleType::fluid && block.mk_type == mk_bound;
    });
    return found;
}

std::string list_of_mks(const std::vector<ParticleBlock>& blocks, bool fluid) {
    std::string list;
    for (const ParticleBlock& block : blocks)
        if (block.is_fluid() == fluid)
            list += fmt::format("{}{}", list.empty() ? (fluid ? "mkfluid " : "mkbound ") : ", ", block.mk_type);
    return list.empty() ? (fluid ? "no mkfluid" : "no mkbound") : list;
}

Load load_on_boundary(const FluidInterpolator& fluid, const std::vector<ParticleBlock>& blocks, const Vec3d& about) {
    const Load sum = acceleration_sum(fluid, blocks, about);
    const double mass = fluid.constants().mass_fluid;
    return {Vec3d{} - mass * sum.force, Vec3d{} - mass * sum.moment}; // no negative zeros
}

} // namespace sluice
