// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include "cuda/passes/rigid_objects.h"
#include "model/run_setup.h"

namespace sluice::cuda {

/// The boundary particles of the sorted arrays, to be written to.
struct WallArrays {
    Position* position = nullptr; ///< only the pressure term is written
    Flow* flow = nullptr;
    const std::uint32_t* id = nullptr;
};

/// Gives the boundary particles that have a normal what the fluid has at their ghost nodes, where this device answers
/// for those. `normals`: by id, as RunSetup::normals; `one_cell_travel`: see react_on_bodies. With coarse positions in
/// `args.view` it searches by them, a thread a ghost node.
void extrapolate_to_walls(const InteractionArgs& args, const WallArrays& walls, const Vec3f* normals,
                          const RigidView& rigid, float one_cell_travel, cudaStream_t stream);

/// What another device has found for those of the boundary particles `seen` whose ghost nodes are in its `rows`: its
/// `flow`, where this device can read it.
struct FoundWalls {
    Range seen, rows;
    const Flow* flow;
};
void take_extrapolated(const InteractionArgs& args, const WallArrays& walls, const Vec3f* normals,
                       const RigidView& rigid, const FoundWalls& found, cudaStream_t stream);

/// Modified dynamic boundaries on the device (physics/sph/wall_extrapolation.h).
class WallExtrapolation {
public:
    WallExtrapolation(const RunSetup& setup, DeviceMemory& memory);

    /// Before an interaction.
    void apply(const InteractionArgs& args, const WallArrays& walls, const RigidObjects& rigid, float one_cell_travel,
               cudaStream_t stream) const {
        if (any()) extrapolate_to_walls(args, walls, normals_.data(), rigid.view(), one_cell_travel, stream);
    }
    /// After it, on a device of several.
    void take(const InteractionArgs& args, const WallArrays& walls, const RigidObjects& rigid, const FoundWalls& found,
              cudaStream_t stream) const {
        take_extrapolated(args, walls, normals_.data(), rigid.view(), found, stream);
    }
    bool any() const { return normals_.data() != nullptr; }
    /// Whether there are so many ghost nodes that coarse positions make them faster. The case and the device alone
    /// decide, since the order of the sums follows from it.
    bool wants_coarse_positions() const { return coarse_; }
    /// Of the boundary particles by id; null where all of them are dynamic.
    const Vec3f* normals() const { return normals_.data(); }
    /// Whether no boundary particle is dynamic.
    bool is_everywhere() const { return everywhere_; }

private:
    DeviceArray<Vec3f> normals_;
    bool everywhere_ = false, coarse_ = false;
};

} // namespace sluice::cuda
