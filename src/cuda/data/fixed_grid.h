// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/gpu_memory_plan.h"
#include "core/error.h"
#include "core/host_device.h"
#include <cmath>
#include <cstdint>

// Positions as integers. A coordinate counts units u from the domain's lower corner, modulo 2³²; a cell's side is a
// power of two of them, so that the cell is a shift and the difference of two neighbours is exact wherever they are.
// u has a 16-bit mantissa: products of u with integers of up to 37 bits are exact in double precision, and the
// conversion of a difference to metres rounds once.

namespace sluice::cuda {

/// Units per support radius (a little more: the cell is rounded up), as a power of two. Twice this fits the integers
/// that a float holds exactly.
inline constexpr int units_per_support_log2 = 22;

/// 1.5·2²³: a float with this value plus an integer d, |d| ≤ 2²², has the bits of this value plus d.
inline constexpr int float_magic_bits = 0x4B400000;
inline constexpr float float_magic = 12582912.0f;

/// A position, and what the interaction wants to load with it. 16 bytes, loaded at once.
struct alignas(16) Position {
    std::int32_t x, y, z; ///< units, modulo 2³²
    float pressure_term;  ///< P/ρ²
};

/// Velocity and density of one time level, 16 bytes.
struct alignas(16) Flow {
    float vx, vy, vz, rho;
};

/// dv/dt with gravity and dρ/dt.
struct alignas(16) RateRecord {
    float ax, ay, az, rho;
};

struct Units64 {
    long long x, y, z;
};

/// The grid of cells in units.
struct FixedGrid {
    float unit = 0;             ///< m
    float inverse_unit = 0;     ///< 1/m
    float magic_offset = 0;     ///< −1.5·2²³·unit, exact
    int cell_bits = 0;          ///< a cell's side is 2^cell_bits units
    int reach = 1;              ///< cells to search on either side
    float radius2_in_cells = 1; ///< squared search radius, a little more, in cells
    int coarse_per_cell = 0;    ///< units of the coarse search a cell (coarse_search.h)
    int coarse_limit = 0;       ///< its squared radius
    int nx = 0, ny = 0, nz = 0;
    long long extent_x = 0, extent_y = 0, extent_z = 0; ///< of the domain, units

    SLUICE_HD std::uint32_t rows() const { return std::uint32_t(ny) * std::uint32_t(nz); } ///< of cells along x
    SLUICE_HD std::uint32_t cells() const { return std::uint32_t(nx) * rows(); }
};

struct CellCoordinates {
    int x, y, z;
};

SLUICE_HD inline CellCoordinates cell_coordinates(const FixedGrid& g, std::uint32_t cell) {
    const std::uint32_t row = cell / std::uint32_t(g.nx);
    return {int(cell - row * std::uint32_t(g.nx)), int(row % std::uint32_t(g.ny)), int(row / std::uint32_t(g.ny))};
}

/// For searches that have the coordinates already.
SLUICE_HD inline CellCoordinates cell_coordinates(const FixedGrid&, const CellCoordinates& c) { return c; }

SLUICE_HD inline std::uint32_t cell_index(const FixedGrid& g, CellCoordinates c) {
    return std::uint32_t(c.x) + std::uint32_t(g.nx) * (std::uint32_t(c.y) + std::uint32_t(g.ny) * std::uint32_t(c.z));
}

/// A whole coordinate from its low 32 bits and a cell that it is near (within ±2³¹ units).
SLUICE_HD inline long long unwrap(std::int32_t low, int cell, int cell_bits) {
    const long long base = static_cast<long long>(cell) << cell_bits;
    return base + static_cast<std::int32_t>(static_cast<std::uint32_t>(low) - static_cast<std::uint32_t>(base));
}

SLUICE_HD inline Units64 unwrap(const FixedGrid& g, const Position& p, std::uint32_t near_cell) {
    const CellCoordinates c = cell_coordinates(g, near_cell);
    return {unwrap(p.x, c.x, g.cell_bits), unwrap(p.y, c.y, g.cell_bits), unwrap(p.z, c.z, g.cell_bits)};
}

/// The nearest place of the grid.
SLUICE_HD inline Units64 units_of(const FixedGrid& grid, const Vec3d& metres) {
    const double unit = double(grid.unit);
    return {llrint(metres.x / unit), llrint(metres.y / unit), llrint(metres.z / unit)};
}

/// How a step rounds the way of one particle to whole units: per axis a number in [0, 1) that is added before rounding
/// down. For each particle they go round the golden section from step to step, so that what is rounded off adds up to
/// some units over any number of steps, as if the remainder were carried along, however slow the particle is: to the
/// nearest unit, displacements below half a unit would be lost for good. What does not move stays exactly where it is.
struct Rounding {
    float x, y, z;

