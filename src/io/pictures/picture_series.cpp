// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_series.h"
#include "io/frames/frame_reader.h"

#include <algorithm>
#include <deque>
#include <future>
#include <thread>
#include <utility>

namespace sluice {
namespace {

void merge(Box& box, const Box& other) {
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = std::min(box.min[axis], other.min[axis]);
        box.max[axis] = std::max(box.max[axis], other.max[axis]);
    }
}

/// One view and one scale for all pictures.
void settle(PictureOptions& options, const std::filesystem::path& dir, const std::vector<int>& numbers,
            const ParticleLayout& layout) {
    const bool view_given = options.view || options.crop;
    const bool range_given = options.range || options.value == PictureValue::mk;
    if (view_given && range_given) return;
    std::optional<Box> all;
    std::vector<ValueRange> ranges;
    for (const int number : numbers) {
        const Frame frame = read_frame(dir, number);
        all = all.value_or(bounding_box(frame));
        merge(*all, bounding_box(frame));
        if (range_given) continue;
        ranges.push_back(value_range(frame, layout, options.value, options.crop));
    }
    if (!view_given) {
        const double y = layout.two_d ? 0 : layout.dp;
        options.view = Box{all->min - Vec3d{layout.dp, y, layout.dp}, all->max + Vec3d{layout.dp, y, layout.dp}};
    }
    if (!range_given) options.range = joined(std::move(ranges), options.value);
}

} // namespace

std::size_t drawn_at_once() { return std::clamp(std::thread::hardware_concurrency(), 1u, 16u); }

void draw_series(const std::filesystem::path& dir, const std::vector<int>& numbers, PictureOptions options,
                 const DrawFrame& draw, const std::function<void(const PictureBytes&)>& take) {
    if (numbers.empty()) return;
    const ParticleLayout layout = read_layout(dir);
    settle(options, dir, numbers, layout);
    const SharedBackground background = shared_background(read_frame(dir, numbers.front()), layout, options);
    const std::size_t most = drawn_at_once();
    std::deque<std::future<PictureBytes>> under_way;
    const auto take_first = [&] {
        take(under_way.front().get());
        under_way.pop_front();
    };
    for (const int number : numbers) {
        if (under_way.size() == most) take_first();
        under_way.push_back(std::async(std::launch::async, [&, frame = read_frame(dir, number)] {
            return draw(frame, layout, options, background);
        }));
    }
    while (!under_way.empty()) take_first();
}

} // namespace sluice
