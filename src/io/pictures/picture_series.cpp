// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_series.h"
#include "io/frames/frame_reader.h"
#include "io/pictures/frame_between.h"
#include "io/records/run_json.h"

#include <algorithm>
#include <array>
#include <deque>
#include <future>
#include <memory>
#include <set>
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
    std::optional<ValueRange> flat; // of a frame with one value for all, as at the start: not for the others' colours
    for (const int number : numbers) {
        const Frame frame = read_frame(dir, number);
        all = all.value_or(bounding_box(frame));
        merge(*all, bounding_box(frame));
        if (range_given) continue;
        const auto range = varied_range(frame, layout, options.value, options.crop);
        if (range) ranges.push_back(*range);
        if (!range && !flat) flat = value_range(frame, layout, options.value, options.crop);
    }
    if (!view_given) {
        const double y = layout.two_d ? 0 : layout.dp;
        options.view = Box{all->min - Vec3d{layout.dp, y, layout.dp}, all->max + Vec3d{layout.dp, y, layout.dp}};
    }
    if (range_given) return;
    options.range = ranges.empty() ? flat.value_or(ValueRange{}) : joined(std::move(ranges), options.value);
}

/// Frames as shots ask for them, each read once.
class ShotReader {
public:
    ShotReader(const std::filesystem::path& dir, const ParticleLayout& layout, bool between) : dir_(dir) {
        if (between) setup_ = read_run_setup(dir / "run.json");
        setup_.set_groups(layout.groups);
    }

    std::shared_ptr<const Frame> of(const Shot& shot) {
        const auto first = stored(shot.number);
        if (!shot.next) return first;
        const auto second = stored(*shot.next);
        return std::make_shared<const Frame>(frame_between(*first, *second, shot.part, setup_));
    }

private:
    std::shared_ptr<const Frame> stored(int number) {
        for (const auto& frame : last_)
            if (frame && frame->number == number) return frame;
        last_[0] = std::exchange(last_[1], std::make_shared<const Frame>(read_frame(dir_, number)));
        return last_[1];
    }

    const std::filesystem::path& dir_;
    RunSetup setup_;
    std::array<std::shared_ptr<const Frame>, 2> last_;
};

std::vector<int> numbers_of(const std::vector<Shot>& shots) {
    std::set<int> numbers;
    for (const Shot& shot : shots) {
        numbers.insert(shot.number);
        if (shot.next) numbers.insert(*shot.next);
    }
    return {numbers.begin(), numbers.end()};
}

} // namespace

std::size_t drawn_at_once() { return std::clamp(std::thread::hardware_concurrency(), 1u, 16u); }

void draw_series(const PictureSeries& series, const DrawFrame& draw,
                 const std::function<void(const PictureBytes&)>& take) {
    if (series.shots.empty()) return;
    const ParticleLayout layout = read_layout(series.dir);
    PictureOptions options = series.options;
    settle(options, series.dir, numbers_of(series.shots), layout);
    std::optional<CameraPath> camera = series.camera;
    if (camera) {
        std::vector<double> times;
        for (const Shot& shot : series.shots) times.push_back(shot.time);
        camera->settle(options, times);
    }
    const bool between =
        std::any_of(series.shots.begin(), series.shots.end(), [](const Shot& shot) { return shot.next.has_value(); });
    ShotReader frames(series.dir, layout, between);
    const SharedBackground background =
        camera ? nullptr : shared_background(*frames.of({series.shots.front().number}), layout, options);
    const std::size_t most = drawn_at_once();
    std::deque<std::future<PictureBytes>> under_way;
    const auto take_first = [&] {
        take(under_way.front().get());
        under_way.pop_front();
    };
    for (const Shot& shot : series.shots) {
        if (under_way.size() == most) take_first();
        PictureOptions own = camera ? camera->at(shot.time, options) : options;
        if (shot.next) own.time_note = " (between frames)";
        under_way.push_back(std::async(std::launch::async, [&, own = std::move(own), frame = frames.of(shot)] {
            return draw(*frame, layout, own, background);
        }));
    }
    while (!under_way.empty()) take_first();
}

} // namespace sluice
