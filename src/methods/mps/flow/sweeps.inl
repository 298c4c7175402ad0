// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/flow/sweeps.h"
#include "methods/mps/visit.h"

// The loops over the neighbours of a particle, compiled once for each instruction set. `Lanes` says what is loaded at a
// time: its type Real, its width, and how.

namespace sluice::mps {
inline namespace SLUICE_ISA {

template <class Loads>
FlowAt<typename Loads::Real> flow_at(const FlowArrays& f, std::int64_t j) {
    return {Loads::load(&f.vx[j]),  Loads::load(&f.vy[j]), Loads::load(&f.vz[j]),
            Loads::load(&f.rho[j]), Loads::load(&f.p[j]),  Loads::load(&f.fluid[j])};
}

template <class Loads>
FlowAt<typename Loads::Real> same_flow(const FlowArrays& f, std::int64_t i) {
    using Real = typename Loads::Real;
    return {Real(f.vx[i]), Real(f.vy[i]), Real(f.vz[i]), Real(f.rho[i]), Real(f.p[i]), Real(f.fluid[i])};
}

/// Calls finish(i, sums) for each particle that is fluid, or each that is not, with the sums over its neighbours.
template <class Loads, class Sums, class Finish>
void sweep_flow(const FlowSweep& sweep, bool of_fluid, const Finish& finish) {
    using Real = typename Loads::Real;
    const ParticleSearch& search = sweep.search;
    const SearchView view = view_of(search);
    const double *x = search.x().data(), *y = search.y().data(), *z = search.z().data();
    const FlowArrays& f = sweep.flow;
#pragma omp parallel for schedule(dynamic, 256) num_threads(sweep.threads)
    for (std::int64_t i = 0; i < std::int64_t(search.size()); ++i) {
        if ((f.fluid[i] != 0) != of_fluid) continue;
        const Separation<double> place{x[i], y[i], z[i]};
        const Real ax(place.x), ay(place.y), az(place.z);
        const Real outside(place.x + 2); // of the domain, for lanes behind the end of a run
        const FlowAt<Real> own = same_flow<Loads>(f, i);
        Real lanes[Sums::count];
        for (Real& lane : lanes) lane = Real(0.0);
        ReachedRunVisit::candidates<Sphere>(view, place, [&](std::int32_t begin, std::int32_t end) {
            for (std::int32_t j = begin; j < end; j += Loads::width) {
                const Separation<Real> d{Loads::load_first(x + j, end - j, outside) - ax, Loads::load(y + j) - ay,
                                         Loads::load(z + j) - az};
                Sums::add(sweep.scale, d, own, flow_at<Loads>(f, j), lanes);
            }
        });
        double sums[Sums::count];
        for (int s = 0; s < Sums::count; ++s) sums[s] = Loads::sum(lanes[s]);
        finish(i, sums);
    }
}

template <class Loads>
void sweep_walls(const FlowSweep& sweep) {
    sweep_flow<Loads, WallSums>(sweep, false, [&](std::int64_t i, const double(&sums)[WallSums::count]) {
        sweep.flow.wall_p[i] = WallSums::pressure(sweep.scale, sums);
    });
}

template <class Loads>
void sweep_continuity(const FlowSweep& sweep) {
    FlowArrays& f = sweep.flow;
    sweep_flow<Loads, ContinuitySums>(sweep, true, [&](std::int64_t i, const double(&sums)[ContinuitySums::count]) {
        f.rho_rate[i] = ContinuitySums::rate(sweep.scale, f.rho[i], sums);
        f.fullness[i] = ContinuitySums::fullness(sweep.scale, sums);
    });
}

template <class Loads>
void sweep_motion(const FlowSweep& sweep) {
    FlowArrays& f = sweep.flow;
    sweep_flow<Loads, MotionSums>(sweep, true, [&](std::int64_t i, const double(&sums)[MotionSums::count]) {
        f.ax[i] = MotionSums::rate(sweep.scale, 0, sums);
        f.ay[i] = MotionSums::rate(sweep.scale, 1, sums);
        f.az[i] = MotionSums::rate(sweep.scale, 2, sums);
    });
}

template <class Loads>
FlowLoops loops_of() {
    return {sweep_walls<Loads>, sweep_continuity<Loads>, sweep_motion<Loads>};
}

} // namespace SLUICE_ISA
} // namespace sluice::mps
