// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/cell_keys.cuh"
#include "cuda/device/block_size.cuh"
#include "cuda/shares/share_exchange.h"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace sluice::cuda {

namespace {

constexpr int block = 256;

/// The cell that each particle is in now, and how many a row has. Neighbours in memory are in one row as a rule: the
/// threads of a warp that count for the same row add once.
__device__ void count_row(const FixedGrid& grid, const Position* position, std::uint32_t* cell, std::uint32_t i,
                          std::uint32_t excluded_cell, std::uint32_t* counts) {
    if (cell[i] == excluded_cell) return;
    const std::uint32_t now = cell_of(grid, unwrap(grid, position[i], cell[i])), row = now / std::uint32_t(grid.nx);
    cell[i] = now;
    const unsigned same = __match_any_sync(__activemask(), row);
    if (int(threadIdx.x & 31) == __ffs(int(same)) - 1) atomicAdd(counts + row, unsigned(__popc(same)));
}

__global__ void count_rows_kernel(FixedGrid grid, const Position* position, std::uint32_t* cell, Range range,
                                  std::uint32_t excluded_cell, std::uint32_t* counts) {
    const std::uint32_t i = range.begin + blockIdx.x * block + threadIdx.x;
    if (i < range.end) count_row(grid, position, cell, i, excluded_cell, counts);
}

/// One block.
__global__ void count_newcomers_kernel(FixedGrid grid, const Position* position, std::uint32_t* cell,
                                       std::uint32_t first, const Control* control, std::uint32_t excluded_cell,
                                       std::uint32_t* counts) {
    for (std::uint32_t k = threadIdx.x; k < control->newcomers; k += block)
        count_row(grid, position, cell, first + k, excluded_cell, counts);
}

/// Whether a particle is in one of a range of rows.
struct IsSeen {
    const std::uint32_t* cell;
    std::uint32_t excluded_cell, nx;
    Range rows;

    __device__ bool operator()(std::uint32_t i) const {
        const std::uint32_t c = cell[i], row = c / nx;
        return c != excluded_cell && row >= rows.begin && row < rows.end;
    }
};

__global__ void pack_kernel(ParticleArrays from, const std::uint32_t* cell, const std::uint32_t* selected,
                            std::uint32_t count, ParticleBuffer to) {
    const std::uint32_t k = blockIdx.x * block + threadIdx.x;
    if (k >= count) return;
    const std::uint32_t i = selected[k];
    to.position[k] = load16(from.position + i);
    to.flow[k] = load16(from.flow + i);
    to.previous[k] = load16(from.previous + i);
    if (to.start) to.start[k] = load16(from.start + i);
    to.id[k] = from.id[i];
    to.cell[k] = cell[i];
}

/// What comes to a sort, in the order of the whole run as it was: those of devices before this one, which lie from
/// `receive_buffer` on, its own, those of devices behind, which lie behind the others, and the newcomers.
struct Incoming {
    std::uint32_t before, own, behind, newcomers;
    std::uint32_t own_first, receive_buffer, newcomers_first;

    __device__ std::uint32_t total() const { return before + own + behind + newcomers; }
    __device__ std::uint32_t slot(std::uint32_t k) const {
        if (k < before) return receive_buffer + k;
        if (k < before + own) return own_first + (k - before);
        return k < before + own + behind ? receive_buffer + (k - own) : newcomers_first + (k - before - own - behind);
    }
};

__global__ void incoming_keys_kernel(FixedGrid grid, const Position* position, IsSeen is_seen, Incoming incoming,
                                     int fine_bits, std::uint32_t* key, std::uint32_t* index) {
    const std::uint32_t k = blockIdx.x * block + threadIdx.x;
    if (k >= incoming.total()) return;
    const std::uint32_t i = incoming.slot(k);
    key[k] = is_seen(i) ? sort_key(grid, position[i], is_seen.cell[i], fine_bits) : is_seen.excluded_cell << fine_bits;
    index[k] = i;
}

__global__ void sorted_cells_kernel(const std::uint32_t* key, std::uint32_t count, int fine_bits, std::uint32_t* cell) {
    const std::uint32_t k = blockIdx.x * block + threadIdx.x;
    if (k < count) cell[k] = key[k] >> fine_bits;
}

/// Slots below `first` keep what they have; to each behind comes what `order` says.
template <class T>
__global__ void gather_kernel(const T* from, T* to, const std::uint32_t* order, std::uint32_t first,
                              std::uint32_t end) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < end) to[i] = from[i < first ? i : order[i - first]];
}

