// SPDX-License-Identifier: Apache-2.0
#include "setup/motion.h"

#include "model/motion.h"
#include "setup/motion_knots.h"
#include "setup/motion_timeline.h"
#include "setup/wave_paddle.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace sluice {

namespace {

using Move = MotionTimeline::Move;

bool same_axis(const MotionPiece& a, const MotionPiece& b) { return a.axis_point == b.axis_point && a.axis == b.axis; }

MotionPath path_of(const std::vector<Move>& active) {
    const auto turns = [](const Move& m) { return m.piece.kind == MotionKind::rotation; };
    if (std::none_of(active.begin(), active.end(), turns)) return MotionPath::translations;
    const bool one_axis = std::all_of(active.begin(), active.end(),
                                      [&](const Move& m) { return turns(m) && same_axis(m.piece, active[0].piece); });
    return one_axis ? MotionPath::rotation : MotionPath::knots;
}

/// Lays the segments of one object end to end.
class ObjectBuilder {
public:
    ObjectBuilder(const Case& definition, const MotionObject& object, double horizon, Motions& out)
        : definition_(definition), object_(object), timeline_(follow_chains(object, horizon)), horizon_(horizon),
          out_(out) {}

    void build() {
        MovingObject made;
        made.parent = object_.parent.value_or(-1);
        made.pivot = pivot();
        made.first_segment = static_cast<int>(out_.segments.size());
        relate_to_pivot(made.pivot);
        const std::vector<double> times = breaks();
        for (std::size_t i = 0; i < times.size(); ++i)
            add_stretch(times[i], i + 1 < times.size() ? &times[i + 1] : nullptr);
        made.segment_count = static_cast<int>(out_.segments.size()) - made.first_segment;
        out_.objects.push_back(made);
    }

private:
    /// A place near what moves, so that a far origin costs no digits.
    Vec3d pivot() const {
        for (const MotionStep& step : object_.steps)
            if (step.moves && step.law.kind == MotionKind::rotation) return step.law.axis_point;
        return {};
    }

    void relate_to_pivot(const Vec3d& pivot) {
        for (Move& m : timeline_.moves) complete(m.piece, m.step, pivot);
        for (MotionTimeline::Jump& j : timeline_.jumps) complete(j.piece, j.step, pivot);
    }
    void complete(MotionPiece& piece, int step, const Vec3d& pivot) {
        piece.axis_point = piece.axis_point - pivot;
        if (piece.law != MotionLaw::series && piece.law != MotionLaw::smooth) return;
        const auto [range, fresh] = series_.try_emplace(step);
        if (fresh) {
            const MotionStep& source = object_.steps[static_cast<std::size_t>(step)];
            const auto samples = source.paddle ? paddle_samples(*source.paddle, gravity_of(definition_), horizon_)
                                               : read_motion_series(definition_, source);
            range->second = {static_cast<int>(out_.samples.size()), static_cast<int>(samples.size())};
            out_.samples.insert(out_.samples.end(), samples.begin(), samples.end());
        }
        std::tie(piece.first_sample, piece.sample_count) = range->second;
    }

    /// All times at which another set of pieces begins to act.
    std::vector<double> breaks() const {
        std::set<double> times{0, horizon_};
        for (const Move& m : timeline_.moves) {
            times.insert(m.piece.start);
            times.insert(m.end);
        }
        for (const MotionTimeline::Jump& j : timeline_.jumps) times.insert(j.piece.start);
        return {times.begin(), times.end()};
    }

    /// The time from `begin` to `end`, or for ever, in which the same pieces act.
    void add_stretch(double begin, const double* end) {
        for (; next_jump_ < timeline_.jumps.size() && timeline_.jumps[next_jump_].piece.start <= begin; ++next_jump_)
            jump(timeline_.jumps[next_jump_]);
        std::erase_if(active_, [&](const Move& m) { return m.end <= begin; });
        for (; next_move_ < timeline_.moves.size() && timeline_.moves[next_move_].piece.start <= begin; ++next_move_)
            active_.push_back(timeline_.moves[next_move_]);
        const MotionPath path = path_of(active_);
        if (path == MotionPath::knots && begin < horizon_)
            add_knots(begin, *end);
        else if (path == MotionPath::knots)
            add_rest(begin);
        else
            add_closed_form(path, begin, end);
    }

    void jump(const MotionTimeline::Jump& j) {
        const motion::Share share = motion::share_of(out_.view(), j.piece, j.piece.start + j.span);
        RigidMotion moved;
        if (j.piece.kind == MotionKind::rotation)
            moved = motion::turn_about(j.piece.axis_point, j.piece.axis, share.angle);
        moved.translation = moved.translation + share.displacement;
        place_ = composed(moved, place_);
    }

