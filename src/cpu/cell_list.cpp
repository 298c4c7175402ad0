// SPDX-License-Identifier: Apache-2.0
#include "cpu/cell_list.h"

#include <algorithm>

namespace sluice::cpu {

namespace {
/// Part `i` of `parts` nearly equal parts of [0, count).
std::uint32_t part_begin(std::uint32_t count, std::size_t i, std::size_t parts) {
    return static_cast<std::uint32_t>(std::uint64_t(count) * i / parts);
}
} // namespace

CellList::CellList(std::uint32_t cell_count, int threads)
    : cell_count_(cell_count), threads_(threads), begin_(std::size_t(cell_count) + 2), next_(std::size_t(cell_count) + 1) {
    std::fill_n(begin_.data(), std::size_t(cell_count) + 2, 0u);
}

void CellList::sort(const std::uint32_t* key, std::uint32_t count, std::uint32_t first) {
    order_.reserve(count);
    choose_chunks(key, count);
    const std::uint32_t keys = cell_count_ + 1; // the last for those outside
    const std::size_t parts = chunks_.size();
    range_total_.assign(parts + 1, 0);
#pragma omp parallel num_threads(threads_)
    {
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i) count_keys(chunks_[i], key);
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i)
            range_total_[i + 1] = total_of_cells(part_begin(keys, i, parts), part_begin(keys, i + 1, parts));
#pragma omp single
        for (std::size_t i = 0; i < parts; ++i) range_total_[i + 1] += range_total_[i];
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i)
            make_places(part_begin(keys, i, parts), part_begin(keys, i + 1, parts), range_total_[i]);
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i) place_particles(chunks_[i], key);
    }
    begin_[keys] = count;
    inside_count_ = begin_[cell_count_];
    if (first > 0)
        for (std::uint32_t c = 0; c <= keys; ++c) begin_[c] += first;
}

void CellList::choose_chunks(const std::uint32_t* key, std::uint32_t count) {
    const auto set_bounds = [&](std::size_t parts) {
        chunks_.resize(parts);
        for (std::size_t i = 0; i < parts; ++i) {
            Chunk& chunk = chunks_[i];
            chunk.begin = part_begin(count, i, parts);
            chunk.end = part_begin(count, i + 1, parts);
            chunk.low = cell_count_;
            chunk.high = 0;
        }
    };
    set_bounds(static_cast<std::size_t>(threads_));
#pragma omp parallel for schedule(static, 1) num_threads(threads_)
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        Chunk& chunk = chunks_[i];
        std::uint32_t low = cell_count_, high = 0;
        for (std::uint32_t p = chunk.begin; p < chunk.end; ++p) {
            low = std::min(low, key[p]);
            high = std::max(high, key[p]);
        }
        chunk.low = low;
        chunk.high = chunk.begin < chunk.end ? high + 1 : low;
    }
    // Particles in nearly sorted order give each chunk a narrow range. Without order every chunk would count over
    // all cells: one chunk then costs less.
    std::uint64_t width = 0;
    for (const Chunk& chunk : chunks_) width += chunk.high - chunk.low;
    if (width > 4 * std::uint64_t(cell_count_) + 64) {
        set_bounds(1);
        chunks_[0].low = 0;
        chunks_[0].high = cell_count_ + 1;
    }
}

void CellList::count_keys(Chunk& chunk, const std::uint32_t* key) const {
    chunk.count.reserve(chunk.high - chunk.low);
    std::fill_n(chunk.count.data(), chunk.high - chunk.low, 0u);
    std::uint32_t* const counter = chunk.count.data();
    for (std::uint32_t p = chunk.begin; p < chunk.end; ++p) ++counter[key[p] - chunk.low];
}

std::uint32_t CellList::total_of_cells(std::uint32_t cell_begin, std::uint32_t cell_end) const {
    std::uint32_t total = 0;
    for (const Chunk& chunk : chunks_) {
        const std::uint32_t end = std::min(cell_end, chunk.high);
        for (std::uint32_t c = std::max(cell_begin, chunk.low); c < end; ++c) total += chunk.count[c - chunk.low];
    }
    return total;
}

void CellList::make_places(std::uint32_t cell_begin, std::uint32_t cell_end, std::uint32_t place) {
    std::fill(next_.data() + cell_begin, next_.data() + cell_end, 0u);
    const auto for_each_overlap = [&](auto&& use) {
        for (Chunk& chunk : chunks_) {
            const std::uint32_t end = std::min(cell_end, chunk.high);
            for (std::uint32_t c = std::max(cell_begin, chunk.low); c < end; ++c) use(next_[c], chunk.count[c - chunk.low]);
        }
    };
    for_each_overlap([](std::uint32_t& next, std::uint32_t& count) { next += count; });
    for (std::uint32_t c = cell_begin; c < cell_end; ++c) {
        const std::uint32_t count = next_[c];
        begin_[c] = place;
        next_[c] = place;
        place += count;
    }
    for_each_overlap([](std::uint32_t& next, std::uint32_t& count) {
        const std::uint32_t n = count;
        count = next;
        next += n;
    });
}

void CellList::place_particles(Chunk& chunk, const std::uint32_t* key) {
    for (std::uint32_t p = chunk.begin; p < chunk.end; ++p) order_[chunk.count[key[p] - chunk.low]++] = p;
}

std::size_t CellList::bytes() const {
    std::size_t total = begin_.bytes() + order_.bytes() + next_.bytes();
    for (const Chunk& chunk : chunks_) total += chunk.count.bytes();
    return total;
}

} // namespace sluice::cpu
