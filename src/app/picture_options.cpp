// SPDX-License-Identifier: Apache-2.0
#include "app/picture_options.h"

#include "app/option_checks.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/log.h"
#include "io/frames/frame_reader.h"
#include "io/records/run_json.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sluice {

namespace {

void add_range(CLI::App& app, PictureOptions& options) {
    app.add_option_function<std::vector<double>>(
           "--range",
           [&](const std::vector<double>& v) {
               options.range = ValueRange{v[0], v[1]};
           },
           "ends of the colour scale; by default those of the values without the outermost ones")
        ->type_name("LOW HIGH")
        ->expected(2);
}

/// The name of a run's case; none without a run.json that names it.
std::string case_name(const std::filesystem::path& dir) {
    const auto json = nlohmann::json::parse(read_json_text(dir / "run.json").value_or(""), nullptr, false);
    return json.is_object() ? json.value("case", "") : "";
}

} // namespace

void add_picture_options(CLI::App& app, PictureOptions& options) {
    std::vector<std::pair<std::string, PictureValue>> values;
    for (const PictureValueInfo& info : picture_values) values.emplace_back(info.option, info.value);
    add_choice<PictureValue>(app, "--colour,--color", options.value, values, "what the colours show");
    add_range(app, options);
    add_choice<FluidLook>(app, "--fluid", options.fluid,
                          {{"particles", FluidLook::particles}, {"surface", FluidLook::surface}},
                          "draw the fluid as particles, or as its surface (in 2-D its area)");
    add_box(app, "--crop", options.crop, "show this box only, m (in 2-D any y)");
    app.add_option("--azimuth", options.azimuth, "from where one looks, degrees; -90 is from -y (3-D)")
        ->capture_default_str();
    app.add_option("--elevation", options.elevation, "degrees above the horizon; 0 from the side, 90 from above (3-D)")
        ->capture_default_str();
    app.add_option("--width", options.width, "pixels, 600 to 10000; the height follows")
        ->check(whole_number(600, 10000))
        ->capture_default_str();
    app.add_option("--height", options.height_max, "pixels that it may be high at most, from 300 on")
        ->check(whole_number(300, 10000));
    app.add_option("--title", options.title, "text above the picture, default the name of the case; \"\" for none")
        ->default_str("");
    app.add_flag_callback(
        "--no-time", [&] { options.show_time = false; }, "leave out the time above the picture");
}

PictureOptions picture_of_run(const std::filesystem::path& dir, PictureOptions options) {
    const PictureValueInfo& info = picture_value_info(options.value);
    const ParticleLayout layout = read_layout(dir);
    const PictureOptions usual;
    if (layout.two_d && (options.azimuth != usual.azimuth || options.elevation != usual.elevation))
        spdlog::warn("warning: --azimuth, --elevation: the case has two dimensions and is seen from the side; "
                     "they change nothing");
    if (!is_stored(options.value, layout.fields) && options.value != PictureValue::speed)
        throw InputError(fmt::format("{}: the frames do not hold {}: take another --colour, or run with --fields +{}",
                                     dir.string(), info.option, info.option));
    if (options.range && !(options.range->low < options.range->high))
        throw InputError(fmt::format("--range: the low end is not below the high one ({} {})", options.range->low,
                                     options.range->high));
    if (options.fluid == FluidLook::surface) {
        require_stored(dir, layout, {Field::density});
        options.run = std::make_shared<const RunSetup>(read_run_setup(dir / "run.json"));
    }
    if (!options.title) options.title = case_name(dir);
    return options;
}

} // namespace sluice
