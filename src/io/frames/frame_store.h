// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/frames/frame_writer.h"
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

// Names that the writers and readers of stored frames share.

namespace sluice {

std::filesystem::path frame_path(const std::filesystem::path& dir, int number);
std::filesystem::path geometry_path(const std::filesystem::path& dir);

/// 0, 1, …, which numbers the cells of ParaView: in geometry.h5 for as many particles as the run began with, and in the
/// frames that have more fluid than that.
inline constexpr const char* count_up_dataset = "topology/count_up";
inline bool has_own_count_up(const ParticleLayout& layout, std::uint64_t fluid_count) {
    return fluid_count > layout.groups.particle_count();
}

/// Attribute of geometry.h5 that says whether frames hold a field: "has_velocity", …
std::string stored_attribute(const FieldInfo& info);

/// Numbers of the frame files in DIR/frames, ascending; empty without the folder.
std::vector<int> stored_frame_numbers(const std::filesystem::path& dir);

/// Reads what the timeline says about one stored frame. Throws RunError.
FrameEntry read_frame_entry(const std::filesystem::path& dir, int number);

/// (Re)writes DIR/fluid.vtkhdf and DIR/boundary.vtkhdf, after the XDMF files beside them: where the first are up to
/// date, all are. Throws RunError.
void write_timeline(const std::filesystem::path& dir, const ParticleLayout& layout, bool positions_double,
                    const std::vector<FrameEntry>& frames);

/// Whether there is a fluid.xdmf for these frames. XDMF cannot hold a frame without particles, so it lacks those that
/// have no fluid.
inline bool has_xdmf(const std::vector<FrameEntry>& frames) {
    return std::ranges::any_of(frames, [](const FrameEntry& frame) { return frame.fluid_count > 0; });
}

/// (Re)writes DIR/fluid.xdmf and DIR/boundary.xdmf. Throws RunError.
void write_xdmf(const std::filesystem::path& dir, const ParticleLayout& layout, bool positions_double,
                const std::vector<FrameEntry>& frames);

} // namespace sluice
