// SPDX-License-Identifier: Apache-2.0
#include "io/records/run_json.h"
#include "core/error.h"
#include "core/input_file.h"
#include "io/files/file.h"
#include "io/records/constants_json.h"
#include "io/records/scheme_json.h"

#include <cmath>
#include <ctime>
#include <fmt/format.h>
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

Json vector_json(const Vec3d& v) { return {v.x, v.y, v.z}; }
Vec3d read_vector(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }

constexpr const char* axis_names[] = {"x", "y", "z"};

/// The box, and under the name of each periodic axis the way from a particle to its image beyond the upper face.
Json domain_json(const Domain& domain, const Period& period) {
    Json json{{"min", vector_json(domain.min)}, {"max", vector_json(domain.max)}, {"period", Json::object()}};
    for (int axis = 0; axis < 3; ++axis)
        if (period.periodic[axis]) json["period"][axis_names[axis]] = vector_json(period.shift[axis]);
    return json;
}

/// Throws InputError for what cannot be the domain of a run, as post-processing relies on it.
void read_domain(const Json& json, RunSetup& setup) {
    setup.domain = {read_vector(json.at("min")), read_vector(json.at("max"))};
    for (int axis = 0; axis < 3; ++axis) {
        const double size = setup.domain.max[axis] - setup.domain.min[axis];
        if (!(size >= 0) || !std::isfinite(size)) throw InputError("a side of the domain is not a length");
        setup.period.periodic[axis] = json.at("period").contains(axis_names[axis]);
        if (!setup.period.periodic[axis]) continue;
        setup.period.shift[axis] = read_vector(json.at("period").at(axis_names[axis]));
        const Vec3d& shift = setup.period.shift[axis];
        if (!(size >= 2 * setup.constants.h) || !std::isfinite(dot(shift, shift)))
            throw InputError("a period is not a length of two smoothing lengths or more");
    }
}

const char* carriers_of(const FieldInfo& info) {
    return info.source == FieldSource::state ? "all" : is_of_boundary(info) ? "boundary" : "fluid";
}

