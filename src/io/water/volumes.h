// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

/// A box with what tables call it.
struct NamedBox {
    std::string name;
    Box box; ///< m
};

/// Reads boxes from a text file: a line has XMIN YMIN ZMIN XMAX YMAX ZMAX (m), with a name before them or without. A
/// box without a name has its number, from 0. '#' starts a comment. Throws InputError with the line.
std::vector<NamedBox> read_boxes(const std::filesystem::path& path);

/// Volumes, m³ (in two dimensions m²).
struct BoxFlow {
    double entered = 0, left = 0;
};

/// What has come into a box and gone out of it between two frames: the particles that are inside in one of them only,
/// each with its volume at the reference density. Particles that were created or have left the run count, too, so that
/// the volume inside changes by entered − left.
BoxFlow flow_between(const Frame& before, const Frame& after, const Box& box, const RunSetup& setup);

/// The volume of the fluid particles in a box at the reference density, m³ (in two dimensions m²).
double volume_in(const Frame& frame, const Box& box, const RunSetup& setup);

struct VolumesJob {
    std::filesystem::path dir; ///< an output folder
    std::vector<NamedBox> boxes;
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    std::filesystem::path out;     ///< the table, .csv
};

/// The fluid in boxes and what comes and goes, for stored frames, as CSV with a row for each frame and box. Returns the
/// number of frames. Throws InputError (no boxes, two of one name, frames without all the fluid) and RunError.
int write_volumes(const VolumesJob& job);

} // namespace sluice
