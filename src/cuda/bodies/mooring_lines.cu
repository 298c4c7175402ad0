// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/mooring_lines.h"
#include "cuda/data/reduce.cuh"
#include "cuda/device/launch_ahead.cuh"

namespace sluice::cuda {

namespace {

constexpr int most_threads = 256; ///< of a block: with more they had too few registers
constexpr int least_lanes = warp, most_lanes = 2 * warp;

/// The threads of a block: groups of one or two warps share the lines, and their lanes the nodes of one.
class LineTeam {
public:
    __device__ LineTeam(int lanes, int* numbers) : lanes_(lanes), numbers_(numbers) {}

    template <class Work>
    __device__ void for_lines(int count, Work&& work) const {
        for (int l = group(); l < count; l += int(blockDim.x) / lanes_) work(l);
    }
    template <class Work>
    __device__ void for_nodes(int count, Work&& work) const {
        for (int k = lane(); k < count; k += lanes_) work(k);
    }
    template <class Work>
    __device__ void for_connects(int count, Work&& work) const {
        for (int c = int(threadIdx.x); c < count; c += int(blockDim.x)) work(c);
    }
    __device__ void join_line() const {
        if (lanes_ == warp)
            __syncwarp();
        else // a barrier of its own for each group; 0 is that of the block
            asm volatile("bar.sync %0, %1;" ::"r"(1 + group()), "r"(lanes_) : "memory");
    }
    __device__ void join_all() const { __syncthreads(); }
    __device__ int least(int number) const {
        number = warp_min(number);
        if (lanes_ == warp) return number;
        int* const of_warps = numbers_ + 2 * group();
        of_warps[lane() / warp] = number;
        join_line();
        number = min(of_warps[0], of_warps[1]);
        join_line();
        return number;
    }
    __device__ bool leads() const { return threadIdx.x == 0; }
    __device__ bool leads_line() const { return lane() == 0; }

private:
    __device__ int group() const { return int(threadIdx.x) / lanes_; }
    __device__ int lane() const { return int(threadIdx.x) % lanes_; }

    int lanes_;
    int* numbers_; ///< shared memory, one a warp
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
    __shared__ int numbers[most_threads / warp];
    wait_for_kernel_before();
    if (!control->active) return;
    begin_stage(view, stage);
    const bool returns = stage == Stage::corrector;
    const MooredBodies& moored = view.moored;
    const MooringDrive drive{moored.bodies, returns ? moored.body_start : moored.body, returns ? moored.body : nullptr,
                             control->time, part_of_step(stage) * control->dt};
    const MooringFault fault =
        advance_lines(view.moorings, view.now, drive, moored.load, LineTeam(view.lanes, numbers));
    if (!fault.any()) return; // of the thread that leads
    if (!view.lost->fault.any()) *view.lost = {fault, control->step};
    control->failed = 1;
}

__global__ void follow_bodies_kernel(LinesView view, const Control* control, Stage stage) {
    __shared__ int numbers[most_threads / warp];
    wait_for_kernel_before();
    if (!control->active) return;
    const MooringDrive drive{view.moored.bodies, view.moored.body, nullptr,
                             control->time + part_of_step(stage) * control->dt, 0};
    place_line_ends(view.moorings, view.now, drive, LineTeam(view.lanes, numbers));
}

unsigned threads_for(const LinesView& view) {
    return unsigned(view.lanes * std::min(view.moorings.line_count, most_threads / view.lanes));
}

} // namespace

int MooringLines::lanes_for(int segments) { return segments < least_lanes ? least_lanes : most_lanes; }

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
