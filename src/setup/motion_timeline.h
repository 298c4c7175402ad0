// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/motion.h"
#include <vector>

namespace sluice {

/// What one object does by itself, in the order in which it begins.
struct MotionTimeline {
    struct Move {
        MotionPiece piece; ///< of series: the samples are named by `step`
        double end = 0;    ///< s
        int step = 0;      ///< index in the object
    };
    /// What a law does in `span` seconds, at once at the start of its piece.
    struct Jump {
        MotionPiece piece;
        double span = 0;
        int step = 0;
    };
    std::vector<Move> moves; ///< by ascending start
    std::vector<Jump> jumps; ///< by ascending start
};

/// Follows every chain of the object from its beginning to `horizon`, s: what a step takes over from the one before it
/// (velocity, phase, where a circling point has come to) and all repetitions. Throws InputError for a chain that comes
/// round without time passing, and for more pieces than memory is worth.
MotionTimeline follow_chains(const MotionObject& object, double horizon);

} // namespace sluice
