// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/colour_map.h"
#include "io/pictures/picture_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace sluice {
namespace {

constexpr double small_text = 19, tick_length = 7;
constexpr double shortest_edge = 24; // pixels: an axis seen end on has no scale

void ink(cairo_t* page, double grey, double width) {
    cairo_set_source_rgb(page, grey, grey, grey);
    cairo_set_line_width(page, width);
}

double text_width(cairo_t* page, const std::string& text, double size, bool bold = false) {
    cairo_select_font_face(page, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(page, size);
    cairo_text_extents_t extents;
    cairo_text_extents(page, text.c_str(), &extents);
    return extents.x_advance;
}

void line(cairo_t* page, double x0, double y0, double x1, double y1) {
    cairo_move_to(page, x0, y0);
    cairo_line_to(page, x1, y1);
    cairo_stroke(page);
}

/// Ticks at whole multiples of a round step, as numbers with just the decimals that the step needs.
struct Ticks {
    Ticks(double from, double to, int most) {
        double step = round_step(to - from, most);
        at = multiples_of(step, from, to);
        constexpr int too_many = 100;
        while (at.size() < 2 && most < too_many) { // one tick says nothing of the scale
            step = round_step(to - from, most *= 2);
            at = multiples_of(step, from, to);
        }
        if (at.empty()) return;
        const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
        for (const double value : at) text.push_back(fmt::format("{:.{}f}", value, decimals));
    }
    std::vector<double> at;
    std::vector<std::string> text;
};

/// Where labels stand already.
class Labels {
public:
    /// Whether a text that is drawn so meets none of the others; then its place is taken.
    bool take(cairo_t* page, double x, double y, const std::string& text, double across) {
        const double width = text_width(page, text, small_text);
        const Box2 own{x - across * width - 4, y - small_text / 2, x + (1 - across) * width + 4, y + small_text / 2};
        for (const Box2& b : taken_)
            if (own.left < b.right && b.left < own.right && own.top < b.bottom && b.top < own.bottom) return false;
        taken_.push_back(own);
        return true;
    }

private:
    struct Box2 {
        double left, top, right, bottom;
    };
    std::vector<Box2> taken_;
};

int ticks_for(double pixels) { return std::clamp(static_cast<int>(pixels / 110), 2, 12); }

double distance(const Vec3d& a, const Vec3d& b) { return std::hypot(a.x - b.x, a.y - b.y); }

Vec3d corner(const Box& box, int bits) {
    return {bits & 1 ? box.max.x : box.min.x, bits & 2 ? box.max.y : box.min.y, bits & 4 ? box.max.z : box.min.z};
}

/// The corner farthest from the viewer: its three edges lie behind everything.
int farthest_corner(const Projection& projection, const Box& box) {
    int farthest = 0;
    for (int c = 1; c < 8; ++c)
        if (projection(corner(box, c)).z < projection(corner(box, farthest)).z) farthest = c;
    return farthest;
}

/// An edge of the box on the page, with the place of its scale.
struct Edge {
    Edge(const Projection& projection, const Box& box, int from, int axis)
        : a(projection(corner(box, from & ~(1 << axis)))), b(projection(corner(box, from | 1 << axis))),
          centre(0.5 * (a + b)) {
        const Vec3d middle = projection(0.5 * (box.min + box.max));
        out = {-(b.y - a.y), b.x - a.x, 0};
        out = (1 / std::max(std::hypot(out.x, out.y), 1.0)) * out;
        if ((centre.x - middle.x) * out.x + (centre.y - middle.y) * out.y < 0) out = -1.0 * out;
    }
    bool has_scale() const { return distance(a, b) >= shortest_edge; }
    /// Where a text outside of it is anchored, from 0, its left end, to 1.
    double across() const { return 0.5 - 0.5 * out.x; }
    /// From the edge to its name, pixels.
    double name_gap() const { return 40 + 24 * std::abs(out.x); }

    Vec3d a, b, centre;
    Vec3d out; ///< across the edge, away from the middle of the box
};

/// Ticks and name along one edge of the box, outside of it.
void draw_edge_ticks(cairo_t* page, const Projection& projection, const Box& box, int from, int axis, Labels& labels) {
    const Edge edge(projection, box, from, axis);
    if (!edge.has_scale()) return;
    const double low = box.min[axis], high = box.max[axis];
    const auto along = [&](double value) { return edge.a + ((value - low) / (high - low)) * (edge.b - edge.a); };
    const Vec3d& out = edge.out;
    const Ticks ticks(low, high, std::clamp(static_cast<int>(distance(edge.a, edge.b) / 62), 3, 12));
    ink(page, 0.25, 1.5);
    for (std::size_t k = 0; k < ticks.at.size(); ++k) {
        const Vec3d p = along(ticks.at[k]);
        line(page, p.x, p.y, p.x + tick_length * out.x, p.y + tick_length * out.y);
        const double x = p.x + 2.4 * tick_length * out.x, y = p.y + 2.9 * tick_length * out.y;
        if (labels.take(page, x, y, ticks.text[k], edge.across()))
            draw_text(page, x, y, ticks.text[k], edge.across(), small_text);
    }
    const char* names[] = {"x (m)", "y (m)", "z (m)"};
    draw_text(page, edge.centre.x + edge.name_gap() * out.x,
              edge.centre.y + edge.name_gap() * out.y + 6 * std::abs(out.y), names[axis], edge.across(),
              small_text + 1);
}

/// The lower corner nearest to the viewer carries the x and the y scale.
int corner_of_scales(const Projection& projection, const Box& box) {
    return (7 - farthest_corner(projection, box)) & 3;
}

} // namespace

double round_step(double range, int most) {
    const double raw = std::max(range, 1e-12) / most;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::vector<double> multiples_of(double step, double from, double to) {
    constexpr double rounding = 1e-6; // of a step
    const double first = std::ceil(from / step - rounding), last = std::floor(to / step + rounding);
    std::vector<double> multiples;
    constexpr double most_exact = 1e12; // multiples that are so large are told apart
    if (!(std::abs(first) < most_exact && std::abs(last) < most_exact)) return multiples;
    for (double k = first; k <= last; ++k) multiples.push_back(k == 0 ? 0 : k * step);
    return multiples;
}

std::string fitting_text(cairo_t* page, const std::string& text, double size, bool bold, double width) {
    std::string shown = text;
    for (std::size_t kept = text.size(); text_width(page, shown, size, bold) > width && kept > 0;) {
        do --kept;
        while (kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xc0) == 0x80); // not within a character
        shown = text.substr(0, kept) + "…";
    }
    return shown;
}

void draw_text(cairo_t* page, double x, double y, const std::string& text, double across, double size, bool bold) {
    const double width = text_width(page, text, size, bold);
    cairo_move_to(page, x - across * width, y + 0.36 * size);
    cairo_set_source_rgb(page, 0.12, 0.12, 0.14);
    cairo_show_text(page, text.c_str());
}

void draw_flat_axes(cairo_t* page, const Projection& projection, const PageArea& area, const Box& box) {
    const double bottom = area.top + area.height, right = area.left + area.width;
    ink(page, 0.25, 1.5);
    cairo_rectangle(page, area.left, area.top, area.width, area.height);
    cairo_stroke(page);
    const Ticks xs(box.min.x, box.max.x, ticks_for(area.width));
    for (std::size_t k = 0; k < xs.at.size(); ++k) {
        const double x = projection({xs.at[k], 0, 0}).x;
        if (x < area.left || x > right) continue;
        ink(page, 0.25, 1.5);
        line(page, x, bottom, x, bottom + tick_length);
        draw_text(page, x, bottom + 22, xs.text[k], 0.5, small_text);
    }
    const Ticks zs(box.min.z, box.max.z, std::max(2, ticks_for(area.height * 1.4)));
    for (std::size_t k = 0; k < zs.at.size(); ++k) {
        const double y = projection({0, 0, zs.at[k]}).y;
        if (y < area.top || y > bottom) continue;
        ink(page, 0.25, 1.5);
        line(page, area.left - tick_length, y, area.left, y);
        draw_text(page, area.left - 12, y, zs.text[k], 1, small_text);
    }
    draw_text(page, area.left + area.width / 2, bottom + 50, "x (m)", 0.5, small_text + 1);
    cairo_save(page);
    cairo_translate(page, area.left - 76, area.top + area.height / 2);
    cairo_rotate(page, -1.5707963267948966);
    draw_text(page, 0, 0, "z (m)", 0.5, small_text + 1);
    cairo_restore(page);
}

double scales_beyond(const Projection& projection, const Box& box, double right) {
    constexpr double name_width = 2.9 * small_text; // of "y (m)"
    double reach = right;
    for (const int axis : {0, 1}) {
        const Edge edge(projection, box, corner_of_scales(projection, box), axis);
        if (edge.has_scale())
            reach = std::max(reach, edge.centre.x + edge.name_gap() * edge.out.x + (1 - edge.across()) * name_width);
    }
    return reach - right;
}

void draw_solid_axes(cairo_t* page, const Projection& projection, const Box& box, bool front) {
    const int farthest = farthest_corner(projection, box);
    ink(page, front ? 0.55 : 0.78, 1.0);
    for (int c = 0; c < 8; ++c)
        for (int axis = 0; axis < 3; ++axis) {
            if (c & 1 << axis) continue;
            const int other = c | 1 << axis;
            const bool behind = c == farthest || other == farthest;
            if (behind == front) continue;
            const Vec3d a = projection(corner(box, c)), b = projection(corner(box, other));
            line(page, a.x, a.y, b.x, b.y);
        }
    if (!front) return;
    const int near_bottom = corner_of_scales(projection, box);
    const int longer = box.max.x - box.min.x > box.max.y - box.min.y ? 0 : 1; // first: where two scales meet, it stays
    Labels labels;
    draw_edge_ticks(page, projection, box, near_bottom, longer, labels);
    draw_edge_ticks(page, projection, box, near_bottom, 1 - longer, labels);
    // z goes along the upright edge that is outermost on the left.
    int leftmost = 0;
    for (int c = 1; c < 4; ++c)
        if (projection(corner(box, c)).x < projection(corner(box, leftmost)).x) leftmost = c;
    draw_edge_ticks(page, projection, box, leftmost, 2, labels);
}

namespace {

/// The end of a colour scale beyond which there are values. `tip`: its y.
void draw_scale_tip(cairo_t* page, const PageArea& area, double end, double tip, const Colour& colour) {
    cairo_move_to(page, area.left, end);
    cairo_line_to(page, area.left + area.width / 2, tip);
    cairo_line_to(page, area.left + area.width, end);
    cairo_close_path(page);
    cairo_set_source_rgb(page, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0);
    cairo_fill_preserve(page);
    ink(page, 0.25, 1.2);
    cairo_stroke(page);
}

} // namespace

void draw_scale(cairo_t* page, const PageArea& area, const ValueRange& range, const ValueRange& shown,
                const char* label, double page_width) {
    cairo_pattern_t* colours = cairo_pattern_create_linear(0, area.top + area.height, 0, area.top);
    for (int k = 0; k <= 64; ++k) {
        const Colour c = map_colour(k / 64.0);
        cairo_pattern_add_color_stop_rgb(colours, k / 64.0, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
    }
    cairo_rectangle(page, area.left, area.top, area.width, area.height);
    cairo_set_source(page, colours);
    cairo_fill_preserve(page);
    cairo_pattern_destroy(colours);
    ink(page, 0.25, 1.2);
    cairo_stroke(page);
    const Ticks ticks(range.low, range.high, std::clamp(static_cast<int>(area.height / 60), 2, 8));
    const double right = area.left + area.width;
    for (std::size_t k = 0; k < ticks.at.size(); ++k) {
        const double y = area.top + area.height * (range.high - ticks.at[k]) / (range.high - range.low);
        ink(page, 0.25, 1.2);
        line(page, right, y, right + tick_length, y);
        draw_text(page, right + 12, y, ticks.text[k], 0, small_text);
    }
    constexpr double tip_height = 13;
    const double bottom = area.top + area.height;
    if (shown.low < range.low) draw_scale_tip(page, area, bottom, bottom + tip_height, map_colour(0));
    if (shown.high > range.high) draw_scale_tip(page, area, area.top, area.top - tip_height, map_colour(1));
    const double label_left = std::min(area.left, page_width - 8 - text_width(page, label, small_text));
    draw_text(page, label_left, area.top - 26, label, 0, small_text);
}

namespace {

void trace_mark(cairo_t* page, const Projection& projection, const PictureMark& mark) {
    constexpr double arm = 7;
    const Vec3d first = projection(mark.points.front());
    if (mark.points.size() == 1) {
        line(page, first.x - arm, first.y, first.x + arm, first.y);
        line(page, first.x, first.y - arm, first.x, first.y + arm);
        return;
    }
    cairo_move_to(page, first.x, first.y);
    for (const Vec3d& point : mark.points) cairo_line_to(page, projection(point).x, projection(point).y);
    if (mark.is_closed) cairo_close_path(page);
    cairo_stroke(page);
}

/// A line through the points of a link, with dots at its ends.
void trace_link(cairo_t* page, const Projection& projection, const Link& link, double dot_radius) {
    constexpr double turn = 6.283185307179586;
    for (std::size_t k = 0; k < link.points.size(); ++k) {
        const Vec3d p = projection(link.points[k]);
        k == 0 ? cairo_move_to(page, p.x, p.y) : cairo_line_to(page, p.x, p.y);
    }
    cairo_stroke(page);
    for (const std::size_t end : {std::size_t{0}, link.points.size() - 1}) {
        const Vec3d p = projection(link.points[end]);
        cairo_arc(page, p.x, p.y, dot_radius, 0, turn);
        cairo_fill(page);
    }
}

} // namespace

void draw_links(cairo_t* page, const Projection& projection, const PageArea& area, const std::vector<Link>& links) {
    cairo_save(page);
    cairo_rectangle(page, area.left, area.top, area.width, area.height);
    cairo_clip(page);
    cairo_set_line_join(page, CAIRO_LINE_JOIN_ROUND);
    for (const Link& link : links) {
        if (link.points.empty()) continue;
        const bool is_line = link.kind == LinkKind::mooring_line;
        cairo_set_source_rgb(page, 1, 1, 1);
        cairo_set_line_width(page, 5);
        trace_link(page, projection, link, is_line ? 4.5 : 6.5);
        is_line ? cairo_set_source_rgb(page, 0.1, 0.1, 0.12) : cairo_set_source_rgb(page, 0.75, 0.3, 0);
        cairo_set_line_width(page, 2.5);
        trace_link(page, projection, link, is_line ? 3 : 5);
    }
    cairo_restore(page);
}

void draw_marks(cairo_t* page, const Projection& projection, const PageArea& area,
                const std::vector<PictureMark>& marks) {
    cairo_save(page);
    cairo_rectangle(page, area.left, area.top, area.width, area.height);
    cairo_clip(page);
    Labels labels;
    for (const PictureMark& mark : marks) {
        // White beneath, so that a mark is seen on walls and water alike.
        cairo_set_source_rgb(page, 1, 1, 1);
        cairo_set_line_width(page, 4.5);
        trace_mark(page, projection, mark);
        cairo_set_source_rgb(page, 0.75, 0.05, 0.35);
        cairo_set_line_width(page, 2);
        trace_mark(page, projection, mark);
    }
    for (const PictureMark& mark : marks) {
        const auto higher = [&](const Vec3d& a, const Vec3d& b) { return projection(a).y < projection(b).y; };
        const Vec3d top = projection(*std::min_element(mark.points.begin(), mark.points.end(), higher));
        constexpr double gap = 12;
        for (const double across : {0.0, 1.0}) {
            const double x = top.x + (across > 0 ? -gap : gap), width = text_width(page, mark.name, small_text);
            const double left = x - across * width;
            const double y = std::clamp(top.y, area.top + small_text, area.top + area.height - small_text);
            if (left < area.left || left + width > area.left + area.width) continue;
            if (!labels.take(page, x, y, mark.name, across)) continue;
            cairo_set_source_rgba(page, 1, 1, 1, 0.75);
            cairo_rectangle(page, left - 3, y - 0.6 * small_text, width + 6, 1.2 * small_text);
            cairo_fill(page);
            draw_text(page, x, y, mark.name, across, small_text);
            break;
        }
    }
    cairo_restore(page);
}

namespace {
constexpr double swatch_side = 18, swatch_gap = 8;
}

double swatch_width(const std::string& label) {
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1), cairo_surface_destroy);
    const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> page(cairo_create(surface.get()), cairo_destroy);
    return swatch_side + swatch_gap + text_width(page.get(), label, small_text);
}

void draw_swatch(cairo_t* page, double x, double y, std::uint32_t colour, const std::string& label) {
    constexpr double side = swatch_side;
    cairo_set_source_rgb(page, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0);
    cairo_rectangle(page, x, y - side / 2, side, side);
    cairo_fill(page);
    draw_text(page, x + side + swatch_gap, y, label, 0, small_text);
}

} // namespace sluice
