// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "io/fluid/layout.h"
#include "model/frame.h"
#include <filesystem>
#include <optional>
#include <vector>

namespace sluice {

enum class ExportFormat {
    vtp, ///< fluid_000000.vtp, boundary_000000.vtp, … with fluid.pvd and boundary.pvd that name the times
    csv  ///< fluid_000000.csv, …: one row a particle
};

/// Which particles are written.
struct ExportSelection {
    std::vector<int> mk_fluid, mk_bound; ///< as written in the case; none of either: all fluid
    std::optional<Box> box;              ///< only particles in it, m
};

struct ExportJob {
    std::filesystem::path dir; ///< an output folder
    std::filesystem::path out; ///< folder to write to
    ExportFormat format = ExportFormat::vtp;
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    bool boundary = false;         ///< all of the boundary too
    ExportSelection selection;
    bool overwrite = false; ///< frames of an earlier export that this one does not write again are removed
};

/// Writes stored frames for programs that do not read VTKHDF. Returns the number of frames written.
/// Throws InputError if there are none, an mk is not in the run, or the folder has other frames of the same kind,
/// RunError if something cannot be read or written.
int export_frames(const ExportJob& job);

/// Writes all particles of a frame, boundary and fluid, with their values as one VTP file. `normals`, of the boundary
/// particles by id, become a vector array "normal" (m, zero for the fluid) unless there are none. Throws RunError.
void write_particles_vtp(const std::filesystem::path& path, const Frame& frame, const ParticleLayout& layout,
                         const std::vector<Vec3f>& normals = {});

} // namespace sluice
