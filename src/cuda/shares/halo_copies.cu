// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/runtime.h"
#include "cuda/shares/halo_copies.h"

#include <algorithm>

namespace sluice::cuda {

namespace {

constexpr int block = 256, most_blocks = 4 * 132;
constexpr std::size_t most_pieces = 32; ///< of a launch

template <class Record>
struct Pieces {
    const Record* source[most_pieces];
    Record* target[most_pieces];
    std::size_t count[most_pieces];
    int pieces = 0;
};

template <class Record>
__global__ void copy_kernel(const __grid_constant__ Pieces<Record> all) {
    const std::size_t stride = std::size_t(gridDim.x) * block, first = std::size_t(blockIdx.x) * block + threadIdx.x;
    for (int p = 0; p < all.pieces; ++p)
        for (std::size_t i = first; i < all.count[p]; i += stride) all.target[p][i] = all.source[p][i];
}

} // namespace

void copy_between(int from, const void* source, int to, void* target, std::size_t bytes, cudaStream_t stream) {
    if (bytes > 0) copy_between_devices(to, target, from, source, bytes, stream, "copying from another GPU");
}

template <class Record>
void HaloCopies::enqueue(const std::vector<Piece>& pieces, cudaStream_t stream) {
    if (!sees_others_) {
        for (const Piece& piece : pieces)
            copy_between(piece.device, piece.source, to_.device(), piece.target, sizeof(Record) * piece.count, stream);
        return;
    }
    for (std::size_t first = 0; first < pieces.size(); first += most_pieces) {
        Pieces<Record> some;
        std::size_t longest = 0;
        for (std::size_t p = first; p < std::min(pieces.size(), first + most_pieces); ++p) {
            some.source[some.pieces] = static_cast<const Record*>(pieces[p].source);
            some.target[some.pieces] = static_cast<Record*>(pieces[p].target);
            some.count[some.pieces++] = pieces[p].count;
            longest = std::max(longest, pieces[p].count);
        }
        const auto blocks = static_cast<unsigned>(std::min<std::size_t>((longest + block - 1) / block, most_blocks));
        copy_kernel<Record><<<blocks, block, 0, stream>>>(some);
        check_launch("copy from other GPUs");
    }
}

void HaloCopies::enqueue(cudaStream_t stream) {
    enqueue<int4>(long_, stream);
    enqueue<int2>(short_, stream);
    enqueue<int>(words_, stream);
}

} // namespace sluice::cuda
