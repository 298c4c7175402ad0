// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/mooring_lines.h"
#include "cuda/data/reduce.cuh"
#include "cuda/device/launch_ahead.cuh"

namespace sluice::cuda {

namespace {

/// The threads of a block: warps share the lines, and lanes the nodes of one.
struct LineTeam {
    template <class Work>
    __device__ void for_lines(int count, Work&& work) const {
        for (int l = int(threadIdx.x) / warp; l < count; l += int(blockDim.x) / warp) work(l);
    }
    template <class Work>
    __device__ void for_nodes(int count, Work&& work) const {
        for (int k = lane(); k < count; k += warp) work(k);
    }
    template <class Work>
    __device__ void for_connects(int count, Work&& work) const {
        for (int c = int(threadIdx.x); c < count; c += int(blockDim.x)) work(c);
    }
    __device__ void join_line() const { __syncwarp(); }
    __device__ void join_all() const { __syncthreads(); }
    __device__ int least(int number) const { return warp_min(number); }
    __device__ bool leads() const { return threadIdx.x == 0; }
    __device__ bool leads_line() const { return lane() == 0; }

private:
    __device__ static int lane() { return int(threadIdx.x) % warp; }
};

template <class T>
__device__ void copy_by_block(const T* from, T* to, int count) {
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x)) to[i] = from[i];
}

/// Keeps lines at the begin of a symplectic step, or returns to where they were then.
__device__ void begin_stage(const LinesView& view, Stage stage) {
    const int nodes = view.moorings.node_count(), lines = view.moorings.line_count;
    if (stage == Stage::predictor) {
        copy_by_block(view.now.nodes, view.start_nodes, nodes);
        copy_by_block(view.now.lines, view.start_lines, lines);
    } else if (stage == Stage::corrector) {
        copy_by_block(view.start_nodes, view.now.nodes, nodes);
        copy_by_block(view.start_lines, view.now.lines, lines);
    }
    __syncthreads();
}

__global__ void advance_lines_kernel(LinesView view, Control* control, Stage stage) {
    wait_for_kernel_before();
    if (!control->active) return;
    begin_stage(view, stage);
    const bool returns = stage == Stage::corrector;
    const MooredBodies& moored = view.moored;
    const MooringDrive drive{moored.bodies, returns ? moored.body_start : moored.body, returns ? moored.body : nullptr,
                             control->time, part_of_step(stage) * control->dt};
    const MooringFault fault = advance_lines(view.moorings, view.now, drive, moored.load, LineTeam());
    if (!fault.any()) return; // of the thread that leads
    if (!view.lost->fault.any()) *view.lost = {fault, control->step};
    control->failed = 1;
}

__global__ void follow_bodies_kernel(LinesView view, const Control* control, Stage stage) {
    wait_for_kernel_before();
    if (!control->active) return;
    const MooringDrive drive{view.moored.bodies, view.moored.body, nullptr,
                             control->time + part_of_step(stage) * control->dt, 0};
    place_line_ends(view.moorings, view.now, drive, LineTeam());
}

constexpr int most_warps = 8;

unsigned threads_for(const LinesView& view) { return unsigned(warp * std::min(view.moorings.line_count, most_warps)); }

} // namespace

void MooringLines::advance(Control* control, Stage stage, cudaStream_t stream) const {
    if (any())
        launch_ahead(advance_lines_kernel, 1, threads_for(view_), stream, "mooring lines", view_, control, stage);
}

void MooringLines::follow(const Control* control, Stage stage, cudaStream_t stream) const {
    if (any())
        launch_ahead(follow_bodies_kernel, 1, threads_for(view_), stream, "ends of mooring lines", view_, control,
                     stage);
}

} // namespace sluice::cuda
