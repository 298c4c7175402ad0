// SPDX-License-Identifier: Apache-2.0
#include "cpu/cell_list.h"

#include <algorithm>

namespace sluice::cpu {

namespace {
/// Where part `i` of `parts` nearly equal parts of [0, count) begins.
std::uint32_t part_begin(std::uint32_t count, std::size_t i, std::size_t parts) {
    return static_cast<std::uint32_t>(std::uint64_t(count) * i / parts);
}
} // namespace

CellList::CellList(std::uint32_t cell_count)
    : cell_count_(cell_count), begin_(std::size_t(cell_count) + 2), next_(std::size_t(cell_count) + 1) {
    std::fill_n(begin_.data(), std::size_t(cell_count) + 2, 0u);
}

void CellList::sort(const std::uint32_t* key, std::uint32_t count, std::uint32_t first, int threads) {
    order_.reserve(count);
    const auto parts = static_cast<std::size_t>(threads);
    chunks_.resize(parts);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i) {
            chunks_[i].begin = part_begin(count, i, parts);
            chunks_[i].end = part_begin(count, i + 1, parts);
            count_keys(chunks_[i], key);
        }
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i) make_places(i, first);
#pragma omp for schedule(static, 1) nowait
        for (std::size_t i = 0; i < parts; ++i) place_particles(chunks_[i], key);
    }
    begin_[std::size_t(cell_count_) + 1] = first + count;
    inside_count_ = begin_[cell_count_] - first;
}

/// First cell of a thread's range, those outside counting as one more cell.
std::uint32_t CellList::range_begin(std::size_t range) const { return part_begin(cell_count_ + 1, range, chunks_.size()); }

void CellList::count_keys(Chunk& chunk, const std::uint32_t* key) const {
    chunk.range_total.assign(chunks_.size(), 0);
    chunk.low = chunk.high = 0;
    if (chunk.begin == chunk.end) return;
    const auto [low, high] = std::minmax_element(key + chunk.begin, key + chunk.end);
    chunk.low = *low;
    chunk.high = *high + 1;
    chunk.count.reserve(chunk.high - chunk.low);
    std::uint32_t* const counter = chunk.count.data();
    std::fill_n(counter, chunk.high - chunk.low, 0u);
    for (std::uint32_t p = chunk.begin; p < chunk.end; ++p) ++counter[key[p] - chunk.low];
    for (std::size_t range = 0; range < chunks_.size(); ++range) {
        const std::uint32_t end = std::min(range_begin(range + 1), chunk.high);
        for (std::uint32_t c = std::max(range_begin(range), chunk.low); c < end; ++c)
            chunk.range_total[range] += counter[c - chunk.low];
    }
}

/// Turns the counts of a range of cells into places, those of earlier chunks first.
void CellList::make_places(std::size_t range, std::uint32_t first) {
    const std::uint32_t cell_begin = range_begin(range), cell_end = range_begin(range + 1);
    std::uint32_t place = 0;
    for (const Chunk& chunk : chunks_)
        for (std::size_t before = 0; before < range; ++before) place += chunk.range_total[before];
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
        begin_[c] = first + place;
        next_[c] = place;
        place += count;
    }
    for_each_overlap([](std::uint32_t& next, std::uint32_t& count) { // hand out the places
        std::swap(count, next);
        next += count;
    });
}

void CellList::place_particles(Chunk& chunk, const std::uint32_t* key) {
    std::uint32_t* const place = chunk.count.data();
    for (std::uint32_t p = chunk.begin; p < chunk.end; ++p) order_[place[key[p] - chunk.low]++] = p;
}

std::size_t CellList::bytes() const {
    std::size_t total = begin_.bytes() + order_.bytes() + next_.bytes();
    for (const Chunk& chunk : chunks_) total += chunk.count.bytes();
    return total;
}

} // namespace sluice::cpu
