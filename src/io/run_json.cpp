// SPDX-License-Identifier: Apache-2.0
#include "io/run_json.h"
#include "core/error.h"
#include "io/constants_json.h"
#include "io/file.h"

#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace sluice {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json object_of(const NamedValues<T>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name] = value;
    return object;
}

Json fields_json(const FieldSelection& fields) {
    Json list = Json::array();
    for_each_selected(fields, [&](const FieldInfo& info) {
        list.push_back({{"name", info.name},
                        {"unit", info.unit},
                        {"components", components_of(info)},
                        {"description", info.description}});
    });
    return list;
}

void add_times(Json& json, const RunTimes& times) {
    json["wall_seconds"] = times.wall_seconds;
    json["stepping_seconds"] = times.stepping_seconds;
    json["steps_per_second"] = times.steps_per_second();
    json["particle_steps_per_second"] = times.particle_steps_per_second();
}

double rate(double count, double seconds) { return seconds > 0 ? count / seconds : 0; }

} // namespace

double RunTimes::steps_per_second() const { return rate(static_cast<double>(steps), stepping_seconds); }
double RunTimes::particle_steps_per_second() const { return rate(particle_steps, stepping_seconds); }

const char* run_status_name(RunStatus status) {
    switch (status) {
    case RunStatus::running: return "running";
    case RunStatus::finished: return "finished";
    case RunStatus::interrupted: return "interrupted";
    case RunStatus::stopped: return "stopped";
    case RunStatus::failed: return "failed";
    }
    return "";
}

std::string run_json(const RunSummary& s) {
    Json json;
    json["format"] = 1;
    json["case"] = s.case_name;
    json["case_file"] = s.case_file;
    json["version"] = s.version;
    json["status"] = run_status_name(s.outcome ? outcome_info(*s.outcome).status : RunStatus::running);
    json["outcome"] = s.outcome ? Json(outcome_info(*s.outcome).name) : Json();
    json["exit_code"] = s.outcome ? Json(exit_code(*s.outcome)) : Json();
    json["message"] = s.message;
    json["started"] = s.started;
    json["ended"] = s.ended;
    json["backend"] = s.backend;
    json["mode"] = s.mode;
    json["cells"] = s.cells;
    json["precision"] = s.precision;
    json["device"] = s.device;
    json["threads"] = s.threads;
    json["dp"] = s.dp;
    json["h"] = s.h;
    if (s.constants) json["constants"] = constants_to_json(*s.constants);
    json["fields"] = fields_json(s.fields);
    json["particles"] = s.particles;
    json["fluid_particles"] = s.fluid_particles;
    json["boundary_particles"] = s.boundary_particles;
    json["steps"] = s.total.steps;
    json["frames"] = s.frames;
    json["simulated_seconds"] = s.simulated_seconds;
    add_times(json, s.total);
    json["part"] = Json{{"started", s.part_started}, {"steps", s.part.steps}};
    add_times(json["part"], s.part);
    json["phases"] = object_of(s.phases);
    json["memory"] = object_of(s.memory);
    json["excluded"] = object_of(s.excluded);
    // Names come from files and the system and need not be UTF-8; a run is not to fail for that.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

sph::Constants read_constants(const std::filesystem::path& path) {
    try {
        std::ifstream file(path);
        if (!file) throw RunError("cannot open");
        const sph::Constants c = constants_from_json(Json::parse(file).at("constants"));
        for (const double value : {c.dp, c.h, c.rho0, c.gamma, c.c0, c.b, c.mass_fluid, c.mass_bound})
            if (!(value > 0) || !std::isfinite(value)) throw RunError("a constant that must be positive is not");
        return c;
    } catch (const std::exception& error) {
        throw RunError(fmt::format("{}: no constants of a run: {}", path.string(), error.what()));
    }
}

void write_run_json(const std::filesystem::path& path, const RunSummary& summary) {
    write_file_atomically(path, run_json(summary));
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[sizeof "2025-03-01T12:00:00Z"];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

} // namespace sluice
