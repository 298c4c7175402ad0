// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/pictures/colour_map.h"
#include "io/pictures/gauge_marks.h"
#include "io/pictures/picture.h"
#include "io/pictures/picture_scene.h"
#include "sample.h"
#include "temporary_folder.h"

#include <algorithm>
#include <bit>
#include <cairo.h>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>
#include <utility>

using namespace sluice;

namespace {

struct Image {
    explicit Image(const std::filesystem::path& path) : surface(cairo_image_surface_create_from_png(path.c_str())) {}
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;
    ~Image() { cairo_surface_destroy(surface); }

    /// How many pixels each colour has.
    std::map<std::uint32_t, int> colours() const {
        std::map<std::uint32_t, int> count;
        const int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);
        const unsigned char* data = cairo_image_surface_get_data(surface);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const auto* row =
                    reinterpret_cast<const std::uint32_t*>(data + y * cairo_image_surface_get_stride(surface));
                ++count[row[x] & 0xffffff];
            }
        return count;
    }
    cairo_surface_t* surface;
};

ParticleSet tank(bool two_d) {
    ParticleSet set = sample::column(0.05);
    set.two_d = two_d;
    if (!two_d)
        for (std::size_t i = 0; i < set.position.size(); ++i) set.position[i].y = 0.05 * static_cast<double>(i % 10);
    return set;
}

/// The same on a floor of five layers.
ParticleSet tank_with_floor(bool two_d) {
    ParticleSet set = tank(two_d);
    set.boundary_count = 100;
    set.blocks = {{{10, 0, ParticleType::fixed, 0, 100}, {}, {}, {}},
                  {{1, 0, ParticleType::fluid, 100, set.size() - 100}, {}, {}, {}}};
    return set;
}

} // namespace

TEST(colour_map, rises_evenly_in_lightness) {
    const auto luminance = [](double v) {
        const Colour c = map_colour(v);
        const auto linear = [](double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(c.red / 255.0) + 0.7152 * linear(c.green / 255.0) + 0.0722 * linear(c.blue / 255.0);
    };
    const auto lightness = [&](double v) { return 116 * std::cbrt(luminance(v)) - 16; };
    for (double v = 0; v < 0.99; v += 0.125) EXPECT_NEAR(lightness(v + 0.125) - lightness(v), 74 * 0.125, 1.5) << v;
    EXPECT_EQ(packed(map_colour(-1)), packed(map_colour(0)));
    EXPECT_EQ(packed(map_colour(2)), packed(map_colour(1)));
}

TEST(picture, shows_the_fluid_in_the_colour_of_its_speed) {
    const TemporaryFolder folder;
    const ParticleSet set = tank(true);
    Frame frame = sample::still_frame(set);
    for (Vec3f& v : frame.velocity) v = {3, 0, 4};
    PictureOptions options;
    options.width = 500;
    options.range = ValueRange{0, 10};
    draw_picture(folder.path() / "a.png", frame, layout_of(set), options);
    const auto colours = Image(folder.path() / "a.png").colours();
    ASSERT_FALSE(colours.empty());
    const std::uint32_t half_scale = packed(map_colour(128 / 255.0));
    ASSERT_TRUE(colours.contains(half_scale));
    EXPECT_GT(colours.at(half_scale), 10000);
    EXPECT_GT(colours.at(0xffffff), 10000);
}

TEST(picture, three_dimensions_are_shaded) {
    const TemporaryFolder folder;
    const ParticleSet set = tank(false);
    draw_picture(folder.path() / "a.png", sample::still_frame(set), layout_of(set), {.width = 600});
    EXPECT_GT(Image(folder.path() / "a.png").colours().size(), 100u);
}

TEST(picture, empty_frames_and_not_a_numbers_are_drawn_too) {
    const TemporaryFolder folder;
    draw_picture(folder.path() / "empty.png", Frame{}, ParticleLayout{});
    const ParticleSet set = tank(true);
    Frame frame = sample::still_frame(set);
    frame.velocity[3].x = std::nanf("");
    frame.position[5].z = std::nan("");
    draw_picture(folder.path() / "nan.png", frame, layout_of(set), {.width = 400});
    EXPECT_GT(Image(folder.path() / "nan.png").colours().size(), 10u);
}

TEST(picture, is_svg_when_its_name_says_so) {
    const TemporaryFolder folder;
    const ParticleSet set = tank(true);
    draw_picture(folder.path() / "a.svg", sample::still_frame(set), layout_of(set), {.width = 400});
    const std::string text = sample::content_of(folder.path() / "a.svg");
    EXPECT_NE(text.find("<svg"), std::string::npos);
    EXPECT_NE(text.find("</svg>"), std::string::npos);
}

TEST(picture, is_pdf_when_its_name_says_so_and_refuses_what_it_cannot_draw) {
    const TemporaryFolder folder;
    const ParticleSet set = tank(true);
    draw_picture(folder.path() / "a.pdf", sample::still_frame(set), layout_of(set), {.width = 400});
    EXPECT_EQ(sample::content_of(folder.path() / "a.pdf").substr(0, 5), "%PDF-");
    for (const char* name : {"a.jpg", "a", "a.PNG"})
        EXPECT_THROW(draw_picture(folder.path() / name, sample::still_frame(set), layout_of(set)), InputError) << name;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "a.jpg"));
}

