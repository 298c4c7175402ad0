// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/gradient_ladder.h"

#include "cuda/device/block_size.cuh"
#include "cuda/device/device_memory.h"
#include "cuda/device/event_timer.h"
#include "cuda/device/host_copies.h"
#include "cuda/device/runtime.h"
#include "cuda/device/stream.h"
#include <algorithm>
#include <functional>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// What one load of a vector type brings, as the paper's double4: two loads of 16 bytes.
struct alignas(16) FourNumbers {
    double x, y, z, w;
};

/// Entries as one array a component, and as the four numbers of one load. Rows of the last layout are of equal length
/// and stored by columns, so that a warp reads consecutive addresses.
struct GradientArrays {
    std::uint32_t count, longest;
    const std::uint32_t *first, *neighbour;
    const double *x, *y, *z, *pressure, *volume;
    const FourNumbers* delta;
    const std::uint32_t* column_neighbour; ///< count: none
    const double *column_x, *column_y, *column_z;
    double *terms_x, *terms_y, *terms_z; ///< scratch of level 0
    double *gx, *gy, *gz;
    FourNumbers* gradient;
};

/// Level 0: the terms of a row are stored and reduced one after the other by a library.
__global__ void library_kernel(GradientArrays a) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= a.count) return;
    const std::uint32_t from = a.first[i], to = a.first[i + 1];
    for (std::uint32_t e = from; e < to; ++e) {
        const double mean = 0.5 * (a.pressure[i] + a.pressure[a.neighbour[e]]);
        a.terms_x[e] = mean * a.x[e];
        a.terms_y[e] = mean * a.y[e];
        a.terms_z[e] = mean * a.z[e];
    }
    a.gx[i] = thrust::reduce(thrust::seq, a.terms_x + from, a.terms_x + to) / a.volume[i];
    a.gy[i] = thrust::reduce(thrust::seq, a.terms_y + from, a.terms_y + to) / a.volume[i];
    a.gz[i] = thrust::reduce(thrust::seq, a.terms_z + from, a.terms_z + to) / a.volume[i];
}

/// Levels 1 and 2: a loop, which the compiler unrolls `unrolled` times. Sums are in memory, which others might write
/// to.
template <int unrolled>
__global__ void loop_kernel(GradientArrays a) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= a.count) return;
    double x = 0, y = 0, z = 0;
#pragma unroll unrolled
    for (std::uint32_t e = a.first[i]; e < a.first[i + 1]; ++e) {
        const double mean = 0.5 * (a.pressure[i] + a.pressure[a.neighbour[e]]);
        x += mean * a.x[e];
        y += mean * a.y[e];
        z += mean * a.z[e];
    }
    a.gx[i] = x / a.volume[i];
    a.gy[i] = y / a.volume[i];
    a.gz[i] = z / a.volume[i];
}

/// Level 3: one load for a vector.
__global__ void vector_kernel(GradientArrays a) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= a.count) return;
    const std::uint32_t to = a.first[i + 1];
    const double mine = a.pressure[i];
    double x = 0, y = 0, z = 0;
#pragma unroll 4
    for (std::uint32_t e = a.first[i]; e < to; ++e) {
        const double mean = 0.5 * (mine + a.pressure[a.neighbour[e]]);
        const FourNumbers delta = a.delta[e];
        x += mean * delta.x;
        y += mean * delta.y;
        z += mean * delta.z;
    }
    const double inverse = 1 / a.volume[i];
    a.gradient[i] = {inverse * x, inverse * y, inverse * z, 0};
}

/// Level 4: no pointer is an alias of another, so loads go through the read-only cache.
__global__ void restricted_kernel(std::uint32_t count, const std::uint32_t* __restrict__ first,
                                  const std::uint32_t* __restrict__ neighbour, const FourNumbers* __restrict__ deltas,
                                  const double* __restrict__ pressure, const double* __restrict__ volume,
                                  FourNumbers* __restrict__ gradient) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const std::uint32_t to = first[i + 1];
    const double mine = pressure[i];
    double x = 0, y = 0, z = 0;
#pragma unroll 4
    for (std::uint32_t e = first[i]; e < to; ++e) {
        const double mean = 0.5 * (mine + pressure[neighbour[e]]);
        const FourNumbers delta = deltas[e];
        x += mean * delta.x;
        y += mean * delta.y;
        z += mean * delta.z;
    }
    const double inverse = 1 / volume[i];
    gradient[i] = {inverse * x, inverse * y, inverse * z, 0};
}

/// Ours: entry n of all rows lies side by side.
__global__ void column_kernel(std::uint32_t count, std::uint32_t longest, const std::uint32_t* __restrict__ neighbour,
                              const double* __restrict__ dx, const double* __restrict__ dy,
                              const double* __restrict__ dz, const double* __restrict__ pressure,
                              const double* __restrict__ volume, double* __restrict__ gx, double* __restrict__ gy,
                              double* __restrict__ gz) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const double mine = pressure[i];
    double x = 0, y = 0, z = 0;
    for (std::uint32_t n = 0; n < longest; ++n) {
        const std::size_t e = std::size_t(n) * count + i;
        const std::uint32_t j = neighbour[e];
        if (j == count) break;
        const double mean = 0.5 * (mine + pressure[j]);
        x += mean * dx[e];
        y += mean * dy[e];
        z += mean * dz[e];
    }
    const double inverse = 1 / volume[i];
    gx[i] = inverse * x;
    gy[i] = inverse * y;
    gz[i] = inverse * z;
}

