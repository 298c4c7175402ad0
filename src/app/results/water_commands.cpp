// SPDX-License-Identifier: Apache-2.0
#include "app/results/water_commands.h"

#include "app/results/frame_options.h"
#include "app/results/id_list.h"
#include "core/error.h"
#include "core/log.h"
#include "core/numbers.h"
#include "io/water/overtopping.h"
#include "io/water/reflection.h"
#include "io/water/runup.h"
#include "io/water/trace.h"
#include "io/water/volumes.h"
#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace sluice {

namespace {

struct RunupOptions {
    RunupJob job;
    std::vector<double> line;
};

void add_runup(CLI::App& app) {
    CLI::App* command = app.add_subcommand("runup", "how far the water comes up a slope, or how high in a box");
    const auto options = std::make_shared<RunupOptions>();
    RunupJob& job = options->job;
    add_dir(*command, job.dir);
    add_table_out(*command, job.out);
    CLI::Option* line =
        command->add_option("--line", options->line, "line on the slope, from its foot up, m (in 2-D any y)")
            ->type_name("X0 Y0 Z0 X1 Y1 Z1")
            ->expected(6);
    add_box(*command, "--box", job.place.box, "the highest wet place in this box, m, instead")->excludes(line);
    command->add_option("--swl", job.still_level, "z of the still water, which run-up counts from, m")
        ->capture_default_str();
    command->add_option("--distance", job.place.distance, "of particles from the line, m; default two spacings")
        ->check(positive_number());
    command->add_option("--fraction", job.place.least_fraction, "of other fluid around a wet particle; a drop has 0")
        ->check(number_between(0, 1))
        ->capture_default_str();
    const auto times = add_frames(*command, job);
    on_call(*command, job.dir, [options, times] {
        RunupJob& wanted = options->job;
        settle_times(wanted, *times);
        if (const auto& l = options->line; !l.empty())
            wanted.place.line = SlopeLine{{l[0], l[1], l[2]}, {l[3], l[4], l[5]}};
        const double largest = write_runup(wanted);
        if (std::isnan(largest))
            spdlog::info("{}", wanted.out.string());
        else
            spdlog::info("largest run-up {:.6g} m; {}", largest, wanted.out.string());
    });
}

struct OvertoppingOptions {
    OvertoppingJob job;
    std::optional<double> x, y;
    std::vector<double> plane;
};

/// The plane of whichever option names it.
void settle_plane(OvertoppingOptions& o) {
    PassedPlane& plane = o.job.plane;
    if (o.x) {
        plane.point = {*o.x, 0, 0};
    } else if (o.y) {
        plane.point = {0, *o.y, 0};
        plane.normal = {0, 1, 0};
    } else if (!o.plane.empty()) {
        plane.point = {o.plane[0], o.plane[1], o.plane[2]};
        plane.normal = {o.plane[3], o.plane[4], o.plane[5]};
    } else
        throw InputError("overtopping: no plane is given; use --x (across x), --y or --plane");
}

void add_overtopping(CLI::App& app) {
    CLI::App* command = app.add_subcommand("overtopping", "volume of water that has passed a plane, both ways");
    const auto options = std::make_shared<OvertoppingOptions>();
    OvertoppingJob& job = options->job;
    add_dir(*command, job.dir);
    add_table_out(*command, job.out);
    CLI::Option* x =
        command->add_option("--x", options->x, "the plane at this x, m; towards +x is forward")->type_name("NUMBER");
    CLI::Option* y = command->add_option("--y", options->y, "the plane at this y, m; towards +y is forward")
                         ->type_name("NUMBER")
                         ->excludes(x);
    command->add_option("--plane", options->plane, "any plane: a point on it, m, and the direction that is forward")
        ->type_name("X Y Z NX NY NZ")
        ->expected(6)
        ->excludes(x)
        ->excludes(y);
    add_box(*command, "--box", job.plane.box, "only what passes in this box, m");
    const auto times = add_frames(*command, job);
    on_call(*command, job.dir, [options, times] {
        settle_times(options->job, *times);
        settle_plane(*options);
        const PassedVolume sum = write_overtopping(options->job);
        spdlog::info("{:.6g} {} forward, {:.6g} backward; {}", sum.forward,
                     read_layout(options->job.dir).two_d ? "m3 a metre" : "m3", sum.backward,
                     options->job.out.string());
    });
}

struct VolumesOptions {
    VolumesJob job;
    std::filesystem::path file;
    std::vector<double> boxes;
};

std::vector<NamedBox> boxes_of(const VolumesOptions& o) {
    std::vector<NamedBox> boxes;
    if (!o.file.empty()) boxes = read_boxes(o.file);
    const std::vector<double>& b = o.boxes;
    if (b.size() % 6 != 0)
        throw InputError(fmt::format("volumes: --box: needs XMIN YMIN ZMIN XMAX YMAX ZMAX ({} given)",
                                     counted(int(b.size()), "number")));
    for (std::size_t i = 0; i < b.size(); i += 6) {
        const NamedBox box{std::to_string(boxes.size()), {{b[i], b[i + 1], b[i + 2]}, {b[i + 3], b[i + 4], b[i + 5]}}};
        for (int axis = 0; axis < 3; ++axis)
            if (!(box.box.min[axis] <= box.box.max[axis]))
                throw InputError(
                    fmt::format("volumes: --box: the box ends at {} before it begins at {}: XMIN YMIN ZMIN "
                                "XMAX YMAX ZMAX are wanted",
                                box.box.max[axis], box.box.min[axis]));
        boxes.push_back(box);
    }
    return boxes;
}

void add_volumes(CLI::App& app) {
    CLI::App* command = app.add_subcommand("volumes", "volume of water in boxes, and what flows in and out");
    const auto options = std::make_shared<VolumesOptions>();
    add_dir(*command, options->job.dir);
    add_table_out(*command, options->job.out);
    add_repeated(*command, "--box", options->boxes, 6, "XMIN YMIN ZMIN XMAX YMAX ZMAX",
                 "a box, m (in 2-D any y); may be repeated");
    command->add_option("--boxes", options->file, "file with boxes: a name or none, and the six numbers, a line")
        ->type_name("FILE");
    const auto times = add_frames(*command, options->job);
    on_call(*command, options->job.dir, [options, times] {
        settle_times(options->job, *times);
        options->job.boxes = boxes_of(*options);
        log_frames(write_volumes(options->job), options->job.out);
    });
}

struct TraceOptions {
    TraceJob job;
    std::string ids;
    std::vector<double> near;
};

void add_trace(CLI::App& app) {
    CLI::App* command = app.add_subcommand("trace", "paths of particles as lines for ParaView, or as a table");
    const auto options = std::make_shared<TraceOptions>();
    TraceJob& job = options->job;
    add_dir(*command, job.dir);
    command->add_option("-o,--out", job.out, "lines with time and values (.vtp), or a table (.csv)")
        ->type_name("FILE")
        ->required();
    command->add_option("--id", options->ids, "particles with these ids, as 12,40-80")->type_name("ID,...");
    add_repeated(*command, "--near", options->near, 3, "X Y Z",
                 "the fluid particle nearest to this point in the first frame, m; may be repeated");
    add_box(*command, "--box", job.particles.box, "the fluid in this box in the first frame, m");
    command->add_option("--limit", job.particles.limit, "of the fluid in the box at most so many particles")
        ->check(whole_number(1))
        ->capture_default_str();
    const auto times = add_frames(*command, job);
    on_call(*command, job.dir, [options, times] {
        TraceJob& wanted = options->job;
        settle_times(wanted, *times);
        if (!options->ids.empty()) wanted.particles.ids = parse_ids(options->ids, "trace: --id");
        wanted.particles.near = vectors_of(options->near, "trace: --near");
        spdlog::info("{} in {}", counted(write_paths(wanted), "particle"), wanted.out.string());
    });
}

void log_reflection(const ReflectionJob& job, const Reflection& found) {
    const auto& [result, setting, series, uncertain] = found;
    constexpr double certain_enough = 0.05;
    if (uncertain > certain_enough)
        spdlog::warn("warning: {:.0f} % of the waves' energy is at frequencies at which the places are half a wave "
                     "length apart, and is left out; choose other places",
                     100 * uncertain);
    spdlog::info("{} series of {:.6g} s, {:.4g} to {:.4g} Hz, peak at {:.4g} Hz", series, setting.duration,
                 setting.from, setting.to, result.peak_frequency);
    spdlog::info("incident  Hi = {:.6g} m (4 sqrt(m0)); of a regular wave {:.6g} m", result.incident_height,
                 result.incident_height / std::numbers::sqrt2);
    spdlog::info("reflected Hr = {:.6g} m (4 sqrt(m0)); of a regular wave {:.6g} m", result.reflected_height,
                 result.reflected_height / std::numbers::sqrt2);
    spdlog::info("reflection coefficient Hr/Hi = {:.4g}", result.coefficient);
    if (!job.out.empty()) spdlog::info("{}", job.out.string());
}

void add_reflection(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("reflection", "incident and reflected waves from three or more surface gauges");
    const auto job = std::make_shared<ReflectionJob>();
    const auto direction = std::make_shared<std::vector<double>>();
    command->add_option("FILE", job->tables, "tables of swl gauges, or of sluice measure --elevation")->required();
    command->add_option("--depth", job->depth, "of the still water, m")->check(positive_number())->required();
    command->add_option("-o,--out", job->out, "table of the spectra (.csv)")->type_name("FILE");
    command->add_option("--points", job->points, "only these points of the tables")->delimiter(',')->type_name("N,...");
    command->add_option("--x", job->positions, "where the series were measured, m; default as the tables say")
        ->delimiter(',')
        ->type_name("X,...");
    command->add_option("--direction", *direction, "the way of the incident waves; default 1 0")
        ->type_name("DX DY")
        ->expected(2);
    command->add_option("--from", job->from, "no values before this time, s")->type_name("NUMBER");
    command->add_option("--to", job->to, "no values after this time, s")->type_name("NUMBER");
    command->add_option("--fmin", job->least_frequency, "least frequency, Hz; default half that of the peak")
        ->check(positive_number());
    command->add_option("--fmax", job->largest_frequency, "largest frequency, Hz; default three times that of the peak")
        ->check(positive_number());
    command->add_option("--smooth", job->smoothing, "spectra are means of so many frequencies")
        ->check(whole_number(1))
        ->capture_default_str();
    command->add_option("--gravity", job->g, "m/s2")->check(positive_number())->capture_default_str();
    add_quiet(*command);
    command->callback([job, direction] {
        if (!direction->empty()) {
            job->direction_x = direction->at(0);
            job->direction_y = direction->at(1);
        }
        log_reflection(*job, find_reflection(*job));
    });
}

} // namespace

void add_water_commands(CLI::App& app) {
    add_runup(app);
    add_overtopping(app);
    add_volumes(app);
    add_trace(app);
    add_reflection(app);
}

} // namespace sluice