TEST(picture, scales_have_round_ends_and_leave_out_the_outermost_hundredths) {
    const ParticleSet set = tank(true);
    Frame frame = sample::still_frame(set);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        frame.pressure[i] = static_cast<float>(1000 + 10 * (i % 100));
        frame.velocity[i] = {0, 0, -0.5f};
    }
    frame.pressure[7] = -1e9f;
    frame.pressure[8] = 1e9f;
    frame.pressure[9] = std::nanf("");
    const ValueRange pressure = value_range(frame, layout_of(set), PictureValue::pressure);
    EXPECT_DOUBLE_EQ(pressure.low, 1000);
    EXPECT_DOUBLE_EQ(pressure.high, 2000);
    EXPECT_EQ(value_range(frame, layout_of(set), PictureValue::speed).low, 0);
    const ValueRange still = value_range(frame, layout_of(set), PictureValue::vz);
    EXPECT_LT(still.low, -0.5);
    EXPECT_GT(still.high, -0.5);
    const ValueRange none = value_range(Frame{}, {}, PictureValue::density);
    EXPECT_LT(none.low, none.high);
}

TEST(picture, frames_at_rest_have_no_scale_for_a_film) {
    const ParticleSet set = tank(true);
    Frame frame = sample::still_frame(set);
    for (auto& v : frame.velocity) v = {};
    EXPECT_FALSE(varied_range(frame, layout_of(set), PictureValue::speed)) << "its 0 to 1 m/s would darken slow waves";
    EXPECT_FALSE(varied_range(frame, layout_of(set), PictureValue::vz));
    EXPECT_EQ(value_range(frame, layout_of(set), PictureValue::speed).high, 1);
    for (std::size_t i = 0; i < frame.size(); ++i) frame.velocity[i] = {0, 0, 0.001f * float(i % 100)};
    const auto moving = varied_range(frame, layout_of(set), PictureValue::speed);
    ASSERT_TRUE(moving);
    EXPECT_EQ(moving->low, 0);
    EXPECT_NEAR(moving->high, 0.1, 1e-9);
}

