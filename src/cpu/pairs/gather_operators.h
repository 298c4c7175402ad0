// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/particles/records.h"
#include "physics/sph/apparent_viscosity.h"
#include "physics/sph/renormalised_diffusion.h"
#include "physics/sph/shifting.h"
#include "physics/sph/sub_particle_stress.h"
#include "physics/sph/surface_tension.h"

// What the records mean to an operator that reads more than velocity and density: other values take their places there.

namespace sluice::cpu {

/// The record of a particle at the place of another record, with its stress.
inline Record stress_record(const Record& place, const sph::Stress<float>& stress) {
    return {place.x, place.y, place.z, stress.yz, stress.xx, stress.zz, stress.xy, stress.xz};
}

/// The record of a particle with its apparent viscosity.
inline Record viscous_record(const Record& r, float viscosity) {
    return {r.x, r.y, r.z, viscosity, r.vx, r.vy, r.vz, r.rho};
}

/// The record of a particle with the number of its fluid in place of its pressure.
inline Record coloured_record(const Record& r, std::uint32_t fluid) {
    return {r.x, r.y, r.z, static_cast<float>(fluid), r.vx, r.vy, r.vz, r.rho};
}

/// The record of a particle with another vector in place of its velocity.
inline Record vector_record(const Record& r, const Vec3f& v) {
    return {r.x, r.y, r.z, r.pressure_term, v.x, v.y, v.z, r.rho};
}

/// Says of a boundary record whether no fluid shifts near it. Its pressure is lost.
inline void hold_fluid(Record& record, bool holds) { record.pressure_term = holds ? 1 : 0; }

inline namespace SLUICE_ISA {

template <class Kernel>
struct StressOfRecords : sph::StressDivergence<Kernel> {
    template <class Real, class Loaded>
    SLUICE_INLINE static sph::Stress<Real> read(const Loaded& p) {
        return {Real(p.vx), Real(p.vy), Real(p.vz), Real(p.rho), Real(p.pressure_term), Real(0.0f)};
    }
};

template <class Kernel>
struct ViscousForceOfRecords : sph::ViscousForce<Kernel> {
    template <class Real, class Loaded>
    SLUICE_INLINE static typename sph::ViscousForce<Kernel>::template Side<Real> read(const Loaded& p) {
        return {Real(p.vx), Real(p.vy), Real(p.vz), Real(p.rho), Real(p.pressure_term)};
    }
};

/// An operator that takes the density and, in place of the pressure, one other value from a record.
template <class Op>
struct MarkedRecords : Op {
    template <class Real, class Loaded>
    SLUICE_INLINE static typename Op::template Side<Real> read(const Loaded& p) {
        return {Real(p.rho), Real(p.pressure_term)};
    }
};

/// Calls `use(Op{})` with an operator over the kernel K.
template <class K, class Use>
decltype(auto) with_operator_of(GatherOperator which, Use&& use) {
    switch (which) {
    case GatherOperator::velocity_gradient: return use(sph::VelocityGradient<K>{});
    case GatherOperator::stress_divergence: return use(StressOfRecords<K>{});
    case GatherOperator::viscous_force: return use(ViscousForceOfRecords<K>{});
    case GatherOperator::colour_gradient: return use(MarkedRecords<sph::ColourGradient<K>>{});
    case GatherOperator::crowding: return use(MarkedRecords<sph::Crowding<K>>{});
    case GatherOperator::crowding_moments: return use(MarkedRecords<sph::CrowdingMoments<K>>{});
    case GatherOperator::shift_convergence: return use(sph::ShiftConvergence<K>{});
    case GatherOperator::density_gradient: return use(sph::DensityGradient<K>{});
    case GatherOperator::renormalised_diffusion: return use(sph::RenormalisedDiffusion<K>{});
    case GatherOperator::flow_gradients: break;
    }
    return use(sph::FlowGradients<K>{});
}

/// The same with the kernel of a run.
template <class Use>
decltype(auto) with_operator(GatherOperator which, const sph::Constants& c, Use&& use) {
    return sph::with_kernel(c.kernel, [&]<class K>(K) -> decltype(auto) { return with_operator_of<K>(which, use); });
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu
