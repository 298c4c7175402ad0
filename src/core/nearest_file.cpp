// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_file.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <vector>

namespace sluice {

namespace {

namespace fs = std::filesystem;

constexpr int deepest = 2, most_names = 4000;

bool same_but_for_case(const std::string& a, const std::string& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The first file of that name in the order of the alphabet, those of a folder before those in its folders.
fs::path find_in(const fs::path& folder, const std::string& name, int depth, int& names_left) {
    std::error_code error;
    std::vector<fs::path> files, folders;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end && names_left-- > 0;
         entry.increment(error)) {
        std::error_code gone;
        if (entry->is_symlink(gone)) continue;
        if (entry->is_directory(gone))
            folders.push_back(entry->path());
        else if (same_but_for_case(entry->path().filename().string(), name))
            files.push_back(entry->path());
    }
    if (!files.empty()) return *std::min_element(files.begin(), files.end());
    std::sort(folders.begin(), folders.end());
    for (const fs::path& below : folders)
        if (depth > 0 && below.filename().string()[0] != '.')
            if (fs::path found = find_in(below, name, depth - 1, names_left); !found.empty()) return found;
    return {};
}

} // namespace

std::string suggest_file(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const std::string name = path.filename().string();
    int names_left = most_names;
    std::error_code error;
    fs::path found = find_in(folder, name, deepest, names_left);
    const fs::path above = fs::absolute(folder, error).lexically_normal().parent_path();
    if (found.empty() && !error && above.has_relative_path()) found = find_in(above, name, 1, names_left);
    if (found.empty()) return "";
    return fmt::format("; there is {}", found.parent_path() == folder && !path.has_parent_path()
                                            ? found.filename().string()
                                            : found.string());
}

} // namespace sluice
