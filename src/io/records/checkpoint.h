// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Everything that a run needs to go on as if it had never stopped.
struct Checkpoint {
    ParticleState state;
    int next_frame = 0;      ///< number of the first frame that is not yet stored at this state
    std::string fingerprint; ///< what the resumed run must have in common with this one, in the run loop's words
    std::vector<std::pair<std::string, double>> counters; ///< sums that go on: "particle_steps", "loop_seconds", …

    /// A counter's value; 0 if it is not there.
    double counter(const std::string& name) const;
};

/// The checkpoints of a run, DIR/checkpoints/checkpoint_STEP.h5: the last two are kept. A file is written under a
/// temporary name, synced and renamed before an older one is removed; so there is always a good one on disk. Each
/// carries a checksum per chunk (Fletcher32) and a digest of the whole file.
class CheckpointStore {
public:
    explicit CheckpointStore(const std::filesystem::path& dir);

    /// Throws RunError (disk full, …), with the checkpoints before intact.
    void write(const Checkpoint& checkpoint) const;

    /// The newest checkpoint that is whole, was made when not more than `frames` frames were stored, and for which
    /// `check` does not throw RunError. A warning in the log names each other one that it passes over. Empty if
    /// there is none.
    std::optional<Checkpoint> read_newest(const std::function<void(const Checkpoint&)>& check = {},
                                          int frames = std::numeric_limits<int>::max()) const;

    /// Files, newest first.
    std::vector<std::filesystem::path> files() const;

private:
    std::filesystem::path folder_;
};

/// Reads one checkpoint. Throws RunError that says how it is damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

} // namespace sluice
