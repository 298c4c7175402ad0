// SPDX-License-Identifier: Apache-2.0
#include "setup/motion_timeline.h"

#include "model/motion.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace sluice {

namespace {

constexpr std::size_t max_pieces = 200'000;

/// What the next step of a chain may take over: velocity and phase of a translation, and of an angle (in x).
struct Carried {
    Vec3d velocity, phase, angular_velocity, angular_phase;
};

/// The point that a circling step moves goes on from where that step left it.
struct Arc {
    double angle = 0, busy_until = 0;
};

class ChainFollower {
public:
    ChainFollower(const MotionObject& object, double horizon) : object_(object), horizon_(horizon) {}

    MotionTimeline follow() {
        std::vector<MotionObject::Begin> begins = object_.begins;
        std::stable_sort(begins.begin(), begins.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
        for (const MotionObject::Begin& begin : begins) follow(begin);
        const auto by_start = [](const auto& a, const auto& b) { return a.piece.start < b.piece.start; };
        std::stable_sort(out_.moves.begin(), out_.moves.end(), by_start);
        std::stable_sort(out_.jumps.begin(), out_.jumps.end(), by_start);
        return std::move(out_);
    }

private:
    void follow(const MotionObject::Begin& begin) {
        const double limit = std::min(begin.finish.value_or(horizon_), horizon_);
        Carried carried;
        double time = begin.start;
        std::size_t timeless = 0; // steps since time passed
        for (const MotionStep* step = object_.step(begin.step); step && time < limit;
             step = step->next ? object_.step(step->next) : nullptr) {
            const double span = std::max(step->duration, 0.0);
            timeless = span > 0 ? 0 : timeless + 1;
            if (timeless > object_.steps.size())
                throw InputError(step->where, "the steps follow one another for ever without time passing: give one "
                                              "of them a duration above 0");
            if (step->moves)
                carried = add(*step, time, std::min(time + span, begin.finish.value_or(time + span)), carried);
            else
                carried = {};
            time += span;
        }
    }

    /// Adds one step from `time` to `end`; returns what the step after it may take over.
    Carried add(const MotionStep& step, double time, double end, const Carried& before) {
        MotionPiece piece = piece_of(step, time, before);
        const double span = step.duration < 0 ? -step.duration : step.duration;
        if (piece.kind == MotionKind::circling) start_on_arc(step, piece, time, end);
        const int index = static_cast<int>(&step - object_.steps.data());
        if (step.duration < 0)
            out_.jumps.push_back({piece, span, index});
        else if (end > time)
            out_.moves.push_back({piece, end, index});
        if (out_.moves.size() + out_.jumps.size() > max_pieces)
            throw InputError(object_.where,
                             fmt::format("the motion of the object has more than {} pieces before {:g} s: give its "
                                         "steps longer durations",
                                         max_pieces, horizon_));
        return carried_from(piece, span);
    }

    static MotionPiece piece_of(const MotionStep& step, double time, const Carried& before) {
        MotionPiece piece = step.law;
        piece.start = time;
        const bool angle = piece.kind != MotionKind::translation;
        if (step.continues && piece.law == MotionLaw::accelerated)
            piece.rate = angle ? before.angular_velocity : before.velocity;
        if (step.continues && piece.law == MotionLaw::sinusoid)
            piece.phase = angle ? before.angular_phase : before.phase;
        return piece;
    }

    static Carried carried_from(const MotionPiece& piece, double span) {
        Carried carried;
        const bool angle = piece.kind != MotionKind::translation;
        if (piece.law == MotionLaw::accelerated)
            (angle ? carried.angular_velocity : carried.velocity) = piece.rate + span * piece.acceleration;
        if (piece.law == MotionLaw::sinusoid)
            for (int a = 0; a < 3; ++a)
                (angle ? carried.angular_phase : carried.phase)[a] =
                    piece.phase[a] + (piece.amplitude[a] != 0 ? piece.frequency[a] * span : 0);
        return carried;
    }

    void start_on_arc(const MotionStep& step, MotionPiece& piece, double time, double end) {
        Arc& arc = arcs_[step.id];
        if (time < arc.busy_until)
            throw InputError(step.where, fmt::format("<{}> id {} begins at {:g} s while it still runs: give the second "
                                                     "motion a step of its own",
                                                     step.name, step.id, time));
        piece.arm = motion::turned_about(piece.axis, arc.angle, step.followed - piece.axis_point);
        const double span = step.duration < 0 ? -step.duration : end - time;
        arc.angle += motion::law_value({}, piece, span).value.x; // circling has no law of samples
        arc.busy_until = end;
    }

    const MotionObject& object_;
    double horizon_;
    std::map<int, Arc> arcs_;
    MotionTimeline out_;
};

} // namespace

MotionTimeline follow_chains(const MotionObject& object, double horizon) {
    return ChainFollower(object, horizon).follow();
}

} // namespace sluice
