// SPDX-License-Identifier: Apache-2.0
#pragma once

// SLUICE_HD marks a function that runs on the host and inside a CUDA kernel; SLUICE_INLINE one that must
// also vanish into the loop around it (pair formulas: a call per pair would cost more than the formula).
#ifdef __CUDACC__
#define SLUICE_HD __host__ __device__
#else
#define SLUICE_HD
#endif
#define SLUICE_INLINE SLUICE_HD inline __attribute__((always_inline))

// SLUICE_ROLLED goes before a loop that a kernel of few threads runs through once: a device fetches the instructions of
// copies from memory, which takes longer than what they compute.
#ifdef __CUDA_ARCH__
#define SLUICE_ROLLED _Pragma("unroll 1")
#else
#define SLUICE_ROLLED
#endif

// SLUICE_NOINLINE marks a long function that a kernel of few threads calls in several places: nvcc would copy it into
// each, and takes minutes to compile what results. Hosts decide for themselves.
#ifdef __CUDA_ARCH__
#define SLUICE_NOINLINE SLUICE_HD inline __attribute__((noinline))
#else
#define SLUICE_NOINLINE SLUICE_HD inline
#endif

// The physics headers are compiled once per instruction set (x86-64-v2, v3, v4, …). Each such object names its
// own inline namespace here, or the linker could pick an AVX-512 copy of an inline function for the baseline.
#ifndef SLUICE_ISA
#define SLUICE_ISA baseline
#endif
