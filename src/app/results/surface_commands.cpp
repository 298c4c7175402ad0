// SPDX-License-Identifier: Apache-2.0
#include "app/results/surface_commands.h"

#include "app/results/frame_options.h"
#include "app/stored_case.h"
#include "case/read_case.h"
#include "core/error.h"
#include "io/surfaces/link_lines.h"
#include "io/surfaces/scene.h"
#include "io/surfaces/slice.h"
#include "io/surfaces/surface.h"
#include "io/surfaces/wall_surfaces.h"
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <optional>

namespace sluice {

namespace {

/// A finite number, or nothing.
std::optional<double> parsed_number(const std::string& text) {
    double value = 0;
    return CLI::detail::lexical_cast(text, value) && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// --format of files of triangles.
void add_format(CLI::App& app, SurfaceFormat& format) {
    add_choice<SurfaceFormat>(app, "--format", format,
                              {{"vtp", SurfaceFormat::vtp}, {"stl", SurfaceFormat::stl}, {"ply", SurfaceFormat::ply}},
                              "vtp (with pvd), stl or ply");
}

/// --fields: what is carried onto the points.
void add_carried_fields(CLI::App& app, std::optional<FieldSelection>& fields, const std::string& usual) {
    add_fluid_fields(app, "--fields", fields,
                     "stored values of the fluid that the points get, with commas between; default " + usual);
}

/// --spacing of the lattice that something is found on.
void add_spacing(CLI::App& app, double& spacing, const std::string& help) {
    app.add_option("--spacing", spacing, help)->check(positive_number());
}

/// --value NAME LEVEL: the surface of a value.
void add_value(CLI::App& app, SurfaceJob& job) {
    std::vector<std::string> names;
    for (const NamedFluidValue& named : fluid_values()) names.push_back(named.name);
    const auto take = [&job, known = one_of(names)](const std::vector<std::string>& words) {
        std::string name = words[0];
        if (const std::string wrong = known(name); !wrong.empty()) throw CLI::ValidationError("--value", wrong);
        const auto level = parsed_number(words[1]);
        if (!level)
            throw CLI::ValidationError(
                "--value",
                fmt::format("{} is equal to which number? NAME LEVEL are wanted ({} is given)", name, words[1]));
        for (const NamedFluidValue& named : fluid_values())
            if (named.name == name) job.value = named.value;
        job.value_level = *level;
    };
    app.add_option_function<std::vector<std::string>>(
           "--value", take,
           fmt::format(
               "the surface inside the fluid at which a value is LEVEL, in SI units, instead; NAME is one of {}",
               fmt::join(names, ", ")))
        ->type_name("NAME LEVEL")
        ->expected(2);
}

void add_surface(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("surface", "surface of the fluid, or of a value in it, for other programs (lines in 2-D)");
    const auto job = std::make_shared<SurfaceJob>();
    add_dir(*command, job->dir);
    add_out_folder(*command, job->out, "--format vtp, stl or ply");
    add_format(*command, job->format);
    command->add_option("--level", job->level, "fraction of the volume that is fluid at the surface, 0.01 to 0.99")
        ->check(number_between(0.01, 0.99))
        ->capture_default_str();
    add_value(*command, *job);
    add_spacing(*command, job->spacing, "of the lattice, m; default the particle spacing");
    add_carried_fields(*command, job->fields, "velocity");
    add_overwrite(*command, job->overwrite);
    const auto times = add_frames(*command, *job);
    on_call(*command, job->dir, [job, times] {
        settle_times(*job, *times);
        refuse_folder_of_run("surface", job->dir, job->out);
        log_frames(write_surfaces(*job), job->out);
    });
}

struct SliceOptions {
    SliceJob job;
    std::optional<Vec3d> point{}, normal{};
    std::vector<double> through;
};

SlicePlane plane_of(const SliceOptions& o) {
    if (o.through.empty() && o.point && o.normal) return plane_at(*o.point, *o.normal);
    if (o.through.size() == 9 && !o.point && !o.normal)
        return plane_through({o.through[0], o.through[1], o.through[2]}, {o.through[3], o.through[4], o.through[5]},
                             {o.through[6], o.through[7], o.through[8]});
    throw InputError("slice: which plane? Give --point and --normal, or three points by --through");
}

void add_optional_vector(CLI::App& app, const std::string& name, std::optional<Vec3d>& value, const std::string& help) {
    app.add_option_function<std::vector<double>>(
           name,
           [&value](const std::vector<double>& v) {
               value = Vec3d{v[0], v[1], v[2]};
           },
           help)
        ->type_name("X Y Z")
        ->expected(3);
}

void add_slice(CLI::App& app) {
    CLI::App* command = app.add_subcommand("slice", "the fluid in a plane, with its values, as VTP (a line in 2-D)");
    const auto options = std::make_shared<SliceOptions>();
    SliceJob& job = options->job;
    add_dir(*command, job.dir);
    add_out_folder(*command, job.out, "the command writes VTP, which");
    add_optional_vector(*command, "--point", options->point, "a point of the plane, m");
    add_optional_vector(*command, "--normal", options->normal, "direction across the plane, of any length");
    command->add_option("--through", options->through, "the plane through three points instead, m")
        ->type_name("X0 Y0 Z0 X1 Y1 Z1 X2 Y2 Z2")
        ->expected(9);
    add_spacing(*command, job.spacing, "between points in the plane, m; default the particle spacing");
    add_carried_fields(*command, job.fields, "all that the frames hold");
    add_overwrite(*command, job.overwrite);
    const auto times = add_frames(*command, job);
    on_call(*command, job.dir, [options, times] {
        options->job.plane = plane_of(*options);
        settle_times(options->job, *times);
        refuse_folder_of_run("slice", options->job.dir, options->job.out);
        log_frames(write_slices(options->job), options->job.out);
    });
}

/// What the case of a run drew of its walls.
std::map<int, DrawnWall> walls_of_case(const std::filesystem::path& dir) {
    CaseOverrides overrides;
    overrides.allow_unsupported = true;
    return drawn_walls(read_case(stored_case(dir), overrides));
}

/// --mkbound and --shape of walls.
template <class Job>
void add_choice_of_walls(CLI::App& app, Job& job) {
    app.add_option("--mkbound", job.mk_bound, "only these mks, as in the case")->delimiter(',')->type_name("MK,...");
    add_choice<WallShape>(app, "--shape", job.shape, {{"drawn", WallShape::drawn}, {"particles", WallShape::particles}},
                          "what the case drew, or the surface around the particles");
}

void add_walls(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("walls", "surfaces of walls and bodies where the frames have them, for other programs");
    const auto job = std::make_shared<WallSurfaceJob>();
    add_dir(*command, job->dir);
    add_out_folder(*command, job->out, "--format vtp, stl or ply");
    add_format(*command, job->format);
    add_choice_of_walls(*command, *job);
    add_spacing(*command, job->spacing, "of the lattice around particles, m; default half their spacing");
    add_overwrite(*command, job->overwrite);
    const auto times = add_frames(*command, *job);
    on_call(*command, job->dir, [job, times] {
        settle_times(*job, *times);
        refuse_folder_of_run("walls", job->dir, job->out);
        if (job->shape == WallShape::drawn) job->drawn = walls_of_case(job->dir);
        log_frames(write_wall_surfaces(*job), job->out);
    });
}

void add_links(CLI::App& app) {
    CLI::App* command = app.add_subcommand("links", "mooring lines and joints with what they bear, as VTP");
    const auto job = std::make_shared<LinkLinesJob>();
    add_dir(*command, job->dir);
    add_out_folder(*command, job->out, "the command writes VTP, which");
    add_overwrite(*command, job->overwrite);
    const auto times = add_frames(*command, *job);
    on_call(*command, job->dir, [job, times] {
        settle_times(*job, *times);
        refuse_folder_of_run("links", job->dir, job->out);
        log_frames(write_link_lines(*job), job->out);
    });
}

void add_scene(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("scene", "all frames as one moving scene (Alembic), for Blender, Houdini, Maya");
    const auto job = std::make_shared<SceneJob>();
    add_dir(*command, job->dir);
    command->add_option("-o,--out", job->out, "file to write (.abc)")->type_name("FILE")->required();
    const std::map<std::string, ScenePart> words{
        {"surface", ScenePart::surface}, {"walls", ScenePart::walls}, {"points", ScenePart::points}};
    command
        ->add_option_function<std::vector<std::string>>(
            "--parts",
            [job, words](const std::vector<std::string>& names) {
                job->parts.clear();
                for (const std::string& name : names) job->parts.push_back(words.at(name));
            },
            "what it has, with commas between: surface and walls (the default), points (the fluid particles)")
        ->delimiter(',')
        ->check(one_of({"surface", "walls", "points"}))
        ->type_name("PART,...");
    add_choice<UpAxis>(*command, "--up", job->up, {{"y", UpAxis::y}, {"z", UpAxis::z}},
                       "axis that points up in the file: y, as programs for animation have it, or z");
    command->add_option("--level", job->level, "fraction of the volume that is fluid at the surface, 0.01 to 0.99")
        ->check(number_between(0.01, 0.99))
        ->capture_default_str();
    add_spacing(*command, job->spacing, "of the lattice for the surface, m; default the particle spacing");
    add_choice_of_walls(*command, *job);
    const auto times = add_frames(*command, *job);
    on_call(*command, job->dir, [job, times] {
        settle_times(*job, *times);
        if (job->has(ScenePart::walls) && job->shape == WallShape::drawn) job->drawn = walls_of_case(job->dir);
        log_frames(write_scene(*job), job->out);
    });
}

} // namespace

void add_surface_commands(CLI::App& app) {
    add_surface(app);
    add_slice(app);
    add_walls(app);
    add_links(app);
    add_scene(app);
}

} // namespace sluice
