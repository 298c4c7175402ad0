// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/ladder.h"
#include "bench/paper/paper_interaction.h"
#include "cuda/backend/make_backend.h"

namespace sluice::paper {

namespace {

/// Cell lists as the paper makes them: a radix sort of keys in every step; and its interaction over them.
class SortedCells final : public NeighbourSearch {
public:
    SortedCells(RunArrays& run, const sph::Constants& constants, const Optimisations& optimisations)
        : run_(run), sort_(run.memory, run.capacity),
          interaction_(run.memory, constants, run.grid, run.capacity, optimisations) {}

    void adopt_state(bool /*rebuild*/, cudaStream_t stream) override {
        run_.sort_boundary(false, sort_.scratch(), stream);
        mark_near_boundary(run_.grid, run_.period, run_.view().boundary, run_.near_boundary.data(), stream);
        interaction_.adopt_boundary(run_.view(), stream);
    }
    void build(cudaStream_t stream) override {
        ArrayPlaces& places = run_.places;
        const std::uint32_t* const order = run_.sort_fluid(false, sort_.scratch(), stream);
        if (run_.has_two_stores()) {
            places.sorted = run_.free_store();
            reorder(places.state, places.sorted, order, run_.fluid(), run_.count, run_.grid, nullptr, stream);
            places.state = places.sorted;
        } else
            reorder_in_place(places.state, order, run_.fluid(), places.spare, stream);
        interaction_.adopt_fluid(run_.view(), run_.count, stream);
    }
    void interact(const InteractionArgs& args, cudaStream_t stream, cudaStream_t /*beside*/) override {
        interaction_.launch(args, stream);
    }

private:
    RunArrays& run_;
    SortMemory sort_;
    PaperInteraction interaction_;
};

} // namespace

std::unique_ptr<Backend> make_backend(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode,
                                      const Optimisations& optimisations) {
    refuse_periodic_sides(setup);
    CudaOptions options;
    options.mode = mode;
    return make_cuda_backend_with(setup, particle_count, options, [&](RunArrays& run) {
        return std::make_unique<SortedCells>(run, setup.constants, optimisations);
    });
}

} // namespace sluice::paper
