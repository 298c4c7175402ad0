// SPDX-License-Identifier: Apache-2.0
#include "core/input_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace sluice {

namespace fs = std::filesystem;

std::string not_a_file(const fs::path& path) {
    std::error_code error;
    switch (fs::status(path, error).type()) {
    case fs::file_type::directory: return "a folder";
    case fs::file_type::fifo: return "a pipe";
    case fs::file_type::socket: return "a socket";
    case fs::file_type::block:
    case fs::file_type::character: return "a device";
    default: return "";
    }
}

std::ifstream open_input(const fs::path& path, std::ios::openmode mode) {
    if (const std::string what = not_a_file(path); !what.empty())
        throw InputError(fmt::format("{}: is {}, give the name of a file", path.string(), what));
    std::ifstream file(path, std::ios::in | mode);
    return file;
}

bool nests_too_deep(std::string_view json) {
    constexpr int deepest = 100;
    int depth = 0;
    bool in_text = false;
    for (std::size_t k = 0; k < json.size(); ++k) {
        const char c = json[k];
        if (in_text && c == '\\')
            ++k;
        else if (c == '"')
            in_text = !in_text;
        else if (!in_text && (c == '[' || c == '{') && ++depth > deepest)
            return true;
        else if (!in_text && (c == ']' || c == '}'))
            --depth;
    }
    return false;
}

std::optional<std::string> read_json_text(const fs::path& path) {
    std::ifstream file = open_input(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::ostringstream text;
    text << file.rdbuf();
    if (nests_too_deep(text.view()))
        throw InputError(
            fmt::format("{}: its values are nested so deeply that Sluice cannot have written it", path.string()));
    return std::move(text).str();
}

void require_inside(const fs::path& folder, const fs::path& path, const SourceLocation& where) {
    std::error_code error;
    const fs::path root = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error),
                   target = fs::weakly_canonical(fs::absolute(path), error); // a relative one stays if it is not there
    if (error) return;                                                       // opening it will report that
    if (std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first != root.end())
        throw InputError(where, fmt::format("the file {} lies, through a link, outside the folder of the case: copy it "
                                            "there instead",
                                            path.string()));
}

} // namespace sluice
