// SPDX-License-Identifier: Apache-2.0
#include "io/report/wave_page.h"

#include "io/files/csv.h"
#include "io/files/file.h"
#include "io/report/report_assets.h"
#include "io/report/report_plot.h"
#include "setup/wave_paddle.h"
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

namespace sluice {

namespace {

namespace fs = std::filesystem;

constexpr int intervals = 2000;

std::string file_stem(const WavePaddle& paddle) { return fmt::format("mkbound{}", paddle.mkbound); }

int rows_of(double begin, double end, double step) {
    return static_cast<int>(std::floor((end - begin) / step + 0.5)) + 1;
}

/// Displacement and velocity of the paddle, linear between its samples, at the times 0, step, … of the run.
std::vector<waves::ValueAndRate> paddle_at(const WavePaddle& paddle, const PaddleWaves& made, double step, int count) {
    const int fine = std::max(1, static_cast<int>(std::ceil(step / made.step())));
    const double last = paddle.duration > 0 ? paddle.duration : 1e300;
    const auto all = made.displacements(step / fine, fine * (count - 1) + 1);
    std::vector<waves::ValueAndRate> rows;
    for (int i = 0; i < count; ++i) {
        const double t = i * step;
        const auto k = static_cast<std::size_t>(std::min(t, last) / step * fine + 0.5);
        rows.push_back({all[k].value, t < last ? all[k].rate : 0});
    }
    return rows;
}

void write_motion_table(const fs::path& path, const WavePaddle& p, const PaddleWaves& made, const WaveTable& table) {
    CsvWriter csv(
        path,
        {"time [s]", "paddle [m]", "paddle_velocity [m/s]", "elevation_first_order [m]", "elevation [m]",
         "velocity_x [m/s]", "velocity_z [m/s]"},
        {fmt::format("{} of mkbound {}: from its start at {:g} s; elevation at x = {:g} m, velocity at z = {:g} m",
                     p.name, p.mkbound, p.start, table.x, table.z)});
    const int count = rows_of(0, table.end, table.step);
    const auto paddle = paddle_at(p, made, table.step, count);
    const auto water = made.expected(table.x, table.z, 0, table.step, count);
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        csv.write_row({i * table.step, paddle[k].value, paddle[k].rate, water[k].first_order, water[k].second_order,
                       water[k].along, water[k].up});
    }
}

void write_series(const fs::path& path, const PaddleWaves& made, const WaveTable& table) {
    CsvWriter csv(path, {"time [s]", "elevation_first_order [m]", "elevation [m]"});
    const int count = rows_of(table.begin, table.end, table.step);
    const auto water = made.expected(table.x, 0, table.begin, table.step, count);
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        csv.write_row({table.begin + i * table.step, water[k].first_order, water[k].second_order});
    }
}

/// Waves between two upward crossings of the still water level.
void write_heights(const fs::path& path, const PaddleWaves& made, const WaveTable& table) {
    CsvWriter csv(path, {"time [s]", "period [s]", "height [m]"});
    const int count = rows_of(table.begin, table.end, table.step);
    const auto water = made.expected(table.x, 0, table.begin, table.step, count);
    double begin = NAN, highest = 0, lowest = 0;
    for (std::size_t i = 1; i < water.size(); ++i) {
        const double before = water[i - 1].second_order, after = water[i].second_order;
        highest = std::max(highest, after);
        lowest = std::min(lowest, after);
        if (!(before <= 0 && after > 0)) continue;
        const double t = table.begin + table.step * (double(i - 1) + before / (before - after));
        if (!std::isnan(begin)) csv.write_row({begin, t - begin, highest - lowest});
        begin = t;
        highest = lowest = 0;
    }
}

void write_tables(const fs::path& folder, const WavePaddle& paddle, const PaddleWaves& made, const Case& definition) {
    std::map<WaveTable::Content, int> count;
    for (WaveTable table : paddle.tables) {
        if (table.end < 0) table.end = definition.parameters.time_max;
        if (!(table.step > 0)) table.step = definition.parameters.time_out;
        if ((table.end - table.begin) / table.step > 1e6)
            throw InputError(paddle.where, fmt::format("<{}> asks for a table of more than 1e6 rows", paddle.name));
        const int n = ++count[table.content];
        const auto path = [&](const char* what) {
            return folder / fmt::format("{}_{}_{}.csv", file_stem(paddle), what, n);
        };
        make_folder(folder);
        switch (table.content) {
        case WaveTable::Content::motion: write_motion_table(path("motion"), paddle, made, table); break;
        case WaveTable::Content::series: write_series(path("series"), made, table); break;
        case WaveTable::Content::heights: write_heights(path("heights"), made, table); break;
        }
    }
}