    /// Of the particle with this id in step number `step`: the same in every version and on any number of devices.
    SLUICE_HD static Rounding of(std::uint32_t id, std::uint32_t step) {
        const std::uint32_t golden = 2654435769u; // 2³²/1.618…
        const std::uint32_t phase = (id ^ id >> 16) * 2246822507u + step * golden;
        return {fraction(phase), fraction(phase + 0x55555555u), fraction(phase + 0xAAAAAAAAu)};
    }

private:
    SLUICE_HD static float fraction(std::uint32_t phase) { return float(phase >> 8) * 5.9604644775390625e-8f; } // /2²⁴
};

/// A displacement (m) as whole units; far too long ones are cut, they leave the domain anyway.
SLUICE_HD inline int whole_units(float displacement, float inverse_unit, float rounding) {
#ifdef __CUDA_ARCH__
    return __float2int_rd(fmaf(displacement, inverse_unit, rounding));
#else
    const float units = std::floor(std::fma(displacement, inverse_unit, rounding));
    return units >= 2147483648.0f ? INT32_MAX : units >= -2147483648.0f ? int(units) : INT32_MIN;
#endif
}

SLUICE_HD inline bool in_domain(const FixedGrid& g, const Units64& u) {
    return u.x >= 0 && u.y >= 0 && u.z >= 0 && u.x <= g.extent_x && u.y <= g.extent_y && u.z <= g.extent_z;
}

SLUICE_HD inline int clamped_cell(long long coordinate, int cell_bits, int count) {
    const long long cell = coordinate >> cell_bits;
    return cell < 0 ? 0 : cell >= count ? count - 1 : int(cell);
}

/// The cell of a position; the nearest cell of the grid for one that has left the domain.
SLUICE_HD inline std::uint32_t cell_of(const FixedGrid& g, const Units64& u) {
    return cell_index(g, {clamped_cell(u.x, g.cell_bits, g.nx), clamped_cell(u.y, g.cell_bits, g.ny),
                          clamped_cell(u.z, g.cell_bits, g.nz)});
}

/// The row of cells of that cell: y + ny·z.
SLUICE_HD inline std::uint32_t row_of(const FixedGrid& g, const Units64& u) {
    return cell_of(g, u) / std::uint32_t(g.nx);
}

/// A coordinate a, prepared for many separations from it: with the bits that make a float of an integer added once.
SLUICE_INLINE std::uint32_t prepared(std::int32_t a) {
    std::uint32_t bits = std::uint32_t(a) + std::uint32_t(float_magic_bits);
#ifdef __CUDA_ARCH__
    asm("mov.b32 %0, %0;" : "+r"(bits)); // or the addition is done anew for every pair
#endif
    return bits;
}
SLUICE_INLINE std::int32_t unprepared(std::uint32_t a) { return std::int32_t(a - std::uint32_t(float_magic_bits)); }

/// a − b in metres. Differences beyond 2²² units come out too large or too small, but never as short as 2²² units; from
/// some 5·10⁸ units on, 135 support radii, their squares may be infinite, and more.
SLUICE_INLINE float separation(std::uint32_t prepared_a, std::int32_t b, float unit, float magic_offset) {
    const std::uint32_t bits = prepared_a - std::uint32_t(b);
#ifdef __CUDA_ARCH__
    return fmaf(__uint_as_float(bits), unit, magic_offset);
#else
    float shifted;
    __builtin_memcpy(&shifted, &bits, sizeof shifted);
    return fmaf(shifted, unit, magic_offset);
#endif
}

/// `value` rounded up to a number with a 16-bit mantissa.
inline double round_up_to_16_bits(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::ceil(std::ldexp(mantissa, 16)), exponent - 16);
}

/// Squared radius of the coarse search (coarse_search.h) that misses nothing within `radius`, m.
inline int coarse_limit_for(const FixedGrid& g, double radius) {
    const double cells = std::ldexp(radius / double(g.unit), -g.cell_bits);
    const double coarse_radius = cells * g.coarse_per_cell + 2.36;
    return static_cast<int>(std::ceil(coarse_radius * coarse_radius)) + 1;
}

/// Grid over the domain for a search radius of `radius` (m) with cells of radius/divisions.
inline FixedGrid make_fixed_grid(const Domain& domain, double radius, int divisions) {
    FixedGrid g;
    const double unit = std::ldexp(round_up_to_16_bits(radius), -units_per_support_log2);
    g.unit = static_cast<float>(unit);
    g.inverse_unit = static_cast<float>(1 / unit);
    g.magic_offset = -float_magic * g.unit;
    g.cell_bits = units_per_support_log2 - (divisions == 2 ? 1 : 0);
    g.reach = divisions;
    g.radius2_in_cells = static_cast<float>(divisions * divisions) * 1.00001f;
    // as fine as a byte allows: the furthest candidate of the rows searched, one cell past the radius, must not wrap to
    // a near one
    g.coarse_per_cell = divisions == 2 ? 50 : 83;
    g.coarse_limit = coarse_limit_for(g, std::ldexp(unit, units_per_support_log2));
    const Vec3d size = domain.max - domain.min;
    g.extent_x = std::llround(size.x / unit);
    g.extent_y = std::llround(size.y / unit);
    g.extent_z = std::llround(size.z / unit);
    const long long nx = (g.extent_x >> g.cell_bits) + 1, ny = (g.extent_y >> g.cell_bits) + 1,
                    nz = (g.extent_z >> g.cell_bits) + 1;
    if (double(nx) * double(ny) * double(nz) > most_gpu_cells)
        throw InputError("domain: " + std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz) +
                         " cells are more than the GPU backend can number (2e9): make the domain smaller");
    g.nx = int(nx);
    g.ny = int(ny);
    g.nz = int(nz);
    return g;
}

} // namespace sluice::cuda
