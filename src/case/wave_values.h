// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/element_values.h"
#include "case/waves.h"

// What wave makers and relaxation zones have in common; private to src/case.

namespace sluice {

/// Order, height, period, phase, ramp, spectrum … of regular, irregular and focused waves, by the kind of the paddle.
void read_waves(const ElementValues& values, WavePaddle& paddle);
/// The tables that the element asks for.
void read_wave_tables(const ElementValues& values, WavePaddle& paddle);
/// <awas_zsurf> of a paddle.
WaveAbsorption read_wave_absorption(CaseReader& reader, const XmlElement& e, const WavePaddle& paddle);

} // namespace sluice
