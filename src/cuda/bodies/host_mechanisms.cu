// SPDX-License-Identifier: Apache-2.0
#include "cuda/bodies/host_mechanisms.h"
#include "cuda/device/launch_ahead.cuh"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// A value that the host has written.
template <class T>
__device__ T read_of_host(const T* from) {
    using Word = unsigned long long;
    static_assert(sizeof(T) % sizeof(Word) == 0);
    T value;
    const auto* const source = reinterpret_cast<const volatile Word*>(from);
    for (std::size_t k = 0; k < sizeof(T) / sizeof(Word); ++k) reinterpret_cast<Word*>(&value)[k] = source[k];
    return value;
}

/// By one thread: asks, and waits for the answer.
__device__ void ask(const MovedBodies& view) {
    const unsigned long long question = ++*view.questions;
    volatile MailTickets& tickets = *view.mail.tickets;
    tickets.asked = question;
    while (tickets.answered != question) {
    }
    __threadfence_system();
}

__global__ void ask_kernel(MovedBodies view, const Control* control, Stage stage) {
    wait_for_kernel_before();
    if (!control->active) return;
    const MechanismMail& mail = view.mail;
    if (threadIdx.x == 0) *mail.step = {control->time, control->dt, control->step, stage};
    if (stage != Stage::corrector)
        for (int k = int(threadIdx.x); k < view.moved_count; k += block)
            view.body_start[view.in_mechanisms[k]] = view.body[view.in_mechanisms[k]];
    __syncthreads();
    for (int b = int(threadIdx.x); b < view.body_count; b += block) {
        mail.from[b] = stage == Stage::corrector ? view.body_start[b] : view.body[b];
        mail.load[b] = view.load[b];
    }
    for (int a = int(threadIdx.x); a < view.absorber_count; a += block) mail.absorber[a] = view.absorber[a];
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) ask(view);
    __syncthreads();
    for (int k = int(threadIdx.x); k < view.moved_count; k += block)
        view.body[view.in_mechanisms[k]] = read_of_host(mail.to + view.in_mechanisms[k]);
}

} // namespace

void ask_host(const MovedBodies& view, const Control* control, Stage stage, cudaStream_t stream) {
    launch_ahead(ask_kernel, 1, block, stream, "bodies of mechanisms", view, control, stage);
}

} // namespace sluice::cuda
