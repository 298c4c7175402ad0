// SPDX-License-Identifier: Apache-2.0
#include "io/report/report.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/log.h"
#include "core/numbers.h"
#include "io/files/csv.h"
#include "io/files/file.h"
#include "io/report/report_assets.h"
#include "io/report/report_ledger.h"
#include "io/report/report_player.h"
#include "io/report/report_plot.h"
#include "io/report/series_plots.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace sluice {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t excluded_rows_shown = 200;

Json read_run_json(const fs::path& path) {
    const std::optional<std::string> text = read_json_text(path);
    if (!text) throw InputError(fmt::format("{}: not found, so this is not the folder of a run", path.string()));
    try {
        return Json::parse(*text);
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: is damaged ({}); restore it from a copy", path.string(), error.what()));
    }
}

std::string text_of(const Json& json, const char* name) {
    return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : "";
}

double number_of(const Json& json, const char* name) {
    return json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0;
}

/// An object inside; an empty one if it is not there.
const Json& part_of(const Json& json, const char* name) {
    static const Json none = Json::object();
    return json.contains(name) && json[name].is_object() ? json[name] : none;
}

/// 12345678 as "12 345 678".
std::string grouped(double value) {
    const std::string digits = fmt::format("{:.0f}", std::abs(value));
    std::string text = value < 0 ? "-" : "";
    for (std::size_t k = 0; k < digits.size(); ++k) {
        if (k > 0 && (digits.size() - k) % 3 == 0) text.append("\u202f"); // narrow no-break space
        text.push_back(digits[k]);
    }
    return text;
}

std::string duration(double seconds) {
    if (seconds < 120) return fmt::format("{:.1f} s", seconds);
    if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

std::string tile(const std::string& value, const char* name) {
    return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", html_text(value), name);
}

std::string row(const std::string& name, const std::string& value) {
    return fmt::format("<tr><th>{}</th><td>{}</td></tr>", html_text(name), html_text(value));
}

std::string section(const char* title, const std::string& content) {
    return content.empty() ? "" : fmt::format("<section><h2>{}</h2>\n{}</section>\n", title, content);
}

// --- header -------------------------------------------------------------------------------------------------------

/// How far a run has come that goes on, or that was killed: the last row of its table.
std::string progress_tiles(const fs::path& dir) {
    const CsvTable flow = read_csv(dir / "flow.csv");
    const std::vector<double> time = flow.numbers("time [s]"), step = flow.numbers("step");
    if (time.empty() || step.empty()) return "";
    return tile(fmt::format("{:.4g} s", time.back()), "simulated until now") +
           tile(grouped(step.back()), "steps until now");
}

std::string header(const Json& run, const fs::path& dir) {
    const std::string status = text_of(run, "status"), message = text_of(run, "message");
    const std::string outcome = text_of(run, "outcome"), end = outcome.empty() ? status : outcome;
    std::string html = fmt::format(
        "<header><h1>{}</h1><p class=\"soft\"><span class=\"status {}\">{}</span> Sluice {} · {}{}</p>\n",
        html_text(text_of(run, "case")), html_text(status), html_text(end), html_text(text_of(run, "version")),
        html_text(text_of(run, "started")), message.empty() ? "" : " · " + html_text(message));
    html += "<div class=\"tiles\">";
    html += tile(grouped(number_of(run, "particles")), "particles");
    if (status == "running") // its end will say how long it took
        return html + progress_tiles(dir) + "</div></header>\n";
    html += tile(fmt::format("{:.4g} s", number_of(run, "simulated_seconds")), "simulated");
    html += tile(grouped(number_of(run, "steps")), "steps");
    html += tile(duration(number_of(run, "wall_seconds")), "wall time");
    html += tile(short_number(number_of(run, "steps_per_second")), "steps a second");
    html += tile(short_number(number_of(run, "particle_steps_per_second")), "particle steps a second");
    return html + "</div></header>\n";
}

// --- player -------------------------------------------------------------------------------------------------------

constexpr const char* player_html =
    R"html(<div id="player"><div class="head"><div class="clock" id="clock"></div>
<div class="scale"><span id="field-name"></span><input id="field-low" type="number" step="any" aria-label="Low end of the colours">
<div class="bar" id="field-bar"></div><input id="field-high" type="number" step="any" aria-label="High end of the colours">
<select id="field-range" aria-label="Range of the colours"><option value="run">of the run</option>
<option value="frame">of each frame</option><option value="own" hidden>as typed</option></select></div></div><div class="view"><canvas id="view" tabindex="0" role="img" aria-label="Particles"></canvas>
<svg id="axes" aria-hidden="true"></svg><p class="view-lost" id="view-lost" hidden>The browser has taken the graphics away;
the view comes back when it gives them back.</p></div></div>
<div class="controls"><button id="play">Play</button><input id="scrub" type="range" min="0" value="0" step="1" aria-label="Frame">
<label>Pace <select id="pace"><option value="4">4 frames/s</option><option value="8">8 frames/s</option>
<option value="15" selected>15 frames/s</option><option value="30">30 frames/s</option></select></label>
<label>Colour <select id="field"></select></label>
<label>Walls <input id="walls" type="range" min="0" max="1" step="0.01" value="0.5" aria-label="Opacity of the walls"></label>
<button id="look-home">Reset view</button><button id="look-front">Front</button><button id="look-top">Top</button></div>
<p class="note"><span id="drag-note">Drag to turn, shift-drag to move</span>, wheel to zoom; space and arrow keys once the
view has the focus. The colours leave out the outermost values; type other ends beside them. A click on a plot over the time shows that time.)html";

