// SPDX-License-Identifier: Apache-2.0
#include "cuda/step_queue.h"

#include <algorithm>

namespace sluice::cuda {

namespace {

bool stores_ranges(GpuMode mode) { return mode == GpuMode::fast_half; }

} // namespace

ParticleStore::ParticleStore(DeviceMemory& memory, std::uint32_t particles, bool with_start)
    : position(memory, particles, "positions"), start(memory, with_start ? particles : 0, "positions at the start of the step"),
      flow(memory, particles, "velocities and densities"), previous(memory, particles, "velocities and densities of the last step"),
      id(memory, particles, "ids") {}

StepQueue::StepQueue(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode, const CudaOptions& options, cudaStream_t stream)
    : mode_(mode), grid_(make_fixed_grid(setup.domain, gpu_search_radius(setup.constants, mode), gpu_cell_divisions(mode))),
      capacity_(particle_count), count_(particle_count), boundary_count_(setup.boundary_count), stream_(stream),
      interaction_(setup.constants), update_(setup.constants) {
    const bool symplectic = setup.constants.integrator == sph::Integrator::symplectic;
    const std::size_t cells = grid_.cells();
    store_ = ParticleStore(memory_, capacity_, symplectic);
    state_ = sorted_ = store_.arrays();
    if (stores_ranges(mode)) {
        sorted_store_ = ParticleStore(memory_, capacity_, symplectic);
        sorted_ = sorted_store_.arrays();
        fluid_ranges_ = DeviceArray<Range>(memory_, cells * grid_.rows(), "ranges of fluid particles");
        boundary_ranges_ = DeviceArray<Range>(memory_, cells * grid_.rows(), "ranges of boundary particles");
    }
    cell_ = DeviceArray<std::uint32_t>(memory_, capacity_, "cells of the particles");
    fluid_begin_ = DeviceArray<std::uint32_t>(memory_, cells + 2, "cell list of the fluid");
    boundary_begin_ = DeviceArray<std::uint32_t>(memory_, cells + 2, "cell list of the boundary");
    near_boundary_ = DeviceArray<std::uint8_t>(memory_, cells, "cells near a boundary");
    rates_ = DeviceArray<RateRecord>(memory_, capacity_, "rates");
    control_ = DeviceArray<Control>(memory_, 1, "step control");
    excluded_ = DeviceArray<ExcludedRecord>(memory_, 65536, "list of excluded particles");
    sort_ = SortBuffers(memory_, capacity_, excluded_cell());
    interaction_.tuned_blocks = options.optimisations.tuned_blocks;
    interaction_.stored_ranges = stores_ranges(mode);
    fill_view();
    set_count(particle_count);
}

void StepQueue::fill_view() {
    InteractionView& v = interaction_.view;
    v.grid = grid_;
    v.position = sorted_.position;
    v.flow = sorted_.flow;
    v.cell = cell_.data();
    v.fluid = {fluid_begin_.data(), boundary_count_};
    v.boundary = {boundary_begin_.data(), 0};
    v.fluid_ranges = fluid_ranges_.data();
    v.boundary_ranges = boundary_ranges_.data();
    v.near_boundary = near_boundary_.data();
    v.boundary_count = boundary_count_;
    interaction_.rates = rates_.data();
    interaction_.control = control_.data();
    interaction_.step.boundary_count = update_.step.boundary_count = boundary_count_;
    interaction_.step.excluded_cell = update_.step.excluded_cell = excluded_cell();
    update_.grid = grid_;
    update_.now = sorted_;
    update_.next = state_;
    update_.cell = cell_.data();
    update_.rates = rates_.data();
    update_.control = control_.data();
    update_.excluded = excluded_.data();
    update_.excluded_capacity = excluded_capacity();
}

void StepQueue::set_count(std::uint32_t particles) {
    count_ = particles;
    interaction_.particles = update_.particles = particles;
}

void StepQueue::build_cells() {
    const SortRange range = fluid_range();
    const std::uint32_t* order = sort_by_cell(grid_, state_.position, cell_.data(), range, excluded_cell(), sort_, stream_);
    if (sorted_.position == state_.position) reorder_in_place(state_, order, range, rates_.data(), stream_);
    else reorder(state_, sorted_, order, range, count_, stream_);
    find_cell_begins(cell_.data(), range, excluded_cell(), fluid_begin_.data(), &control_.data()->alive, stream_);
    if (interaction_.stored_ranges)
        store_ranges(grid_, interaction_.view.fluid, interaction_.view.fluid, interaction_.view.boundary, fluid_ranges_.data(), stream_);
    begin_interaction(control_.data(), stream_);
}

void StepQueue::interact() { launch_interaction(interaction_, stream_); }

void StepQueue::keep_sorted() {
    cuda::keep_state(update_, stream_);
}

void StepQueue::adopt_state() {
    const SortRange boundary{0, boundary_count_};
    const std::uint32_t* order = sort_by_cell(grid_, state_.position, cell_.data(), boundary, excluded_cell(), sort_, stream_);
    reorder_in_place(state_, order, boundary, rates_.data(), stream_);
    find_cell_begins(cell_.data(), boundary, excluded_cell(), boundary_begin_.data(), nullptr, stream_);
    mark_near_boundary(grid_, interaction_.view.boundary, near_boundary_.data(), stream_);
    if (interaction_.stored_ranges) {
        // ranges over fixed particles hold for the whole run, so every cell gets them
        store_ranges(grid_, interaction_.view.boundary, {}, {}, boundary_ranges_.data(), stream_);
    }
    refresh_pressures(update_, stream_);
}

} // namespace sluice::cuda