    MotionSegment& start_segment(MotionPath path, double begin, const std::vector<MotionPiece>& pieces) {
        MotionSegment segment;
        segment.start = begin;
        segment.path = path;
        segment.first_piece = static_cast<int>(out_.pieces.size());
        segment.piece_count = static_cast<int>(pieces.size());
        out_.pieces.insert(out_.pieces.end(), pieces.begin(), pieces.end());
        out_.segments.push_back(segment);
        return out_.segments.back();
    }

    void add_closed_form(MotionPath path, double begin, const double* end) {
        std::vector<MotionPiece> pieces;
        for (const Move& m : active_) pieces.push_back(m.piece);
        MotionSegment& segment = start_segment(path, begin, pieces);
        // The laws are zero at the starts of their pieces, which may lie before the segment.
        const motion::Share share = motion::share_of(out_.view(), segment, begin);
        RigidMotion base = place_;
        if (path == MotionPath::rotation)
            base = composed(motion::turn_about(pieces[0].axis_point, pieces[0].axis, -share.angle), place_);
        std::copy(std::begin(base.rotation), std::end(base.rotation), segment.rotation);
        segment.translation = base.translation - share.displacement;
        if (end) place_ = motion::about_pivot(out_.view(), segment, *end);
    }

    void add_rest(double begin) {
        active_.clear();
        add_closed_form(MotionPath::translations, begin, nullptr);
    }

    /// One segment between two corners of the series, which bend the solution.
    void add_knots(double begin, double end) {
        std::set<double> corners{begin, end};
        for (const Move& m : active_)
            for (int i = 0; i < m.piece.sample_count && m.piece.law == MotionLaw::series; ++i) {
                const double corner = m.piece.start + out_.samples[std::size_t(m.piece.first_sample + i)].time;
                if (corner > begin && corner < end) corners.insert(corner);
            }
        for (auto next = std::next(corners.begin()); next != corners.end(); ++next)
            add_smooth_knots(*std::prev(next), *next);
    }
    void add_smooth_knots(double begin, double end) {
        std::vector<MotionPiece> pieces;
        for (const Move& m : active_) pieces.push_back(smooth(m.piece, 0.5 * (begin + end)));
        MotionSegment& segment = start_segment(MotionPath::knots, begin, pieces);
        try {
            add_motion_knots(out_, segment, place_, end);
        } catch (const InputError& e) {
            throw InputError(object_.where, e.what());
        }
        place_ = motion::about_pivot(out_.view(), segment, end);
    }
    /// Between two of its samples a series is a uniform motion.
    MotionPiece smooth(MotionPiece piece, double time) const {
        if (piece.law != MotionLaw::series) return piece;
        piece.rate = motion::law_value(out_.view(), piece, time - piece.start).rate;
        piece.law = MotionLaw::accelerated;
        piece.first_sample = piece.sample_count = 0;
        return piece;
    }

    const Case& definition_;
    const MotionObject& object_;
    MotionTimeline timeline_;
    double horizon_;
    Motions& out_;
    std::map<int, std::pair<int, int>> series_; ///< first sample and count of each step that has samples
    RigidMotion place_;                         ///< at the end of the last segment, relative to the pivot
    std::vector<Move> active_;
    std::size_t next_move_ = 0, next_jump_ = 0;
};

/// A 2-D case is the plane x–z.
void check_plane(const MotionStep& step) {
    const MotionPiece& law = step.law;
    const bool leaves = law.kind == MotionKind::translation
                            ? (step.paddle && step.paddle->direction.y != 0) || law.rate.y != 0 ||
                                  law.acceleration.y != 0 || law.amplitude.y != 0 ||
                                  (step.file && step.file->value[1] >= 0)
                            : law.axis.x != 0 || law.axis.z != 0;
    if (leaves)
        throw InputError(step.where, fmt::format("<{}> leaves the plane of the case, which is 2-D in x–z: move along x "
                                                 "and z, turn about an axis along y",
                                                 step.name));
}

} // namespace

Motions make_motions(const Case& definition, double horizon) {
    Motions motions;
    for (const MotionObject& object : definition.motion) {
        if (definition.definition.two_d)
            for (const MotionStep& step : object.steps)
                if (step.moves) check_plane(step);
        ObjectBuilder(definition, object, horizon, motions).build();
    }
    return motions;
}

} // namespace sluice
