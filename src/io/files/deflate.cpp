// SPDX-License-Identifier: Apache-2.0
#include "io/files/deflate.h"
#include "core/error.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <memory>

namespace sluice {
namespace {

using Bytes = std::vector<std::byte>;

struct FreeCompressor {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
};

/// One compressor a thread: it is a megabyte that need not be set up for every chunk.
libdeflate_compressor* compressor(int level) {
    thread_local std::unique_ptr<libdeflate_compressor, FreeCompressor> mine;
    thread_local int made_for = -1;
    if (made_for != level) {
        mine.reset(libdeflate_alloc_compressor(level));
        if (!mine) throw RunError(fmt::format("deflate: no compressor of level {}", level));
        made_for = level;
    }
    return mine.get();
}

template <std::size_t width>
void shuffle(std::span<const std::byte> numbers, std::byte* out) {
    const std::size_t count = numbers.size() / width;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t b = 0; b < width; ++b) out[b * count + i] = numbers[i * width + b];
}

/// The numbers with their bytes in the order of the filter; they themselves where that changes nothing.
std::span<const std::byte> shuffled(std::span<const std::byte> numbers, std::size_t width, Bytes& out) {
    if (width == 1) return numbers;
    out.resize(numbers.size());
    if (width == 2)
        shuffle<2>(numbers, out.data());
    else if (width == 4)
        shuffle<4>(numbers, out.data());
    else if (width == 8)
        shuffle<8>(numbers, out.data());
    else
        throw RunError(fmt::format("deflate: numbers of {} bytes", width));
    return out;
}

} // namespace

std::vector<std::byte> shuffle_and_deflate(std::span<const std::byte> numbers, std::size_t width, int level) {
    thread_local Bytes ordered, packed;
    const std::span<const std::byte> in = shuffled(numbers, width, ordered);
    libdeflate_compressor* const c = compressor(level);
    packed.resize(libdeflate_zlib_compress_bound(c, in.size()));
    const std::size_t size = libdeflate_zlib_compress(c, in.data(), in.size(), packed.data(), packed.size());
    if (size == 0) throw RunError("deflate: a chunk could not be compressed");
    return {packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)};
}

} // namespace sluice