TEST(picture, noise_of_the_pressure_does_not_take_the_colours_from_the_rest) {
    const ParticleSet set = tank(true);
    Frame frame = sample::still_frame(set);
    for (std::size_t i = 0; i < frame.size(); ++i) { // 0 to 1980 Pa, and of each hundred eight far below and four above
        const std::size_t k = i % 100;
        frame.pressure[i] = k < 8 ? -9000.f - float(k) : k >= 96 ? 9000.f : 20.f * float(k - 8);
        frame.velocity[i] = {0, 0, frame.pressure[i]};
    }
    const ValueRange pressure = value_range(frame, layout_of(set), PictureValue::pressure);
    EXPECT_DOUBLE_EQ(pressure.low, 0);
    EXPECT_LE(pressure.high, 2000);
    EXPECT_LE(value_range(frame, layout_of(set), PictureValue::vz).low, -9000) << "velocities have no such noise";
}

TEST(picture, one_violent_frame_does_not_set_the_scale_of_the_pressure_in_a_film) {
    const std::vector<ValueRange> ranges{{0, 2}, {0, 2}, {-50, 90}, {0, 3}, {-1, 2}};
    const ValueRange pressure = joined(ranges, PictureValue::pressure), speed = joined(ranges, PictureValue::speed);
    EXPECT_EQ(pressure.low, -1);
    EXPECT_EQ(pressure.high, 3);
    EXPECT_EQ(speed.low, -50);
    EXPECT_EQ(speed.high, 90);
    std::vector<ValueRange> many(10, {0, 2});
    many[4] = {0, 90};
    EXPECT_EQ(joined(many, PictureValue::speed).high, 2);
}

TEST(picture, ends_of_the_scale_beyond_which_there_are_values_are_tips) {
    const TemporaryFolder folder;
    const ParticleSet set = tank(true);
    Frame frame = sample::still_frame(set);
    for (std::size_t i = 0; i < frame.velocity.size(); ++i) frame.velocity[i] = {i % 2 ? 3.0f : 1.0f, 0, 0};
    const auto extremes = value_extremes(frame, layout_of(set), PictureValue::vx);
    ASSERT_TRUE(extremes);
    EXPECT_EQ(extremes->low, 1);
    EXPECT_EQ(extremes->high, 3);
    const auto pixels_of_the_ends = [&](ValueRange range) {
        draw_picture(folder.path() / "a.png", frame, layout_of(set),
                     {.width = 500, .value = PictureValue::vx, .range = range, .marks = {}});
        const auto colours = Image(folder.path() / "a.png").colours();
        const auto count = [&](double end) {
            const auto found = colours.find(packed(map_colour(end)));
            return found == colours.end() ? 0 : found->second;
        };
        return std::pair(count(0), count(1));
    };
    // Of particles and scale together; the range leaves the particles their colours.
    const auto [low_inside, high_inside] = pixels_of_the_ends({1, 3});
    const auto [low_beyond, high_beyond] = pixels_of_the_ends({1 + 1e-9, 3 - 1e-9});
    EXPECT_GT(low_beyond, low_inside + 50);
    EXPECT_GT(high_beyond, high_inside + 50);
}

TEST(picture, has_no_scale_where_nothing_in_view_has_the_value) {
    const TemporaryFolder folder;
    const ParticleSet set = tank(true);
    const Frame frame = sample::still_frame(set);
    const auto of_the_scale = [&](std::optional<Box> crop) {
        PictureOptions options{.width = 500};
        options.crop = crop;
        draw_picture(folder.path() / "a.png", frame, layout_of(set), options);
        int bright = 0; // of yellow pixels, the upper end of the scale; all the fluid rests
        for (const auto& [colour, pixels] : Image(folder.path() / "a.png").colours())
            if ((colour >> 8 & 0xff) > (colour & 0xff) + 0x60) bright += pixels;
        return bright;
    };
    EXPECT_GT(of_the_scale({}), 10);
    EXPECT_EQ(of_the_scale(Box{{90, 0, 90}, {91, 0, 91}}), 0);
    EXPECT_FALSE(value_extremes(frame, layout_of(set), PictureValue::speed, Box{{90, 0, 90}, {91, 0, 91}}));
}

