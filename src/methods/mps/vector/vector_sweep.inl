// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/sweep.h"
#include "methods/mps/vector/double_pack.h"

// The loop over the neighbours of a particle with one neighbour a lane, compiled once for each instruction set.

namespace sluice::mps {
inline namespace SLUICE_ISA {

static_assert(DoublePack::width <= int(ParticleSearch::padding));

template <class Op, class Shape, class V>
Particles vector_sweep_of(const SweepJob& job) {
    const ParticleSearch& search = job.search;
    const SearchView view = view_of(search);
    const double *x = search.x().data(), *y = search.y().data(), *z = search.z().data(), *phi = search.phi().data();
    return sweep_particles<Op>(job, [&](std::int64_t i, const Separation<double>& a, double(&sums)[Op::sum_count]) {
        const DoublePack ax(a.x), ay(a.y), az(a.z), a_phi(phi[i]);
        const DoublePack outside(a.x + 2); // of the domain, for lanes behind the end of a run
        DoublePack lanes[Op::sum_count];
        for (DoublePack& lane : lanes) lane = DoublePack(0.0);
        V::template candidates<Shape>(view, a, [&](std::int32_t begin, std::int32_t end) {
            for (std::int32_t j = begin; j < end; j += DoublePack::width) {
                const Separation<DoublePack> d{load_first(x + j, end - j, outside) - ax, load(y + j) - ay,
                                               load(z + j) - az};
                Op::add(d, load(phi + j) - a_phi, lanes);
            }
        });
        for (int s = 0; s < Op::sum_count; ++s) sums[s] = sum(lanes[s]);
    });
}

inline Particles vector_sweep(const SweepJob& job) {
    return with_operator_of(job.which, job.shape, [&]<class Op, class Shape>(Op, Shape) {
        return job.visit == Visit::runs ? vector_sweep_of<Op, Shape, RunVisit>(job)
                                        : vector_sweep_of<Op, Shape, ReachedRunVisit>(job);
    });
}

} // namespace SLUICE_ISA
} // namespace sluice::mps