template <class T>
void gather(T*& array, SpareRecords& spare, const std::uint32_t* order, const SharePlaces& places,
            cudaStream_t stream) {
    if (!array || places.count == 0) return;
    gather_kernel<<<blocks_for(places.count, block), block, 0, stream>>>(array, spare.as<T>(), order,
                                                                         places.fluid_first, places.count);
    check_launch("particles of a share");
    if constexpr (sizeof(T) == 16)
        spare.change_places(array);
    else
        copy_on_device(array, spare.as<T>(), places.count * sizeof(T), stream, "particles of a share");
}

__global__ void take_places_kernel(Control* control, unsigned own_end) {
    control->alive = own_end;
    control->newcomers = 0;
}

/// Where received particles go: over others' particles, unless newcomers lie behind those.
std::uint32_t inbox_of(const RunArrays& run, std::uint32_t newcomers) {
    return newcomers > 0 ? run.count + newcomers : run.own_end;
}

std::size_t select_table_bytes(std::uint32_t particles) {
    std::size_t bytes = 0;
    std::uint32_t* const none = nullptr;
    check(cub::DeviceSelect::If(nullptr, bytes, thrust::counting_iterator<std::uint32_t>(0), none, none, int(particles),
                                IsSeen{}),
          "size of the tables of an exchange");
    return bytes;
}

} // namespace

ShareExchange::ShareExchange(RunArrays& run, std::uint32_t rows)
    : run_(run), rows_(rows),
      counts_(run.memory, std::size_t(rows) * (run.is_open ? 2 : 1), "particles of the rows of cells"),
      select_tables_(run.memory, select_table_bytes(run.capacity), "tables of an exchange"),
      selected_(run.memory, std::size_t(run.capacity) + 1, "particles that other devices are sent"),
      host_counts_(counts_.size()) {}

void ShareExchange::count_rows(cudaStream_t stream) {
    const Range own{run_.own_first, run_.own_end};
    if (run_.period.any())
        wrap_positions(run_.grid, run_.period, run_.places.state, run_.places.cell, {own.begin, size_of(own)},
                       run_.excluded_cell(), stream);
    fill(counts_.data(), 0, counts_.bytes(), stream, "counting the rows' particles");
    if (size_of(own) > 0) {
        count_rows_kernel<<<blocks_for(size_of(own), block), block, 0, stream>>>(
            run_.grid, run_.places.state.position, run_.places.cell, own, run_.excluded_cell(), counts_.data());
        check_launch("count of the rows' particles");
    }
    if (run_.is_open) {
        count_newcomers_kernel<<<1, block, 0, stream>>>(run_.grid, run_.places.state.position, run_.places.cell,
                                                        run_.count, run_.control.data(), run_.excluded_cell(),
                                                        counts_.data() + rows_);
        check_launch("count of the rows' new particles");
    }
    copy_to_host(host_counts_.data(), counts_.data(), counts_.bytes(), stream, "counting the rows' particles");
}

/// Capacity for all send buffers, and a little more for those of later exchanges.
void ShareExchange::make_send_buffers(const std::vector<std::uint32_t>& sent) {
    const bool with_start = run_.places.state.start != nullptr;
    const std::size_t each = 3 * 16 + (with_start ? 16 : 0) + 8;
    std::size_t bytes = 0;
    for (const std::uint32_t n : sent) bytes += (std::size_t(n) + 7) / 8 * 8 * each;
    if (bytes > send_memory_.bytes()) {
        send_memory_ = {};
        send_memory_ = {run_.memory, bytes + bytes / 4, "particles that other devices are sent"};
    }
    send_buffers_.assign(sent.size(), {});
    std::byte* next = send_memory_.data();
    const auto take = [&next]<class T>(T*& array, std::size_t count) {
        array = reinterpret_cast<T*>(next);
        next += count * sizeof(T);
    };
    for (std::size_t to = 0; to < sent.size(); ++to) {
        const std::size_t count = (std::size_t(sent[to]) + 7) / 8 * 8; // so that each array begins at 16 bytes
        take(send_buffers_[to].position, count);
        take(send_buffers_[to].flow, count);
        take(send_buffers_[to].previous, count);
        if (with_start) take(send_buffers_[to].start, count);
        take(send_buffers_[to].id, count);
        take(send_buffers_[to].cell, count);
    }
}

