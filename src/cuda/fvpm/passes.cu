// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/passes.h"

#include "cuda/device/block_size.cuh"
#include "physics/fvpm/update.h"

namespace sluice::cuda::fvpm {

namespace {

constexpr int block = 128;

__device__ bool is_wall(const ParticlePointers& p, std::uint32_t i) { return p.kind[i] == Kind::wall; }

__device__ Vec3d delta(const RowPointers& rows, std::uint32_t entry) {
    return rows.vectors[entry] - rows.vectors[rows.mate[entry]];
}

__device__ Vec3d motion(const ParticlePointers& p, const StagePointers& s, std::uint32_t i, Vec3d velocity,
                        const FvpmConstants& c) {
    if (p.kind[i] != Kind::fluid) return p.velocity[i];
    return motion_of(velocity, s.thin[i], face_of(p.radius[i], c), s.surface[i], c);
}

__global__ void crossing_kernel(ParticlePointers p, std::uint32_t count, FvpmConstants c, unsigned long long* least) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const Side<double> side =
        side_of(p.mass[i], p.volume[i], p.mass[i] * p.velocity[i], Tait<double>(c), c.free_surface);
    atomicMin(least, static_cast<unsigned long long>(__double_as_longlong(crossing_time(p.radius[i], side))));
}

__global__ void stray_kernel(ParticlePointers p, std::uint32_t count, Box domain, double largest_density,
                             unsigned* found) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < count && p.kind[i] == Kind::fluid &&
        is_stray(p.position[i], p.mass[i], p.volume[i], domain, largest_density))
        *found = 1;
}

__global__ void drift_kernel(ParticlePointers p, std::uint32_t count, double time_step) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < count) p.position[i] = p.position[i] + (time_step / 2) * p.begin_motion[i];
}

__global__ void begin_kernel(ParticlePointers p, RowPointers rows, StagePointers s, std::uint32_t count,
                             FvpmConstants c) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    Vec3d boundary, thin;
    for (std::uint32_t entry = rows.first[i]; entry < rows.first[i + 1]; ++entry) {
        boundary = boundary - delta(rows, entry);
        thin = thin + rows.vectors[entry];
    }
    s.boundary[i] = boundary;
    s.thin[i] = thin;
    s.surface[i] = rows.first[i] == rows.first[i + 1] ? 1 : surface_share(norm(boundary), face_of(p.radius[i], c), c);
    s.mass[i] = p.mass[i];
    s.volume[i] = p.volume[i];
    s.momentum[i] = p.mass[i] * p.velocity[i];
}

__global__ void side_kernel(ParticlePointers p, StagePointers s, std::uint32_t count, FvpmConstants c) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    Side<double> side = side_of(s.mass[i], s.volume[i], s.momentum[i], Tait<double>(c), c.free_surface);
    if (p.kind[i] != Kind::fluid) side.velocity = p.velocity[i];
    s.side[i] = side;
    s.motion[i] = motion(p, s, i, side.velocity, c);
}

__global__ void gradient_kernel(ParticlePointers p, RowPointers rows, StagePointers s, std::uint32_t count) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const Side<double> mine = s.side[i];
    const bool wall = is_wall(p, i);
    SideGradients<double> sum{};
    for (std::uint32_t entry = rows.first[i]; entry < rows.first[i + 1]; ++entry) {
        const std::uint32_t j = rows.neighbour[entry];
        add_gradients(sum, mine, s.side[j], delta(rows, entry), wall || is_wall(p, j));
    }
    const double inverse = 1 / s.volume[i];
    s.gradients[i] = {inverse * sum.pressure, inverse * sum.vx, inverse * sum.vy, inverse * sum.vz};
}