TEST(picture, gauges_are_marked_where_they_measure) {
    std::vector<Gauge> gauges;
    const auto add = [&](const char* name, GaugeKind kind) {
        gauges.emplace_back();
        gauges.back().name = name;
        gauges.back().kind = std::move(kind);
    };
    add("level", SurfaceLine{.point0 = {1, 0, 0}, .point2 = {1, 0, 2}});
    add("speed", VelocityPoint{{0.5, 0, 0.5}});
    add("load", BoundaryForce{});
    add("flow", FlowRectangle{.point0 = {0, 0, 0}, .point1 = {0, 0, 1}, .point2 = {0, 1, 0}});
    MeasuringMesh mesh;
    mesh.origin = {1, 0, 0};
    mesh.step[0] = {1, 0, 0};
    mesh.step[2] = {0, 0, 1};
    mesh.count = {3, 1, 5};
    add("field", mesh);
    const std::vector<PictureMark> marks = gauge_marks(gauges);
    ASSERT_EQ(marks.size(), 4u);
    EXPECT_EQ(marks[0].points.size(), 2u);
    EXPECT_EQ(marks[1].points.size(), 1u);
    EXPECT_TRUE(marks[2].is_closed);
    EXPECT_EQ(marks[2].points[2].y, 1);
    EXPECT_EQ(marks[2].points[2].z, 1);
    Vec3d high{};
    for (const Vec3d& p : marks[3].points) high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    EXPECT_EQ(high.x, 3);
    EXPECT_EQ(high.z, 4);
    mesh.step[1] = {0, 1, 0};
    mesh.count = {3, 2, 5};
    add("block", mesh);
    std::set<std::pair<int, int>> edges; // of a block, whose corners have three bits each
    const std::vector<Vec3d> corners = gauge_marks(gauges)[4].points;
    const auto number = [&](const Vec3d& p) {
        const Vec3d of_origin = p - mesh.origin;
        return (of_origin.x > 0.1) + 2 * (of_origin.y > 0.1) + 4 * (of_origin.z > 0.1);
    };
    for (std::size_t k = 1; k < corners.size(); ++k)
        edges.insert(std::minmax(number(corners[k - 1]), number(corners[k])));
    EXPECT_EQ(edges.size(), 12u);
    for (const auto& [a, b] : edges) EXPECT_EQ(std::popcount(unsigned(a ^ b)), 1) << a << " to " << b;

    const TemporaryFolder folder;
    const ParticleSet set = tank(true);
    const auto reddish = [&](std::vector<PictureMark> drawn) {
        PictureOptions options{.width = 500};
        options.value = PictureValue::mk;
        options.marks = std::move(drawn);
        draw_picture(folder.path() / "a.png", sample::still_frame(set), layout_of(set), options);
        int count = 0; // of pixels about the colour of marks
        for (const auto& [colour, pixels] : Image(folder.path() / "a.png").colours())
            if (colour >> 16 > 0xa0 && (colour >> 8 & 0xff) < 0x80) count += pixels;
        return count;
    };
    EXPECT_EQ(reddish({}), 0);
    EXPECT_GT(reddish({{"level", {{0.1, 0, 0.02}, {0.1, 0, 0.5}}}}), 20);
}

