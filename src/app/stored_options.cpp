// SPDX-License-Identifier: Apache-2.0
#include "app/stored_options.h"

#include "core/error.h"
#include "core/input_file.h"
#include "cpu/particles/limits.h"
#include "io/files/file.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sluice {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

template <class T>
Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}
template <class T>
void read_optional(const Json& json, std::optional<T>& value) {
    if (!json.is_null()) value = json.get<T>();
}

/// A mode as its name on the command line, so that files outlive the numbering of the enumerators.
template <class Mode, class Table>
Json mode_json(const std::optional<Mode>& mode, const Table& table) {
    return mode ? Json(std::string(mode_info(table, *mode).option)) : Json();
}
template <class Mode, class Table>
void read_mode(const Json& json, std::optional<Mode>& mode, const Table& table) {
    for (const auto& entry : table)
        if (json == std::string(entry.option)) mode = entry.mode;
}

/// The ranks that were drawn, not their file: as with points.
Json split_json(const std::optional<cpu::Split>& split) {
    if (!split) return {};
    if (split->kind != cpu::Split::Kind::table) return split->text;
    return {{"text", split->text},
            {"axes", split->table.axes},
            {"columns", split->table.columns},
            {"ranks", split->table.ranks}};
}
std::optional<cpu::Split> read_split(const Json& json) {
    if (json.is_null()) return std::nullopt; // in folders of older versions, too
    if (json.is_string()) return cpu::parse_split(json.get<std::string>());
    cpu::Split split;
    split.kind = cpu::Split::Kind::table;
    split.text = json.at("text");
    split.table = {json.at("axes"), json.at("columns"), json.at("ranks")};
    return split;
}

Json backend_json(const BackendOptions& b) {
    return {{"backend", b.kind == BackendKind::cpu    ? "cpu"
                        : b.kind == BackendKind::cuda ? "cuda"
                                                      : "auto"},
            {"threads", b.threads},
            {"ranks", optional_json(b.ranks)},
            {"split", split_json(b.split)},
            {"cpu_mode", mode_json(b.cpu_mode, cpu_modes)},
            {"cells", mode_json(b.cells, cell_sizes)},
            {"slice_axis", mode_json(b.slice_axis, slice_axes)},
            {"simd", optional_json(b.simd)},
            {"device", b.device},
            {"gpus", b.gpus == as_many_gpus_as_pay ? Json("auto") : optional_json(b.gpus)},
            {"gpu_mode", mode_json(b.gpu_mode, gpu_modes)},
            {"gpu_mode_before", mode_json(b.gpu_mode_before, gpu_modes)},
            {"gpu_memory", optional_json(b.gpu_memory)},
            {"neighbour_list", optional_json(b.neighbour_list)}};
}

BackendOptions read_backend(const Json& json) {
    BackendOptions b;
    const std::string kind = json.at("backend");
    b.kind = kind == "cpu" ? BackendKind::cpu : kind == "cuda" ? BackendKind::cuda : BackendKind::automatic;
    b.threads = json.at("threads");
    read_optional(json.value("ranks", Json()), b.ranks); // folders of older versions lack it
    b.split = read_split(json.value("split", Json()));
    read_mode(json.at("cpu_mode"), b.cpu_mode, cpu_modes);
    read_mode(json.at("cells"), b.cells, cell_sizes);
    read_mode(json.value("slice_axis", Json()), b.slice_axis, slice_axes); // folders of older versions lack it
    read_optional(json.at("simd"), b.simd);
    b.device = json.at("device");
    if (const Json gpus = json.value("gpus", Json()); gpus == "auto") // folders of older versions lack it
        b.gpus = as_many_gpus_as_pay;
    else
        read_optional(gpus, b.gpus);
    read_mode(json.at("gpu_mode"), b.gpu_mode, gpu_modes);
    read_mode(json.value("gpu_mode_before", Json()), b.gpu_mode_before, gpu_modes); // as above
    read_optional(json.at("gpu_memory"), b.gpu_memory);
    read_optional(json.at("neighbour_list"), b.neighbour_list);
    return b;
}

Json fields_json(const FieldSelection& fields) {
    Json json = Json::array();
    for_each_selected(fields, [&](const FieldInfo& info) { json.push_back(info.name); });
    return json;
}
FieldSelection read_fields(const Json& json) {
    FieldSelection fields;
    for (const std::string name : json) {
        const auto field = field_named(name);
        if (!field) throw InputError(fmt::format("options.json: there is no field '{}'; start the run anew", name));
        fields.add(*field);
    }
    return fields;
}

