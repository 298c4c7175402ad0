// SPDX-License-Identifier: Apache-2.0
#include "cuda/halo_copies.h"

#include <algorithm>

namespace sluice::cuda {

namespace {

constexpr int block = 256, most_blocks = 4 * 132;
constexpr std::size_t most_pieces = 32; ///< of a launch

struct Pieces {
    const int4* source[most_pieces];
    int4* target[most_pieces];
    std::size_t count[most_pieces];
    int pieces = 0;
};

__global__ void copy_kernel(const __grid_constant__ Pieces all) {
    const std::size_t stride = std::size_t(gridDim.x) * block, first = std::size_t(blockIdx.x) * block + threadIdx.x;
    for (int p = 0; p < all.pieces; ++p)
        for (std::size_t i = first; i < all.count[p]; i += stride) all.target[p][i] = all.source[p][i];
}

} // namespace

void copy_between(int from, const void* source, const DeviceShare& to, void* target, std::size_t bytes) {
    if (bytes == 0) return;
    check(from == to.device() ? cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, to.stream())
                              : cudaMemcpyPeerAsync(target, to.device(), source, from, bytes, to.stream()),
          "copying from another GPU");
}

void HaloCopies::enqueue() {
    if (!sees_others_) {
        for (const Piece& piece : pieces_)
            copy_between(piece.device, piece.source, to_, piece.target, 16 * piece.count);
        return;
    }
    for (std::size_t first = 0; first < pieces_.size(); first += most_pieces) {
        Pieces some;
        std::size_t longest = 0;
        for (std::size_t p = first; p < std::min(pieces_.size(), first + most_pieces); ++p) {
            some.source[some.pieces] = static_cast<const int4*>(pieces_[p].source);
            some.target[some.pieces] = static_cast<int4*>(pieces_[p].target);
            some.count[some.pieces++] = pieces_[p].count;
            longest = std::max(longest, pieces_[p].count);
        }
        const auto blocks = static_cast<unsigned>(std::min<std::size_t>((longest + block - 1) / block, most_blocks));
        copy_kernel<<<blocks, block, 0, to_.stream()>>>(some);
        check_launch("copy from other GPUs");
    }
}

} // namespace sluice::cuda
