// SPDX-License-Identifier: Apache-2.0
#include "case/lattice_constants.h"

#include "model/derive.h"

namespace sluice {

double smoothing_length_of(const Case& the_case) {
    const ConstantsDef& c = the_case.constants;
    const double dp = the_case.definition.dp;
    if (c.h) return *c.h;
    if (c.hdp) return *c.hdp * dp;
    return sph::smoothing_length(c.coef_h.value_or(1), dp, the_case.definition.two_d);
}

double lattice_mass_of(const Case& the_case) {
    sph::Constants c;
    c.rho0 = the_case.constants.rho0;
    c.dp = the_case.definition.dp;
    c.two_d = the_case.definition.two_d;
    return sph::lattice_mass(c);
}

} // namespace sluice