std::string plot_of(const char* title, const char* unit, const std::vector<double>& x, std::vector<Series> series,
                    const char* x_label = "time [s]") {
    Plot plot;
    plot.title = title;
    plot.x_label = x_label;
    plot.y_label = fmt::format("{} [{}]", title, unit);
    plot.x = x;
    plot.series = std::move(series);
    return "<div>" + plot_svg(plot) + "</div>";
}

std::string spectrum_plot(const fs::path& folder, const WavePaddle& paddle, const PaddleWaves& made) {
    if (made.spectrum.empty()) return "";
    CsvWriter csv(folder / (file_stem(paddle) + "_spectrum.csv"),
                  {"frequency [Hz]", "density [m2 s]", "target [m2 s]", "band [Hz]", "amplitude [m]"});
    std::vector<double> frequency, density, target;
    for (std::size_t i = 0; i < made.spectrum.size(); ++i) {
        const waves::Component& c = made.spectrum[i];
        frequency.push_back(c.frequency);
        density.push_back(c.density);
        target.push_back(waves::density(paddle, c.frequency));
        csv.write_row({c.frequency, c.density, target.back(), c.band, made.elevation[0][i].amplitude});
    }
    return plot_of("spectrum", "m² s", frequency, {{"target", target}, {"components", density}}, "frequency [Hz]");
}

std::string section_of(const fs::path& folder, const WavePaddle& paddle, const PaddleWaves& made, double time_max) {
    const double step = time_max / intervals;
    const auto motion = paddle_at(paddle, made, step, intervals + 1);
    const auto water = made.expected(0, 0, 0, step, intervals + 1);
    CsvWriter csv(folder / (file_stem(paddle) + ".csv"),
                  {"time [s]", "paddle [m]", "paddle_velocity [m/s]", "elevation_first_order [m]", "elevation [m]"});
    std::vector<double> time, place, speed, first, second;
    for (std::size_t i = 0; i <= intervals; ++i) {
        time.push_back(paddle.start + double(i) * step);
        place.push_back(motion[i].value);
        speed.push_back(motion[i].rate);
        first.push_back(water[i].first_order);
        second.push_back(water[i].second_order);
        csv.write_row({time[i], place[i], speed[i], first[i], second[i]});
    }
    return fmt::format(
        "<div class=\"plots\">{}{}{}{}</div>", spectrum_plot(folder, paddle, made),
        plot_of("displacement of the paddle", "m", time, {{"paddle", place}}),
        plot_of("velocity of the paddle", "m/s", time, {{"paddle", speed}}),
        plot_of("expected elevation at the paddle", "m", time, {{"first order", first}, {"up to the second", second}}));
}

} // namespace

void write_wave_tables(const fs::path& folder, const Case& definition) {
    for (const WavePaddle& paddle : paddles_of(definition))
        if (!paddle.tables.empty())
            write_tables(folder, paddle, make_paddle_waves(paddle, gravity_of(definition)), definition);
}

std::string wave_page_heading(const std::string& title) { return fmt::format("<h1>{}: waves</h1>", html_text(title)); }

void write_wave_page(const fs::path& folder, const std::string& title, const Case& definition) {
    make_folder(folder);
    std::string page = fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
                                   "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0} – "
                                   "waves</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{1}</style></head>\n"
                                   "<body>\n{2}\n",
                                   html_text(title), page_css, wave_page_heading(title));
    for (const Diagnostic& note : wave_notes(definition)) page += fmt::format("<p>{}</p>\n", html_text(note.message));
    for (const WavePaddle& paddle : paddles_of(definition)) {
        const PaddleWaves made = make_paddle_waves(paddle, gravity_of(definition));
        page += fmt::format("<section><h2>mkbound {}</h2>\n{}</section>\n", paddle.mkbound,
                            section_of(folder, paddle, made, definition.parameters.time_max));
        write_tables(folder, paddle, made, definition);
    }
    page += fmt::format("<script>{}</script>\n</body></html>\n", plots_js);
    write_file_atomically(folder / wave_page_name, page);
}

} // namespace sluice
