// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/gpu_schedule.h"

#include "bench/paper/paper_interaction.h"
#include "bench/paper/record_places.h"
#include "core/error.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/gpu_devices.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"

#include <chrono>
#include <optional>

namespace sluice::paper {

namespace {

constexpr int block = 256, warp = 32;

/// One warp a cell: the CPU's records [begin[cell], begin[cell + 1]) as the interaction wants them.
__global__ void unpack_kernel(RecordPlaces places, const cpu::Record* records, const std::uint32_t* begin,
                              std::uint32_t cells, Position* position, Flow* flow, std::uint32_t* cell_of_particle) {
    const std::uint64_t cell = (std::uint64_t(blockIdx.x) * block + threadIdx.x) / warp;
    if (cell >= cells) return;
    for (std::uint32_t i = begin[cell] + threadIdx.x % warp; i < begin[cell + 1]; i += warp) {
        const cpu::Record record = records[i];
        position[i] = places.place(record, std::uint32_t(cell));
        flow[i] = {record.vx, record.vy, record.vz, record.rho};
        cell_of_particle[i] = std::uint32_t(cell);
    }
}

/// The host adds gravity itself, and knows its boundary particles' speed of sound.
StepConstants constants_of_interaction(sph::Constants c) {
    c.gravity = {};
    c.dt_all_particles = false;
    return StepConstants(c);
}

class RecordSchedule final : public GpuSchedule {
public:
    RecordSchedule(const RunSetup& setup, std::uint32_t particles, CellSize cells, int device)
        : device_(select_gpu(device).name), capacity_(particles), args_(setup.constants),
          records_(memory_, particles, "records from the host"), position_(memory_, particles, "positions"),
          flow_(memory_, particles, "velocities and densities"), cell_(memory_, particles, "cells of the particles"),
          rates_(memory_, particles, "rates"), control_(memory_, 1, "step control") {
        const int divisions = cells == CellSize::h ? 2 : 1;
        const cpu::Space space(setup, divisions, 2);
        InteractionView& v = args_.view;
        v.grid = make_fixed_grid(setup.domain, 2 * setup.constants.h, divisions);
        v.grid.nx = space.rows.count_x; // the cells and their axes are the host's
        v.grid.ny = space.rows.count_y;
        v.grid.nz = space.rows.count_z;
        places_ = RecordPlaces(space, v.grid);
        boundary_begin_ = {memory_, v.grid.cells() + 1, "cell list of the boundary"};
        fluid_begin_ = {memory_, v.grid.cells() + 1, "cell list of the fluid"};
        v.position = position_.data();
        v.flow = flow_.data();
        v.cell = cell_.data();
        v.boundary = {boundary_begin_.data(), 0};
        v.fluid = {fluid_begin_.data(), 0}; // the host counts from the first boundary particle
        args_.step = constants_of_interaction(setup.constants);
        args_.rates = rates_.data();
        args_.control = control_.data();
        paper_.emplace(memory_, setup.constants, v.grid, capacity_, no_optimisations);
    }

    void set_boundary(const cpu::InteractionView& host) override;
    float interact(const cpu::Interaction& interaction, const cpu::InteractionView& host) override;
    std::size_t bytes() const override { return 0; }
    std::string device() const override { return device_; }
    double transfer_seconds() const override { return transfer_seconds_; }
    std::size_t device_bytes() const override { return memory_.held(); }

private:
    using Clock = std::chrono::steady_clock;

    template <class T>
    void send(const T* from, std::size_t count, T* to) {
        copy_from_host(to, from, count * sizeof(T), stream_, "sending particles to the GPU");
    }
    void unpack(const std::uint32_t* begin);

    std::string device_;
    std::uint32_t capacity_;
    InteractionArgs args_;
    RecordPlaces places_;
    DeviceMemory memory_;
    Stream stream_;
    DeviceArray<cpu::Record> records_;
    DeviceArray<Position> position_;
    DeviceArray<Flow> flow_;
    DeviceArray<std::uint32_t> cell_, boundary_begin_, fluid_begin_;
    DeviceArray<RateRecord> rates_;
    DeviceArray<Control> control_;
    std::optional<PaperInteraction> paper_;
    double transfer_seconds_ = 0;
};

void RecordSchedule::set_boundary(const cpu::InteractionView& host) {
    const std::uint32_t cells = args_.view.grid.cells();
    args_.view.boundary_count = args_.step.boundary_count = host.boundary_begin[cells];
    send(host.boundary_begin, cells + std::size_t(1), boundary_begin_.data());
    stream_.wait();
}

void RecordSchedule::unpack(const std::uint32_t* begin) {
    const std::uint32_t cells = args_.view.grid.cells();
    unpack_kernel<<<blocks_for(std::uint64_t(cells) * warp, block), block, 0, stream_>>>(
        places_, records_.data(), begin, cells, position_.data(), flow_.data(), cell_.data());
    check_launch("records from the host");
}

float RecordSchedule::interact(const cpu::Interaction&, const cpu::InteractionView& host) {
    const std::uint32_t cells = args_.view.grid.cells(), count = host.fluid_begin[cells];
    if (count > capacity_)
        throw RunError("GPU: " + std::to_string(count) + " particles do not fit into a run of " +
                       std::to_string(capacity_));
    const auto start = Clock::now();
    send(static_cast<const cpu::Record*>(host.records), count, records_.data());
    send(host.fluid_begin, cells + std::size_t(1), fluid_begin_.data());
    stream_.wait();
    const auto sent = Clock::now();

    Control control;
    control.active = 1;
    control.alive = count;
    copy_from_host(control_.data(), &control, sizeof control, stream_, "writing the step control");
    args_.particles = count;
    unpack(boundary_begin_.data());
    unpack(fluid_begin_.data());
    paper_->launch(args_, stream_);
    stream_.wait();
    const auto done = Clock::now();

    static_assert(sizeof(cpu::Accumulator) == sizeof(RateRecord));
    copy_to_host(host.rates, rates_.data(), count * sizeof(RateRecord), stream_, "getting rates from the GPU");
    copy_to_host(&control, control_.data(), sizeof control, stream_, "reading the step control");
    stream_.wait();
    transfer_seconds_ += std::chrono::duration<double>((sent - start) + (Clock::now() - done)).count();
    float speed = 0;
    __builtin_memcpy(&speed, &control.speed_bits, sizeof speed);
    return speed;
}

} // namespace

std::unique_ptr<GpuSchedule> make_gpu_schedule(const RunSetup& setup, std::uint32_t particle_count, CellSize cells,
                                               int device) {
    return std::make_unique<RecordSchedule>(setup, particle_count, cells, device);
}

} // namespace sluice::paper
