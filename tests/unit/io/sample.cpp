// SPDX-License-Identifier: Apache-2.0
#include "sample.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

namespace sluice::sample {
namespace {

Vec3d position_of(std::uint32_t id, int number) { return {0.01 * id, 0.25, 0.5 + 0.001 * number + 1e-5 * id * number}; }

Vec3f velocity_of(std::uint32_t id, int number) { return {static_cast<float>(id), static_cast<float>(number), -0.5f}; }

} // namespace

ParticleSet particles(bool moving) {
    ParticleSet set;
    set.dp = 0.01;
    set.two_d = true;
    set.boundary_count = boundary_count;
    const auto second = moving ? ParticleType::moving : ParticleType::fixed;
    set.blocks = {{{11, 0, ParticleType::fixed, 0, 8}, {0, 0, 0}, {1, 1, 1}, {0.5, 0.5, 0.5}},
                  {{12, 1, second, 8, 4}, {}, {}, {}},
                  {{1, 0, ParticleType::fluid, 12, 15}, {}, {}, {}},
                  {{3, 2, ParticleType::fluid, 27, 5}, {}, {}, {}}};
    for (std::uint32_t id = 0; id < total; ++id) set.position.push_back(position_of(id, 0));
    set.velocity.assign(total, Vec3f{});
    return set;
}

Frame frame(int number, bool moving) {
    Frame frame;
    frame.number = number;
    frame.step = 100 * number;
    frame.time = 0.01 * number + 1e-4 * number * number;
    for (std::uint32_t id = 0; id < total; ++id) {
        const bool is_fluid = id >= boundary_count;
        if (is_fluid && (number == 4 || id < boundary_count + static_cast<std::uint32_t>(number))) continue;
        const bool still = !is_fluid && !(moving && id >= 8);
        frame.id.push_back(id);
        frame.position.push_back(position_of(id, still ? 0 : number));
        frame.velocity.push_back(still ? Vec3f{} : velocity_of(id, number));
        frame.density.push_back(1000.f + static_cast<float>(id) + 0.5f * static_cast<float>(number));
        frame.pressure.push_back(10.f * static_cast<float>(id) - static_cast<float>(number));
        const float own = is_fluid ? static_cast<float>(id) : std::numeric_limits<float>::quiet_NaN();
        frame.vorticity.push_back({0.5f * own, own + static_cast<float>(number), -own});
        frame.velocity_divergence.push_back(0.25f * own - static_cast<float>(number));
        frame.position_divergence.push_back(2 + 0.125f * own);
    }
    return frame;
}

RunSetup setup() {
    RunSetup setup;
    setup.constants.two_d = true;
    setup.constants.h = 0.05;
    setup.constants.mass_fluid = 0.1;
    setup.constants.gravity = {0, 0, -9.81};
    setup.set_groups(ParticleGroups::of(boundary_count, total - boundary_count));
    return setup;
}

ParticleSet column(double dp) {
    ParticleSet set;
    set.dp = dp;
    set.two_d = true;
    const int nx = static_cast<int>(std::lround(1 / dp)), nz = static_cast<int>(std::lround(2 / dp));
    for (int k = 1; k <= nz; ++k)
        for (int i = 1; i <= nx; ++i) set.position.push_back({i * dp, 0, k * dp});
    set.velocity.assign(set.position.size(), Vec3f{});
    set.blocks = {{{1, 0, ParticleType::fluid, 0, set.size()}, {}, {}, {}}};
    return set;
}

Frame still_frame(const ParticleSet& set) {
    Frame frame;
    frame.position = set.position;
    frame.velocity = set.velocity;
    frame.density.assign(set.size(), 1000.f);
    frame.pressure.assign(set.size(), 0.f);
    for (std::uint32_t id = 0; id < set.size(); ++id) frame.id.push_back(id);
    return frame;
}

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace sluice::sample
