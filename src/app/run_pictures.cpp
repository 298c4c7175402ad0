// SPDX-License-Identifier: Apache-2.0
#include "app/run_pictures.h"

#include "core/error.h"
#include "core/log.h"
#include "io/files/file.h"
#include "io/frames/frame_reader.h"
#include "io/pictures/picture_series.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace sluice {

namespace fs = std::filesystem;

namespace {

/// Numbers of `count` of the frames, the last one among them; of fewer, if there are fewer.
std::vector<int> evenly_spaced(const std::vector<FrameEntry>& frames, int count) {
    std::vector<int> numbers;
    count = static_cast<int>(std::min(std::size_t(count), 2 * frames.size() + 1)); // with which it is all of them
    for (int k = 1; k <= count; ++k) {
        const double index = double(k) / count * double(frames.size() - 1);
        const int number = frames[static_cast<std::size_t>(std::lround(index))].number;
        if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    }
    return numbers;
}

void draw_pictures(const fs::path& folder, const std::string& title, int count) {
    const std::vector<FrameEntry> frames = list_frames(folder);
    if (count <= 0 || frames.empty()) return;
    make_folder(folder / "pictures");
    spdlog::info("drawing pictures");
    PictureOptions options;
    options.title = title;
    std::vector<Shot> shots;
    for (const int number : evenly_spaced(frames, count)) shots.push_back({number});
    draw_series(
        {folder, shots, options},
        [&](const Frame& frame, const ParticleLayout& layout, const PictureOptions& settled,
            const SharedBackground& background) {
            draw_picture(folder / "pictures" / fmt::format("frame_{:06}.png", frame.number), frame, layout, settled,
                         background);
            return PictureBytes{};
        },
        [](const PictureBytes&) {});
}

} // namespace

void draw_run_pictures(const fs::path& folder, const std::string& title, int count) {
    try {
        draw_pictures(folder, title, count);
    } catch (const RunError& error) {
        spdlog::warn("warning: no pictures: {}", error.what());
    }
}

} // namespace sluice
