// SPDX-License-Identifier: Apache-2.0
#include "setup/layered_pistons.h"

#include "setup/layered_velocity.h"
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace sluice {

namespace {

/// The places along one axis at which particles stand, and which of them each particle is at.
struct Places {
    std::vector<double> at; ///< ascending, m
    std::vector<int> of;    ///< of each particle: index of its place

    Places(const ParticleSet& particles, const ParticleBlock& block, int axis) {
        std::map<long long, int> found;
        const auto key = [&](std::uint32_t id) {
            return std::llround(particles.position[id][axis] / (0.01 * particles.dp));
        };
        for (std::uint32_t id = block.begin; id < block.begin + block.count; ++id) found[key(id)] = 0;
        for (auto& [number, index] : found) {
            index = static_cast<int>(at.size());
            at.push_back(0.01 * particles.dp * static_cast<double>(number));
        }
        for (std::uint32_t id = block.begin; id < block.begin + block.count; ++id) of.push_back(found[key(id)]);
    }
    int count() const { return static_cast<int>(at.size()); }
};

/// The velocities of all layers of a piston at one time, smoothed.
class LayerSpeeds {
public:
    LayerSpeeds(const Case& definition, const LayeredPiston& piston, const Places& y, const Places& z)
        : piston_(piston), y_(y), z_(z) {
        for (const LayerData& data : piston.data)
            lines_.push_back(read_layered_velocity(definition.data_folder / data.file, piston.where));
    }

    /// The shortest time between two rows, s.
    double step() const {
        double shortest = 1e300;
        for (const LayeredVelocity& line : lines_)
            for (std::size_t k = 1; k < line.rows.size(); ++k)
                shortest = std::min(shortest, line.rows[k].time - line.rows[k - 1].time);
        return shortest;
    }
    /// When the last data end, in the time of the run, s.
    double end() const {
        double last = 0;
        for (std::size_t n = 0; n < lines_.size(); ++n)
            last = std::max(last, lines_[n].rows.back().time - piston_.data[n].first_time);
        return last;
    }

    /// By y, in each from the lowest layer up, m/s.
    std::vector<double> at(double time) const {
        std::vector<double> raw;
        for (const double y : y_.at)
            for (const double z : z_.at) raw.push_back(speed(time, y, z - piston_.raised));
        return smoothed(smoothed(raw, piston_.smooth_z, z_.count(), 1), piston_.smooth_y, y_.count(), z_.count());
    }

private:
    double speed(double time, double y, double z) const {
        std::size_t k = 0;
        while (k + 1 < lines_.size() && piston_.data[k + 1].y <= y) ++k;
        const auto of = [&](std::size_t n) { return lines_[n].at(time + piston_.data[n].first_time, z); };
        if (k + 1 == lines_.size() || y <= piston_.data[k].y) return of(k);
        const double low = piston_.data[k].y, high = piston_.data[k + 1].y;
        return of(k) + (y - low) / (high - low) * (of(k + 1) - of(k));
    }
    /// Means over `width` neighbours on either side among `count` values that are `stride` apart.
    static std::vector<double> smoothed(const std::vector<double>& values, int width, int count, int stride) {
        if (width == 0) return values;
        std::vector<double> made(values.size());
        for (std::size_t n = 0; n < values.size(); ++n) {
            const int own = static_cast<int>(n) / stride % count;
            const int first = std::max(0, own - width), last = std::min(count - 1, own + width);
            for (int k = first; k <= last; ++k)
                made[n] += values[n + static_cast<std::size_t>((k - own) * stride)] / (last - first + 1);
        }
        return made;
    }

    const LayeredPiston& piston_;
    const Places &y_, &z_;
    std::vector<LayeredVelocity> lines_;
};

const ParticleBlock& block_of(const LayeredPiston& piston, const ParticleSet& particles) {
    for (const ParticleBlock& block : particles.blocks)
        if (!block.is_fluid() && block.mk_type == piston.mkbound && block.count > 0) return block;
    throw InputError(piston.where, fmt::format("the layered piston of mkbound {} has no particles", piston.mkbound));
}

/// An object that follows samples from `first` on along x.
void add_object(int first, int count, Motions& motions) {
    MotionPiece piece;
    piece.law = MotionLaw::smooth;
    piece.first_sample = first;
    piece.sample_count = count;
    MotionSegment segment;
    segment.first_piece = static_cast<int>(motions.pieces.size());
    segment.piece_count = 1;
    MovingObject object;
    object.first_segment = static_cast<int>(motions.segments.size());
    object.segment_count = 1;
    motions.pieces.push_back(piece);
    motions.segments.push_back(segment);
    motions.objects.push_back(object);
}

LayeredWall add_piston(const Case& definition, const LayeredPiston& piston, const ParticleSet& particles,
                       double horizon, Motions& motions) {
    const ParticleBlock& block = block_of(piston, particles);
    Places y(particles, block, 1);
    const Places z(particles, block, 2);
    if (piston.data.size() == 1) y.at = {y.at.front()}, y.of.assign(y.of.size(), 0); // all alike
    const LayerSpeeds speeds(definition, piston, y, z);
    const double end = std::min(horizon, speeds.end()), step = std::min(speeds.step(), std::max(end, 1e-9));
    const double wanted = std::ceil(end / step - 1e-9) + 1, layers = static_cast<double>(y.count() * z.count());
    if (!(wanted * layers < 1e8))
        throw InputError(piston.where, fmt::format("the piston of mkbound {} has {} layers at {} times, which need too "
                                                   "much memory: give data with longer steps",
                                                   piston.mkbound, layers, wanted));
    const int count = std::max(2, static_cast<int>(wanted)), first = static_cast<int>(motions.samples.size());
    const auto layer_count = static_cast<std::size_t>(y.count() * z.count());
    motions.samples.resize(motions.samples.size() + layer_count * static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) {
        const std::vector<double> now = speeds.at(n * step);
        for (std::size_t layer = 0; layer < layer_count; ++layer) {
            MotionSample* const sample =
                motions.samples.data() + first + static_cast<std::ptrdiff_t>(layer) * count + n;
            sample->time = n * step;
            sample->rate.x = now[layer];
            if (n > 0) sample->value.x = sample[-1].value.x + 0.5 * step * (sample[-1].rate.x + now[layer]);
        }
    }
    LayeredWall wall;
    wall.begin = block.begin;
    const int first_object = motions.object_count();
    for (std::size_t layer = 0; layer < layer_count; ++layer)
        add_object(first + static_cast<int>(layer) * count, count, motions);
    for (std::size_t k = 0; k < y.of.size(); ++k) wall.object.push_back(first_object + y.of[k] * z.count() + z.of[k]);
    return wall;
}

} // namespace

std::vector<LayeredWall> add_layered_pistons(const Case& definition, const ParticleSet& particles, double horizon,
                                             Motions& motions) {
    std::vector<LayeredWall> walls;
    for (const LayeredPiston& piston : definition.layered_pistons)
        walls.push_back(add_piston(definition, piston, particles, horizon, motions));
    return walls;
}

} // namespace sluice
