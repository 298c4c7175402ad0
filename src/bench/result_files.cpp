// SPDX-License-Identifier: Apache-2.0
#include "bench/result_files.h"

#include "io/files/file.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sluice::bench {

namespace {

using Json = nlohmann::ordered_json;

Json phases_json(const PhaseSeconds& p) {
    return {{"cell_list_s", p.cell_list},
            {"interaction_s", p.interaction},
            {"update_s", p.update},
            {"transfer_s", p.transfer}};
}

Json measurement_json(const Measurement& m) {
    Json samples = Json::array();
    for (const Sample& s : m.samples) {
        samples.push_back({{"steps", s.steps}, {"wall_s", s.wall_seconds}, {"phases", phases_json(s.phases)}});
        for (const RankShare& r : s.ranks)
            samples.back()["ranks"].push_back(
                {{"particles", r.particles}, {"interaction_s", r.interaction}, {"exchange_s", r.exchange}});
    }
    Json gpus = Json::array();
    for (const GpuShare& g : m.backend.gpus)
        gpus.push_back({{"device", g.device}, {"fluid_particles", g.fluid_particles}, {"waiting", g.waiting}});
    return {{"variant", m.variant},
            {"particles", m.particles},
            {"fluid_particles", m.fluid},
            {"dp_m", m.dp},
            {"backend", m.backend.backend},
            {"mode", m.backend.mode},
            {"cells", m.backend.cells},
            {"simd", m.backend.simd},
            {"device", m.backend.device},
            {"threads", m.backend.threads},
            {"ranks", m.backend.ranks},
            {"gpus", gpus},
            {"memory_bytes", m.memory_bytes},
            {"warm_up_steps", m.warm_up_steps},
            {"median_s_per_step", m.seconds_per_step()},
            {"fastest_s_per_step", m.fastest()},
            {"slowest_s_per_step", m.slowest()},
            {"steps_per_s", m.steps_per_second()},
            {"particle_steps_per_s", m.particle_steps_per_second()},
            {"samples", samples}};
}

Json machine_json(const Machine& machine) {
    return {{"processor", machine.processor},
            {"hardware_threads", machine.threads},
            {"memory_bytes", machine.memory_bytes},
            {"gpu", machine.gpu},
            {"system", machine.system},
            {"load_before", machine.load}};
}

Json program_json(const Program& program) {
    return {{"name", "sluice"},
            {"version", program.version},
            {"compiler", program.compiler},
            {"build_type", program.build_type}};
}

Json tables_json(const std::vector<ResultTable>& tables) {
    Json list = Json::array();
    for (const ResultTable& t : tables)
        list.push_back({{"caption", t.caption}, {"source", t.source}, {"columns", t.columns}, {"rows", t.rows}});
    return list;
}

std::string csv_text(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// Columns on a terminal, where a character that takes several bytes still takes one column.
std::size_t columns_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string table_text(const ResultTable& table) {
    std::vector<std::size_t> widths(table.columns.size());
    for (std::size_t c = 0; c < widths.size(); ++c) {
        widths[c] = columns_of(table.columns[c]);
        for (const auto& row : table.rows) widths[c] = std::max(widths[c], columns_of(row[c]));
    }
    std::string text = fmt::format("{} ({})\n", table.caption, table.source);
    const auto add = [&](const std::vector<std::string>& row) {
        text += " ";
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string gap(widths[c] - columns_of(row[c]), ' ');
            text += fmt::format(" {} ", c == 0 ? row[c] + gap : gap + row[c]);
        }
        text += "\n";
    };
    add(table.columns);
    for (const auto& row : table.rows) add(row);
    return text;
}

} // namespace

std::string result_csv(const ExperimentResult& result) {
    std::string text = "experiment,variant,particles,dp [m],backend,mode,cells,simd,threads,memory "
                       "[bytes],sample,steps,wall [s],cell_list [s],interaction [s],update [s],transfer [s]\n";
    for (const Measurement& m : result.measurements)
        for (std::size_t n = 0; n < m.samples.size(); ++n) {
            const Sample& s = m.samples[n];
            text += fmt::format("{},{},{},{:.9g},{},{},{},{},{},{},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n",
                                result.name, csv_text(m.variant), m.particles, m.dp, m.backend.backend,
                                csv_text(m.backend.mode), m.backend.cells, csv_text(m.backend.simd), m.backend.threads,
                                m.memory_bytes, n + 1, s.steps, s.wall_seconds, s.phases.cell_list,
                                s.phases.interaction, s.phases.update, s.phases.transfer);
        }
    return text;
}

std::string result_json(const ExperimentResult& result, const Machine& machine) {
    Json json{{"experiment", result.name},
              {"title", result.title},
              {"reproduces", result.reproduces},
              {"unavailable", result.unavailable},
              {"command", machine.program.command},
              {"date", machine.date},
              {"program", program_json(machine.program)},
              {"machine", machine_json(machine)},
              {"case", result.subject},
              {"wall_s", result.wall_seconds},
              {"measured", result.measured},
              {"estimated", result.estimated},
              {"measurements", Json::array()},
              {"tables", tables_json(result.tables)}};
    for (const Measurement& m : result.measurements) json["measurements"].push_back(measurement_json(m));
    return json.dump(2) + "\n";
}

std::string result_text(const ExperimentResult& result) {
    std::string text = fmt::format("\n{}: {} ({})\n", result.name, result.title, result.reproduces);
    if (!result.unavailable.empty()) return text + "  " + result.unavailable + "\n";
    for (const ResultTable& table : result.tables) text.append("\n").append(table_text(table));
    for (const std::string& sentence : result.measured) text += "\nMeasured: " + sentence;
    for (const std::string& sentence : result.estimated) text += "\nNot measured: " + sentence;
    return text + "\n";
}

void write_result_files(const ExperimentResult& result, const Machine& machine, const std::filesystem::path& folder) {
    write_file_atomically(folder / (result.name + ".json"), result_json(result, machine));
    write_file_atomically(folder / (result.name + ".csv"), result_csv(result));
    for (std::size_t n = 0; n < result.charts.size(); ++n)
        write_file_atomically(folder / fmt::format("{}{}.svg", result.name, n == 0 ? "" : fmt::format("-{}", n + 1)),
                              chart_svg(result.charts[n]));
}

} // namespace sluice::bench
