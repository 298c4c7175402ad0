// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/graph_recording.h"
#include "cuda/pairs/neighbour_lists.h"
#include "cuda/search/neighbour_search.h"

namespace sluice::cuda {

struct ListOptions {
    bool is_short = false; ///< entries of 16 bits
    double skin = 0;       ///< support radii; 0: adapts to the flow
};

/// The versions with neighbour lists (neighbour_lists.h): particles are sorted when the lists are renewed, and keep the
/// cells of that time until the next renewal.
class ListedNeighbours final : public NeighbourSearch {
public:
    ListedNeighbours(RunArrays& run, const sph::Constants& constants, const ListOptions& options);

    void adopt_state(bool rebuild, cudaStream_t stream) override;
    void build(cudaStream_t stream) override;
    void interact(const InteractionArgs& args, cudaStream_t stream, cudaStream_t beside) override;
    void interact_fluid(const InteractionArgs& args, const OwnParticles& which, cudaStream_t stream) override;
    void interact_boundary(const InteractionArgs& args, cudaStream_t stream) override;
    const std::uint32_t* coarse_positions(cudaStream_t stream) override;
    SortScratch sort_scratch() override { return sort_.scratch(); }
    bool sorts_along_curve() const override { return true; }
    void sort_walls(cudaStream_t stream) override;
    void adopt_order(cudaStream_t stream) override;
    void measure(cudaStream_t stream) override { measure_lists(args(), stream); }
    void decide(const AllMaxima& maxima, Control* copy, cudaStream_t stream) override {
        decide_lists_together(args(), maxima, copy, stream);
    }
    const Position* origin() const override { return origin_.data(); }
    ListView lists() const override { return fixed_.lists; }
    BodyLists body_lists() const override { return fixed_.bodies; }
    float one_cell_travel() const override { return cuda::one_cell_travel(fixed_); }
    void save(const Control& control, const SavedPlaces& places, ParticleState& state) const override;
    void restore(const ParticleState& state, std::vector<std::uint32_t>& order, Control& control,
                 PlacedParticles& now) override;

private:
    ListArgs args() const;
    void renew(cudaStream_t stream);
    void mark_near_walls(cudaStream_t stream);
    void renew_if_host_says(cudaStream_t stream);

    RunArrays& run_;
    SortMemory sort_;
    DeviceArray<uint4> entries_;
    DeviceArray<std::uint16_t> tile_lengths_;
    DeviceArray<std::uint32_t> row_starts_; ///< of entries of 16 bits
    DeviceArray<uint4> body_entries_;       ///< BodyLists
    DeviceArray<std::uint16_t> body_lengths_;
    DeviceArray<std::uint32_t> body_places_, body_cells_;
    DeviceArray<Position> origin_;        ///< positions at the build of the lists; boundary particles have none
    DeviceArray<DisplacementBox> boxes_;  ///< per cell
    DeviceArray<std::uint32_t> occupied_; ///< cells that hold fluid
    ListArgs fixed_;                      ///< what no step changes of the arguments
    ConditionalWork renewal_;
};

} // namespace sluice::cuda
