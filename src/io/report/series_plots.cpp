// SPDX-License-Identifier: Apache-2.0
#include "io/report/series_plots.h"

#include "core/input_file.h"
#include "io/files/csv.h"
#include "io/report/report_ledger.h"
#include "io/report/report_plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace sluice {
namespace {

namespace fs = std::filesystem;

Plot flow_plot(const CsvTable& flow, const char* title, const char* y_label,
               const std::vector<std::pair<const char*, const char*>>& columns) {
    Plot plot{title, "time (s)", y_label, flow.numbers("time [s]"), {}, false};
    for (const auto& [column, name] : columns) plot.series.push_back({name, flow.numbers(column)});
    return plot;
}

Plot time_step_plot(const CsvTable& flow) {
    const std::vector<double> time = flow.numbers("time [s]"), step = flow.numbers("step");
    Plot plot{"Time step, mean between frames", "time (s)", "time step (µs)", {}, {{"dt", {}}}, true};
    for (std::size_t k = 1; k < time.size() && k < step.size(); ++k) {
        if (!(step[k] > step[k - 1])) continue;
        plot.x.push_back(0.5 * (time[k] + time[k - 1]));
        plot.series[0].y.push_back(1e6 * (time[k] - time[k - 1]) / (step[k] - step[k - 1]));
    }
    return plot;
}

std::string flow_plots(const fs::path& dir) {
    const CsvTable flow = read_csv(dir / "flow.csv");
    if (flow.rows.empty()) return "";
    std::string html;
    html += plot_svg(flow_plot(flow, "Front and height of the fluid", "position (m)",
                               {{"x_front [m]", "front, largest x"}, {"z_max [m]", "height, largest z"}}));
    html += plot_svg(
        flow_plot(flow, "Centroid of the fluid", "position (m)", {{"x_centroid [m]", "x"}, {"z_centroid [m]", "z"}}));
    html += energy_plot(flow);
    html += viscosity_plot(flow);
    html += plot_svg(flow_plot(flow, "Largest speed", "speed (m/s)", {{"speed_max [m/s]", "speed"}}));
    html += plot_svg(flow_plot(flow, "Range of the density", "density (kg/m³)",
                               {{"rho_max [kg/m3]", "largest"}, {"rho_min [kg/m3]", "smallest"}}));
    return html + plot_svg(time_step_plot(flow));
}

/// Largest less smallest of the values that are numbers.
double spread(const std::vector<double>& values) {
    double low = INFINITY, high = -INFINITY;
    for (const double v : values)
        if (std::isfinite(v)) {
            low = std::min(low, v);
            high = std::max(high, v);
        }
    return high > low ? high - low : 0;
}

/// Leaves out what hardly changes beside the rest: the x and y of a surface that is looked for along an upright line.
void drop_constants(Plot& plot) {
    constexpr double least = 1e-3; // of the greatest spread
    double greatest = 0;
    for (const Series& series : plot.series) greatest = std::max(greatest, spread(series.y));
    std::erase_if(plot.series, [&](const Series& series) { return spread(series.y) <= least * greatest; });
}

/// "m/s" of "vx [m/s]"; nothing for a column without a unit.
std::string unit_of(const std::string& column) {
    const std::size_t from = column.find('['), to = column.find(']');
    return from < to && to != std::string::npos ? column.substr(from + 1, to - from - 1) : "";
}

/// Whether a table has a row for each point of a mesh, which no plot over the time can show.
bool is_of_a_mesh(const fs::path& path) {
    std::ifstream file = open_input(path);
    for (std::string line; std::getline(file, line);)
        if (!line.starts_with('#')) return line.starts_with("time [s],point,");
    return false;
}

/// "pressure" of "pressure [Pa]".
std::string without_unit(const std::string& column) { return column.substr(0, column.find(" [")); }

/// A column's heading or a unit as the axes of plots have it: "density (kg/m³)".
std::string label_of(std::string column) {
    for (const auto& [from, to] :
         {std::pair{"[", "("}, std::pair{"]", ")"}, std::pair{"m3", "m³"}, std::pair{"m2", "m²"}})
        if (const std::size_t at = column.find(from); at != std::string::npos)
            column.replace(at, std::string_view(from).size(), to);
    return column;
}

/// " (x = 1, y = 0 m)" where a gauge stays at these coordinates.
std::string place_of(const CsvTable& table) {
    std::string place;
    for (const std::string axis : {"x", "y", "z"}) {
        const std::vector<double> values = table.numbers(axis + " [m]");
        if (!values.empty() && std::isfinite(values.front()) && spread(values) == 0)
            place += fmt::format("{}{} = {:g}", place.empty() ? "" : ", ", axis, values.front());
    }
    return place.empty() ? "" : " (" + place + " m)";
}

bool is_coordinate(const std::string& column) { return column == "x [m]" || column == "y [m]" || column == "z [m]"; }

/// Whatever in a gauge's table changes with time: a plot for each unit.
std::string gauge_plot(const fs::path& file) {
    if (is_of_a_mesh(file)) return "";
    const CsvTable table = read_csv(file);
    if (table.columns.empty()) return "";
    const std::string place = place_of(table);
    const bool has_displacement = !table.numbers("ux [m]").empty(); // which shows more than places do
    std::map<std::string, Plot> plots;
    for (std::size_t k = 1; k < table.columns.size(); ++k) {
        Series series{table.columns[k], table.numbers(table.columns[k])};
        const std::string unit = unit_of(series.name);
        if (unit.empty() || (has_displacement && is_coordinate(series.name))) continue;
        Plot& plot = plots[unit];
        plot.title = "Gauge " + file.stem().string() + place;
        plot.x_label = "time (s)";
        plot.x = table.numbers(table.columns[0]);
        plot.series.push_back(std::move(series));
    }
    std::string html;
    for (auto& [unit, plot] : plots) {
        drop_constants(plot);
        if (plots.size() > 1 && !plot.series.empty()) plot.title += ": " + without_unit(plot.series[0].name);
        plot.y_label = label_of(plot.series.size() == 1 ? plot.series[0].name : unit);
        html += plot_svg(plot);
    }
    return html;
}

/// One value of the first few probes.
Plot probe_plot(const CsvTable& probes, const std::string& column, std::size_t most) {
    Plot plot{"Probes: " + without_unit(column), "time (s)", label_of(column), {}, {}, false};
    const std::vector<double> time = probes.numbers("time [s]"), number = probes.numbers("probe");
    const std::vector<double> value = probes.numbers(column);
    for (std::size_t k = 0; k < value.size() && k < number.size(); ++k) {
        const auto probe = static_cast<std::size_t>(number[k]);
        if (probe == 0) plot.x.push_back(time[k]);
        if (probe >= most) continue;
        if (plot.series.size() <= probe) plot.series.push_back({fmt::format("probe {}", probe), {}});
        plot.series[probe].y.push_back(value[k]);
    }
    return plot;
}

std::string probe_plots(const fs::path& dir) {
    constexpr std::size_t most = 6; // more lines than that cannot be told apart
    const CsvTable probes = read_csv(dir / "probes.csv");
    std::string html;
    for (const char* column : {"pressure [Pa]", "vx [m/s]", "vz [m/s]"})
        html += plot_svg(probe_plot(probes, column, most));
    return html;
}

std::vector<fs::path> tables_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& file : fs::directory_iterator(folder, error))
        if (file.path().extension() == ".csv") files.push_back(file.path());
    std::sort(files.begin(), files.end());
    return files;
}

