// SPDX-License-Identifier: Apache-2.0
#include "case/parameters/parameter_forms.h"

#include "case/parameters/parameter_row.h"
#include "case/read_shapes.h"
#include "case/reader.h"
#include <fmt/format.h>

namespace sluice::parameters {

void set_domain(ExecutionParameters& p, const ParameterValue& v) {
    std::string rest = v.text;
    double limits[6];
    for (int i = 0; i < 6; ++i) {
        const auto colon = rest.find(':');
        if ((i < 5) != (colon != std::string::npos))
            v.fail(fmt::format("parameter DomainFixed needs xmin:ymin:zmin:xmax:ymax:zmax ({})", v.text));
        limits[i] = ParameterValue{v.reader, v.key, rest.substr(0, colon), v.where}.number();
        if (i < 5) rest = rest.substr(colon + 1);
    }
    for (int axis = 0; axis < 3; ++axis) {
        p.domain_min[axis] = {false, limits[axis], 0};
        p.domain_max[axis] = {false, limits[axis + 3], 0};
    }
}

void set_domain_height(ExecutionParameters& p, const ParameterValue& v) { p.domain_max[2].percent = 100 * v.number(); }

void set_delta_sph(ExecutionParameters& p, const ParameterValue& v) {
    const double delta = v.number();
    if (delta == 0) return;
    p.diffusion = sph::DensityDiffusion::molteni;
    p.delta = delta;
}

void set_viscosity_file(ExecutionParameters& p, const ParameterValue& v) {
    p.visco_file = data_file_name(v.reader, v.where, "parameter ViscoTime", v.text);
    p.visco_where = v.where;
}

void refuse_another_pressure(ExecutionParameters& p, const ParameterValue& v) {
    if (v.number() == 1 && p.shifting == sph::Shifting::along_surfaces) v.refuse(find_parameter(v.key)->advice);
}

void warn_of_time_step_file(ExecutionParameters&, const ParameterValue& v) {
    if (to_lower(trim(v.text)) != "none")
        v.reader.warn(v.where, fmt::format("the time steps of DtFixedFile={} are not taken: the run chooses its own, "
                                           "as without it; DtFixed sets one for the whole run",
                                           v.text));
}

} // namespace sluice::parameters