/// The points themselves, not their file: a resumed run samples the same ones whatever became of it.
Json points_json(const std::vector<Vec3d>& points) {
    Json json = Json::array();
    for (const Vec3d& p : points) json.push_back({p.x, p.y, p.z});
    return json;
}

/// Parses options.json. Throws InputError if there is none or it is damaged.
Json read_json(const fs::path& folder) {
    const fs::path path = folder / "options.json";
    const std::optional<std::string> text = read_json_text(path);
    if (!text)
        throw InputError(
            fmt::format("{}: not there, so {} holds no run that can be resumed", path.string(), folder.string()));
    try {
        return Json::parse(*text);
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: is damaged ({}); start the run anew", path.string(), error.what()));
    }
}

bool is_sensible(const std::optional<cpu::Split>& split) {
    if (!split || split->kind != cpu::Split::Kind::table) return true;
    const cpu::RankTable& table = split->table;
    const auto [along, up] = table.axes;
    return along >= 0 && along <= 2 && up >= 0 && up <= 2 && along != up && table.columns > 0 && !table.ranks.empty() &&
           table.ranks.size() % table.columns == 0;
}

/// The file may have been damaged or made by hand.
void require_sensible(const RunOptions& o) {
    const bool sensible = o.keep_every >= 1 && o.compression >= 0 && o.compression <= 9 && o.backend.threads >= 0 &&
                          o.backend.threads <= cpu::most_threads && o.backend.ranks.value_or(1) >= 1 &&
                          o.backend.ranks.value_or(1) <= cpu::most_ranks &&
                          (o.backend.gpus.value_or(1) >= 1 || o.backend.gpus == as_many_gpus_as_pay) &&
                          is_sensible(o.backend.split) && o.checkpoint_seconds >= 0 &&
                          (!o.checkpoint_dt || *o.checkpoint_dt > 0) && (!o.probes_dt || *o.probes_dt > 0);
    if (!sensible)
        throw InputError(fmt::format("{}: a value is outside what its option allows; start the run anew",
                                     (o.out / "options.json").string()));
}

} // namespace

void store_options(const fs::path& folder, const RunOptions& o) {
    Json json{{"case", fs::absolute(o.case_file).string()},
              {"started", o.started},
              {"run", backend_json(o.backend)},
              {"steps", o.max_steps},
              {"pictures", o.pictures},
              {"compression", o.compression},
              {"checkpoint_seconds", o.checkpoint_seconds},
              {"checkpoint_dt", optional_json(o.checkpoint_dt)},
              {"stop_on_exclusion", o.stop_on_exclusion},
              {"max_excluded", o.max_excluded},
              {"fields", fields_json(o.fields)},
              {"keep_every", o.keep_every},
              {"probes", points_json(o.probes)},
              {"probes_dt", optional_json(o.probes_dt)}};
    if (o.probes_follow) json["probes_follow"] = *o.probes_follow; // else the essence is that of older versions
    write_file_atomically(folder / "options.json", json.dump(2) + "\n");
}

RunOptions load_options(const fs::path& folder) {
    const Json json = read_json(folder);
    try {
        RunOptions o;
        o.case_file = json.at("case").get<std::string>();
        o.started = json.value("started", "");
        o.backend = read_backend(json.at("run"));
        o.max_steps = json.at("steps");
        o.pictures = json.at("pictures");
        o.compression = json.at("compression");
        o.checkpoint_seconds = json.at("checkpoint_seconds");
        read_optional(json.at("checkpoint_dt"), o.checkpoint_dt);
        o.stop_on_exclusion = json.at("stop_on_exclusion");
        o.max_excluded = json.at("max_excluded");
        o.fields = read_fields(json.at("fields"));
        o.keep_every = json.at("keep_every");
        for (const auto& p : json.at("probes")) o.probes.push_back({p.at(0), p.at(1), p.at(2)});
        read_optional(json.at("probes_dt"), o.probes_dt);
        read_optional(json.value("probes_follow", Json()), o.probes_follow); // folders of older versions lack it
        o.out = folder;
        require_sensible(o);
        return o;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: has not what a resume needs ({}); start the run anew",
                                     (folder / "options.json").string(), error.what()));
    }
}

std::string essence_of_options(const fs::path& folder) {
    Json json = read_json(folder);
    if (!json.is_object()) return "";
    for (const char* free : {"case", "started", "steps", "pictures", "checkpoint_seconds", "checkpoint_dt"})
        json.erase(free);
    if (json.contains("run") && json["run"].is_object())
        for (const char* free : {"gpu_mode_before", "ranks", "split", "gpus"}) json["run"].erase(free);
    return json.dump();
}

} // namespace sluice
