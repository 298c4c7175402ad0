// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/host_collisions.h"
#include "cuda/device/launch_ahead.cuh"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

__global__ void send_kernel(CollisionView view, const Control* control, Stage stage) {
    wait_for_kernel_before();
    const CollisionMail& mail = view.mail;
    if (threadIdx.x == 0) *mail.step = {control->time, control->dt, control->step, control->active != 0};
    if (!control->active) return;
    if (stage != Stage::corrector)
        for (int k = int(threadIdx.x); k < view.moved_count; k += block)
            view.body_start[view.in_mechanisms[k]] = view.body[view.in_mechanisms[k]];
    __syncthreads();
    for (int b = int(threadIdx.x); b < view.body_count; b += block) {
        mail.from[b] = stage == Stage::corrector ? view.body_start[b] : view.body[b];
        mail.load[b] = view.load[b];
    }
    for (int a = int(threadIdx.x); a < view.absorber_count; a += block) mail.absorber[a] = view.absorber[a];
}

__global__ void take_kernel(CollisionView view, const Control* control) {
    wait_for_kernel_before();
    if (!control->active) return;
    for (int k = int(threadIdx.x); k < view.moved_count; k += block)
        view.body[view.in_mechanisms[k]] = view.mail.to[view.in_mechanisms[k]];
}

} // namespace

void send_bodies(const CollisionView& view, const Control* control, Stage stage, cudaStream_t stream) {
    launch_ahead(send_kernel, 1, block, stream, "bodies that may collide", view, control, stage);
}

void take_bodies(const CollisionView& view, const Control* control, cudaStream_t stream) {
    take_kernel<<<1, block, 0, stream>>>(view, control); // not ahead: what the host writes must be there
    check_launch("bodies that have collided");
}

} // namespace sluice::cuda
