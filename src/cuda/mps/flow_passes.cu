// SPDX-License-Identifier: Apache-2.0
#include "cuda/mps/flow_passes.h"

#include "cuda/device/place_bounds.cuh"
#include "cuda/mps/bucket_sort.cuh"
#include "cuda/mps/device_real.cuh"

namespace sluice::cuda {

namespace {

using mps::FlowAt;
using mps::Separation;

constexpr int flow_block = 128;

/// The place of a particle, for PlaceBounds.
struct PlaceOf {
    const double *x, *y, *z;
    __device__ Vec3d operator()(std::uint32_t i) const { return {x[i], y[i], z[i]}; }
};

/// Puts what kernels read of a particle to its place. Walls have neither pressure nor density.
struct PutFlow {
    FlowHome from;
    SortedFlow to;

    __device__ void operator()(int place, std::uint32_t i, const Separation<double>& p) const {
        to.xy[place] = {p.x, p.y};
        to.z_p[place] = {p.z, 0};
        to.v_xy[place] = {from.vx[i], from.vy[i]};
        to.v_z_rho[place] = {from.vz[i], i < from.walls ? 0 : from.rho[i]};
        to.order[place] = i;
    }
};

__device__ bool is_fluid(const FlowPasses& f, std::uint32_t k) { return f.sorted.order[k] >= f.home.walls; }

__device__ FlowAt<DeviceReal> flow_at(const FlowPasses& f, std::uint32_t k, double p) {
    const double2 v_xy = f.sorted.v_xy[k], v_z_rho = f.sorted.v_z_rho[k];
    return {DeviceReal(v_xy.x),    DeviceReal(v_xy.y), DeviceReal(v_z_rho.x),
            DeviceReal(v_z_rho.y), DeviceReal(p),      DeviceReal(is_fluid(f, k) ? 1 : 0)};
}

/// The sums of sorted particle `k` over its neighbours.
template <class Sums>
__device__ void sum_pairs(const FlowPasses& f, std::uint32_t k, double (&sums)[Sums::count]) {
    const double2 xy = f.sorted.xy[k], z_p = f.sorted.z_p[k];
    const FlowAt<DeviceReal> own = flow_at(f, k, z_p.y);
    DeviceReal found[Sums::count];
    for (DeviceReal& sum : found) sum = DeviceReal(0.0);
    mps::ReachedRunVisit::candidates<mps::Sphere>(
        f.search, {xy.x, xy.y, z_p.x}, [&](std::int32_t begin, std::int32_t end) {
            for (std::int32_t j = begin; j < end; ++j) {
                const double2 b_xy = f.sorted.xy[j], b_z_p = f.sorted.z_p[j];
                const Separation<DeviceReal> d{DeviceReal(b_xy.x - xy.x), DeviceReal(b_xy.y - xy.y),
                                               DeviceReal(b_z_p.x - z_p.x)};
                if (mps::Sphere::contains(d)) Sums::add(f.scale, d, own, flow_at(f, j, b_z_p.y), found);
            }
        });
    for (int s = 0; s < Sums::count; ++s) sums[s] = found[s].v;
}

/// Raises `most` to the largest value of the warp; values are not negative.
__device__ void raise(unsigned long long* most, double value) {
    auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
    for (int off = 16; off > 0; off /= 2) bits = max(bits, __shfl_xor_sync(0xffffffffu, bits, off));
    if (threadIdx.x % 32 == 0) atomicMax(most, bits);
}

__global__ void __launch_bounds__(flow_block) motion_kernel(FlowPasses f, FlowMaxima* maxima) {
    const std::uint32_t k = blockIdx.x * flow_block + threadIdx.x;
    double acceleration2 = 0, speed2 = 0;
    if (k < f.home.count && is_fluid(f, k)) {
        double sums[mps::MotionSums::count];
        sum_pairs<mps::MotionSums>(f, k, sums);
        Vec3d a;
        for (int axis = 0; axis < 3; ++axis) a[axis] = mps::MotionSums::rate(f.scale, axis, sums);
        f.sorted.ax[k] = a.x;
        f.sorted.ay[k] = a.y;
        f.sorted.az[k] = a.z;
        const double2 v_xy = f.sorted.v_xy[k];
        const Vec3d v{v_xy.x, v_xy.y, f.sorted.v_z_rho[k].x};
        acceleration2 = dot(a, a);
        speed2 = dot(v, v);
        if (!isfinite(acceleration2 + speed2)) {
            maxima->not_finite = 1;
            acceleration2 = speed2 = 0; // not a number is no maximum
        }
    }
    raise(&maxima->acceleration2, acceleration2);
    raise(&maxima->speed2, speed2);
}

__global__ void move_kernel(FlowPasses f, double dt) {
    const std::uint32_t k = blockIdx.x * flow_block + threadIdx.x;
    if (k >= f.home.count || !is_fluid(f, k)) return;
    const std::uint32_t i = f.sorted.order[k];
    mps::kick_and_drift(dt, f.sorted.ax[k], f.home.vx[i], f.home.x[i]);
    mps::kick_and_drift(dt, f.sorted.ay[k], f.home.vy[i], f.home.y[i]);
    mps::kick_and_drift(dt, f.sorted.az[k], f.home.vz[i], f.home.z[i]);
}

__global__ void __launch_bounds__(flow_block) continuity_kernel(FlowPasses f) {
    const std::uint32_t k = blockIdx.x * flow_block + threadIdx.x;
    if (k >= f.home.count || !is_fluid(f, k)) return;
    double sums[mps::ContinuitySums::count];
    sum_pairs<mps::ContinuitySums>(f, k, sums);
    f.sorted.rho_rate[k] = mps::ContinuitySums::rate(f.scale, f.sorted.v_z_rho[k].y, sums);
    f.sorted.fullness[k] = mps::ContinuitySums::fullness(f.scale, sums);
}

__global__ void compress_kernel(FlowPasses f, double rho0, double dt) {
    const std::uint32_t k = blockIdx.x * flow_block + threadIdx.x;
    if (k >= f.home.count || !is_fluid(f, k)) return;
    double& rho = f.sorted.v_z_rho[k].y;
    rho = mps::density_after(rho, f.sorted.rho_rate[k], f.sorted.fullness[k], rho0, dt);
    f.home.rho[f.sorted.order[k]] = rho;
}

__global__ void pressure_kernel(FlowPasses f, sph::EquationOfState<double> eos) {
    const std::uint32_t k = blockIdx.x * flow_block + threadIdx.x;
    if (k >= f.home.count) return;
    f.sorted.z_p[k].y = is_fluid(f, k) ? mps::fluid_pressure(eos, f.sorted.v_z_rho[k].y) : 0;
}

__global__ void __launch_bounds__(flow_block) wall_kernel(FlowPasses f) {
    const std::uint32_t k = blockIdx.x * flow_block + threadIdx.x;
    if (k >= f.home.count || is_fluid(f, k)) return;
    double sums[mps::WallSums::count];
    sum_pairs<mps::WallSums>(f, k, sums);
    f.sorted.wall_p[k] = mps::WallSums::pressure(f.scale, sums);
}

/// Gives walls their pressures, once all have read those of the fluid.
__global__ void settle_kernel(FlowPasses f) {
    const std::uint32_t k = blockIdx.x * flow_block + threadIdx.x;
    if (k < f.home.count && !is_fluid(f, k)) f.sorted.z_p[k].y = f.sorted.wall_p[k];
}

__global__ void flow_stray_kernel(FlowHome p, mps::FlowBounds bounds, FlowMaxima* maxima) {
    const std::uint32_t i = p.walls + blockIdx.x * flow_block + threadIdx.x;
    if (i < p.count && mps::cause_of_leaving(bounds, {p.x[i], p.y[i], p.z[i]}, {p.vx[i], p.vy[i], p.vz[i]}, p.rho[i]) !=
                           sph::ExclusionCause::none)
        maxima->strays = 1;
}

unsigned blocks_of(const FlowHome& home) { return blocks_for(home.count, flow_block); }

} // namespace

Box bounds_of_flow(PlaceBounds& bounds, const FlowHome& home, cudaStream_t stream) {
    return bounds.find(PlaceOf{home.x, home.y, home.z}, home.count, stream);
}

void sort_flow(BucketSort& buckets, const FlowHome& home, const SortedFlow& to, cudaStream_t stream) {
    buckets.sort({home.x, home.y, home.z, home.count}, PutFlow{home, to}, stream);
}

void find_accelerations(const FlowPasses& flow, FlowMaxima* maxima, cudaStream_t stream) {
    motion_kernel<<<blocks_of(flow.home), flow_block, 0, stream>>>(flow, maxima);
    check_launch("accelerations of MPS");
}

void move_flow(const FlowPasses& flow, double dt, cudaStream_t stream) {
    move_kernel<<<blocks_of(flow.home), flow_block, 0, stream>>>(flow, dt);
    check_launch("motion of MPS");
}

void find_density_rates(const FlowPasses& flow, cudaStream_t stream) {
    continuity_kernel<<<blocks_of(flow.home), flow_block, 0, stream>>>(flow);
    check_launch("continuity of MPS");
}

void compress_flow(const FlowPasses& flow, double rho0, double dt, cudaStream_t stream) {
    compress_kernel<<<blocks_of(flow.home), flow_block, 0, stream>>>(flow, rho0, dt);
    check_launch("densities of MPS");
}

void find_pressures(const FlowPasses& flow, const sph::EquationOfState<double>& eos, cudaStream_t stream) {
    const unsigned blocks = blocks_of(flow.home);
    pressure_kernel<<<blocks, flow_block, 0, stream>>>(flow, eos);
    check_launch("pressures of MPS");
    wall_kernel<<<blocks, flow_block, 0, stream>>>(flow);
    check_launch("pressures of walls");
    settle_kernel<<<blocks, flow_block, 0, stream>>>(flow);
    check_launch("pressures of walls");
}

void mark_flow_strays(const FlowHome& home, const mps::FlowBounds& bounds, FlowMaxima* maxima, cudaStream_t stream) {
    flow_stray_kernel<<<blocks_for(home.count - home.walls, flow_block), flow_block, 0, stream>>>(home, bounds, maxima);
    check_launch("strays of MPS");
}

} // namespace sluice::cuda
