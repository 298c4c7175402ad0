// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"

namespace sluice {

/// What walls and bodies are made of, for elastic contacts. `setup`: groups and bodies are there. InputError for a wall
/// or a body without material, or with one that cannot be.
ContactParts make_contact_parts(const Case& definition, const ParticleSet& particles, const RunSetup& setup);

} // namespace sluice
