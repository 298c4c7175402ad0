// SPDX-License-Identifier: Apache-2.0
#include "cpu/subdomains/ghost_check.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <tuple>

namespace sluice::cpu {

namespace {

/// A particle or a ghost, with the bits of its values.
struct Entry {
    std::uint32_t key, id;
    std::uint64_t position[3];
    std::uint32_t flow[4];
    auto operator<=>(const Entry&) const = default;
};

Entry entry(std::uint32_t key, std::uint32_t id, const Vec3d& p, const Flow& f) {
    const auto whole = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    return {key, id, {whole(p.x), whole(p.y), whole(p.z)}, {bits(f.vx), bits(f.vy), bits(f.vz), bits(f.rho)}};
}

struct Particle {
    std::uint32_t id;
    Vec3d position;
    Flow flow;
};

std::vector<Particle> particles_of_all(Transport& transport, const Space& space, const SortedGroup& group) {
    std::vector<Particle> mine, all;
    group.for_each_own(space, [&](std::uint32_t i) {
        mine.push_back({group.state.id[i], group.state.position[i], group.state.flow[i]});
    });
    MessageWriter message;
    message.put_all(mine);
    for (const Message& theirs : all_gather(transport, message.take())) {
        const auto particles = MessageReader(theirs).get_all<Particle>();
        all.insert(all.end(), particles.begin(), particles.end());
    }
    return all;
}

void require_once(std::vector<Particle> particles) {
    std::ranges::sort(particles, {}, &Particle::id);
    const auto twice = std::ranges::adjacent_find(particles, {}, &Particle::id);
    if (twice != particles.end()) throw RunError(fmt::format("particle {} is on two ranks", twice->id));
}

/// What a rank has, or should have.
struct Sight {
    std::vector<Entry> particles; ///< in the order of the cells, and in theirs
    std::vector<Entry> images;    ///< in any order: with a step along an axis their cells are not those of particles

    void add(const Space& space, std::uint32_t key, std::uint32_t id, const Vec3d& place, const Flow& flow) {
        (space.is_image(place) ? images : particles).push_back(entry(key, id, place, flow));
    }
};

void require_same(int rank, const char* what, const std::vector<Entry>& found, const std::vector<Entry>& expected) {
    if (found == expected) return;
    const auto [wrong, right] = std::ranges::mismatch(found, expected);
    throw RunError(fmt::format("rank {} sees {} {} and should see {}; the first that differs is particle {}", rank,
                               found.size(), what, expected.size(), wrong != found.end() ? wrong->id : right->id));
}

} // namespace

void require_true_ghosts(Transport& transport, const RankMap& map, const Space& space, const SortedGroup& group) {
    const std::vector<Particle> all = particles_of_all(transport, space, group);
    require_once(all);
    Sight expected, found;
    const auto expect = [&](std::uint32_t key, const Particle& p, const Vec3d& place) {
        if (map.sees(transport.rank(), space.row_of(key))) expected.add(space, key, p.id, place, p.flow);
    };
    for (const Particle& p : all) {
        expect(space.key(p.position), p, p.position);
        space.period.for_each_image(p.position, space.size, space.image_reach(), [&](const Vec3d& image) {
            if (const std::int64_t key = space.image_key(image); key >= 0)
                expect(static_cast<std::uint32_t>(key), p, image);
        });
    }
    for (std::uint32_t i = 0; i < group.count; ++i)
        found.add(space, group.state.key[i], group.state.id[i], group.state.position[i], group.state.flow[i]);
    std::ranges::stable_sort(expected.particles, {}, &Entry::key);
    std::ranges::sort(expected.images);
    std::ranges::sort(found.images);
    require_same(transport.rank(), "particles", found.particles, expected.particles);
    require_same(transport.rank(), "images", found.images, expected.images);
}

} // namespace sluice::cpu
