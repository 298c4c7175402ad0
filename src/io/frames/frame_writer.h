// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/hdf5.h"
#include "io/fluid/interpolator.h"
#include "io/fluid/layout.h"
#include "io/frames/particle_selection.h"
#include "run/sampler.h"
#include "structure/structures_in_frames.h"
#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

namespace sluice {

struct FrameOptions {
    bool positions_double = false;        ///< else single, unless that would blur positions (see docs/output.md)
    int compression = 1;                  ///< deflate level, 0 to 9
    int threads = 1;                      ///< that compress, at most; no influence on what is written
    FieldSelection fields = state_fields; ///< values that are stored besides id and position
    std::optional<RunSetup> setup{};      ///< of the run; pressures at walls and gradients need it
    std::uint32_t keep_every = 1;         ///< of so many fluid particles one is stored, the same ones in all frames
    int first_number = 0;                 ///< stored frames from this number on are removed, those before stay
    std::optional<ParticleSelection> selection{}; ///< of the particles that frames hold; without, all of them
    std::optional<SampleClock> times{};           ///< at which frames are due; without, each is due at its own time
};

/// One frame in the timeline of a run.
struct FrameEntry {
    int number = 0;
    std::int64_t step = 0;
    double time = 0; ///< s
    std::uint64_t fluid_count = 0;
    double sampling_time = 0;         ///< s, at which it was due: `time` is that of the first step at or past it
    std::uint64_t boundary_count = 0; ///< where a selection leaves particles out: boundary particles in the frame
    LeftOut left_out{};               ///< by the selection of the run
};

/// Writes the frames of a run for ParaView and for the post-processing commands:
///
///     DIR/frames/frame_000000.h5, …    one file a frame
///     DIR/frames/geometry.h5           what does not change: boundary positions, id, mk, type, cells
///     DIR/fluid.vtkhdf, boundary.vtkhdf   the timeline: VTKHDF temporal PolyData of virtual datasets over the above
///     DIR/fluid.xdmf, boundary.xdmf       the same as XDMF, for ParaView before 5.12 and PyVista
///
/// Every file is replaced as a whole, the frame before the timeline: a run killed at any moment loses at most the
/// frame being written (the timeline of a killed run may lag behind its frames: see `refresh_timeline`). Failures (disk
/// full, …) throw RunError and leave the frames before intact.
class FrameWriter {
public:
    FrameWriter(const std::filesystem::path& dir, const ParticleSet& particles, FrameOptions options = {});
    FrameWriter(const FrameWriter&) = delete;
    FrameWriter& operator=(const FrameWriter&) = delete;
    ~FrameWriter();

    /// Stores one frame under the next number and adds it to the timeline. All boundary particles are present. Throws
    /// RunError; the number is then not used up.
    void write(const Frame& frame);

    /// What frames must have.
    const FieldSelection& fields() const { return layout_.fields; }
    /// Number of the next frame: so many are stored.
    int next_number() const { return next_number_; }
    /// What the last stored frame lacks of the particles; nothing without a selection.
    LeftOut left_out() const { return timeline_.empty() ? LeftOut{} : timeline_.back().left_out; }

    /// Brings the timeline up to date. `write` does so itself, except that with more than fifty frames it skips some
    /// updates to keep their cost below a fiftieth of the time. Throws RunError; the destructor calls it without.
    void finish();

    /// Bytes written for frames so far, without the timeline.
    std::uint64_t bytes_written() const { return bytes_written_; }

private:
    void adopt_stored_frames(int first_number);
    bool timeline_is_cheap() const;
    double sampling_time(double time) const;
    void write_geometry(const ParticleSet& particles);
    void add_boundary(h5::MemoryFile& file, const Frame& frame, const struct FrameRows& rows);
    void add_fields(h5::MemoryFile& file, const std::string& group, const Frame& frame, const FrameRows& rows,
                    const FieldSelection& wanted);
    void add_wall_pressure(h5::MemoryFile& file, const std::string& path, const Frame& frame, const FrameRows& rows);
    void add_of_structures(h5::MemoryFile& file, const std::string& path, const FieldInfo& info, const Frame& frame,
                           const FrameRows& rows);
    void add_positions(h5::MemoryFile& file, const std::string& path, const std::vector<Vec3d>& positions,
                       const FrameRows& rows) const;

    std::filesystem::path dir_;
    ParticleLayout layout_;
    FrameOptions options_;
    int next_number_;
    WorkerPool pool_;
    std::optional<SharedFluid> near_walls_;        ///< of the frame at hand, where pressures at walls are stored
    std::optional<StructuresInFrames> structures_; ///< likewise, where fields of flexible bodies are
    Frame derived_;                                ///< the derivatives of the frame at hand, where they are stored
    std::vector<FrameEntry> timeline_;
    std::uint64_t bytes_written_ = 0;
    bool timeline_is_old_ = false;
    std::chrono::steady_clock::time_point timeline_written_{};
    std::chrono::steady_clock::duration timeline_cost_{};
};

/// Rewrites the timeline of a folder from the frames stored in it (all of them), as a killed run may leave it behind by
/// a few. Does nothing when it is up to date. Throws RunError.
void refresh_timeline(const std::filesystem::path& dir, const std::vector<FrameEntry>& frames);

} // namespace sluice