/// JSON inside a script element must not end it.
std::string inside_script(const std::string& json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '/' && safe.ends_with('<')) safe.push_back('\\');
        safe.push_back(c);
    }
    return safe;
}

std::string player(const PlayerData& data) {
    std::string lost;
    for (const std::string& frame : data.damaged) {
        spdlog::warn("warning: {}: the report leaves this frame out", frame);
        lost += fmt::format("<p class=\"lost\">Left out: {}</p>\n", html_text(frame));
    }
    if (data.json.empty()) return section("Frames", lost);
    return section(
        "Frames",
        fmt::format(
            "{} {}</p>\n{}<script type=\"application/json\" id=\"player-data\">{}</script>\n<script>{}</script>\n",
            player_html, html_text(data.note), lost, inside_script(data.json), player_js));
}

// --- what left the run --------------------------------------------------------------------------------------------

Plot excluded_plot(const CsvTable& table) {
    std::vector<double> times = table.numbers("time [s]");
    std::sort(times.begin(), times.end());
    Plot plot{"Excluded particles", "time (s)", "particles so far", times, {{"excluded", {}}}, true};
    for (std::size_t k = 0; k < times.size(); ++k) plot.series[0].y.push_back(static_cast<double>(k + 1));
    return plot;
}

/// A number of a table with the digits that one can take in; the file has all of them.
std::string short_cell(const std::string& cell) {
    if (cell.find_first_of(".eE") == std::string::npos) return cell; // a whole number, or none
    const char* end = nullptr;
    const double value = std::strtod(cell.c_str(), const_cast<char**>(&end));
    return end == cell.c_str() + cell.size() && !cell.empty() ? fmt::format("{:.4g}", value) : cell;
}

std::string excluded_table(const CsvTable& table) {
    std::string html = "<div class=\"scroll\"><table><tr>";
    for (const std::string& column : table.columns) html += "<th>" + html_text(column) + "</th>";
    html += "</tr>\n";
    for (std::size_t k = 0; k < std::min(table.rows.size(), excluded_rows_shown); ++k) {
        html += "<tr>";
        for (const std::string& cell : table.rows[k]) html += "<td>" + html_text(short_cell(cell)) + "</td>";
        html += "</tr>\n";
    }
    html += "</table></div>\n";
    if (table.rows.size() > excluded_rows_shown)
        html += fmt::format("<p class=\"note\">The first {} of {}; all of them are in excluded.csv.</p>",
                            excluded_rows_shown, table.rows.size());
    return html;
}

