// SPDX-License-Identifier: Apache-2.0
#include "io/report/motion_page.h"

#include "io/files/csv.h"
#include "io/files/file.h"
#include "io/report/report_assets.h"
#include "io/report/report_plot.h"
#include "model/motion.h"
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace sluice {

namespace {

constexpr int intervals = 2000;

/// Four vectors of a block over time, three rows each.
struct MotionTable {
    std::vector<double> time;
    std::array<std::vector<double>, 3> place, turning, velocity, angular_velocity;

    void add(double t, const RigidMotion& m, const Vec3d& centre, const Vec3d& turned) {
        time.push_back(t);
        const Vec3d p = m.position_of(centre), v = m.velocity_at(p);
        for (int a = 0; a < 3; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            place[axis].push_back(p[a]);
            turning[axis].push_back(turned[a] * 180 / std::numbers::pi);
            velocity[axis].push_back(v[a]);
            angular_velocity[axis].push_back(m.angular_velocity[a]);
        }
    }
};

MotionTable table_of(const MotionView& motions, const ParticleBlock& block, double time_max) {
    MotionTable table;
    Vec3d turned;
    for (int i = 0; i <= intervals; ++i) {
        const double t = time_max * i / intervals;
        const RigidMotion m = motion_at(motions, block.motion, t);
        turned = rotation_vector(m.rotation, turned);
        table.add(t, m, block.mean, turned);
    }
    return table;
}

void write_table(const std::filesystem::path& path, const MotionTable& table) {
    CsvWriter csv(path, {"time [s]", "x [m]", "y [m]", "z [m]", "turning_x [deg]", "turning_y [deg]", "turning_z [deg]",
                         "velocity_x [m/s]", "velocity_y [m/s]", "velocity_z [m/s]", "angular_velocity_x [rad/s]",
                         "angular_velocity_y [rad/s]", "angular_velocity_z [rad/s]"});
    for (std::size_t i = 0; i < table.time.size(); ++i) {
        std::vector<CsvValue> row{table.time[i]};
        for (const auto* vector : {&table.place, &table.turning, &table.velocity, &table.angular_velocity})
            for (const std::vector<double>& component : *vector) row.emplace_back(component[i]);
        csv.write_row(row);
    }
}

/// The components that change; nothing where none does.
std::string plot_of(const MotionTable& table, const std::array<std::vector<double>, 3>& vector, const char* title,
                    const char* unit) {
    const char* const names[] = {"x", "y", "z"};
    Plot plot;
    plot.title = title;
    plot.x_label = "time [s]";
    plot.y_label = fmt::format("{} [{}]", title, unit);
    plot.x = table.time;
    for (std::size_t a = 0; a < 3; ++a) {
        bool changes = false;
        for (const double v : vector[a]) changes |= std::abs(v - vector[a][0]) > 1e-12;
        if (changes) plot.series.push_back({names[a], vector[a]});
    }
    return plot.series.empty() ? "" : "<div>" + plot_svg(plot) + "</div>";
}

std::string section_of(const ParticleBlock& block, const MotionTable& table) {
    const std::string plots = plot_of(table, table.place, "place of the centre", "m") +
                              plot_of(table, table.velocity, "velocity of the centre", "m/s") +
                              plot_of(table, table.turning, "turning", "deg") +
                              plot_of(table, table.angular_velocity, "angular velocity", "rad/s");
    return fmt::format("<section><h2>mkbound {}</h2>\n<div class=\"plots\">{}</div></section>\n", block.mk_type,
                       plots.empty() ? "<p>It stands still.</p>" : plots);
}

} // namespace

Vec3d rotation_vector(const Vec3d rotation[3], const Vec3d& near) {
    const Vec3d twice{rotation[2].y - rotation[1].z, rotation[0].z - rotation[2].x, rotation[1].x - rotation[0].y};
    const double sine = norm(twice) / 2;
    const double cosine = (rotation[0].x + rotation[1].y + rotation[2].z - 1) / 2;
    Vec3d axis;
    if (sine > 1e-9)
        axis = (0.5 / sine) * twice;
    else if (const double length = norm(near); length > 0)
        axis = (1 / length) * near; // no turn, or a half one: about the axis so far
    else
        return {};
    const double angle = std::atan2(sine, cosine), before = dot(axis, near);
    const double turns = std::round((before - angle) / (2 * std::numbers::pi));
    return (angle + 2 * std::numbers::pi * turns) * axis;
}

std::string motion_page_heading(const std::string& title) {
    return fmt::format("<h1>{}: prescribed motion</h1>", html_text(title));
}

void write_motion_page(const std::filesystem::path& folder, const std::string& title, const Motions& motions,
                       const std::vector<ParticleBlock>& blocks, double time_max) {
    make_folder(folder);
    std::string page = fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
                                   "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0} – "
                                   "motion</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{1}</style></head>\n"
                                   "<body>\n{2}\n",
                                   html_text(title), page_css, motion_page_heading(title));
    for (const ParticleBlock& block : blocks) {
        if (block.motion < 0) continue;
        const MotionTable table = table_of(motions.view(), block, time_max);
        write_table(folder / fmt::format("mkbound{}.csv", block.mk_type), table);
        page += section_of(block, table);
    }
    page += fmt::format("<script>{}</script>\n</body></html>\n", plots_js);
    write_file_atomically(folder / motion_page_name, page);
}

} // namespace sluice
