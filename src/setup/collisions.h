// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// The bodies of special/chrono that touch others: floating bodies with a modelfile where collision is active, by
/// their places in RunSetup::bodies.
std::vector<int> colliding_bodies(const Case& definition, const RunSetup& setup);

/// Their surfaces, those of walls that they may touch, and what all are made of. After mechanisms. InputError for a
/// boundary without a shape, or without a material.
void add_collisions(const Case& definition, RunSetup& setup);

} // namespace sluice