std::string excluded(const fs::path& dir, const Json& run) {
    double total = 0;
    std::string causes;
    for (const auto& [cause, count] : part_of(run, "excluded").items()) {
        if (!count.is_number()) continue;
        total += count.get<double>();
        causes += row(cause, grouped(count.get<double>()));
    }
    if (total == 0) return section("Excluded particles", "<p>None.</p>");
    const CsvTable table = read_csv(dir / "excluded.csv");
    std::string html = fmt::format("<div class=\"columns\"><table>{}{}</table>{}</div>", row("total", grouped(total)),
                                   causes, plot_svg(excluded_plot(table)));
    if (!table.rows.empty()) html += excluded_table(table);
    return section("Excluded particles", html);
}

// --- how it was computed ------------------------------------------------------------------------------------------

std::string value_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
    if (value.is_array()) {
        std::string text;
        for (const Json& part : value) text += (text.empty() ? "" : ", ") + value_text(part);
        return text;
    }
    return value.dump();
}

std::string computed(const Json& run) {
    std::string how, memory;
    for (const char* name : {"device", "backend", "mode", "cells", "threads", "ranks", "precision", "case_file",
                             "started", "ended", "fluid_particles", "boundary_particles", "frames", "stepping_seconds"})
        if (run.contains(name) && run[name] != "" && run[name] != 0) how += row(name, value_text(run[name]));
    for (const auto& [name, bytes] : part_of(run, "memory").items())
        if (bytes.is_number()) memory += row("memory, " + name, fmt::format("{:.1f} MB", bytes.get<double>() / 1e6));
    std::vector<std::pair<std::string, double>> phases;
    for (const auto& [name, seconds] : part_of(run, "phases").items())
        if (seconds.is_number() && seconds.get<double>() > 0) phases.emplace_back(name, seconds.get<double>());
    return section("How it was computed",
                   fmt::format("<div class=\"columns\"><table>{}{}</table><div><p class=\"soft\">Wall time of "
                               "the phases of the stepping loop</p>{}</div></div>",
                               how, memory, bars_svg("Wall time by phase", phases, "s")));
}

std::string constants(const Json& run) {
    std::string rows;
    for (const auto& [name, value] : part_of(run, "constants").items()) rows += row(name, value_text(value));
    const Json& domain = part_of(run, "domain");
    for (const char* corner : {"min", "max"})
        if (domain.contains(corner)) rows += row(fmt::format("domain, {}", corner), value_text(domain[corner]));
    for (const auto& [axis, shift] : part_of(domain, "period").items())
        rows += row(fmt::format("periodic in {}, images at", axis), value_text(shift));
    if (rows.empty()) return "";
    return section("Constants",
                   "<div class=\"columns\"><table>" + rows +
                       "</table><p class=\"soft\">In SI units, masses of a 2-D case per metre. Every parameter, and "
                       "whether the case gave it, is in effective-case.xml.</p></div>");
}

} // namespace

ReportPage report_page(const ReportOptions& options) {
    const Json run = read_run_json(options.dir / "run.json");
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page += "<title>" + html_text(text_of(run, "case")) +
            " – Sluice</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + std::string(page_css) +
            "</style></head>\n<body>\n";
    const PlayerData shown = make_player_data(options.dir, options.player_megabytes * 1e6);
    page += header(run, options.dir) + "<main>\n" + player(shown) + section("Series", series_plots(options.dir)) +
            section("Ledger", ledger_table(part_of(run, "ledger"))) + excluded(options.dir, run) + computed(run) +
            constants(run);
    page += "</main>\n<script>" + std::string(plots_js) + "</script>\n</body></html>\n";
    return {std::move(page), shown.damaged};
}

std::filesystem::path write_report(const ReportOptions& options) {
    const auto [page, damaged] = report_page(options);
    const fs::path out = options.out.empty() ? options.dir / "report.html" : options.out;
    if (out.has_parent_path()) make_folder(out.parent_path());
    write_file_atomically(out, page);
    if (!damaged.empty())
        throw RunError(fmt::format("{}: is written, but without {} that cannot be read", out.string(),
                                   counted(static_cast<int>(damaged.size()), "frame")));
    return out;
}

} // namespace sluice
