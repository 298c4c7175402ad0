// SPDX-License-Identifier: Apache-2.0
#include "cuda/step_queue.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {

ParticleStore::ParticleStore(DeviceMemory& memory, std::uint32_t particles, bool with_start)
    : position(memory, particles, "positions"),
      start(memory, with_start ? particles : 0, "positions at the start of the step"),
      flow(memory, particles, "velocities and densities"),
      previous(memory, particles, "velocities and densities of the last step"), id(memory, particles, "ids") {}

StepQueue::StepQueue(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode, const CudaOptions& options,
                     cudaStream_t stream)
    : mode_(mode),
      grid_(make_fixed_grid(setup.domain, gpu_search_radius(setup.constants, mode), gpu_cell_divisions(mode))),
      capacity_(particle_count), count_(particle_count), boundary_count_(setup.groups.boundary_count()),
      stream_(stream), interaction_(setup.constants), update_(setup.constants) {
    const bool symplectic = setup.constants.integrator == sph::Integrator::symplectic;
    const std::size_t cells = grid_.cells();
    stores_[0] = ParticleStore(memory_, capacity_, symplectic);
    if (has_two_stores()) stores_[1] = ParticleStore(memory_, capacity_, symplectic);
    cell_ = DeviceArray<std::uint32_t>(memory_, capacity_, "cells of the particles");
    fluid_begin_ = DeviceArray<std::uint32_t>(memory_, cells + 2, "cell list of the fluid");
    boundary_begin_ = DeviceArray<std::uint32_t>(memory_, cells + 2, "cell list of the boundary");
    near_boundary_ = DeviceArray<std::uint8_t>(memory_, cells, "cells near a boundary");
    rates_ = DeviceArray<RateRecord>(memory_, capacity_, "rates");
    control_ = DeviceArray<Control>(memory_, 1, "step control");
    excluded_ = DeviceArray<ExcludedRecord>(memory_, 65536, "list of excluded particles");
    sort_ = SortBuffers(memory_, capacity_, grid_.cells());
    if (uses_lists())
        allocate_lists(setup, options);
    else if (!options.optimisations.coarse_search)
        paper_.emplace(memory_, setup.constants, grid_, capacity_, options.optimisations);
    if (counts_cells()) counts_ = DeviceArray<std::uint32_t>(memory_, cells + 2, "particles of the cells");
    fill_view();
    set_count(particle_count);
}

void StepQueue::fill_view() {
    InteractionView& v = interaction_.view;
    v.grid = grid_;
    v.coarse = sort_.keys.data();
    v.fluid = {fluid_begin_.data(), boundary_count_};
    v.boundary = {boundary_begin_.data(), 0};
    v.near_boundary = near_boundary_.data();
    v.boundary_count = boundary_count_;
    interaction_.control = control_.data();
    interaction_.step.boundary_count = update_.step.boundary_count = boundary_count_;
    interaction_.step.excluded_cell = update_.step.excluded_cell = excluded_cell();
    update_.grid = grid_;
    if (counts_cells()) update_.counts = {counts_.data(), sort_.values_a.data()};
    update_.control = control_.data();
    update_.excluded = excluded_.data();
    update_.excluded_capacity = excluded_capacity();
    use_arrays(stores_[0].arrays(), rates_.data());
    lists_.view = v;
    lists_.position = v.position;
}

/// Sorted particles are in these arrays now, their cells in `cell_`.
void StepQueue::use_arrays(const ParticleArrays& sorted, RateRecord* rates) {
    update_.now = sorted;
    update_.next = counts_cells() ? sorted.with_levels_exchanged() : sorted;
    update_.cell = cell_.data();
    update_.rates = interaction_.rates = rates;
    interaction_.view.position = sorted.position;
    interaction_.view.flow = sorted.flow;
    interaction_.view.cell = cell_.data();
}

void StepQueue::set_count(std::uint32_t particles) {
    count_ = particles;
    interaction_.particles = update_.particles = lists_.particles = particles;
}

