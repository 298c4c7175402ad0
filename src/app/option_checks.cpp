// SPDX-License-Identifier: Apache-2.0
#include "app/option_checks.h"

#include "core/log.h"
#include "core/nearest_word.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice {

namespace {

/// All of a text as a number.
template <class Number>
std::optional<Number> parsed(const std::string& text) {
    const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* const end = text.data() + text.size();
    Number value{};
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

template <class Good>
CLI::Validator number_where(Good good, std::string wanted) {
    return CLI::Validator(
        [good, wanted = std::move(wanted)](std::string& text) {
            const auto value = parsed<double>(text);
            return value && std::isfinite(*value) && good(*value)
                       ? std::string()
                       : fmt::format("{} is wanted ({} is given)", wanted, text);
        },
        "NUMBER");
}

} // namespace

CLI::Validator positive_number() {
    return number_where([](double value) { return value > 0; }, "a number above 0");
}

CLI::Validator number_from_zero() {
    return number_where([](double value) { return value >= 0; }, "a number not below 0");
}

CLI::Validator number_between(double least, double most) {
    return number_where([=](double value) { return value >= least && value <= most; },
                        fmt::format("a number from {:g} to {:g}", least, most));
}

CLI::Validator file_with_suffix(std::string suffix) {
    return CLI::Validator(
        [suffix = std::move(suffix)](std::string& text) {
            return text.ends_with(suffix) ? std::string()
                                          : fmt::format("a file name with {} is wanted ({} is given)", suffix, text);
        },
        "FILE");
}

CLI::Validator folder_name(std::string formats) {
    return CLI::Validator(
        [formats = std::move(formats)](std::string& text) {
            const std::string suffix = std::filesystem::path(text).extension().string();
            for (const char* of_files : {".vtu", ".vtk", ".vtp", ".pvd", ".csv", ".stl", ".ply", ".h5", ".vtkhdf"})
                if (suffix == of_files)
                    return fmt::format("a folder is wanted, for a file a frame ({} is given); {} chooses what they are",
                                       text, formats);
            return std::string();
        },
        "DIR");
}

CLI::Validator whole_number(long long least, long long most) {
    return CLI::Validator(
        [=](std::string& text) {
            const auto value = parsed<long long>(text);
            if (value && *value >= least && *value <= most) return std::string();
            const std::string range =
                most >= 2147483647 ? fmt::format("{} or more", least) : fmt::format("{} to {}", least, most);
            return fmt::format("a whole number is wanted, {} ({} is given)", range, text);
        },
        "N");
}

CLI::Validator whole_number_or(std::string word, long long least, long long most) {
    return CLI::Validator(
        [=](std::string& text) {
            const auto value = parsed<long long>(text);
            return text == word || (value && *value >= least && *value <= most)
                       ? std::string()
                       : fmt::format("a whole number is wanted, {} to {}, or {} ({} is given)", least, most, word,
                                     text);
        },
        "N");
}

CLI::Validator one_of(std::vector<std::string> words, std::map<std::string, std::string> meant) {
    const std::string list = fmt::format("{}", fmt::join(words, ", "));
    return CLI::Validator(
        [words = std::move(words), meant = std::move(meant), list](std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
            const auto same = meant.find(text);
            const std::string near =
                same != meant.end() ? fmt::format(" (did you mean {}?)", same->second) : suggest_nearest(text, words);
            return fmt::format("there is no '{}'{}: take one of {}", text, near, list);
        },
        fmt::format("{{{}}}", list));
}

CLI::Option* add_vector(CLI::App& app, const std::string& name, Vec3d& value, const std::string& help) {
    const auto take = [&value](const std::vector<double>& v) { value = {v[0], v[1], v[2]}; };
    return app.add_option_function<std::vector<double>>(name, take, help)->type_name("X Y Z")->expected(3);
}

CLI::Option* add_box(CLI::App& app, const std::string& name, std::optional<Box>& value, const std::string& help) {
    const auto take = [&value, name](const std::vector<double>& v) {
        value = Box{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
        for (int axis = 0; axis < 3; ++axis)
            if (!(value->min[axis] <= value->max[axis]))
                throw CLI::ValidationError(name,
                                           fmt::format("the box ends at {} before it begins at {}: XMIN YMIN ZMIN "
                                                       "XMAX YMAX ZMAX are wanted",
                                                       value->max[axis], value->min[axis]));
    };
    return app.add_option_function<std::vector<double>>(name, take, help)
        ->type_name("XMIN YMIN ZMIN XMAX YMAX ZMAX")
        ->expected(6);
}

void add_quiet(CLI::App& app) {
    app.add_flag_callback("-q,--quiet", quieten_console, "only warnings and errors on the terminal");
}

} // namespace sluice
