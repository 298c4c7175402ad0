// SPDX-License-Identifier: Apache-2.0
#include "app/post_processing.h"

#include "app/option_checks.h"
#include "app/picture_options.h"
#include "app/results/frame_options.h"
#include "app/results/id_list.h"
#include "app/results/surface_commands.h"
#include "app/results/water_commands.h"
#include "core/error.h"
#include "core/log.h"
#include "io/frames/frame_reader.h"
#include "io/measures/export.h"
#include "io/measures/forces.h"
#include "io/measures/measure.h"
#include "io/pictures/movie.h"
#include "io/pictures/picture.h"
#include "io/report/report.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <optional>

namespace sluice {

namespace {

void add_report(CLI::App& app) {
    CLI::App* report = app.add_subcommand("report", "write one HTML page about a run: player, plots, figures");
    const auto options = std::make_shared<ReportOptions>();
    add_dir(*report, options->dir);
    report->add_option("-o,--out", options->out, "the page, default DIR/report.html")->check(file_with_suffix(".html"));
    report
        ->add_option("--player-size", options->player_megabytes, "the player's frames are thinned to about so many MB")
        ->check(positive_number())
        ->capture_default_str();
    on_call(*report, options->dir, [options] { spdlog::info("{}", write_report(*options).string()); });
}

void add_export(CLI::App& app) {
    CLI::App* command = app.add_subcommand("export", "write stored frames as VTP or CSV");
    const auto job = std::make_shared<ExportJob>();
    add_dir(*command, job->dir);
    command->add_option("-o,--out", job->out, "folder to write to")
        ->check(folder_name("--format vtp or csv"))
        ->type_name("DIR")
        ->required();
    add_choice<ExportFormat>(*command, "--format", job->format,
                             {{"vtp", ExportFormat::vtp}, {"csv", ExportFormat::csv}}, "vtp (with pvd) or csv");
    const auto times = add_frames(*command, *job);
    command->add_flag("--boundary", job->boundary, "the boundary too");
    command->add_option("--mkfluid", job->selection.mk_fluid, "only the fluid of these mks, as in the case")
        ->delimiter(',')
        ->type_name("MK,...");
    command->add_option("--mkbound", job->selection.mk_bound, "the boundary of these mks, as in the case")
        ->delimiter(',')
        ->type_name("MK,...");
    add_box(*command, "--box", job->selection.box, "only what is in this box, m");
    add_overwrite(*command, job->overwrite);
    on_call(*command, job->dir, [job, times] {
        settle_times(*job, *times);
        refuse_folder_of_run("export", job->dir, job->out);
        log_frames(export_frames(*job), job->out);
    });
}

struct MeasureOptions {
    MeasureJob job;
    std::filesystem::path points;
    std::vector<double> point, line, grid;
    bool elevation = false;
    ColumnValues also;
};

std::vector<Vec3d> measure_points(const MeasureOptions& o) {
    std::vector<Vec3d> points;
    const auto append = [&](const std::vector<Vec3d>& more) { points.insert(points.end(), more.begin(), more.end()); };
    if (!o.points.empty()) append(read_points(o.points));
    append(vectors_of(o.point, "measure: --point"));
    if (!o.line.empty())
        append(line_points({o.line[0], o.line[1], o.line[2]}, {o.line[3], o.line[4], o.line[5]}, o.line[6]));
    if (!o.grid.empty())
        append(grid_points({o.grid[0], o.grid[1], o.grid[2]}, {o.grid[3], o.grid[4], o.grid[5]},
                           {o.grid[6], o.grid[7], o.grid[8]}));
    if (points.empty()) throw InputError("measure: no points given; use --points FILE, --point, --line or --grid");
    return points;
}

void add_measure(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("measure", "velocity, pressure and density at points, or the free surface above them");
    const auto options = std::make_shared<MeasureOptions>();
    add_dir(*command, options->job.dir);
    command->add_option("-o,--out", options->job.out, "table (.csv) or one file a frame (.vtp) with a .pvd to open")
        ->type_name("FILE")
        ->required();
    command->add_option("--points", options->points, "file with points: x y z a line, or POINTSLIST blocks")
        ->type_name("FILE");
    add_repeated(*command, "--point", options->point, 3, "X Y Z", "a point, m (in 2-D any y); may be repeated");
    command->add_option("--line", options->line, "so many points on a line between two, m")
        ->type_name("X0 Y0 Z0 X1 Y1 Z1 COUNT")
        ->expected(7);
    command->add_option("--grid", options->grid, "points of a lattice in a box, at these distances, m")
        ->type_name("XMIN YMIN ZMIN XMAX YMAX ZMAX DX DY DZ")
        ->expected(9);
    command->add_flag("--elevation", options->elevation, "height of the free surface above the points instead");
    command->add_flag("--depth", options->also.depth, "with --elevation: the depth of water there, too");
    command
        ->add_option("--layers", options->also.layers,
                     "with --elevation: lower and upper side of so many layers of water, from below")
        ->check(whole_number(1, 100));
    add_fluid_fields(*command, "--field", options->job.fields,
                     "values that are measured, with commas between; gradients need not be stored; default all that "
                     "the frames hold")
        ->excludes("--elevation");
    add_overwrite(*command, options->job.overwrite);
    const auto times = add_frames(*command, options->job);
    on_call(*command, options->job.dir, [options, times] {
        settle_times(options->job, *times);
        options->job.points = measure_points(*options);
        const auto& [depth, layers] = options->also;
        if (!options->elevation && (depth || layers > 0))
            throw InputError(fmt::format("measure: {}: add --elevation, of whose table these are columns",
                                         depth ? "--depth" : "--layers"));
        const auto file = options->elevation ? measure_elevation(options->job, options->also) : measure(options->job);
        spdlog::info("{}", file.string());
    });
}

void add_movie(CLI::App& app) {
    CLI::App* command = app.add_subcommand("movie", "make a film of the stored frames (needs ffmpeg)");
    const auto job = std::make_shared<MovieJob>();
    add_dir(*command, job->dir);
    command->add_option("-o,--out", job->out, "the film (.mp4, .mov, .mkv, .webm or .gif)")
        ->type_name("FILE")
        ->required();
    command->add_option("--fps", job->frames_per_second, "frames a second")
        ->check(whole_number(1))
        ->capture_default_str();
    CLI::Option* speed = command
                             ->add_option("--speed", job->speed,
                                          "seconds of the run in a second of the film: 1 as it happens, 0.25 four "
                                          "times slower; default a picture a frame")
                             ->check(positive_number());
    add_choice<BetweenFrames>(*command, "--between", job->between,
                              {{"repeat", BetweenFrames::repeat}, {"interpolate", BetweenFrames::interpolate}},
                              "between stored frames show the nearest again, or places and values in between")
        ->needs(speed);
    const auto times = add_frames(*command, *job);
    add_picture_options(*command, job->picture);
    command
        ->add_option("--camera", job->camera,
                     "file with the view over time; a row: time azimuth elevation zoom, in 2-D time xmin zmin xmax "
                     "zmax")
        ->type_name("FILE")
        ->excludes("--azimuth")
        ->excludes("--elevation");
    on_call(*command, job->dir, [job, times] {
        if (job->camera && job->picture.crop && read_layout(job->dir).two_d)
            throw InputError("movie: --crop: --camera has the rectangle that is shown; leave one of them out");
        settle_times(*job, *times);
        job->picture = picture_of_run(job->dir, job->picture);
        log_frames(write_movie(*job), job->out);
    });
}

struct ForcesOptions {
    ForcesJob job;
    std::string ids;
    std::vector<double> axis;
};

void add_forces(CLI::App& app) {
    CLI::App* command = app.add_subcommand("forces", "force and moment of the fluid on parts of the boundary");
    const auto options = std::make_shared<ForcesOptions>();
    ForcesJob& job = options->job;
    add_dir(*command, job.dir);
    add_table_out(*command, job.out);
    command->add_option("--mkbound,--mk", job.particles.mk_bound, "mkbound, as in the case")->type_name("MK");
    add_box(*command, "--box", job.particles.box, "only particles that begin in this box, m");
    command->add_option("--id", options->ids, "only particles with these ids, as 12,40-80")->type_name("ID,...");
    add_vector(*command, "--about", job.about, "point that the moment is taken about, m; default the origin");
    command->add_option("--axis", options->axis, "the moment about an axis, too: a point on it, m, and its direction")
        ->type_name("X Y Z DX DY DZ")
        ->expected(6);
    command->add_option("--moves-with", job.moves_with, "point and axis move with this mkbound")->type_name("MK");
    const auto times = add_frames(*command, job);
    on_call(*command, job.dir, [options, times] {
        ForcesJob& wanted = options->job;
        settle_times(wanted, *times);
        if (!options->ids.empty()) wanted.particles.ids = parse_ids(options->ids, "forces: --id");
        if (const auto& a = options->axis; !a.empty()) wanted.axis = MomentAxis{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}};
        log_frames(write_forces(wanted), wanted.out);
    });
}

struct PictureJob {
    std::filesystem::path dir, out;
    int number = -1;              ///< −1: the last frame
    std::optional<double> time{}; ///< of the frame, s, instead of its number
    PictureOptions options;
};

/// The number of the frame to be drawn. Throws InputError where there is none of that number or near that time.
int number_of(const PictureJob& job) {
    if (job.number >= 0) return choose_frames(job.dir, job.number, job.number).front().number;
    const auto frames = choose_frames(job.dir, 0, std::numeric_limits<int>::max());
    if (!job.time) return frames.back().number;
    const double beyond = std::max(time_between(frames) / 2, 1e-3 * frames.back().time);
    if (!(*job.time >= frames.front().time - beyond && *job.time <= frames.back().time + beyond))
        throw InputError(fmt::format("picture: --time {:g}: no frame is near to it; they go from {:g} to {:g} s",
                                     *job.time, frames.front().time, frames.back().time));
    return nearest_frame(frames, *job.time);
}

void draw_frame(const PictureJob& job) {
    check_picture_suffix(job.out);
    const Frame frame = read_frame(job.dir, number_of(job));
    const ParticleLayout layout = read_layout(job.dir);
    if (job.options.crop && std::none_of(frame.position.begin(), frame.position.end(),
                                         [&](const Vec3d& p) { return in_crop(*job.options.crop, p, layout.two_d); })) {
        const Box all = bounding_box(frame);
        throw InputError(fmt::format("--crop: no particle lies in the box; they reach from ({:.4g}, {:.4g}, {:.4g}) to "
                                     "({:.4g}, {:.4g}, {:.4g}) m",
                                     all.min.x, all.min.y, all.min.z, all.max.x, all.max.y, all.max.z));
    }
    draw_picture(job.out, frame, layout, picture_of_run(job.dir, job.options));
}

void add_picture(CLI::App& app) {
    CLI::App* command = app.add_subcommand("picture", "draw a stored frame as PNG, SVG or PDF");
    const auto job = std::make_shared<PictureJob>();
    add_dir(*command, job->dir);
    command->add_option("-o,--out", job->out, "the picture (.png, .svg or .pdf)")->type_name("FILE")->required();
    command->add_option("--frame", job->number, "number of the frame, default the last")->check(whole_number(0));
    command->add_option("--time", job->time, "the frame nearest to this time, s")
        ->type_name("NUMBER")
        ->excludes("--frame");
    add_picture_options(*command, job->options);
    on_call(*command, job->dir, [job] {
        draw_frame(*job);
        spdlog::info("{}", job->out.string());
    });
}

} // namespace

void add_post_processing(CLI::App& app) {
    add_report(app);
    add_export(app);
    add_measure(app);
    add_movie(app);
    add_forces(app);
    add_water_commands(app);
    add_surface_commands(app);
    add_picture(app);
}

} // namespace sluice
