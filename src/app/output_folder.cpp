// SPDX-License-Identifier: Apache-2.0
#include "app/output_folder.h"

#include "core/error.h"
#include <array>
#include <fmt/format.h>

namespace sluice {

namespace fs = std::filesystem;

namespace {
/// All that a run writes, relative to its folder: what `--overwrite` may remove.
constexpr std::array results{"frames",      "fluid.vtkhdf", "boundary.vtkhdf", "gauges",       "pictures",
                             "run.json",    "run.log",      "flow.csv",        "excluded.csv", "effective-case.xml",
                             "checkpoints", "options.json", "report.html",     "probes.csv"};
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
    for (const char* name : results)
        if (fs::exists(folder / name))
            throw InputError(
                fmt::format("{}: holds the results of an earlier run ({}); choose another folder with -o, or replace "
                            "them with --overwrite",
                            folder.string(), name));
}

void prepare_output_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw RunError(fmt::format("{}: cannot make the folder ({})", folder.string(), error.message()));
    for (const char* name : results) {
        fs::remove_all(folder / name, error);
        if (error)
            throw RunError(
                fmt::format("{}: cannot remove the earlier result ({})", (folder / name).string(), error.message()));
    }
}

} // namespace sluice