using Columns = std::vector<std::pair<std::string, std::string>>; ///< label and column

/// Columns of a table over the time; nothing where none of them changes.
std::string table_plot(const CsvTable& table, const std::string& title, const std::string& unit, const Columns& lines) {
    Plot p{title, "time (s)", unit, table.numbers("time [s]"), {}};
    for (const auto& [label, column] : lines) {
        const std::vector<double> values = table.numbers(column);
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        if (!values.empty() && *low != *high) p.series.push_back({label, values}); // what never changes says nothing
    }
    return p.series.empty() ? "" : plot_svg(p);
}

/// Place, turning and load of a floating body.
std::string body_plots(const fs::path& file) {
    const CsvTable table = read_csv(file);
    const std::string name = file.stem().string() + ": ";
    return table_plot(table, name + "centre", "m", {{"x", "x [m]"}, {"y", "y [m]"}, {"z", "z [m]"}}) +
           table_plot(table, name + "angles", "degrees",
                      {{"roll", "roll [deg]"}, {"pitch", "pitch [deg]"}, {"yaw", "yaw [deg]"}}) +
           table_plot(table, name + "force of the fluid", "N",
                      {{"x", "fluid_fx [N]"}, {"y", "fluid_fy [N]"}, {"z", "fluid_fz [N]"}});
}

