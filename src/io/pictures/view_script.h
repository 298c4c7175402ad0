// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/gauges.h"
#include "geometry/particle_set.h"
#include "model/fields.h"
#include <filesystem>
#include <vector>

namespace sluice {

/// src/io/pictures/view.py, with @RUN@ where the run comes in.
extern const char* const view_py;

/// Writes DIR/view.py: a Python script that shows the run in ParaView (File, Load State), the fluid by speed, walls,
/// bodies and gauges. `fields`: what frames hold. Throws RunError.
void write_view_script(const std::filesystem::path& dir, const ParticleSet& particles, const FieldSelection& fields,
                       const std::vector<Gauge>& gauges);

} // namespace sluice
