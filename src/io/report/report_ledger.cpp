// SPDX-License-Identifier: Apache-2.0
#include "io/report/report_ledger.h"
#include "io/report/report_plot.h"
#include "run/ledger.h"

#include <algorithm>
#include <fmt/format.h>

namespace sluice {
namespace {

using Json = nlohmann::ordered_json;

/// For the names of works alone.
constexpr EnergyBalance no_work;

std::string number(double value) { return fmt::format("{:.5g}", value); }

/// "work_of_moving_walls" as "work of moving walls".
std::string spaced(std::string word) {
    std::ranges::replace(word, '_', ' ');
    return word;
}

std::string cells(const std::string& name, const std::string& start, const std::string& end,
                  const std::string& change) {
    return fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", html_text(name), start, end, change);
}

/// What has a start and an end: numbers, or vectors component by component; "–" for one that is not finite.
std::string rows_of(const std::string& name, const Json& from_to) {
    if (!from_to.contains("start") || !from_to.contains("end")) return "";
    const Json &start = from_to["start"], &end = from_to["end"];
    if (start.is_array()) {
        std::string rows;
        for (std::size_t k = 0; k < std::min<std::size_t>(3, std::min(start.size(), end.size())); ++k)
            rows += rows_of(fmt::format("{}, {}", name, "xyz"[k]), {{"start", start[k]}, {"end", end[k]}});
        return rows;
    }
    if (!start.is_number() || !end.is_number()) return cells(name, "–", "–", "–");
    const double a = start.get<double>(), b = end.get<double>();
    return cells(name, number(a), number(b), number(b - a));
}

/// What is a change in itself; nothing where none was.
std::string change_row(const std::string& name, const Json& part, const char* key) {
    if (!part.contains(key) || !part[key].is_number() || part[key] == 0) return "";
    return cells(name, "", "", number(part[key].get<double>()));
}

} // namespace

std::string energy_plot(const CsvTable& flow) {
    Plot plot{"Energy of the fluid, from the start", "time (s)", "energy (J)", flow.numbers("time [s]"), {}};
    const auto add = [&](const std::string& name, const std::string& column) {
        std::vector<double> values = flow.numbers(column);
        if (values.empty()) return;
        const double start = values.front();
        for (double& value : values) value -= start;
        if (std::ranges::any_of(values, [](double value) { return value != 0; })) plot.series.push_back({name, values});
    };
    add("kinetic", "kinetic_energy [J]");
    const std::size_t before = plot.series.size();
    add("work of gravity", "gravity_work [J]");
    if (plot.series.size() == before) add("potential", "potential_energy [J]"); // which jumps where the work counts
    add("internal", "internal_energy [J]");
    for_each_outer_work(no_work, [&](const std::string& name, const std::string& whose, double) {
        add("work of " + whose, name + " [J]");
    });
    add("compression of walls", "wall_energy [J]");
    add("floating bodies", "body_energy [J]");
    add("flexible bodies, kinetic", "structure_kinetic_energy [J]");
    add("flexible bodies, elastic", "structure_elastic_energy [J]");
    add("flexible bodies, potential", "structure_potential_energy [J]");
    add("excluded", "excluded_energy [J]");
    add("dissipated", "dissipated_energy [J]");
    return plot_svg(plot);
}

std::string viscosity_plot(const CsvTable& flow) {
    const std::vector<double> values = flow.numbers("viscosity");
    if (values.empty() || std::ranges::all_of(values, [&](double value) { return value == values.front(); })) return "";
    return plot_svg(
        {"Viscosity", "time (s)", "α, or ν (m²/s)", flow.numbers("time [s]"), {{"viscosity", values}}, true});
}

std::string ledger_table(const Json& ledger) {
    if (!ledger.contains("energy")) return "";
    const Json& energy = ledger["energy"];
    std::string html = "<table class=\"ledger\"><tr><th></th><th>start</th><th>end</th><th>change</th></tr>\n";
    for (const auto& [key, name] :
         {std::pair{"mass", "mass (kg)"}, {"volume", "volume (m³)"}, {"momentum", "momentum (kg m/s)"}})
        if (ledger.contains(key)) html += rows_of(name, ledger[key]);
    for (const auto& [key, name] : {std::pair{"inflow", "mass that came in (kg)"},
                                    {"outflow", "mass that went out (kg)"},
                                    {"excluded", "mass excluded (kg)"}})
        if (ledger.contains("mass")) html += change_row(name, ledger["mass"], key);
    if (ledger.contains("viscosity") && ledger["viscosity"]["start"] != ledger["viscosity"]["end"])
        html += rows_of("viscosity (α, or ν in m²/s)", ledger["viscosity"]);
    for (const std::string kind : {"kinetic", "potential", "internal", "walls", "bodies", "flexible_kinetic",
                                   "flexible_elastic", "flexible_potential"}) {
        const bool is_of_fluid = kind == "kinetic" || kind == "potential" || kind == "internal";
        if (energy.contains(kind) && (is_of_fluid || energy[kind]["start"] != 0 || energy[kind]["end"] != 0))
            html += rows_of(fmt::format("energy, {} (J)", kind), energy[kind]);
    }
    html += change_row("work of gravity (J)", energy, "gravity_work");
    for_each_outer_work(no_work, [&](const char* name, const std::string& whose, double) {
        html += change_row("work of " + whose + " (J)", energy, name);
    });
    html += change_row("energy that came in (J)", energy, "inflow");
    html += change_row("energy that went out (J)", energy, "outflow");
    html += change_row("energy excluded (J)", energy, "excluded");
    html += change_row("energy dissipated (J)", energy, "dissipated");
    html += "</table>\n";
    std::string note =
        "Of the fluid, from the first frame to the last. Dissipated is what is missing in the end from the "
        "total at the start. In 2-D masses, volumes and energies are per metre.";
    if (energy.contains("dissipated_also_holds") && energy["dissipated_also_holds"].is_array())
        for (const Json& word : energy["dissipated_also_holds"])
            if (word.is_string()) note += " It also holds, counted negative: " + html_text(spaced(word)) + ".";
    return html + "<p class=\"note\">" + note + "</p>";
}

} // namespace sluice
