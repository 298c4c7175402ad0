// SPDX-License-Identifier: Apache-2.0
#include "io/frames/numbered_files.h"

#include "core/error.h"
#include "core/numbers.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace sluice {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t least_digits = 6;

bool is_number(std::string_view text) {
    return text.size() >= least_digits &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool belongs_to(std::string_view file, const std::string& name, const std::string& suffix) {
    const std::string begin = name + "_", end = "." + suffix;
    return file.size() > begin.size() + end.size() && file.starts_with(begin) && file.ends_with(end) &&
           is_number(file.substr(begin.size(), file.size() - begin.size() - end.size()));
}

} // namespace

std::string numbered_file(const std::string& name, int number, const std::string& suffix) {
    return fmt::format("{}_{:0{}}.{}", name, number, least_digits, suffix);
}

EarlierFiles::EarlierFiles(const fs::path& folder, const std::vector<std::string>& names, const std::string& suffix,
                           const std::vector<FrameEntry>& frames, bool overwrite) {
    std::set<std::string> new_files;
    for (const FrameEntry& frame : frames)
        for (const std::string& name : names) new_files.insert(numbered_file(name, frame.number, suffix));
    const fs::path here = folder.empty() ? "." : folder;
    if (!fs::is_directory(here)) return;
    for (const auto& entry : fs::directory_iterator(here)) {
        const std::string file = entry.path().filename().string();
        const bool ours = std::any_of(names.begin(), names.end(),
                                      [&](const std::string& name) { return belongs_to(file, name, suffix); });
        if (ours && !new_files.contains(file)) files_.push_back(entry.path());
    }
    std::sort(files_.begin(), files_.end());
    if (!files_.empty() && !overwrite)
        throw InputError(fmt::format("{}: has {} of an earlier call ({} …), which would pass for frames of this one; "
                                     "choose another place, or remove them with --overwrite",
                                     here.string(), counted(static_cast<int>(files_.size()), "file"),
                                     files_.front().filename().string()));
}

void EarlierFiles::remove() const {
    for (const fs::path& file : files_) fs::remove(file);
}

} // namespace sluice
