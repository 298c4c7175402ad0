// SPDX-License-Identifier: Apache-2.0
#include "app/stored_case.h"

#include "app/stored_options.h"
#include "case/write_effective.h"
#include "core/error.h"
#include "core/input_file.h"
#include "geometry/mesh_file.h"
#include "io/files/digest.h"
#include "io/files/file.h"
#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace sluice {

namespace fs = std::filesystem;

namespace {

constexpr const char* inputs = "inputs";

std::string content_of(const fs::path& path) {
    std::ifstream file = open_input(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file)
        throw InputError(
            fmt::format("{}: is missing or cannot be read: the folder of a run has to stay whole for the run "
                        "to go on",
                        path.string()));
    return text.str();
}

/// Names without blanks, so that the digest is what follows the first one.
std::string digest_line(std::string name, const std::string& content) {
    std::replace(name.begin(), name.end(), ' ', '_');
    return fmt::format("{} {:016x}\n", name, digest(std::as_bytes(std::span(content))));
}

} // namespace

fs::path stored_case(const fs::path& folder) { return folder / "effective-case.xml"; }

void store_case(const fs::path& folder, const Case& definition, const CaseOverrides& overrides,
                const ParticleSet& particles) {
    make_folder(folder / inputs);
    write_file_atomically(folder / inputs / definition.file.filename(), definition.source);
    for (const std::string& file : particles.data_files) {
        const fs::path copy = folder / inputs / file;
        make_folder(copy.parent_path());
        write_file_atomically(copy, read_data_text(definition.data_folder / file, {definition.file.string(), 0}));
    }
    write_file_atomically(stored_case(folder), effective_case(definition, overrides, inputs));
}

void set_stored_end(const fs::path& folder, double time_max) {
    write_file_atomically(stored_case(folder), with_time_max(content_of(stored_case(folder)), time_max));
}

std::string inputs_fingerprint(const fs::path& folder, const ParticleSet& particles) {
    std::string lines = digest_line("effective-case.xml", essence_of(content_of(stored_case(folder))));
    for (const std::string& file : particles.data_files)
        lines += digest_line((fs::path(inputs) / file).string(), content_of(folder / inputs / file));
    return lines + digest_line("options.json", essence_of_options(folder));
}

} // namespace sluice
