// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/pictures/picture_scene.h"
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

// The pixels that particles and triangles are drawn on.

namespace sluice {

/// Everything is drawn at so many times the size and averaged.
constexpr int oversampling = 2;
constexpr float no_depth = -std::numeric_limits<float>::infinity();

/// A pixel as cairo has it: alpha, red, green, blue, one byte each, premultiplied.
using Argb = std::uint32_t;
constexpr Argb opaque = 0xff000000;

/// Memory that pictures on one background were drawn in, for the next ones: it is large, and new memory costs more than
/// what is drawn in it. A copy of a background has none yet.
template <class T>
class SpareMemory {
public:
    SpareMemory() = default;
    SpareMemory(const SpareMemory&) {}
    SpareMemory& operator=(const SpareMemory&) = delete;
    T take() {
        const std::lock_guard lock(mutex_);
        if (items_.empty()) return {};
        T item = std::move(items_.back());
        items_.pop_back();
        return item;
    }
    void give(T item) {
        const std::lock_guard lock(mutex_);
        items_.push_back(std::move(item));
    }

private:
    std::mutex mutex_;
    std::vector<T> items_;
};

struct PixelCanvas {
    struct Memory {
        std::vector<Argb> argb;
        std::vector<float> depth;
    };

    PixelCanvas(const PageArea& area, bool with_depth)
        : left(area.left), top(area.top), width(oversampling * static_cast<int>(std::ceil(area.width))),
          height(oversampling * static_cast<int>(std::ceil(area.height))), argb(count(), 0),
          depth(with_depth ? count() : 0, no_depth) {}

    /// A copy to draw on, in memory that the background has to spare; `release` gives it back.
    explicit PixelCanvas(const PixelCanvas* background)
        : left(background->left), top(background->top), width(background->width), height(background->height) {
        Memory memory = background->spare.take();
        argb = std::move(memory.argb);
        depth = std::move(memory.depth);
        argb = background->argb; // as copies into what there is
        depth = background->depth;
    }
    void release(const PixelCanvas& background) { background.spare.give({std::move(argb), std::move(depth)}); }

    std::size_t count() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    /// Page coordinates to pixels of this canvas.
    Vec3d place(const Vec3d& page) const {
        return {oversampling * (page.x - left), oversampling * (page.y - top), oversampling * page.z};
    }

    double left, top;
    int width, height;
    std::vector<Argb> argb;
    std::vector<float> depth; ///< of three dimensions: of what is nearest to the eye, in pixels
    mutable SpareMemory<Memory> spare;
};

/// Draws triangles: flat where they have no normals, and else lit from the upper left on the side that one sees, where
/// they are nearer than what is there.
void add_triangles(PixelCanvas& canvas, const Projection& projection, const ColouredMesh& mesh);

} // namespace sluice