void StepQueue::sort_particles(cudaStream_t stream) {
    const SortRange range = fluid_range();
    std::uint32_t *const begin = fluid_begin_.data(), *const coarse = counts_cells() ? sort_.keys.data() : nullptr;
    unsigned* const alive = &control_.data()->alive;
    const std::uint32_t* order;
    if (counts_cells()) {
        order = order_by_counts(cell_.data(), range, excluded_cell(), update_.counts, begin, alive, sort_, stream);
        std::swap(cell_, sort_.values_b);
    } else {
        order =
            sort_by_cell(grid_, state().position, cell_.data(), range, excluded_cell(), uses_lists(), sort_, stream);
        find_cell_begins(cell_.data(), range, excluded_cell(), begin, alive, stream);
    }
    if (has_two_stores()) {
        const bool in_first = state().position == stores_[0].position.data();
        const ParticleArrays to = stores_[in_first ? 1 : 0].arrays();
        reorder(state(), to, order, range, count_, grid_, coarse, stream);
        use_arrays(to, rates());
    } else if (counts_cells()) {
        ParticleArrays arrays = state();
        void* spare = rates();
        reorder_in_turns(arrays, spare, order, range, count_, grid_, coarse, stream);
        use_arrays(arrays, static_cast<RateRecord*>(spare));
    } else
        reorder_in_place(state(), order, range, rates(), stream);
    if (paper_) paper_->adopt_fluid(interaction_.view, count_, stream);
}

void StepQueue::rebuild_lists(cudaStream_t stream) {
    sort_particles(stream);
    build_lists(lists_, stream);
}

void StepQueue::rebuild_if_needed() {
    cudaStreamCaptureStatus status;
    cudaGraph_t graph = nullptr;
    check(cudaStreamGetCaptureInfo(stream_, &status, nullptr, &graph), "recording a step");
    if (status == cudaStreamCaptureStatusActive)
        record_rebuild(graph);
    else
        rebuild_if_host_says();
}

void StepQueue::rebuild_if_host_says() {
    check_lists(lists_, 0, stream_);
    Control control;
    check(cudaMemcpyAsync(&control, control_.data(), sizeof control, cudaMemcpyDeviceToHost, stream_),
          "reading the step control");
    check(cudaStreamSynchronize(stream_), "check of the neighbour lists");
    if (control.active && control.rebuild) rebuild_lists(stream_);
}

/// Records the check of the lists, and their renewal as a branch of the graph that runs if the check asks for it.
void StepQueue::record_rebuild(cudaGraph_t graph) {
    cudaStreamCaptureStatus status;
    cudaGraphConditionalHandle handle;
    check(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault), "recording a condition");
    check_lists(lists_, handle, stream_);

    const cudaGraphNode_t* before = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(stream_, &status, nullptr, &graph, &before, nullptr, &count), "recording a step");
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeIf;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddNode(&node, graph, before, nullptr, count, &parameters), "recording a condition");
    check(cudaStreamBeginCaptureToGraph(branch_, parameters.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeRelaxed),
          "recording a rebuild");
    rebuild_lists(branch_);
    cudaGraph_t body = nullptr;
    check(cudaStreamEndCapture(branch_, &body), "recording a rebuild");
    check(cudaStreamUpdateCaptureDependencies(stream_, &node, nullptr, 1, cudaStreamSetCaptureDependencies),
          "recording a step");
}

void StepQueue::build_cells() {
    if (uses_lists())
        rebuild_if_needed();
    else
        sort_particles(stream_);
    begin_interaction(control_.data(), stream_);
}

