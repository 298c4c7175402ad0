// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu_interaction.h"

#include "core/error.h"
#include "cuda/block_size.cuh"
#include "cuda/gpu_devices.h"
#include "cuda/paper_interaction.h"
#include "cuda/stream.h"
#include "cuda/update.h"

#include <chrono>
#include <limits>
#include <optional>

namespace sluice {

namespace {

using namespace cuda;

constexpr int block = 256;

/// From the host's double precision to the positions of the interaction.
__global__ void adopt_kernel(double inverse_unit, StepConstants step, const Vec3d* from, const Flow* flow,
                             std::uint32_t count, Position* to) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const Vec3d r = inverse_unit * from[i];
    const auto units = [](double x) { return std::int32_t(std::uint32_t(llrint(x))); };
    to[i] = {units(r.x), units(r.y), units(r.z), step.eos.pressure_term(flow[i].rho)};
}

/// The host adds gravity itself.
sph::Constants without_gravity(sph::Constants c) {
    c.gravity = {};
    return c;
}

class GpuInteraction final : public RemoteInteraction {
public:
    GpuInteraction(const RunSetup& setup, std::uint32_t particles, int device)
        : device_(select_gpu(device).name), setup_(setup), capacity_(particles), args_(setup.constants),
          host_position_(memory_, particles, "positions from the host"), position_(memory_, particles, "positions"),
          flow_(memory_, particles, "velocities and densities"), cell_(memory_, particles, "cells of the particles"),
          rates_(memory_, particles, "rates"), control_(memory_, 1, "step control") {
        args_.step = StepConstants(without_gravity(setup.constants));
        args_.step.run.dt_all_particles = false; // the host knows its boundary particles' speed of sound
    }

    std::string device() const override { return device_; }
    void begin(const HostCells& cells, const SortedParticles& boundary) override;
    RemoteResult interact(const SortedParticles& boundary, const SortedParticles& fluid, float* rates) override;
    std::size_t memory_bytes() const override { return memory_.held(); }

private:
    void send(const SortedParticles& particles, std::uint32_t first);
    template <class T>
    void send(const T* from, std::size_t count, T* to) {
        check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream_),
              "sending particles to the GPU");
    }

    std::string device_;
    RunSetup setup_;
    std::uint32_t capacity_;
    InteractionArgs args_;
    DeviceMemory memory_;
    Stream stream_;
    DeviceArray<Vec3d> host_position_;
    DeviceArray<Position> position_;
    DeviceArray<Flow> flow_;
    DeviceArray<std::uint32_t> cell_, boundary_begin_, fluid_begin_;
    DeviceArray<RateRecord> rates_;
    DeviceArray<Control> control_;
    std::optional<PaperInteraction> paper_;
};

void GpuInteraction::begin(const HostCells& cells, const SortedParticles& boundary) {
    InteractionView& v = args_.view;
    v.grid = make_fixed_grid(setup_.domain, 2 * setup_.constants.h, cells.reach);
    v.grid.nx = cells.count.x; // the cells are the host's, which need not be powers of two
    v.grid.ny = cells.count.y;
    v.grid.nz = cells.count.z;
    boundary_begin_ = DeviceArray<std::uint32_t>(memory_, cells.size() + 1, "cell list of the boundary");
    fluid_begin_ = DeviceArray<std::uint32_t>(memory_, cells.size() + 1, "cell list of the fluid");
    v.position = position_.data();
    v.flow = flow_.data();
    v.cell = cell_.data();
    v.boundary = {boundary_begin_.data(), 0};
    v.fluid = {fluid_begin_.data(), 0}; // the host counts from the first boundary particle
    v.boundary_count = args_.step.boundary_count = boundary.count;
    args_.rates = rates_.data();
    args_.control = control_.data();
    paper_.emplace(memory_, setup_.constants, v.grid, capacity_, paper_ladder.front().optimisations);
    send(boundary.begin, cells.size() + 1, boundary_begin_.data());
    stream_.wait();
}

void GpuInteraction::send(const SortedParticles& particles, std::uint32_t first) {
    send(particles.position, particles.count, host_position_.data() + first);
    send(reinterpret_cast<const Flow*>(particles.flow), particles.count, flow_.data() + first);
    send(particles.cell, particles.count, cell_.data() + first);
}

RemoteResult GpuInteraction::interact(const SortedParticles& boundary, const SortedParticles& fluid, float* rates) {
    using Clock = std::chrono::steady_clock;
    const std::uint32_t count = boundary.count + fluid.count;
    if (count > capacity_)
        throw RunError("GPU: " + std::to_string(count) + " particles do not fit into a run of " +
                       std::to_string(capacity_));
    const auto start = Clock::now();
    send(boundary, 0);
    send(fluid, boundary.count);
    send(fluid.begin, fluid_begin_.size(), fluid_begin_.data());
    stream_.wait();
    const auto sent = Clock::now();

    Control control;
    control.active = 1;
    control.alive = count;
    check(cudaMemcpyAsync(control_.data(), &control, sizeof control, cudaMemcpyHostToDevice, stream_),
          "writing the step control");
    args_.particles = count;
    if (count > 0) {
        adopt_kernel<<<blocks_for(count, block), block, 0, stream_>>>(
            1 / double(args_.view.grid.unit), args_.step, host_position_.data(), flow_.data(), count, position_.data());
        check_launch("positions of the particles");
    }
    paper_->launch(args_, stream_);
    stream_.wait();
    const auto done = Clock::now();

    check(cudaMemcpyAsync(rates, rates_.data(), count * sizeof(RateRecord), cudaMemcpyDeviceToHost, stream_),
          "getting rates from the GPU");
    check(cudaMemcpyAsync(&control, control_.data(), sizeof control, cudaMemcpyDeviceToHost, stream_),
          "reading the step control");
    stream_.wait();
    RemoteResult result;
    __builtin_memcpy(&result.largest_speed, &control.speed_bits, sizeof result.largest_speed);
    result.transfer_seconds = std::chrono::duration<double>((sent - start) + (Clock::now() - done)).count();
    return result;
}

} // namespace

std::unique_ptr<RemoteInteraction> make_gpu_interaction(const RunSetup& setup, std::uint32_t particle_count,
                                                        int device) {
    return std::make_unique<GpuInteraction>(setup, particle_count, device);
}

} // namespace sluice