void ShareExchange::pack(const ExchangePlan& plan, std::size_t self, cudaStream_t stream) {
    make_send_buffers(plan.sent[self]);
    const std::uint32_t own = run_.own_end - run_.own_first;
    for (std::size_t to = 0; to < plan.shares.size(); ++to) {
        const std::uint32_t count = plan.sent[self][to];
        if (count == 0) continue;
        const IsSeen is_seen{run_.places.cell, run_.excluded_cell(), std::uint32_t(run_.grid.nx), plan.shares[to].seen};
        std::size_t bytes = select_tables_.bytes();
        check(cub::DeviceSelect::If(select_tables_.data(), bytes,
                                    thrust::counting_iterator<std::uint32_t>(run_.own_first), selected_.data() + 1,
                                    selected_.data(), int(own), is_seen, stream),
              "particles for another device");
        pack_kernel<<<blocks_for(count, block), block, 0, stream>>>(run_.places.state, run_.places.cell,
                                                                    selected_.data() + 1, count, send_buffers_[to]);
        check_launch("particles for another device");
    }
}

ParticleBuffer ShareExchange::receive_buffer(std::uint32_t newcomers, std::uint32_t skip) const {
    const ParticleArrays& s = run_.places.state;
    const std::uint32_t at = inbox_of(run_, newcomers) + skip;
    return {s.position + at,      s.start ? s.start + at : nullptr, s.flow + at, s.previous + at, s.id + at,
            run_.places.cell + at};
}

void ShareExchange::sort(const ExchangePlan& plan, std::size_t self, std::uint32_t newcomers, NeighbourSearch& search,
                         cudaStream_t stream) {
    const SharePlaces places = places_of(plan.shares[self], run_.boundary_count);
    const std::uint32_t before = plan.received_before(self), behind = plan.received_behind(self),
                        own = run_.own_end - run_.own_first, total = before + own + behind + newcomers,
                        held = places.count - places.fluid_first;
    const int fine_bits = search.sorts_along_curve() ? curve_bits(run_.excluded_cell()) : 0;
    const SortScratch scratch = search.sort_scratch();
    const std::uint32_t* order = scratch.order_a;
    std::uint32_t* const cell = run_.places.cell;
    if (total > 0) {
        const IsSeen is_seen{cell, run_.excluded_cell(), std::uint32_t(run_.grid.nx), plan.shares[self].seen};
        incoming_keys_kernel<<<blocks_for(total, block), block, 0, stream>>>(
            run_.grid, run_.places.state.position, is_seen,
            {before, own, behind, newcomers, run_.own_first, inbox_of(run_, newcomers), run_.count}, fine_bits,
            scratch.keys, scratch.order_a);
        check_launch("cells of a share's particles");
        cub::DoubleBuffer<std::uint32_t> keys(scratch.keys, cell + places.fluid_first),
            indices(scratch.order_a, scratch.order_b);
        std::size_t bytes = scratch.tables->bytes();
        check(cub::DeviceRadixSort::SortPairs(scratch.tables->data(), bytes, keys, indices, int(total), 0,
                                              key_bits(run_.excluded_cell()) + fine_bits, stream),
              "sort of a share's particles");
        order = indices.Current();
        sorted_cells_kernel<<<blocks_for(total, block), block, 0, stream>>>(keys.Current(), total, fine_bits,
                                                                            cell + places.fluid_first);
        check_launch("cells of a share's particles");
    }
    ParticleArrays& state = run_.places.state;
    gather(state.id, run_.places.spare, order, places, stream);
    gather(state.position, run_.places.spare, order, places, stream);
    gather(state.flow, run_.places.spare, order, places, stream);
    gather(state.previous, run_.places.spare, order, places, stream);
    gather(state.start, run_.places.spare, order, places, stream);
    take_places(run_, places, stream);
    find_cell_begins(cell, {places.fluid_first, held}, run_.excluded_cell(), run_.fluid_begin.data(), nullptr, stream);
}

std::uint64_t slots_for(const ExchangePlan& plan, std::size_t device, const RunArrays& run, std::uint32_t newcomers) {
    const std::uint64_t received = std::uint64_t(plan.received_before(device)) + plan.received_behind(device);
    const std::uint64_t sorted = places_of(plan.shares[device], run.boundary_count).fluid_first + received +
                                 (run.own_end - run.own_first) + newcomers;
    return std::max<std::uint64_t>(inbox_of(run, newcomers) + received, sorted);
}

void take_places(RunArrays& run, const SharePlaces& places, cudaStream_t stream) {
    run.fluid_first = places.fluid_first;
    run.own_first = places.own_first;
    run.own_end = places.own_end;
    run.count = places.count;
    take_places_kernel<<<1, 1, 0, stream>>>(run.control.data(), places.own_end);
    check_launch("places of a share");
}

} // namespace sluice::cuda
