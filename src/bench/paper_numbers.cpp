// SPDX-License-Identifier: Apache-2.0
#include "bench/paper_numbers.h"

#include "core/numbers.h"
#include <limits>

namespace sluice::bench {

const char* const paper_citation = "Paper: J.M. Domínguez, A.J.C. Crespo, M. Gómez-Gesteira, Optimization strategies "
                                   "for CPU and GPU implementations of a smoothed particle "
                                   "hydrodynamics method, Computer Physics Communications 184 (2013) 617–627.";
const char* const preprint_citation = "Preprint: the version of the same article on arXiv, with other figures.";
const char* const rustico_citation =
    "Rustico et al.: E. Rustico, J. Jankowski, A. Hérault, G. Bilotta, C. Del Negro, Multi-GPU, multi-node SPH "
    "implementation with arbitrary domain decomposition, 9th International SPHERIC Workshop, Paris, 2014. Their "
    "hardware: six GTX 480 in one machine, and 16 Tesla K20m in eight nodes with InfiniBand.";
const char* const murotani_citation =
    "Murotani et al.: K. Murotani, I. Masaie, T. Matsunaga, S. Koshizuka, R. Shioya, M. Ogino, T. Fujisawa, "
    "Performance "
    "improvements of differential operators code for MPS method on GPU, Computational Particle Mechanics 2 (2015) "
    "261–272. Their hardware: NVIDIA Tesla K20, 1.17 Tflop/s in double precision.";
const char* const alimirzazadeh_citation =
    "Alimirzazadeh et al.: S. Alimirzazadeh, E. Jahanbakhsh, A. Maertens, S. Leguizamón, F. Avellan, GPU-SPHEROS: a "
    "GPU-accelerated versatile solver based on the finite volume particle method, 2018. Their hardware: Tesla K40, "
    "Tesla P100 with "
    "NVLink, and a node with two Intel Xeon E5-2660 v2.";
const char* const paper_hardware = "Their hardware: Intel Core i7 940, 2.93 GHz, 4 cores and 8 threads; NVIDIA GTX "
                                   "480, 1.5 GB; NVIDIA Tesla 1060, 4 GB.";

namespace {

constexpr PaperNumber numbers[] = {
    {"cpu-optimizations", "preprint section 5", "speed-up over the basic single core", "symmetry, cells h/2, SSE",
     300000, 2.3},
    {"cpu-modes", "preprint section 5", "speed-up over the best single core", "Symmetric, 8 threads", 300000, 4.5},
    {"cpu-threads", "paper Table 4", "speed-up over the single core", "1", 300000, 1.0},
    {"cpu-threads", "paper Table 4", "speed-up over the single core", "4", 300000, 3.9},
    {"cpu-threads", "paper Table 4", "speed-up over the single core", "8", 300000, 4.6},
    {"cpu-threads", "paper Table 4", "steps per second", "1", 300000, 0.66},
    {"cpu-threads", "paper Table 4", "steps per second", "4", 300000, 2.55},
    {"cpu-threads", "paper Table 4", "steps per second", "8", 300000, 3.01},
    {"cpu-threads", "preprint section 5", "speed-up over the basic single core", "8", 300000, 10.3},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "B, GTX 480", 1e6, 7.3},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "C, GTX 480", 1e6, 27.6},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "D, GTX 480", 1e6, 31.5},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "E, GTX 480", 1e6, 34.9},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "F, GTX 480", 1e6, 65.4},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "B, Tesla 1060", 1e6, 17.4},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "C, Tesla 1060", 1e6, 51.3},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "D, Tesla 1060", 1e6, 70.8},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "E, Tesla 1060", 1e6, 90.1},
    {"gpu-optimizations", "paper Table 5", "cumulative improvement over A, %", "F, Tesla 1060", 1e6, 114.5},
    {"gpu-optimizations", "preprint section 5", "speed-up over the basic GPU version", "A to E, GTX 480", 2e6, 2.1},
    {"gpu-optimizations", "preprint section 5", "speed-up over the basic GPU version", "A to F, GTX 480", 1.8e6, 2.6},
    {"gpu-optimizations", "preprint section 5", "speed-up over the basic GPU version", "A to F, Tesla 1060", 0, 2.4},
    {"gpu-stages", "paper section 5", "transfers in a step, %", "partial GPU, GTX 480", 500000, 9.4},
    {"gpu-occupancy", "paper section 4", "occupancy at 35 registers, %", "compute capability 1.3, 256 threads", 0, 25},
    {"gpu-occupancy", "paper section 4", "occupancy at 35 registers, %", "compute capability 1.3, 448 threads", 0, 44},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "CPU single core", 503492, 0.4},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "CPU single core", 1011354, 0.2},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "CPU 8 threads", 503492, 1.7},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "CPU 8 threads", 1011354, 0.8},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "GPU Tesla 1060", 503492, 10.2},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "GPU Tesla 1060", 1011354, 4.9},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "GPU GTX 480", 503492, 21.2},
    {"cpu-vs-gpu", "paper Table 6", "steps per second", "GPU GTX 480", 1011354, 10.1},
    {"cpu-vs-gpu", "paper Table 6", "hours to 1.5 s", "CPU single core", 503492, 14.6},
    {"cpu-vs-gpu", "paper Table 6", "hours to 1.5 s", "CPU single core", 1011354, 40.7},
    {"cpu-vs-gpu", "paper Table 6", "hours to 1.5 s", "CPU 8 threads", 503492, 3.2},
    {"cpu-vs-gpu", "paper Table 6", "hours to 1.5 s", "CPU 8 threads", 1011354, 9.1},
    {"cpu-vs-gpu", "paper Table 6", "hours to 1.5 s", "GPU GTX 480", 503492, 0.3},
    {"cpu-vs-gpu", "paper Table 6", "hours to 1.5 s", "GPU GTX 480", 1011354, 0.7},
    {"cpu-vs-gpu", "paper Table 6", "speed-up over the single core", "GPU GTX 480", 1011354, 56.2},
    {"cpu-vs-gpu", "paper Table 6", "speed-up over 8 threads", "GPU GTX 480", 1011354, 12.5},
    {"gpu-memory", "paper section 5", "most particles", "FastCells(h/2), GTX 480 (1.4 GB)", 0, 1.8e6},
    {"gpu-memory", "paper section 5", "most particles", "all versions, GTX 480 (1.4 GB)", 0, 9e6},
    {"gpu-memory", "paper section 5", "most particles", "all versions, Tesla 1060 (4 GB)", 0, 25e6},
    {"versions", "paper Table 6", "hours to 1.5 s", "CPU single core", 503492, 14.6},
    {"versions", "paper Table 6", "hours to 1.5 s", "CPU single core", 1011354, 40.7},
    {"versions", "paper Table 6", "hours to 1.5 s", "CPU 8 threads", 503492, 3.2},
    {"versions", "paper Table 6", "hours to 1.5 s", "CPU 8 threads", 1011354, 9.1},
    {"versions", "paper Table 6", "hours to 1.5 s", "GPU Tesla 1060", 503492, 0.5},
    {"versions", "paper Table 6", "hours to 1.5 s", "GPU Tesla 1060", 1011354, 1.5},
    {"versions", "paper Table 6", "hours to 1.5 s", "GPU GTX 480", 503492, 0.3},
    {"versions", "paper Table 6", "hours to 1.5 s", "GPU GTX 480", 1011354, 0.7},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS without overlap", "1 GTX 480", 0, 12},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS with overlap", "1 GTX 480", 0, 12},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS without overlap", "2 GTX 480", 0, 23},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS with overlap", "2 GTX 480", 0, 23},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS without overlap", "3 GTX 480", 0, 33},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS with overlap", "3 GTX 480", 0, 34},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS without overlap", "4 GTX 480", 0, 43},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS with overlap", "4 GTX 480", 0, 44},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS without overlap", "5 GTX 480", 0, 53},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS with overlap", "5 GTX 480", 0, 54},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS without overlap", "6 GTX 480", 0, 59},
    {"scaling", "Rustico et al. Table I", "strong, MIPPS with overlap", "6 GTX 480", 0, 61},
    {"scaling", "Rustico et al. Table I", "strong, speed-up with overlap", "1 GTX 480", 0, 1.0},
    {"scaling", "Rustico et al. Table I", "strong, speed-up with overlap", "2 GTX 480", 0, 1.92},
    {"scaling", "Rustico et al. Table I", "strong, speed-up with overlap", "3 GTX 480", 0, 2.83},
    {"scaling", "Rustico et al. Table I", "strong, speed-up with overlap", "4 GTX 480", 0, 3.67},
    {"scaling", "Rustico et al. Table I", "strong, speed-up with overlap", "5 GTX 480", 0, 4.5},
    {"scaling", "Rustico et al. Table I", "strong, speed-up with overlap", "6 GTX 480", 0, 5.08},
    {"scaling", "Rustico et al. Table II", "weak, MIPPS", "1 GTX 480", 1.6e6, 12},
    {"scaling", "Rustico et al. Table II", "weak, efficiency", "1 GTX 480", 1.6e6, 1.0},
    {"scaling", "Rustico et al. Table II", "weak, MIPPS", "2 GTX 480", 3.2e6, 23},
    {"scaling", "Rustico et al. Table II", "weak, efficiency", "2 GTX 480", 3.2e6, 0.96},
    {"scaling", "Rustico et al. Table II", "weak, MIPPS", "3 GTX 480", 4.8e6, 33},
    {"scaling", "Rustico et al. Table II", "weak, efficiency", "3 GTX 480", 4.8e6, 0.92},
    {"scaling", "Rustico et al. Table II", "weak, MIPPS", "4 GTX 480", 6.4e6, 43},
    {"scaling", "Rustico et al. Table II", "weak, efficiency", "4 GTX 480", 6.4e6, 0.9},
    {"scaling", "Rustico et al. Table II", "weak, MIPPS", "5 GTX 480", 8.0e6, 50},
    {"scaling", "Rustico et al. Table II", "weak, efficiency", "5 GTX 480", 8.0e6, 0.83},
    {"scaling", "Rustico et al. Table II", "weak, MIPPS", "6 GTX 480", 9.6e6, 59},
    {"scaling", "Rustico et al. Table II", "weak, efficiency", "6 GTX 480", 9.6e6, 0.82},
    {"scaling", "Rustico et al. section IV-B", "FishPass, MIPPS without overlap", "16 K20m, 8 nodes", 50e6, 145},
    {"scaling", "Rustico et al. section IV-B", "FishPass, MIPPS with overlap", "16 K20m, 8 nodes", 50e6, 151},
    {"scaling", "Rustico et al. section IV-B", "FishPass, speed-up", "16 K20m, 8 nodes", 50e6, 12.6},
    {"scaling", "Rustico et al. section IV-B", "FishPass, efficiency", "16 K20m, 8 nodes", 50e6, 0.79},
    {"mps-search", "Murotani et al. Table 1", "candidates", "sphere, n_div 1", 226981, 160103007},
    {"mps-search", "Murotani et al. Table 1", "particles inside", "sphere, n_div 1", 226981, 26382775},
    {"mps-search", "Murotani et al. Table 1", "inside over candidates, %", "sphere, n_div 1", 226981, 16},
    {"mps-search", "Murotani et al. Table 1", "candidates", "sphere, n_div 2", 226981, 99252847},
    {"mps-search", "Murotani et al. Table 1", "particles inside", "sphere, n_div 2", 226981, 26382775},
    {"mps-search", "Murotani et al. Table 1", "inside over candidates, %", "sphere, n_div 2", 226981, 26},
    {"mps-search", "Murotani et al. Table 1", "candidates", "sphere, n_div 3", 226981, 76765625},
    {"mps-search", "Murotani et al. Table 1", "particles inside", "sphere, n_div 3", 226981, 26382775},
    {"mps-search", "Murotani et al. Table 1", "inside over candidates, %", "sphere, n_div 3", 226981, 34},
    {"mps-search", "Murotani et al. Table 2", "candidates", "cube, n_div 1", 226981, 160103007},
    {"mps-search", "Murotani et al. Table 2", "particles inside", "cube, n_div 1", 226981, 71473375},
    {"mps-search", "Murotani et al. Table 2", "inside over candidates, %", "cube, n_div 1", 226981, 44},
    {"mps-search", "Murotani et al. Table 2", "candidates", "cube, n_div 2", 226981, 99252847},
    {"mps-search", "Murotani et al. Table 2", "particles inside", "cube, n_div 2", 226981, 71473375},
    {"mps-search", "Murotani et al. Table 2", "inside over candidates, %", "cube, n_div 2", 226981, 72},
    {"mps-search", "Murotani et al. Table 2", "candidates", "cube, n_div 3", 226981, 76765625},
    {"mps-search", "Murotani et al. Table 2", "particles inside", "cube, n_div 3", 226981, 71473375},
    {"mps-search", "Murotani et al. Table 2", "inside over candidates, %", "cube, n_div 3", 226981, 93},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "linked list; gradient", 226981, 24.6},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "linked list; Laplacian", 226981, 17.2},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "linked list; LSMPS", 226981, 23.6},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "forward star; gradient", 226981, 17.0},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "forward star; Laplacian", 226981, 11.1},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "forward star; LSMPS", 226981, 15.4},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "n_div 3; gradient", 226981, 9.3},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "n_div 3; Laplacian", 226981, 6.5},
    {"mps-operators", "Murotani et al. section 4", "time, ms", "n_div 3; LSMPS", 226981, 8.8},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "linked list; gradient", 226981, 8.0},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "linked list; Laplacian", 226981, 8.8},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "linked list; LSMPS", 226981, 8.9},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "forward star; gradient", 226981, 11.5},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "forward star; Laplacian", 226981, 13.7},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "forward star; LSMPS", 226981, 13.7},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "n_div 3; gradient", 226981, 15.1},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "n_div 3; Laplacian", 226981, 14.5},
    {"mps-efficiency", "Murotani et al. section 4", "share of peak, %", "n_div 3; LSMPS", 226981, 17.6},
    {"mps-efficiency", "Murotani et al. section 3.4.4", "share of peak, %", "n_div 3, cube; LSMPS", 226981, 24.7},
    {"mps-efficiency", "Murotani et al. section 3.4.4", "achieved occupancy, %", "n_div 3, cube; LSMPS", 226981, 47.6},
    {"mps-efficiency", "Murotani et al. Table 3", "operations", "n_div 3, cube; LSMPS", 226981, 3318859727},
    {"mps-efficiency", "Murotani et al. Table 3", "additions", "n_div 3, cube; LSMPS", 226981, 517552261},
    {"mps-efficiency", "Murotani et al. Table 3", "multiplications", "n_div 3, cube; LSMPS", 226981, 1077775150},
    {"mps-efficiency", "Murotani et al. Table 3", "multiply-adds", "n_div 3, cube; LSMPS", 226981, 861766158},
    {"fvpm-ladder", "Alimirzazadeh et al. Table I", "ms", "level 0, Tesla K40", 330000, 100},
    {"fvpm-ladder", "Alimirzazadeh et al. Table I", "ms", "level 1, Tesla K40", 330000, 23.69},
    {"fvpm-ladder", "Alimirzazadeh et al. Table I", "ms", "level 2, Tesla K40", 330000, 5.27},
    {"fvpm-ladder", "Alimirzazadeh et al. Table I", "ms", "level 3, Tesla K40", 330000, 3.23},
    {"fvpm-ladder", "Alimirzazadeh et al. Table I", "ms", "level 4, Tesla K40", 330000, 2.89},
    {"fvpm-speedup", "Alimirzazadeh et al. section VI", "speed-up over two E5-2660 v2", "Tesla P100", 0, 9.5},
    {"fvpm-speedup", "Alimirzazadeh et al. section VII", "speed-up over a Tesla K40", "Tesla P100", 0, 3.8},
    {"fvpm-speedup", "Alimirzazadeh et al. section VI", "interaction vectors in a step, %", "GPU", 0, 68},
    {"fvpm-speedup", "Alimirzazadeh et al. section VII", "octree search in a step, %", "GPU", 0, 27},
};

} // namespace

std::span<const PaperNumber> paper_numbers() { return numbers; }

ResultTable paper_table(const std::string& experiment) {
    ResultTable table{"The papers' numbers", "paper", {"source", "quantity", "version", "particles", "value"}, {}};
    for (const PaperNumber& n : numbers)
        if (n.experiment == experiment)
            table.rows.push_back({n.source, n.quantity, n.version, n.particles > 0 ? short_number(n.particles) : "–",
                                  short_number(n.value)});
    return table;
}

double paper_number(const std::string& experiment, const std::string& quantity, const std::string& version,
                    double particles) {
    for (const PaperNumber& n : numbers)
        if (n.experiment == experiment && n.quantity == quantity && n.version == version && n.particles == particles)
            return n.value;
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace sluice::bench
