// SPDX-License-Identifier: Apache-2.0
#include "io/files/csv.h"
#include "io/report/motion_page.h"
#include "model/motion.h"
#include "temporary_folder.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <numbers>
#include <sstream>

using namespace sluice;

namespace {

constexpr double pi = std::numbers::pi;

/// Turns once in a second about the axis along y through (1, 0, 0).
Motions wheel() {
    Motions motions;
    MotionPiece turn;
    turn.kind = MotionKind::rotation;
    turn.axis = {0, 1, 0};
    turn.rate.x = 2 * pi;
    MotionSegment segment;
    segment.path = MotionPath::rotation;
    segment.piece_count = 1;
    motions.objects = {{{1, 0, 0}, -1, 0, 1}};
    motions.segments = {segment};
    motions.pieces = {turn};
    return motions;
}

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

} // namespace

TEST(motion_page, the_rotation_vector_goes_on_beyond_a_turn) {
    Vec3d vector;
    const Vec3d axis{2 / 3.0, -1 / 3.0, 2 / 3.0};
    for (int k = 1; k <= 100; ++k) {
        const RigidMotion m = motion::turn_about({}, axis, 0.25 * k);
        vector = rotation_vector(m.rotation, vector);
        EXPECT_NEAR(vector.x, 0.25 * k * axis.x, 1e-12);
        EXPECT_NEAR(vector.y, 0.25 * k * axis.y, 1e-12);
        EXPECT_NEAR(vector.z, 0.25 * k * axis.z, 1e-12);
    }
    vector = rotation_vector(RigidMotion{}.rotation, {});
    EXPECT_EQ(vector, Vec3d{});
    // half a turn has no axis of its own
    const Vec3d half = rotation_vector(motion::turn_about({}, {0, 1, 0}, pi).rotation, {0, 3.1, 0});
    EXPECT_NEAR(half.y, pi, 1e-9);
}

TEST(motion_page, every_moving_block_has_a_table_and_plots) {
    const TemporaryFolder folder;
    ParticleBlock moving{{15, 5, ParticleType::moving, 0, 4}, {}, {}, {3, 0, 0}};
    moving.motion = 0;
    const ParticleBlock still{{16, 6, ParticleType::moving, 4, 4}, {}, {}, {}};
    write_motion_page(folder.path() / "moves", "wheel", wheel(), {moving, still}, 2);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "moves/mkbound6.csv"));
    const CsvTable table = read_csv(folder.path() / "moves/mkbound5.csv");
    ASSERT_EQ(table.rows.size(), 2001u);
    const auto time = table.numbers("time [s]"), x = table.numbers("x [m]"), z = table.numbers("z [m]"),
               turning = table.numbers("turning_y [deg]"), vx = table.numbers("velocity_x [m/s]"),
               vz = table.numbers("velocity_z [m/s]"), rate = table.numbers("angular_velocity_y [rad/s]");
    for (std::size_t i = 0; i < time.size(); ++i) {
        const double angle = 2 * pi * time[i];
        EXPECT_NEAR(time[i], 0.001 * double(i), 1e-12);
        EXPECT_NEAR(x[i], 1 + 2 * std::cos(angle), 1e-12);
        EXPECT_NEAR(z[i], -2 * std::sin(angle), 1e-12);
        EXPECT_NEAR(turning[i], 360 * time[i], 1e-6);
        EXPECT_NEAR(vx[i], -4 * pi * std::sin(angle), 1e-11);
        EXPECT_NEAR(vz[i], -4 * pi * std::cos(angle), 1e-11);
        EXPECT_NEAR(rate[i], 2 * pi, 1e-12);
    }
    const std::string page = text_of(folder.path() / "moves/motion.html");
    EXPECT_NE(page.find("<h2>mkbound 5</h2>"), std::string::npos);
    EXPECT_EQ(page.find("mkbound 6"), std::string::npos);
    for (const char* title : {"place of the centre", "velocity of the centre", "turning"})
        EXPECT_NE(page.find(std::string(">") + title + "</text>"), std::string::npos) << title;
    EXPECT_EQ(page.find(">angular velocity</text>"), std::string::npos); // it does not change
}