/// What a joint does to its first body, and how far it has come.
std::string joint_plots(const fs::path& file) {
    const CsvTable table = read_csv(file);
    const std::string name = "Joint " + file.stem().string() + ": ";
    return table_plot(table, name + "force", "N", {{"x", "fx [N]"}, {"y", "fy [N]"}, {"z", "fz [N]"}}) +
           table_plot(table, name + "moment", "N m", {{"x", "mx [N m]"}, {"y", "my [N m]"}, {"z", "mz [N m]"}}) +
           table_plot(table, name + "elongation", "m", {{"elongation", "elongation [m]"}}) +
           table_plot(table, name + "angle", "rad", {{"angle", "angle [rad]"}});
}

/// The tensions at the ends of a mooring line, and its greatest strain.
std::string line_plots(const fs::path& file) {
    const CsvTable table = read_csv(file);
    const std::string stem = file.stem().string(), number = stem.substr(stem.find('_') + 1);
    return table_plot(table, "Mooring line " + number + ": tension", "N",
                      {{"first end", "tension_first [N]"}, {"second end", "tension_second [N]"}}) +
           table_plot(table, "Mooring line " + number + ": greatest strain", "", {{"strain", "strain"}});
}

/// How many contacts bear, and all that they bear together.
std::string contact_plots(const fs::path& file) {
    const CsvTable table = read_csv(file);
    const std::vector<double> time = table.numbers("time [s]");
    std::map<double, std::pair<double, double>> sums; // by time: contacts and the sizes of their forces
    std::vector<double> force[3];
    for (int axis = 0; axis < 3; ++axis) force[axis] = table.numbers(fmt::format("f{} [N]", "xyz"[axis]));
    for (std::size_t k = 0; k < time.size() && k < force[2].size(); ++k) {
        auto& [count, size] = sums[time[k]];
        count += 1;
        size += std::hypot(force[0][k], force[1][k], force[2][k]);
    }
    if (sums.empty()) return "";
    Plot counts{"Contacts of bodies", "time (s)", "contacts that bear", {}, {{"contacts", {}}}, true};
    Plot sizes{"Forces of contacts, added up", "time (s)", "N", {}, {{"forces", {}}}};
    for (const auto& [at, sum] : sums) {
        counts.x.push_back(at);
        sizes.x.push_back(at);
        counts.series[0].y.push_back(sum.first);
        sizes.series[0].y.push_back(sum.second);
    }
    return plot_svg(counts) + plot_svg(sizes);
}

} // namespace

std::string series_plots(const fs::path& dir) {
    std::string html = flow_plots(dir);
    for (const fs::path& file : tables_in(dir / "bodies")) html += body_plots(file);
    for (const fs::path& file : tables_in(dir / "joints")) html += joint_plots(file);
    for (const fs::path& file : tables_in(dir / "moorings")) html += line_plots(file);
    if (fs::exists(dir / "contacts.csv")) html += contact_plots(dir / "contacts.csv");
    for (const fs::path& file : tables_in(dir / "gauges")) html += gauge_plot(file);
    html += probe_plots(dir);
    return html.empty() ? "" : "<div class=\"plots\">" + html + "</div>";
}

} // namespace sluice
