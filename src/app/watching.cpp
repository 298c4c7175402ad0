// SPDX-License-Identifier: Apache-2.0
#include "app/watching.h"

#include "app/folder_lock.h"
#include "app/interrupt.h"
#include "app/local_server.h"
#include "app/option_checks.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/log.h"
#include "core/outcome.h"
#include "core/terminal.h"
#include "io/frames/frame_reader.h"
#include "io/records/run_json.h"
#include "io/report/report.h"
#include "io/report/report_assets.h"
#include "run/progress.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace sluice {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// A run as its folder shows it now.
struct RunLook {
    Json json;          ///< run.json
    std::string status; ///< that of run.json, or "dead": it says running, and no process is there
    std::string owner;  ///< the process that runs it, if one does
    std::size_t frames = 0;
    double last_frame = 0; ///< its time, s

    bool runs() const { return status == run_status_name(RunStatus::running); }
};

double number_in(const Json& json, const char* name, double otherwise = 0) {
    const auto found = json.find(name);
    return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::string text_in(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Throws InputError if the folder holds no run.
RunLook look_at(const fs::path& dir) {
    if (!fs::is_directory(dir)) throw InputError(fmt::format("{}: there is no such folder", dir.string()));
    RunLook look;
    look.owner = live_owner(dir).value_or("");
    const std::optional<std::string> text = read_json_text(dir / "run.json");
    look.json = Json::parse(text.value_or(""), nullptr, false);
    if (!look.json.is_object())
        throw InputError(fmt::format("{}: no run lies here that could be looked at ({}); name the folder of a run",
                                     dir.string(), text ? "run.json is damaged" : "there is no run.json"));
    look.status = text_in(look.json, "status");
    if (look.runs() && look.owner.empty()) look.status = "dead";
    const std::vector<FrameEntry> frames = readable_frames(dir).frames;
    look.frames = frames.size();
    if (!frames.empty()) look.last_frame = frames.back().time;
    return look;
}

/// How far a run is, or how it ended, in a line.
std::string line_of(const RunLook& look, const fs::path& dir) {
    const Json& json = look.json;
    const Json progress = json.value("progress", Json::object());
    const double time = number_in(json, "simulated_seconds"), steps = number_in(json, "steps");
    const std::string frames = look.frames == 1 ? "1 frame" : fmt::format("{} frames", look.frames),
                      name = text_in(json, "case");
    if (look.runs()) {
        if (progress.empty()) return fmt::format("{}: running ({}), has just begun", name, look.owner);
        return fmt::format("{}: running ({}): {:.1f} %, t = {:.4f} of {:g} s, left {}, {:.1f} steps/s, step {:.0f}, {}",
                           name, look.owner, 100 * number_in(progress, "done"), time, number_in(progress, "time_max"),
                           format_duration(number_in(progress, "seconds_left", INFINITY)),
                           number_in(progress, "steps_per_second"), steps, frames);
    }
    if (look.status == "dead")
        return fmt::format(
            "{}: no process runs it any more, and it did not say why it ended: t = {:.4f} s, step {:.0f}, "
            "{}; sluice run --resume {} goes on",
            name, time, steps, frames, dir.string());
    const std::string message = text_in(json, "message");
    return fmt::format("{}: {}: t = {:.4f} s after {:.0f} steps in {}, {}{}{}", name, text_in(json, "outcome"), time,
                       steps, format_duration(number_in(json, "wall_seconds")), frames, message.empty() ? "" : "; ",
                       message);
}

/// 0 of a run that is alive; else that with which it ended, of a dead one that of an interrupted one.
int code_of(const RunLook& look) {
    if (look.runs()) return exit_done;
    if (look.status == "dead") return exit_code(Outcome::interrupted);
    return int(number_in(look.json, "exit_code", exit_code(Outcome::failed)));
}

std::string json_of(const RunLook& look) {
    Json json = look.json;
    json["alive"] = look.runs();
    json["process"] = look.owner.empty() ? Json() : Json(look.owner);
    json["frames"] = look.frames;
    json["last_frame"] = look.frames > 0 ? Json(look.last_frame) : Json();
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

struct StatusOptions {
    fs::path dir;
    bool follow = false, as_json = false;
};

int show_status(const StatusOptions& options) {
    const std::atomic<int>& stop = catch_interrupts();
    const bool rewrites = options.follow && !options.as_json && isatty(STDOUT_FILENO) != 0;
    std::string before;
    while (true) {
        const RunLook look = look_at(options.dir);
        const std::string now = options.as_json ? json_of(look) : line_of(look, options.dir);
        const bool ends = !options.follow || !look.runs() || stop.load() != 0;
        if (rewrites)
            fmt::print("\r\033[K{}{}", now.substr(0, columns_behind(STDOUT_FILENO) - 1), ends ? "\n" : "");
        else if (now != before)
            fmt::print("{}\n", now);
        std::fflush(stdout);
        before = now;
        if (ends) return code_of(look);
        for (int n = 0; n < 5 && stop.load() == 0; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

/// Changes when there is more to see.
std::string version_of(const RunLook& look) { return fmt::format("{} {}", look.status, look.frames); }

/// The report as `sluice watch` shows it.
class LiveReport {
public:
    LiveReport(fs::path dir, double player_megabytes) : options_{std::move(dir), {}, player_megabytes} {}

    Response answer(const std::string& path) {
        const RunLook look = look_at(options_.dir);
        if (path == "/state") return state(look);
        if (path != "/") return {404, "text/plain; charset=utf-8", "there is no such page\n"};
        if (look.frames == 0) return first_page(look);
        renew(look);
        return {200, "text/html; charset=utf-8", page_};
    }

private:
    Response state(const RunLook& look) const {
        const Json json{{"version", version_of(look)}, {"state", look.status}, {"text", line_of(look, options_.dir)}};
        return {200, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace)};
    }
    void renew(const RunLook& look) {
        const std::string version = version_of(look);
        if (version == version_) return;
        page_ = report_page(options_).html;
        const std::string body = "<body>", end = "</body>";
        page_.replace(page_.find(body), body.size(), body_tag(version));
        page_.insert(page_.rfind(end), script());
        version_ = version;
    }
    Response first_page(const RunLook& look) const {
        return {200, "text/html; charset=utf-8",
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sluice</title><style>" +
                    std::string(page_css) + "</style></head>\n" + body_tag(version_of(look)) +
                    "<p>The run has not stored a frame yet.</p>" + script() + "</body></html>\n"};
    }
    static std::string body_tag(const std::string& version) {
        return "<body data-live=\"1\" data-version=\"" + version + "\">";
    }
    static std::string script() { return "<script>" + std::string(watch_js) + "</script>\n"; }

    ReportOptions options_;
    std::string page_, version_;
};

struct WatchOptions {
    fs::path dir;
    int port = 0;
    double player_megabytes = ReportOptions().player_megabytes;
};

void serve_report(const WatchOptions& options) {
    look_at(options.dir); // or there is nothing to be watched
    LiveReport report(options.dir, options.player_megabytes);
    const LocalServer server(options.port);
    spdlog::info("open http://localhost:{} in a browser of this machine; Ctrl-C ends", server.port());
    server.serve(catch_interrupts(), [&](const std::string& path) { return report.answer(path); });
}

} // namespace

void add_watching(CLI::App& app, int& exit_code) {
    CLI::App* status = app.add_subcommand("status", "tell how far a run is, or how it ended; exit code of the run");
    const auto look = std::make_shared<StatusOptions>();
    status->add_option("DIR", look->dir, "folder of a run")->required();
    status->add_flag("--follow", look->follow, "until the run ends");
    status->add_flag("--json", look->as_json, "print JSON: run.json, whether the run is alive, and its frames");
    add_quiet(*status);
    status->callback([look, &exit_code] { exit_code = show_status(*look); });

    CLI::App* command =
        app.add_subcommand("watch", "serve the report of a run to a browser of this machine, renewed as frames come");
    const auto options = std::make_shared<WatchOptions>();
    command->add_option("DIR", options->dir, "folder of a run")->required();
    command->add_option("--port", options->port, "number of the port, default any that is free")
        ->check(whole_number(1, 65535))
        ->type_name("N");
    command
        ->add_option("--player-size", options->player_megabytes, "the player's frames are thinned to about so many MB")
        ->check(positive_number())
        ->capture_default_str();
    add_quiet(*command);
    command->callback([options] { serve_report(*options); });
}

} // namespace sluice