TEST(picture, colours_follow_the_chosen_value_and_the_box) {
    const TemporaryFolder folder;
    const ParticleSet set = tank(true);
    Frame frame = sample::still_frame(set);
    for (std::size_t i = 0; i < frame.size(); ++i) frame.pressure[i] = frame.position[i].x < 0.5 ? 0.f : 1000.f;
    PictureOptions options{.width = 500, .value = PictureValue::pressure, .range = ValueRange{0, 1000}};
    const auto pixels = [&](std::uint32_t colour) {
        draw_picture(folder.path() / "a.png", frame, layout_of(set), options);
        const auto colours = Image(folder.path() / "a.png").colours();
        return colours.contains(colour) ? colours.at(colour) : 0;
    };
    const std::uint32_t low = packed(map_colour(0)), high = packed(map_colour(1));
    EXPECT_GT(pixels(low), 10000);
    EXPECT_GT(pixels(high), 10000);
    options.crop = Box{{0.6, 0, 0}, {1, 0, 2}};
    EXPECT_LT(pixels(low), 5000) << "the colour scale alone";
    EXPECT_GT(pixels(high), 10000);
    options.crop.reset();
    options.value = PictureValue::mk;
    EXPECT_GT(pixels(block_colour(layout_of(set), 0)), 10000);
}

TEST(picture, pressure_on_walls_colours_the_walls_alone_and_those_that_no_fluid_reaches_stay_grey) {
    const TemporaryFolder folder;
    const ParticleSet set = tank_with_floor(true);
    Frame frame = sample::still_frame(set);
    const auto draw = [&](const ParticleLayout& layout) {
        const PictureOptions options{.width = 500, .value = PictureValue::wall_pressure, .range = ValueRange{0, 1000}};
        draw_picture(folder.path() / "a.png", frame, layout, options);
        return Image(folder.path() / "a.png").colours();
    };
    const std::uint32_t high = packed(map_colour(1)), none = packed(map_colour(std::nan("")));
    frame.wall_pressure.assign(frame.size(), std::nanf(""));
    std::fill_n(frame.wall_pressure.begin(), set.boundary_count, 0.f);
    const auto dry = draw(layout_of(set));
    std::fill_n(frame.wall_pressure.begin(), set.boundary_count, 1000.f);
    const auto wet = draw(layout_of(set));
    EXPECT_GT(dry.at(none), 1000);
    EXPECT_GT(wet.at(high), dry.contains(high) ? dry.at(high) + 1000 : 1000);
    EXPECT_LT(wet.contains(none) ? wet.at(none) : 0, 100);
    EXPECT_GT(wet.at(0xd3dde6), 10000) << "the fluid";

    const ParticleSet solid = tank_with_floor(false); // the fluid would hide its walls
    EXPECT_FALSE(draw(layout_of(solid)).contains(0xd3dde6));
    EXPECT_EQ(shared_background(frame, layout_of(set), {.view = Box{}, .value = PictureValue::wall_pressure}), nullptr);
}

TEST(picture, the_scale_of_the_pressure_on_walls_is_that_of_walls_in_reach_of_fluid) {
    const ParticleSet set = tank_with_floor(true);
    Frame frame = sample::still_frame(set);
    frame.wall_pressure.assign(frame.size(), std::nanf(""));
    for (std::size_t i = 0; i < set.boundary_count; ++i)
        frame.wall_pressure[i] = i % 2 ? 0.f : 4000.f + 10.f * (i % 100);
    const ValueRange range = value_range(frame, layout_of(set), PictureValue::wall_pressure);
    EXPECT_DOUBLE_EQ(range.low, 4000);
    EXPECT_DOUBLE_EQ(range.high, 5000);
    frame.wall_pressure.clear();
    EXPECT_EQ(value_range(frame, layout_of(set), PictureValue::wall_pressure).high, 1);
}

TEST(picture, leaves_room_for_the_scales_beside_a_scene_that_is_seen_from_the_front) {
    const Box box{{0, 0, 0}, {2, 1, 1}};
    const auto beyond = [&](double azimuth, double elevation) {
        Projection projection = Projection::oblique(azimuth, elevation);
        projection.fit(box, 100, 0, 500, 1000);
        return scales_beyond(projection, box, 600);
    };
    EXPECT_GT(beyond(-90, 22), 64 + 40); // its y axis is upright: the gap and "y (m)"
    EXPECT_LT(beyond(-58, 22), 20);
    EXPECT_EQ(beyond(-90, 0), 0); // its y axis is a point
}
