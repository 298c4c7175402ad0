// SPDX-License-Identifier: Apache-2.0
#include "bench/bench_page.h"

#include "bench/paper_numbers.h"
#include "io/report/report_plot.h"
#include <fmt/format.h>

namespace sluice::bench {

namespace {

constexpr const char* style = R"css(
body { font: 16px/1.5 Georgia, "Times New Roman", serif; color: #1a1a1a; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, nav, table, .machine { font-family: Helvetica, Arial, sans-serif; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #bbb; }
h2 small { font-weight: normal; color: #555; float: right; }
svg { max-width: 100%; height: auto; display: block; margin: .7rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .82rem; margin: .6rem 0 1rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
caption em { font-weight: normal; color: #555; }
th, td { padding: .15rem .7rem .15rem 0; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.paper th, .paper td { text-align: left; } .paper td:last-child, .paper th:last-child { text-align: right; }
.note { font-size: .92rem; margin: .2rem 0; } .note b { font-family: Helvetica, Arial, sans-serif; font-size: .8rem; }
.absent { background: #f4f1e8; padding: .5rem .8rem; }
nav { font-size: .9rem; columns: 2; } nav a { display: block; color: #1f4e79; text-decoration: none; }
.machine { font-size: .85rem; } .machine td, .machine th { text-align: left; white-space: normal; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } nav { display: none; } svg, table { break-inside: avoid; } h2 { break-after: avoid; } }
)css";

std::string machine_table(const Machine& machine) {
    std::string html = "<table class=\"machine\"><caption>Measured on</caption>\n";
    const auto row = [&](const char* name, const std::string& value) {
        html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, html_text(value));
    };
    row("processor", fmt::format("{}, {} threads, {:.0f} GB of memory", machine.processor, machine.threads,
                                 machine.memory_bytes * 1e-9));
    row("GPU", machine.gpu.empty() ? "none" : machine.gpu);
    row("system", machine.system);
    row("load before",
        fmt::format("{:.2f}", machine.load) +
            (machine.load > 0.5
                 ? " (other programs were running: times are longer and spreads wider than on an idle machine)"
                 : ""));
    row("program", fmt::format("sluice {}, {}, {}", machine.program.version, machine.program.compiler,
                               machine.program.build_type));
    row("command", machine.program.command);
    row("date", machine.date);
    return html + "</table>\n";
}

std::string table_html(const ResultTable& table) {
    std::string html = fmt::format("<div class=\"scroll\"><table{}><caption>{} <em>({})</em></caption>\n<tr>",
                                   table.source == "paper" ? " class=\"paper\"" : "", html_text(table.caption),
                                   html_text(table.source));
    for (const std::string& column : table.columns) html += "<th>" + html_text(column) + "</th>";
    html += "</tr>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (const std::string& cell : row) html += "<td>" + html_text(cell) + "</td>";
        html += "</tr>\n";
    }
    return html + "</table></div>\n";
}

std::string section(const ExperimentResult& result) {
    std::string html = fmt::format("<section id=\"{0}\">\n<h2>{1} <small>{0}: {2}</small></h2>\n",
                                   html_text(result.name), html_text(result.title), html_text(result.reproduces));
    if (!result.unavailable.empty())
        html += "<p class=\"absent\">Not run: " + html_text(result.unavailable) + ".</p>\n";
    for (const Chart& chart : result.charts) html += chart_svg(chart);
    for (const ResultTable& table : result.tables) html += table_html(table);
    for (const std::string& sentence : result.measured)
        html += "<p class=\"note\"><b>Measured.</b> " + html_text(sentence) + "</p>\n";
    for (const std::string& sentence : result.estimated)
        html += "<p class=\"note\"><b>Not measured.</b> " + html_text(sentence) + "</p>\n";
    return html + "</section>\n";
}

} // namespace

std::string bench_page(const std::vector<ExperimentResult>& results, const Machine& machine) {
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                       "content=\"width=device-width, initial-scale=1\">\n"
                       "<title>Sluice benches</title>\n<style>" +
                       std::string(style) + "</style></head>\n<body>\n<h1>Sluice beside the papers</h1>\n";
    html += "<p>The dam break of the papers, in their formulation (cubic spline, artificial viscosity 0.25, Verlet, no "
            "density diffusion); for the mps experiments a lattice of particles. Filled marks and bars were "
            "measured here, unless a section says that they are calculated or estimated; hollow or dashed ones are the "
            "papers' printed numbers, obtained on hardware of 2010, or limits, as "
            "their names say.</p>\n";
    html += machine_table(machine);
    html += "<nav>\n";
    for (const ExperimentResult& result : results)
        html += fmt::format("<a href=\"#{0}\">{0}: {1}</a>\n", html_text(result.name), html_text(result.title));
    html += "</nav>\n";
    for (const ExperimentResult& result : results) html += section(result);
    for (const char* words : {paper_citation, preprint_citation, rustico_citation, murotani_citation,
                              alimirzazadeh_citation, paper_hardware})
        html += "<p class=\"note\">" + html_text(words) + "</p>\n";
    return html + "</body></html>\n";
}

} // namespace sluice::bench
