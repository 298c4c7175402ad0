// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_walls.h"
#include "sample.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

/// Particles in blocks, one after the other.
struct Cloud {
    Cloud() {
        set.dp = 0.1;
        set.two_d = false;
    }
    /// A block of the lattice points of the unit cube's neighbourhood that `holds` takes, 0.1 m apart.
    template <class Holds>
    void add(ParticleType type, int mk, Holds holds) {
        ParticleBlock block;
        block.type = type;
        block.mk_type = mk;
        block.begin = set.size();
        for (int x = 0; x <= 20; ++x)
            for (int y = 0; y <= 20; ++y)
                for (int z = 0; z <= 20; ++z)
                    if (holds(x, y, z)) set.position.push_back({0.1 * x, 0.1 * y, 0.1 * z});
        block.count = set.size() - block.begin;
        if (type != ParticleType::fluid) set.boundary_count = set.size();
        set.velocity.resize(set.position.size());
        set.blocks.push_back(block);
    }
    ParticleSet set;
};

/// How many of the particles that `holds` takes have a look.
template <class Holds>
int count(const Cloud& cloud, const WallLooks& looks, WallLook look, Holds holds) {
    int number = 0;
    for (std::size_t i = 0; i < looks.look.size(); ++i)
        if (looks.look[i] == look && holds(cloud.set.position[i])) ++number;
    return number;
}

WallLooks seen(const Cloud& cloud, double azimuth, double elevation) {
    Projection projection = Projection::oblique(azimuth, elevation);
    projection.fit({{0, 0, 0}, {2, 2, 2}}, 0, 0, 400, 400);
    return wall_looks(sample::still_frame(cloud.set), layout_of(cloud.set), projection, {});
}

bool is_fluid(int x, int y, int z) { return x > 1 && x < 10 && y > 1 && y < 19 && z > 1 && z < 10; }

} // namespace

TEST(picture_walls, sides_tell_walls_of_a_tank_from_bodies_and_from_hulls) {
    const auto tank = [](int x, int y, int z) { return x == 0 || y == 0 || z == 0 || x == 20 || y == 20; };
    const auto block = [](int x, int y, int z) { return x >= 12 && x < 16 && y >= 8 && y < 12 && z >= 2 && z < 8; };
    Cloud cloud;
    cloud.add(ParticleType::fixed, 0, tank);
    cloud.add(ParticleType::fixed, 1, block);
    cloud.add(ParticleType::fluid, 0, is_fluid);
    const std::vector<std::uint8_t> sides = wall_sides(sample::still_frame(cloud.set), layout_of(cloud.set));
    ASSERT_EQ(sides.size(), cloud.set.boundary_count);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Vec3d p = cloud.set.position[i];
        const bool is_wall = i < cloud.set.blocks[0].count;
        EXPECT_EQ((sides[i] & 1) != 0, is_wall && p.x < 0.05);
        EXPECT_EQ((sides[i] & 2) != 0, is_wall && p.x > 1.95);
        EXPECT_EQ((sides[i] & 16) != 0, is_wall && p.z < 0.05);
        EXPECT_EQ(sides[i] & (32 | around_fluid), 0); // it has no lid
        EXPECT_EQ(sides[i] == 0, !is_wall);
    }
    Cloud pot; // a sphere around the fluid
    pot.add(ParticleType::fixed, 0, [](int x, int y, int z) {
        const int r2 = (x - 10) * (x - 10) + (y - 10) * (y - 10) + (z - 10) * (z - 10);
        return r2 > 81 && r2 <= 100;
    });
    pot.add(ParticleType::fluid, 0, is_fluid);
    for (const std::uint8_t side : wall_sides(sample::still_frame(pot.set), layout_of(pot.set)))
        EXPECT_EQ(side, around_fluid);
}

TEST(picture_walls, the_walls_of_a_tank_towards_the_eye_are_left_out_and_what_stands_in_it_stays) {
    Cloud cloud; // with walls of two layers and no lid; a block stands on the floor
    cloud.add(ParticleType::fixed, 0, [](int x, int y, int z) { return x < 2 || y < 2 || z < 2 || x > 18 || y > 18; });
    cloud.add(ParticleType::fixed, 1,
              [](int x, int y, int z) { return x >= 12 && x < 16 && y >= 8 && y < 12 && z >= 2 && z < 8; });
    cloud.add(ParticleType::fluid, 0, is_fluid);
    const WallLooks looks = seen(cloud, -60, 20); // from +x, −y and above
    const auto in_tank = [](const Vec3d& p) { return p.y > 0.15 && p.x < 1.85; };
    EXPECT_EQ(count(cloud, looks, WallLook::left_out, in_tank), 0);
    EXPECT_EQ(count(cloud, looks, WallLook::solid, [&](const Vec3d& p) { return !in_tank(p); }), 0);
    EXPECT_EQ(count(cloud, looks, WallLook::mist, [](const Vec3d&) { return true; }), 0);
    // the same tank from above shows all that has no lid
    const WallLooks above = seen(cloud, -60, 90);
    EXPECT_EQ(count(cloud, above, WallLook::left_out, [](const Vec3d&) { return true; }), 0);
}

TEST(picture_walls, a_hull_that_hides_the_fluid_is_mist) {
    Cloud cloud;
    cloud.add(ParticleType::fixed, 0, [](int x, int y, int z) {
        const double r = std::hypot(x - 10.0, y - 10.0, z - 10.0);
        return r > 8.5 && r <= 10;
    });
    cloud.add(ParticleType::fluid, 0, [](int x, int y, int z) { return std::hypot(x - 10.0, y - 10.0, z - 10.0) < 6; });
    const WallLooks looks = seen(cloud, -60, 20);
    EXPECT_EQ(count(cloud, looks, WallLook::solid, [](const Vec3d&) { return true; }), 0);
    EXPECT_GT(count(cloud, looks, WallLook::mist, [](const Vec3d&) { return true; }), 1000);
}

TEST(picture_walls, surfaces_are_shaded_by_where_they_face) {
    Cloud cloud; // a solid ball, the water behind it
    cloud.add(ParticleType::fixed, 1, [](int x, int y, int z) { return std::hypot(x - 10.0, y - 5.0, z - 10.0) < 5; });
    cloud.add(ParticleType::fluid, 0, [](int x, int y, int z) { return x < 3 && y > 15 && z < 10; });
    const WallLooks looks = seen(cloud, -90, 0); // from −y: x goes right, z up; light comes from the upper left
    const auto red_at = [&](const Vec3d& at) {
        for (std::size_t i = 0; i < looks.look.size(); ++i) {
            const Vec3d r = cloud.set.position[i] - at;
            if (dot(r, r) < 1e-6) return static_cast<int>(looks.colour[i] >> 16);
        }
        return -1;
    };
    EXPECT_GT(red_at({0.8, 0.2, 1.3}), red_at({1.2, 0.2, 0.7}) + 20);
    EXPECT_GT(red_at({1.2, 0.2, 0.7}), 0);
}