/// The arrays on the device.
class GradientData {
public:
    explicit GradientData(const GradientInput& in) {
        GradientArrays& a = arrays_;
        a.count = std::uint32_t(in.pressure.size());
        a.longest = 0;
        for (std::uint32_t i = 0; i < a.count; ++i) a.longest = std::max(a.longest, in.first[i + 1] - in.first[i]);
        const std::size_t entries = in.neighbour.size(), columns = std::size_t(a.longest) * a.count;
        std::vector<double> x(entries), y(entries), z(entries), cx(columns), cy(columns), cz(columns);
        std::vector<FourNumbers> delta(entries);
        std::vector<std::uint32_t> neighbour(columns, a.count);
        for (std::uint32_t i = 0; i < a.count; ++i)
            for (std::uint32_t e = in.first[i]; e < in.first[i + 1]; ++e) {
                const std::size_t c = std::size_t(e - in.first[i]) * a.count + i;
                neighbour[c] = in.neighbour[e];
                cx[c] = x[e] = in.delta[e].x;
                cy[c] = y[e] = in.delta[e].y;
                cz[c] = z[e] = in.delta[e].z;
                delta[e] = {x[e], y[e], z[e], 0};
            }
        a.first = put(std::vector<std::uint32_t>(in.first.begin(), in.first.end()));
        a.neighbour = put(std::vector<std::uint32_t>(in.neighbour.begin(), in.neighbour.end()));
        a.pressure = put(std::vector<double>(in.pressure.begin(), in.pressure.end()));
        a.volume = put(std::vector<double>(in.volume.begin(), in.volume.end()));
        a.x = put(x);
        a.y = put(y);
        a.z = put(z);
        a.delta = put(delta);
        a.column_neighbour = put(neighbour);
        a.column_x = put(cx);
        a.column_y = put(cy);
        a.column_z = put(cz);
        a.terms_x = put(x);
        a.terms_y = put(y);
        a.terms_z = put(z);
        a.gx = put(std::vector<double>(a.count));
        a.gy = put(std::vector<double>(a.count));
        a.gz = put(std::vector<double>(a.count));
        a.gradient = put(std::vector<FourNumbers>(a.count));
    }
    const GradientArrays& arrays() const { return arrays_; }

private:
    template <class T>
    T* put(const std::vector<T>& values) {
        held_.emplace_back(memory_, values.size() * sizeof(T), "arrays of the ladder");
        T* to = reinterpret_cast<T*>(held_.back().data());
        upload(values, to);
        return to;
    }

    DeviceMemory memory_;
    std::vector<DeviceArray<std::byte>> held_;
    GradientArrays arrays_{};
};

double least_time(int repeats, cudaStream_t stream, const std::function<void()>& call) {
    call(); // warm
    double least = 1e300;
    for (int n = 0; n < repeats; ++n) {
        EventTimer timer;
        timer.begin(stream);
        call();
        timer.end(stream);
        wait_for(stream, "a level of the ladder");
        least = std::min(least, timer.take());
    }
    return least;
}

} // namespace

std::vector<GradientLevel> run_gradient_ladder(const GradientInput& input, int repeats) {
    const GradientData data(input);
    const GradientArrays& a = data.arrays();
    const Stream stream;
    const unsigned blocks = blocks_for(a.count, block);
    std::vector<GradientLevel> levels;
    const double entries = double(input.neighbour.size()), bytes = entries * 28 + double(a.count) * 44;
    const auto add = [&](const char* name, double moved, bool vectors, const std::function<void()>& call) {
        GradientLevel level{name, least_time(repeats, stream, call), moved, std::vector<Vec3d>(a.count)};
        check_launch(name);
        if (vectors) {
            const std::vector<FourNumbers> g = download(a.gradient, a.count);
            for (std::uint32_t i = 0; i < a.count; ++i) level.gradients[i] = {g[i].x, g[i].y, g[i].z};
        } else {
            const std::vector<double> x = download(a.gx, a.count), y = download(a.gy, a.count),
                                      z = download(a.gz, a.count);
            for (std::uint32_t i = 0; i < a.count; ++i) level.gradients[i] = {x[i], y[i], z[i]};
        }
        levels.push_back(std::move(level));
    };
    add("reduction by a library inside the kernel", bytes, false,
        [&] { library_kernel<<<blocks, block, 0, stream>>>(a); });
    add("a loop", bytes, false, [&] { loop_kernel<1><<<blocks, block, 0, stream>>>(a); });
    add("unrolled", bytes, false, [&] { loop_kernel<4><<<blocks, block, 0, stream>>>(a); });
    add("loads of vectors", bytes, true, [&] { vector_kernel<<<blocks, block, 0, stream>>>(a); });
    add("no aliases", bytes, true, [&] {
        restricted_kernel<<<blocks, block, 0, stream>>>(a.count, a.first, a.neighbour, a.delta, a.pressure, a.volume,
                                                        a.gradient);
    });
    add("rows by columns (ours)", bytes, false, [&] {
        column_kernel<<<blocks, block, 0, stream>>>(a.count, a.longest, a.column_neighbour, a.column_x, a.column_y,
                                                    a.column_z, a.pressure, a.volume, a.gx, a.gy, a.gz);
    });
    return levels;
}

double measure_copy_bandwidth(std::size_t bytes, int repeats) {
    DeviceMemory memory;
    const DeviceArray<std::byte> from(memory, bytes, "copy"), to(memory, bytes, "copy");
    const Stream stream;
    return 2 * double(bytes) /
           least_time(repeats, stream, [&] { copy_on_device(to.data(), from.data(), bytes, stream, "copy"); });
}

} // namespace sluice::cuda
