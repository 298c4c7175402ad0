// SPDX-License-Identifier: Apache-2.0
#include "app/output_folder.h"

#include "core/error.h"
#include "io/files/file.h"
#include <array>
#include <fmt/format.h>
#include <span>

namespace sluice {

namespace fs = std::filesystem;

namespace {
/// What grows while a run goes on, relative to its folder.
constexpr std::array series{"frames",      "fluid.vtkhdf", "boundary.vtkhdf", "fluid.xdmf", "boundary.xdmf",
                            "gauges",      "bodies",       "joints",          "moorings",   "absorption",
                            "pictures",    "flow.csv",     "excluded.csv",    "probes.csv", "contacts.csv",
                            "checkpoints", "report.html"};
/// What else it writes. Together with the series all that `--overwrite` may remove.
constexpr std::array records{"run.json", "run.log", "effective-case.xml", "inputs", "options.json", "run.reserve",
                             "waves",    "view.py"};

void remove_all(const fs::path& folder, std::span<const char* const> names) {
    for (const char* name : names) {
        std::error_code error;
        fs::remove_all(folder / name, error);
        if (error) fail_output(folder / name, "cannot remove the earlier result", error.value());
    }
}
} // namespace

fs::path output_folder(const fs::path& out, const fs::path& case_file) {
    if (!out.empty()) return out;
    std::string name = case_file.stem().string();
    const std::string suffix = "_Def";
    if (name.size() > suffix.size() && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
    return name + "_out";
}

void check_output_folder(const fs::path& folder, bool overwrite) {
    if (!fs::exists(folder)) return;
    if (!fs::is_directory(folder))
        throw InputError(fmt::format("{}: is not a folder; choose another with -o", folder.string()));
    if (overwrite) return;
    const auto refuse = [&](const char* name) {
        if (fs::exists(folder / name))
            throw InputError(
                fmt::format("{}: holds the results of an earlier run ({}); choose another folder with -o, or replace "
                            "them with --overwrite",
                            folder.string(), name));
    };
    for (const char* name : series) refuse(name);
    for (const char* name : records) refuse(name);
}

void remove_series(const fs::path& folder) { remove_all(folder, series); }

void remove_results(const fs::path& folder) {
    remove_all(folder, series);
    remove_all(folder, records);
}

} // namespace sluice
