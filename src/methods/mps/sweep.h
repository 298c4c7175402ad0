// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/particle_search.h"
#include <array>

namespace sluice::mps {

/// One evaluation of an operator at all particles.
struct SweepJob {
    const ParticleSearch& search;
    DifferentialOperator which;
    DomainShape shape;
    Visit visit;
    OperatorScale scale;
    std::array<double*, 3> results; ///< of each component, in the order of the cloud
};

/// Numbers of particles in the cloud, unordered.
using Particles = std::vector<std::uint32_t>;

// Each fills the results and returns the particles at which the derivatives do not exist.
/// One pair at a time, on any processor.
Particles scalar_sweep(const SweepJob& job);
/// Four pairs at a time (AVX2). Visit: runs or reached_runs.
Particles vector_sweep_v3(const SweepJob& job);
/// Eight pairs at a time (AVX-512). Visit: runs or reached_runs.
Particles vector_sweep_v4(const SweepJob& job);

inline namespace SLUICE_ISA {

/// Calls add(i, place, sums) for each sorted particle, which adds its neighbours to the sums, and stores the
/// derivatives. Each particle's sums are made by one thread in one order, so threads do not change results.
template <class Op, class Add>
Particles sweep_particles(const SweepJob& job, Add&& add) {
    const ParticleSearch& search = job.search;
    Particles singular;
#pragma omp parallel
    {
        Particles own;
#pragma omp for schedule(static) nowait
        for (std::int64_t i = 0; i < search.size(); ++i) {
            double sums[Op::sum_count]{}, result[Op::result_count];
            add(i, Separation<double>{search.x()[i], search.y()[i], search.z()[i]}, sums);
            const std::uint32_t place = search.order()[i];
            if (!Op::finish(job.scale, sums, result)) own.push_back(place);
            for (int c = 0; c < Op::result_count; ++c) job.results[c][place] = result[c];
        }
#pragma omp critical
        singular.insert(singular.end(), own.begin(), own.end());
    }
    return singular;
}

} // namespace SLUICE_ISA
} // namespace sluice::mps