Json fields_json(const FieldSelection& fields) {
    Json list = Json::array();
    for_each_selected(fields, [&](const FieldInfo& info) {
        list.push_back({{"name", info.name},
                        {"unit", info.unit},
                        {"components", components_of(info)},
                        {"particles", carriers_of(info)},
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

Json start_and_end(const Json& start, const Json& end) { return {{"start", start}, {"end", end}}; }

Json ledger_json(const LedgerSummary& ledger) {
    const auto& [fluid0, balance0, viscosity0] = ledger.first;
    const auto& [fluid, balance, viscosity] = ledger.last;
    Json json{{"step", fluid.step}, {"time", fluid.time}};
    json["mass"] = start_and_end(fluid0.mass, fluid.mass);
    json["mass"]["excluded"] = balance.excluded_mass;
    json["mass"]["inflow"] = balance.inflow_mass;
    json["mass"]["outflow"] = balance.outflow_mass;
    json["volume"] = start_and_end(fluid0.volume, fluid.volume);
    json["viscosity"] = start_and_end(viscosity0, viscosity);
    json["momentum"] = start_and_end(vector_json(fluid0.momentum), vector_json(fluid.momentum));
    Json& energy = json["energy"];
    energy = {{"kinetic", start_and_end(fluid0.kinetic_energy, fluid.kinetic_energy)},
              {"potential", start_and_end(fluid0.potential_energy, fluid.potential_energy)},
              {"internal", start_and_end(fluid0.internal_energy, fluid.internal_energy)},
              {"walls", start_and_end(fluid0.wall_energy, fluid.wall_energy)},
              {"bodies", start_and_end(balance0.body_energy, balance.body_energy)},
              {"flexible_kinetic", start_and_end(balance0.structures.kinetic, balance.structures.kinetic)},
              {"flexible_elastic", start_and_end(balance0.structures.strain, balance.structures.strain)},
              {"flexible_potential", start_and_end(balance0.structures.potential, balance.structures.potential)},
              {"gravity_work", balance.gravity_work}};
    for_each_outer_work(balance, [&](const char* name, const char*, double work) { energy[name] = work; });
    energy["moved"] = balance.moved;
    energy["excluded"] = balance.excluded_energy;
    energy["inflow"] = balance.inflow_energy;
    energy["outflow"] = balance.outflow_energy;
    energy["dissipated"] = balance.dissipated;
    energy["dissipated_also_holds"] = ledger.also_held;
    return json;
}

Json progress_json(const RunProgress& p) {
    return {{"done", p.done},           {"seconds_left", std::isfinite(p.seconds_left) ? Json(p.seconds_left) : Json()},
            {"time_max", p.time_max},   {"steps_per_second", p.steps_per_second},
            {"time_step", p.time_step}, {"particles", p.particles},
            {"written", p.written}};
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
    json["method"] = method_name(s.method).word;
    json["backend"] = s.backend;
    json["mode"] = s.mode;
    json["cells"] = s.cells;
    json["precision"] = s.precision;
    json["device"] = s.device;
    json["threads"] = s.threads;
    json["ranks"] = s.ranks;
    if (!s.split.empty()) json["split"] = s.split;
    for (const GpuShare& gpu : s.gpus)
        json["gpus"].push_back({{"process", gpu.process},
                                {"device", gpu.device},
                                {"name", gpu.name},
                                {"rows", {gpu.first_row, gpu.last_row}},
                                {"fluid_particles", gpu.fluid_particles},
                                {"memory", gpu.memory},
                                {"waiting", gpu.waiting}});
    json["dp"] = s.dp;
    json["h"] = s.h;
    json["scheme"] = scheme_to_json(s.scheme);
    if (s.constants) json["constants"] = constants_to_json(*s.constants);
    if (s.domain) json["domain"] = domain_json(*s.domain, s.period);
    for (const FluidProperties& f : s.fluids)
        json["fluids"].push_back({{"rho0", f.rho0},
                                  {"c0", f.c0},
                                  {"gamma", f.gamma},
                                  {"viscosity", f.viscosity},
                                  {"cohesion", f.cohesion},
                                  {"tension", f.tension}});
    for (const ViscositySample& sample : s.viscosity)
        json["viscosity_in_time"].push_back({{"time", sample.time}, {"value", sample.value}});
    json["fields"] = fields_json(s.fields);
    json["particles"] = s.particles;
    json["fluid_particles"] = s.fluid_particles;
    json["boundary_particles"] = s.boundary_particles;
    json["steps"] = s.total.steps;
    json["frames"] = s.frames;
    json["output_parts"] = s.left_out
                               ? Json{{"whole_every", s.whole_every},
                                      {"left_out", {{"fluid", s.left_out->fluid}, {"boundary", s.left_out->boundary}}}}
                               : Json();
    json["simulated_seconds"] = s.simulated_seconds;
    add_times(json, s.total);
    json["part"] = Json{{"started", s.part_started}, {"steps", s.part.steps}};
    add_times(json["part"], s.part);
    if (s.progress) json["progress"] = progress_json(*s.progress);
    json["phases"] = object_of(s.phases);
    json["memory"] = object_of(s.memory);
    json["excluded"] = object_of(s.excluded);
    json["ledger"] = s.ledger ? ledger_json(*s.ledger) : Json();
    // Names come from files and the system and need not be UTF-8; a run is not to fail for that.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunSetup read_run_setup(const std::filesystem::path& path) {
    try {
        const std::optional<std::string> text = read_json_text(path);
        if (!text) throw InputError("cannot open");
        const Json json = Json::parse(*text);
        RunSetup setup;
        setup.constants = constants_from_json(json.at("constants"));
        const std::string method = json.value("method", method_name(Method::sph).word); // older ones do not say it
        for (const MethodName& m : method_names)
            if (method == m.word) setup.method = m.method;
        const sph::Constants& c = setup.constants;
        for (const double value : {c.dp, c.h, c.rho0, c.gamma, c.c0, c.b, c.mass_fluid, c.mass_bound})
            if (!(value > 0) || !std::isfinite(value)) throw InputError("a constant that must be positive is not");
        if (json.contains("fluids"))
            for (const Json& f : json.at("fluids"))
                setup.fluids.push_back({f.at("rho0"), f.at("c0"), f.at("gamma"), f.at("viscosity"),
                                        f.value("cohesion", 0.0), f.value("tension", 0.0)});
        if (json.contains("viscosity_in_time"))
            for (const Json& sample : json.at("viscosity_in_time"))
                setup.viscosity.push_back({sample.at("time"), sample.at("value")});
        if (json.contains("domain")) read_domain(json.at("domain"), setup);
        return setup;
    } catch (const std::exception& error) {
        throw InputError(fmt::format("{}: no constants of a run ({}); name the folder of a run, or restore this file",
                                     path.string(), error.what()));
    }
}

std::optional<double> finished_time(const std::filesystem::path& path) {
    const Json json = Json::parse(read_json_text(path).value_or(""), nullptr, false);
    if (!json.is_object() || json.value("outcome", Json()) != outcome_info(Outcome::finished).name) return std::nullopt;
    const Json seconds = json.value("simulated_seconds", Json());
    return seconds.is_number() ? std::optional(seconds.get<double>()) : std::nullopt;
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
