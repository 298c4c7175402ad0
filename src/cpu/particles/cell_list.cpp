// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/cell_list.h"

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

/// Cuts what is to be sorted into chunks, one for each thread; returns how many particles there are in all.
std::uint32_t CellList::cut_chunks(const std::vector<IndexRange>& parts, int threads) {
    std::uint32_t total = 0;
    for (const IndexRange& part : parts) total += part.count();
    chunks_.resize(static_cast<std::size_t>(threads));
    for (Chunk& chunk : chunks_) chunk.ranges.clear();
    std::size_t at = 0;
    std::uint32_t before = 0; // particles of earlier ranges
    for (const IndexRange& part : parts) {
        for (std::uint32_t from = 0; from < part.count();) {
            const std::uint32_t chunk_end = part_begin(total, at + 1, chunks_.size()) - before;
            const std::uint32_t to = std::min(part.count(), chunk_end);
            if (to > from) chunks_[at].ranges.push_back({part.begin + from, part.begin + to});
            at += to == chunk_end && at + 1 < chunks_.size();
            from = to;
        }
        before += part.count();
    }
    return total;
}

void CellList::sort(const std::uint32_t* key, const std::vector<IndexRange>& ranges, std::uint32_t first, int threads) {
    const std::uint32_t count = cut_chunks(ranges, threads);
    order_.reserve(count);
    const auto parts = static_cast<std::size_t>(threads);
    range_place_.resize(parts);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < chunks_.size(); ++i) count_keys(chunks_[i], key);
        const CellRange cells = occupied();
        const auto range_begin = [&](std::size_t i) {
            return cells.low + part_begin(cells.high - cells.low, i, parts);
        };
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i) range_place_[i] = particles_before(range_begin(i));
#pragma omp for schedule(static, 1)
        for (std::size_t i = 0; i < parts; ++i)
            make_places({range_begin(i), range_begin(i + 1)}, range_place_[i], first);
#pragma omp for schedule(static, 1) nowait
        for (std::size_t i = 0; i < chunks_.size(); ++i) place_particles(chunks_[i], key);
    }
    fill_around(occupied(), first, first + count);
    inside_count_ = begin_[cell_count_] - first;
}

void CellList::count_keys(Chunk& chunk, const std::uint32_t* key) {
    chunk.low = chunk.high = 0;
    for (const IndexRange& range : chunk.ranges) {
        const auto [low, high] = std::minmax_element(key + range.begin, key + range.end);
        chunk.low = chunk.high == 0 ? *low : std::min(chunk.low, *low);
        chunk.high = std::max(chunk.high, *high + 1);
    }
    if (chunk.high == 0) return;
    chunk.count.reserve(chunk.high - chunk.low);
    std::uint32_t* const counter = chunk.count.data();
    std::fill_n(counter, chunk.high - chunk.low, 0u);
    for (const IndexRange& range : chunk.ranges)
        for (std::uint32_t p = range.begin; p < range.end; ++p) ++counter[key[p] - chunk.low];
}

CellList::CellRange CellList::occupied() const {
    CellRange cells;
    for (const Chunk& chunk : chunks_) {
        if (chunk.ranges.empty()) continue;
        if (cells.low == cells.high) cells = {chunk.low, chunk.high};
        cells.low = std::min(cells.low, chunk.low);
        cells.high = std::max(cells.high, chunk.high);
    }
    return cells;
}

std::uint32_t CellList::particles_before(std::uint32_t cell) const {
    std::uint32_t total = 0;
    for (const Chunk& chunk : chunks_) {
        const std::uint32_t* const count = chunk.count.data();
        const std::uint32_t end = std::min(cell, chunk.high);
        for (std::uint32_t c = chunk.low; c < end; ++c) total += count[c - chunk.low];
    }
    return total;
}

/// Turns the counts of some cells into places from `place` on, those of earlier chunks first.
void CellList::make_places(CellRange cells, std::uint32_t place, std::uint32_t first) {
    std::fill(next_.data() + cells.low, next_.data() + cells.high, 0u);
    const auto for_each_overlap = [&](auto&& use) {
        for (Chunk& chunk : chunks_) {
            const std::uint32_t end = std::min(cells.high, chunk.high);
            for (std::uint32_t c = std::max(cells.low, chunk.low); c < end; ++c)
                use(next_[c], chunk.count[c - chunk.low]);
        }
    };
    for_each_overlap([](std::uint32_t& next, std::uint32_t& count) { next += count; });
    for (std::uint32_t c = cells.low; c < cells.high; ++c) {
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

/// Brings begin() up to date outside the occupied cells, as far as it is not so from the last time.
void CellList::fill_around(CellRange cells, std::uint32_t first, std::uint32_t end) {
    const std::uint32_t last = cell_count_ + 2;
    const std::uint32_t from = first == first_ ? std::min(filled_.low, cells.low) : 0;
    const std::uint32_t to = end == end_ ? std::max(filled_.high, cells.high) : last;
    std::fill(begin_.data() + from, begin_.data() + cells.low, first);
    std::fill(begin_.data() + cells.high, begin_.data() + to, end);
    filled_ = cells;
    first_ = first;
    end_ = end;
}

void CellList::place_particles(Chunk& chunk, const std::uint32_t* key) {
    std::uint32_t* const place = chunk.count.data();
    for (const IndexRange& range : chunk.ranges)
        for (std::uint32_t p = range.begin; p < range.end; ++p) order_[place[key[p] - chunk.low]++] = p;
}

std::size_t CellList::bytes() const {
    std::size_t total = begin_.bytes() + order_.bytes() + next_.bytes();
    for (const Chunk& chunk : chunks_) total += chunk.count.bytes();
    return total;
}

} // namespace sluice::cpu
