// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/waves.h"
#include "core/error.h"
#include "model/motion_data.h"
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

// casedef/motion as plain data. Angles are in rad and right-handed: the language counts them the other way round.

namespace sluice {

/// The file of a step that follows samples: a row of numbers for each.
struct SeriesFile {
    std::string name;                    ///< inside the data folder of the case
    int fields = 2;                      ///< numbers in a row
    int time = 0;                        ///< position of the time, s, in a row
    std::array<int, 3> value{1, -1, -1}; ///< positions of x, y, z or of the angle (in x); -1: stays zero
    double unit = 1;                     ///< of the values: factor to m or rad
};

/// One step of a motion: mvrect, mvrot, …, wait, mvnull.
struct MotionStep {
    SourceLocation where;
    std::string name;       ///< of the element
    int id = 0, next = 0;   ///< next 0: the motion ends
    double duration = 0;    ///< s; negative: what the law does in that time happens at once
    bool moves = true;      ///< wait and mvnull do not
    MotionPiece law;        ///< places in the coordinates of the case; its start, arm and samples come later
    bool continues = false; ///< takes over the velocity (mvrectace …) or the phase (mvrectsinu …) of the step before
    Vec3d followed;         ///< mvcir …: the point whose arc is followed, m
    std::optional<SeriesFile> file;
    std::optional<WavePaddle> paddle; ///< a step that special/wavepaddles added
};

/// casedef/motion/objreal: the motion of the boundary particles of one mk; or obj, which only carries others.
struct MotionObject {
    SourceLocation where;
    int mkbound = -1; ///< -1: obj
    struct Begin {
        SourceLocation where;
        int step = 0;                 ///< its id
        double start = 0;             ///< s
        std::optional<double> finish; ///< s
    };
    std::vector<Begin> begins;
    std::vector<MotionStep> steps;
    std::optional<int> parent; ///< index of the object that carries it, smaller than its own
    bool is_layered = false;   ///< its layers move by themselves: Case::layered_pistons

    /// Whether it moves by itself at some time.
    bool acts() const {
        return !begins.empty() && std::any_of(steps.begin(), steps.end(), [](const MotionStep& s) { return s.moves; });
    }
    /// The step with this id, nullptr if there is none.
    const MotionStep* step(int id) const {
        for (const MotionStep& s : steps)
            if (s.id == id) return &s;
        return nullptr;
    }
};

} // namespace sluice
