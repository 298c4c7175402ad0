// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cuda/cuda_backend.h"

namespace sluice {

void refuse_for_gpus(const RunSetup& setup, std::size_t gpus) {
    const auto refuse_if = [gpus](bool has, const char* what) {
        if (has)
            throw InputError("--gpus " + std::to_string(gpus) + ": " + what +
                             " not computed on several GPUs yet; run it with one");
    };
    refuse_if(setup.open.any(), "open boundaries (special/inout) are");
    refuse_if(!setup.bodies.empty(), "floating bodies (floatings) are");
    refuse_if(!setup.absorbers.empty(), "pistons that absorb waves (awas_zsurf) are");
    refuse_if(!setup.normals.empty(), "walls from ghost nodes (Boundary 2) are");
    refuse_if(setup.constants.viscosity == sph::ViscosityModel::laminar_sps,
              "the sub-particle-scale model (ViscoTreatment 2) is");
    refuse_if(!setup.viscosity.empty(), "a viscosity that changes in time (ViscoTime) is");
    refuse_if(setup.period.has_images_along(2), "a domain that is periodic along z, or steps along it, is");
}

} // namespace sluice
