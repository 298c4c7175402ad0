// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/cell_list.h"
#include "cuda/cuda_backend.h"
#include "cuda/device_memory.h"
#include "cuda/interaction.h"
#include "cuda/neighbour_lists.h"
#include "cuda/paper_interaction.h"
#include "cuda/stream.h"
#include "cuda/update.h"
#include <optional>

namespace sluice::cuda {

/// The particles of a run on the device.
struct ParticleStore {
    DeviceArray<Position> position, start;
    DeviceArray<Flow> flow, previous;
    DeviceArray<std::uint32_t> id;

    ParticleStore() = default;
    ParticleStore(DeviceMemory& memory, std::uint32_t particles, bool with_start);
    ParticleArrays arrays() const { return {position.data(), flow.data(), previous.data(), start.data(), id.data()}; }
};

/// Which arrays hold what. A step may exchange them.
struct ArrayPlaces {
    ParticleArrays state;
    const RateRecord* rates = nullptr;
    const std::uint32_t* cell = nullptr;
    bool operator==(const ArrayPlaces&) const = default;
};

/// The arrays of a run, and the phases of a step as work enqueued on a stream (see run/time_loop.h). Nothing here
/// waits for the device, but build_cells() outside the recording of a graph: there the host decides whether neighbour
/// lists are renewed.
class StepQueue {
public:
    StepQueue(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode, const CudaOptions& options,
              cudaStream_t stream);

    // the phases of take_step()
    void build_cells();
    void interact();
    void reduce_time_step() { compute_time_step(update_, stream_); }
    void reduce_corrector_limit() { compute_corrector_limit(update_, stream_); }
    void integrate_verlet() { cuda::integrate_verlet(update_, stream_); }
    void integrate_predictor() { cuda::integrate_predictor(update_, stream_); }
    void integrate_corrector() { cuda::integrate_corrector(update_, stream_); }
    void finish_step() { cuda::finish_step(update_, stream_); }

    /// After a look at the rates: the sorted arrays become the state, in the order of the rates.
    void keep_sorted();
    /// After `position`, `flow`, `cell` and the rest were written from the host: sorts the boundary particles, whose
    /// order then stays, and fills what follows from them.
    void adopt_state();
    /// After adopt_state(), with `list_origin` and `cell` as they were at the build of the lists in use: cell list of
    /// the fluid and lists as they were then. The order of the particles stays; the control says which skin the lists
    /// have.
    void adopt_lists();
    bool uses_lists() const { return has_neighbour_lists(mode_); }

    const FixedGrid& grid() const { return grid_; }
    std::uint32_t capacity() const { return capacity_; }
    std::uint32_t count() const { return count_; }
    std::uint32_t boundary_count() const { return boundary_count_; }
    std::uint32_t excluded_cell() const { return grid_.cells(); }
    /// Where the particles are between two steps.
    const ParticleArrays& state() const { return update_.next; }
    std::uint32_t* cell() const { return cell_.data(); }
    /// Positions at the build of the neighbour lists; boundary particles have none.
    Position* list_origin() const { return list_origin_.data(); }
    float widest_skin() const { return static_cast<float>(widest_list_skin) * lists_.support; }
    /// Free to be written over between two steps.
    RateRecord* rates() const { return interaction_.rates; }
    ArrayPlaces places() const { return {state(), rates(), cell()}; }
    Control* control() const { return control_.data(); }
    const ExcludedRecord* excluded() const { return excluded_.data(); }
    std::uint32_t excluded_capacity() const { return static_cast<std::uint32_t>(excluded_.size()); }
    DeviceMemory& memory() { return memory_; }
    std::size_t memory_bytes() const { return memory_.held(); }
    /// Tells the kernels how many particles there are (at most `capacity`).
    void set_count(std::uint32_t particles);

private:
    SortRange fluid_range() const { return {boundary_count_, count_ - boundary_count_}; }
    bool has_two_stores() const { return mode_ == GpuMode::fast_half; }
    /// Our own modes without lists count particles by cell as they move; the others sort their keys.
    bool counts_cells() const { return !uses_lists() && !paper_; }
    void fill_view();
    void use_arrays(const ParticleArrays& sorted, RateRecord* rates);
    void allocate_lists(const RunSetup& setup, const CudaOptions& options);
    void sort_particles(cudaStream_t stream);
    void rebuild_lists(cudaStream_t stream);
    void rebuild_if_needed();
    void record_rebuild(cudaGraph_t graph);
    void rebuild_if_host_says();

    DeviceMemory memory_;
    GpuMode mode_;
    FixedGrid grid_;
    std::uint32_t capacity_ = 0, count_ = 0, boundary_count_ = 0;
    cudaStream_t stream_;

    ParticleStore stores_[2]; ///< a sort goes from one to the other; the modes that save memory have but one
    DeviceArray<std::uint32_t> cell_, fluid_begin_, boundary_begin_;
    DeviceArray<std::uint32_t> counts_; ///< fluid particles of the cells
    DeviceArray<std::uint8_t> near_boundary_;
    DeviceArray<RateRecord> rates_;
    DeviceArray<Control> control_;
    DeviceArray<ExcludedRecord> excluded_;
    DeviceArray<uint4> list_entries_;
    DeviceArray<std::uint16_t> list_groups_;
    DeviceArray<std::uint32_t> list_row_starts_; ///< of entries of 16 bits
    DeviceArray<Position> list_origin_;
    DeviceArray<DisplacementBox> list_boxes_;
    DeviceArray<std::uint32_t> list_occupied_;
    SortBuffers sort_;
    InteractionArgs interaction_;
    std::optional<PaperInteraction> paper_; ///< instead of our own, in the benches that ask for it
    UpdateArgs update_;
    ListArgs lists_;
    SideStream side_; ///< boundary particles interact beside the fluid
    Stream branch_;   ///< records what a step does only if its lists have expired
};

} // namespace sluice::cuda