__global__ void flux_kernel(ParticlePointers p, RowPointers rows, StagePointers s, std::uint32_t count,
                            FvpmConstants c) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const bool wall = is_wall(p, i);
    const double background = Tait<double>(c).background;
    double mass = 0, volume = dot(s.motion[i], s.boundary[i]);
    Vec3d momentum = (wall ? 0 : s.mass[i]) * c.gravity;
    for (std::uint32_t entry = rows.first[i]; entry < rows.first[i + 1]; ++entry) {
        const std::uint32_t j = rows.neighbour[entry];
        const bool first = i < j;
        const std::uint32_t l = first ? i : j, r = first ? j : i, forth = first ? entry : rows.mate[entry],
                            back = first ? rows.mate[entry] : entry;
        const PairRates<double> rates = pair_rates(
            PairSide<double>{s.side[l], s.gradients[l], s.motion[l], p.position[l], rows.vectors[forth], is_wall(p, l)},
            PairSide<double>{s.side[r], s.gradients[r], s.motion[r], p.position[r], rows.vectors[back], is_wall(p, r)},
            background, c);
        const double sign = first ? 1 : -1;
        mass -= sign * rates.mass;
        volume += sign * rates.swept;
        momentum = momentum - sign * rates.momentum;
    }
    s.rate_mass[i] = mass;
    s.rate_volume[i] = wall ? 0 : volume;
    s.rate_momentum[i] = momentum;
}

__global__ void integrate_kernel(ParticlePointers p, StagePointers s, std::uint32_t count, FvpmConstants c,
                                 double time_step, bool last) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const double mass = p.mass[i] + time_step * s.rate_mass[i], volume = p.volume[i] + time_step * s.rate_volume[i];
    const Vec3d momentum = p.mass[i] * p.velocity[i] + time_step * s.rate_momentum[i];
    if (!last) {
        s.mass[i] = mass;
        s.volume[i] = volume;
        s.momentum[i] = momentum;
        return;
    }
    // drift took half a step with the motion at its begin, which this undoes
    p.position[i] = p.position[i] + time_step * s.motion[i] - (time_step / 2) * p.begin_motion[i];
    p.mass[i] = mass;
    p.volume[i] = volume;
    if (p.kind[i] == Kind::fluid) p.velocity[i] = (1 / mass) * momentum;
    p.begin_motion[i] = motion(p, s, i, p.velocity[i], c);
}

} // namespace

void reduce_crossing_time(const ParticlePointers& p, std::uint32_t count, const FvpmConstants& c,
                          unsigned long long* least, cudaStream_t stream) {
    crossing_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, count, c, least);
    check_launch("time step");
}

void mark_strays(const ParticlePointers& p, std::uint32_t count, const Box& domain, double largest_density,
                 unsigned* found, cudaStream_t stream) {
    stray_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, count, domain, largest_density, found);
    check_launch("strays");
}

void drift(const ParticlePointers& p, std::uint32_t count, double time_step, cudaStream_t stream) {
    drift_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, count, time_step);
    check_launch("drift");
}

void begin_stage(const ParticlePointers& p, const RowPointers& rows, const StagePointers& s, std::uint32_t count,
                 const FvpmConstants& c, cudaStream_t stream) {
    begin_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, rows, s, count, c);
    check_launch("boundary vectors");
}

void find_sides(const ParticlePointers& p, const StagePointers& s, std::uint32_t count, const FvpmConstants& c,
                cudaStream_t stream) {
    side_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, s, count, c);
    check_launch("states of the particles");
}

void find_gradients(const ParticlePointers& p, const RowPointers& rows, const StagePointers& s, std::uint32_t count,
                    cudaStream_t stream) {
    gradient_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, rows, s, count);
    check_launch("gradients");
}

void find_fluxes(const ParticlePointers& p, const RowPointers& rows, const StagePointers& s, std::uint32_t count,
                 const FvpmConstants& c, cudaStream_t stream) {
    flux_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, rows, s, count, c);
    check_launch("fluxes");
}

void integrate(const ParticlePointers& p, const StagePointers& s, std::uint32_t count, const FvpmConstants& c,
               double time_step, bool last, cudaStream_t stream) {
    integrate_kernel<<<blocks_for(count, block), block, 0, stream>>>(p, s, count, c, time_step, last);
    check_launch("integration");
}

} // namespace sluice::cuda::fvpm