void StepQueue::allocate_lists(const RunSetup& setup, const CudaOptions& options) {
    const std::uint32_t fluid = capacity_ - boundary_count_, tiles = (fluid + 31) / 32;
    const bool is_short = mode_ == GpuMode::short_list;
    const std::uint32_t eights = static_cast<std::uint32_t>(list_eights(setup.constants)),
                        tile_groups = is_short ? eights : 2 * eights;
    list_entries_ = DeviceArray<uint4>(memory_, std::size_t(tiles) * tile_groups * 32, "neighbour lists");
    if (is_short)
        list_row_starts_ = DeviceArray<std::uint32_t>(memory_, std::size_t(tiles) * list_rows * 32,
                                                      "what the entries of the neighbour lists count from");
    list_groups_ = DeviceArray<std::uint16_t>(memory_, tiles, "lengths of the neighbour lists");
    list_origin_ = DeviceArray<Position>(memory_, capacity_, "positions at the build of the neighbour lists");
    list_boxes_ = DeviceArray<DisplacementBox>(memory_, grid_.cells(), "displacements of the cells");
    list_occupied_ = DeviceArray<std::uint32_t>(memory_, std::min(grid_.cells(), fluid + 1), "occupied cells");
    lists_.lists = {list_entries_.data(), list_groups_.data(), list_row_starts_.data(), tile_groups};
    lists_.control = control_.data();
    lists_.origin = list_origin_.data();
    lists_.boxes = list_boxes_.data();
    lists_.occupied = list_occupied_.data();
    lists_.boundary_count = boundary_count_;
    int processors = 0, device = 0;
    check(cudaGetDevice(&device), "reading the device's properties");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "reading the device's properties");
    // by the size of the run, not by how many are left: a resumed run must sum in the same order
    lists_.few_particles = fluid < static_cast<std::uint32_t>(processors) * 4096; // four full loads
    lists_.support = static_cast<float>(2 * setup.constants.h);
    lists_.cell_side = std::ldexp(grid_.unit, grid_.cell_bits);
    lists_.fixed_skin =
        options.skin ? static_cast<float>(std::min(*options.skin, widest_list_skin)) * lists_.support : 0;
}

void StepQueue::interact() {
    if (paper_) return paper_->launch(interaction_, stream_);
    const cudaStream_t beside = side_.fork(stream_);
    if (uses_lists())
        launch_list_interaction(interaction_, lists_, stream_, beside);
    else
        launch_interaction(interaction_, stream_, beside);
    side_.join(stream_);
}

void StepQueue::keep_sorted() {
    begin_advance(control_.data(), 0, 0, stream_); // a step that is not taken
    integrate_verlet();
}

void StepQueue::adopt_state() {
    const SortRange boundary{0, boundary_count_};
    const std::uint32_t* order =
        sort_by_cell(grid_, state().position, cell_.data(), boundary, excluded_cell(), uses_lists(), sort_, stream_);
    reorder_in_place(state(), order, boundary, rates(), stream_);
    find_cell_begins(cell_.data(), boundary, excluded_cell(), boundary_begin_.data(), nullptr, stream_);
    FixedGrid around = grid_;
    if (uses_lists()) around.reach = 2; // a particle may be in the next cell before its lists are renewed
    mark_near_boundary(around, interaction_.view.boundary, near_boundary_.data(), stream_);
    if (paper_) paper_->adopt_boundary(interaction_.view, stream_);
    refresh_pressures(update_, stream_);
    if (!counts_cells()) return;
    // the sorted cells alternate between two arrays: both have those of the boundary
    check(cudaMemcpyAsync(sort_.values_b.data(), cell_.data(), boundary_count_ * sizeof(std::uint32_t),
                          cudaMemcpyDeviceToDevice, stream_),
          "copying the boundary's cells");
    check(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream_), "clearing the cells' counts");
    count_in_cells(cell_.data(), fluid_range(), update_.counts, stream_);
}

void StepQueue::adopt_lists() {
    find_cell_begins(cell_.data(), fluid_range(), excluded_cell(), fluid_begin_.data(), &control_.data()->alive,
                     stream_);
    restore_lists(lists_, stream_);
}

} // namespace sluice::cuda
