// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/run_arrays.h"
#include "cuda/device/runtime.h"
#include "cuda/search/neighbour_search.h"
#include "cuda/shares/shares.h"

namespace sluice::cuda {

/// Particles on their way to another device, array by array.
struct ParticleBuffer {
    Position *position = nullptr, *start = nullptr; ///< start: null where the run keeps none
    Flow *flow = nullptr, *previous = nullptr;
    std::uint32_t *id = nullptr, *cell = nullptr;
};

/// What one device does when particles move between subdomains (shares.h). All is enqueued on its stream, and it is the
/// current device of the calling thread.
class ShareExchange {
public:
    ShareExchange(RunArrays& run, std::uint32_t rows);

    /// Brings own particles to the cells that they are in now, counts them and the newcomers (Control) by row, and asks
    /// for the counts.
    void count_rows(cudaStream_t stream);
    /// The counts, once the stream has come so far.
    std::vector<std::uint32_t> counts() const { return {host_counts_.data(), host_counts_.data() + rows_}; }
    /// Those of the newcomers; empty in runs that have none.
    std::vector<std::uint32_t> newcomers() const {
        return {host_counts_.data() + rows_, host_counts_.data() + counts_.size()};
    }

    /// Packs the send buffer of device `self` for every other device.
    void pack(const ExchangePlan& plan, std::size_t self, cudaStream_t stream);
    /// The send buffer for a device.
    ParticleBuffer send_buffer(std::size_t to) const { return send_buffers_[to]; }
    /// The receive buffer, from the `skip`-th particle on.
    ParticleBuffer receive_buffer(std::uint32_t newcomers, std::uint32_t skip) const;

    /// Sorts all held particles into their new places: own particles between those received from devices before and
    /// behind, and then the newcomers, which are the last in the order of the run.
    void sort(const ExchangePlan& plan, std::size_t self, std::uint32_t newcomers, NeighbourSearch& search,
              cudaStream_t stream);

    ShareExchange(const ShareExchange&) = delete;
    ShareExchange& operator=(const ShareExchange&) = delete;

private:
    void make_send_buffers(const std::vector<std::uint32_t>& sent);

    RunArrays& run_;
    std::uint32_t rows_;
    DeviceArray<std::uint32_t> counts_;
    PageLocked<std::uint32_t> host_counts_;
    DeviceArray<std::byte> send_memory_, select_tables_;
    DeviceArray<std::uint32_t> selected_; ///< a number more than particles
    std::vector<ParticleBuffer> send_buffers_;
};

/// Slots of the arrays of a device that an exchange takes with so many newcomers.
std::uint64_t slots_for(const ExchangePlan& plan, std::size_t device, const RunArrays& run, std::uint32_t newcomers);

/// The share's places become those of the run's arrays.
void take_places(RunArrays& run, const SharePlaces& places, cudaStream_t stream);

} // namespace sluice::cuda
