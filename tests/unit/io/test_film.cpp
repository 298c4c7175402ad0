// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/pictures/camera_path.h"
#include "io/pictures/frame_between.h"
#include "io/pictures/movie.h"
#include "io/pictures/picture_scene.h"
#include "model/derive.h"
#include "sample.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;

namespace film_tests {
namespace {

std::vector<FrameEntry> frames_at(const std::vector<double>& times) {
    std::vector<FrameEntry> frames;
    for (const double time : times) {
        FrameEntry entry;
        entry.number = static_cast<int>(frames.size());
        entry.time = time;
        frames.push_back(entry);
    }
    return frames;
}

/// One particle of fluid.
Frame one_particle(double time, const Vec3d& place, const Vec3f& velocity, float pressure) {
    Frame frame;
    frame.time = time;
    frame.id = {7};
    frame.position = {place};
    frame.velocity = {velocity};
    frame.pressure = {pressure};
    frame.density = {1000};
    return frame;
}

RunSetup all_fluid() {
    RunSetup setup;
    setup.set_groups(ParticleGroups::of(0, 100));
    setup.domain.min = {0, 0, 0};
    setup.domain.max = {10, 10, 10};
    return setup;
}

std::string message_of(const std::string& text, bool two_d) {
    try {
        CameraPath(text, "path.txt", two_d);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// Water as wide as it is high, 1 m, in the plane y = 0, seen with one metre of space around it.
struct FlatWater {
    Frame frame;
    ParticleLayout layout;
    PictureOptions options;

    explicit FlatWater(FluidLook look) {
        constexpr double dp = 0.05;
        for (int k = 0; k < 20; ++k)
            for (int i = 0; i < 20; ++i) frame.position.push_back({(i + 0.5) * dp, 0, (k + 0.5) * dp});
        frame.position.push_back({1.6, 0, 1.6}); // a drop
        for (std::uint32_t id = 0; id < frame.position.size(); ++id) frame.id.push_back(id);
        frame.velocity.assign(frame.size(), Vec3f{1, 0, 0});
        frame.density.assign(frame.size(), 1000.f);
        frame.pressure.assign(frame.size(), 0.f);
        layout.dp = dp;
        layout.two_d = true;
        layout.blocks = {{{1, 0, ParticleType::fluid, 0, 401}, {}, {}, {}}};
        layout.groups = groups_of(layout.blocks);
        auto run = std::make_shared<RunSetup>();
        run->constants.two_d = true;
        run->constants.dp = dp;
        run->constants.h = sph::smoothing_length(1, dp, true);
        run->constants.c0 = 60;
        sph::derive(run->constants);
        options.run = run;
        options.fluid = look;
        options.range = ValueRange{0, 2};
        options.view = Box{{-1, 0, -1}, {2, 0, 2}};
    }
    /// Pixels of the colour that a speed of 1 has on the scale, and of others that are coloured, by area in m².
    double area_of_fluid() const {
        const PictureBytes picture = picture_pixels(frame, layout, options);
        const Colour middle = map_colour(0.5);
        int count = 0;
        const int scale_begins = picture.width - 170; // the key
        for (int y = 0; y < picture.height; ++y)
            for (int x = 0; x < scale_begins; ++x) {
                const auto* pixel = reinterpret_cast<const unsigned char*>(picture.bgrx.data()) +
                                    4 * (std::size_t(y) * std::size_t(picture.width) + std::size_t(x));
                count += std::abs(pixel[0] - middle.blue) < 3 && std::abs(pixel[1] - middle.green) < 3 &&
                         std::abs(pixel[2] - middle.red) < 3;
            }
        const double pixels_a_metre = page_area(options).width / 3;
        return count / (pixels_a_metre * pixels_a_metre);
    }
};

} // namespace

TEST(film, without_a_speed_has_a_picture_a_frame) {
    MovieJob job;
    const auto shots = shots_of(frames_at({0, 0.1, 0.35}), job);
    ASSERT_EQ(shots.size(), 3u);
    EXPECT_EQ(shots[2].number, 2);
    EXPECT_EQ(shots[2].time, 0.35);
}

TEST(film, of_a_speed_shows_the_times_that_it_passes) {
    MovieJob job;
    job.frames_per_second = 10;
    job.speed = 0.5; // a picture every 0.05 s
    const auto frames = frames_at({1, 1.1, 1.2});
    const auto repeated = shots_of(frames, job);
    ASSERT_EQ(repeated.size(), 5u);
    const int nearest[] = {0, 1, 1, 2, 2}; // at a half the later one
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(repeated[k].number, nearest[k]) << k;
        EXPECT_FALSE(repeated[k].next);
        EXPECT_NEAR(repeated[k].time, 1 + 0.05 * double(k), 1e-12);
    }
    job.between = BetweenFrames::interpolate;
    const auto between = shots_of(frames, job);
    ASSERT_EQ(between.size(), 5u);
    EXPECT_FALSE(between[0].next);
    EXPECT_EQ(between[1].number, 0);
    EXPECT_EQ(*between[1].next, 1);
    EXPECT_NEAR(between[1].part, 0.5, 1e-9);
    EXPECT_EQ(between[4].number, 2);
    job.speed = 2; // every 0.2 s
    EXPECT_EQ(shots_of(frames, job).size(), 2u);
    job.speed = 1e-9;
    EXPECT_THROW(shots_of(frames, job), InputError);
}

TEST(film, between_frames_fluid_falls_as_its_velocities_say) {
    // x = 2 t, z = 5 − 4.9 t²: the cubic has it exactly.
    const Frame a = one_particle(0, {0, 0, 5}, {2, 0, 0}, 10), b = one_particle(1, {2, 0, 0.1}, {2, 0, -9.8f}, 30);
    const Frame at = frame_between(a, b, 0.25, all_fluid());
    EXPECT_NEAR(at.time, 0.25, 1e-12);
    EXPECT_NEAR(at.position[0].x, 0.5, 1e-6);
    EXPECT_NEAR(at.position[0].z, 5 - 4.9 * 0.0625, 1e-6);
    EXPECT_NEAR(at.pressure[0], 15, 1e-4);
    EXPECT_NEAR(at.velocity[0].z, -2.45, 1e-4);
    RunSetup boundary = all_fluid();
    boundary.set_groups(ParticleGroups::of(100, 0));
    EXPECT_NEAR(frame_between(a, b, 0.25, boundary).position[0].z, 5 - 4.9 * 0.25, 1e-6) << "in a straight line";
}

TEST(film, between_frames_lines_go_straight_and_broken_ones_stay_until_then) {
    Frame a = one_particle(0, {0, 0, 5}, {2, 0, 0}, 10), b = one_particle(1, {2, 0, 5}, {2, 0, 0}, 30);
    a.links = {{LinkKind::mooring_line, 0, {{0, 0, 0}, {4, 0, 8}}, {10, 30}},
               {LinkKind::mooring_line, 1, {{1, 0, 0}, {2, 0, 0}}, {5, 5}}};
    b.links = {{LinkKind::mooring_line, 0, {{0, 0, 0}, {8, 0, 4}}, {20, 10}}, {LinkKind::mooring_line, 1, {}, {}}};
    const std::vector<Link> at = frame_between(a, b, 0.25, all_fluid()).links;
    ASSERT_EQ(at.size(), 2u);
    EXPECT_EQ(at[0].points, (std::vector<Vec3d>{{0, 0, 0}, {5, 0, 7}}));
    EXPECT_EQ(at[0].load, (std::vector<float>{12.5f, 25}));
    EXPECT_EQ(at[1], a.links[1]);
}

TEST(film, between_frames_nothing_flies_across_periodic_sides_and_nothing_is_invented) {
    RunSetup setup = all_fluid();
    const Frame a = one_particle(0, {9.9, 0, 5}, {2, 0, 0}, 10);
    Frame b = one_particle(1, {0.1, 0, 5}, {2, 0, 0}, 30);
    EXPECT_NEAR(frame_between(a, b, 0.4, setup).position[0].x, 9.9 + 0.4 * (0.1 - 9.9), 1.5);
    setup.period.periodic[0] = true;
    EXPECT_EQ(frame_between(a, b, 0.4, setup).position[0].x, 9.9);
    EXPECT_EQ(frame_between(a, b, 0.6, setup).position[0].x, 0.1);
    b.id = {9}; // another one
    const Frame near_a = frame_between(a, b, 0.4, setup), near_b = frame_between(a, b, 0.6, setup);
    ASSERT_EQ(near_a.size(), 1u);
    EXPECT_EQ(near_a.id[0], 7u);
    EXPECT_EQ(near_a.pressure[0], 10);
    ASSERT_EQ(near_b.size(), 1u);
    EXPECT_EQ(near_b.id[0], 9u);
}

TEST(film, a_camera_goes_through_its_rows_and_never_beyond_them) {
    CameraPath path("# time azimuth elevation zoom\n0 -60 20 1\n1 -20 20 1\n3 20 40 2\n", "path.txt", false);
    PictureOptions options;
    options.view = Box{{0, 0, 0}, {4, 1, 2}};
    path.settle(options, {0, 1, 2, 3});
    const double whole = path.at(0, options).page->pixels_per_metre;
    EXPECT_EQ(path.at(-5, options).azimuth, -60);
    EXPECT_EQ(path.at(1, options).azimuth, -20);
    EXPECT_EQ(path.at(9, options).azimuth, 20);
    EXPECT_EQ(path.at(9, options).elevation, 40);
    EXPECT_NEAR(path.at(3, options).page->pixels_per_metre, 2 * whole, 1e-9);
    double before = -60;
    for (double time = 0; time <= 3; time += 0.05) {
        const PictureOptions at = path.at(time, options);
        EXPECT_GE(at.azimuth, before - 1e-9);
        before = at.azimuth;
        if (time <= 1) {
            EXPECT_NEAR(at.elevation, 20, 1e-9) << "it goes up after that";
        }
    }
    // The page does not change, and at zoom 1 the box fits on it.
    EXPECT_EQ(path.at(0.5, options).page->height, path.at(2.5, options).page->height);
    Projection projection = Projection::oblique(-60, 20);
    const double height =
        projection.fit(*options.view, 0, 0, page_area(options).width, path.at(0, options).page->height);
    EXPECT_LE(height, path.at(0, options).page->height + 1e-9);
    EXPECT_LE(whole, projection.scale() + 1e-9);
}

TEST(film, a_camera_in_the_plane_shows_its_rectangles_in_the_shape_of_the_page) {
    CameraPath path("0 0 0 4 2\n1 1 0 2 1\n", "path.txt", true);
    PictureOptions options;
    path.settle(options, {0, 1});
    const double width = page_area(options).width;
    const auto begin = path.at(0, options), end = path.at(1, options);
    EXPECT_NEAR(begin.page->height, width, 1e-9) << "the second is as high as it is wide";
    EXPECT_EQ(end.crop->min, (Vec3d{1, 0, 0}));
    EXPECT_NEAR(end.page->pixels_per_metre, width, 1e-9);
    EXPECT_NEAR(begin.crop->max.x - begin.crop->min.x, 4, 1e-12);
    EXPECT_NEAR(begin.crop->max.z - begin.crop->min.z, 4, 1e-12); // around its middle
    EXPECT_NEAR(begin.crop->min.z, -1, 1e-12);
}

TEST(film, wrong_rows_of_a_camera_are_named_with_their_line) {
    EXPECT_NE(message_of("0 1 2 1\n0 1 2 1\n", false).find("path.txt:2: the time 0 s is not after"), std::string::npos);
    EXPECT_NE(message_of("0 1 2 0\n", false).find("path.txt:1: the zoom 0 is not above zero"), std::string::npos);
    EXPECT_NE(message_of("0 1 2 1\n1 1 2 1 5 5 5\n", false).find("path.txt:2: the row has 7 numbers"),
              std::string::npos);
    EXPECT_NE(message_of("0 1 0 1 2\n", true).find("path.txt:1: the rectangle from (1, 0) to (1, 2) m is empty"),
              std::string::npos);
    EXPECT_NE(message_of("0 1 2\n", false).find("path.txt:1: "), std::string::npos);
    EXPECT_NE(message_of("# nothing\n", false).find("path.txt: has no rows"), std::string::npos);
    EXPECT_THROW(CameraPath::read("nowhere.txt", false), InputError);
}

TEST(film, the_area_of_flat_fluid_is_filled_and_drops_are_not_lost) {
    const double filled = FlatWater(FluidLook::surface).area_of_fluid();
    EXPECT_NEAR(filled, 1, 0.03);
    FlatWater only_drop(FluidLook::surface);
    for (std::size_t i = 0; i + 1 < only_drop.frame.size(); ++i) only_drop.frame.position[i].z += 50;
    EXPECT_GT(only_drop.area_of_fluid(), 0.001);
    EXPECT_LT(only_drop.area_of_fluid(), 0.01);
}

TEST(film, nearer_triangles_hide_those_behind_them) {
    PictureOptions options;
    options.width = 600;
    Projection projection = Projection::oblique(-90, 0); // along +y
    const PageArea area{0, 0, 100, 100};
    projection.centre({0, 0, 0}, area, 100);
    const auto canvas = draw_boundary(projection, area, {}, 0.1, false);
    ColouredMesh mesh;
    for (const double y : {0.5, -0.5}) { // far red, near blue, which is smaller
        const double r = y > 0 ? 0.45 : 0.2;
        for (const Vec3d& p : {Vec3d{-r, y, -r}, Vec3d{r, y, -r}, Vec3d{r, y, r}, Vec3d{-r, y, r}}) {
            mesh.points.push_back(p);
            mesh.normals.push_back({0, -1, 0});
            mesh.colour.push_back(y > 0 ? 0xff0000 : 0x0000ff);
        }
    }
    mesh.triangles = {{4, 5, 6}, {4, 6, 7}, {0, 1, 2}, {0, 2, 3}};
    const Pixels pixels = draw_fluid(*canvas, projection, {}, mesh, {}, 0.1, false);
    const auto at = [&](int x, int y) { return pixels.argb[std::size_t(y * pixels.width + x)]; };
    EXPECT_EQ(at(2, 2), 0u) << "nothing";
    EXPECT_EQ(at(50, 50) & 0xff0000, 0u);
    EXPECT_GT(at(50, 50) & 0xff, 0x80u);
    EXPECT_GT(at(10, 50) & 0xff0000, 0x800000u);
    EXPECT_EQ(at(10, 50) & 0xff, 0u);
}

} // namespace film_tests
