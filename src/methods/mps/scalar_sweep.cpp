// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/sweep.h"

namespace sluice::mps {

namespace {

template <class Op, class Shape, class V>
Particles scalar_sweep_of(const SweepJob& job) {
    const ParticleSearch& search = job.search;
    const SearchView view = view_of(search);
    const double *x = search.x().data(), *y = search.y().data(), *z = search.z().data(), *phi = search.phi().data();
    return sweep_particles<Op>(job, [&](std::int64_t i, const Separation<double>& a, double(&sums)[Op::sum_count]) {
        V::template candidates<Shape>(view, a, [&](std::int32_t begin, std::int32_t end) {
            for (std::int32_t j = begin; j < end; ++j) {
                const Separation<double> d{x[j] - a.x, y[j] - a.y, z[j] - a.z};
                if (Shape::contains(d)) Op::add(d, phi[j] - phi[i], sums);
            }
        });
    });
}

} // namespace

Particles scalar_sweep(const SweepJob& job) {
    return with_operator_of(job.which, job.shape, [&]<class Op, class Shape>(Op, Shape) {
        return with_visit(job.visit, [&]<class V>(V) { return scalar_sweep_of<Op, Shape, V>(job); });
    });
}

} // namespace sluice::mps
