// SPDX-License-Identifier: Apache-2.0
#include "geometry/generate.h"

#include "geometry/painter.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

const char* particle_type_name(ParticleType type) {
    switch (type) {
    case ParticleType::fixed: return "fixed";
    case ParticleType::moving: return "moving";
    case ParticleType::floating: return "floating";
    case ParticleType::fluid: return "fluid";
    }
    return "";
}

namespace {

// Ids are 32-bit everywhere.
constexpr std::size_t max_particles = 4'000'000'000u;

/// Blocks in the order of the ids, still without positions.
std::vector<ParticleBlock> plan_blocks(const Case& the_case, const std::vector<std::size_t>& counts) {
    std::vector<ParticleBlock> blocks;
    std::size_t total = 0;
    for (std::size_t mk = 1; mk < counts.size(); ++mk) {
        if (!counts[mk]) continue;
        ParticleBlock block;
        block.mk = static_cast<int>(mk);
        const bool fluid = block.mk <= the_case.mk.fluid_count;
        block.mk_type = fluid ? block.mk - 1 : block.mk - 1 - the_case.mk.fluid_count;
        block.type = fluid ? ParticleType::fluid : ParticleType::fixed;
        block.count = static_cast<std::uint32_t>(counts[mk]);
        blocks.push_back(block);
        total += counts[mk];
    }
    if (total > max_particles)
        throw InputError(the_case.definition.where, fmt::format("the case has {} particles (at most {}), use a larger dp", total, max_particles));
    std::stable_sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.type < b.type; });
    std::uint32_t begin = 0;
    for (ParticleBlock& block : blocks) {
        block.begin = begin;
        begin += block.count;
    }
    return blocks;
}

/// Least, greatest and summed lattice index of a block: exact, unlike sums of coordinates.
struct IndexExtent {
    Vec3i min{1 << 30, 1 << 30, 1 << 30}, max{-1, -1, -1};
    Vec3<std::int64_t> sum;

    void add(int i, int j, int k) {
        min = {std::min(min.x, i), std::min(min.y, j), std::min(min.z, k)};
        max = {std::max(max.x, i), std::max(max.y, j), std::max(max.z, k)};
        sum = {sum.x + i, sum.y + j, sum.z + k};
    }
};

void place_particles(ParticleSet& set, const Lattice& lattice, const ParticleGrid& grid) {
    std::vector<std::uint32_t> block_of(65536), next(set.blocks.size());
    std::vector<IndexExtent> extents(set.blocks.size());
    for (std::uint32_t b = 0; b < set.blocks.size(); ++b) {
        block_of[set.blocks[b].mk] = b;
        next[b] = set.blocks[b].begin;
    }
    grid.for_each([&](int i, int j, int k, std::uint16_t mk) {
        const std::uint32_t b = block_of[mk];
        set.position[next[b]++] = lattice.node({i, j, k});
        extents[b].add(i, j, k);
    });
    for (std::size_t b = 0; b < set.blocks.size(); ++b) {
        ParticleBlock& block = set.blocks[b];
        block.min = lattice.node(extents[b].min);
        block.max = lattice.node(extents[b].max);
        for (int axis = 0; axis < 3; ++axis)
            block.mean[axis] = lattice.coordinate(axis, 0) + lattice.dp() * double(extents[b].sum[axis]) / double(block.count);
    }
}

void check_blocks(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& diagnostics) {
    if (set.blocks.empty())
        throw InputError(the_case.definition.where, "the case draws no particles, check the definition box and the drawing commands");
    if (set.boundary_count == set.size())
        diagnostics.push_back({Diagnostic::Level::warning, the_case.definition.where, "the case has no fluid particles"});
}

} // namespace

ParticleSet generate_particles(const Case& the_case, std::vector<Diagnostic>& diagnostics) {
    Painter painter(the_case, diagnostics);
    painter.draw();
    ParticleSet set;
    set.dp = the_case.definition.dp;
    set.two_d = the_case.definition.two_d;
    set.blocks = plan_blocks(the_case, painter.grid().count_by_mk());
    std::size_t total = 0;
    for (const ParticleBlock& block : set.blocks) {
        total += block.count;
        if (block.type != ParticleType::fluid) set.boundary_count += block.count;
    }
    set.position.resize(total);
    place_particles(set, painter.lattice(), painter.grid());
    set.velocity.resize(total);
    check_blocks(the_case, set, diagnostics);
    return set;
}

} // namespace sluice
