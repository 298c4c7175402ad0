// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "case/parameters/parameter_value.h"

// What the parameters do that set more than one number, or one in another form.

namespace sluice::parameters {

/// One limit of the domain, m.
template <auto limits, int axis>
void set_domain_limit(ExecutionParameters& p, const ParameterValue& v) {
    (p.*limits)[axis] = {false, v.number(), 0};
}

/// DomainFixed: all six limits.
void set_domain(ExecutionParameters& p, const ParameterValue& v);

/// The upper limit in z as a fraction of the particles' extent above it.
void set_domain_height(ExecutionParameters& p, const ParameterValue& v);

/// An axis is periodic, with a step along another.
template <int axis, int along>
void set_period(ExecutionParameters& p, const ParameterValue& v) {
    p.periodic[axis] = true;
    p.periodic_step[axis][along] = v.number();
}

/// Two axes are periodic, whatever the value.
template <int first, int second>
void set_periods(ExecutionParameters& p, const ParameterValue&) {
    p.periodic[first] = p.periodic[second] = true;
}

/// DeltaSPH: the coefficient of Molteni & Colagrossi's diffusion, which 0 leaves as it is.
void set_delta_sph(ExecutionParameters& p, const ParameterValue& v);

/// ViscoTime: the name of a data file.
void set_viscosity_file(ExecutionParameters& p, const ParameterValue& v);

/// A form of the pressure that advanced shifting has in the reference; without Shifting 4 it says nothing.
void refuse_another_pressure(ExecutionParameters& p, const ParameterValue& v);

/// DtFixedFile: warns unless it is NONE.
void warn_of_time_step_file(ExecutionParameters& p, const ParameterValue& v);

} // namespace sluice::parameters
